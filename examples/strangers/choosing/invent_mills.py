"""Write mills.csv: the register of an invented society of mill friends, a row a mill or a person.

All invented; a fixed seed. Hard on purpose: mills called Hope, March, Adam and Thunder, namesakes
among the mills and among the people, a miller called Baker and a baker called Miller, names that
share a part, accents and apostrophes, output partly in kg and partly in t, restorations partly in
months and partly in years, several values in a cell, and many cells left empty.

    python3 invent_mills.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "Kind",
        "Based In",
        "built_in",
        "worked_by",
        "Owner",
        "restored_by",
        "restoration took",
    ),
    *(
        "Delivers To",
        "grinds",
        "daily output",
        "pairs of stones",
        "Stones Last Dressed",
        "sail_span",
    ),
    *("River", "Open To Visitors", "entry_fee", "born_on", "learned under", "married_to"),
)
GAPS = {
    **{
        "built_in": 0.07,
        "Owner": 0.08,
        "restored_by": 0.2,
        "Delivers To": 0.25,
        "daily output": 0.12,
    },
    **{
        "pairs of stones": 0.06,
        "Stones Last Dressed": 0.15,
        "sail_span": 0.12,
        "River": 0.08,
        "born_on": 0.1,
    },
}
# Kind: names, with the place where the name says it
MILLS = """
post mill: The Grey Lady; Hope; Adam; Old Gertrud; March; Little Swallow; Widow Tamm's Mill; Bonnet; Rook's Rest; Jolly Beggar; Wiatrak Żaby; Three Sighs
smock mill: Patience; Swallow; Eve; The Butterfly; White Mary; Dancing Bear; De Vrolijke Snoek; Sunday; Long Tom; Pepperpot
tower mill: Thunder; Black Mary; Bishop's Folly; Moulin des Épines; Molino del Tuerto; Five Brothers; Candle; Lighthouse; Windle Mill; Moinho da Avó; Saint Odo's Mill
watermill: Hope; Upper Brook Mill; Lower Brook Mill; Krähenmühle; Drunken Duck; Nightingale; Penny Mill; Halfpenny Mill; Moulin Céleste; Orphan; Bishop's Mill; Otter; Kvarn Åse; Little Windle Mill; Cutpurse Mill; Hunger; Młyn Czarny; Fenwold Mill
tide mill: Moonraker; Salt Margaret; Tidegate; Eelhouse; Low Water
boat mill: Noah; The Floating Nun; Wanderer; Swan
horse mill: Old Faithful; Roundabout; Merry-Go-Round
"""
PEOPLE = """
miller: Agnes Korn; Jan Korn; Rose Baker; Piet Vlaams; Ludvík Hrách; Hattie Dunmore; Silas Wheelwright; Zofia Młynek; Bartholomew Gray; Barbara Gray; Inès Fourche; Old Matti; Étienne Fourche; Clement Flood; Noor Haddar; Gus Tallow; Maren Østby; Will Chaff; Dora Chaff; Tomé Areias; Käthe Brösel; Finbar Quern; Sunniva Lund; Hope Larkin
millwright: Jan Korn; Rob Cogg; Hugo Nagel; Sister Benedikta; Abel Joyner; Mabel Joyner; Wiktor Dąb; Célia Serra; Ned Ironside
baker: Max Miller-Voss; Flora Miller; Oskar Krumm; Trudi Krumm; Ahmet Simit; Pia Laib; Léonie Miche; Bruno Bunn; Ida Zopf; Cornelius Rusk; Salome Rye; Frank Pretzel
landowner: Lady Ashcombe; Baron Tamm; Dr. Yolanda Pyke; Lord Fenwold; Gräfin Ödön; Matthias Gold; Father Anselm; Hester Vane; Virgil Vane; Señora Cuervo; Captain Brandt
"""
PLACES = "Fenwold, Upper Fenwold, Windle, Little Windle, Harrow Dyke, Krähenwinkel, Saint-Ébrard, Ostmoor, Żarnica, Vila Moía, Tamm, Salter's Quay, Nørrebeck, Gallowgate, Cold Barley"
RIVERS = "Brook, Windle Water, Ébrette, Otterach, Czarna, Little Otterach, Fen"
TRUSTS = "Fenwold Heritage Trust, Windle Parish, Friends of the Tide, Convent of Saint Odo"
GRAIN = "wheat, rye, barley, oats, spelt, buckwheat, maize, malt, mustard seed, chestnuts, oak bark, pigments"
BORN = {
    "miller": (1938, 2000),
    "millwright": (1936, 1996),
    "baker": (1945, 2001),
    "landowner": (1930, 1985),
}
COUPLES = "Hattie Dunmore/Silas Wheelwright, Bartholomew Gray/Barbara Gray, Inès Fourche/Étienne Fourche, Will Chaff/Pia Laib, Abel Joyner/Mabel Joyner, Oskar Krumm/Trudi Krumm, Hester Vane/Virgil Vane, Rose Baker/Max Miller-Voss, Dora Chaff/Ned Ironside, Lady Ashcombe/Captain Brandt, Célia Serra/Tomé Areias, Sunniva Lund/Salome Rye"
# Known: name / kind / column / cell
KNOWN = """
Old Matti/miller/born_on/1931-02-03; Old Matti/miller/learned under/; Sister Benedikta/millwright/born_on/1934-11-30; Ned Ironside/millwright/learned under/Sister Benedikta; Rob Cogg/millwright/learned under/Ned Ironside; Hugo Nagel/millwright/learned under/Sister Benedikta; Célia Serra/millwright/learned under/Hugo Nagel; Célia Serra/millwright/born_on/1990-01-15
Windle Mill/tower mill/Based In/Windle; Little Windle Mill/watermill/Based In/Little Windle; Fenwold Mill/watermill/Based In/Fenwold; Widow Tamm's Mill/post mill/Based In/Tamm; Hope/post mill/Based In/Cold Barley; Hope/watermill/Based In/Nørrebeck; Wiatrak Żaby/post mill/Based In/Żarnica; Młyn Czarny/watermill/Based In/Żarnica
Młyn Czarny/watermill/River/Czarna; Upper Brook Mill/watermill/River/Brook; Lower Brook Mill/watermill/River/Brook; Little Windle Mill/watermill/River/Windle Water; Otter/watermill/River/Otterach; Upper Brook Mill/watermill/worked_by/Clement Flood; Lower Brook Mill/watermill/worked_by/Clement Flood; Krähenmühle/watermill/Based In/Krähenwinkel
Bishop's Mill/watermill/Owner/Father Anselm; Bishop's Folly/tower mill/Owner/Father Anselm; Salt Margaret/tide mill/Owner/Friends of the Tide; Saint Odo's Mill/tower mill/Owner/Convent of Saint Odo; Old Gertrud/post mill/built_in/1604; Old Gertrud/post mill/worked_by/Old Matti; Lighthouse/tower mill/sail_span/27.8 m; Black Mary/tower mill/worked_by/Rose Baker
Adam/post mill/worked_by/Will Chaff; Eve/smock mill/worked_by/Dora Chaff; Adam/post mill/built_in/1751; Eve/smock mill/built_in/1752; Lord Fenwold/landowner/Based In/Upper Fenwold; Baron Tamm/landowner/Based In/Tamm; Will Chaff/miller/learned under/Agnes Korn; Dora Chaff/miller/learned under/Agnes Korn; Agnes Korn/miller/learned under/Old Matti; Agnes Korn/miller/born_on/1950-09-14
Thunder/tower mill/daily output/2.4 t; Roundabout/horse mill/daily output/60 kg; Five Brothers/tower mill/pairs of stones/5; Patience/smock mill/restoration took/11 years; Patience/smock mill/restored_by/Sister Benedikta; Windle Mill/tower mill/Delivers To/Flora Miller; Swan/boat mill/Owner/Gräfin Ödön; Hope Larkin/miller/learned under/Rose Baker; Jan Korn/millwright/learned under/Ned Ironside
Noah/boat mill/worked_by/Noor Haddar; Moonraker/tide mill/grinds/wheat; Cutpurse Mill/watermill/grinds/oak bark; Pepperpot/smock mill/grinds/mustard seed; Sunday/smock mill/Stones Last Dressed/2024-03-17; Wanderer/boat mill/Owner/Captain Brandt; Dancing Bear/smock mill/entry_fee/9.00 EUR; Dancing Bear/smock mill/Open To Visitors/yes; Rose Baker/miller/learned under/Gus Tallow
Gus Tallow/miller/born_on/1952-02-10; Hope Larkin/miller/born_on/1996-05-05; Will Chaff/miller/born_on/1974-12-25; Ned Ironside/millwright/born_on/1953-06-09; Captain Brandt/landowner/born_on/1944-01-23; Captain Brandt/landowner/Based In/Salter's Quay; Old Matti/miller/Based In/Cold Barley
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(sorted(chosen, key=choices.index))


def named(text):
    """Kind and name of every row of a block."""
    return [
        (line.split(": ")[0], name)
        for line in text.strip().splitlines()
        for name in line.split(": ", 1)[1].split("; ")
    ]


def mill(kind, name, who, random):
    """A mill and what is known of it."""
    kilos = random.randrange(80, 2300, 20)
    months = random.choice([5, 7, 8, 10, 14, 18, 22, 24, 36, 48, 60, 84])
    visitors = random.random() < 0.65
    lords = who["landowner"] * 3 + who["miller"][:8] + listed(TRUSTS) * 3
    return {
        **{"name": name, "Kind": kind, "Based In": random.choice(listed(PLACES))},
        "built_in": str(random.randint(1612, 1928)),
        "worked_by": several(who["miller"], 2 if random.random() < 0.25 else 1, random),
        "Owner": random.choice(lords),
        "restored_by": random.choice(who["millwright"]),
        "restoration took": f"{months} months" if months < 24 else f"{months // 12} years",
        "Delivers To": several(who["baker"], 3, random),
        "grinds": several(listed(GRAIN), 4, random),
        "daily output": f"{kilos} kg" if kilos < 1000 else f"{kilos / 1000:.1f} t",
        "pairs of stones": str(random.choice([1, 1, 2, 2, 2, 3, 3, 4])),
        "Stones Last Dressed": (date(2012, 1, 1) + timedelta(random.randrange(4400))).isoformat(),
        "sail_span": f"{random.uniform(15, 27):.1f} m"
        if kind.split()[0] in {"post", "smock", "tower"}
        else "",
        "River": random.choice(listed(RIVERS)) if kind in {"watermill", "boat mill"} else "",
        "Open To Visitors": "yes" if visitors else "no",
        "entry_fee": f"{random.randrange(150, 800, 50) / 100:.2f} EUR"
        if visitors and random.random() < 0.85
        else "",
    }


def person(kind, name, random):
    """Somebody and what is known of them."""
    first, last = BORN[kind]
    born = date(first, 1, 1) + timedelta(random.randrange(365 * (last - first)))
    return {
        "name": name,
        "Kind": kind,
        "Based In": random.choice(listed(PLACES)),
        "born_on": born.isoformat(),
    }


def rows_of(random):
    """Every row, with what points from one to another."""
    who = {}
    for kind, name in named(PEOPLE):
        who.setdefault(kind, []).append(name)
    people = [person(kind, name, random) for kind, name in named(PEOPLE)]
    unique = {kind: [name for name in names if name != "Jan Korn"] for kind, names in who.items()}
    rows = [mill(kind, name, unique, random) for kind, name in named(MILLS)] + people
    for fact in listed(KNOWN, "; "):
        name, kind, column, cell = fact.split("/")
        if column == "born_on":
            next(row for row in rows if (row["name"], row["Kind"]) == (name, kind))[column] = cell
    for row in people:
        elders = [
            other["name"]
            for other in people
            if other["Kind"] == row["Kind"]
            and other["name"] != "Jan Korn"
            and int(other["born_on"][:4]) + 12 < int(row["born_on"][:4])
        ]
        if elders and row["Kind"] != "landowner" and random.random() < 0.8:
            row["learned under"] = random.choice(elders)
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        if not row.get("restored_by"):
            row["restoration took"] = ""
    for couple in listed(COUPLES):
        one, other = (
            next(row for row in people if row["name"] == name) for name in couple.split("/")
        )
        one["married_to"], other["married_to"], one["Based In"] = (
            other["name"],
            one["name"],
            other["Based In"],
        )
    for fact in listed(KNOWN, "; "):
        name, kind, column, cell = fact.split("/")
        next(row for row in rows if (row["name"], row["Kind"]) == (name, kind))[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("mills.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows_of(Random(47)))


if __name__ == "__main__":
    main()

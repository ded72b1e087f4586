"""Write horses.csv: the stable book of an invented riding stable, a row a horse, person or piece of gear.

All invented; a fixed seed. Hard on purpose: horses called like days, dishes and people, namesakes
among horses, people and saddles, names that share a part, accents, heights in cm and in m, exercise
in minutes and in hours, several values in a cell, sires, riders, grooms and gear that are rows
themselves, and many cells left empty.

    python3 invent_horses.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "kind", "Breed", "colour", "Sired By", "looked after by", "Usually Ridden By"),
    *("owner", "trained_by", "Kept In", "born_on", "height", "Arrived In", "price_paid"),
    *("Feed", "Scared Of", "wears", "daily exercise", "shod", "Prizes Won"),
)
GAPS = {
    **{
        "colour": 0.05,
        "looked after by": 0.1,
        "Usually Ridden By": 0.1,
        "owner": 0.07,
        "Breed": 0.07,
    },
    **{"trained_by": 0.25, "Kept In": 0.05, "born_on": 0.1, "height": 0.12, "Arrived In": 0.08},
    **{"price_paid": 0.15, "Feed": 0.06, "Scared Of": 0.35, "wears": 0.15, "daily exercise": 0.1},
    **{"shod": 0.08, "Prizes Won": 0.15},
}
# Horse / breed / colour, those that sire foals first
STALLIONS = """
Thunder/Friesian/black; Monday/Hanoverian/bay; Will/Connemara/grey; Captain/Irish Draught/chestnut; Captain's Log/Irish Draught/dark bay; Señor Pepe/Andalusian/grey; Żubr/Konik/dun
Grey Matter/Lipizzaner/grey; Bishop/Friesian/black; Northern Rye/Trakehner/chestnut; Ambassador/Hanoverian/bay; Émile/Camargue/white; Mister Nobody/Haflinger/palomino; Gunpowder/Lipizzaner/grey
No Hurry/Shire/black; Late Again/Thoroughbred/chestnut; Barley/Fjord/dun; Duke of Oats/Shetland/piebald; Møller/Fjord/dun; Robin/Welsh Pony/chestnut
"""
OTHERS = """
Duchess/Hanoverian/chestnut; Duchess/Shetland/black; Rosie/Welsh Pony/roan; Rose/Thoroughbred/bay; Biscuit/Haflinger/palomino; Ginger Biscuit/Haflinger/chestnut; Éclair/Camargue/white; Żabka/Konik/dun; Oats/Fjord/dun
Queen of Oats/Shire/bay; Northern Light/Trakehner/grey; Snow/Lipizzaner/white; Snowdrop/Connemara/grey; Tuesday's Child/Thoroughbred/dark bay; Lady Quince/Hanoverian/bay; Lady Quill/Hanoverian/dark bay; Marmalade/Shetland/chestnut
Pickle/Shetland/piebald; Faith/Trakehner/bay; May/Connemara/dun; Mouse/Welsh Pony/grey; Church Mouse/Welsh Pony/grey; Sister Mouse/Welsh Pony/roan; Ophélie/Camargue/white; Gräfin/Trakehner/black; Little Thunder/Friesian/black
Thunderclap/Friesian/black; Minnow/Connemara/grey; Widow Twist/Irish Draught/dark bay; Teapot/Shetland/roan; Second Helping/Shire/bay; Bramble/Irish Draught/roan; Bramble Jelly/Welsh Pony/dark bay; Peppercorn/Appaloosa/spotted
Nuisance/Shetland/skewbald; Daisy/Haflinger/palomino; Daisy Chain/Appaloosa/spotted; Fräulein Zimt/Trakehner/chestnut; Saltwater/Andalusian/grey; Paloma/Andalusian/white; Tambourine/Appaloosa/spotted
"""
RIDERS = "Anneliese Okonjo, Tobi Okonjo, Bea Fairweather, Zoë Fairweather, Łukasz Wrona, Inés Quiroga, May Button, Will Hedge, Penny Lark, Søren Ask, Faith Odell, Hope Odell, Rose Archer, Robin Vale, Gwendolyn Pugh, Jasper Flint, Hélène Marchetti, Kofi Brandt, Ottilie Brandt, Yusuf Demirel, Cassandra Nye"
GROOMS = "Old Matthias, Clementine Bray, Hal Bray, Nour Haddad, Dunja Petrić, Björn Lund, Joy Pike, Ernest Mole, Summer Lane, Tomás Vega, Robin Vale"
STRANGERS = "Dr. Amadou Sarr, Mrs. Pilkington, Baron Ützel, Sister Benedetta, Quillmoor Stables, Quillmoor Stables, Quillmoor Stables, Walter Coyne"
COACHES = "Colonel Strand, Madame Ory, Walter Coyne"
# Kind: piece / colour
GEAR = """
saddle: Old Faithful/brown; Biscuit/tan; Armchair/dark brown; The Professor/black; Feather/tan; Brown Betty/brown; Sunday/black; Grandfather/dark brown; Cloud Nine/white; Ça Va/brown; Number Seven/black; Postman/tan
bridle: Whisper/black; Goldilocks/tan; Brass Band/brown; Plain Jane/brown; Soft Touch/dark brown; Ribbon/red; Nightingale/black; Jingle/brown; Little Jingle/brown; Schätzchen/white
blanket: Tartan/red; Moth's Breakfast/grey; Polar Bear/white; Duvet/blue; Big Top/striped; Señorita/yellow; Raincheck/green; Old Faithful/blue
"""
PRICES = {"saddle": (240, 2600), "bridle": (35, 320), "blanket": (25, 180)}
BARNS = "Long Barn, East Yard, West Yard, Lime Tree Row, Mill Stable, Bottom Meadow"
TACK = "Tack Room, Harness Loft, Attic, Blue Cupboard"
FEED = "hay, oats, barley, carrots, apples, sugar beet, bran, clover, linseed"
FEARS = "umbrellas, tractors, thunder, geese, plastic bags, puddles, bicycles, dogs, flags, bridges, wasps, balloons, the farrier, brass bands"
HEIGHTS = {
    "Shetland": 100,
    "Welsh Pony": 125,
    "Fjord": 142,
    "Konik": 135,
    "Connemara": 143,
    "Haflinger": 145,
    "Camargue": 141,
    "Shire": 178,
}
# Known: name / kind / column / cell
KNOWN = """
Little Thunder/horse/Sired By/Thunder | Thunderclap/horse/Sired By/Little Thunder | Thunder/horse/born_on/1999-05-01 | Thunder/horse/Arrived In/2003 | Little Thunder/horse/born_on/2008-04-17 | Thunderclap/horse/born_on/2015-06-09 | Captain's Log/horse/Sired By/Captain
Thunder/horse/Scared Of/thunder | Nuisance/horse/Scared Of/geese | No Hurry/horse/daily exercise/20 min | Late Again/horse/daily exercise/2.5 h | Grey Matter/horse/trained_by/Colonel Strand | Mouse/horse/Usually Ridden By/May Button | Will/horse/Usually Ridden By/Penny Lark | Oats/horse/Feed/hay; carrots; apples
Robin/horse/looked after by/Ernest Mole | Bishop/horse/owner/Sister Benedetta | Robin Vale/groom/trained_by/Old Matthias | Snow/horse/wears/Armchair; Nightingale; Polar Bear | Żubr/horse/price_paid/850 EUR | Ambassador/horse/price_paid/18500 EUR | Will Hedge/rider/Scared Of/geese; wasps | Old Matthias/groom/born_on/1948-01-08 | Clementine Bray/groom/born_on/1961-06-24
Hélène Marchetti/rider/born_on/1959-03-14 | Nour Haddad/groom/born_on/1978-04-08 | Robin Vale/groom/born_on/1996-08-09 | Penny Lark/rider/Scared Of/umbrellas | Thunder/horse/Breed/Friesian | Faith Odell/rider/born_on/1976-12-16
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(sorted(chosen, key=choices.index))


def day(first, last, random):
    """A day in one of the years."""
    return date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))


def horse(text, sire, random):
    """A horse with all that needs no other horse."""
    name, breed, colour = text.split("/")
    born = day(2000, 2010, random) if sire else day(2006, 2021, random)
    minutes = random.choice([20, 30, 40, 45, 50, 60, 75, 90, 120])
    return {
        **{
            "name": name,
            "kind": "horse",
            "Breed": breed,
            "colour": colour,
            "born_on": born.isoformat(),
        },
        "looked after by": random.choice(listed(GROOMS)[:-1]),
        "Usually Ridden By": random.choice([who for who in listed(RIDERS) if who != "Robin Vale"]),
        "owner": random.choice(listed(STRANGERS) + listed(RIDERS)[:10] + listed(GROOMS)[:2]),
        "trained_by": random.choice(
            [
                *listed(COACHES),
                "Jasper Flint",
                "Gwendolyn Pugh",
                "Old Matthias",
                "Cassandra Nye",
                "Søren Ask",
            ]
        ),
        "Kept In": random.choice(listed(BARNS)),
        "height": f"{HEIGHTS.get(breed, 162) + random.randint(-4, 6)} cm",
        "Arrived In": str(min(2024, born.year + random.randint(1, 9))),
        "price_paid": f"{random.randrange(900, 14000, 50)} EUR",
        "Feed": several(listed(FEED), 4, random),
        "Scared Of": several(listed(FEARS), 3, random),
        "daily exercise": f"{minutes / 60:g} h" if minutes >= 90 else f"{minutes} min",
        "shod": random.choice(["yes", "yes", "no"]),
        "Prizes Won": str(int(22 * random.random() ** 2)),
    }


def person(name, kind, random):
    """A rider or a groom."""
    row = {
        "name": name,
        "kind": kind,
        "born_on": day(1950 if kind == "groom" else 1965, 2010, random).isoformat(),
    }
    others = [
        *listed(COACHES),
        "Jasper Flint",
        "Gwendolyn Pugh",
        "Cassandra Nye",
        "Hélène Marchetti",
    ]
    row["trained_by"] = random.choice(
        [
            who
            for who in (
                others if kind == "rider" else ["Old Matthias", "Clementine Bray", "Nour Haddad"]
            )
            if who != name
        ]
    )
    row["height"] = f"{random.randint(148, 194) / 100:.2f} m"
    row["Arrived In"] = str(random.randint(max(2001, int(row["born_on"][:4]) + 9), 2024))
    row["Scared Of"] = several(listed(FEARS), 2, random) if random.random() < 0.7 else ""
    row["Prizes Won"] = str(random.randint(0, 40)) if kind == "rider" else ""
    return row


def piece(text, kind, random):
    """A saddle, a bridle or a blanket."""
    name, colour = text.split("/")
    row = {
        "name": name,
        "kind": kind,
        "colour": colour,
        "looked after by": random.choice(listed(GROOMS)[:-1]),
    }
    row["owner"] = random.choice(listed(STRANGERS) + listed(RIDERS)[:10])
    row |= {"Kept In": random.choice(listed(TACK)), "Arrived In": str(random.randint(1988, 2024))}
    return row | {"price_paid": f"{random.randrange(*PRICES[kind], 5)} EUR"}


def stable(random):
    """All rows, with their gaps and what one has of another."""
    rows = [horse(text, True, random) for text in listed(STALLIONS, "; ")]
    rows += [horse(text, False, random) for text in listed(OTHERS, "; ")]
    rows += [person(name, "rider", random) for name in listed(RIDERS)]
    rows += [person(name, "groom", random) for name in listed(GROOMS)]
    for line in GEAR.strip().splitlines():
        kind, pieces = line.split(": ", 1)
        rows += [piece(text, kind, random) for text in pieces.split("; ")]
    names = [row["name"] for row in rows]
    sires = [row for row in rows[:20] if names.count(row["name"]) == 1]
    for row in rows:
        if row["kind"] == "horse":
            older = [
                o["name"] for o in sires if int(o["born_on"][:4]) + 3 <= int(row["born_on"][:4])
            ]
            row["Sired By"] = random.choice(older) if older and random.random() < 0.6 else ""
            gear = [
                [g["name"] for g in rows if g["kind"] == kind and names.count(g["name"]) == 1]
                for kind in PRICES
            ]
            row["wears"] = "; ".join(random.choice(some) for some in gear if random.random() < 0.6)
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, " | "):
        name, kind, column, cell = fact.split("/")
        next(row for row in rows if (row["name"], row["kind"]) == (name, kind))[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("horses.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(stable(Random(47)))


if __name__ == "__main__":
    main()

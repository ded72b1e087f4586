"""Write podcasts.csv: what an invented radio station, Radio Lune, keeps on its podcasts, a row a subject.

All invented; a fixed seed. Hard on purpose: podcasts, people, studios and sponsors in one table, whose names
are common words, days and first names, names that share a part, namesakes (two people, two podcasts, a podcast
and a studio), accents and apostrophes, lengths partly in minutes and partly in hours, several values in a cell,
podcasts that came out of other podcasts, people who host and produce, and many cells left empty.

    python3 invent_podcasts.py
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
        "hosted_by",
        "Produced By",
        "recorded in",
        "sponsors",
        "spin_off_of",
        "Trained By",
    ),
    *(
        "contact_person",
        "Based In",
        "line_of_work",
        "Topics",
        "First Aired",
        "with us since",
        "episodes",
    ),
    *(
        "Episode Length",
        "monthly_listeners",
        "Yearly Contribution",
        "floor_space",
        "family friendly",
    ),
)
GAPS = {
    **{
        "Produced By": 0.08,
        "recorded in": 0.1,
        "sponsors": 0.2,
        "contact_person": 0.15,
        "Based In": 0.08,
        "episodes": 0.08,
    },
    **{
        "First Aired": 0.08,
        "with us since": 0.1,
        "Episode Length": 0.1,
        "monthly_listeners": 0.12,
        "family friendly": 0.12,
    },
    **{"Yearly Contribution": 0.12, "Trained By": 0.35},
}
TOWNS = "Port Merrow, Port Merrow, Hale, Nether Hale, Castle Lune, Lune Bridge, Ödby, São Bento, Fairwater, Old Quay"
# Podcast / what it is about / how many minutes
PODCASTS = """
Static/radio history/30; Monday/politics; work/25; The Kettle/tea; gossip/40; The Kettle Junior/stories; school/15; Low Tide/the sea; birds/35; High Tide/the sea; sailing/35
Bread and Ghosts/ghosts; baking/45; Ghosts of Castle Lune/ghosts; local history/60; Night Bus/strangers/50; Night Bus Extra/strangers; music/20; Dead Air/true crime; radio history/75; Café Zoë/coffee; music/40
Mind the Goat/farming; comedy/30; Small Hours/sleep/90; After Hours/jazz; music/120; Crumbs/baking/20; Crumbs/poverty; money/55; Rust/cars/45
Marrow/medicine; food/50; Señor Nobody/true crime; comedy/65; Plain English/language/10; The Long Count/boxing; sport/70; Seven Minutes/poetry/7; Tell Your Mother/family; comedy/40
Half a Sheep/farming; maths/25; Wrong Number/true crime/60; Paper Boats/stories; family/15; Left Luggage/travel; strangers/45; Goalpost/football; sport/90; Sweet Tooth/baking; medicine/30
Silence/religion; sleep/20; Quiz Me/quizzes; school/30; Old Money/money; local history/55; New Money/money; work/35; Forêt Noire/language; stories/25; Who Shot the Mayor/true crime; politics; local history/80
Bees/gardening; farming/20; Ruby/music/45; Bedtime for Bears/stories; sleep/12; Thin Ice/climate; the sea/50; Pocket Opera/opera; music/35; Yesterday's Weather/climate; comedy/30
The Attic/local history; antiques/40; Łódka/sailing; language/30; Rubbish/climate; antiques/25; Red Card/football; comedy/45
"""
# Person / line of work
HOSTS = """
May Winter/journalist; Frank Penny/comedian; Zoë Lindqvist/barista; João Teles/marine biologist; Siân Pryce/historian; Will Sharp/retired judge; Rose Field/beekeeper; Łucja Wrona/doctor; Ivo Marlow/journalist; Ida Marlow/pastry chef
Özlem Acar/comedian; Peter Stone/vicar; Petra Stone/poet; Anna Berg/teacher; Mina Sol/singer; Nina Sol/singer; Gus O'Dowd/retired boxer; Henriette Aas/climate scientist; Cato Brandvold/sports reporter; Joy Street/journalist
Béla Horn/jazz trumpeter; Mr. Tibbs/ventriloquist; Aurora Quist/economist; Ned Garrow/farmer; Nell Garrow/vet; Kwabena Frost/mechanic; Thérèse Vidal/translator; Old Sam/taxi driver
"""
STAFF = """
Mark Bell/producer; Greta Lomax/producer; Dag Solheim/producer; Inés Robledo/producer; Tamsin Fry/producer; Ruth Abara/producer; Ruby Kerr/producer; Anna Berg/sound engineer; Lars Pohl/sound engineer; Faith Hill-Tandy/sound engineer
Pim de Wit/sound engineer; Ossian Lake/sound engineer; Bertha Ruiz/archivist; Hugo Marsh/advertising manager; Constance Ode/station manager; Eryk Maj/advertising manager
"""
# Studio / m²
STUDIOS = "The Attic/18, Studio One/42, Studio Two/30, The Cellar/26, Boathouse/55, Chapel/120, Glass Room/22, The Wardrobe/4, Studio Öst/36, Old Laundry/64, Caravan/9"
# Sponsor / line of work
SPONSORS = """
Pellworth Insurance/insurance; Golden Crust/bakery; Nimbus/umbrellas; Tandem/bicycles; Lund & Daughters/furniture; Hale Savings Bank/bank; Blue Kettle/tea; Fjord/outdoor clothing; Otter Soap/cosmetics; Harbour Brewery/brewery
Dr. Flink/opticians; Bell Motors/car dealer; Owl Mattresses/furniture; Sunday Shoes/shoes; Paw and Claw/pet food; Merrow Ferries/ferry line; Quill & Sons/stationery; Rye/bakery; Verdant/garden centre; L'Étoile/chocolates
"""
# Known: name / column / cell
KNOWN = """
The Kettle Junior/spin_off_of/The Kettle; High Tide/spin_off_of/Low Tide; Night Bus Extra/spin_off_of/Night Bus; After Hours/spin_off_of/Small Hours; New Money/spin_off_of/Old Money; Ghosts of Castle Lune/spin_off_of/Bread and Ghosts; Łódka/spin_off_of/High Tide; Red Card/spin_off_of/Goalpost
Dead Air/spin_off_of/Static; Bees/spin_off_of/Mind the Goat; Bedtime for Bears/spin_off_of/Paper Boats; Rubbish/spin_off_of/Thin Ice; Half a Sheep/spin_off_of/Mind the Goat; Who Shot the Mayor/spin_off_of/Wrong Number; Sweet Tooth/spin_off_of/Marrow; Left Luggage/spin_off_of/Night Bus
Café Zoë/hosted_by/Zoë Lindqvist; Low Tide/hosted_by/João Teles; High Tide/hosted_by/João Teles; Henriette Aas; Bees/hosted_by/Rose Field; Goalpost/hosted_by/Cato Brandvold; Gus O'Dowd; Red Card/hosted_by/Frank Penny; The Long Count/hosted_by/Gus O'Dowd; Wrong Number/hosted_by/Will Sharp; Joy Street
After Hours/hosted_by/Béla Horn; Seven Minutes/hosted_by/Petra Stone; Marrow/hosted_by/Łucja Wrona; Half a Sheep/hosted_by/Ned Garrow; Nell Garrow; Ruby/hosted_by/Mina Sol; Nina Sol; Forêt Noire/hosted_by/Thérèse Vidal; Rust/hosted_by/Kwabena Frost; Night Bus/hosted_by/Old Sam
Silence/hosted_by/Peter Stone; Mind the Goat/hosted_by/Ned Garrow; Mr. Tibbs; Tell Your Mother/hosted_by/Özlem Acar; Old Money/hosted_by/Aurora Quist; New Money/hosted_by/Aurora Quist; Ghosts of Castle Lune/hosted_by/Siân Pryce; Sweet Tooth/hosted_by/Ida Marlow; Łucja Wrona; Static/Produced By/Bertha Ruiz
Thin Ice/hosted_by/Henriette Aas; Dead Air/hosted_by/May Winter; Ivo Marlow; Señor Nobody/hosted_by/Frank Penny; Night Bus/Produced By/Joy Street; Seven Minutes/Produced By/Petra Stone; Low Tide/recorded in/Boathouse; Silence/recorded in/Chapel; Pocket Opera/recorded in/Chapel; Constance Ode/Based In/Castle Lune
Wrong Number/Produced By/Greta Lomax; Static/First Aired/2009-05-04; Hale Savings Bank/Based In/Hale; Merrow Ferries/Based In/Port Merrow; Constance Ode/with us since/1998; Studio One/with us since/1987; Small Hours/family friendly/no; Goalpost/monthly_listeners/88000; Joy Street/Trained By/May Winter
Frank Penny/Trained By/Özlem Acar; Dag Solheim/Trained By/Greta Lomax; Greta Lomax/Trained By/Constance Ode; Henriette Aas/Trained By/João Teles; Mina Sol/Trained By/Béla Horn; Lars Pohl/Trained By/Ossian Lake; Faith Hill-Tandy/Trained By/Ossian Lake; Ruby Kerr/Trained By/Mark Bell; Mr. Tibbs/Trained By/Frank Penny
May Winter/with us since/2003; João Teles/with us since/2011; Özlem Acar/with us since/2008; Frank Penny/with us since/2013; Mr. Tibbs/with us since/2019; Greta Lomax/with us since/2005; Dag Solheim/with us since/2014; Joy Street/with us since/2012; Henriette Aas/with us since/2017; Mina Sol/with us since/2018; Ruby Kerr/with us since/2020
Béla Horn/with us since/2007; Ossian Lake/with us since/2002; Lars Pohl/with us since/2010; Faith Hill-Tandy/with us since/2016; Mark Bell/with us since/2006; Verdant/contact_person/Hugo Marsh; Tandem/contact_person/Eryk Maj; Chapel/contact_person/Peter Stone; Boathouse/contact_person/Pim de Wit; Old Laundry/contact_person/Lars Pohl
Goalpost/First Aired/2015-08-08; Anna Berg/Based In/Fairwater; Bees/family friendly/yes; Wrong Number/family friendly/no; Señor Nobody/family friendly/no; Low Tide/family friendly/yes; Inés Robledo/Trained By/Dag Solheim; Ida Marlow/Trained By/May Winter; Ivo Marlow/Trained By/May Winter
Eryk Maj/Trained By/Constance Ode; Zoë Lindqvist/Trained By/Joy Street; Verdant/Based In/Fairwater; Blue Kettle/contact_person/Hugo Marsh; Otter Soap/contact_person/Eryk Maj; Who Shot the Mayor/family friendly/no; Lund & Daughters/with us since/2009; Red Card/Topics/football; comedy; gossip; Goalpost/sponsors/Owl Mattresses; Sunday Shoes
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def entries(text, slashes=1):
    """The entries of a constant; one ends where it has its slashes and the next begins."""
    whole = []
    for piece in listed(text, "; "):
        if "/" in piece and (not whole or whole[-1].count("/") == slashes):
            whole.append(piece)
        else:
            whole[-1] += f"; {piece}"
    return [tuple(entry.split("/")) for entry in whole]


def span(minutes):
    """A length as a producer writes it: 35 min, 1.5 h."""
    return f"{minutes / 60:g} h" if minutes % 30 == 0 and minutes >= 60 else f"{minutes} min"


def subjects(random):
    """Return all rows."""
    hosts, staff, sponsors = entries(HOSTS), entries(STAFF), entries(SPONSORS)
    studios = [tuple(pair.split("/")) for pair in listed(STUDIOS)]
    towns, single = listed(TOWNS), [who for who, _ in hosts if who != "Anna Berg"]
    producers = [who for who, work in staff if work == "producer"]
    engineers = [who for who, work in staff if work == "sound engineer" and who != "Anna Berg"]
    blank, rows = dict.fromkeys(COLUMNS, ""), []
    for name, topics, minutes in entries(PODCASTS, 2):
        born = date(2011, 1, 1) + timedelta(random.randrange(4900))
        rows.append(
            blank
            | {
                **{
                    "name": name,
                    "Kind": "podcast",
                    "Topics": topics,
                    "Episode Length": span(int(minutes)),
                    "First Aired": born.isoformat(),
                },
                **{
                    "hosted_by": "; ".join(random.sample(single, random.choice([1, 1, 2]))),
                    "Produced By": random.choice(producers),
                },
                **{
                    "recorded in": random.choice(studios[1:])[0],
                    "sponsors": "; ".join(
                        who for who, _ in random.sample(sponsors, random.choice([1, 1, 2, 3]))
                    ),
                },
                **{
                    "episodes": str(random.randint(6, 420)),
                    "monthly_listeners": str(random.randrange(900, 61000, 100)),
                    "family friendly": random.choice(["yes", "yes", "no"]),
                },
            }
        )
    for name, work in hosts + staff:
        row = blank | {
            "name": name,
            "Kind": "person",
            "line_of_work": work,
            "Based In": random.choice(towns),
        }
        rows.append(
            row
            | {
                "with us since": str(random.randint(2004, 2023)),
                "Trained By": random.choice(["", "", random.choice(staff[:6])[0]]),
            }
        )
    for name, size in studios:
        row = blank | {
            "name": name,
            "Kind": "studio",
            "floor_space": f"{size} m²",
            "Based In": random.choice(towns),
        }
        rows.append(
            row
            | {
                "contact_person": random.choice(engineers),
                "with us since": str(random.randint(1988, 2021)),
            }
        )
    for name, work in sponsors:
        row = blank | {
            "name": name,
            "Kind": "sponsor",
            "line_of_work": work,
            "Based In": random.choice(towns),
            "Yearly Contribution": f"{random.randrange(1500, 48000, 250)} EUR",
        }
        rows.append(
            row
            | {
                "contact_person": random.choice(["Hugo Marsh", "Eryk Maj", "Constance Ode"]),
                "with us since": str(random.randint(2009, 2024)),
            }
        )
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    return rows


def known(rows):
    """Fill in what somebody thought of first; drop a teacher who came later than the pupil."""
    for name, column, cell in entries(KNOWN, 2):
        next(row for row in rows if row["name"] == name)[column] = cell
    since = {row["name"]: row["with us since"] for row in rows}
    aired = {row["name"]: row["First Aired"] for row in rows}
    for row in rows:
        teacher, original = row["Trained By"], row["spin_off_of"]
        if teacher == row["name"] or (
            teacher and since[teacher] and since[teacher] >= row["with us since"]
        ):
            row["Trained By"] = ""
        if original and row["First Aired"] and row["First Aired"] < aired[original]:
            row["First Aired"] = f"{int(aired[original][:4]) + 2}{row['First Aired'][4:]}"
    return rows


def main() -> None:
    """Write the table beside this script."""
    random = Random(47)
    rows = known(subjects(random))
    random.shuffle(rows)
    with Path(__file__).with_name("podcasts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

"""Write lab.csv: the projects, grants, instruments and researchers of an invented research institute.

A row a thing of one of four kinds, all in one table, so that most columns are empty for three of the
kinds. All invented; a fixed seed. Hard on purpose: projects and instruments whose names are words,
animals, days and planets, a project and an instrument (or a grant) of one name, two researchers of one
name, families, accents, helpers who are no rows themselves, donors who are researchers, durations
in months and years, weights in g, kg and t, several values in a cell, and many cells left empty.

    python examples/strangers/invent_lab.py
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
        "field",
        "led_by",
        "Team Members",
        "funded by",
        "instruments_used",
        "supervised by",
        "Based In",
        "started_on",
    ),
    *(
        "Running Time",
        "amount",
        "Awarded By",
        "looked after by",
        "bought_in",
        "Weight",
        "open to visitors",
        "Languages",
        "born_on",
        "papers published",
    ),
)
# Researcher / field / supervised by / based in / languages
RESEARCHERS = """
Agata Wolska/astronomy//North Tower/Polish; English; Russian
Henrik Sund/glaciology//Skerry Island/Danish; English
Beatriz Quintão/marine biology//Harbour Annexe/Portuguese; English; French
Ottokar Blum/acoustics//Lark House/German; Czech
Mairead Flynn/botany//Glasshouse/Irish; English
Yusuf Demirel/geology//The Cellar/Turkish; English; German
Cosima Rey/zoology//Lark House/Spanish; French
Tomas Hale/astronomy/Agata Wolska/North Tower/English
Tomás Hale Ortiz/astronomy/Tomas Hale/North Tower/Spanish; English
Noor Vermeer/astronomy/Agata Wolska//Dutch; English; Arabic
Ingrid Sund/glaciology/Henrik Sund/Skerry Island/Danish; Icelandic; English
Paavo Ilmarinen/glaciology/Henrik Sund/The Barn/Finnish; Swedish; English
Rowan Calder/glaciology/Ingrid Sund/Skerry Island/English
Inès Calder/marine biology/Beatriz Quintão/Harbour Annexe/French; English
Samir Haddad/marine biology/Beatriz Quintão/Harbour Annexe/Arabic; French
Pearl Fisher/marine biology/Inès Calder/Harbour Annexe/English; Welsh
Jonah Whale/marine biology/Samir Haddad//English
Klara Blum/acoustics/Ottokar Blum/Lark House/German; English
Anna Weiss/acoustics/Klara Blum/Lark House/German
Florin Bell/acoustics/Ottokar Blum/The Cellar/Romanian; English; Hungarian
Ximena Paz/acoustics/Florin Bell/Lark House/Spanish
Basil Moss/botany/Mairead Flynn/Glasshouse/English; Welsh
Ewelina Żak/botany/Mairead Flynn/Glasshouse/Polish; Ukrainian
Daisy Okonkwo/botany/Basil Moss/Glasshouse/English; Igbo
Anna Weiss/botany/Ewelina Żak/The Barn/German; Italian
Flint Aguirre/geology/Yusuf Demirel/The Cellar/Basque; Spanish
Sæunn Ström/geology/Yusuf Demirel/Skerry Island/Icelandic; Norwegian; English
Clay Porter/geology/Flint Aguirre/The Cellar/English
Jun Takeda/geology/Sæunn Ström//Japanese; English
Wolf Lambert/zoology/Cosima Rey/The Barn/French; German; English
Mina Rook/zoology/Cosima Rey/Lark House/English
Robin Rook/zoology/Mina Rook/The Barn/English; Spanish
Zdeněk Liška/zoology/Wolf Lambert/The Barn/Czech; English
April Sommer/zoology/Wolf Lambert//German
Oyelaran Bello/linguistics//Lark House/Yoruba; English; Portuguese; French
Thea Lindqvist/linguistics/Oyelaran Bello/Lark House/Swedish; Sámi; Finnish
Hugo Page/linguistics/Oyelaran Bello/The Cellar/English; French
Luz Montaño/linguistics/Thea Lindqvist//Spanish; Quechua
"""
# Instrument / field / looked after by / based in / weight
INSTRUMENTS = """
Big Ear/astronomy/Tomas Hale/North Tower/42 t; Little Ear/astronomy/Pim de Wit/North Tower/310 kg
Old Faithful/astronomy/Agata Wolska/North Tower/2.4 t; Mercury/astronomy/Noor Vermeer//85 kg
Mole/glaciology/Paavo Ilmarinen/Skerry Island/1.9 t; Ice Saw/glaciology/Rowan Calder/Skerry Island/64 kg
Snowdrop/glaciology/Pim de Wit/The Barn/750 g; Submarine Susi/marine biology/Samir Haddad/Harbour Annexe/3.6 t
Octopus/marine biology/Pearl Fisher/Harbour Annexe/120 kg; The Bucket/marine biology/Jonah Whale/Harbour Annexe/4 kg
Whisper/acoustics/Klara Blum/Lark House/90 g; Thunderbox/acoustics/Florin Bell/The Cellar/540 kg
Silent Room/acoustics/Ottokar Blum/The Cellar/; Tuning Fork Nº 1/acoustics//Lark House/210 g
Green Thumb/botany/Basil Moss/Glasshouse/38 kg; Rainmaker/botany/Gerda Nagel/Glasshouse/460 kg
Nose/botany/Daisy Okonkwo/Glasshouse/; Hammer/geology/Clay Porter/The Cellar/12 kg
Grand-père/geology/Yusuf Demirel/The Cellar/5.2 t; Röntgen Rita/geology/Gerda Nagel/The Barn/890 kg
Owl Eye/zoology/Mina Rook/The Barn/650 g; Night Nurse/zoology/April Sommer/Lark House/27 kg
Cat Flap/zoology/Robin Rook/The Barn/; Parrot/linguistics/Thea Lindqvist/Lark House/15 kg
Old Tongue/linguistics/Hugo Page//8 kg; Kettle/geology, glaciology/Gerda Nagel/Skerry Island/33 kg
"""
# Grant / awarded by / amount in thousand EUR
GRANTS = """
Alder Grant/Alder Foundation/420; Alder Travel Grant/Alder Foundation/18; Lantern/Lighthouse Board/250; Deep Pockets/Bank of Vellmar/1200
Rainy Day Fund/Umbrella Makers' Guild/75; Seed Money/Vellmar Garden Society/60; Wolska Bequest/Agata Wolska/310; Flynn Fellowship/Mairead Flynn/145
Northern Purse/Ministry of Tides/680; Salt Tax Fund/Ministry of Tides/530; Prix Étoile/Countess Ilse Brandt/95; Brandt Medal/Countess Ilse Brandt/25
Honey Pot/Beekeepers' Union/40; Stone Soup/Quarry Owners' League/205; Second Chance/Bank of Vellmar/160; Golden Ear/Ottokar Blum/; Young Owls/Lighthouse Board/55; Babel Fund//275
"""
# Project / field / funded by
PROJECTS = """
Quiet Ocean/marine biology/Salt Tax Fund, Lantern; Sleeping Bees/zoology/Honey Pot; Glass Frog/zoology/Young Owls
Wet Feet/glaciology/Northern Purse; Tuesday/linguistics/Babel Fund; Mercury/geology/Stone Soup
Lantern/marine biology/Deep Pockets; Amber/geology/Second Chance; Moss Clock/botany/Seed Money, Flynn Fellowship
Blue Carrot/botany/Seed Money; Nachtgesang/zoology/Golden Ear, Young Owls; Étoile du Nord/astronomy/Prix Étoile
Dark Side/astronomy/Wolska Bequest, Deep Pockets; Far Cousins/astronomy/Wolska Bequest; Dust/astronomy/
Dust Devil/geology/Rainy Day Fund; Blue Whale Diary/marine biology/Salt Tax Fund; Barnacle Bill/marine biology/Rainy Day Fund
Slow Glacier/glaciology/Northern Purse, Alder Grant; Last Winter/glaciology/Alder Grant; Ice Library/glaciology/Deep Pockets
Echo/acoustics/Golden Ear; Church Bells/acoustics/Brandt Medal; Talking Walls/acoustics/Alder Grant
Snore/acoustics/; Thirsty Trees/botany/Rainy Day Fund, Alder Grant; Poison Garden/botany/Second Chance
Crème de la Terre/geology/Stone Soup; Hot Spring/geology/Northern Purse; Żubr/zoology/Alder Travel Grant, Young Owls
City Foxes/zoology/Second Chance; Seven Words/linguistics/Babel Fund, Alder Travel Grant; Grandmother Tongue/linguistics/Babel Fund
Whistle/linguistics/Golden Ear, Babel Fund; Drunken Sailors/linguistics/; Red Tide/marine biology/Salt Tax Fund, Deep Pockets
"""


def day(random, first, last):
    """A date from the first of January of one year to the end of another one."""
    return (date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))).isoformat()


def rows(random):
    """Every row as a dictionary: researchers, instruments, grants, projects."""
    people, tools = {}, {}
    leading = {line.split("/")[2] for line in RESEARCHERS.strip().splitlines()}
    for line in RESEARCHERS.strip().splitlines():
        name, field, boss, place, speaks = line.split("/")
        born = (1951, 1963) if not boss else (1965, 1979) if name in leading else (1982, 1993)
        born_on = day(random, *born)
        start = int(born_on[:4]) + random.randint(26, 30)
        people.setdefault(field, []).append((name, boss))
        papers = (
            random.randint(60, 190)
            if not boss
            else random.randint(18, 75)
            if name in leading
            else random.randint(0, 16)
        )
        yield {
            "name": name,
            "Kind": "researcher",
            "field": field,
            "supervised by": boss,
            "Based In": place,
            "Languages": speaks,
            "born_on": born_on if random.random() < 0.9 else "",
            "started_on": day(random, start, start) if random.random() < 0.9 else "",
            "papers published": papers if random.random() < 0.9 else "",
        }
    for line in INSTRUMENTS.strip().replace("\n", "; ").split("; "):
        name, field, keeper, place, weight = line.split("/")
        for each in field.split(", "):
            tools.setdefault(each, []).append(name)
        yield {
            "name": name,
            "Kind": "instrument",
            "field": field.replace(", ", "; "),
            "looked after by": keeper,
            "Based In": place,
            "Weight": weight,
            "bought_in": random.randint(1962, 2023) if random.random() < 0.88 else "",
            "open to visitors": random.choice(("yes", "no", "no", "")),
        }
    for line in GRANTS.strip().replace("\n", "; ").split("; "):
        name, donor, amount = line.split("/")
        lasts = random.choice(
            ("12 months", "18 months", "30 months", "2 years", "3 years", "4 years", "5 years")
        )
        yield {
            "name": name,
            "Kind": "grant",
            "Awarded By": donor,
            "amount": f"{amount}000 EUR" if amount else "",
            "started_on": day(random, 2009, 2013) if random.random() < 0.88 else "",
            "Running Time": lasts if random.random() < 0.9 else "",
        }
    for number, line in enumerate(PROJECTS.strip().replace("\n", "; ").split("; ")):
        name, field, money = line.split("/")
        heads = [n for n, boss in people[field] if not boss or n in leading]
        leader = (
            heads[number % len(heads)]
            if random.random() < 0.75
            else random.choice(people[field])[0].replace("Anna Weiss", "Klara Blum")
        )
        crew = [n for n, _ in people[field] if n not in (leader, "Anna Weiss")] + [
            random.choice(
                ("Pim de Wit", "Gerda Nagel", "Luz Montaño", "Jun Takeda", "April Sommer")
            )
        ]
        team = random.sample(list(dict.fromkeys(crew)), random.randint(1, 3))
        used = random.sample(tools[field], random.randint(1, min(2, len(tools[field])))) + (
            [random.choice(("Kettle", "Whisper", "Owl Eye", "Röntgen Rita", "Snowdrop"))]
            if random.random() < 0.45
            else []
        )
        lasts = random.choice(
            ("9 months", "18 months", "30 months", "2 years", "3 years", "4 years", "6 years")
        )
        yield {
            **{
                "name": name,
                "Kind": "project",
                "field": field,
                "led_by": leader if random.random() < 0.9 else "",
                "Team Members": "; ".join(team) if random.random() < 0.9 else "",
            },
            **{
                "funded by": money.replace(", ", "; "),
                "instruments_used": "; ".join(dict.fromkeys(used)) if random.random() < 0.9 else "",
                "started_on": day(random, 2013, 2024),
                "Running Time": lasts if random.random() < 0.9 else "",
            },
            **{
                "Based In": random.choice(
                    ("Lark House", "The Cellar", "The Barn", "Harbour Annexe", "Skerry Island", "")
                ),
                "open to visitors": random.choice(("yes", "no", "")),
                "papers published": random.randint(0, 24) if random.random() < 0.9 else "",
            },
        }


def main():
    """Shuffle the rows and write them."""
    random = Random(20261)
    table = list(rows(random))
    random.shuffle(table)
    with (Path(__file__).parent / "lab.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()

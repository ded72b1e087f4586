"""Write school.csv: the people of an invented secondary school, a row a person.

All invented; a fixed seed. Hard on purpose: namesakes in two jobs, families that share a surname,
surnames that are words, rooms, months and trades, accents and apostrophes, three columns that name
other people of the table, hours, pay, dates, minutes, several values in a cell, many cells empty.

    python3 invent_school.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    "name",
    "Job",
    "subjects",
    "teaches_in",
    "Mentored By",
    "replaces",
    "reports to",
    "clubs_run",
    "weekly hours",
    "Monthly Pay",
    "started_on",
    "Languages Spoken",
    "form class",
    "children_in_class",
    "Born In",
    "year of birth",
    "first_aider",
    "Phone Extension",
    "commute",
    "lunch_duty",
)
# Department: subjects: head: teachers: rooms
TEACHERS = """
maths: maths, physics, computing: Agnes Pell: Tom Baker, Íñigo Sala, Grace Field, Ray Power, Lin Xiaomei, Hugo Brandt: Room 11, Room 12, Room 14, The Attic
science: physics, chemistry, biology: Viktor Lindqvist: Marie Stone, Dov Adler, Rose Hall, Bill Frost, Zoë Frost, Amara Obi, Klára Dušková: Lab 1, Lab 2, Lab 3, The Greenhouse
English: English, drama: Winifred Page: Mark Rule, Penny Page, Joy Winter, Séamus Quill, Charlotte Abbot: Room 21, Room 22, Room 23
languages: French, German, Spanish, Latin: Élise Fournier: Jürgen Bach, Anna Novak, Paz Molina, Benedict Church, Lucie Fournier, Øystein Berg: Room 24, Room 25, The Chapel, Room 31
humanities: history, geography, ethics, economics: Harold March: May Day, Noor Rahimi, Will Chance, Ottoline Gray, Yusuf Demir, Faith Bell: Room 32, Room 33, Room 34
arts: art, music, drama: Delphine Sauvage: Victor Bell, Carol Singer, Art Fischer, Ludmila Černá, Miles Drummond: Music Room, Studio, The Barn
sport: sport, swimming: Bjørn Haugen: Dash Miller, Rosa Miller, Ivy Runge, Chip Tanaka: Gym, Pool
crafts: woodwork, cookery, computing: Siobhán Keane: Forrest Wood, Gus Baker, Ada Koch, Nils Oduya: Workshop, Room 15, School Kitchen
"""
# Job: reports to: names
OTHERS = """
head teacher::Dr. Constance Amery
deputy head:Dr. Constance Amery:Piers Holloway, Ngozi Ekwueme
bursar:Dr. Constance Amery:Bernard Pound
office manager:Bernard Pound:Edna Sharp
office clerk:Edna Sharp:Lily Marsh, Kim Marsh, Anna Novak, Reggie Post, Błażej Wilk, Dolores Peña
head caretaker:Bernard Pound:Stan Hammer
caretaker:Stan Hammer:Tom Baker, Ömer Kaya, Walt Key, Józef Mróz, Archie Green
cleaner:Stan Hammer:Ruth Green, Fátima Lopes, Olga Petrenko, Hope Ferris
head cook:Bernard Pound:Gwen Baker
kitchen hand:Gwen Baker:Luigi Salt, Mo Amin, Pearl Dunn
librarian:Piers Holloway:Silvia Read, Finn Shelley
school nurse:Ngozi Ekwueme:Florence Ward
counsellor:Ngozi Ekwueme:Inês Carvalho, Solomon Weiß
lab technician:Viktor Lindqvist:Otto Glass, Tamsin Vale
IT technician:Siobhán Keane:Ravi Menon, Dot Kowalska
teaching assistant:Ngozi Ekwueme:Jess Tully, Noah Bright, Maeve O'Dowd, Leo Winter, Hana Sato, Sunny Okoro, Jack Frost, Elsie Grant
trainee teacher:Piers Holloway:Basil Thorne, Xanthe Rowe, Kit Marlow, Aoife Brennan, Milan Horák
"""
CLUBS = [
    "chess club",
    "choir",
    "robotics club",
    "Ghost Stories",
    "school newspaper",
    "beekeeping",
    "debating society",
    "juggling",
    "Latin reading circle",
    "film club",
    "climbing",
    "rowing",
    "orchestra",
    "knitting",
    "astronomy club",
    "Green Team",
    "board games",
    "baking club",
    "photography",
    "homework club",
    "circus",
    "improv theatre",
    "bicycle repair",
    "water polo",
    "poetry slam",
    "football club",
]
TOWNS = [
    "Alderwick",
    "Port Sorrel",
    "Brume",
    "Łęka",
    "São Telmo",
    "Candlewick",
    "Marsh End",
    "Ironbridge",
    "Vörde",
    "Saint Odo",
    "Nether Brack",
    "Reading Hill",
]
TONGUES = [
    "French",
    "German",
    "Spanish",
    "Polish",
    "Turkish",
    "Portuguese",
    "Welsh",
    "Sign Language",
    "Arabic",
    "Irish",
    "Czech",
]
OWN = {
    "Íñigo Sala": "Spanish; Basque",
    "Lin Xiaomei": "Mandarin",
    "Jürgen Bach": "German; French",
    "Paz Molina": "Spanish",
    "Élise Fournier": "French; Spanish",
    "Lucie Fournier": "French; Latin",
    "Øystein Berg": "Norwegian; German",
    "Bjørn Haugen": "Norwegian",
    "Hana Sato": "Japanese",
    "Chip Tanaka": "Japanese",
    "Ömer Kaya": "Turkish",
    "Yusuf Demir": "Turkish; Arabic",
    "Józef Mróz": "Polish",
    "Olga Petrenko": "Ukrainian; Polish",
    "Inês Carvalho": "Portuguese; Sign Language",
    "Noor Rahimi": "Farsi",
    "Klára Dušková": "Czech; German",
    "Milan Horák": "Czech",
}
# What is told of some people, whatever the dice say: name: column = value
FIXED = """
Basil Thorne: Mentored By=Grace Field, subjects=maths, teaches_in=Room 12; Xanthe Rowe: Mentored By=Carol Singer, subjects=music; art, teaches_in=Music Room
Kit Marlow: Mentored By=Mark Rule, subjects=English, teaches_in=Room 23; Aoife Brennan: Mentored By=Marie Stone, subjects=biology, teaches_in=Lab 2
Milan Horák: Mentored By=Øystein Berg, subjects=German, teaches_in=Room 31; Grace Field: Mentored By=Agnes Pell; Carol Singer: Mentored By=Delphine Sauvage; Marie Stone: Mentored By=Harold March
Mark Rule: Mentored By=Winifred Page; Øystein Berg: Mentored By=Jürgen Bach; Will Chance: Mentored By=Ottoline Gray; Zoë Frost: Mentored By=Viktor Lindqvist; Ivy Runge: Mentored By=Dash Miller
Walt Key: Mentored By=Stan Hammer; Kim Marsh: Mentored By=Dolores Peña; Luigi Salt: Mentored By=Gwen Baker; Finn Shelley: Mentored By=Silvia Read; Nils Oduya: Mentored By=Forrest Wood; Jack Frost: Mentored By=Jess Tully
Hugo Brandt: replaces=Ray Power; Penny Page: replaces=Joy Winter; Amara Obi: replaces=Dov Adler; Paz Molina: replaces=Lucie Fournier; Faith Bell: replaces=Yusuf Demir; Art Fischer: replaces=Victor Bell; Chip Tanaka: replaces=Rosa Miller
Ada Koch: replaces=Gus Baker; Błażej Wilk: replaces=Lily Marsh; Archie Green: replaces=Józef Mróz; Hope Ferris: replaces=Ruth Green; Tamsin Vale: replaces=Otto Glass; Sunny Okoro: replaces=Maeve O'Dowd; Solomon Weiß: replaces=Inês Carvalho; Ngozi Ekwueme: replaces=Harold March
Stan Hammer: replaces=Walt Key; Dr. Constance Amery: Monthly Pay=6900 EUR, started_on=1998-08-17, year of birth=1962
"""


def everyone():
    """Each person: name, job, whom they report to, subjects to choose from, rooms to choose from."""
    for n, line in enumerate(TEACHERS.strip().splitlines()):
        department, subjects, head, names, rooms = line.split(": ")
        yield (
            head,
            f"head of {department}",
            ("Piers Holloway", "Ngozi Ekwueme")[n % 2],
            subjects.split(", "),
            rooms.split(", "),
        )
        for name in names.split(", "):
            yield name, "teacher", head, subjects.split(", "), rooms.split(", ")
    for line in OTHERS.strip().splitlines():
        job, boss, names = line.split(":")
        for name in names.split(", "):
            yield name, job, boss, [], []


def person(random, name, job, boss, subjects, rooms, classes):
    """What is known of one person; some of it left out."""
    teaches = bool(subjects)
    hours = random.choice(
        [12, 16, 19, 21, 24, 25.5, 26, 28] if teaches else [10, 15, 20, 30, 35, 38.5, 40]
    )
    born = random.randrange(1957, 1999) if "trainee" not in job else random.randrange(1996, 2003)
    start = date(max(born + 22, 1986), 8, 1) + timedelta(
        random.randrange(365 * max(1, 2024 - max(born + 22, 1986)))
    )
    tongues = [
        "English",
        *OWN.get(name, "; ".join(random.sample(TONGUES, random.choice([0, 1, 1, 2])))).split("; "),
    ]
    pay = (
        1400
        + (1500 if teaches else 0)
        + (700 if "head" in job else 0)
        + random.randrange(0, 130) * 10
    )
    row = {
        "subjects": (
            "; ".join(random.sample(subjects, min(len(subjects), random.choice([1, 1, 2, 2, 3])))),
            1,
        ),
        "teaches_in": (random.choice(rooms) if rooms else "", 0.92),
        "clubs_run": (
            "; ".join(random.sample(CLUBS, random.choice([1, 1, 1, 2]))),
            0.5 if teaches else 0.25,
        ),
        "weekly hours": (f"{hours:g} h", 0.92),
        "Monthly Pay": (f"{pay} EUR", 0.9),
        "started_on": (start.isoformat(), 0.92),
        "Languages Spoken": ("; ".join(t for t in tongues if t), 0.9),
        "Born In": (random.choice(TOWNS), 0.8),
        "year of birth": (str(born), 0.85),
        "first_aider": (random.choice(["yes", "no", "no"]), 0.85),
        "Phone Extension": (str(random.randrange(100, 999)), 0.75),
        "commute": (
            f"{random.choice([3, 5, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 65, 80])} min",
            0.8,
        ),
        "lunch_duty": (
            "; ".join(
                d
                for d in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
                if random.random() < 0.28
            ),
            0.8 if teaches else 0.35,
        ),
    }
    facts = {"name": name, "Job": job, "reports to": boss} | {
        c: v for c, (v, often) in row.items() if random.random() < often
    }
    if job == "teacher" and classes and random.random() < 0.68:
        facts["form class"] = classes.pop()
        if random.random() < 0.9:
            facts["children_in_class"] = str(random.randrange(17, 33))
    return facts


def fixed():
    """What is told of some people, whatever the dice say."""
    told = {}
    for part in FIXED.strip().replace("\n", "; ").replace("; art", "+art").split("; "):
        name, facts = part.split(": ")
        told.setdefault(name, {}).update(f.replace("+", "; ").split("=") for f in facts.split(", "))
    return told


def main() -> None:
    """Write the people, a row each, under a row that names the columns."""
    random = Random(41)
    classes = [f"{year}{letter}" for year in range(5, 11) for letter in "ABCDE"]
    random.shuffle(classes)
    rows = [person(random, *told, classes) for told in everyone()]
    more = fixed()
    for row in rows:
        row |= more.get(row["name"], {})
    random.shuffle(rows)
    with Path(__file__).with_name("school.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

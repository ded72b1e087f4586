"""Write detectives.csv: the people of an invented private detective agency, a row a person.

Detectives, clerks and informants in seven towns. All invented; a fixed seed. Hard on purpose: people
whose names are words, days, coins and birds, namesakes, names that share a part, accents, people who
supervise, recruited, accompany or tip off each other, times partly in hours and partly in days,
several values in a cell, and many cells left empty.

    python3 invent_detectives.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "Job Title", "code_name", "Based In", "date of birth", "joined_on", "Licensed Since"),
    *("supervised by", "recruited_by", "Usual Partner", "Informants", "cases solved", "Daily Fee"),
    *("longest_stakeout", "speaks", "specialties", "drives", "poses_as", "Carries A Gun", "height"),
)
GAPS = {
    **{
        "code_name": 0.12,
        "date of birth": 0.12,
        "joined_on": 0.05,
        "recruited_by": 0.12,
        "drives": 0.15,
    },
    **{"Licensed Since": 0.08, "cases solved": 0.06, "Daily Fee": 0.06, "longest_stakeout": 0.15},
    **{"speaks": 0.06, "specialties": 0.08, "poses_as": 0.12, "Carries A Gun": 0.1, "height": 0.3},
}
# Office: job: name, name; job: name
PEOPLE = """
Marrowgate: director: Philippa Crane; head of office: Cornelius Bright; senior detective: Ada Winter, Tobias Hand; detective: Will May, Grace Locke, Jonas Winter, Dorothy Keys, Émile Faucon; trainee: Kit Sparrow, Anna Weiss; clerk: Edith Plum, Oswin Page, Bertha Inkpen; archivist: Rollo Dust; bookkeeper: Penny Farthing; switchboard operator: Lily Bell; informant: Monday, Big Anton, The Canary, Auntie Pearl, Two Spoons, Rose Thorne
Port Calder: head of office: Ruth Mallard; senior detective: Bram Tolliver, Salomé Vidal; detective: Grace Hunter, Hank Morrow, Thomas Reed, Noor Saffar, Finn O'Dell; trainee: Josie Quick; clerk: Walter Page, Olive Stamp; bookkeeper: Max Penny; switchboard operator: Ruby Ring; informant: Ferry Kate, Needles, Old Barnacle, Mouse, The Duchess
Nordhafen: head of office: Jürgen Köhl; senior detective: Astrid Brønd, Ulla Weiss; detective: Lars Stein, Lars Steen, Gisela Frost, Henning Vogel; trainee: Mats Ödmann; clerk: Anna Weiss, Detlef Kranz; archivist: Frieda Staub; informant: Little Anton, Copper, Der Lotse, Tante Ilse
Saint-Éloi: head of office: Océane Marchand; senior detective: Théo Lacroix, Blanche Noël; detective: Inès Moreau, Inès Moreau-Blanc, Luc Renard, Cécile d'Orval, Gaspard Petit; trainee: Zoé Petit; clerk: Marcel Plume, Colette Bouton; switchboard operator: Odile Fil; informant: Madame Fleur, Le Chat, Père Anselme, Friday
Vila Névoa: head of office: Joaquim Serra; senior detective: Graça Monteiro, Hector Reyes; detective: João Pinto, Beatriz Lua, Álvaro Reyes, Sol Marín; trainee: Nuno Faria; clerk: Fátima Selo, Thomas Reed; informant: Señora Luz, O Pescador, Tío Paco, Patience
Station Hill: head of office: Mabel Stern; senior detective: Frank Holder, Constance Drew; detective: Frank Holder Jr., Rose Thorne, Hugo Blunt, Ivy Church, Victor Gale; trainee: Sam Green, April Vance; clerk: Norman Drawer, Una Grey; switchboard operator: Peggy Line; informant: Whistling Tom, Ginger, Professor Quill, Lady Cordelia, Jam Jar
Łęgowo: head of office: Zbigniew Łoś; senior detective: Jadwiga Sowa, Kasia Wróbel; detective: Piotr Cień, Wanda Mrok, Stach Zamek, Irena Gołąb; trainee: Olek Nowy; clerk: Halina Pióro, Leszek Kartka; bookkeeper: Grażyna Grosz; informant: Złotko, Father Benedikt, Babcia Stefa, Szept
"""
# Job: born, joined at the age of, cases, fee in tens
JOBS = """
director/1949-1949/24-24/412-412/95-95; head of office/1951-1966/21-30/120-300/60-88; senior detective/1956-1978/22-32/80-260/40-64; detective/1966-1995/22-33/5-140/22-42; trainee/1997-2004/20-22/0-4/9-15
clerk/1955-2000/18-40/-/-; archivist/1950-1980/22-40/-/-; bookkeeper/1958-1990/22-40/-/-; switchboard operator/1960-1999/18-35/-/-; informant/1940-1999/20-45/-/-
"""
LANGUAGES = "Marrowgate/English, Port Calder/English, Nordhafen/German, Saint-Éloi/French, Vila Névoa/Portuguese, Station Hill/English, Łęgowo/Polish"
FURTHER = "English, French, German, Portuguese, Spanish, Polish, Danish, Italian, Russian, Arabic, sign language"
CODES = """
Heron, Foxglove, Velvet, Anvil, Nightingale, Domino, Marzipan, Ash, Thimble, Comet, Magpie, Lantern, Paprika, Hatpin, Turnip, Moth, Clover, Bishop, Umbrella, Echo, Saffron, Pebble, Wolfhound, Cinnamon, Teapot, Juniper, Harlequin, Mirror, Ghost Train, Butterscotch, Old Moon, Candlestick, Otter, Sandman, Étoile, Bramble, Cobalt, Snowdrop, Gargoyle, Tin Soldier
Barley, Hedgehog, Cathedral, Zephyr, Pistachio, Tulip, Bonfire, Quicksilver, Admiral, Périgord, Walnut, Carousel, Penguin, Oyster, Rosemary, Windmill, Button, Chestnut, Kingfisher, Raincoat, Sugarloaf, Beetle, Ödland, Marble, Trombone, Goldfish, Vinegar, Periscope, Bluebell, Cricket, Sable, Cork, Ivory, Lemon, Weathercock, Pilgrim, Fiddle, Starling, Amber, Glowworm
Nutmeg, Lighthouse, Parsley, Badger, Tambourine, Cardinal, Mandarin, Pepper, Swift, Almond, Hourglass, Gingerbread, Orchid, Falcon, Sixpence, Ladybird, Mustard, Compass, Driftwood
"""
SPECIALTIES = "missing persons, fraud, divorce cases, stolen art, shadowing, forgery, locks, cold cases, poison, lost pets, blackmail, insurance claims, kidnapping, handwriting"
PAPERWORK = "filing, shorthand, accounts, ciphers, photographs, translations, maps"
RUMOURS = "docks, gossip, horse races, pawnshops, card games, grand hotels, smuggling, night trains, black market"
CARS = "black saloon, bicycle, green van, motorbike, grey estate car, red convertible, delivery van, scooter, taxi, milk float, old ambulance, motorboat, hearse, ice-cream van"
POSES = "piano tuner, waiter, gas inspector, tourist, postman, window cleaner, florist, birdwatcher, chimney sweep, nun, tram conductor, antique dealer, gardener, opera singer, beggar, taxi driver, baker, pigeon fancier, night nurse, travelling salesman"
# Known: name / office / column / cell
KNOWN = """
Philippa Crane/Marrowgate/recruited_by/Colonel Voss; Philippa Crane/Marrowgate/joined_on/1973-10-01; Philippa Crane/Marrowgate/code_name/Silver Spoon; Mabel Stern/Station Hill/recruited_by/Colonel Voss; Rollo Dust/Marrowgate/recruited_by/Colonel Voss; Rollo Dust/Marrowgate/Job Title/archivist; Monday/Marrowgate/code_name/Sunday; Frank Holder Jr./Station Hill/recruited_by/Frank Holder
Luc Renard/Saint-Éloi/drives/hearse; Josie Quick/Port Calder/drives/scooter; The Duchess/Port Calder/poses_as/opera singer; Hank Morrow/Port Calder/longest_stakeout/9 days; Sol Marín/Vila Névoa/drives/ice-cream van; Dorothy Keys/Marrowgate/specialties/locks; Stach Zamek/Łęgowo/specialties/locks; Le Chat/Saint-Éloi/code_name/Mole; Gisela Frost/Nordhafen/code_name/Iceberg; Henning Vogel/Nordhafen/code_name/Magpie
Astrid Brønd/Nordhafen/cases solved/291; Hugo Blunt/Station Hill/Carries A Gun/no; Ferry Kate/Port Calder/drives/motorboat; Father Benedikt/Łęgowo/Carries A Gun/no; Needles/Port Calder/height/1.51 m; Big Anton/Marrowgate/height/2.03 m; Little Anton/Nordhafen/height/1.96 m; Jonas Winter/Marrowgate/supervised by/Ada Winter; Zoé Petit/Saint-Éloi/Usual Partner/Gaspard Petit; Émile Faucon/Marrowgate/speaks/French; Peggy Line/Station Hill/speaks/English; Cécile d'Orval/Saint-Éloi/poses_as/nun; Babcia Stefa/Łęgowo/date of birth/1941-03-08; Frank Holder/Station Hill/date of birth/1956-03-11; Frank Holder/Station Hill/joined_on/1980-05-05; Frank Holder/Station Hill/Licensed Since/1981; Frank Holder Jr./Station Hill/date of birth/1975-06-21
Philippa Crane/Marrowgate/Carries A Gun/no; Tobias Hand/Marrowgate/Carries A Gun/yes; Ada Winter/Marrowgate/drives/milk float; The Canary/Marrowgate/specialties/gossip; Ada Winter/Marrowgate/height/1.70 m; Rose Thorne/Station Hill/specialties/poison
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def between(bounds, random):
    """A number of a range that is written as 5-140."""
    low, high = bounds.split("-")
    return random.randint(int(low), int(high))


def several(choices, most, random):
    """A few of some, the first ones more often, in the order in which they stand there."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.4)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, job, office, codes, random):
    """A person with all that needs no other person."""
    _, born, age, cases, fee = next(
        line for line in listed(JOBS, "; ") if line.startswith(job)
    ).split("/")
    birth = date(between(born, random), 1, 1) + timedelta(random.randrange(365))
    joined = min(
        birth + timedelta(365 * between(age, random) + random.randrange(365)),
        date(2024, 12, 1) - timedelta(random.randrange(1100)),
    )
    hunts, sits = cases != "-", job not in {"informant"} and cases == "-"
    hours = random.choice([random.randint(6, 47), 24 * random.randint(2, 6)])
    own = dict(pair.split("/") for pair in listed(LANGUAGES))[office]
    others = [language for language in listed(FURTHER) if language != own]
    skills = listed(SPECIALTIES if hunts else PAPERWORK if sits else RUMOURS)
    return {
        "name": name,
        "Job Title": job,
        "code_name": "" if sits else codes.pop(),
        "Based In": office,
        "date of birth": birth.isoformat(),
        "joined_on": joined.isoformat(),
        "Licensed Since": str(joined.year + random.randint(0, 3))
        if hunts and job != "trainee"
        else "",
        **dict.fromkeys(COLUMNS[7:11], ""),
        "cases solved": str(between(cases, random)) if hunts else "",
        "Daily Fee": f"{between(fee, random) * 10} EUR" if hunts else "",
        "longest_stakeout": (f"{hours // 24} days" if hours > 47 else f"{hours} h")
        if hunts
        else "",
        "speaks": f"{own}; {several(others, 3, random)}" if random.random() < 0.7 else own,
        "specialties": several(skills, 3, random),
        "drives": several(listed(CARS), 1, random) if hunts or random.random() < 0.35 else "",
        "poses_as": "" if sits else several(listed(POSES), 2, random),
        "Carries A Gun": random.choice(["yes", "no"])
        if hunts
        else "no"
        if random.random() < 0.6
        else "",
        "height": f"{random.gauss(1.73, 0.09):.2f} m",
    }


def bonds(rows, random):
    """Fill in who supervises, recruited, accompanies and tips off whom."""
    once = [row for row in rows if sum(row["name"] == other["name"] for other in rows) == 1]
    for row in rows:
        job, here = (
            row["Job Title"],
            [o for o in once if o["Based In"] == row["Based In"] and o is not row],
        )
        by_job = {
            title: [o["name"] for o in here if o["Job Title"] == title]
            for title in ("head of office", "senior detective", "detective", "clerk")
        }
        above = {
            "head of office": ["Philippa Crane"],
            "detective": by_job["senior detective"],
            "trainee": by_job["detective"],
            "director": [],
            "informant": [],
        }
        if above.get(job, by_job["head of office"]):
            row["supervised by"] = random.choice(above.get(job, by_job["head of office"]))
        pool = here + [
            o for o in once if o["Job Title"] in {"director", "head of office"} and o is not row
        ]
        earlier = [
            o["name"]
            for o in pool
            if o["joined_on"] < row["joined_on"]
            and o["cases solved"]
            and o["Job Title"] != "trainee"
        ]
        if earlier:
            row["recruited_by"] = random.choice(earlier)
        free = [
            o
            for o in here
            if not o["Usual Partner"] and o["Job Title"] in {"detective", "senior detective"}
        ]
        if (
            job in {"detective", "senior detective"}
            and row in once
            and not row["Usual Partner"]
            and free
        ):
            other = random.choice(free)
            row["Usual Partner"], other["Usual Partner"] = other["name"], row["name"]
        elif job == "informant" and row in once:
            near = [o for o in here if o["Job Title"] in {"detective", "senior detective"}]
            far = [o for o in once if o["Job Title"] == "detective"]
            for ear in {
                o["name"]: o for o in (random.choice(near), random.choice(near + far))
            }.values():
                ear["Informants"] = "; ".join(filter(None, (ear["Informants"], row["name"])))


def people(random):
    """Return all rows."""
    codes, rows = listed(CODES), []
    random.shuffle(codes)
    for line in PEOPLE.strip().splitlines():
        office, jobs = line.split(": ", 1)
        for told in jobs.split("; "):
            job, names = told.split(": ")
            rows += [person(name, job, office, codes, random) for name in names.split(", ")]
    bonds(rows, random)
    for row in rows:
        row.update({column: "" for column, share in GAPS.items() if random.random() < share})
    for fact in listed(KNOWN, "; "):
        name, office, column, cell = fact.split("/")
        next(row for row in rows if (row["name"], row["Based In"]) == (name, office))[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("detectives.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(people(Random(47)))


if __name__ == "__main__":
    main()

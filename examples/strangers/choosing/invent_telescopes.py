"""Write telescopes.csv: the telescopes of an invented planet's observatories, a row a telescope.

All invented; a fixed seed. Hard on purpose: names that are words, months and mountains, two of the same name,
names that share a part or lie within another's, directors of one surname, several values in a cell, telescopes
that are twins of, replaced and are calibrated against other telescopes of the table, and many cells left empty.

    python examples/strangers/choosing/invent_telescopes.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Telescope|Observatory|kind|mirror size|Director|twin_telescope|replaced telescope|first_light|Mountain|Altitude|Instruments|main targets|built by|Cost|staff|Named After|calibrated against|visitors_welcome|robotic|last_overhaul".split(
    "|"
)
GAPS = {
    "mirror size": 0.04,
    "Director": 0.06,
    "first_light": 0.05,
    "Altitude": 0.06,
    "main targets": 0.06,
    "built by": 0.1,
    "Cost": 0.15,
    "staff": 0.08,
    "calibrated against": 0.15,
    "visitors_welcome": 0.05,
    "last_overhaul": 0.3,
}
# Observatory (its mountains and their heights; its directors): name/kind/named after
SITES = """
Saltmarrow Observatory (Mount Oskel 2810, Hollow Peak 2440; Ilse Varn, Tobias Varn, Prudence Akintola-Reyes, Gale Winters): Morrow/reflector/Edda Morrow; Great Morrow/reflector/Edda Morrow; Widow's Eye/survey; Heron/reflector/a wading bird; Heron South/reflector/a wading bird; October/infrared/a month; Saltmarrow Dish/radio; Pell Solar Tower/solar/Ambrose Pellingay; Old Reliable/reflector; Nightjar/survey/a night bird; Quill/infrared
Vess Hill Station (Vess Hill 1180; Marek Dolezhin, June Hollis): Lantern/reflector; Lantern Two/reflector; Vess Solar Tower/solar; Button/survey; Grandmother/reflector; Fisherman's Glass/reflector; Tin Ear/radio; Vess Survey Camera/survey; Copper Kettle/infrared; Hollis Reflector/reflector/Barnaby Hollis
Royal Tarrow Observatory (Tarrow Crag 1960, King's Shoulder 2075; Sir Lucan Ferrers-Bray, Isolde Quennell, Bertil Ångmark, Ruth Osei-Lund): Quennell Reflector/reflector/Petra Quennell; Quennell Array/radio/Petra Quennell; Queen Isaude Telescope/reflector/Queen Isaude; Young Isaude/infrared/Queen Isaude; Crown/survey; April/solar/a month; Tarrow Great Dish/radio; Tarrow Little Dish/radio; Chancellor/reflector; Beefeater/reflector; Raven/infrared/a black bird; Sovereign's Mirror/reflector
Brûle-Ciel Observatory (Pic Sauvin 3320, Dent Creuse 3105; Noémie Tarascel, Côme d'Aubrelle, Hélène Vasquin): Œil d'Ambre/reflector; Grand Miroir/reflector; Petit Miroir/reflector; Télescope Vasquin/infrared/Odilon Vasquin; Aubépine/survey/a thorny shrub; Sauvin Interferometer/radio; Coquelicot/solar/a red flower; L'Étourdie/survey; Belle-Nuit/infrared; Marmotte/reflector/a mountain rodent; Sauvin Coronagraph/solar
Khadrun Plateau Observatory (Jebel Khadrun 4190, Camel's Back 3980; Samira al-Qazrun, Idris Benhaddu, Yusra Tamrisa): Simoom/reflector/a desert wind; Khadrun Extremely Wide Telescope/survey; Khadrun Array North/radio; Khadrun Array South/radio; Scarab/infrared/a beetle; Zaynab's Lamp/reflector/Zaynab of Tamrisa; Second/reflector; Dune/survey; Caravan/radio; Al-Qazrun Mirror/reflector/Harith al-Qazrun; Sandglass/solar; Jerboa/reflector/a jumping mouse
Skjoldheim Observatory (Skjoldfjell 1640, Ulvhorn 1890; Bertil Ångmark, Torunn Revhaug, Gisli Revhaug): Ørnøye/reflector; Frost/infrared; Ulvhorn Dish/radio; Little Ulvhorn Dish/radio; Revhaug Telescope/reflector/Old Torunn Revhaug; Midsummer/solar/a feast; Ångmark Camera/survey/Sven Ångmark; Sif's Mirror/reflector; Polar Owl/survey/a white owl; Polar Bear/infrared; Snøfugl/reflector
Little Moon Observatory (Moon Mountain 2230; Li-Mei Sorrow, Kenji Amakawa, Hope Tanager): Rabbit/reflector/the rabbit in the moon; Rabbit's Foot/survey; Amakawa Dish/radio/Old Kenji Amakawa; Plum Blossom/infrared/a spring flower; Paper Crane/reflector; Little Sun/solar; Tanager Telescope/reflector/Wilmot Tanager; Tea Bowl/radio; March/reflector/a month; Nightjar/reflector/a night bird; Cricket/survey
Institute of Long Nights (Mount Patience 2950, Mount Silence 3010; Vasyl Horobenko, Darya Snezhina, Tobias Varn): Patience/reflector/its mountain; Silence/radio/its mountain; Long Night/reflector; Longer Night/reflector; Snezhina Infrared Telescope/infrared/Vera Snezhina; Żuraw/survey/a crane; Iron Ear/radio; Samovar/solar; Čapek's Folly/reflector/Ludo Čapekar; Babushka/reflector; Sputter/survey
Ondaril University Observatory (Ondaril Ridge 1520, Bell Hill 940; Itziar Ondur, Benat Ondur-Larre, Rosa Peñorra): Peñorra Telescope/reflector/Justo Peñorra; Student/reflector; Rector/reflector; Bell Hill Dish/radio; Magpie/infrared/a thieving bird; Ondur Solar Tower/solar/Mikel Ondur; Chalk/survey; Blackboard/survey; Sister Inés/reflector/a nun who counted comets; Ridge Transit/reflector; Sel-Amar/radio
Seven Lakes Observatory (Otter Hill 760, Mount Heron 1330; Wren Applegarth, Obadiah Stillwater, Nkechi Brandt): Otter/reflector/a river animal; Otter Junior/reflector; Seven Lakes Array/radio; Applegarth Reflector/reflector/Silas Applegarth; Kingfisher/infrared/a blue bird; Sunday/solar; Stillwater Glass/reflector/Obadiah Stillwater; Mayfly/survey/an insect; Loon/reflector/a diving bird; Raft/radio
"""
# Kind: mirror in m, staff, cost in million crowns; instruments; targets
KINDS = """
reflector: 0.9-8.4, 4-60, 3-240; spectrograph, photometer, planet camera, polarimeter, adaptive optics, laser beacon; galaxies, other suns, nebulae, supernovae, comets, dust rings
survey: 0.5-4.8, 3-25, 2-130; wide-field camera, photometer, filter wheel; asteroids, comets, supernovae, lost moons
infrared: 1.1-5.6, 5-45, 8-190; cooled camera, spectrograph, bolometer, polarimeter; dust rings, nebulae, young stars, galaxies
radio: 12-96, 6-70, 15-310; receiver, correlator, bolometer, pulsar clock; pulsars, galaxies, hydrogen clouds, the sun
solar: 0.4-1.6, 2-14, 1-28; coronagraph, spectrograph, polarimeter, neutral filter; the sun, sunspots, the inner moon
"""
LABELS = "reflector=optical reflector, survey=survey telescope, infrared=infrared telescope, radio=radio telescope, solar=solar telescope"
MAKERS = "Pellworth Glassworks, Harrow & Lint, State Mirror Works, Kvarn Optik, Dunmarrow Ironworks, Tessalin Brothers, Verrerie Saint-Aubre, Bluestone Dockyard"
REFERENCES = "Patience, Great Morrow, Khadrun Array North, Simoom, Grand Miroir, Frost, Lantern, Tarrow Great Dish, Rabbit, Sovereign's Mirror"
TWINS = "Morrow=Rabbit, Heron=Heron South, Lantern=Lantern Two, Khadrun Array North=Khadrun Array South, Patience=Grand Miroir, October=Frost, Crown=Dune, Tin Ear=Raft, Button=Chalk, Otter=Student, Samovar=Little Sun, Simoom=Second, Widow's Eye=Polar Owl, Kingfisher=Magpie, Vess Solar Tower=Ondur Solar Tower, Peñorra Telescope=Tanager Telescope, Tea Bowl=Bell Hill Dish, Long Night=Ørnøye, Żuraw=L'Étourdie, Scarab=Belle-Nuit, Tarrow Great Dish=Ulvhorn Dish, Coquelicot=April, Paper Crane=Sif's Mirror"
# Known: name / column / cell
KNOWN = """
Grandmother/first_light/1889-05-02; Khadrun Extremely Wide Telescope/first_light/2021-11-30; Second/Director/Idris Benhaddu; Sister Inés/main targets/comets; October/first_light/1994-04-09; April/first_light/1971-10-21; Frost/Altitude/1655 m
Silence/staff/71; Student/visitors_welcome/yes; Polar Bear/robotic/yes; Button/mirror size/0.3 m; Iron Ear/built by/Dunmarrow Ironworks; Tea Bowl/Cost/9 million crowns; Jerboa/Altitude/4170 m; Rector/Director/Rosa Peñorra
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def telescope(words, observatory, mountains, directors, random):
    """A telescope with all that needs no other telescope."""
    name, kind, honoured = [*words.split("/"), ""][:3]
    line = next(line for line in listed(KINDS, "\n") if line.startswith(kind + ":"))
    numbers, tools, targets = line.split(": ")[1].split("; ")
    (small, large), (few, many), (cheap, dear) = (
        map(float, pair.split("-")) for pair in numbers.split(", ")
    )
    worth = random.random() ** 1.6
    size = small + (large - small) * worth
    mountain, height = random.choice(mountains).rsplit(" ", 1)
    lit = date(random.randint(1904, 2020), 1, 1) + timedelta(random.randrange(365))
    robotic = random.random() < (0.6 if kind == "survey" else 0.2)
    return {
        "Telescope": name,
        "Observatory": observatory,
        "kind": dict(pair.split("=") for pair in listed(LABELS))[kind],
        "mirror size": f"{size:.0f} m" if kind == "radio" else f"{size:.1f} m",
        "Director": random.choice(directors),
        "twin_telescope": "",
        "replaced telescope": "",
        "first_light": lit.isoformat(),
        "Mountain": mountain,
        "Altitude": f"{int(height) - random.randrange(0, 90, 5)} m",
        "Instruments": several(listed(tools), 3, random),
        "main targets": several(listed(targets), 3, random),
        "built by": random.choice(listed(MAKERS)),
        "Cost": f"{cheap + (dear - cheap) * worth * random.uniform(0.6, 1.1):.0f} million crowns",
        "staff": f"{few + (many - few) * random.random() ** 1.5:.0f}",
        "Named After": honoured,
        "calibrated against": random.choice([n for n in listed(REFERENCES) if n != name]),
        "visitors_welcome": random.choice(["yes", "no"]),
        "robotic": "yes" if robotic else "no",
        "last_overhaul": str(random.randint(min(lit.year + 2, 2023), 2024)),
    }


def telescopes(random):
    """Every telescope of every observatory, and which belongs to which."""
    rows = []
    for line in listed(SITES, "\n"):
        head, words = line.split("): ")
        observatory, about = head.split(" (")
        mountains, directors = (listed(part) for part in about.split("; "))
        rows += [telescope(w, observatory, mountains, directors, random) for w in words.split("; ")]
    row_of = {row["Telescope"]: row for row in rows}
    for pair in listed(TWINS):
        one, other = pair.split("=")
        row_of[one]["twin_telescope"], row_of[other]["twin_telescope"] = other, one
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        row_of[name][column] = cell
    gone = {"Nightjar"}
    for row in sorted(rows, key=lambda row: row["first_light"], reverse=True):
        older = [
            o["Telescope"]
            for o in rows
            if o["Observatory"] == row["Observatory"]
            and o["first_light"] < row["first_light"]
            and o["Telescope"] not in {*gone, row["Telescope"], row["twin_telescope"]}
        ]
        if older and random.random() < 0.65:
            row["replaced telescope"] = random.choice(older)
            gone.add(row["replaced telescope"])
    known = {tuple(fact.split("/")[:2]) for fact in listed(KNOWN, "; ")}
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share and (row["Telescope"], column) not in known:
                row[column] = ""
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("telescopes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(telescopes(Random(81)))


if __name__ == "__main__":
    main()

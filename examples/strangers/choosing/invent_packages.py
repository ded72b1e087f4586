"""Write packages.csv: the registry of an invented programming language (Marrow), a row a package.

All invented; a fixed seed. Hard on purpose: names that are words, months and other columns' values, namesakes,
names that share a part or lie within another, accents, several values in a cell, packages that depend on, replace
and were forked from other packages of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_packages.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "package|Category|maintainer|Home Town|licence|depends on|replaced_by|Forked From|first_release|Last Update|latest_version|size|Weekly Downloads|open issues|Platforms|Sponsor|test_coverage|build_time|deprecated|Has Manual".split(
    "|"
)
GAPS = {
    "maintainer": 0.06,
    "licence": 0.06,
    "first_release": 0.07,
    "Last Update": 0.06,
    "latest_version": 0.1,
    "size": 0.05,
    "Weekly Downloads": 0.07,
    "open issues": 0.12,
    "Platforms": 0.06,
    "Sponsor": 0.45,
    "test_coverage": 0.2,
    "build_time": 0.15,
}
# Category: its packages
PACKAGES = """
web: lantern, lantern-http, paper-lantern, postilion, cobbler, doorbell, teapot, café, Miss Muffet, hopscotch
storage: larder, larder-cache, Old Larder, pantry, magpie, cellar, squirrel
text: parchment, inkwell, comma, baker's-dozen, naïve-words, stammer, Parsing for Poets, spindle
maths: abacus, abacus-lite, plumbline, half, tally, zählwerk, dozen
dates: may, october, almanac, it's-time, fortnight, moonphase, hourglass
testing: thimble, canary, guinea-pig, mock turtle, second-opinion, fire drill
graphics: easel, fresco, gouache, kaleidoscope, pebble, crayon, Tür-und-Tor
networking: pigeon, velvet rope, homing-pigeon, semaphore, ferry, drawbridge, tin-can, smoke signal
cryptography: padlock, padlock-core, skeleton key, sesame, whisper, señor-secret
command line: parrot, manual labour, Sir Argsalot, flagpole, gong, prompter
logging: diary, woodpecker, breadcrumb, chatterbox, gossip, black box
parsing: nutcracker, sieve, unravel, pebble, untangle, grammarian
games: dungeon, dice, loaded-dice, marble, jester, kobold
audio: kazoo, toy-piano, Grand Piano, metronome, hum, tuning-fork, übung, echo
guesswork: hunch, soothsayer, tea leaves, crystal ball, coin toss
build tools: anvil, velvet hammer, bellows, scaffold, trowel, brick, brickyard
concurrency: sheepdog, cuckoo, later, never, juggler
"""
PEOPLE = """
Greta Holm/Weir End; Tobias Holm/Pennywhistle; April Maynard/Copper Bay; Perpetua Vane/Old Sluice; Barnaby Quill/Gristmill; Fjóla Strand/Nether Weir; Ignatius Obuya/Copper Bay; Renée Castellan/Saint-Aubry; Hugo Castellan/Crow's Landing
Dice Larkin/Pennywhistle; Aoife O'Tallow/Crow's Landing; Wendeline Marsh/Dunmarrow; Casimir Żuk/Nether Weir; Thursday Club/Dunmarrow; Padma Iyerson/Gristmill; Gasworks Collective/Old Sluice; Leif Ostergren-Bo/Weir End; Hester Brick/Saint-Aubry
Marisol Quevada/Copper Bay; Osric Penhale/Pennywhistle; Yuki Tanemori/Kettle Junction; Wim van der Sluis/Kettle Junction; Ottilie Fenn/Gristmill; Ottoline Fenn/Dunmarrow
"""
LICENCES = "Open Hand, Open Hand, Open Hand 2, Share-Back, Share-Back, Public Meadow, Meadow Lite, Fair Copy, proprietary"
PLATFORMS = "Granite, Tide, Browser, Pocket, Mainframe"
SPONSORS = "Ferncliff Bank, Moonrake Brewery, Ministry of Puddles, University of Dunmarrow, Tidewater Post, Holm & Daughters, Larkspur Railways"
# Packages that many others need: name, year
PILLARS = "lantern 2009, larder 2010, parchment 2008, abacus 2008, almanac 2011, padlock-core 2010, pigeon 2009, diary 2011, sieve 2010, sheepdog 2012, thimble 2012, anvil 2009, easel 2012, parrot 2013"
# Known: name / column / cell
REPLACED = """
Old Larder/larder; lantern-http/postilion; abacus-lite/tally; half/plumbline; tin-can/ferry; smoke signal/pigeon; gossip/chatterbox; mock turtle/guinea-pig; padlock/sesame; skeleton key/sesame; crayon/gouache; unravel/untangle; nutcracker/untangle; dice/loaded-dice
tea leaves/soothsayer; coin toss/hunch; never/later; brick/brickyard; october/almanac; it's-time/hourglass; stammer/naïve-words; baker's-dozen/dozen; Miss Muffet/cobbler; hum/kazoo; gong/prompter; café/teapot; semaphore/homing-pigeon; woodpecker/diary; fortnight/almanac
"""
FORKS = """
paper-lantern/lantern; lantern-http/lantern; hopscotch/cobbler; larder-cache/larder; pantry/Old Larder; naïve-words/stammer; zählwerk/abacus; abacus-lite/abacus; dozen/baker's-dozen; second-opinion/thimble; fresco/easel; gouache/crayon; homing-pigeon/pigeon; padlock/padlock-core
loaded-dice/dice; untangle/unravel; Sir Argsalot/flagpole; breadcrumb/diary; chatterbox/gossip; hourglass/almanac; crystal ball/tea leaves; brickyard/brick; juggler/sheepdog; übung/metronome; Tür-und-Tor/easel; whisper/padlock-core; teapot/café; kobold/dungeon; magpie/larder; moonphase/almanac
"""
KNOWN = """
lantern/Weekly Downloads/412300; never/deprecated/no; may/maintainer/April Maynard; brick/maintainer/Hester Brick; dice/maintainer/Dice Larkin; hopscotch/depends on/cobbler; jester/depends on/loaded-dice; dungeon/depends on/loaded-dice; kobold/depends on/dungeon; loaded-dice/licence/Share-Back
parchment/maintainer/Greta Holm; larder/maintainer/Padma Iyerson; larder/Sponsor/Ferncliff Bank; lantern/maintainer/Perpetua Vane; lantern/Sponsor/Moonrake Brewery; almanac/maintainer/Wendeline Marsh; thimble/test_coverage/100 %; never/open issues/0; sheepdog/maintainer/Osric Penhale
"""
HOMES = dict(pair.split("/") for pair in PEOPLE.strip().replace("\n", "; ").split("; "))


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in their order."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(sorted(chosen, key=choices.index))


def package(name, category, random):
    """A package with all that needs no other package."""
    pillars = dict(pair.split() for pair in listed(PILLARS))
    old = name in {pair.split("/")[0] for pair in listed(REPLACED, "; ")} | {
        pair.split("/")[1] for pair in listed(FORKS, "; ")
    }
    year = int(pillars.get(name) or random.randint(2009, 2014 if old else 2023))
    released = date(random.randint(year + 1, 2025), 1, 1) + timedelta(random.randrange(365))
    person = random.choice(list(HOMES))
    many = random.randint(40, 390) * 1000 if name in pillars else int(10 ** random.uniform(1, 4.7))
    return {
        "package": name,
        "Category": category,
        "maintainer": person,
        "licence": random.choice(listed(LICENCES)),
        "first_release": str(year),
        "Last Update": released.isoformat(),
        "latest_version": f"{random.randint(0, 6)}.{random.randint(0, 14)}.{random.randint(0, 9)}",
        "size": f"{int(10 ** random.uniform(0.7, 3.6))} kB",
        "Weekly Downloads": str(many),
        "open issues": str(random.randint(0, 30) + random.randint(0, 9) * (name in pillars) * 12),
        "Platforms": several(listed(PLATFORMS), 4, random),
        "Sponsor": random.choice(listed(SPONSORS)),
        "test_coverage": f"{random.randint(20, 99)} %",
        "build_time": f"{random.randint(2, 240)} s",
        "deprecated": "no",
        "Has Manual": random.choice(["yes", "yes", "no"]),
    }


def registry(random):
    """Every package, and which needs, replaces and comes from which."""
    rows = []
    for line in PACKAGES.strip().splitlines():
        category, names = line.split(": ", 1)
        rows += [package(name, category, random) for name in names.split(", ")]
    names = [row["package"] for row in rows]
    found = {row["package"]: row for row in rows if names.count(row["package"]) == 1}
    for pair in listed(FORKS, "; "):
        name, origin = pair.split("/")
        found[name]["Forked From"] = origin
        if found[name]["first_release"] <= found[origin]["first_release"]:
            year = int(found[origin]["first_release"]) + random.randint(1, 4)
            found[name]["first_release"] = str(year)
            found[name]["Last Update"] = (
                f"{random.randint(year + 1, 2025)}-0{random.randint(1, 9)}-{random.randint(10, 28)}"
            )
    for pair in listed(REPLACED, "; "):
        name, newer = pair.split("/")
        found[name] |= {
            "replaced_by": newer,
            "deprecated": "yes" if random.random() < 0.85 else "no",
        }
    pillars = [pair.split()[0] for pair in listed(PILLARS)]
    for row in rows:
        older = [
            name
            for name, other in found.items()
            if other["first_release"] < row["first_release"] and "replaced_by" not in other
        ]
        base = [name for name in older if name in pillars]
        needs = {random.choice(older)} if older and random.random() < 0.55 else set()
        needs |= set(random.sample(base, min(len(base), random.choice([0, 1, 1, 1, 2]))))
        row["depends on"] = "; ".join(sorted(needs))
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        found[name][column] = cell
    for row in rows:
        row["Home Town"] = HOMES.get(row["maintainer"], "")
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("packages.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(registry(Random(72)))


if __name__ == "__main__":
    main()

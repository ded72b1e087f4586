"""Write assets.csv: the inventory of an invented company's IT department, a row a machine or program.

All invented (but for the names of a few operating systems); a fixed seed. Hard on purpose: machines
whose names are birds, days, rooms and common words, namesakes of two kinds, names that share a part,
accents and apostrophes, people who use one machine and look after another, times partly in minutes
and partly in hours, memory partly in MB and TB, several values in a cell, machines that stand in for
others, hang on others and are backed up on others, and many cells left empty.

    python3 invent_assets.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "asset",
        "Kind",
        "made_by",
        "used by",
        "Located In",
        "bought_on",
        "Purchase Price",
        "supplied_by",
    ),
    *("warranty ends", "replacement_for", "Connected To", "backed up on", "installed_on"),
    *(
        "operating_system",
        "Memory",
        "battery_life",
        "looked after by",
        "Leased",
        "support tickets",
        "retire_in",
    ),
)
GAPS = {
    **{
        "made_by": 0.06,
        "used by": 0.08,
        "Located In": 0.06,
        "bought_on": 0.06,
        "Purchase Price": 0.06,
        "supplied_by": 0.12,
    },
    **{
        "warranty ends": 0.15,
        "operating_system": 0.08,
        "Memory": 0.08,
        "battery_life": 0.1,
        "looked after by": 0.12,
    },
    **{"Leased": 0.1, "support tickets": 0.12, "retire_in": 0.2},
}
# Kind: names
NAMES = """
laptop: Heron, Kingfisher, Wren, Osprey, Snowball, Ångström, Zoë, Little Bertha, Monday, Blue Monday, Grasshopper, Paper Plane, Dvořák, Coffee Break, Nightshift, Señorita, Fox, Red Fox, Old Fox, Marmalade, Gänseblümchen, Nomad, Curie, Pebble, Lunchbox, Tuesday
desktop: Bertha, Old Bertha, Anvil, Lighthouse, Tugboat, Hamlet, Ophelia, Mole, Badger, Café, Clockwork, Grandfather, Pumpkin, Turtle, Tollbooth
server: Titan, Old Titan, Yggdrasil, Mnemosyne, Noah's Ark, The Vault, Elephant, Squirrel, Hamster, Librarian
printer: Gutenberg, Snowball, Paper Tiger, Inkwell, Señor Toner, Woodpecker, Old Faithful, Parrot, Magpie, Rosetta, Squid, The Monk, Æsop
tablet: Slate, Clipboard, Domino, Postcard, Pancake
switch: Crossroads, Roundabout, Grand Central, Spider, Octopus, Knot
projector: Cyclops, Lantern, Moonbeam, Lumière
scanner: Hawkeye, Flounder, Argus
UPS: Camel, Lifebelt, Plan B
software: Ledgerline, Old Ledger, Mailhoff, Timekeeper, Rosetta, Paper Trail, Doorman, Kassandra, Stockpot, Payday, Penelope, Chalkboard, Domino, Hourglass, Quill, Fjord, Meeting Point, Sentinel, Paintbox, Blueprint
"""
# Kind / first and last year / euros / years of warranty / operating systems / memory / minutes of battery
KINDS = """
laptop/2016-2024/620-2400/2-4/Windows 11, Windows 10, Ubuntu 22.04, macOS 14/8 GB, 16 GB, 16 GB, 32 GB/200-840; desktop/2013-2023/480-1900/2-5/Windows 11, Windows 10, Ubuntu 22.04, Windows 7/4 GB, 8 GB, 16 GB, 64 GB/0
server/2012-2023/2900-14500/3-5/Debian 12, Debian 11, Windows Server 2019, FreeBSD 13/64 GB, 128 GB, 256 GB, 1 TB/0; printer/2011-2023/190-4200/1-3//128 MB, 256 MB, 512 MB, 1 GB/0
tablet/2018-2024/280-1100/1-2/Android 14, Android 12, iPadOS 17/4 GB, 6 GB, 8 GB/300-780; switch/2014-2023/240-3100/3-5//256 MB, 512 MB, 2 GB/0; projector/2012-2022/450-2600/1-3///0
scanner/2012-2022/150-1300/1-2//64 MB, 128 MB/0; UPS/2013-2022/390-2700/2-3///10-75; software/2010-2024/90-9800/0-0///0
"""
MAKERS = (
    "Torvik, Oakridge, Halden & Fils, Pixelmühle, Nakamori, Brightwater, Łuna Systems, Copperfield"
)
PRINTERS = "Inkström, Brightwater, Oakridge, Pixelmühle"
HOUSES = "Softbruch, Penny Lane, Łuna Systems, Copperfield, our own developers, Tidewell"
SUPPLIERS = "Bürohaus Klamm, Cable & Sons, Dataport Nord, Second Spring, Wilk Trading, Officina Rossi, Copperfield Direct"
PLACES = "Room 204, Room 101, Room 12, Warehouse, Front Desk, Loading Bay, Canteen, Meeting Room Åland, Meeting Room Oslo, Attic Office, Storage Cupboard, Workshop"
USERS = "Anna Berg, Anna Bergström, Tomasz Wilk, José Ibarra, Mia Lund, Grace Okoro, Henri Lefèvre, Olive Tan, Jack Harbour, Priya Menon, Will Sharp, Rose Mason, Dana Krüger, Emil Novák, Beth Summers, Yusuf Demir, Lars Holm, Chloé Martin, April Stone, Nina Petrova, Marta Wilk, Sven Holt"
FIXERS = "Sven Holt, Ingrid Achterberg, Marta Wilk, Emil Novák, Lou Castellan, Raj Sundaram"
BACKUPS = "Squirrel, Hamster, Noah's Ark, The Vault"
# Newer > older
REPLACED = """
Bertha>Old Bertha; Fox>Old Fox; Titan>Old Titan; Gutenberg>Old Faithful; Ledgerline>Old Ledger; Red Fox>Fox; Marmalade>Pumpkin; Heron>Grandfather; Kingfisher>Wren; Hamlet>Anvil; Ophelia>Turtle; Yggdrasil>Old Titan; Squirrel>Hamster; Paper Tiger>Squid; Señor Toner>Inkwell; Magpie>The Monk
Grand Central>Knot; Spider>Roundabout; Lumière>Lantern; Argus>Flounder; Plan B>Camel; Slate>Clipboard; Hourglass>Timekeeper; Penelope>Stockpot; Nomad>Tuesday; Curie>Lunchbox; Zoë>Mole; Blue Monday>Monday; Sentinel>Doorman; Little Bertha>Old Bertha; Postcard>Pebble; Mnemosyne>Elephant; Fjord>Mailhoff
"""
# Known: asset / kind / column / cell
KNOWN = """
Grandfather/desktop/bought_on/2009-04-03; Grandfather/desktop/warranty ends/2012-04-03; Grandfather/desktop/Leased/no; Grandfather/desktop/Purchase Price/899.00 EUR; Grandfather/desktop/operating_system/Windows XP; Grandfather/desktop/Memory/512 MB; Grandfather/desktop/looked after by/Lou Castellan; Old Bertha/desktop/Located In/Storage Cupboard; Old Fox/laptop/Located In/Storage Cupboard; Old Titan/server/Located In/Basement; Noah's Ark/server/Located In/Basement; The Vault/server/Located In/Basement; The Vault/server/backed up on/
Café/desktop/Located In/Canteen; Tollbooth/desktop/Located In/Loading Bay; Heron/laptop/used by/Grace Okoro; Snowball/laptop/used by/Mia Lund; Dvořák/laptop/used by/José Ibarra; Payday/software/used by/Anna Berg; Payday/software/made_by/Penny Lane; Payday/software/installed_on/Titan; Stockpot/software/used by/Beth Summers; Blueprint/software/made_by/our own developers; Kassandra/software/made_by/our own developers; Cyclops/projector/Located In/Meeting Room Oslo
Yggdrasil/server/Memory/2 TB; Yggdrasil/server/Purchase Price/18900.00 EUR; Yggdrasil/server/Leased/no; Titan/server/backed up on/Squirrel; Squirrel/server/backed up on/Noah's Ark; Noah's Ark/server/backed up on/The Vault; Hamster/server/looked after by/Ingrid Achterberg; Nomad/laptop/battery_life/17 h; Nomad/laptop/Located In/; Squid/printer/support tickets/61; Plan B/UPS/Connected To/Titan; Camel/UPS/Connected To/Elephant; Lifebelt/UPS/Connected To/Grand Central
Gutenberg/printer/Connected To/Crossroads; Snowball/printer/Connected To/Spider; Snowball/printer/Located In/Warehouse; Snowball/laptop/Located In/Room 204; Cyclops/projector/Connected To/Coffee Break; Lantern/projector/Connected To/Blue Monday; Rosetta/software/used by/Nina Petrova; Rosetta/software/installed_on/Librarian; Rosetta/printer/used by/Olive Tan; Domino/tablet/used by/Yusuf Demir; Domino/software/used by/Will Sharp; Domino/software/installed_on/Mnemosyne; Kassandra/software/installed_on/Yggdrasil
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma) if text else []


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.4)]


def span(minutes):
    """How long a battery lasts: 45 min, 9.5 h."""
    return f"{round(minutes / 30) / 2:g} h" if minutes >= 90 else f"{round(minutes / 5) * 5} min"


def asset(name, line, random):
    """A machine or a program with all that needs no other one."""
    kind, years, euros, cover, systems, memory, battery = line.split("/")
    (first, last), (cheap, dear), (short, long) = (
        map(int, pair.split("-")) for pair in (years, euros, cover)
    )
    bought = date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))
    bought -= timedelta(max(0, bought.weekday() - 4))
    until = bought.replace(day=min(bought.day, 28), year=bought.year + random.randint(short, long))
    leased = kind not in {"software", "tablet", "UPS"} and random.random() < 0.22
    makers = {"software": HOUSES, "printer": PRINTERS}.get(kind, MAKERS)
    shared = {"software": 4, "printer": 3, "tablet": 2}.get(kind, 1)
    private = kind in {"laptop", "desktop", "tablet", "printer", "scanner", "software"}
    low, high = map(int, battery.split("-")) if "-" in battery else (0, 0)
    return dict.fromkeys(COLUMNS, "") | {
        "asset": name,
        "Kind": kind,
        "made_by": skewed(listed(makers), random),
        "used by": "; ".join(random.sample(listed(USERS), random.randint(1, shared)))
        if private
        else "",
        "Located In": ""
        if kind == "software"
        else "Server Room"
        if kind in {"server", "switch", "UPS"}
        else skewed(listed(PLACES), random),
        "bought_on": bought.isoformat(),
        "Purchase Price": ""
        if leased
        else f"{cheap * (dear / cheap) ** random.random() // 5 * 5 - random.choice([0, 0.01, 1]):.2f} EUR",
        "supplied_by": skewed(listed(SUPPLIERS), random),
        "warranty ends": until.isoformat() if until.year > bought.year else "",
        "operating_system": skewed(listed(systems), random) if systems else "",
        "Memory": random.choice(listed(memory)) if memory else "",
        "battery_life": span(random.randint(low, high)) if high else "",
        "looked after by": skewed(listed(FIXERS), random),
        "Leased": "" if kind == "software" else "yes" if leased else "no",
        "support tickets": str(int(40 * random.random() ** 2)),
        "retire_in": str(max(random.randint(2025, 2027), bought.year + random.randint(5, 9))),
    }


def assets(random):
    """Return all rows."""
    lines = {line.split("/")[0]: line for line in listed(KINDS, "; ")}
    rows = []
    for block in NAMES.strip().splitlines():
        kind, names = block.split(": ", 1)
        rows += [asset(name, lines[kind], random) for name in names.split(", ")]
    names = [row["asset"] for row in rows]
    of = {
        k: [r["asset"] for r in rows if r["Kind"] == k and names.count(r["asset"]) == 1]
        for k in lines
    }
    for row in rows:
        kind = row["Kind"]
        near = {
            "laptop": "printer",
            "desktop": "printer",
            "printer": "switch",
            "server": "switch",
            "projector": "laptop",
            "scanner": "desktop",
            "UPS": "server",
            "switch": "switch",
        }.get(kind)
        if near and random.random() < 0.75:
            others = [o for o in of[near] if o != row["asset"]]
            row["Connected To"] = "; ".join(
                random.sample(
                    others, 1 if kind in {"printer", "projector", "UPS"} else random.randint(1, 2)
                )
            )
        if kind in {"laptop", "desktop", "server", "software"} and random.random() < 0.72:
            row["backed up on"] = skewed([b for b in listed(BACKUPS) if b != row["asset"]], random)
        if kind == "software":
            where = random.choice(["server", "laptop", "desktop"])
            row["installed_on"] = "; ".join(
                random.sample(of[where], 1 if where == "server" else random.randint(2, 4))
            )
    single = {row["asset"]: row for row in rows if names.count(row["asset"]) == 1}
    for pair in listed(REPLACED, "; ") * 4:
        newer, older = (single[name] for name in pair.split(">"))
        newer["replacement_for"] = older["asset"]
        if newer["bought_on"] <= older["bought_on"]:
            for column in ("bought_on", "warranty ends", "retire_in"):
                newer[column], older[column] = older[column], newer[column]
    for row in rows:
        row |= {column: "" for column, share in GAPS.items() if random.random() < share}
    for fact in listed(KNOWN, "; "):
        name, kind, column, cell = fact.split("/")
        next(r for r in rows if (r["asset"], r["Kind"]) == (name, kind))[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("assets.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(assets(Random(47)))


if __name__ == "__main__":
    main()

"""Write systems.csv: what the IT department of an invented company runs, a row a system.

All invented; a fixed seed. Hard on purpose: systems whose names are words, column names, people and
weekdays, namesakes of two kinds, names that share a part, accents and apostrophes, memory partly in
megabytes and partly in gigabytes, outages in minutes and in hours, programs on virtual servers on
servers, several values in a cell, the same people in two columns, and many cells left empty.

    python examples/strangers/choosing/invent_systems.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "system",
        "Kind",
        "runs_on",
        "Depends On",
        "backed_up_to",
        "replaced by",
        "Owner",
        "on call",
        "used_by",
        "vendor",
    ),
    *(
        "licence_cost",
        "version",
        "Users",
        "memory",
        "uptime",
        "installed_on",
        "End of Support",
        "critical",
        "Housed In",
        "longest outage",
    ),
)
GAPS = {
    **{
        "backed_up_to": 0.2,
        "Owner": 0.06,
        "on call": 0.2,
        "used_by": 0.05,
        "vendor": 0.05,
        "version": 0.12,
    },
    **{
        "Users": 0.08,
        "memory": 0.1,
        "uptime": 0.15,
        "installed_on": 0.08,
        "End of Support": 0.3,
        "critical": 0.05,
    },
    **{"Housed In": 0.05, "longest outage": 0.25, "licence_cost": 0.1},
}
# Kind / first year / licence from-to in tens of EUR / memory from-to in powers of two of MB
KINDS = "server/2008/20-90/16-20; virtual server/2013/10-60/12-16; database/2006/80-2400/13-17; service/2005/30-900/8-13; program/2003/40-3200/7-14; storage/2009/60-400/13-15; firewall/2014/90-700/12-14; switch/2011/5-40/8-10; printer/2010/4-30/8-11"
PLAIN = """
server: Oak; Elm; Old Elm; Ash; Willow; Żubr; Björn; Thor; Kestrel; Sparrow; Mercury; Big Bertha; Little Bertha; Señora; Monday; Goliath; David; Lighthouse
virtual server: Leaf One; Leaf Two; Leaf Three; Acorn; Catkin; Nest; Egg; Cub; Hammer; Fog; Mist; Été; Hiver; Sandbox; Guest Room; Shadow
storage: Barn; Silo; Old Silo; Hayloft
firewall: Moat; Drawbridge
switch: Crossroads; Roundabout
printer: Inkwell; Inkspot; Quill
"""
# Kind: name/used by/depends on
FITTED = """
database: Ledgerbase/finance, purchasing/Barn; Memory/legal, personnel/Silo; Compass/sales/Barn; Bücherei/legal, marketing/Silo; Staff Book/personnel/Barn; Stock Room/warehouse, purchasing/Silo; Grain Store/canteen/Hayloft; Vault/IT, finance/Hayloft
database: Timeline/personnel, workshop/Silo; Black Book/customer care, legal/Silo; Archive/legal/Old Silo; Customer Book/sales, customer care, marketing/Barn; Parts Bin/workshop, warehouse/Barn; Faces/reception, personnel/Silo
service: Pigeon/sales, finance, legal, reception/Signpost, Passport; Pigeon Loft/legal, finance/Pigeon, Hayloft; Gatekeeper/IT/Old Signpost, Staff Book; Gatekeeper 2/IT, personnel/Signpost, Staff Book, Vault; Signpost/IT/Crossroads; Old Signpost/IT/Roundabout
service: Town Crier/marketing, reception/Pigeon; Parrot/IT/Barn; Squirrel/IT/Silo, Clockwork; Squirrel Two/IT/Silo, Hayloft; Watchdog/IT/Town Crier, Signpost; Éclair/marketing, legal, sales/Bücherei; Clockwork/IT/Crossroads; Archive/legal, finance/Old Silo, Passport
service: Bellhop/reception/Faces, Passport; Mercury/sales, customer care/Drawbridge; Passport/IT/Vault, Signpost; Postbox/reception, purchasing/Inkwell, Pigeon; Ferryman/warehouse, sales/Drawbridge, Passport; Ping Pong/IT/Crossroads; Señal/IT, workshop/Watchdog, Pigeon
service: Night Watch/IT/Watchdog; Zoë/customer care/Customer Book, Éclair; Interpreter/marketing, sales/Drawbridge; Scarecrow/IT/Moat
program: Payday/personnel, finance/Staff Book, Timeline, Passport; Ledger/finance/Ledgerbase, Passport; Old Ledger/finance/Ledgerbase, Gatekeeper; Ledger Lite/purchasing, canteen/Ledgerbase; Who/reception, personnel/Staff Book, Faces; Whereabouts/warehouse, sales/Who, Señal
program: Café/canteen/Grain Store, Turnstile; Kantine/canteen/Grain Store; Compass/sales, marketing/Customer Book, Éclair; Scribe/legal, sales/Bücherei, Interpreter; Turnstile/reception/Faces, Gatekeeper 2; Holiday/personnel/Staff Book, Pigeon; Abacus/finance/Ledger, Stock Room
program: Quotes/sales/Customer Book, Parts Bin; Handshake/legal, purchasing/Black Book, Scribe; Carousel/marketing, reception/Éclair; Owner's Manual/IT, workshop/Bücherei; Version Vault/IT/Passport, Barn; Piggy Bank/finance/Ledgerbase; Piggy Bank Plus/finance, personnel/Ledgerbase, Vault, Passport
program: Forklift/warehouse/Stock Room, Ferryman; Conveyor/warehouse, workshop/Forklift, Parts Bin; Courtroom/legal/Black Book, Memory; Doorbell/reception/Bellhop; Megaphone/marketing/Customer Book, Town Crier; Sketchpad/marketing, workshop/Barn; Jürgen/workshop/Parts Bin, Clockwork
program: Rosetta/marketing/Interpreter; Suggestion Box/personnel/Pigeon; Drawing Board/workshop/Parts Bin, Barn; Whiteboard/sales, IT, workshop/Passport; Ticket Window/IT, customer care/Pigeon, Who; Last Orders/canteen/Café; Fürst/legal/Memory; Crystal Ball/sales, finance/Compasso, Abacus
program: Compasso/sales/Customer Book; Łódka/warehouse/Ferryman, Stock Room; Market Day/purchasing/Stock Room, Ledger; Expenses/finance, sales/Ledger, Inkspot; Moving Day/IT, personnel/Who
"""
OWNERS = "Nadia Voss, Tom Okoro, Béatrice Lune, Jürgen Pohl, Ingrid Sæther, Marek Zając, Priya Anand, Will Park, Grace Day, May Fields, Samuel Pohl, Rosa Núñez, Tom Finch"
CALLED = "Will Park, Marek Zając, Priya Anand, Dot Kettle, Ingrid Sæther, Samuel Pohl, Chidi Obi, Lena Frost, Lena Frosch, Tom Finch, Rosa Núñez, Anton Brew"
VENDORS = "in-house, Brightwell Software, Nordhavn Systems, in-house, Quillfeather, Blue Kettle, Pine Street Labs, Açoria, Kestrel Systems, Ōkami Soft, Halloran & Sons"
MAKERS = "Nordhavn Systems, Iron Cabinet, Halloran & Sons, Ōkami Hardware, Steel & Pewter"
ROOMS = "Cellar, Tower Room, Room 12, Harbour Street, Žižkov Annex, Room 2"
REPLACED = "Old Ledger/Ledger; Gatekeeper/Gatekeeper 2; Old Signpost/Signpost; Squirrel/Squirrel Two; Old Elm/Elm; Old Silo/Silo; Piggy Bank/Piggy Bank Plus; Kantine/Café; Parrot/Squirrel; Goliath/David; Inkspot/Inkwell; Fürst/Courtroom; Sandbox/Guest Room; Ledger Lite/Market Day; Night Watch/Scarecrow; Compasso/Quotes; Bellhop/Doorbell; Łódka/Forklift; Big Bertha/Żubr"
# Known: system / column / cell
KNOWN = """
Payday/runs_on/Leaf One; Leaf One/runs_on/Oak; Oak/Housed In/Cellar; Payday/critical/yes; Payday/Owner/Grace Day; Ledger/critical/yes; Ledger/runs_on/Björn; Old Ledger/installed_on/2003-04-01; Pigeon/critical/yes; Pigeon/Users/1240; Oak/Owner/Will Park
Jürgen/Owner/Rosa Núñez; Jürgen/vendor/Kestrel Systems; Zoë/vendor/Açoria; Zoë/Users/85; Monday/installed_on/2012-10-15; Monday/memory/96 GB; Kestrel/vendor/Iron Cabinet; Memory/memory/48 GB; Version Vault/version/7.3; Who/version/2.0; Who/on call/Chidi Obi; Café/runs_on/Été
Goliath/memory/1024 GB; David/memory/512 GB; Watchdog/uptime/99.99 %; Night Watch/longest outage/26 h; Crystal Ball/licence_cost/41500 EUR; Crystal Ball/vendor/Quillfeather; Crystal Ball/longest outage/3.5 h; Ledger/vendor/Brightwell Software; Ledger/licence_cost/28600 EUR
Big Bertha/memory/256 GB; Little Bertha/memory/64 GB; Owner's Manual/Owner/Béatrice Lune; Ping Pong/critical/no; Moat/critical/yes; Drawbridge/critical/yes; Old Elm/Housed In/Room 2; Elm/Housed In/Room 12; Barn/Housed In/Žižkov Annex; Silo/Housed In/Tower Room; Hayloft/Housed In/Harbour Street
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.4)]


def system(name, line, random):
    """A system with all that needs no other system."""
    kind, year, cost, memory = line.split("/")
    (cheap, dear), (small, big) = ([int(n) for n in pair.split("-")] for pair in (cost, memory))
    thing = kind in {"server", "storage", "firewall", "switch", "printer"}
    installed = date(int(year), 1, 1) + timedelta(random.randrange((2025 - int(year)) * 365))
    vendor = skewed(listed(MAKERS if thing else VENDORS, ", "), random)
    size = 2 ** random.randint(small, big)
    minutes = round(4 * 300 ** random.random())
    row = dict.fromkeys(COLUMNS, "")
    row |= {"system": name, "Kind": kind, "vendor": vendor, "installed_on": installed.isoformat()}
    row["Owner"], row["on call"] = (
        skewed(listed(OWNERS, ", "), random),
        skewed(listed(CALLED, ", "), random),
    )
    if vendor != "in-house":
        row["licence_cost"] = f"{round(cheap * (dear / cheap) ** random.random()) * 10} EUR"
        row["End of Support"] = str(min(installed.year + random.randint(4, 15), 2034))
    row["version"] = random.choice(["{}.{}", "{}.{}", "{}.{}.1", "{}"]).format(
        random.randint(1, 14), random.randint(0, 9)
    )
    if kind in {"service", "program", "printer"}:
        row["Users"] = str(round(3 * 250 ** random.random()))
    if kind != "program" or random.random() < 0.6:
        row["memory"] = f"{size} MB" if size < 1024 else f"{size // 1024} GB"
    row["uptime"] = f"{100 - 0.01 * 500 ** random.random():.2f} %"
    row["critical"] = "yes" if random.random() < 0.33 else "no"
    row["Housed In"] = skewed(listed(ROOMS, ", "), random) if thing else ""
    row["longest outage"] = f"{minutes} min" if minutes < 90 else f"{round(minutes / 30) / 2:g} h"
    return row


def systems(random):
    """Return all rows."""
    lines = {line.split("/")[0]: line for line in listed(KINDS)}
    rows = []
    for block in PLAIN.strip().splitlines():
        kind, names = block.split(": ", 1)
        rows += [system(name, lines[kind], random) for name in listed(names)]
    for block in FITTED.strip().splitlines():
        kind, names = block.split(": ", 1)
        for name, users, needs in (entry.split("/") for entry in listed(names)):
            rows.append(system(name, lines[kind], random))
            rows[-1] |= {
                "used_by": users.replace(", ", "; "),
                "Depends On": needs.replace(", ", "; "),
            }
    of_kind = {
        kind: [row["system"] for row in rows if row["Kind"] == kind and row["system"] != "Mercury"]
        for kind in lines
    }
    for row in rows:
        if row["Kind"] == "virtual server":
            row["runs_on"] = skewed(of_kind["server"], random)
        elif row["Kind"] in {"database", "service", "program"}:
            row["runs_on"] = random.choice(of_kind["virtual server"] + of_kind["server"][:8])
        if row["runs_on"]:
            row["backed_up_to"] = random.choice(["Barn", "Silo", "Hayloft", "Barn", "Old Silo"])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    named = {row["system"]: row for row in rows}
    for old, new in (pair.split("/") for pair in listed(REPLACED)):
        named[old]["replaced by"] = new
        dates = sorted([named[old]["installed_on"], named[new]["installed_on"]])
        if all(dates):
            named[old]["installed_on"], named[new]["installed_on"] = dates
    for name, column, cell in (fact.split("/") for fact in listed(KNOWN)):
        named[name][column] = cell
    for row in rows:
        if row["End of Support"] and row["installed_on"][:4] >= row["End of Support"]:
            row["End of Support"] = str(int(row["installed_on"][:4]) + 6)
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("systems.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(systems(Random(47)))


if __name__ == "__main__":
    main()

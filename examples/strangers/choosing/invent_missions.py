"""Write missions.csv: the spacecraft of an invented space agency in an invented system, a row a craft.

All invented; a fixed seed. Hard on purpose: craft whose names are words, days, birds and people,
namesakes of two kinds, numbered series, names that share a part, accents, people who command one
craft, engineer another and give their name to a third, masses in kg and in t, money in millions and
billions, several values in a cell, three columns that name other craft, and many cells left empty.

    python3 invent_missions.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("craft", "Kind", "target", "launched_on", "Launch Site", "commanded by", "Chief Engineer"),
    *("predecessor", "relays_through", "Docked With", "Mass", "total_cost", "mission duration"),
    *("landing site", "Cause of Failure", "instruments", "Named After", "approved_in", "reusable"),
    *("Orbits Completed",),
)
GAPS = {
    **{"launched_on": 0.04, "Launch Site": 0.1, "Chief Engineer": 0.12, "relays_through": 0.15},
    **{"Mass": 0.07, "total_cost": 0.1, "mission duration": 0.1, "instruments": 0.12},
    **{"approved_in": 0.15, "reusable": 0.12, "Orbits Completed": 0.2, "landing site": 0.1},
}
# Kind / kg / millions / days / share that failed / marks: o orbits, l lands, d docks, c crewed, r may be reused, t talks through relays
KINDS = """
flyby probe/90-700/30-400/150-4200/0.3/t; orbiter/350-4200/80-1500/300-5200/0.25/ot; lander/180-5600/60-1300/4-900/0.35/lt; rover/35-1100/40-1600/20-3600/0.2/lt
relay/210-1900/45-380/1400-6000/0.15/o; capsule/2600-14800/150-1200/1-190/0.1/olcdr; station/19000-290000/1900-9800/900-7000/0/oc; cargo ship/4200-16500/60-310/12-240/0.2/odr
telescope/140-11800/95-4700/700-7300/0.15/ot; sample return/400-2900/160-1900/420-2900/0.3/lrt; tug/900-7800/90-420/200-2600/0.2/odr
"""
# Kind: name / target (a name after > is the predecessor, otherwise the number before it in the series)
CRAFT = """
flyby probe: Arrow 1/Ossa; Arrow 2/Vell; Arrow 3/Tamber; Longshot/Quill; Monday/Great Maud; Postcard/Comet Ollerton; Skipping Stone/Żuk; Étoile du Nord/Sun; Far Cry/Quill>Longshot; Pilgrim/Button; Magpie 1/Lantern; Magpie 2/Lantern; Glance/Vell; Cold Call/Quill>Far Cry; Needle's Eye/77 Agathe; Håp/Tamber>Arrow 3
orbiter: Heron 1/Tamber; Heron 2/Tamber; Heron 3/Vell; Heron 4/Vell; Heron 5/Great Maud; Heron 6/Great Maud; Nightjar/Ivory; Nightingale/Hob>Nightjar; Ember/Ossa; Lady Pembroke/Great Maud>Heron 6; Łabędź/Tamber>Heron 2; Watchman/Lantern; Little Watchman/Lantern>Watchman; Night Watch/Petronel>Little Watchman; Cartographer/Lantern; Old Faithful/Vell; Merry-go-round/Tamber; Señora Gris/Great Maud; Weather Eye/Vell>Old Faithful; Kite/Tamber; Jürgen's Ring/Quill
lander: Pilgrim/Petronel; Cricket 1/Lantern; Cricket 2/Lantern; Cricket 3/Lantern; Cricket 4/Lantern; Featherfall/Tamber; Soft Landing/Lantern>Cricket 4; Pebble/Button; Anvil/Ossa; Teacup/Ivory; Grasshopper/Petronel; Thistledown/Tamber>Featherfall; Stubborn/Vell; Snowdrop/Ivory>Teacup; First Try/Hob; Second Try/Hob>First Try; Third Time Lucky/Hob>Second Try; Chère Amie/Vell>Stubborn
rover: Tortoise/Lantern; Hare/Lantern>Tortoise; Barrow/Tamber; Dusty/Tamber>Barrow; Señor Polvo/Tamber>Dusty; Molly/Petronel; Beetle/Żuk; Wanderer/Tamber; Little Wanderer/Tamber>Wanderer; Ploughman/Ossa; Ñandú/Tamber>Señor Polvo
relay: Postman/Lantern; Big Ears/Tamber; Little Ears/Tamber>Big Ears; Switchboard/Lantern>Postman; Telegraph Hill/Vell; Whisper/Great Maud; Parrot/Petronel>Little Ears; Halfway House/Great Maud>Whisper; Signal Box/Lantern>Switchboard; Gossip/Quill>Halfway House
station: Harbour/home orbit; Harbour Two/home orbit>Harbour; Inn at the Edge/Lantern; Porch/home orbit; Attic/home orbit>Porch; Lighthouse/Lantern>Inn at the Edge
capsule: Swallow 1/home orbit; Swallow 2/home orbit; Swallow 3/home orbit; Swallow 4/Lantern; Swallow 5/Lantern; Swallow 6/Lantern; Swift/home orbit>Swallow 6; Courage/Lantern>Swift; Patience/Lantern>Courage; Éclair/home orbit; Lark 1/home orbit; Lark 2/home orbit; Lark 3/Lantern; Homecoming/Lantern; Aunt Hilda/home orbit>Éclair; Silver Spoon/Petronel; Kite/home orbit
cargo ship: Milk Run 1/home orbit; Milk Run 2/home orbit; Milk Run 3/home orbit; Milk Run 4/Lantern; Mule/home orbit; Ember/Lantern; Bread and Butter/home orbit>Mule; Donkey/Lantern>Mule; Hamper/home orbit>Bread and Butter; Größe/Lantern
telescope: Peephole/home orbit; Deep Well/Sun; Owl/home orbit>Peephole; Snowy Owl/home orbit>Owl; Spyglass/home orbit; Clara Vossberg/Sun>Deep Well; Window Seat/Lantern
sample return: Spoon/Button; Sugar Tongs/Button>Spoon; Jackdaw/Comet Ollerton; Thief/77 Agathe; Honest Thief/77 Agathe>Thief; Souvenir/Petronel
tug: Ox/home orbit; Elbow/Lantern; Sheepdog/home orbit>Ox
"""
SITES = "Cape Ambry, Cape Sorrow, Sandspit, Kórsvík, Puerto Alegría, Fennmoor, Platform Nine"
COMMANDERS = "Ruth Ferris, Piet Ferris, Tomasz Wilk, Bella Crane, Joss Harding, Inés Quiroga, Ola Strand, Victor Amadi, Maeve Tully, Sun Halloran, Grace Okoro, Dag Nyström"
ENGINEERS = "Ambrose Tully, Ida Brann, Łucja Wrona, Hector Bloom, Ruth Ferris, Otmar Zell, Greta Zell, Noor Saffar, Basil Crane, Renée Aubert, Tomasz Wilk, Mina Park"
HONOURED = "Ida Brann, Clara Vossberg, Aurelio Páez, Ruth Ferris, Old Professor Knagg, Ambrose Tully, Joss Harding, Saint Brendel"
CAUSES = "frozen valve, lost contact, software error, battery fire, ran out of fuel, solar panel jammed, wrong units, broken antenna, meteoroid strike, parachute tangled, dust storm"
TOOLS = "camera, radar, magnetometer, spectrometer, thermometer, dust counter, laser altimeter, microphone, seismometer, drill, weather mast"
GROUNDS = """
Lantern: Quiet Basin, Miller's Crater, Mare Lucis; Tamber: Rust Plain, Valle Rojo, Copper Steps; Vell: Brimstone Flats, Kettle Ridge; Petronel: Petra's Notch, Grey Shelf; Ossa: Glass Field, Anvil Ridge
Ivory: Frost Harbour, Pale Cliffs; Hob: The Hearth, Cinder Hollow; Button: Thread Hole; Żuk: Zielona Dolina; home: Lake Corrie, Ambry Salt Flats, Gulf of Ness, Steppe of Ulm
"""
# Known: craft / kind / column / cell
KNOWN = """
Clara Vossberg/telescope/Named After/Clara Vossberg; Lady Pembroke/orbiter/Named After/Lady Pembroke of Ambry; Aunt Hilda/capsule/Named After/Hilda Marchetti; Jürgen's Ring/orbiter/Named After/Jürgen Falk; Molly/rover/Named After/Molly the dog; Harbour/station/commanded by/Bella Crane
Soft Landing/lander/commanded by/Maeve Tully; Cricket 4/lander/commanded by/Piet Ferris; Monday/flyby probe/Cause of Failure/wrong units; First Try/lander/Cause of Failure/parachute tangled; Second Try/lander/Cause of Failure/software error; Third Time Lucky/lander/Cause of Failure/; Hare/rover/mission duration/11 days
Ox/tug/Docked With/Old Faithful; Ox/tug/launched_on/1975-03-02; Ox/tug/approved_in/1969; Sheepdog/tug/launched_on/2009-06-14; Sheepdog/tug/approved_in/2004; Elbow/tug/Docked With/Cartographer; Sheepdog/tug/Docked With/Owl; Courage/capsule/commanded by/Ruth Ferris; Homecoming/capsule/commanded by/Ruth Ferris; Ox/tug/reusable/yes; Kite/capsule/commanded by/Ola Strand; Kite/orbiter/Chief Engineer/Greta Zell; Kite/capsule/Chief Engineer/Otmar Zell
Pilgrim/lander/landing site/Grey Shelf; Ember/cargo ship/Launch Site/Kórsvík; Ember/orbiter/Launch Site/Sandspit; Ember/orbiter/Mass/1.9 t; Ember/cargo ship/Mass/11.3 t; Pilgrim/flyby probe/total_cost/85 million crowns; Pilgrim/lander/total_cost/640 million crowns; Harbour/station/Mass/41 t; Lighthouse/station/total_cost/9.6 billion crowns
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def between(pair, random):
    """A number of a range, the small ones as often as the great."""
    low, high = map(float, pair.split("-"))
    return low * (high / low) ** random.random()


def span(days):
    """A duration as a file has it: 9 days, 7 months, 4.5 years."""
    if days >= 720:
        return f"{round(days / 182.5) / 2:g} years"
    return (
        f"{round(days / 30.4)} months"
        if days >= 90
        else f"{max(1, round(days))} days".replace("1 days", "1 day" if days < 1.5 else "1 days")
    )


def craft(name, target, line, earlier, random):
    """A craft with all that needs only those above it in the lists."""
    kind, kg, money, days, failed, marks = line.split("/")
    target, _, before = target.partition(">")
    series, _, number = name.rpartition(" ")
    before = before or (f"{series} {int(number) - 1}" if number.isdigit() and number != "1" else "")
    old = next((row["day"] for row in earlier if row["craft"] == before), None)
    day = (
        old + timedelta(random.randint(300, 1700))
        if old
        else date(1962 if number == "1" else 1968, 1, 1)
        + timedelta(random.randrange(3600 if kind in {"relay", "station"} else 14500))
    )
    mass, cost = between(kg, random), between(money, random)
    grounds = dict(entry.split(": ") for entry in listed(GROUNDS, "; "))
    home = kind in {"capsule", "sample return"}
    where = listed(grounds["home" if home else target]) if "l" in marks else [""]
    return {
        "day": day,
        "marks": marks,
        "craft": name,
        "Kind": kind,
        "target": target,
        "launched_on": day.isoformat(),
        "Launch Site": random.choice(listed(SITES)),
        "commanded by": random.choice(listed(COMMANDERS)) if "c" in marks else "",
        "Chief Engineer": random.choice(listed(ENGINEERS)),
        "predecessor": before,
        "Mass": f"{mass / 1000:.3g} t" if mass >= 1500 else f"{round(mass)} kg",
        "total_cost": f"{cost / 1000:.2g} billion crowns"
        if cost >= 1000
        else f"{round(cost)} million crowns",
        "mission duration": span(between(days, random)),
        "landing site": random.choice(where),
        "Cause of Failure": random.choice(listed(CAUSES)[: 11 if "l" in marks else 9])
        if random.random() < float(failed)
        else "",
        "instruments": "; ".join(
            random.sample(listed(TOOLS)[: 11 if "l" in marks else 7], random.randint(1, 4))
        )
        if not set("cd") & set(marks)
        else "",
        "Named After": random.choice(listed(HONOURED)) if random.random() < 0.3 else "",
        "approved_in": str(day.year - random.randint(2, 9)),
        "reusable": random.choice(["yes", "yes", "no"]) if "r" in marks else "no",
        "Orbits Completed": str(
            round(between("3-900" if kind == "capsule" else "200-29000", random))
        )
        if "o" in marks
        else "",
    }


def fleet(random):
    """Return all rows."""
    lines = {line.split("/")[0]: line for line in listed(KINDS, "; ")}
    rows = []
    for block in CRAFT.strip().splitlines():
        kind, names = block.split(": ", 1)
        for pair in names.split("; "):
            rows.append(craft(*pair.split("/"), lines[kind], rows, random))
    for row in rows:
        row["relays_through"] = row["Docked With"] = ""
        older = [other for other in rows if other["day"] < row["day"]]
        relays = [o["craft"] for o in older if o["Kind"] == "relay"]
        stations = [
            o["craft"] for o in older if o["Kind"] == "station" and o["target"] == row["target"]
        ]
        if "t" in row["marks"] and relays:
            row["relays_through"] = random.choice(relays)
        if "d" in row["marks"] and stations:
            row["Docked With"] = "; ".join(
                random.sample(stations, min(len(stations), random.choice([1, 1, 2])))
            )
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, kind, column, cell = fact.split("/")
        next(row for row in rows if (row["craft"], row["Kind"]) == (name, kind))[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("missions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(fleet(Random(57)))


if __name__ == "__main__":
    main()

"""Write stops.csv: the stops of the bus company of an invented town, a row a stop.

All invented; a fixed seed. Hard on purpose: names that are months and plain words, two stops of one name,
names that share a part or lie within another's, accents, apostrophes, hyphens, several values in a cell,
stops that lead to, change to and stand in for other stops of the same table, and cells left empty.

    python examples/strangers/choosing/invent_stops.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "stop|District|Lines|next stop|Change At|Replacement Stop|zone|Shelter|year_built|Passengers Per Day|cleaned by|last_cleaned|Nearby|seats|Distance To Depot|lit_at_night|Step Free|first_bus|Advert Income|Designed By".split(
    "|"
)
GAPS = {
    "Change At": 0.2,
    "Replacement Stop": 0.25,
    "Shelter": 0.12,
    "year_built": 0.08,
    "Passengers Per Day": 0.06,
    "cleaned by": 0.07,
    "last_cleaned": 0.1,
    "Nearby": 0.12,
    "seats": 0.12,
    "Distance To Depot": 0.05,
    "Step Free": 0.06,
    "first_bus": 0.1,
    "Advert Income": 0.35,
    "Designed By": 0.3,
}
# District/zones/km from the depot/lines: the stops, in the order of the road
STOPS = """
Old Town/A/2-4/1, 2, 5, Market Shuttle, N1: Clock Tower; April; Saddler's Row; Old Fire Station; Berger Street; Pigeon Square; Penny Bridge; Town Hall; Krähenplatz; Saint-Orvin; Corn Exchange; Mill Lane
Harbourside/A B/3-6/2, 7, Harbour Express, N1: Harbour; Harbour East; Fisher's Row; Rope Walk; Customs House; Lantern Quay; Anchor; Salt Stairs; Kraken Inn; Øster Pier; Ferry Steps; Herring Market
Northfield/B C/6-10/3, 5, 9, N2: Northfield Cross; Windmill; Monday; Larkspur Close; Church Hill; Long Meadow; Hangman's Corner; Beehive; Quarry Top; Northfield School; Tolland Avenue; Barley Mow
Vinegar Hill/B/4-7/4, 6, 12, N2: Vinegar Hill; Upper Vinegar Hill; Berger Park; Cooper's Yard; Église Rouge; Steep Street; Plum Alley; The Staircase; Saint Wendry's; Vinegar Works; Swan
Lower Weir/B C/5-9/4, 8, Harbour Express: Weir; Weir Lock; Lower Weir Mill; Mill Lane; Mill Lane Bridge; Otter Bank; Eel Bend; Wash House; Tannery; Río Verde; Willow End
Kiln End/C/8-12/6, 8, 10, N3: Kiln; Kiln Road North; Kiln Road South; Brickfield; Potter's Gate; Chimney; Clay Pits; Ash Street; Żabia; Furnace Lane; Glass
Garden Suburb/B C/5-9/3, 11, Market Shuttle: Orchard; Rose Crescent; Rosa Crescent; Lime Avenue; Park; Park Gates; Hyacinth Way; Bandstand; May; Greenhouse; Château Gris; Almond-Tree Corner
Station Quarter/A/1-3/1, 3, 7, 11, Harbour Express, N3: Station; Station Square; Station Road West; Platform; Goods Yard; Signal Box; Traveller's Rest; Church Street; Post Office; Museum; Červená
Moorside/C D/10-16/9, 10, N2: Moor Gate; Moor End; Sheepwash; Heather Bank; Nowhere; Peat Works; Stone Circle; Old Chapel; Wether Top; Blackthorn; Crow-on-the-Wall
Depot Side/A B/0-2/1, 6, 12, Market Shuttle, N1: Depot; Garage; Tyre Street; Foundry; Gasworks; Canteen; Canal Bridge; Canal Basin; August; Tram Memorial; Little Depot Street
"""
CLEANERS = "Odile Brannock, Ivo Kestrel, Mrs Pottle, Hassan Dell, Zoë Marrow, Tam Reed, Jarek Sowa, Lina Reed, Brightbroom, Gus Ó Faoláin"
DESIGNERS = "Agnes Tolland, Piet Varro, Studio Loam, Ruth Hexel, Émile Corbin-Lake, Office of Works, Bo Glass"
SHELTERS = "glass, brick, wood, concrete, tin, stone, glass"
PLACES = "bakery, library, primary school, chemist, swimming pool, playground, pub, cinema, hospital, bank, florist, police station, skate park, mosque, cemetery"
SEATS = [2, 3, 3, 4, 4, 5, 6, 8, 10]
# Known: name / column / cell
KNOWN = """
Depot/Distance To Depot/0 km; Station/Passengers Per Day/4870; Town Hall/Passengers Per Day/3120; Nowhere/Passengers Per Day/6; Nowhere/Shelter/; Glass/Shelter/brick; Clock Tower/year_built/1911; Clock Tower/Designed By/Agnes Tolland; August/year_built/2023; Crow-on-the-Wall/next stop/; Willow End/next stop/
Monday/last_cleaned/2024-05-14; May/last_cleaned/2024-08-02; Station/seats/24; Old Chapel/seats/1; Museum/Advert Income/410 EUR; Moor End/Distance To Depot/16.4 km; Wether Top/first_bus/07:40; Garage/first_bus/04:25; Harbour/Change At/Station; Harbour East/Change At/Customs House; Herring Market/next stop/Clock Tower
Park/Nearby/playground; Post Office/Nearby/bank; Northfield School/Nearby/primary school; Beehive/Change At/Park Gates; Park Gates/Change At/Beehive; Anchor/cleaned by/Mrs Pottle; April/Replacement Stop/Town Hall; Swan/Nearby/pub; Červená/cleaned by/Jarek Sowa; Żabia/cleaned by/Jarek Sowa
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in their order."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(sorted(chosen, key=choices.index))


def halt(name, head, random):
    """A stop with all that needs no other stop."""
    district, zones, reach, lines = head.split("/")
    near, far = map(int, reach.split("-"))
    centre = max(1, 9 - near)
    built = random.randint(1924, 2021)
    crowd = int(random.randint(25, 240) * centre * random.uniform(0.6, 1.4))
    minutes = random.randint(4 * 60 + 40, 6 * 60 + 50)
    return {
        "stop": name,
        "District": district,
        "Lines": several(listed(lines), 3, random),
        "zone": random.choice(zones.split()),
        "Shelter": random.choice(listed(SHELTERS)),
        "year_built": str(built),
        "Passengers Per Day": str(crowd),
        "cleaned by": random.choice(listed(CLEANERS)),
        "last_cleaned": (date(2024, 5, 20) + timedelta(random.randrange(70))).isoformat(),
        "Nearby": several(listed(PLACES), 2, random),
        "seats": str(random.choice(SEATS)),
        "Distance To Depot": f"{random.uniform(near, far):.1f} km",
        "lit_at_night": "yes" if random.random() < 0.75 else "no",
        "Step Free": "yes" if random.random() < 0.55 + (built > 1990) * 0.3 else "no",
        "first_bus": f"{minutes // 60:02}:{minutes % 60:02}",
        "Advert Income": f"{random.randrange(20, 320, 5)} EUR",
        "Designed By": random.choice(listed(DESIGNERS)),
    }


def network(random):
    """Every stop of every district, and which leads where."""
    roads = [line.split(": ", 1) for line in STOPS.strip().splitlines()]
    rows = [halt(name, head, random) for head, names in roads for name in names.split("; ")]
    names = [row["stop"] for row in rows]
    single = [row for row in rows if names.count(row["stop"]) == 1]
    for row in rows:
        at = rows.index(row) + 1
        after = [o for o in rows[at:] + rows[:at] if o in single and o is not row]
        row["next stop"] = after[0]["stop"]
        lines = set(row["Lines"].split("; "))
        other = [
            o["stop"]
            for o in single
            if o["District"] != row["District"] and not lines.isdisjoint(o["Lines"].split("; "))
        ]
        row["Change At"] = random.choice(other)
        near = [o["stop"] for o in after if o["District"] == row["District"]]
        row["Replacement Stop"] = random.choice(near)
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["stop"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("stops.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(network(Random(86)))


if __name__ == "__main__":
    main()

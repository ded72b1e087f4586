"""Write cottages.csv: the holiday cottages that an invented agency lets, a row a cottage.

All invented; a fixed seed. Hard on purpose: names that are words, months, weekdays, villages and extras, two
cottages of one name, names within names, a few accents and apostrophes, owners of one surname, several values
in a cell, next cottages, sister cottages and spare keys that are cottages of the same table, empty cells.

    python examples/strangers/choosing/invent_cottages.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Cottage|Village|owner|Sleeps|price_per_week|next cottage|Sister Cottage|spare_key_at|cleaner|Changeover Day|dogs_allowed|step-free|built_in|Let Since|last_inspected|heating|Extras|Views|Distance to Sea|Deposit".split(
    "|"
)
GAPS = {
    "owner": 0.05,
    "price_per_week": 0.04,
    "next cottage": 0.08,
    "spare_key_at": 0.18,
    "cleaner": 0.1,
    "dogs_allowed": 0.06,
    "step-free": 0.15,
    "built_in": 0.12,
    "Let Since": 0.06,
    "last_inspected": 0.15,
    "heating": 0.07,
    "Extras": 0.12,
    "Views": 0.2,
    "Distance to Sea": 0.1,
    "Deposit": 0.15,
}
# Village, km to the sea, its cleaners: its cottages
PLACES = """
Pellwick 0.2 Dot Brindle/Bill Mop: Gull's Way, The Crow's Nest, Old Lifeboat House, Harbour Light, Rose Cottage, Sea-Thrift, Winkle, The Net Loft, Kipper House, Captain's Rest, Limpet, Boathouse
Saltby Quay 0.1 Bill Mop/Perpetua Clegg: Tuesday, Anchor Cottage, Little Anchor, Quayside, The Chandlery, Mermaid, Salt Box, Zoë's Place, Customs House, Cormorant
Upper Dunmoor 14 Magda Wieczorna/Sal Duster: Shepherd's Hut, Heather, Moor Gate, Far Barn, Near Barn, Piper's Rest, Peat House, Curlew, Bracken, Fox Hollow
Nether Dunmoor 11 Magda Wieczorna/Sal Duster: The Old Forge, Forge Loft, Smithy, Rose Cottage, Little Rose Cottage, Dunmoor Lodge, Ivy Nook, Bell House, The Vicarage, Plum
Hobb's Hythe 3 Renée Balai/Perpetua Clegg: The Old Mill, Old Mill Loft, Miller's Cottage, Otter Holt, Ferryman's, Willows, Dragonfly, Kingcup, Hobb's Hole, Ferry View
Crane Sands 0.4 Dot Brindle/Renée Balai: Sandpiper, Dune House, August, Driftwood, Château Puddle, Beach Hut, Windbreak, Starfish, Tern, Lookout
Tolverry 7 Jory Tregunna/Agnes Pollard: Tolverry House, Owl Barn, Orchard End, Cider Press, Apple Loft, Granny's, Pear Tree, Hayrick, Plenty, The Dairy, Honeysuckle
Marrowick 22 Sal Duster/Jory Tregunna: The Schoolhouse, Post Office, Old Post Office, Bakery, Home, Well Cottage, Clock House, Lärchenhaus, Chestnut, Station House
Gannet Bay 0.3 Dot Brindle/Team Sparkle: Lighthouse Cottage, Fog Horn, Keeper's Cottage, Coastguard One, Coastguard Two, Gannet, Fjørd Hut, Pebble, Spindrift, Smuggler's
Port Ézan 0.6 Renée Balai/Team Sparkle: Chez Élise, Crêperie, May, Les Hortensias, La Petite Étoile, Half-Moon, Oyster, Sardine, Ty Bihan-Wenn, Lavender
Wintersill 31 Jory Tregunna/Magda Wieczorna: Wintersill, Snowdrop, Hunter's Lodge, Stag, Log Cabin, Sauna House, Pine, Bear's Den, Nowhere, Hideaway
"""
OWNERS = "Agnes Pollard, Ned Pollard, Ruth Pollard-Voss, Hugo Penhallick, Tamsin Lark, Heather Lark, April Nance, Moira O'Sheen, Björn Tjäder, Zoë Quillfeather, Wilfred Oxenbold, Parish of Pellwick, Gannet Trust, Solène Kervadou, Yves Kervadou, Ignatius Plumley, Dulcie Marchbank, Otto Rübenzahn, Lady Tansy, Barnaby Crisp, Fenella Crisp, Jun Takamori-Bell, Delphine Aubrac-Low, Cuthbert Snell, Mercy Adomako"
HEATING = "wood stove, electric, oil, heat pump, gas, coal fire"
EXTRAS = "wifi, dishwasher, barbecue, cot, bicycles, hot tub, piano, rowing boat, table tennis, sauna, telescope"
VIEWS = {
    "sea": "sea, harbour, lighthouse, beach, fishing boats, car park",
    "land": "moor, fields, river, woods, church, hills, car park",
}
DAYS = ["Saturday", "Saturday", "Saturday", "Friday", "Friday", "Sunday", "Monday", "Wednesday"]
# Known: cottage / column / cell
KNOWN = """
Tuesday/Changeover Day/Friday; Heather/owner/Tamsin Lark; Lavender/owner/Heather Lark; Gannet/owner/Gannet Trust; Kipper House/owner/Parish of Pellwick; Sauna House/Extras/wifi; dishwasher; Bear's Den/Extras/sauna; hot tub; Beach Hut/Sleeps/2; Beach Hut/Views/car park; Dunmoor Lodge/Sleeps/16
Station House/heating/coal fire; Château Puddle/Sleeps/4; Château Puddle/Distance to Sea/0.5 km; Nowhere/Distance to Sea/34 km; Boathouse/Extras/rowing boat; Lookout/Extras/telescope; Granny's/owner/Agnes Pollard; Zoë's Place/owner/Zoë Quillfeather; Post Office/spare_key_at/Old Post Office; The Vicarage/Extras/piano; Limpet/last_inspected/
"""


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def cottage(name, village, far, cleaners, random):
    """A cottage with all that needs no other."""
    sleeps = random.choice([2, 2, 3, 4, 4, 4, 5, 6, 6, 7, 8, 10, 12])
    start = date(1994, 3, 1) + timedelta(random.randrange(365 * 30))
    seen = date(2023, 1, 9) + timedelta(random.randrange(800))
    away = far * random.uniform(0.5, 1.5)
    return {
        "Cottage": name,
        "Village": village,
        "owner": random.choice(OWNERS.split(", ")),
        "Sleeps": str(sleeps),
        "price_per_week": f"{random.randrange(280, 560, 5) + sleeps * random.randrange(40, 110, 5)} EUR",
        "cleaner": random.choice(cleaners),
        "Changeover Day": random.choice(DAYS),
        "dogs_allowed": random.choice(["yes", "yes", "no"]),
        "step-free": random.choice(["no", "no", "no", "yes"]),
        "built_in": str(random.choice([random.randint(1640, 1900), random.randint(1850, 2012)])),
        "Let Since": max(start, date(1994, 3, 1)).isoformat(),
        "last_inspected": max(seen, start + timedelta(30)).isoformat(),
        "heating": several(HEATING.split(", "), 1, random),
        "Extras": several(EXTRAS.split(", "), 4, random),
        "Views": several(VIEWS["sea" if far < 2 else "land"].split(", "), 2, random),
        "Distance to Sea": f"{away:.1f} km" if away < 10 else f"{away:.0f} km",
        "Deposit": f"{random.randrange(50, 425, 25)} EUR",
    }


def agency(random):
    """Every cottage of every village, and which belongs to which."""
    rows = []
    for line in PLACES.strip().splitlines():
        place, names = line.split(": ", 1)
        words = place.split()
        at = next(i for i, word in enumerate(words) if word[0].isdigit())
        village, far, cleaners = " ".join(words[:at]), float(words[at]), " ".join(words[at + 1 :])
        rows += [
            cottage(name, village, far, cleaners.split("/"), random) for name in names.split(", ")
        ]
    names = [row["Cottage"] for row in rows]
    single = [row for row in rows if names.count(row["Cottage"]) == 1]
    for row in rows:
        near = [o["Cottage"] for o in single if o["Village"] == row["Village"] and o is not row]
        row["next cottage"] = random.choice(near)
        row["spare_key_at"] = random.choice([*near[:2], *near])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    # Sisters come in pairs of two villages; some cottages have none
    free = random.sample(single, len(single) - 14)
    while len(free) > 1:
        one = free.pop()
        other = next((o for o in free if o["Village"] != one["Village"]), None)
        if other:
            free.remove(other)
            one["Sister Cottage"], other["Sister Cottage"] = other["Cottage"], one["Cottage"]
    for fact in KNOWN.strip().replace("\n", "; ").split("; "):
        if fact.count("/") == 2:
            name, column, cell = fact.split("/")
            row = next(row for row in rows if row["Cottage"] == name)
            row[column] = cell
        elif column == "Extras":
            row[column] += f"; {fact}"
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("cottages.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(agency(Random(73)))


if __name__ == "__main__":
    main()

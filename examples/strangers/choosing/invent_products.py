"""Write products.csv: the product list of an invented electronics wholesaler, a row a product.

All invented; a fixed seed. Hard on purpose: products whose names are words, animals and dances,
namesakes in two categories, names that are the beginning of other names, accents, weights partly in
grams and partly in kilograms, several values in a cell, products that point to a successor, to what
they are bundled with and to what they work with, and many cells left empty.

    python3 invent_products.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("product", "Category", "brand", "Unit Price", "launched_on", "weight", "Colours"),
    *("battery life", "screen_size", "works with", "Successor", "bundled_with", "Supplied By"),
    *("warehouse", "units_in_stock", "customer rating", "Warranty", "Made In"),
    *("product manager", "discontinued"),
)
GAPS = {
    **{
        "Unit Price": 0.04,
        "launched_on": 0.08,
        "weight": 0.08,
        "Colours": 0.05,
        "battery life": 0.1,
    },
    **{"Supplied By": 0.06, "warehouse": 0.05, "units_in_stock": 0.05, "customer rating": 0.15},
    **{"Warranty": 0.12, "Made In": 0.07, "product manager": 0.08},
}
# Category / price in EUR / weight in g / battery in h / screen in tenths of an inch
CATEGORIES = """
laptop/480-2400/1100-2600/6-18/120-170; phone/150-1200/140-230/10-40/48-69; tablet/190-1100/300-700/8-16/79-129
camera/220-2900/280-1400/3-9/27-32; headphones/25-420/18-340/6-60/-; speaker/30-600/250-6500/5-30/-
printer/80-900/3500-19000/-/14-50; monitor/120-1300/2900-9800/-/215-340; smartwatch/70-540/28-75/18-240/12-19
keyboard/20-210/380-1300/90-900/-; mouse/9-130/60-140/60-700/-; router/40-380/220-900/-/-
cable/3-45/20-190/-/-; charger/12-95/45-420/-/-
"""
# Category: name/brand
NAMED = """
laptop: Heron 14/Kestrel; Heron 14 Pro/Kestrel; Heron 16/Kestrel; Monday/Plainwork; Tuesday/Plainwork; Papier/Oriel & Sons; Sturdy/Brück; Sturdy Plus/Brück; Nuage/Lumière; Nuage Mini/Lumière; Walnut/Oriel & Sons
phone: Fjord 2/Nordvik; Fjord 3/Nordvik; Fjord 3 Mini/Nordvik; Tango/Señal; Bolero/Señal; Bolero Max/Señal; Grandma/Plainwork; Ember/Kestrel; Whisper/Lumière; Brick/Brück; Second Brick/Brück
tablet: Slate Nine/Oriel & Sons; Slate Eleven/Oriel & Sons; Doodle/Pennywhistle; Doodle Kids/Pennywhistle; Señal Libro/Señal; Window/Nordvik; Wide Window/Nordvik
camera: Lark/Kestrel; Owl Eye/Kestrel; Owl Eye II/Kestrel; Souvenir/Lumière; Souvenir Zoom/Lumière; Blink/Pennywhistle; Øye/Nordvik; Grand Tour/Oriel & Sons; Éclair 50/Lumière
headphones: Lark/Nordvik; Hush/Tamsin Audio; Hush Sport/Tamsin Audio; Hush Pro/Tamsin Audio; Cocoon/Lumière; Earwig/Pennywhistle; Silencio/Señal; Choir/Tamsin Audio; Little Choir/Tamsin Audio
speaker: Thunder/Tamsin Audio; Small Thunder/Tamsin Audio; Kiosk/Brück; Campfire/Kestrel; Pudding/Pennywhistle; Rumba/Señal; Bathtub/Pennywhistle; Foyer/Oriel & Sons
printer: Tango/Brück; Inkwell 200/Plainwork; Inkwell 400/Plainwork; Gutenbärg/Brück; Postcard/Lumière; Ledger/Oriel & Sons; Ledger Duo/Oriel & Sons; Scribe/Plainwork
monitor: Vista 24/Nordvik; Vista 27/Nordvik; Vista 32 Curve/Nordvik; Horizon/Kestrel; Desk Sheriff/Plainwork; Panneau/Lumière; Big Friday/Plainwork
smartwatch: Minute/Oriel & Sons; Minute Sport/Oriel & Sons; Puls/Nordvik; Puls 2/Nordvik; Wristy/Pennywhistle; Compás/Señal
keyboard: Clatter/Plainwork; Quiet Clatter/Plainwork; Piano/Lumière; Tök/Brück; Typist/Oriel & Sons; Pocket Typist/Oriel & Sons
mouse: Comet/Kestrel; Comet Left/Kestrel; Cheddar/Pennywhistle; Vole/Nordvik; Pointer/Plainwork; Ratón/Señal
router: Beacon/Kestrel; Beacon Twin/Kestrel; Lighthouse/Nordvik; Spider/Brück; Hallway/Plainwork
cable: Comet/Brück; Long Liz/Plainwork; Short Liz/Plainwork; Ribbon/Lumière; Eel/Nordvik; Anaconda/Brück; Lasso/Señal; Twine/Oriel & Sons
charger: Sprout/Pennywhistle; Volt Vicar/Oriel & Sons; Teapot/Pennywhistle; Dynamo 30/Brück; Dynamo 65/Brück; Chispa/Señal; Night Nurse/Plainwork
"""
BRAND_HOMES = "Kestrel/Ireland, Plainwork/Poland, Oriel & Sons/Wales, Brück/Germany, Lumière/France, Nordvik/Norway, Señal/Mexico, Pennywhistle/Vietnam, Tamsin Audio/Taiwan"
COUNTRIES = "Vietnam, Taiwan, Poland, Germany, Mexico, Portugal, Malaysia"
SUPPLIERS = "Harbour Trading, Nordvik, Gebrüder Aster, Blue Crate, Dario Penn, Ostrava Parts, Third Street Imports"
WAREHOUSES = "Dockside, Hall B, Old Mill, Cold Ash, Łódź North"
MANAGERS = "Agnes Moll, Ravi Sandhu, Chloé Marchetti, Dario Penn, Björn Falk, Agnes Whitby, Mei Tanaka, Oluwaseun Bright, Pilar Núñez, Rose Printer"
COLOURS = "black, white, silver, grey, navy, red, forest green, yellow, rose, sand"
PORTABLE = ("laptop", "phone", "tablet", "camera", "smartwatch")
ADDED = ("headphones", "keyboard", "mouse", "cable", "charger", "speaker", "router")
# Older > newer
SUCCESSORS = "Heron 14 > Heron 14 Pro, Heron 14 Pro > Heron 16, Monday > Tuesday, Sturdy > Sturdy Plus, Fjord 2 > Fjord 3, Fjord 3 > Fjord 3 Mini, Bolero > Bolero Max, Brick > Second Brick, Slate Nine > Slate Eleven, Window > Wide Window, Owl Eye > Owl Eye II, Souvenir > Souvenir Zoom, Hush > Hush Pro, Choir > Little Choir, Inkwell 200 > Inkwell 400, Ledger > Ledger Duo, Vista 24 > Vista 27, Vista 27 > Vista 32 Curve, Minute > Minute Sport, Puls > Puls 2, Clatter > Quiet Clatter, Beacon > Beacon Twin, Dynamo 30 > Dynamo 65, Short Liz > Long Liz, Thunder > Small Thunder, Grandma > Ember, Doodle > Doodle Kids, Spider > Lighthouse"


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def between(bounds, random):
    """A number between two, the small ones more often; none if there are no bounds."""
    if bounds == "-":
        return None
    low, high = map(int, bounds.split("-"))
    return low * (high / low) ** random.random()


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def product(name, brand, line, random):
    """A product with all that needs no other product."""
    category, *bounds = line.split("/")
    price, grams, hours, screen = (between(pair, random) for pair in bounds)
    for inches in (
        word for word in name.split() if category in {"laptop", "monitor"} and word.isdigit()
    ):
        screen = int(inches) * 10
    home = dict(pair.split("/") for pair in listed(BRAND_HOMES))[brand]
    return {
        "product": name,
        "Category": category,
        "brand": brand,
        "Unit Price": f"{int(price) + random.choice([0, 0.5, 0.9, 0.95]):.2f} EUR",
        "launched_on": (date(2014, 1, 1) + timedelta(random.randrange(4200))).isoformat(),
        "weight": f"{grams / 1000:.1f} kg" if grams >= 1000 else f"{grams:.0f} g",
        "Colours": several(listed(COLOURS), 3, random),
        "battery life": f"{hours:.0f} h" if hours else "",
        "screen_size": f"{screen / 10:.1f} in" if screen else "",
        "Supplied By": random.choice(listed(SUPPLIERS)),
        "warehouse": random.choice(listed(WAREHOUSES)),
        "units_in_stock": str(
            random.choice(
                [0, random.randrange(5, 60), random.randrange(40, 2500), random.randrange(40, 900)]
            )
        ),
        "customer rating": f"{random.uniform(2.1, 4.9):.1f}",
        "Warranty": random.choice(
            ["6 months", "1 year", "2 years", "2 years", "3 years", "5 years"]
        ),
        "Made In": home if random.random() < 0.4 else random.choice(listed(COUNTRIES)),
        "product manager": random.choice(listed(MANAGERS)),
        "discontinued": "yes" if random.random() < 0.12 else "no",
    }


def products(random):
    """Return all rows."""
    lines = {line.split("/")[0]: line for line in listed(CATEGORIES, "; ")}
    rows = []
    for block in NAMED.strip().splitlines():
        category, names = block.split(": ", 1)
        rows += [product(*pair.split("/"), lines[category], random) for pair in names.split("; ")]
    names = [row["product"] for row in rows]
    single = [row for row in rows if names.count(row["product"]) == 1]
    added = [row["product"] for row in single if row["Category"] in ADDED]
    for older, newer in (pair.split(" > ") for pair in listed(SUCCESSORS)):
        first, second = (next(row for row in rows if row["product"] == n) for n in (older, newer))
        first["Successor"] = newer
        first["discontinued"] = random.choice(["yes", "yes", "no"])
        if first["launched_on"] >= second["launched_on"]:
            second["launched_on"] = (
                date.fromisoformat(first["launched_on"]) + timedelta(random.randrange(200, 900))
            ).isoformat()
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        if row["Category"] in PORTABLE:
            row["works with"] = several(added, 4, random) if random.random() < 0.8 else ""
            row["bundled_with"] = random.choice(added) if random.random() < 0.5 else ""
        elif random.random() < 0.5:
            others = [o["product"] for o in single if o["Category"] in PORTABLE]
            row["works with"] = several(others, 3, random)
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("products.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(products(Random(47)))


if __name__ == "__main__":
    main()

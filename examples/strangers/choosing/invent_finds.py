"""Write finds.csv: what came out of the ground at an invented excavation, a row a find.

All invented; a fixed seed. Hard on purpose: nicknames that are words and months, nicknames that share a part or
hold another one whole, two finds of one name, finds beside, copied from and mistaken for other finds of the same
table, people who dig and draw and mend, several values in a cell, and many cells left empty.

    python examples/strangers/choosing/invent_finds.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "Find",
    "object type",
    "Material",
    "Found By",
    "trench",
    "depth",
    "found_on",
    "found beside",
    "Copy Of",
    "dated_to",
    "Period",
    "weight",
    "Length",
    "Shown In",
    "insured for",
    "Drawn By",
    "colours",
    "is_broken",
    "mistaken_for",
    "Repaired By",
]
GAPS = {
    "Found By": 0.06,
    "depth": 0.1,
    "found_on": 0.06,
    "found beside": 0.16,
    "dated_to": 0.1,
    "weight": 0.08,
    "Length": 0.12,
    "Shown In": 0.28,
    "insured for": 0.14,
    "Drawn By": 0.2,
    "colours": 0.08,
    "is_broken": 0.06,
}

# Trench: nickname/object type/material
FINDS = """
Trench A: Crooked Cup/cup/silver; Little Crooked Cup/cup/clay; Old Margit/figurine/limestone; April/bead/amber; Liar's Ring/ring/gold; Grey Widow/jug/clay; Nine Teeth/comb/antler; Fox Penny/coin/copper; Saint Oda's Thumb/spoon/silver; Mumbler/bell/bronze; Cold Key/key/iron; Hedgehog/brooch/bronze,glass; Tinker's Moon/mirror/bronze; Blind Horse/figurine/clay
Trench B: Two-Faced Jug/jug/clay; Young Margit/figurine/limestone; Drowned Bell/bell/bronze; Sunday/spoon/bone; Bérénice/mask/gold,wood; Widow's Needle/pin/bone; Green Eye/bead/glass; Lopsided King/game piece/walrus ivory; Long Tom/knife/iron,antler; Bread Dish/bowl/oak; Toad Lamp/lamp/soapstone; Quarrel/brooch/silver,garnet; Grandmother's Button/brooch/bone; Half Crown/coin/silver
Long Ditch: Whistler/jug/clay; Black Cat/figurine/jet; Cat/game piece/bone; Stork Pin/pin/silver; Cut Penny/coin/silver; Sleepy Bishop/game piece/walrus ivory; Bishop/bell/iron; Bishop's Spoon/spoon/silver,garnet; Ugly Duke/mask/wood; Snail Ring/ring/bronze; Rúnstick/tablet/oak; Wet Shoe/bowl/leather; October/knife/iron,bone; Thirsty Boy/cup/horn
Kiln Field: Burnt Loaf/bowl/clay; Red Aunt/jug/clay; Chimney/lamp/clay; Smoke Cup/cup/clay; Potter's Curse/tablet/clay; Thumbprint/cup/clay; Cinder Queen/figurine/clay; Soot Bell/bell/clay; Ash Comb/comb/bone; Spark/bead/glass; Ember Ring/ring/gold,garnet; Café au Lait/bowl/clay; Fat Abbot/jug/clay; Left Glove/mask/leather
Well Shaft: Frog's Mirror/mirror/silver; Bucket Bride/figurine/oak; Green Man/mask/bronze; Dripping Spoon/spoon/oak; Deep Sister/cup/silver; Eel Hook/pin/iron; Wishing Penny/coin/copper; Wishing Ring/ring/silver; Moss Key/key/bronze; Ondine/comb/walrus ivory; Cracked Eve/bowl/glass; Dark Lantern/lamp/bronze; May/bead/jet; Blind Horse/game piece/horn
Chapel Yard: Praying Mouse/figurine/walrus ivory; Silent Bell/bell/silver; Saint Oda's Key/key/silver; Saint Oda/figurine/limestone,gold; Candle Thief/lamp/silver; Nun's Comb/comb/antler; Sexton/knife/iron; Wedding Cup/cup/gold; Third Commandment/tablet/slate; Weeping Jug/jug/glass; Poor Box Penny/coin/copper; Heretic/mask/iron; Angel Pin/pin/gold; Vesper/bead/amber
Sheep Barrow: Golden Ram/figurine/gold; Old Shepherd/figurine/bone; Wool Comb/comb/iron; Shepherd's Cup/cup/horn; Lamb Knife/knife/bronze,bone; Tuft/brooch/silver; Black Sheep/game piece/jet; Stray/bead/glass; Burr/brooch/bronze; Crook/pin/bronze; Dew Bowl/bowl/bronze; Night Watch/lamp/soapstone; Fleece Penny/coin/gold; Ring of Ljót/ring/gold
Ford Cutting: Ferryman/figurine/oak; Ferryman's Penny/coin/silver; Toll Key/key/iron; River Face/mask/clay; Pike/knife/iron; Heron Brooch/brooch/gold,garnet; Wading Jug/jug/clay; Slow Turtle/bowl/soapstone; Pebble/bead/amber; Mud Tablet/tablet/clay; Otter's Looking-Glass/mirror/bronze; Stepping Stone/tablet/slate; Fish Wife/figurine/soapstone; Big Thumbprint/bowl/clay
"""
# Object type: grams, millimetres, EUR in tens
SORTS = """
cup 120-680 70-190 20-480; figurine 90-2400 50-420 30-900; bead 2-19 6-28 3-60; ring 3-18 17-27 25-600; jug 700-3900 160-410 20-310; comb 14-95 60-170 12-150; coin 2-14 12-34 4-140; spoon 18-90 110-230 15-220; bell 110-5200 60-340 30-400; key 25-240 50-190 6-90
brooch 11-96 28-110 40-700; mask 210-1900 150-310 150-1400; pin 4-37 60-210 8-160; game piece 9-120 22-90 20-260; knife 70-460 120-390 18-230; bowl 240-2700 110-370 15-340; lamp 150-1300 70-240 14-190; tablet 300-4100 90-360 60-820; mirror 160-720 90-210 80-560
"""
DIGGERS = "Ilse Hartung, Mads Hartung, Béla Quill, Ondine Marsh, Father Tobin, Rúna Askel, Cosmo Pettifer, Dilys Pettifer, Jarek Wold, Amadou Senn, Nell O'Garvey, Tove Lind-Carrow, Winter Hobbs, May Thackett"
DRAWERS = "Sabine Oriel, Cosmo Pettifer, Étta Vance, Gil Morrow, Tove Lind-Carrow, Fenn Abara"
MENDERS = "Hanno Brack, Sister Ludvine, Étta Vance, Pia Zell, Winter Hobbs"
MUSEUMS = "Dunmarrow Museum, Harbour Museum, Old Mint, Ostrey Castle, Musée de Vaucelin, Schoolroom Gallery, Customs House"
PERIODS = {
    "Reed Age": (110, 299),
    "Early Salt": (300, 479),
    "Late Salt": (480, 699),
    "Ash Kings": (700, 899),
    "Lantern Years": (900, 1140),
}
COLOURS = "brown, grey, green, black, red, white, blue, yellow, ochre, purple"
# Known: name / column / cell
KNOWN = """
Crooked Cup/Shown In/Dunmarrow Museum; Crooked Cup/found beside/Liar's Ring; Crooked Cup/mistaken_for/Wedding Cup; Little Crooked Cup/Copy Of/Crooked Cup; Smoke Cup/Copy Of/Thumbprint; Young Margit/Copy Of/Old Margit; Old Margit/Found By/Father Tobin; Young Margit/mistaken_for/Old Margit; Snail Ring/Copy Of/Liar's Ring; Wishing Ring/Copy Of/Liar's Ring; Ring of Ljót/Copy Of/
Saint Oda/Shown In/Ostrey Castle; Saint Oda's Key/found beside/Saint Oda; Praying Mouse/found beside/Saint Oda; Bishop/found beside/Sleepy Bishop; Sleepy Bishop/mistaken_for/Lopsided King; Golden Ram/insured for/14500 EUR; Golden Ram/Copy Of/; Green Eye/colours/green; Black Cat/colours/black; Black Sheep/colours/black; Red Aunt/colours/red; Grey Widow/colours/grey; Green Man/colours/green
Ondine/Found By/Jarek Wold; May/Found By/Ilse Hartung; Bérénice/Copy Of/; Ferryman/mistaken_for/Old Shepherd; Heron Brooch/Shown In/Old Mint; Drowned Bell/depth/610 cm; Deep Sister/depth/870 cm; Moss Key/Copy Of/Saint Oda's Key; Toll Key/Copy Of/Saint Oda's Key; Third Commandment/is_broken/yes; Mud Tablet/Copy Of/Potter's Curse
Liar's Ring/dated_to/180; Liar's Ring/Period/Reed Age; Crooked Cup/dated_to/320; Crooked Cup/Copy Of/; Mud Tablet/dated_to/263; Crooked Cup/Period/Early Salt; Old Margit/dated_to/125; Old Margit/Period/Reed Age; Saint Oda's Key/dated_to/505; Saint Oda's Key/Period/Late Salt; Potter's Curse/dated_to/240; Potter's Curse/Period/Reed Age; Thumbprint/dated_to/410; Thumbprint/Period/Early Salt
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def between(span, random):
    """A number of a span written low-high, the small ones more often."""
    low, high = map(int, span.split("-"))
    return low + int((high - low) * random.random() ** 1.7)


def find(name, sort, material, trench, random):
    """A find with all that needs no other find."""
    line = next(line for line in listed(SORTS, "; ") if line.startswith(sort + " "))
    grams, size, worth = line[len(sort) :].split()
    period = random.choice(list(PERIODS))
    broken = random.random() < 0.45
    deep = (300, 900) if trench == "Well Shaft" else (20, 320)
    return {
        "Find": name,
        "object type": sort,
        "Material": material.replace(",", "; "),
        "Found By": random.choice(listed(DIGGERS)),
        "trench": trench,
        "depth": f"{random.randrange(*deep, 5)} cm",
        "found_on": (
            date(random.randint(1998, 2013), 5, 4) + timedelta(random.randrange(140))
        ).isoformat(),
        "dated_to": str(random.randint(*PERIODS[period])),
        "Period": period,
        "weight": f"{between(grams, random)} g",
        "Length": f"{between(size, random) / 10:g} cm",
        "Shown In": random.choice(listed(MUSEUMS)),
        "insured for": f"{between(worth, random) * 10} EUR",
        "Drawn By": random.choice(listed(DRAWERS)),
        "colours": "; ".join(random.sample(listed(COLOURS), random.choice([1, 1, 2, 2, 3]))),
        "is_broken": "yes" if broken else "no",
        "Repaired By": random.choice(listed(MENDERS)) if broken and random.random() < 0.8 else "",
    }


def hoard(random):
    """Every find of every trench, and which belongs to which."""
    rows = []
    for block in FINDS.strip().splitlines():
        trench, names = block.split(": ", 1)
        rows += [find(*one.split("/"), trench, random) for one in names.split("; ")]
    names = [row["Find"] for row in rows]
    single = [row for row in rows if names.count(row["Find"]) == 1]
    for row in rows:
        others = [o for o in single if o is not row]
        near = [o["Find"] for o in others if o["trench"] == row["trench"]]
        older = [
            o["Find"]
            for o in others
            if o["object type"] == row["object type"] and int(o["dated_to"]) < int(row["dated_to"])
        ]
        alike = [
            o["Find"]
            for o in others
            if o["object type"] == row["object type"] or o["Material"] == row["Material"]
        ]
        row["found beside"] = random.choice(near)
        row["Copy Of"] = random.choice(older) if older and random.random() < 0.5 else ""
        row["mistaken_for"] = random.choice(alike) if random.random() < 0.6 else ""
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Find"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("finds.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(hoard(Random(83)))


if __name__ == "__main__":
    main()

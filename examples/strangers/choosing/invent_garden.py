"""Write garden.csv: the plants of an invented botanical garden, a row a plant.

All invented; a fixed seed. Hard on purpose: plants whose names are words, weekdays, months, people
and trades, namesakes of different kinds, names that share a part, a plant that is called nearly as
the lady who gave others, accents and apostrophes, heights partly in metres and partly in
centimetres, ages partly in years and partly in months, several values in a cell, a plant raised from
another one, standing beside others, under another and taken for yet another, the same people as
gardeners, planters and donors, and many cells left empty.

    python3 invent_garden.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

COLUMNS = (
    "plant",
    "kind",
    "Bed",
    "cared for by",
    "planted_by",
    "Planted On",
    "parent_plant",
    "grows next to",
    "Shaded By",
    "mistaken for",
    "Native To",
    "flower_colour",
    "blooms in",
    "height",
    "Water Per Week",
    "poisonous",
    "purchase price",
    "Donated By",
    "Lifespan",
    "first_described",
)
PLANTS = {
    "tree": "Old Bill/Thunder/Queen Ottilie/Abbot's Walking Stick/Grandfather/Patience/Jökull/Candle Tree/Weeping Judge/São Bento/Iron Nan/Sailor's Mast/Nightwatchman/Blue Ladder/Copper Duke/Ångström/Penny/Lighthouse/Queen Ottilie's Daughter",
    "shrub": "Gossip/Fool's Gold/Duchess of Wend/Duke of Wend/Bramble Kate/Señora Blanca/Little Ottilie/Hedge Parson/Firework/May/Monday/Widow Tallow/Märchen/Copper Duchess/Blushing Clerk/Storm Lantern/Apology/Żółta Ewa",
    "climber": "Silver Bells/Widow's Veil/Moon Ladder/Runaway/Étoile du Soir/Jealousy/Drunken Sexton/Captain's Rope/Clara/Long Goodbye/Çiçek/Spider Silk/Ivy Moreau",
    "perennial": "Silver Bells/Saint Brannoc's Beard/Saint Brannoc's Tears/Button/Blue Monday/Harlequin/Mother Superior/Butter Maid/Cousin Clara/Lady Corisande/Mañana/Red Herring/Tuesday's Child/Night Clerk/Łzy Anny/Sugar Thief/Whisper/Crown of Wend/Ember/Second Thoughts/Pale Rider/Marigold Finch",
    "bulb": "Fool's Gold/Moon Lantern/First Post/Snow Bride/Trumpet Major/Early Riser/Noémi/Golden Clerk/Little Thunder/Sleeping Bishop/Wren's Egg/Tears of Joy",
    "fern": "Widow's Veil/Green Lace/Bishop's Sleeve/Otter Tail/Grotto King/Grotto Queen/Feather Duster/Hush/Crête de Coq",
    "herb": "Monk's Supper/Fever Nell/Bitter Aunt/Sage Wilma/Physic Jack/Soup Green/Mint Royal/Tomorrow/Ghost Thyme/Lemon Prior",
    "cactus": "Pincushion Pete/Devil's Thimble/Cold Shoulder/El Niño Gris/Porcupine/Candelabra/Old Sergeant",
    "orchid": "Madame Zhou/Paper Tiger/Velvet Mouse/Dancing Nun/Alma/Pink Slipper/Reine Aïda/Tiger's Breath/Miss Takeda",
    "grass": "Fox Brush/Silver Comb/Hare's Whistle/Bamboo Jim/Old Broom/Sea Whisper",
    "water plant": "Lily of Wend/Frog Throne/Duck Soup/Floating Crown/Mirror/Pond Lantern",
}
# Kind: beds / native to / colours / first months of flowering / height in cm / litres a week / lifespan / price
KINDS = """
tree: Arboretum, Long Border, Walled Garden, North Slope, Palm House/Norway, Japan, Chile, Turkey, Canada, Portugal/white, pink, yellow/3, 4, 5/400, 2600/20, 60/80, 600/60, 900
shrub: Long Border, Walled Garden, North Slope, Moon Terrace/Japan, China, Turkey, Portugal, New Zealand/red, pink, white, yellow, orange/4, 5, 6, 7/60, 320/6, 18/15, 60/12, 90
climber: Walled Garden, Moon Terrace, Palm House/China, Brazil, Madagascar, Turkey/white, purple, blue, red/5, 6, 7/150, 900/5, 16/8, 40/9, 70
perennial: Long Border, Bed 7, Bed 12, Moon Terrace, Rockery/Norway, Portugal, Georgia, Mexico, New Zealand, Canada/blue, purple, red, yellow, white, pink, orange/5, 6, 7, 8/10, 140/1, 8/3, 25/3, 28
bulb: Bed 7, Bed 12, Rockery/Turkey, Georgia, South Africa/yellow, white, red, violet/1, 2, 3, 4/8, 70/1, 4/4, 20/1, 14
fern: Fern Grotto, North Slope/New Zealand, Madagascar, Norway///15, 180/4, 14/10, 70/8, 60
herb: Physic Garden, Bed 12/Portugal, Georgia, Morocco/white, violet, yellow/6, 7/12, 110/1, 5/1, 8/2, 9
cactus: Palm House, Rockery/Mexico, Chile, Peru/pink, orange, white/6, 7, 8/6, 240/1, 2/20, 120/15, 250
orchid: Orchid Room/Madagascar, Brazil, Peru, China/purple, white, pink, green, brown/1, 9, 10, 11/9, 75/1, 3/6, 30/25, 480
grass: Bed 7, North Slope, Long Border/Japan, Canada, South Africa///40, 310/3, 9/4, 20/5, 30
water plant: Lily Pond/Brazil, China, Georgia/white, pink, yellow/6, 7, 8/5, 90/, /3, 30/10, 120
"""
GARDENERS = [
    "Agnes Thorn",
    "Tobias Thorn",
    "Basil Crane",
    "Perpetua Lund",
    "Seun Adeyo",
    "Mirek Vlk",
    "Hanne Moss",
    "Sister Clemence",
]
BEDS = "Arboretum/0, Long Border/1, Walled Garden/2, North Slope/0, Palm House/4, Moon Terrace/3, Bed 7/5, Bed 12/6, Rockery/5, Fern Grotto/2, Physic Garden/7, Orchid Room/3, Lily Pond/6"
# Who planted, from which year on, until when
PLANTERS = "Augustin Wray/1871/1904, Lady Corisande Vane/1889/1926, Dr. Emeric Szabó/1924/1957, Jun Takeda/1951/1986, Agnes Thorn/1984/2024, Tobias Thorn/2009/2024, Basil Crane/1992/2024, Perpetua Lund/1998/2024, Seun Adeyo/2014/2024, Hanne Moss/2003/2024, Sister Clemence/1979/2021"
DONORS = [
    "Lady Corisande Vane",
    "Captain Elias Boom",
    "Wend Brewery",
    "University of Ostra",
    "Dr. Emeric Szabó",
    "Agnes Thorn",
    "Mayor Pilar Ortuño",
    "Kestrel School",
    "Sister Clemence",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
# What no chance may touch: plant / column / cell
FIXED = """
Queen Ottilie/Planted On/1872-04-09
Queen Ottilie/planted_by/Augustin Wray
Queen Ottilie's Daughter/parent_plant/Queen Ottilie
Queen Ottilie's Daughter/Planted On/1931-10-21
Queen Ottilie's Daughter/planted_by/Dr. Emeric Szabó
Little Ottilie/mistaken for/Apology
Lily of Wend/Donated By/Wend Brewery
Lily of Wend/purchase price/
Copper Duchess/mistaken for/Bramble Kate
Miss Takeda/planted_by/Jun Takeda
Miss Takeda/Planted On/1968-02-29
"""


def measure(cm):
    """Centimetres below a metre and a half, metres above."""
    return f"{cm / 100:.1f} m" if cm >= 150 else f"{cm} cm"


def row_of(name, kind, told, random):
    """A plant with what depends on no other plant."""
    beds, lands, colours, months, height, water, age, price = (
        t.split(", ") for t in told.split("/")
    )
    row = dict.fromkeys(COLUMNS, "") | {"plant": name, "kind": kind, "Bed": random.choice(beds)}
    usual = dict(b.split("/") for b in BEDS.split(", "))[row["Bed"]]
    carer = GARDENERS[int(usual)] if random.random() < 0.7 else random.choice(GARDENERS)
    row["cared for by"] = carer if random.random() < 0.93 else ""
    old = 0.75 if kind == "tree" else 0.3
    planters = PLANTERS.split(", ")
    who, since, until = random.choice(
        planters[:4] if random.random() < old else planters[4:]
    ).split("/")
    planted = date(int(since), 2, 1) + timedelta(random.randrange((int(until) - int(since)) * 365))
    row["planted_by"] = who if random.random() < 0.93 else ""
    row["Planted On"] = planted.isoformat() if random.random() < 0.94 else ""
    row["Native To"] = random.choice(lands) if random.random() < 0.92 else ""
    if colours[0] and random.random() < 0.93:
        row["flower_colour"] = "; ".join(random.sample(colours, random.choice((1, 1, 2))))
    if months[0] and random.random() < 0.95:
        first = int(random.choice(months))
        row["blooms in"] = "; ".join(
            MONTHS[(first - 1 + n) % 12] for n in range(random.choice((1, 2, 2, 3)))
        )
    row["height"] = measure(random.randint(*map(int, height))) if random.random() < 0.93 else ""
    if water[0]:
        row["Water Per Week"] = f"{random.randint(*map(int, water))} L"
    row["poisonous"] = random.choices(("yes", "no", ""), (25, 65, 10))[0]
    gift = random.random()
    if gift < 0.45:
        low, high = map(int, price)
        row["purchase price"] = f"{random.randint(4 * low, 4 * high) / 4:.2f} EUR"
    elif gift < 0.8:
        row["Donated By"] = random.choice(DONORS)
    if random.random() < 0.92:
        years = random.randint(*map(int, age))
        row["Lifespan"] = f"{years} years" if years > 2 else f"{years * 12 - 4} months"
    row["first_described"] = str(random.randint(1753, 1968)) if random.random() < 0.88 else ""
    return row


def main():
    """Write garden.csv beside this file."""
    random = Random(47)
    kinds = dict(line.split(": ", 1) for line in KINDS.strip().splitlines())
    rows = [row_of(n, k, kinds[k], random) for k, names in PLANTS.items() for n in names.split("/")]
    fixed = [line.split("/") for line in FIXED.strip().splitlines()]
    for name, column, cell in fixed:
        next(r for r in rows if r["plant"] == name)[column] = cell
    random.shuffle(rows)
    names = [r["plant"] for r in rows]
    for row in rows:
        alike = [
            r
            for r in rows
            if r["kind"] == row["kind"] and r is not row and names.count(r["plant"]) == 1
        ]
        older = [
            r["plant"] for r in alike if r["Planted On"] and r["Planted On"] < row["Planted On"]
        ]
        if older and random.random() < 0.55:
            row["parent_plant"] = random.choice(older)
        others = [r["plant"] for r in alike if r["plant"] != row["parent_plant"]]
        if random.random() < 0.5:
            row["mistaken for"] = random.choice(others)
        trees = [r["plant"] for r in rows if r["kind"] == "tree" and r["Bed"] == row["Bed"]]
        if trees and row["kind"] != "tree" and random.random() < 0.7:
            row["Shaded By"] = random.choice(trees)
    for bed in {r["Bed"]: None for r in rows}:
        there = [r for r in rows if r["Bed"] == bed and names.count(r["plant"]) == 1]
        for left, right in pairwise(there):
            if random.random() < 0.85:
                for one, other in ((left, right), (right, left)):
                    one["grows next to"] = "; ".join(
                        filter(None, (one["grows next to"], other["plant"]))
                    )
    for name, column, cell in fixed:
        next(r for r in rows if r["plant"] == name)[column] = cell
    with (Path(__file__).parent / "garden.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([r[c] for c in COLUMNS] for r in rows)


if __name__ == "__main__":
    main()

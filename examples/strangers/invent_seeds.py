"""Write seeds.csv: the 436 sorts that the seed house of Tarnfold keeps alive, all invented.

A row a sort: what it is, who brought it and from where, how it grows, what it stands, who tends it,
the drawer that its packets lie in and what they cost. A sort may stem from another one and grow
well beside others. Hard on purpose: names that are words, months, people and colours, namesakes of
two crops, names one letter apart, accents, apostrophes, hyphens and digits, heights partly in
metres and partly in centimetres, several values in a cell, and many cells left empty.

    python examples/strangers/invent_seeds.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from itertools import chain, islice, product
from pathlib import Path
from random import Random

COLUMNS = (
    *("sort", "crop", "found in", "collected_by", "collected_on", "Parent", "colour", "height"),
    *("sow in", "days to harvest", "resists", "germination", "climbing", "Guardian"),
    *("packets", "price", "weight_of_1000_seeds", "drawer", "grows well beside"),
)
GAPS = {
    **{"found in": 0.07, "collected_by": 0.1, "collected_on": 0.15, "colour": 0.04, "height": 0.16},
    **{"sow in": 0.05, "days to harvest": 0.12, "germination": 0.2, "climbing": 0.08},
    **{"Guardian": 0.1, "packets": 0.04, "price": 0.1, "weight_of_1000_seeds": 0.35},
}
"""How often a cell is left empty."""
# Crop / how many / least and most cm / days / grams of 1000 / share that climbs / months / colours.
CROPS = """
bean/36/35-290/58-118/180-900/0.6/April, May, June/black, white, brown, purple, yellow, speckled
pea/26/40-220/60-100/120-340/0.7/February, March, April, October/green, grey, purple, white
tomato/34/40-230/65-105/2-4/0.2/February, March, April/red, yellow, orange, black, pink, striped
lettuce/22/12-40/45-80/0.8-1.3/0/March, April, July, August/green, red, bronze, speckled
kale/16/40-190/70-150/3-4.5/0/April, May, June/green, blue, red, black
cabbage/18/25-70/80-190/3-5/0/February, March, June/green, white, red
carrot/18/20-45/70-130/1-2/0/March, April, May, June/orange, yellow, white, purple
beetroot/14/20-45/55-110/12-20/0/April, May, June/red, yellow, white, striped
onion/16/35-75/100-180/3-4.4/0/February, March, August/brown, red, white, yellow
leek/12/40-110/110-220/2.4-3.2/0/January, February, March/green, blue, white
turnip/14/20-50/40-85/2-3.6/0/March, April, July, August/white, yellow, purple
radish/16/8-30/22-60/7-12/0/March, April, May, August, September/red, white, black, pink
spinach/12/15-45/35-70/8-14/0/March, April, August, September/green
squash/24/40-320/85-140/80-320/0.5/April, May/orange, grey, green, white, striped
cucumber/16/40-240/50-80/20-34/0.7/April, May/green, white, yellow
pepper/20/35-110/75-130/5-9/0/February, March/red, yellow, green, purple, brown
maize/16/120-310/80-145/130-420/0/April, May/yellow, white, blue, red, black
wheat/16/55-150/110-290/32-56/0/March, September, October/red, white, brown
barley/12/50-120/85-250/34-52/0/March, April, September/yellow, black, white
oat/12/60-150/95-140/26-42/0/March, April/white, black, yellow
flax/8/45-120/90-120/4-11/0/April, May/blue, white
sunflower/14/60-340/70-120/40-110/0/April, May/yellow, orange, brown, red
poppy/12/35-120/70-110/0.3-0.6/0/March, April, September/red, white, pink, purple, black
sweet pea/14/45-230/80-110/65-90/0.8/March, April, October/pink, white, purple, red, blue
basil/10/20-70/50-80/1-1.9/0/April, May/green, purple
dill/8/50-130/40-75/1.1-2/0/April, May, June/green, blue
"""
# Names that somebody thought of; the rest is made of villages and praise, or of somebody.
NAMED = """
bean: May; Nobody's Bean; Widow Tansy; Black Monk; Black Mönch; Long Tom; Long Tim; King Oskar; Aunt Ida; Café au Lait; Fürst Leopold; Snake in the Grass; Seven Weeks; Grandmother's Buttons;
  Trail of Tears; Lazy Housewife; Number 9; Number 19; Ti'a Rosa; Good Friday; Swallow
pea: Will; Early Bird; Late Bird; King Oskar; Purple Rain; Grey Friar; Little Sister; Big Sister; First of June; Señorita; Half Moon; Robin; Sugar Prince; The Marrow
tomato: Golden Ball; Ox Tongue; Ox Heart of Brede; Brandy; Sunday Best; Black Widow; Čierna Mača; Crème d'Orsay; Peach Melba; Fireman; Fireman II; Little Fireman; Green with Envy; Madame Zou; Tante Käthe;
  Snow White; Rosa's Lemon; Miner's Lamp; Patience
lettuce: Ice Queen; Trout Back; Lazy Nun; Bronze Mirror; Oak; Hard Head; Winter Maid; Blush; Four Winds; Dumpling; Grüner Teller
kale: Ragged Jack; Ragged Jill; Blå Kung; Hungry Gap; Walking Stick; Palm of Ferro; Crow; Sailor's Collar
cabbage: Cannonball; Bishop's Hat; Old Faithful; Winter Maid; Drumhead of Arle; Savoie d'Hiver; Snow White; January; Red Rector
carrot: Miner; Donkey's Delight; Blunt Nose; Blunt Noses; Amber Finger; Belle Éloïse; White Horse; Lantern; Autumn
beetroot: Bull's Blood; Candy Wheel; Old Soldier; Golden Ball; Mud Pie; Żubr; Detective
onion: Weeping Willow; Long Keeper; Lady of Ware; Tear Jerker; Red Baron of Oye; Bottle; Zittern; Copper Kettle
leek: Prize Fighter; Blue Solitaire; Gaunt; Musselby; Géant d'Hiver; Chimney
turnip: Golden Ball; Milk Stool; Snowball; Purple Prince; Nabo Niño; Lantern; Hard Times
radish: Red Nose; Mouse Tail; Black Spaniard; Eighteen Days; Pink Slip; Münchner Kind; Icicle; Sparks
spinach: Iron Will; Giant Leaf; Perpetua; Green Sleeves; Épinard Fidèle
squash: Turk's Cap; Hubby; Uncle Fester; Bride; Crown of Thorne; Crown Prince; Sweet Dumpling; Goose Neck; Iron Pot; Zapallo Ñandú; Nine Lives; Moonface; Ghost; Candle; Queensland Ghost
cucumber: Cool Customer; White Wonder; Little Devil; Gherkin Jim; Long Boat; Lemon; Crystal; Șarpe
pepper: Devil's Tongue; Little Bell; Fish; Hungarian Widow; Bull's Horn; Bull Horns; Sweet Nothing; Paprika Ágnes; Chocolate; Matchstick; Cornet; Bell of Sant'Oro
maize: Strawberry; Blue Jade; Rainbow's End; Painted Lady; Tall Story; Giant of Ruda; Glass Gem; Hopi's Blush
wheat: Red Lammas; Monk; Old Squire; Rivet; Bearded Ole; Sixty Days; Weißer Bart; Miracle
barley: Black Nun; Two Rows; Six Rows; Bere of Orra; Hail Mary; Whisky Jack
oat: Sand; Black Tar; Potato Oat; Ole; Flying Horse; Naked Truth
flax: Sky; Blue Monday; Nun's Linen; Lena
sunflower: Giant Leaf; Giraffe; Velvet; Sol; Big Smile; Old Gold; Teddy
poppy: Drowsy; Cardinal; Lady Ash; Breadseed of Hradec; Black Swan; Lauren; Pepper Pot
sweet pea: Painted Lady; Cupid; Black Knight; Mrs. Collier; Matilda; Miss Willmore; Heaven; Señor
basil: Lemon; Holy; Cinnamon; Purple Ruff; Genovina
dill: Mammoth; Bouquet; Tetra; Fern
"""
VILLAGES = """Tarnfold, Arle, Brede, Oye, Ware Hatch, Lower Ware, Thorne, Ruda, Hradec, Orra, Ferro, Sant'Oro, Musselby, Käsmark, Rivington Dale, Nunney Cross, Old Quarry, Sweetwater, Little Gap, Ashby Fen, Żelin,
Côte-Basse, Høyvik, Bellmouth, Cold Ash, Marnhill, Penrose, Wexley, Dry Sandford, Hope End, Monks Ely, Lund, Villa Ñora, Tolmach, Upper Slade, Slade, Stoke Abbot, Fiddler's Reach, Grey Wethers, Quern"""
PRAISE = """Favourite, Prize, Wonder, Keeper, Beauty, Surprise, Pride, Glory, Delight, Triumph, Marvel, Staple, Comfort, Gem"""
ADDRESSES = """Old, Sweet, Fat, Proud, Poor, Saint, Merry, Tiny, Captain, Doctor"""
GIVEN = """Agnes, Barnaby, Clement, Dora, Edith, Fritz, Gwen, Hilda, Ivan, Josefa, Kaspar, Léonie, Magnus, Noémi, Oswin, Peg, Renske, Silvester, Tilly, Ursula, Wenzel"""
COLLECTORS = """Ruth Pask, Hanneke Vos, Ambrose Lyle, Dr. Ilka Brandt, Tom Collier, Bea Collier, J. J. Farrant, Father Aldo, Mirjam Eck, Olu Adeyo, Sir Hew Tarrant, Benedikt Šebesta, Florence Dray, the Quern School,
Ana Lucía Prieto, Wynn Garth, Ottoline Gray, Ottilie Grey, Kazimir Roth, Per Nyland, Lily Rose Meadows, Marguerite d'Ault, Rosa Thorn, Ned Harrow, Sister Perpetua, Yusra Haddad, Emrys Vale, Noé Lacombe"""
GUARDIANS = """Alma Winter, Bert Underhill, Cato Lindqvist, Dilys Parry, Ewan Stoat, Fern Hatherley, Gus Arkwright, Hedy Baum, Iris Field, Joost de Groot, Kit Marlow, Kitty Marlow, Lotte Sommer, Moss Tierney, Nuala Breen,
Old Mr. Peck, Young Mr. Peck, Pia Østergaard, Quinn Abara, Rowan Ashe, Saoirse Daly, Theo Barley, Una Flint, Violet Greene, Walter Frost, Xavi Puig, Yann Kerbrat, Zdeněk Holub, April Showers, Ruth Pask, Tom Collier"""
PESTS = "frost, drought, rust, mildew, slugs, blight, aphids, wind, canker, birds"
# What a name gives away: sort / crop / column / cell.
KNOWN = """
Bull's Blood/beetroot/colour/red; Black Monk/bean/colour/black; Purple Rain/pea/colour/purple; Grey Friar/pea/colour/grey; Golden Ball/tomato/colour/yellow; Golden Ball/turnip/colour/yellow
Golden Ball/beetroot/colour/yellow; Snow White/tomato/colour/white; Snow White/cabbage/colour/white; Red Rector/cabbage/colour/red; Blue Solitaire/leek/colour/blue; Purple Prince/turnip/colour/purple; White Wonder/cucumber/colour/white
Red Nose/radish/colour/red; Black Spaniard/radish/colour/black; Blue Jade/maize/colour/blue; Red Lammas/wheat/colour/red; Black Nun/barley/colour/black; Black Tar/oat/colour/black; Seven Weeks/bean/days to harvest/49
Eighteen Days/radish/days to harvest/18; Sixty Days/wheat/days to harvest/60; Black Swan/poppy/colour/black; Old Gold/sunflower/colour/yellow; Purple Ruff/basil/colour/purple; Giraffe/sunflower/height/3.6 m; Tall Story/maize/height/3.1 m
Black Widow/tomato/colour/black; Fireman II/tomato/Parent/Fireman; Little Fireman/tomato/Parent/Fireman II; Queensland Ghost/squash/Parent/Ghost; Ox Heart of Brede/tomato/found in/Brede; Giant of Ruda/maize/found in/Ruda
Crown of Thorne/squash/found in/Thorne; Bere of Orra/barley/found in/Orra; Breadseed of Hradec/poppy/found in/Hradec; Palm of Ferro/kale/found in/Ferro; Drumhead of Arle/cabbage/found in/Arle; Red Baron of Oye/onion/found in/Oye
Nabo Niño/turnip/Parent/Milk Stool; Bell of Sant'Oro/pepper/found in/Sant'Oro; Big Sister/pea/Parent/Little Sister; Long Tim/bean/Parent/Long Tom; Mrs. Collier/sweet pea/collected_by/Tom Collier; Holy/basil/collected_by/Father Aldo
Perpetua/spinach/collected_by/Sister Perpetua; Purple Rain/pea/Parent/Grey Friar; Blunt Noses/carrot/Parent/Blunt Nose; Trail of Tears/bean/Parent/Black Monk; Weißer Bart/wheat/Parent/Old Squire; Icicle/radish/colour/white
"""
Sort = dict[str, str]


def listed(text: str, comma: str = ", ") -> list[str]:
    """What a constant above names, one after another."""
    return text.strip().replace("\n", " ").replace("  ", " ").split(comma)


def names(random: Random) -> dict[str, list[str]]:
    """The names of each crop's sorts, those that somebody thought of first."""
    villages, praise, given = listed(VILLAGES), listed(PRAISE), listed(GIVEN)
    whose = [f"{name}'s" for name in given]
    pairs = ((villages, praise), (listed(ADDRESSES), given), (whose, praise))
    made = [random.sample(list(product(*pair)), 80) for pair in pairs]
    rest = map(" ".join, chain.from_iterable(zip(*made, strict=True)))
    found = {}
    for block in NAMED.strip().replace("\n  ", " ").splitlines():
        crop, thought_of = block.split(": ", 1)
        found[crop] = thought_of.split("; ")
    for line in CROPS.strip().splitlines():
        crop, size, *_ = line.split("/")
        found[crop] += islice(rest, int(size) - len(found[crop]))
    return found


def tall(centimetres: float) -> str:
    """A height as a packet has it: 35 cm, 1.2 m."""
    return f"{centimetres / 100:.1f} m" if centimetres >= 100 else f"{centimetres:.0f} cm"


def skewed(choices: list[str], random: Random) -> str:
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.6)]


def several(choices: list[str], most: int, random: Random) -> str:
    """A few of some as a cell lists them, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def sort_of(name: str, line: str, random: Random) -> Sort:
    """A sort with all that needs no other sort."""
    crop, _, heights, days, weights, climbs, months, colours = line.split("/")
    low, high = (int(bound) for bound in heights.split("-"))
    quick, slow = (int(bound) for bound in days.split("-"))
    light, heavy = (float(bound) for bound in weights.split("-"))
    grams = light * (heavy / light) ** random.random()
    first, drawn = listed(months), random.randrange(len(listed(months)))
    return {
        "sort": name,
        "crop": crop,
        "found in": skewed(listed(VILLAGES), random),
        "collected_by": skewed(listed(COLLECTORS), random),
        "collected_on": (date(1958, 4, 1) + timedelta(random.randrange(24400))).isoformat(),
        "colour": several(listed(colours), 1 if random.random() < 0.7 else 2, random),
        "height": tall(low * (high / low) ** random.random()),
        "sow in": "; ".join(first[drawn : drawn + random.randint(1, 2)]),
        "days to harvest": str(random.randint(quick, slow)),
        "resists": several(listed(PESTS), 3, random) if random.random() < 0.72 else "",
        "germination": f"{min(99, round(random.gauss(82, 11)))} %",
        "climbing": "yes" if random.random() < float(climbs) else "no",
        "Guardian": skewed(listed(GUARDIANS), random),
        "packets": str(int(240 * random.random() ** 2)),
        "price": f"{random.randint(15, 65) / 10:.2f} EUR",
        "weight_of_1000_seeds": f"{grams:.2g} g" if grams < 10 else f"{grams:.0f} g",
        "drawer": f"{random.choice('ABCDEFGH')}{random.randint(1, 28)}",
    }


def sorts(random: Random) -> list[Sort]:
    """Return all rows."""
    lines = {line.split("/")[0]: line for line in CROPS.strip().splitlines()}
    every = names(random)
    rows = [sort_of(name, lines[crop], random) for crop in lines for name in every[crop]]
    named = [row["sort"] for row in rows]
    single = [row for row in rows if named.count(row["sort"]) == 1]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        older = [
            other["sort"]
            for other in single
            if other["crop"] == row["crop"] and "" < other["collected_on"] < row["collected_on"]
        ]
        others = [other["sort"] for other in single if other["crop"] != row["crop"]]
        if older and random.random() < 0.42:
            row["Parent"] = random.choice(older)
        if random.random() < 0.34:
            row["grows well beside"] = several(random.sample(others, 5), 3, random)
    for fact in KNOWN.strip().replace("\n", "; ").split("; "):
        name, crop, column, cell = fact.split("/")
        row = next(row for row in rows if (row["sort"], row["crop"]) == (name, crop))
        row[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("seeds.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorts(Random(11)))


if __name__ == "__main__":
    main()

"""Write shop.csv: the catalogue of an invented shop for outdoor equipment, a row a subject.

All invented; a fixed seed. Articles, their makers and the shop's colleagues share one table. Hard on
purpose: articles whose names are words, days and animals, namesakes of two kinds, names that share a
part, accents, weights partly in g and partly in kg, guarantees in months and in years, parts that fit
several articles, chains of replacements, several values in a cell, and many cells left empty.

    python3 invent_shop.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("item", "Kind", "made_by", "designed by", "Fits", "replaces", "buyer", "shelf"),
    *("retail_price", "Weight", "material", "Colours", "in_the_range_since", "Guarantee"),
    *("waterproof", "pieces in stock", "Based In", "FOUNDED", "founded_by", "reports_to"),
)
GAPS = {
    "designed by": 0.2,
    "buyer": 0.06,
    "shelf": 0.08,
    "retail_price": 0.05,
    "Weight": 0.08,
    "material": 0.1,
    "Colours": 0.15,
    "in_the_range_since": 0.1,
    "Guarantee": 0.2,
    "waterproof": 0.1,
    "pieces in stock": 0.08,
}
# Kind / shelf letters / euros / grams / percent waterproof / materials
KINDS = """
tent/AB/149-890/1100-6800/95/nylon, polyester, aluminium, cotton
sleeping bag/B/59-520/480-2300/15/down, nylon, polyester, wool
boots/C/89-340/760-1900/70/leather, rubber, wool, nylon
stove/D/24-210/75-1400/0/steel, brass, aluminium, titanium
rope/E/35-260/900-4600/30/nylon, hemp, polyester
rucksack/F/45-330/420-2900/40/nylon, canvas, leather, polyester
jacket/G/79-480/240-1250/75/nylon, wool, down, polyester, cotton
lamp/H/15-140/40-900/60/aluminium, glass, brass, plastic
cookware/D/9-95/60-1300/100/titanium, steel, enamel, beechwood
axe/K/39-190/380-2100/0/steel, ash wood, leather
part/LM/4-69/15-640/30/aluminium, steel, nylon, rubber, brass
gloves/G/19-120/60-310/50/leather, wool, nylon
"""
# Kind: name / maker / designer / replaces / what it fits
ARTICLES = """
tent: Heron/Nordal/Sunniva Dahl/Old Heron; Old Heron/Nordal/Sunniva Dahl/Nest; Nest/Nordal/Arne Nordal; Whisper/Two Sisters/Pia Kranz/Loud House; Loud House/Two Sisters/Rosa Kranz; Åska/Tärnviks/Sunniva Dahl; Palais Royal/Ateliers Duvoisin/Noé Lacroix/Petit Palais; Petit Palais/Ateliers Duvoisin/Lucie Duvoisin; Tortoise/Little Bear/Wren Ashby; Hare/Little Bear/Wren Ashby/Tortoise; Castle/Ridgeway/Tom Ridge; Señal/Casa Peñasco/Íñigo Peñasco
sleeping bag: Monday/Little Bear/Wren Ashby; Sunday/Little Bear/Wren Ashby/Monday; Dormouse/Two Sisters/Rosa Kranz; Marmot Hole/Two Sisters/Rosa Kranz/Dormouse; Cocoon/Nordal/Arne Nordal; Édredon/Ateliers Duvoisin/Lucie Duvoisin; Polar Night/Frost & Daughters/Helga Frost/Cold Night; Cold Night/Frost & Daughters/Helga Frost; Mild Night/Frost & Daughters/Birgit Frost
boots: Marten/Żbik/Jacek Żbik; Pilgrim/Casa Peñasco/Íñigo Peñasco; Old Pilgrim/Casa Peñasco/Marta Peñasco; Seven Miles/Żbik/Jacek Żbik/Six Miles; Six Miles/Żbik/Jacek Żbik/Five Miles; Five Miles/Żbik/Jacek Żbik; Puddle/Little Bear/Wren Ashby; Gams/Brandt & Sohn/Veit Brandt; Postman/Ridgeway/Tom Ridge; Stilt/Nordal/Sunniva Dahl/Pilgrim
stove: Ember/Flint/Saul Flint/Spark; Spark/Flint/Saul Flint; Dragon/Flint/Dora Flint/Ember; Feu Follet/Ateliers Duvoisin/Lucie Duvoisin; Salamander/Brandt & Sohn/Veit Brandt; Tea for One/Two Sisters/Pia Kranz; Świetlik/Żbik/Jacek Żbik; Kitchen/Ridgeway/Tom Ridge
rope: Long John/Harbour Rope Works/Meg Tarr; Short John/Harbour Rope Works/Meg Tarr; Lifeline/Harbour Rope Works/Meg Tarr/Long John; Spider/Brandt & Sohn/Veit Brandt; Cuerda Níspero/Casa Peñasco/Marta Peñasco; Clothesline/Ridgeway/Wren Ashby; Bell Rope/Harbour Rope Works/Petra Bell
rucksack: Snail/Little Bear/Wren Ashby/Small Snail; Small Snail/Little Bear/Wren Ashby; Sherpa's Sunday/Nordal/Arne Nordal; Mule/Casa Peñasco/Íñigo Peñasco; Stubborn Mule/Casa Peñasco/Íñigo Peñasco/Mule; Lumière/Ateliers Duvoisin/Noé Lacroix; Packhorse/Ridgeway/Tom Ridge; Fjord/Tärnviks/Sunniva Dahl
jacket: Heron/Two Sisters/Pia Kranz; Drizzle/Nordal/Arne Nordal/Mizzle; Mizzle/Nordal/Arne Nordal; Downpour/Nordal/Sunniva Dahl/Drizzle; Storm Warning/Tärnviks/Sunniva Dahl; Shepherd/Żbik/Jacek Żbik; Onion/Frost & Daughters/Helga Frost; April/Two Sisters/Rosa Kranz; Søndag/Tärnviks/Noé Lacroix
lamp: Ember/Two Sisters/Pia Kranz; Glow-worm/Flint/Dora Flint; Lighthouse/Harbour Rope Works/Meg Tarr; Moon/Little Bear/Wren Ashby/Half Moon; Half Moon/Little Bear/Wren Ashby; Étincelle/Ateliers Duvoisin/Noé Lacroix; Owl Eye/Brandt & Sohn/Veit Brandt
cookware: Big Pot/Flint/Dora Flint//Dragon, Kitchen; Soup Moon/Two Sisters/Pia Kranz//Ember, Tea for One; Spork/Flint/Saul Flint; Kåsa/Tärnviks/Sunniva Dahl; Enamel Mug/Ridgeway/Tom Ridge; Jug of Plenty/Brandt & Sohn/Veit Brandt//Salamander
axe: Woodpecker/Brandt & Sohn/Veit Brandt/Beaver; Beaver/Brandt & Sohn/Veit Brandt; Uncle Gunnar/Tärnviks/Sunniva Dahl; Matchmaker/Ridgeway/Tom Ridge
gloves: Marten/Żbik/Jacek Żbik; Snowball/Frost & Daughters/Birgit Frost; Five Friends/Little Bear/Wren Ashby
part: Storm Pegs/Brandt & Sohn/Veit Brandt/Plain Pegs/Castle, Whisper, Åska; Plain Pegs/Brandt & Sohn/Veit Brandt//Castle, Loud House; Nest Pole/Nordal/Arne Nordal//Nest, Old Heron; Fire Valve/Flint/Saul Flint//Spark, Dragon; Wind Shield/Flint/Dora Flint/Tin Screen/Dragon, Salamander, Świetlik; Tin Screen/Flint/Saul Flint//Spark; Red Laces/Żbik/Jacek Żbik//Seven Miles, Six Miles, Pilgrim; Ice Teeth/Brandt & Sohn/Veit Brandt//Gams, Seven Miles; Rain Hood/Casa Peñasco/Marta Peñasco//Mule, Stubborn Mule; Hip Belt/Nordal/Arne Nordal//Sherpa's Sunday; Thunder Mat/Tärnviks/Sunniva Dahl//Åska; Floor for a Palace/Ateliers Duvoisin/Lucie Duvoisin//Palais Royal, Petit Palais; Snail Shell/Little Bear/Wren Ashby//Snail, Small Snail; Spare Wick/Two Sisters/Pia Kranz//Lighthouse, Moon; Axe Collar/Ridgeway/Tom Ridge//Woodpecker, Uncle Gunnar; Rope Bag/Harbour Rope Works/Meg Tarr//Long John, Lifeline, Spider
"""
MAKERS = """
Nordal/Vik/1962/Arne Nordal; Tärnviks/Östra Bro/1921/Gunnar Tärn; Two Sisters/Kranzberg/2003/Pia Kranz, Rosa Kranz; Ateliers Duvoisin/Saint-Aubry/1898/Lucien Duvoisin; Little Bear/Millbrook/1999/Wren Ashby; Ridgeway/Millbrook/1974/Tom Ridge; Casa Peñasco/Peñalba/1949/Marta Peñasco; Frost & Daughters/Vik/1987/Helga Frost; Żbik/Wysoka/1993/Jacek Żbik; Brandt & Sohn/Kranzberg/1856/Otto Brandt; Flint/Cinder Hill/2001/Saul Flint, Dora Flint; Harbour Rope Works/Gull Harbour/1830/
"""
# Colleague / boss / where he or she works
COLLEAGUES = """
Ida Moss//Millbrook; Tomás Rey/Ida Moss/Millbrook; Birgit Frost/Ida Moss/Vik; Jonas Bell/Tomás Rey/Gull Harbour; Petra Bell/Tomás Rey/Millbrook; Noé Lacroix/Birgit Frost/Vik; Wren Ashby/Birgit Frost/Millbrook
"""
BUYERS = {
    "tent": "Tomás Rey, Birgit Frost",
    "sleeping bag": "Birgit Frost",
    "boots": "Petra Bell, Noé Lacroix",
    "stove": "Jonas Bell",
    "rope": "Jonas Bell, Petra Bell",
    "rucksack": "Noé Lacroix, Wren Ashby",
    "jacket": "Petra Bell, Birgit Frost",
    "lamp": "Wren Ashby",
    "cookware": "Jonas Bell, Wren Ashby",
    "axe": "Tomás Rey",
    "part": "Jonas Bell, Wren Ashby, Noé Lacroix",
    "gloves": "Petra Bell",
}
HUES = ["red", "green", "blue", "grey", "black", "orange", "yellow", "sand"]
# Known: item / Kind / column / cell
KNOWN = """
Castle/tent/Weight/6.8 kg; Spork/cookware/Weight/18 g; Palais Royal/tent/retail_price/1150.00 EUR; Spare Wick/part/retail_price/3.50 EUR; Uncle Gunnar/axe/Guarantee/30 years; Monday/sleeping bag/pieces in stock/0; Nest/tent/pieces in stock/0; Five Miles/boots/pieces in stock/0; Uncle Gunnar/axe/designed by/Gunnar Tärn
Nest/tent/in_the_range_since/2004-05-17; Nest/tent/replaces/; Lifeline/rope/buyer/Petra Bell; Dragon/stove/shelf/D3; Beaver/axe/in_the_range_since/2004-04-02; Heron/tent/buyer/Tomás Rey; Seven Miles/boots/buyer/Noé Lacroix; Ember/stove/designed by/Saul Flint; Whisper/tent/Weight/1.3 kg; Señal/tent/Colours/orange; Moon/lamp/designed by/
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def heavy(grams):
    """A weight as a label has it: 320 g, 1.4 kg."""
    return f"{grams / 1000:.1f} kg" if grams >= 1000 else f"{round(grams / 5) * 5} g"


def article(kind, line, random):
    """An article with all its cells."""
    name, maker, designer, replaces, fits = ([*line.split("/"), "", ""])[:5]
    row = next(each for each in listed(KINDS, "\n") if each.startswith(kind + "/")).split("/")
    (cheap, dear), (light, fat) = ([int(n) for n in row[at].split("-")] for at in (2, 3))
    cells = {
        "item": name,
        "Kind": kind,
        "made_by": maker,
        "designed by": designer,
        "Fits": fits.replace(", ", "; "),
        "replaces": replaces,
        "buyer": random.choice(BUYERS[kind].split(", ")),
        "shelf": random.choice(row[1]) + str(random.randint(1, 6)),
        "retail_price": f"{int(cheap * (dear / cheap) ** random.random()) + random.choice([0, 0.5, 0.9, 0.95]):.2f} EUR",
        "Weight": heavy(light * (fat / light) ** random.random()),
        "material": several(row[5].split(", "), 2, random),
        "Colours": several(HUES, 3, random),
        "in_the_range_since": (date(2005, 1, 1) + timedelta(random.randrange(7200))).isoformat(),
        "Guarantee": random.choice(
            [
                "6 months",
                "18 months",
                "1 year",
                "2 years",
                "2 years",
                "3 years",
                "5 years",
                "10 years",
            ]
        ),
        "waterproof": "yes" if random.random() * 100 < int(row[4]) else "no",
        "pieces in stock": str(
            random.choice([0, 1, 2, 3, random.randint(4, 40), random.randint(4, 140)])
        ),
    }
    return cells | {column: "" for column, share in GAPS.items() if random.random() < share}


def subjects(random):
    """Return all rows."""
    rows = []
    for block in listed(ARTICLES, "\n"):
        kind, lines = block.split(": ", 1)
        rows += [article(kind, line, random) for line in listed(lines)]
    for _ in range(3):  # what replaces something came after it
        for new in rows:
            for old in rows:
                if (new["replaces"], new["Kind"]) == (old["item"], old["Kind"]):
                    a, b = new["in_the_range_since"], old["in_the_range_since"]
                    if a and b:
                        new["in_the_range_since"], old["in_the_range_since"] = max(a, b), min(a, b)
    for fact in listed(KNOWN):
        name, kind, column, cell = fact.split("/")
        next(row for row in rows if (row["item"], row["Kind"]) == (name, kind))[column] = cell
    for line in listed(MAKERS):
        name, town, year, people = line.split("/")
        rows.append(
            {
                "item": name,
                "Kind": "maker",
                "Based In": town,
                "FOUNDED": year,
                "founded_by": people.replace(", ", "; "),
            }
        )
    for line in listed(COLLEAGUES):
        name, boss, town = line.split("/")
        rows.append({"item": name, "Kind": "colleague", "Based In": town, "reports_to": boss})
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("shop.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(subjects(Random(47)))


if __name__ == "__main__":
    main()

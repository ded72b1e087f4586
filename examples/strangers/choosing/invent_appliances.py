"""Write appliances.csv: what an invented shop for kitchen and household machines sells, a row a product.

All invented; a fixed seed. Hard on purpose: products whose names are words, months, colours and materials,
names that share a part or lie within another's, accents, apostrophes, a maker called like a town, several
values in a cell, products that replace, fit or are bought with other products of the table, and many
cells left empty.

    python invent_appliances.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "product|Kind|maker|Assembled In|list_price|weight|Power|noise_level|Warranty|on_sale_since|Design Year|designed by|colours|Materials|Accessory For|replaced_by|Often Bought With|pieces left|aisle|dishwasher_safe".split(
    "|"
)
GAPS = {
    "Assembled In": 0.06,
    "list_price": 0.04,
    "weight": 0.08,
    "Power": 0.06,
    "noise_level": 0.15,
    "Warranty": 0.08,
    "on_sale_since": 0.04,
    "Design Year": 0.15,
    "designed by": 0.15,
    "colours": 0.05,
    "Materials": 0.12,
    "Often Bought With": 0.25,
    "pieces left": 0.08,
    "aisle": 0.06,
}
# Kind, EUR, hundred grams, watts, decibels: names, older ones first
MACHINES = """
kettle 24-119 8-19 1800-2400 56-76: Old Faithful; March; Whistling Aunt; Kolibri; Żubr; Kolibri Plus; Teatime
toaster 22-139 11-34 700-1600 30-42: August; Crumb King; Crumb King Duo; Señorita; Sunrise; Hop
blender 39-289 19-52 400-1800 74-92: Storm; Storm Junior; L'Orage; Maelstrom; Velvet; Green Giantess
hand mixer 19-79 7-14 200-500 68-80: Whisk Me Away; Bella; Tante Käthe
stand mixer 149-649 52-119 500-1500 66-78: Baker's Friend; Ox; Baker's Friend XL; Nonna's Secret; Dough Boy
coffee machine 59-1190 24-128 900-1700 58-72: Monday; Monday Morning; Caffè Fosco; Barista's Dog; Éclipse; Short Black
coffee grinder 29-249 9-31 100-250 70-82: Pepper; Grumble
vacuum cleaner 79-549 31-79 450-900 62-80: Whisper; Tornado; Dust-Eater; Tornado Junior; Hamster; Silent Night
iron 19-159 9-16 1800-3000 50-60: Feather; Steam Queen; Flat Earth; Steam Queen Mini
fan 25-219 14-64 25-60 38-61: Brisa; Brisa Mini; Brisa Mini Go; Mistral Nine; North Wind
heater 35-199 21-98 750-2500 36-52: Cosy; Vulkan; Little Sun; Žár
washing machine 379-1149 580-780 1900-2300 68-79: Cascade; Clean Slate; Cascade Eco; Washerwoman
dishwasher 329-999 330-520 1800-2200 40-52: Tide; Low Tide; Friday Evening
fridge 299-1490 380-960 80-160 32-43: Polar; Penguin; Big Penguin; Igloo; Little Igloo
rice cooker 29-189 18-49 350-900 30-38: Lotus; Ōkami
ice cream maker 49-329 32-109 90-200 55-66: Bella; January; Gelato Nero; Snö
waffle iron 24-109 15-38 800-1300 28-34: Grand-mère; Heart; Sunday Best
juicer 29-239 16-58 150-900 64-80: Vitamin; Lemon
slow cooker 35-149 33-68 160-320 26-30: Turtle; Patience; Overnight
sewing machine 99-699 54-98 60-110 60-70: Stitch; Grasshopper; Seam Team
oven 199-1290 280-460 2200-3600 42-54: Red Dragon; Hearth; Salamander
"""
# Name / kind / what it fits, with EUR and hundred grams by hand
EXTRAS = """
Captain Hook/dough hook/Baker's Friend/18/3; Captain Hook XL/dough hook/Baker's Friend XL/24/5; Tagliatella/pasta cutter/Nonna's Secret/69/9; Snowball/mixing bowl/Ox/45/14; Goldilocks/mixing bowl/Baker's Friend XL/59/16; Milk Cow/milk jug/Caffè Fosco/29/4; Latte Larry/milk frother/Barista's Dog/49/6; Clearwater/water filter/Monday/14/1; Clearwater Twin/water filter/Éclipse/22/2; Steel/coffee beaker/Short Black/17/3
Pocketful/dust bag/Tornado/9/1; Pocketful Maxi/dust bag/Dust-Eater/12/1; Parquet Pal/floor brush/Whisper/26/5; Crevasse/narrow nozzle/Hamster/11/2; Cat's Tail/floor brush/Silent Night/34/6; Smooth Operator/ironing board/Steam Queen/89/62; Cherry/smoothie cup/Storm/15/2; To Go/smoothie cup/Storm Junior/15/2; Tall Order/jug/L'Orage/37/17
Bun Rack/bread rest/August/8/2; Stars and Moons/waffle plates/Heart/27/11; Cone Home/cone maker/Grand-mère/31/8; Frosty/freezing bowl/Gelato Nero/42/21; Eisbär/freezing bowl/January/38/19; Cutlery Castle/cutlery basket/Low Tide/19/4; Bamboo/steam basket/Lotus/21/5; Featherweight/stand/North Wind/33/28; Silver Foot/sewing foot/Grasshopper/12/1; Stone Age/pizza stone/Salamander/44/35; Lid for Turtle/lid/Turtle/16/8; Lemon Squeezy/strainer/Lemon/9/1
"""
MAKERS = "Grindelby, Pottle & Daughters, Casa Fiorlunga, Brømsund, Tekkelmann, Maison Courtebise, Drovnak, North Ferry Electric, Hasselwick, Hasselwick Junior"
TOWNS = "Kettlewick, Port Anselm, Drovnak, Sankt Ilgau, Mirefield, Vila Morosa, Oostmeerle, Łubżany, Bay of Pans"
DESIGNERS = "Tilda Rosenquast, Ivo Marschek, Aoife Brannoch, Hugo Brannoch, Paolo Verzinelli, Lise-Marie Outhière, Nnamdi Okwuaso, Jun Takemorita, Gray Steelman"
COLOURS = "white, black, red, cream, silver, mint, navy, yellow, pink, copper, olive"
STUFF = "steel, plastic, glass, aluminium, ceramic, bamboo, silicone, cast iron, copper"
AISLES = "A1, A2, B1, B2, B3, C1, C2, Window, Cellar, Balcony, Counter"
TERMS = "1 year, 2 years, 2 years, 2 years, 3 years, 3 years, 5 years, 10 years"
# Known: name / column / cell
KNOWN = """
Ox/Warranty/25 years; Old Faithful/on_sale_since/1998-04-06; Old Faithful/Design Year/1996; Whisper/noise_level/81 dB; Silent Night/noise_level/44 dB; Red Dragon/colours/white; Goldilocks/colours/pink; Steel/Materials/glass; Bamboo/Materials/bamboo; Silver Foot/colours/black; Snowball/colours/black; Little Igloo/weight/61 kg; Featherweight/weight/6.4 kg
Kolibri/replaced_by/Kolibri Plus; March/replaced_by/Kolibri; Old Faithful/replaced_by/March; Baker's Friend/replaced_by/Baker's Friend XL; Tornado/replaced_by/Silent Night; Whisper/replaced_by/Tornado; Monday/replaced_by/Monday Morning; Clearwater/on_sale_since/2005-01-31; Clearwater/Design Year/2004; Clearwater/replaced_by/Clearwater Twin; Cascade/replaced_by/Cascade Eco; Brisa/replaced_by/North Wind; Brisa Mini/replaced_by/Brisa Mini Go
Baker's Friend/Often Bought With/Captain Hook; Lotus/Often Bought With/Bamboo; Lemon/Often Bought With/Lemon Squeezy; Whistling Aunt/Often Bought With/August; Sunrise/Often Bought With/Teatime; Caffè Fosco/Often Bought With/Pepper; Short Black/Often Bought With/Pepper; January/Often Bought With/Eisbär; August/Often Bought With/Teatime; Hop/pieces left/0; Dust-Eater/pieces left/0; Žár/pieces left/0; Stitch/pieces left/0
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def thing(name, kind, sold, random):
    """What every product has."""
    return {
        "product": name,
        "Kind": kind,
        "maker": several(listed(MAKERS), 1, random),
        "Assembled In": several(listed(TOWNS), 1, random),
        "Warranty": random.choice(listed(TERMS)),
        "on_sale_since": sold.isoformat(),
        "Design Year": str(sold.year - random.randint(0, 4)),
        "designed by": several(listed(DESIGNERS), 1, random),
        "colours": several(listed(COLOURS), 4, random),
        "Materials": several(listed(STUFF), 3, random),
        "pieces left": str(random.randint(1, 48)),
        "aisle": random.choice(listed(AISLES)),
        "dishwasher_safe": "no",
    }


def machines(random):
    """The machines, those of a kind from the oldest to the newest."""
    for line in MACHINES.strip().splitlines():
        head, names = line.split(": ")
        kind, *ranges = head.rsplit(" ", 4)
        price, weight, power, noise = (tuple(map(int, r.split("-"))) for r in ranges)
        names = names.split("; ")
        days = sorted(random.sample(range(9000), len(names)))
        for at, (name, day) in enumerate(zip(names, days, strict=True)):
            row = thing(name, kind, date(2000, 2, 1) + timedelta(day), random)
            grams = random.randint(*weight)
            later = [n for n in names[at + 1 :] if n != "Bella"]
            row |= {
                "list_price": f"{random.randint(*price)} EUR",
                "weight": f"{round(grams / 10)} kg" if grams > 150 else f"{grams / 10} kg",
                "Power": f"{random.randint(power[0] // 5, power[1] // 5) * 5} W",
                "noise_level": f"{random.randint(*noise)} dB",
                "replaced_by": random.choice(later) if later and random.random() < 0.4 else "",
            }
            yield row


def extras(random):
    """What is bought for a machine."""
    for item in listed(EXTRAS, "; "):
        name, kind, fits, price, weight = item.split("/")
        row = thing(name, kind, date(2004, 2, 1) + timedelta(random.randrange(7600)), random)
        yield row | {
            "Accessory For": fits,
            "list_price": f"{price} EUR",
            "weight": f"{int(weight) / 10} kg",
            "dishwasher_safe": random.choice(["yes", "yes", "no"]),
        }


def shop(random):
    """Every product, and which belong together."""
    rows = [*machines(random), *extras(random)]
    names = [row["product"] for row in rows if row["product"] != "Bella"]
    for row in rows:
        fitting = [o["product"] for o in rows if o.get("Accessory For") == row["product"]]
        others = [n for n in names if n != row["product"]]
        row["Often Bought With"] = random.choice(
            fitting if fitting and random.random() < 0.6 else others
        )
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["product"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("appliances.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(shop(Random(61)))


if __name__ == "__main__":
    main()

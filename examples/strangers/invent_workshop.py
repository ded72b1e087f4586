"""Write workshop.csv: the ledger of an invented repair shop for instruments, clocks, bicycles and toys.

All invented; a fixed seed. Hard on purpose: things whose names are words, days, months, animals and
people (some of whom work or call at the shop), namesakes of two kinds, names that share a part,
accents and apostrophes, weights partly in grams and partly in kilograms, several values in a cell,
a sister item and another one that gave its parts, and many cells left empty.

    python examples/strangers/invent_workshop.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from random import Random

COLUMNS = (
    *("item", "Kind", "maker", "Year Made", "brought in by", "Town", "repaired_by", "received on"),
    *("Due Date", "PRICE", "weight", "material", "parts replaced", "Sister Item"),
    *("parts_taken_from", "Shelf", "guarantee", "colour", "condition", "hours_of_work"),
    *("Under Warranty", "serial number", "payment"),
)
GAPS = {
    **{"maker": 0.16, "Year Made": 0.14, "brought in by": 0.08, "Town": 0.12, "repaired_by": 0.1},
    **{"received on": 0.06, "Due Date": 0.14, "PRICE": 0.1, "weight": 0.2, "material": 0.08},
    **{"parts replaced": 0.15, "Shelf": 0.1, "guarantee": 0.3, "colour": 0.12, "condition": 0.18},
    **{"hours_of_work": 0.15, "Under Warranty": 0.16, "serial number": 0.42, "payment": 0.25},
}
# Kind/family/years/grams/cents
KINDS = """
violin/strings/1790-1985/390-560/4500-48000; cello/strings/1800-1990/2600-4200/9000-76000; guitar/strings/1890-2012/1300-2700/3000-26000; mandolin/strings/1880-2001/800-1500/3500-21000; accordion/wind/1910-1995/5200-12500/6000-52000
trumpet/wind/1905-2010/950-1400/2500-19000; flute/wind/1870-2005/280-620/2000-17000; wall clock/clock/1820-1975/1800-6400/3000-24000; cuckoo clock/clock/1850-1998/900-3900/2500-18000; grandfather clock/clock/1760-1910/31000-74000/15000-98000
pocket watch/clock/1860-1955/60-170/2500-29000; alarm clock/clock/1915-1999/210-980/900-6500; bicycle/cycle/1895-2018/9400-19800/1500-28000; tandem/cycle/1920-2009/17500-27500/4000-34000; tricycle/cycle/1930-2015/4100-11800/1200-9500
rocking horse/toy/1840-1992/7400-24500/3500-31000; doll/toy/1870-1990/240-1300/1800-16500; teddy bear/toy/1906-2004/220-1450/1100-9800; tin robot/toy/1948-1985/190-860/1400-8800; toy train/toy/1900-1990/420-3600/1900-15500
music box/clock/1845-1979/340-2400/2200-23500; barometer/clock/1810-1962/700-3100/2600-17500; puppet/toy/1860-1996/310-1900/1300-9400; banjo/strings/1885-1999/1900-4300/3200-18800; dollhouse/toy/1880-1988/3900-16500/4200-27500
"""
NAMED = """
violin: Rosalind; The Widow; Monday's Child; Old Faithful; Élodie; Thursday; Little Nell; Nightingale; Fiddle-de-dee
cello: Bear; Grandfather; Brother Bruno; Queen of Spades; Großer Otto
guitar: Lucky; Niña; Sailor; Blue Monday; Dusty; Señor Gato
mandolin: Peach; Pip; Peachy
accordion: Big Breath; Marta; Good Company; Kraków Rose
trumpet: Gabriel; Little Gabriel; Loud Lou; Sunday Best
flute: Whisper; Wren; Ænne
wall clock: The Judge; Late Again; Noon; Old Tom
cuckoo clock: Hansel; Gretel; Schwarzer Anton; Bête Noire; Cousin Fritz
grandfather clock: The General; Long John; Sober Sid; The Abbess
pocket watch: Swift; Tick; Uncle Jo; Midnight; Träne; Penny
alarm clock: Early Riser; Rooster; Monday; Wake
bicycle: Swift; Lightning; Rocinante; Iron Lady; Thursday; Mrs. Pym; Will; Hope; Fräulein Blitz; April; Old Faithful; Ghost; L'Étoile; Øyvind; Mañana
tandem: Salt and Pepper; Marriage; Two of Hearts
tricycle: Tortoise; Bumble
rocking horse: The General; Thunder; Daisy; Bucephalus; Daisy's Foal
doll: Rosalind; May; Clémence; Hope
teddy bear: Bear; Herr Müller; Honey; Colonel Fluff
tin robot: Max; Bolt; Rusty; Tik-Tak
toy train: Night Mail; Flying Tortoise; Snow Goose; Express No. 9
music box: Lullaby; Swan; Zoë's Waltz; Sugar Plum; Tears of Anaïs
barometer: Fair Weather; Doubting Thomas; Storm
puppet: Mr. Punch; Judy; Le Roi Édouard
"""
WHOSE_KINDS = "alarm clock, violin, bicycle, music box, banjo, dollhouse, wall clock, tricycle"
# Whose things / who brings them in
WHOSE = "Pym's/Walter Pym, Tilda's/Tilda Amsel, Dr. Quist's/Dr. Quist, Sorel's/Jean-Luc Sorel, Żuk's/Agnieszka Żuk, Mrs. O'Hara's/Nora O'Hara, Captain Brine's/Captain Brine, Åkesson's/Nils Åkesson, Father Emeric's/Father Emeric"
CUSTOMERS = """
Tilda Amsel/Bellweather, Walter Pym/Lower Cog, Nora O'Hara/Port Merle, Will Harker/Port Merle, Jean-Luc Sorel/Saint-Éloi, April Thorne/Bellweather, Dr. Quist/Nørre Havn, Agnieszka Żuk/Żabno, Ludwig Amsel/Bellweather, Winifred Pym/Upper Cog
Consuelo Ibáñez/Castañar, Captain Brine/Port Merle, Father Emeric/Monk's Ferry, Nils Åkesson/Nørre Havn, Grace Noon/Lower Cog, Elsie March/Wick, Madame Colette/Saint-Éloi, Penny Farthing/Wick
"""
REPAIRERS = "May Dunmore, Tom Bellamy, Anneliese Vogt, Ignacio Peña, Rusty Cole, Ottilie Brandt, Siobhán Kerr, Oskar Brandt, Wenzel Horák, Hope Lindqvist"
MAKERS = {
    "strings": "Brandt & Söhne, Casa Robledo, Atelier Marchand, E. Larkin, Nováček, Halloway",
    "wind": "Halloway, Steinmetz, Fratelli Bo, Atelier Marchand",
    "clock": "Steinmetz, Ticktock Brothers, Halloway & Daughter, Fabrik Edelweiß, E. Larkin",
    "cycle": "Raven Cycles, Kestrel Works, Cygnet, Halloway & Daughter, Vélo Rémy",
    "toy": "Pruitt Toys, Old Mill Toys, Fabrik Edelweiß, Kestrel Works",
}
MATERIALS = {
    "strings": "spruce, maple, ebony, rosewood, bone, pearl",
    "wind": "brass, silver, nickel, leather, ebony, pearl",
    "clock": "oak, walnut, brass, glass, steel, silver, enamel",
    "cycle": "steel, aluminium, leather, rubber, chrome",
    "toy": "tin, beech, felt, horsehair, porcelain, velvet, cotton",
}
PARTS = {
    "strings": "strings, bridge, pegs, sound post, tailpiece, fingerboard",
    "wind": "valves, pads, bellows, springs, reeds, mouthpiece",
    "clock": "mainspring, hands, glass, pendulum, key, gear wheel",
    "cycle": "chain, saddle, brakes, tyres, bell, spokes, pedals",
    "toy": "eyes, wheels, key, left arm, paint, ears, tail",
}
COLOURS = "black, brown, red, dark green, blue, honey, ivory, silver, yellow, cherry red"
CONDITIONS = "good, fair, poor, like new, worn, wrecked"
PAYMENTS = "cash, card, instalments, bank transfer, barter"
# Fetched before the ledger was copied out
STRUCK_OUT = "Captain Brine's Alarm Clock, Åkesson's Alarm Clock, Tilda's Tricycle, Tilda's Dollhouse, Sorel's Violin"
GUARANTEES = "3 months, 6 months, 12 months, 24 months, 36 months"
# Known: item / kind / column / cell
KNOWN = """
Hansel/cuckoo clock/Sister Item/Gretel; Gretel/cuckoo clock/Sister Item/Hansel; Mr. Punch/puppet/Sister Item/Judy; Judy/puppet/Sister Item/Mr. Punch; Gabriel/trumpet/Sister Item/Little Gabriel; Daisy/rocking horse/Sister Item/Daisy's Foal
Niña/guitar/Sister Item/Señor Gato; Monday/alarm clock/Sister Item/Blue Monday; Midnight/pocket watch/Sister Item/Noon; Tortoise/tricycle/Sister Item/Flying Tortoise; Peach/mandolin/Sister Item/Peachy; Thunder/rocking horse/Sister Item/Lightning
Storm/barometer/Sister Item/Fair Weather; Lightning/bicycle/Sister Item/Thunder; The Widow/violin/Sister Item/Grandfather; Sober Sid/grandfather clock/Sister Item/Long John; April/bicycle/Sister Item/May; Swan/music box/Sister Item/Snow Goose; Marriage/tandem/Sister Item/Two of Hearts
Ghost/bicycle/parts_taken_from/Iron Lady; Rusty/tin robot/parts_taken_from/Bolt; Max/tin robot/parts_taken_from/Bolt; Late Again/wall clock/parts_taken_from/The Judge; Mañana/bicycle/parts_taken_from/Rocinante; Wake/alarm clock/parts_taken_from/Early Riser; Peachy/mandolin/parts_taken_from/Pip
Mrs. Pym/bicycle/brought in by/Winifred Pym; Mrs. Pym/bicycle/Town/Upper Cog; Will/bicycle/brought in by/Penny Farthing; Will/bicycle/Town/Wick; Penny/pocket watch/brought in by/Grace Noon; Penny/pocket watch/Town/Lower Cog; Noon/wall clock/brought in by/Elsie March; Noon/wall clock/Town/Wick; May/doll/repaired_by/Hope Lindqvist
Rusty/tin robot/repaired_by/Rusty Cole; Le Roi Édouard/puppet/Town/Saint-Éloi; Le Roi Édouard/puppet/brought in by/Madame Colette; Bucephalus/rocking horse/condition/wrecked; The Judge/wall clock/Year Made/1799; Long John/grandfather clock/weight/81 kg; Tick/pocket watch/weight/48 g; Two of Hearts/tandem/PRICE/410.00 EUR
Grandfather/cello/Year Made/1788; Grandfather/cello/PRICE/1150.00 EUR; Wake/alarm clock/PRICE/7.50 EUR; Sober Sid/grandfather clock/hours_of_work/61 h; The Abbess/grandfather clock/brought in by/Father Emeric; The Abbess/grandfather clock/Town/Monk's Ferry; Kraków Rose/accordion/brought in by/Agnieszka Żuk; Kraków Rose/accordion/Town/Żabno
Zoë's Waltz/music box/payment/barter; Iron Lady/bicycle/maker/Raven Cycles; Bolt/tin robot/maker/Kestrel Works; Nightingale/violin/maker/Brandt & Söhne; Élodie/violin/maker/Atelier Marchand; Early Riser/alarm clock/maker/Ticktock Brothers; Fair Weather/barometer/maker/E. Larkin
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.5)]


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def scales(grams):
    """A weight as the ledger has it: 480 g, 12.4 kg."""
    return f"{grams / 1000:.1f} kg" if grams >= 1000 else f"{grams // 10 * 10} g"


def entry(name, line, customer, random):
    """An item with all that needs no other item."""
    kind, family, *ranges = line.split("/")
    bounds = [[int(bound) for bound in pair.split("-")] for pair in ranges]
    (old, new), (light, heavy), (cheap, dear) = bounds
    received = date(2019, 1, 7) + timedelta(random.randrange(2190))
    cents = int(cheap * (dear / cheap) ** random.random()) // 50 * 50
    hours = max(1, round(cents / 1900 * random.uniform(0.6, 1.9) * 2)) / 2
    who, town = customer.split("/")
    return {
        "item": name,
        "Kind": kind,
        "maker": skewed(listed(MAKERS[family]), random),
        "Year Made": str(random.randint(old, new)),
        "brought in by": who,
        "Town": town,
        "repaired_by": skewed(listed(REPAIRERS), random),
        "received on": received.isoformat(),
        "Due Date": (received + timedelta(random.randint(6, 150))).isoformat(),
        "PRICE": f"{cents / 100:.2f} EUR",
        "weight": scales(random.randint(light, heavy)),
        "material": several(listed(MATERIALS[family]), 3, random),
        "parts replaced": several(listed(PARTS[family]), 3, random),
        "Sister Item": "",
        "parts_taken_from": "",
        "Shelf": f"{random.choice('ABCDEF')}{random.randint(1, 6)}",
        "guarantee": skewed(listed(GUARANTEES), random),
        "colour": skewed(listed(COLOURS), random),
        "condition": skewed(listed(CONDITIONS), random),
        "hours_of_work": f"{hours:g} h",
        "Under Warranty": "yes" if random.random() < 0.35 else "no",
        "serial number": f"{random.choice('KLMNQTXZ')}{random.choice('AEIOU')}-{random.randint(100, 9899)}",
        "payment": skewed(listed(PAYMENTS), random),
    }


def named_rows(random):
    """Every item with a name of its own, then those that are called after their owners."""
    lines = {line.split("/")[0]: line for line in listed(KINDS, "; ")}
    customers = listed(CUSTOMERS)
    rows = []
    for block in NAMED.strip().splitlines():
        kind, names = block.split(": ", 1)
        for name in names.split("; "):
            rows.append(entry(name, lines[kind], skewed(customers, random), random))
    made = list(product(listed(WHOSE), listed(WHOSE_KINDS)))
    random.shuffle(made)
    for pair, kind in made[:26]:
        whose, who = pair.split("/")
        customer = next(customer for customer in customers if customer.startswith(f"{who}/"))
        rows.append(entry(f"{whose} {kind.title()}", lines[kind], customer, random))
    return rows


def ledger(random):
    """Return all rows."""
    rows = named_rows(random)
    names = [row["item"] for row in rows]
    single = [row for row in rows if names.count(row["item"]) == 1]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        others = [other["item"] for other in single if other["item"] != row["item"]]
        if random.random() < 0.3:
            row["Sister Item"] = random.choice(others)
        if random.random() < 0.22:
            row["parts_taken_from"] = random.choice(others)
    for fact in listed(KNOWN, "; "):
        name, kind, column, cell = fact.split("/")
        row = next(row for row in rows if (row["item"], row["Kind"]) == (name, kind))
        row[column] = cell
    random.shuffle(rows)
    return [row for row in rows if row["item"] not in listed(STRUCK_OUT)]


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("workshop.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(ledger(Random(47)))


if __name__ == "__main__":
    main()

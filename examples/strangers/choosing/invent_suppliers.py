"""Write suppliers.csv: who supplies an invented furniture maker, a row a supplier.

All invented; a fixed seed. Hard on purpose: names that are words, months and goods, namesakes, names that share a
part or contain another, accents, apostrophes and hyphens, several values in a cell, suppliers that belong to, stand
in for and were recommended by other suppliers of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_suppliers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "supplier|Supplies|contact_person|Parent Company|backup supplier|recommended_by|payment terms|City|country|Lead Time|certified|founded|First Order|employees|Spend Last Year|rating|Ships By|distance|Buyer|takes_returns".split(
    "|"
)
GAPS = {
    "contact_person": 0.08,
    "backup supplier": 0.15,
    "recommended_by": 0.3,
    "payment terms": 0.06,
    "Lead Time": 0.07,
    "founded": 0.12,
    "First Order": 0.06,
    "employees": 0.13,
    "Spend Last Year": 0.1,
    "rating": 0.15,
    "Ships By": 0.06,
    "distance": 0.08,
    "takes_returns": 0.1,
}
# Group: name/goods; who comes first owns many of its group
FIRMS = """
wood: Grünholm Holding/oak, beech; Holm & Sons/oak, ash; Holm Brothers/walnut, oak; Lark/beech, ash; Sägewerk Tünnwald/beech, oak; Åkerlind Trä/pine, birch; Widow's Mill/oak, elm; Forest/pine, beech; Łubrzycki Drewno/pine, birch; Řezníček Pila/beech, maple; Old Oak/walnut, maple; Sons of Tarn/ash, elm; Green River Timber/pine; River Timber/oak, pine; Ash/cherry wood, walnut; Blackwater Logs/oak; Scierie Mauclair/walnut, cherry wood; Madeiras Quintã/cherry wood, rattan; Bamboo & Daughter/bamboo, rattan; Willow/rattan
panels: Platten Union/plywood, chipboard; Lark Veneers/veneer, plywood; Plaquages d'Orvaine/veneer; Flat & Even/plywood, fibreboard; Board Meeting/chipboard, fibreboard; Vrba Desky/chipboard, laminate; Kestrel Panels/plywood, laminate; Thin Ice/veneer, laminate; Sankt-Olav Finér/veneer, birch; Panel Beaters/fibreboard; Tablero Sur/chipboard, plywood
metal: Iron Duck/screws, nails; Hinge/hinges, handles; Zawias & Klamka/hinges, locks; Messing Brothers/brass fittings, handles; Brass Kettle/brass fittings, knobs; Slide Rule/drawer runners; Runner Beans/drawer runners, castors; Castor/castors, wheels; Pollux/castors, knobs; O'Mallory Springs/springs, wire; Spring/springs; Schraubenhof/screws, bolts; Lock Stock/locks, hinges; Ferretería Ondazul/screws, handles; Kovářství Hrom/table legs, handles; Stål och Ben/table legs, bolts; Legs Eleven/table legs; Knob Hill/knobs, handles; March/screws, bolts, nails; Nagel-Wirt/nails, staples
surface: Lackwerk Ostermohr/varnish, paint; Beeline/wax, polish; Shine/polish, varnish; Huiles Trameuil/oil, wax; Sticky Fingers/wood glue; Kleber Holm/wood glue, contact glue; Gluten Bond/wood glue, contact glue; Čistý Lak/varnish, oil; Paint Horse/paint; Rainbow/paint, stain; Grit/sandpaper, steel wool; Rough & Smooth/sandpaper; Šmirgl Dvořan/sandpaper, polish; August/stain, varnish
soft: Tessuti Bellafonte/fabric, velvet; Soft Landing/foam, wadding; Brand-Tilling Foam/foam; Foam/foam, latex; Cuir de Lanvoise/leather; Hide & Seek/leather, suede; Bergström Ull/wool felt, fabric; Velvet Mole/velvet; Moth/fabric, thread; Cloud Nine Wadding/wadding, feathers; Featherstone/feathers, foam; Threadneedle Yarns/thread, zips; Zip/zips, buttons; Button & Bow/buttons, webbing; Tkalcovna Běla/fabric, webbing; Couro Alvo/leather, suede; North Star/leather; Mr. Webb/webbing, springs
stone: Holm Glass/glass, mirrors; Through the Pane/glass; Mirror Mirror/mirrors; Marmi Castelvroto/marble; Slate/slate, marble; Spiegel Lind/mirrors, glass; Kő és Üveg/glass, slate; Granite Heart/marble, slate; Lamp Black/lamps, cables; Sunday Lights/lamps; Glühwurm/lamps, switches; Switchback/switches, cables
works: Sharp/saw blades, drill bits; Blade & Bit/saw blades, drill bits; Lame d'Argent/saw blades; Box Clever/cardboard boxes; North Star/cardboard boxes, pallets; Carton Rouge/cardboard boxes, packing tape; Bubble/bubble wrap, packing tape; Pallet Ballet/pallets; Paper Moon/wrapping paper, labels; Label Mabel/labels; Nordpack Håkansson/bubble wrap, cardboard boxes; Gloves Off/gloves, dust masks; Dust/dust masks; Sawyer & Sawyer/saw blades, gloves; Old North Star/pallets, wrapping paper
"""
CITIES = "Halvsund/Nordmere, Kolmhaven/Nordmere, Tjärnby/Nordmere, Lindenwerra/Brennmark, Ostermohr/Brennmark, Bad Sägen/Brennmark, Old Ferry/Isle of Marn, Dry Bridge/Isle of Marn, Upper Dry Bridge/Isle of Marn, Kestrel Bay/Isle of Marn, Orvaine/Terravelle, Saint-Mauclair/Terravelle, Montalve/Sorrania, Puerto Verano/Sorrania, Castelvroto/Sorrania, Hromolhota/Vltania, Běla nad Lukou/Vltania, Łubrzyk/Polmark, Szépkút/Pannoria"
FIRST = "Ingrid, August, Maeve, Tomáš, Élodie, Paolo, Wanda, Henrik, Rosa, Cyril, Agnieszka, Bram, Lucía, Otto, Fiona, Zoltán, April, Desmond, Jana, Matteo, Sunniva, Gil, Petronella, Kwame, Nuria, Walter, Ilka, Patrick, Odile, Mikael"
LAST = "Holm, Tarn, Weaver, O'Mallory, Dvořan, Lindqvister, Mauclair, Ferrand, Oakes, Kiss-Varga, Zimmerling, Bellafonte, Sawyer, Drozd, Carver, Quintã, Featherstone, Bramblett, Nyholt, Hrom"
BUYERS = "Ilse Tannert, Marko Dvorny, Grace Oldham, Tobias Wren, Yusuf Karadal"
TERMS = "30 days net, 30 days net, 30 days net, 14 days net, 14 days net, 60 days net, prepayment, cash on delivery, monthly invoice"
WAYS = "lorry, rail, van, ship, parcel post, air freight"
RANGES = {
    "Nordmere": (600, 1400),
    "Brennmark": (20, 380),
    "Isle of Marn": (700, 1250),
    "Terravelle": (300, 900),
    "Sorrania": (900, 2100),
    "Vltania": (150, 520),
    "Polmark": (330, 680),
    "Pannoria": (640, 930),
}
# Known: name / column / cell
KNOWN = """
Holm & Sons/contact_person/Ingrid Holm; Holm Brothers/contact_person/August Holm; Kleber Holm/contact_person/Otto Zimmerling; Holm Glass/Parent Company/Kleber Holm; Kleber Holm/Parent Company/Grünholm Holding; Lark Veneers/Parent Company/Lark; Lark/Parent Company/Grünholm Holding; Castor/backup supplier/Pollux; Pollux/backup supplier/Castor
Holm & Sons/recommended_by/; Lackwerk Ostermohr/distance/212 km; Lackwerk Ostermohr/Lead Time/11 days; Sägewerk Tünnwald/Parent Company/Holm & Sons; O'Mallory Springs/contact_person/Maeve O'Mallory; Spring/contact_person/April Weaver; Mr. Webb/contact_person/Wanda Weaver; Spring/backup supplier/O'Mallory Springs; March/Parent Company/August; August/Parent Company/Lackwerk Ostermohr; Lackwerk Ostermohr/City/Ostermohr; Lackwerk Ostermohr/country/Brennmark
Hide & Seek/Parent Company/Tessuti Bellafonte; Tessuti Bellafonte/contact_person/Rosa Bellafonte; Old North Star/backup supplier/Pallet Ballet; Platten Union/Parent Company/Grünholm Holding; Knob Hill/Parent Company/Brass Kettle; Brass Kettle/Parent Company/Iron Duck; Sawyer & Sawyer/contact_person/Cyril Sawyer; Blade & Bit/contact_person/Cyril Sawyer
Zip/founded/1899; Widow's Mill/founded/1782; Sharp/Lead Time/2 days; Madeiras Quintã/Lead Time/95 days; Box Clever/First Order/2025-01-20; Holm & Sons/First Order/1994-03-07; Grünholm Holding/employees/2140; Ash/employees/3; Dust/rating/1.5; Beeline/rating/9.8; River Timber/Parent Company/Green River Timber; Threadneedle Yarns/Parent Company/Moth
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def firm(name, goods, random):
    """A supplier with all that needs no other one."""
    city, country = random.choice(listed(CITIES)).split("/")
    far = random.randint(*RANGES[country])
    founded = random.choice(
        [random.randint(1850, 1959), random.randint(1960, 2008), random.randint(1960, 2008)]
    )
    first = date(random.randint(max(1996, founded + 1), 2024), 1, 1) + timedelta(
        random.randrange(365)
    )
    ways = listed(WAYS)
    if country == "Isle of Marn":
        ways = ["ship", "air freight", "parcel post"]
    elif country != "Sorrania":
        ways = ["lorry", "rail", "van", "parcel post"]
    used = random.sample(ways, random.choice([1, 1, 2, 2, 3]))
    return {
        "supplier": name,
        "Supplies": "; ".join(goods),
        "contact_person": f"{random.choice(listed(FIRST))} {random.choice(listed(LAST))}",
        "payment terms": random.choice(listed(TERMS)),
        "City": city,
        "country": country,
        "Lead Time": f"{random.randint(3, 20) + far // 60} days",
        "certified": random.choice(["yes", "yes", "no"]),
        "founded": str(founded),
        "First Order": first.isoformat(),
        "employees": str(int(4 + 420 * random.random() ** 2.5)),
        "Spend Last Year": f"{int(900 + 140000 * random.random() ** 2) // 10 * 10} EUR",
        "rating": str(random.randint(40, 95) / 10),
        "Ships By": "; ".join(sorted(used, key=ways.index)),
        "distance": f"{far} km",
        "Buyer": random.choice(listed(BUYERS)),
        "takes_returns": random.choice(["yes", "no"]),
    }


def suppliers(random):
    """Every supplier, and which belongs to which."""
    rows = []
    for block in FIRMS.strip().splitlines():
        group, firms = block.split(": ", 1)
        for at, pair in enumerate(firms.split("; ")):
            name, goods = pair.split("/")
            rows.append(firm(name, goods.split(", "), random) | {"group": group, "at": at})
    names = [row["supplier"] for row in rows]
    single = [row for row in rows if names.count(row["supplier"]) == 1]
    for row in rows:
        peers = [o for o in single if o["group"] == row["group"] and o is not row]
        owners = [o["supplier"] for o in peers if o["at"] < min(row["at"], 4)]
        row["Parent Company"] = random.choice(owners) if owners and random.random() < 0.55 else ""
        wares = set(row["Supplies"].split("; "))
        alike = [o["supplier"] for o in peers if wares & set(o["Supplies"].split("; "))]
        row["backup supplier"] = random.choice(alike) if alike else ""
        older = [o["supplier"] for o in single if o["First Order"] < row["First Order"]]
        row["recommended_by"] = random.choice(older) if older else ""
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["supplier"] == name)[column] = cell
    random.shuffle(rows)
    return [{column: row[column] for column in COLUMNS} for row in rows]


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("suppliers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(suppliers(Random(77)))


if __name__ == "__main__":
    main()

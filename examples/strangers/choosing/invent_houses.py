"""Write houses.csv: the houses and other buildings of an invented old town, a row a building.

All invented; a fixed seed. Hard on purpose: buildings called after words, months, animals and virtues,
namesakes in two streets, names that share a part, accents and apostrophes, one building beside, modelled
after or made from the stones of another, people who are architect here and owner or tenant there, times
partly in months and partly in years, several values in a cell, and many cells left empty.

    python examples/strangers/choosing/invent_houses.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("building", "Built In", "architect", "style", "Street", "left_neighbour", "Modelled After"),
    *(
        "stones taken from",
        "owned_by",
        "Rented To",
        "yearly_rent",
        "floors",
        "number of rooms",
        "height",
    ),
    *("Current Use", "former_use", "listed", "Last Restored", "burnt down in", "took to build"),
)
GAPS = {
    **{"Built In": 0.04, "style": 0.08, "owned_by": 0.06, "floors": 0.05, "number of rooms": 0.15},
    **{
        "height": 0.2,
        "listed": 0.06,
        "Last Restored": 0.3,
        "took to build": 0.3,
        "yearly_rent": 0.1,
    },
}
# Street, from left to right: name / use now / use before / year
STREETS = """
Herring Row: Salt House/museum/salt store/1588; Little Salt House/flats/stable/1604; Noon/restaurant/fish market/1721; Mermaid/hotel&restaurant/brothel/1655; Barnacle House/flats/net loft/1688; Hunger/soup kitchen/granary/1540; Kapitän Öhl's House/private home/customs office/1767; The Elbow/pub/pub/1612; Goldfinch House/flats/school/1734; Anchor/inn/rope store/1629
Bridge Street: Bridge Tower/lookout/prison/1388; Toll House/bookshop/toll office/1455; Red Lion/inn/inn/1502; Little Red Lion/tea room/stable/1560; White Lion/bank/inn/1538; Whisper/library/private home/1842; Maison Désirée/hat shop&flats/private home/1898; Tilted House/gallery/bakery/1477; Lantern/pharmacy/candle works/1693; Three Kings/hotel/pilgrims' hostel/1420
Upper Market: Town Hall/town council/cloth hall/1446; Weigh House/café/weigh house/1531; Cloth Hall/concert hall/cloth hall/1409; Swan Pharmacy/pharmacy/pharmacy/1573; Haus Lübke/offices/private home/1904; Bakers' Guildhall/bakery&flats/guildhall/1490; Butchers' Guildhall/restaurant/guildhall/1496; October/department store/brewery/1927; Palais Gräf/museum/palace/1748; Green Corner/flower shop/grocery/1866; Patience/flats/almshouse/1663
Lower Market: Old Mint/archive/mint/1402; New Mint/offices/mint/1799; Pewter House/workshop/foundry/1671; Casa Peñón/wine bar/private home/1889; Thimble/tailor's shop/tailor's shop/1715; Bear/pub&flats/inn/1549; Dancing Bear/theatre/riding school/1776; Post Office/post office&flats/coaching inn/1871; Arcade of Sighs/shops/nunnery/1585; Goldfinch House/dentist's practice/private home/1810
Candlemaker Lane: Wax House/candle works/candle works/1624; Tallow House/flats/candle works/1637; Blind Window/private home/private home/1596; Snuffer/cinema/warehouse/1912; Good Hope/hospice/hospice/1480; Little Hope/kindergarten/chapel/1527; Žižka Loft/studio/hayloft/1781; Crooked Stairs/flats/private home/1568; Widow Tamm's House/private home/bakery/1701
Abbey Close: Grey Convent/convent/convent/1231; St. Odo's/church/church/1264; St. Odo's Tower/bell tower/watchtower/1312; Priory Barn/concert hall/barn/1350; Abbot's Lodging/guest house/private home/1433; Scriptorium/library/scriptorium/1298; Silence/museum/infirmary/1377; Dean's House/private home/private home/1729; Charnel House/chapel/charnel house/1340; Foundlings' Hospital/hospital/hospital/1687; Three Kings/chapel/chapel/1470
Tanners' Steps: Oxhide/leather workshop/tannery/1609; Stink House/spa/tannery/1619; Upper Tannery/flats/tannery/1742; Lower Tannery/brewery/tannery/1745; Bark Mill/museum/bark mill/1563; Maison Ébène/art school/dye works/1877; Wet Cellar/wine cellar/ice house/1652; Skinner's Rest/pub/skinners' guildhall/1515; Needle/watchtower/watchtower/1395
Mill Bank: Upper Mill/restaurant&flats/grain mill/1321; Lower Mill/power station/grain mill/1437; Paper Mill/printing shop/paper mill/1594; Miller's Daughter/private home/private home/1756; Sack House/climbing hall/granary/1824; Frog/swimming baths/laundry/1901; Weir House/lock keeper's home/lock keeper's home/1863; Heron's Nest/kindergarten/boathouse/1938; Anchor/boathouse/shipyard/1860
Kirchgasse: St. Walpurga's/church/church/1287; Sexton's House/flower shop/private home/1618; Haus zur Träne/law office/hospital/1543; Haus zum Fässchen/wine bar/cooper's workshop/1578; Bellhouse/music school/bell foundry/1465; Organ Loft/private home/workshop/1833; Plague House/doctor's practice/plague hospital/1521; Pilgrim/youth hostel/pilgrims' hostel/1449; Śliwa House/bakery/plum store/1792; Old School/flats/school/1706; New School/school/barracks/1914
Long Ditch: Powder Tower/museum/powder store/1413; Hangman's House/private home/private home/1484; Debtors' Gate/café/prison/1506; Barracks/university/barracks/1783; Sleeping Soldier/hotel/guardhouse/1739; Ravelin/radio station/fort/1672; Gasworks/concert hall&studio/gasworks/1859; Observatory/observatory/windmill/1847; Cannonball/pub/arsenal/1583; Patience/nursing home/nursing home/1891
Parliament Hill: Castle/museum&archive/castle/1196; Old Synagogue/synagogue/synagogue/1368; New Synagogue/concert hall/synagogue/1882; Hôtel de l'Étoile/hotel/palace/1762; Villa Sörensen/embassy/private home/1931; Villa Mañana/private home/private home/1956; Glass House/offices/orangery/1969; Summer Palace/music school/palace/1718; Winter Palace/court/palace/1725; Cable Station/tea room/cable railway station/1893
"""
NEVER = {
    "Anchor",
    "Goldfinch House",
    "Three Kings",
    "Patience",
}  # several buildings, so nothing points to them
# Style: from-to
STYLES = "Romanesque 1100-1260; Gothic 1240-1530; Renaissance 1500-1650; half-timbered 1400-1760; Baroque 1630-1770; Rococo 1720-1790; neoclassical 1765-1860; neo-Gothic 1830-1910; Art Nouveau 1890-1915; modernist 1910-1980"
ARCHITECTS = "Brother Wendelin 1190-1320; Master Ulric 1300-1400; Peter the Mason 1380-1470; Anselm Vogt 1440-1510; Balthasar Korn 1500-1560; Melchior Korn 1530-1600; Jarek Ostrůvek 1580-1650; Widow Hemming 1600-1660; Giacopo Terrazzini 1640-1710; Dorothée Lavigne 1690-1750; Tomás Órbigo 1720-1780; Cornelius Thatch 1760-1830; Isaura Pflum 1820-1880; Philippa Stroud 1850-1915; Bror Ekskog 1890-1945; Ludmila Sedge 1930-1975; Silas Stone 1400-1480; Young Korn 1570-1630"
OWNERS = "the town, Ropers' Guild, Grey Convent, Baroness Ottoline Gräf, Foundlings' Hospital, Ferenc Holló, Ludmila Sedge, Sedge Brothers, Agathe Öhl, Hugo Śliwa, Cathedral Chapter, Marta Bright, Kwabena Thatch, Old Town Trust, Nuria Peñón, Otto May, the state, Miss Plum"
TENANTS = "Café Zigzag, Miss Plum, Radio Ditch, Otto May, Ines Daubeny, Brewster & Daughters, Bror Ekskog, Nils Ohm, Sedge Brothers, Zdeňka Malá, Fräulein Rot, April Fowler, Hugo Śliwa, The Owl Society, Dr. Marrow, Rahel Stone, Kofi Brandt, Lantern Players, Marta Bright, Yusuf Demirkan, Madame Bijou, Ropers' Guild"
PATTERNS = "Cloth Hall, Bridge Tower, Red Lion, Salt House, Summer Palace, Wax House, Town Hall, St. Odo's, Palais Gräf, Abbot's Lodging, Good Hope, Castle, Whisper, Mermaid, Upper Mill, Old Mint, Hunger, Tilted House"
QUARRIES = "Castle, Grey Convent, Powder Tower, Silence, Charnel House, Scriptorium, Cloth Hall, Arcade of Sighs, Debtors' Gate, Salt House, Ravelin, Bridge Tower, Old Mint"
# Known: building / column / cell
KNOWN = """
White Lion/Modelled After/Red Lion; Little Red Lion/Modelled After/Red Lion; Little Salt House/Modelled After/Salt House; Tallow House/Modelled After/Wax House; Winter Palace/Modelled After/Summer Palace; Villa Mañana/Modelled After/Villa Sörensen; New Mint/Modelled After/Old Mint; Lower Tannery/Modelled After/Upper Tannery; Butchers' Guildhall/Modelled After/Bakers' Guildhall
Castle/height/61 m; St. Walpurga's/height/74.5 m; Castle/number of rooms/118; Castle/took to build/41 years; St. Walpurga's/took to build/63 years; Castle/burnt down in/1288; Needle/height/38.5 m; Needle/number of rooms/3; Thimble/number of rooms/2; St. Odo's Tower/height/52 m; St. Odo's Tower/floors/7; Bridge Tower/floors/6; Bridge Tower/height/33 m
Hunger/burnt down in/1599; 1689; Powder Tower/burnt down in/1478; 1601; 1689; Arcade of Sighs/burnt down in/1620; Grey Convent/burnt down in/1421; Silence/burnt down in/1421; Debtors' Gate/stones taken from/Castle; Bridge Tower/stones taken from/Castle; Priory Barn/stones taken from/Castle; Pilgrim/stones taken from/Silence; Ravelin/stones taken from/Arcade of Sighs; Barracks/stones taken from/Ravelin; New Mint/stones taken from/Powder Tower
Villa Mañana/architect/Ludmila Sedge; Glass House/architect/Ludmila Sedge; Glass House/owned_by/Sedge Brothers; Heron's Nest/architect/Bror Ekskog; Villa Sörensen/architect/Bror Ekskog; Villa Mañana/owned_by/Ludmila Sedge; Casa Peñón/owned_by/Nuria Peñón; Palais Gräf/owned_by/Baroness Ottoline Gräf; Kapitän Öhl's House/owned_by/Agathe Öhl; Śliwa House/owned_by/Hugo Śliwa; Palais Gräf/architect/Dorothée Lavigne
Noon/Rented To/Madame Bijou; Noon/yearly_rent/1850 crowns; Weigh House/Rented To/Café Zigzag; Weigh House/yearly_rent/2400 crowns; Ravelin/Rented To/Radio Ditch; Ravelin/yearly_rent/960 crowns; Castle/Rented To/; Castle/yearly_rent/; October/yearly_rent/9800 crowns; October/Rented To/Brewster & Daughters; Dancing Bear/Rented To/Lantern Players; Whisper/Rented To/The Owl Society
Grey Convent/architect/Brother Wendelin; Red Lion/architect/Balthasar Korn; Salt House/architect/Melchior Korn; Blind Window/architect/Young Korn; Wax House/architect/Widow Hemming; Summer Palace/architect/Dorothée Lavigne; Town Hall/owned_by/the town; Castle/owned_by/the state; St. Odo's/took to build/29 years; Cloth Hall/architect/Silas Stone; Old Mint/architect/Peter the Mason
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.6)]


def in_time(text, year):
    """Those whose years include this one."""
    pairs = [entry.rsplit(" ", 1) for entry in listed(text, "; ")]
    return [
        name for name, span in pairs if int(span.split("-")[0]) <= year <= int(span.split("-")[1])
    ]


def size(use, random):
    """Floors, rooms and height that suit the use."""
    if (
        "tower" in use
        or "church" in use
        or use in {"chapel", "synagogue", "observatory", "lookout"}
    ):
        return ("", "", f"{random.randrange(24, 100) / 2:g} m")
    floors = random.choice([1, 2, 2, 3, 3, 3, 4, 4, 5])
    big = use.split("; ")[0] in {
        "hotel",
        "museum",
        "offices",
        "hospital",
        "university",
        "court",
        "school",
        "flats",
    }
    rooms = floors * random.randint(2, 5) + (random.randint(8, 40) if big else 0)
    return (str(floors), str(rooms), f"{floors * 3.1 + random.randrange(4, 15) / 2:.1f} m")


def house(street, left, line, random):
    """A building with what does not depend on the others."""
    name, use, before, year = line.split("/")
    use, built = use.replace("&", "; "), int(year)
    floors, rooms, height = size(use, random)
    fires = [y for y in (1288, 1421, 1478, 1599, 1620, 1689, 1758, 1834, 1944) if built + 10 < y]
    months = int(6 * 14 ** random.random())
    rented = (
        use not in {"church", "convent", "synagogue", "town council", "court"}
        and random.random() < 0.55
    )
    tenants = random.sample(listed(TENANTS), random.choice([1, 1, 1, 2])) if rented else []
    repaired = date(max(built + 40, 1905), 1, 1) + timedelta(
        random.randrange(5500 if built > 1880 else 41000)
    )
    row = {
        "building": name,
        "Built In": year,
        "style": random.choice(in_time(STYLES, built)),
        "architect": random.choice(in_time(ARCHITECTS, built)) if random.random() < 0.78 else "",
        "Street": street,
        "left_neighbour": left,
        "Modelled After": "",
        "stones taken from": "",
        "owned_by": skewed(listed(OWNERS), random),
        "Rented To": "; ".join(tenants),
        "yearly_rent": f"{random.randrange(180, 4200, 20)} crowns" if rented else "",
        "floors": floors,
        "number of rooms": rooms,
        "height": height,
        "Current Use": use,
        "former_use": before if before != use else "",
        "Last Restored": repaired.isoformat(),
        "listed": "yes" if random.random() < (0.75 if built < 1800 else 0.3) else "no",
        "burnt down in": "; ".join(str(y) for y in fires if random.random() < 0.1),
        "took to build": f"{months} months"
        if months < 24
        else f"{months / 12:.1f} years".replace(".0 ", " "),
    }
    return row | {column: "" for column, share in GAPS.items() if random.random() < share}


def houses(random):
    """Return all rows."""
    rows, years = [], {}
    for block in STREETS.strip().splitlines():
        street, names = block.split(": ", 1)
        left = ""
        for line in names.split("; "):
            rows.append(house(street, left, line, random))
            left = line.split("/")[0]
            years[left] = int(line.split("/")[3])
            assert (
                left not in NEVER or line == names.split("; ")[-1] or left == "Goldfinch House"
            ), line
    for row in rows:
        built = years[row["building"]]
        for column, sources, share, apart in (
            ("Modelled After", PATTERNS, 0.3, 5),
            ("stones taken from", QUARRIES, 0.32, 40),
        ):
            older = [s for s in listed(sources) if years[s] + apart < built]
            if older and random.random() < share:
                row[column] = skewed(older, random)
    column = row = None
    for fact in listed(KNOWN, "; "):
        if "/" not in fact:  # one more value of the cell before
            row[column] += f"; {fact}"
            continue
        name, column, cell = fact.split("/")
        row = next(row for row in rows if row["building"] == name)
        row[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("houses.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(houses(Random(47)))


if __name__ == "__main__":
    main()

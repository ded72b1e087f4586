"""Write castles.csv: invented castles, abbeys, forts, towers and ruins, a row a building.

All invented; a fixed seed. Hard on purpose: names that are months and words, names within names, two keeps of
the same name, builders, owners and custodians who share a surname, accents, several months and ghosts in a cell,
buildings besieged from, twinned with and built of the stones of others of the same table, many cells left empty.

    python invent_castles.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "name",
    "Kind",
    "built by",
    "year_built",
    "owner",
    "Style",
    "Tower Height",
    "entrance_fee",
    "Opening Months",
    "Ghosts",
    "besieged from",
    "Twin Of",
    "stones_from",
    "custodian",
    "Nearest Village",
    "rooms",
    "Last Restored",
    "dogs_allowed",
    "Has Moat",
    "walk from station",
]
GAPS = {
    "built by": 0.1,
    "year_built": 0.06,
    "owner": 0.08,
    "Style": 0.08,
    "Tower Height": 0.12,
    "entrance_fee": 0.08,
    "Opening Months": 0.1,
    "custodian": 0.08,
    "Nearest Village": 0.07,
    "rooms": 0.12,
    "Last Restored": 0.25,
    "dogs_allowed": 0.06,
    "Has Moat": 0.05,
    "walk from station": 0.15,
}
PLACES = """
castle: Ravenmoor; Upper Ravenmoor; Blackwater Keep; Schloss Wölfenau; Château d'Aubremond; Castell Llŷrwen; Žernovík; Çelikhan; Årnäsborg; Candlewick; Widow's Keep; Kingsfold; Queensfold; Thistle Hall; Drumcorrie; Castle Never; August; Burg Falkenquell; Burg Krähenquell; Königsquell; Torre Vermiglia; Rocca Sant'Ulmo; Castelo Brumoso; Alcázar de Piñuela; Hrad Vlčina; Zamek Święty Gaj; Dún Fiáin; Lantern Hill; Winter Court; Pepper Castle; Goosegate; Little Goosegate; Patience; Harrowgarth; Mistletoe Hall; Burg Unkenstein; Chestnut Court; Szarvasvár
abbey: Ravenmoor Abbey; Saint Orla's; Sainte-Ombre; Whitmere Abbey; Whitmere Lodge; Abbaye de Brumevaux; Kloster Lindenruh; San Teófilo; Mercy; Owlcote; Owlcote Abbey; May Abbey; Klášter Ovčín; Santa Chiarella; Mount Humble; Opactwo Brzozówka; Pilgrim's Rest
priory: Thistle Priory; Saint Wenna's; Nine Bells; Silent Sisters; Holy Ford; Stoke-under-Owl; Priorat Nebelau; Lesser Humble
fort: Fort Gull; Fort Pelican; Fort Amity; Ironside; The Anvil; Devil's Thumb; Sentinel; North Battery; South Battery; Fortezza Neretta; Salt Fort; Cinder Rock; Kastro Meltemó; Fort Éloise; Thunder; Sandbank
tower: Greystone Tower; Crooked Tower; Hunger Tower; Magpie Tower; Turm Elsterau; Torre do Ventinho; March Tower; Saturday Tower; Pigeon Tower; Bell Tower; Tour Sans-Nom; Little Crooked Tower
ruin: Blackwater Keep; Old Ravenmoor; Rabenzahn; October; Broken Crown; Hollow Hall; Wolfsgrave; Foxgrave; Bramblecote; Tannenweh; Seven Steps; Saint Nobody's; Burned Hall; Echo; Nettle Hall; Caer Dŵrwen; Moth Manor; Sorrow
"""
# Builder and when they built
BUILDERS = """
King Osric the Lame/1010; King Aldo II/1155; King Aldo III/1190; Queen Ysolde/1240; Bishop Odo Farthing/1120; Abbess Hildrun/1085; Duke Ferrand/1310; Baron Tancred Voss/1275; Baroness Edeltraud Voss/1335; Count Rüdiger the Bald/1205; Master Gillam/1390; Prior Benno/1170; Lady Mahaut/1420; Margrave Ödön/1265; Admiral Perrin Locksmith/1680; Colonel Hyde Tallow/1745; Abbot Ciarán/1060; Prince Lubomil/1485; Dame Petronel Finch/1530; the Swan Knights/1220; Canon Teodoro/1350; Jasper Brewer/1840; Cornelius Voss/1620; Sultan Berkan/1455
"""
OWNERS = "the Duchess of Merrowby, Lady Hortensia Vale, Sir Barnaby Vale, Society of Old Stones, Town of Pellow, Order of the Thistle, Count Ottavio Brisk, Bishopric of Sallow, the Grey Sisters, Crown Lands Office, Mustard Hotels, Ludovika Amsberg, Dr Fergal Tansy, Bank of Quillon, the Beekeepers' Guild, Éva Nádor, Walnut Film Studio"
CUSTODIANS = "Agnes Mortlock, Tobias Mortlock, Ulrike Sandner, Brother Anselm, Sister Perpetua, Ned Larkin, Jonquil Larkin, Zoltán Kerekfi, Maëlle Quérouan, Bożena Sikorzak, Íde Ní Bhraonáin, Hugo Castle, Winifred Bell, Rasmus Åkerlind, Filomena d'Arco, Old Mother Tuck, Piet van der Moer, Jean-Loup Carabin, Ignác Doležel, Rose Abbey, Gideon Stile, Corporal Biggs, Yusuf Demirtaşlı, Amparo Ruano, Clement Tower, Hetty Pike, Otto Pike"
VILLAGES = "Pellow, Nether Pellow, Wölfenau, Merrowby, Candle Green, Tümpelbach, Quillon, Dry Bridge, Ostermoor, Vlčí Lhotka, Gaj Mokry, Puerto Niebla, Three Elms, Goose Common, Saint-Brice-le-Creux, Sallow, Owlcote, Cold Supper, Ardnabeg Mor, Fishermen's Row, Lower Thistle"
STYLES = {
    "castle": "Gothic, Romanesque, Renaissance, Baroque, Neo-Gothic, Moorish",
    "abbey": "Romanesque, Gothic, Late Gothic, Baroque",
    "priory": "Romanesque, Gothic, Late Gothic",
    "fort": "star-shaped, Baroque, plain brick, Moorish",
    "tower": "Gothic, Romanesque, half-timbered, Neo-Gothic",
    "ruin": "Romanesque, Gothic, Late Gothic, half-timbered",
}
GHOSTS = "Grey Lady, headless drummer, Weeping Nun, white hound, Laughing Monk, Black Abbot, child with a lantern, Drowned Bride, lame piper, burnt cook, Hanged Judge, Grey Abbot, invisible cat, singing miller"
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
# First month and how many
SEASONS = [
    (4, 7),
    (5, 5),
    (5, 5),
    (3, 9),
    (6, 3),
    (7, 2),
    (6, 4),
    (4, 3),
    (9, 2),
    (12, 1),
    (11, 3),
    (8, 1),
    (10, 1),
]
# Known: name / column / cell
KNOWN = """
August/Opening Months/June|July; October/Opening Months/April|May; March Tower/Opening Months/September|October; May Abbey/Opening Months/July|August; Owlcote/Nearest Village/Owlcote; Schloss Wölfenau/Nearest Village/Wölfenau; Fort Pelican/entrance_fee/0 EUR; Echo/entrance_fee/0 EUR; Seven Steps/entrance_fee/0 EUR; Sorrow/entrance_fee/0 EUR; Bell Tower/entrance_fee/0 EUR
Crooked Tower/custodian/Clement Tower; Pepper Castle/custodian/Hugo Castle; Bell Tower/custodian/Winifred Bell; Ravenmoor/besieged from/Kingsfold; Kingsfold/besieged from/Ravenmoor; Ravenmoor/stones_from/Old Ravenmoor; Ravenmoor Abbey/stones_from/Old Ravenmoor; Upper Ravenmoor/besieged from/Ravenmoor; Drumcorrie/owner/Walnut Film Studio; Ravenmoor Abbey/besieged from/Fort Gull
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


def season(random):
    """The months a gate is open, in a row."""
    first, long = random.choice(SEASONS)
    return "; ".join(MONTHS[(first - 1 + at) % 12] for at in range(long))


def building(name, kind, random):
    """A building with all that needs no other one."""
    builder, year = random.choice(listed(BUILDERS, "; ")).split("/")
    while (int(year) > 1600) != (kind == "fort") and random.random() < 0.9:
        builder, year = random.choice(listed(BUILDERS, "; ")).split("/")
    tall = {"tower": (24, 71), "castle": (14, 58), "abbey": (20, 66), "fort": (6, 22)}.get(
        kind, (5, 30)
    )
    restored = date(1958, 1, 1) + timedelta(random.randrange(24000))
    return {
        "name": name,
        "Kind": kind,
        "built by": builder,
        "year_built": str(int(year) + random.randint(-18, 18)),
        "owner": several(listed(OWNERS), 1, random),
        "Style": several(listed(STYLES[kind]), 1, random),
        "Tower Height": f"{random.randint(*tall)} m",
        "entrance_fee": f"{random.choice(['2', '3', '3.5', '4', '4.5', '5', '6', '6.5', '7', '8', '9', '9.5', '11', '12', '14'])} EUR",
        "Opening Months": season(random),
        "Ghosts": several(listed(GHOSTS), 3, random) if random.random() < 0.6 else "",
        "custodian": several(listed(CUSTODIANS), 1, random),
        "Nearest Village": several(listed(VILLAGES), 1, random),
        "rooms": str(
            random.randint(2, 9) if kind in {"ruin", "tower"} else random.randint(11, 140)
        ),
        "Last Restored": restored.isoformat(),
        "dogs_allowed": random.choice(["yes", "no", "no"]),
        "Has Moat": random.choice(
            ["yes", "no", "no"] if kind in {"castle", "fort", "ruin"} else ["no"] * 6 + ["yes"]
        ),
        "walk from station": f"{random.choice(['0.5', '0.8', '1.2', '1.5', '2', '2.5', '3', '4', '4.5', '6', '7', '8', '9.5', '11', '13'])} km",
    }


def relate(rows, random):
    """Who was besieged from where, is twinned with what, and took whose stones."""
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    warlike = [row for row in single if row["Kind"] in {"castle", "fort", "tower"}]
    for row in rows:
        foes = [
            o["name"]
            for o in warlike
            if o is not row and int(o["year_built"]) < int(row["year_built"]) + 150
        ]
        row["besieged from"] = random.choice(foes) if random.random() < 0.62 else ""
        older = [
            o["name"]
            for o in single
            if o is not row and int(o["year_built"]) < int(row["year_built"])
        ]
        ruins = [
            name for name in older if any(o["name"] == name and o["Kind"] == "ruin" for o in rows)
        ]
        row["stones_from"] = (
            random.choice(ruins if ruins and random.random() < 0.7 else older)
            if older and random.random() < 0.55
            else ""
        )
        row["Twin Of"] = ""
    pairs = random.sample(single, 2 * (len(single) // 3))
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        one["Twin Of"], other["Twin Of"] = other["name"], one["name"]


def buildings(random):
    """Every building."""
    rows = []
    for line in PLACES.strip().splitlines():
        kind, names = line.split(": ", 1)
        rows += [building(name, kind, random) for name in names.split("; ")]
    relate(rows, random)
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell.replace("|", "; ")
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("castles.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(buildings(Random(613)))


if __name__ == "__main__":
    main()

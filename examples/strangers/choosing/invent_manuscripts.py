"""Write manuscripts.csv: the manuscripts in the library of an invented abbey, a row a manuscript.

All invented; a fixed seed. Hard on purpose: titles that are months, words or genres, titles that hold another
title, two of exactly the same title, scribes who are painters too or share a name, accents, several values in a
cell, manuscripts copied from and bound with other manuscripts of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_manuscripts.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "title|Scribe|genre|Languages|year_written|Copied From|bound with|folios|Height|Shelf Mark|Given By|acquired_on|illuminated|Painter|Written At|cover|Damage|insured_value|restored_by|On Loan".split(
    "|"
)
GAPS = {
    "Scribe": 0.1,
    "year_written": 0.07,
    "folios": 0.06,
    "Height": 0.1,
    "Shelf Mark": 0.06,
    "Given By": 0.15,
    "acquired_on": 0.12,
    "Painter": 0.12,
    "Written At": 0.08,
    "cover": 0.08,
    "Damage": 0.25,
    "insured_value": 0.1,
    "restored_by": 0.35,
}
# Genre: titles
TITLES = """
psalter: Small Psalter; Small Psalter; Blue Psalter; Psalter of Sister Oda; Great Psalter; Drowned Psalter
gospel book: Gospels of Marn; Hazel Gospels; Iron Gospels; The Traveller's Gospels
bestiary: Bestiary; Winter Bestiary; The Book of Hares; The Little Book of Hares; On Bees; On Bees and Wasps; Of Owls; Hedgehog; Beasts of the Marsh
herbal: Herbal of Oxmere; L'Herbier d'Oriane; Nettle; Poison and Balm; Saffron; The Orchard; Kräuterbuch
chronicle: Chronicle of Marn; Second Chronicle of Marn; The Burnt Chronicle; Annals of Lirn; Black Annals; Gesta Ulvari; Years of Hunger; The Siege of Vellbruck
hymnal: Hymnal of Saint-Yvrain; April; Vespers; Hymns for Rain; Cantus Noctis; Evensong; The Bell Book
sermons: Sermons on Sloth; Sermons on Salt; Homilies of Prior Wendel; The Golden Tongue; Against Dancing; Forty Fridays
saint's life: Life of Saint Ulvar; Vita Odilgardis; Passion of Saint Perrin; Miracles of Saint Yvrain; The Barefoot Abbess
cookery: Lent; The Cellarer's Book; Broth; Feasts and Fasts; The Cook's Almanac; Tausend Suppen
astronomy: The Nine Moons; Liber Stellarum; Comet; Tables of Vellbruck; March; August; The Cold Stars
law: Rule of Marn; The Short Rule; Custumal of Oxmere; Custumal of Hollow Hill; Lex Parva; Rights of the Mill
medicine: Book of Fevers; Old Leechbook; Leechbook of Hob; On Teeth; Die Wundarznei; De Ossibus; Midwife's Companion
romance: The Knight of Ash; Ash; Roman de l'Écureuil; Lay of the Two Sisters; Sir Gwill; Sir Gwill and the Heron; The Grey Horse
letters: Letters of Mother Hild; Letters to Nobody; Letters from Kalvø; Epistolae Tristes
riddles: Riddles of Lirn; One Hundred Riddles; The Fool's Book; Ænigmata
travel: The Road to Kalvø; Voyage of the Barnacle; Islands; Itinerarium; The Salt Road
mathematics: On Squares; Abacus; The Reckoner; Mensura
music: Organum; The Harp; Songs of the Weavers; Well-Tempered Choir
"""
# Scribe: from year, to year, where
SCRIBES = """
Brother Anselo: 1108 1139 Marn; Sister Oda: 1151 1186 Saint-Yvrain; Oda of Lirn: 1212 1247 Lirn; Théobald d'Ombre: 1224 1261 Saint-Yvrain; Aldous Quill: 1304 1342 Oxmere; Mother Hild: 1117 1158 Hollow Hill; Hildric: 1268 1297 Vellbruck
Brother May: 1361 1394 Marn; Jocelin Marrow: 1313 1348 Oxmere; Jocelin the Younger: 1352 1389 Oxmere; Ysolde Penhallow-Grey: 1405 1441 Hollow Hill; Étiennette Roux: 1411 1449 Saint-Yvrain; Prior Wendel: 1171 1199 Vellbruck; Wendel Brack: 1421 1463 Vellbruck
Łucjan Czarny: 1376 1412 Sankt Ulvar; Brother Wick: 1233 1271 Marn; Sigurd Half-Hand: 1255 1288 Kalvø; Young Martin: 1451 1489 Monte Cenere
"""
PAINTERS = "Master of the Blue Fox, Brother Wick, Sister Oda, Perrine Lalande, Old Matthis, Liesl Goldhand, Gaspar Tint, The Sleepy Master"
DONORS = "Lady Morwenna Tace, Lord Tace, Widow Ferrant, Bishop Orlo, the Guild of Chandlers, Count Reinmar, Tomas Loaf, Ilse d'Arvaine, Canon Pell, Baroness Snow, the Salt Merchants, Amaury Vint"
RESTORERS = "Agnes Thimble, Pieter Lijm, Ruth Mallow-Voss, Hal Binder, Nuria Paste, Dom Fabrice"
TONGUES = "Latin, French, German, Greek, Irish, Norse, Hebrew, Czech, Occitan, Arabic"
COVERS = "calfskin, goatskin, oak boards, pigskin, deerskin, velvet, sealskin, linen"
DAMAGE = "worm holes, water stains, mould, faded ink, missing leaves, candle wax, scorched edges, rat bites, torn cover"
# Known: title / column / cell
KNOWN = """
April/acquired_on/1788-10-04; March/acquired_on/1803-07-19; August/acquired_on/1691-02-11; L'Herbier d'Oriane/Languages/French; Roman de l'Écureuil/Languages/French; Kräuterbuch/Languages/German; Tausend Suppen/Languages/German; Die Wundarznei/Languages/German; Drowned Psalter/Damage/water stains; The Burnt Chronicle/Damage/scorched edges
Psalter of Sister Oda/Scribe/Sister Oda; Psalter of Sister Oda/year_written/1169; Psalter of Sister Oda/Written At/Saint-Yvrain; Letters of Mother Hild/Scribe/Mother Hild; Letters of Mother Hild/year_written/1143; Letters of Mother Hild/Written At/Hollow Hill; Letters of Mother Hild/Copied From/; Psalter of Sister Oda/Copied From/; Blue Psalter/cover/velvet; Islands/Given By/the Salt Merchants
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random, lean=1.4):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** lean)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def manuscript(title, genre, random):
    """A manuscript with all that needs no other."""
    scribe, span = random.choice(listed(SCRIBES, "; ")).split(": ")
    low, high, place = span.split(" ", 2)
    bright = random.random() < 0.45
    leaves = random.randint(24, 388)
    return {
        "title": title,
        "Scribe": scribe,
        "genre": genre,
        "Languages": several(listed(TONGUES), 2, random, 2),
        "year_written": str(random.randint(int(low), int(high))),
        "folios": str(leaves),
        "Height": f"{random.randint(11, 48)} cm",
        "Given By": random.choice(listed(DONORS)),
        "acquired_on": (date(1602, 1, 1) + timedelta(random.randrange(98000))).isoformat(),
        "illuminated": "yes" if bright else "no",
        "Painter": random.choice(listed(PAINTERS)) if bright else "",
        "Written At": place,
        "cover": several(listed(COVERS), 1, random),
        "Damage": several(listed(DAMAGE), 3, random, 1.2),
        "insured_value": f"{(leaves * random.randint(20, 90) + 9000 * bright) // 100 * 100} EUR",
        "restored_by": random.choice(listed(RESTORERS)),
        "On Loan": random.choice(["no", "no", "no", "no", "yes"]),
    }


def library(random):
    """Every manuscript, and which belongs to which."""
    rows = []
    for block in TITLES.strip().splitlines():
        genre, titles = block.split(": ", 1)
        rows += [manuscript(title, genre, random) for title in titles.split("; ")]
    titles = [row["title"] for row in rows]
    single = [row for row in rows if titles.count(row["title"]) == 1]
    known = [fact.split("/") for fact in listed(KNOWN, "; ")]
    for title, column, cell in known:
        next(row for row in rows if row["title"] == title)[column] = cell
    for at, row in enumerate(rows):
        row["Shelf Mark"] = (
            f"{'ABCDEFGH'[at // 15]} {random.choice(['i', 'ii', 'iii', 'iv', 'v'])} {at % 15 + 3}"
        )
        older = [o for o in single if o["year_written"] < row["year_written"]]
        alike = [o for o in older if o["genre"] == row["genre"]]
        if older and random.random() < 0.62:
            row["Copied From"] = random.choice(alike or older)["title"]
    # Two in one binding: the same cover, height and loan
    loose = random.sample(single, 48)
    for one, two in zip(loose[::2], loose[1::2], strict=True):
        one["bound with"], two["bound with"] = two["title"], one["title"]
        for column in ("cover", "Height", "On Loan"):
            two[column] = one[column]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for title, column, cell in known:
        next(row for row in rows if row["title"] == title)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with (
        Path(__file__).with_name("manuscripts.csv").open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(library(Random(78)))


if __name__ == "__main__":
    main()

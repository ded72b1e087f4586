"""Write hotel.csv: the register of an invented grand hotel, a row for whatever and whoever belongs to it.

All invented; a fixed seed. Hard on purpose: ten kinds of subject in one table, names that are words,
flowers, months and trades, namesakes of two kinds, surnames shared, accents and apostrophes, times in
minutes and in hours, several values in a cell, cells that name other rows, and many cells left empty.

    python3 invent_hotel.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "kind",
        "job title",
        "Floor",
        "supervised by",
        "Works In",
        "looked_after_by",
        "Stays In",
        "Held In",
        "supplied_by",
    ),
    *(
        "Run By",
        "arrived_on",
        "opened in",
        "Price per Night",
        "monthly_wage",
        "speaks",
        "Home Town",
        "pets allowed",
        "duration",
        "Known For",
    ),
)
# Name / floor / looked after by / price / pets / known for
ROOMS = """
Magnolia/1/Pilar Ossorio/185/yes/sea view | Number Seven/1/Pilar Ossorio/140/no/squeaky floor
The Cupboard/5/Nan Tully/65/no/tiny window | Nightingale/2/Josephine Bell/210/yes/birdsong
Violet/2/Josephine Bell/195/no/purple wallpaper | Orchid/3/Wanda Szczęsna/220/no/hothouse balcony
Captain's Rest/3/Wanda Szczęsna/240/yes/brass telescope; sea view | The Library Room/2/Nan Tully/230/no/old books
Thirteen/4/Nan Tully/90/yes/ghost | Blue Hour/4/Pilar Ossorio/175/no/sunset
Winter Garden/1//260/yes/palm trees | Écume/3/Josephine Bell/205//sea view
Little Lisbon/4/Wanda Szczęsna/160/no/tiled bath | The Ark/5/Pilar Ossorio/155/yes/bunk beds
Clock Room/5/Nan Tully//no/ticking | Peppermint/4/Josephine Bell/150/no/
Swallow's Nest/5//130/no/round window; birdsong
"""
SUITES = """
Imperial/3/Wanda Szczęsna; Josephine Bell/980/no/gilded ceiling | Empress Adélaïde/3/Wanda Szczęsna/890/yes/four-poster bed
Marguerite/2/Pilar Ossorio/620/no/painted daisies | Old Admiral/4/Josephine Bell/540/yes/ship's bell; sea view
Garden/0/Nan Tully/480/yes/private fountain | Honeymoon/4/Pilar Ossorio/710/no/heart-shaped bath
Maestro/2/Josephine Bell/650//grand piano | Sky/6//1250/no/glass roof
"""
# Name / stays in / speaks / home town / known for
GUESTS = """
Countess Ilse von Tharau/Imperial/German; French/Ravensmoor/diamonds | Octavio Lunes/Maestro/Spanish; Italian/Puerto Dulce/opera singing
Dame Hester Pryce/Old Admiral/English/Little Wexcombe/crime novels | Baron Félix d'Aubrac/Empress Adélaïde/French; English/Aubrac-les-Eaux/unpaid bills
August Winter/Clock Room/German; English/Ravensmoor/clock repairs | April Summers/Honeymoon/English/Port Gannet/silent films
Ned Summers/Honeymoon/English/Port Gannet/cricket | Professor Yara Nakhoul/The Library Room/Arabic; French; English/Qasr Amun/old maps
Mr. Pym/Thirteen/English//never leaving | The Twins/The Ark//Little Wexcombe/chess
Søren Quist/Captain's Rest/Danish; English/Fjordby/polar travel | Madame Zoé/Nightingale/French/Aubrac-les-Eaux/fortune-telling
Hugo Bell/Sky/English; German/Port Gannet/steel fortune | Major Archibald Thorne//English/Little Wexcombe/tall stories
Bianca Moretti/Marguerite/Italian/Santa Brina/perfume | Rosalind Grey/Blue Hour/English; Danish//watercolours
"""
# Name / job / supervised by / works in / speaks / home town / wage
STAFF = """
Leopold Hartwig/general manager///German; English; French/Ravensmoor/7800 | Célestine Roux/head concierge/Leopold Hartwig/Lobby/French; English; Italian/Aubrac-les-Eaux/4200
Tobias Bell/concierge/Célestine Roux/Lobby/English; Spanish/Port Gannet/3100 | Noor Haddad/concierge/Célestine Roux/Lobby/Arabic; French; English/Qasr Amun/3050
Finn Carver/night porter/Big Oleg/Lobby/English/Port Gannet/2300 | Big Oleg/head porter/Célestine Roux/Lobby/Russian; English/Zimograd/2900
Jasper Lamb/porter/Big Oleg/Lobby/English/Little Wexcombe/2050 | Tomás Reyes/porter/Big Oleg/Lobby/Spanish; English/Puerto Dulce/2100
Little Oleg/lift boy/Big Oleg/Lift/Russian/Zimograd/1500 | Hortense Picard/housekeeper/Leopold Hartwig/Linen Room/French/Aubrac-les-Eaux/3600
Pilar Ossorio/chambermaid/Hortense Picard//Spanish; English/Puerto Dulce/2000 | Josephine Bell/chambermaid/Hortense Picard//English; French/Port Gannet/2150
Wanda Szczęsna/chambermaid/Hortense Picard//Polish; German/Gęsina/2200 | Nan Tully/chambermaid/Hortense Picard//English/Little Wexcombe/
Gaspard Roux/head chef/Leopold Hartwig/The Gilded Pike/French/Aubrac-les-Eaux/5200 | Ginevra Costa/cook/Gaspard Roux/Da Ginevra/Italian; English/Santa Brina/3300
Olive Cook/pastry cook/Gaspard Roux/Tea Salon/English/Little Wexcombe/2950 | Kenji Mori/cook/Gaspard Roux/The Gilded Pike/Japanese; English/Hanamura/3150
Rosa Linde/cook/Gaspard Roux/Kachelofen/German/Ravensmoor/2800 | Basil Green/kitchen boy/Olive Cook/Tea Salon/English/Port Gannet/1450
Sidonie Vell/sommelier/Gaspard Roux/The Gilded Pike/French; German/Aubrac-les-Eaux/3400 | Walter Mund/head waiter/Leopold Hartwig/The Gilded Pike/German; English/Ravensmoor/3250
Lucía Reyes/waitress/Walter Mund/Breakfast Terrace/Spanish; English/Puerto Dulce/2000 | Mikkel Bruun/waiter/Walter Mund/Breakfast Terrace/Danish/Fjordby/2025
Duke Ellery/pianist/Viola Strand/Blue Parrot/English/Port Gannet/2600 | Viola Strand/bandleader/Leopold Hartwig/Ballroom/Danish; German/Fjordby/3500
Harper Quill/cellist/Viola Strand/Ballroom/English//2450 | Zoltán Béres/violinist/Viola Strand/Tea Salon/Hungarian; German/Kékvár/2500
Sally Gimlet/barmaid/Ottokar Prinz/Blue Parrot/English/Port Gannet/2250 | Ottokar Prinz/head barman/Leopold Hartwig/Orchid/Czech; German; English/Hradov/3450
Mina Frost/barmaid/Ottokar Prinz/The Last Anchor/English; Danish/Fjordby/2275 | Percy Wheeler/chauffeur/Célestine Roux/Garage/English/Little Wexcombe/2700
Anton Rad/chauffeur/Percy Wheeler/Garage/Czech; German/Hradov/2550 | May Flowers/gardener/Hortense Picard/Winter Garden/English/Little Wexcombe/2350
Stoker Joe/boilerman//Boiler Room//Port Gannet/2400
"""
# Name / kind / floor / run by / supplied by / opened in / pets / known for
TABLES = """
The Gilded Pike/restaurant/0/Gaspard Roux/Halloran & Daughters; Cellar Brothers/1908/no/pike in champagne | Da Ginevra/restaurant/1/Ginevra Costa/Fattoria Brina; Cellar Brothers/1964/yes/truffle ravioli
Kachelofen/restaurant/-1/Rosa Linde/Ravensmoor Dairy; Old Mill/1931/yes/dumplings; cheese soup | Tea Salon/restaurant/0/Olive Cook/Old Mill; Leaf & Leaf/1912/no/scones; violet tart
Breakfast Terrace/restaurant/1/Walter Mund/Old Mill; Ravensmoor Dairy/1976//soft-boiled eggs | Blue Parrot/bar/0/Ottokar Prinz/Cellar Brothers; Hop Garden/1927/yes/live jazz
Orchid/bar/6/Ottokar Prinz/Cellar Brothers/1999/no/gin fizz | The Last Anchor/bar/-1/Mina Frost/Hop Garden/1919/yes/dark beer
Smoking Room/bar/2//Cellar Brothers/1908/no/leather armchairs
"""
# Name / run by / home town / known for
SUPPLIERS = """
Halloran & Daughters/Maeve Halloran/Port Gannet/fish; oysters | Cellar Brothers/Émile Cellar/Aubrac-les-Eaux/wine; champagne
Old Mill/Gudrun Held/Ravensmoor/bread; flour | Ravensmoor Dairy/Gudrun Held/Ravensmoor/milk; cheese; butter
Fattoria Brina/Bianca Moretti/Santa Brina/olive oil; truffles | Leaf & Leaf/Horace Leaf/Port Gannet/tea
Hop Garden/Stan Brewer/Little Wexcombe/beer | Snow White Laundry/Dora Klee/Little Wexcombe/starched sheets
Petal/Dora Klee/Santa Brina/cut flowers; palm trees | Candle & Wick//Fjordby/beeswax candles
"""
# Name / held in / run by / supplied by / duration / known for
EVENTS = """
Masked Ball/Ballroom/Viola Strand/Petal; Candle & Wick/6 h/midnight unmasking | Oyster Night/The Gilded Pike/Gaspard Roux/Halloran & Daughters/3 h/pearl hunt
Jazz Monday/Blue Parrot/Duke Ellery/Hop Garden/4 h/ | Five O'Clock Tea/Tea Salon/Olive Cook/Leaf & Leaf/90 min/scones
Murder Weekend/The Library Room/Dame Hester Pryce//48 h/fake blood | Chess Evening/Smoking Room/The Twins//150 min/silence
Truffle Week/Da Ginevra/Ginevra Costa/Fattoria Brina/7 days/truffle pigs | Séance/Thirteen/Madame Zoé/Candle & Wick/45 min/ghost
New Year's Eve/Ballroom/Leopold Hartwig/Cellar Brothers; Petal/8 h/fireworks | Sunday Recital/Maestro/Zoltán Béres/Petal/75 min/encores
Garden Party/Garden/May Flowers/Petal; Cellar Brothers//croquet
"""
# Name / kind / looked after by / stays in / known for
OTHERS = """
Marguerite/cat/Sally Gimlet/Blue Parrot/singing along | Chairman/cat/Tobias Bell/Lobby/sleeping on suitcases
Soot/cat/Stoker Joe/Boiler Room/catching rats | Pâté/cat/Gaspard Roux; Kenji Mori/The Gilded Pike/stealing fish
Lady Whiskers/cat/Nan Tully/Imperial/scratching guests | August/cat//Kachelofen/
Silver Lady/car/Percy Wheeler/Garage/wedding drives | The Beetle/car/Anton Rad/Garage/breaking down
Old Faithful/car/Percy Wheeler; Anton Rad/Garage/station transfers | Duchess/car/Percy Wheeler/Garage/leather seats
Magpie/car//Courtyard/loud horn
"""
GAPS = ("arrived_on/0.1", "opened in/0.15")
LAYOUTS = (
    (ROOMS, "room", "name/Floor/looked_after_by/Price per Night/pets allowed/Known For"),
    (SUITES, "suite", "name/Floor/looked_after_by/Price per Night/pets allowed/Known For"),
    (GUESTS, "guest", "name/Stays In/speaks/Home Town/Known For"),
    (STAFF, "staff", "name/job title/supervised by/Works In/speaks/Home Town/monthly_wage"),
    (TABLES, "", "name/kind/Floor/Run By/supplied_by/opened in/pets allowed/Known For"),
    (SUPPLIERS, "supplier", "name/Run By/Home Town/Known For"),
    (EVENTS, "event", "name/Held In/Run By/supplied_by/duration/Known For"),
    (OTHERS, "", "name/kind/looked_after_by/Stays In/Known For"),
)
# The years in which one of a kind came to the house
CAME = {"guest": (2024, 2025), "staff": (1989, 2024), "cat": (2011, 2024), "car": (1958, 2019)}


def rows(random):
    """Return all rows."""
    gaps = {column: float(share) for column, share in (gap.split("/") for gap in GAPS)}
    for block, kind, layout in LAYOUTS:
        for line in block.strip().replace("\n", " | ").split(" | "):
            row = (
                dict.fromkeys(COLUMNS, "")
                | {"kind": kind}
                | dict(zip(layout.split("/"), line.split("/"), strict=True))
            )
            for column in ("Price per Night", "monthly_wage"):
                row[column] += " EUR" if row[column] else ""
            if row["kind"] in CAME and random.random() > gaps["arrived_on"]:
                first, last = CAME[row["kind"]]
                day = date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))
                row["arrived_on"] = day.isoformat()
            if row["kind"] in {"room", "suite"} and random.random() > gaps["opened in"]:
                row["opened in"] = str(
                    random.choice([1908, 1908, 1912, 1926, 1931, 1954, 1978, 1999, 2015])
                )
            yield row


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("hotel.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(Random(47)))


if __name__ == "__main__":
    main()

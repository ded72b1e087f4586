"""Write newspapers.csv: the newspapers and magazines of the invented country of Tarnmark, a row a title.

All invented; a fixed seed. Hard on purpose: papers whose names are words, days and greetings,
namesakes in two cities, titles that share a part, accents, families who own, edit, found and draw,
rivals, forerunners and sister papers that are rows themselves, prices that are sometimes "free",
grams and kilograms, days, weeks and months, several values in a cell, and many cells left empty.

    python3 invent_newspapers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

KINDS = {
    "D": "daily newspaper",
    "E": "evening newspaper",
    "W": "weekly newspaper",
    "S": "Sunday newspaper",
    "M": "monthly magazine",
    "G": "weekly magazine",
    "Q": "quarterly journal",
    "F": "free sheet",
}
CITIES = {
    "P": "Port Halloran",
    "K": "Kestrel Bay",
    "L": "Lëska",
    "D": "Dunmarrow",
    "O": "Santa Orla",
    "G": "Grauberg",
    "W": "Wyck",
    "A": "Ångholm",
    "T": "Three Rivers",
    "H": "Hope",
}
TONGUES = {
    "m": "Marish",
    "l": "Lëskan",
    "o": "Orlan",
    "g": "Graubian",
    "s": "Sundish",
    "t": "Old Tarn",
}
LEANINGS = {
    "L": "left-wing",
    "l": "centre-left",
    "C": "centrist",
    "c": "centre-right",
    "N": "conservative",
    "B": "liberal",
    "R": "royalist",
    "G": "green",
    "": "",
}
# Title / kind / city / languages / leaning / first year-last year / main rival / took over from / sister papers
PAPERS = """
Halloran Times/D/P/m/c/1861/Halloran Courier/Halloran Advertiser/Halloran Evening Times, Sunday Halloran; Halloran Evening Times/E/P/m/c/1903/Nightfall//Halloran Times, Sunday Halloran
Sunday Halloran/S/P/m/c/1924/Seventh Day//Halloran Times, Halloran Evening Times; Halloran Advertiser/W/P/m//1822-1860/Quayside Mercury//
Halloran Courier/D/P/m/l/1888/Halloran Times/Quayside Mercury/Kestrel Bay Courier, Dunmarrow Courier; Quayside Mercury/W/P/m/B/1839-1887/Halloran Advertiser//
Nightfall/E/P/ms/L/1931/Halloran Evening Times/Red Lamp/Tomorrow; Red Lamp/W/P/m/L/1907-1930///
Tomorrow/M/P/m/L/1968/Nothing New//Nightfall; Nothing New/M/P/m/N/1974/Tomorrow//
Seventh Day/S/P/m/N/1951/Sunday Halloran//Evensong; The Lantern/D/P/m/B/1912/Halloran Times//
Harbour Gossip/G/P/m//1989/Hello You//Spoon; Hello You/G/P/mo//1996/Harbour Gossip//Bread
Dockside Free Press/F/P/ms//2004/Metro Minute//; Metro Minute/F/P/m//2009/Dockside Free Press//Lëska Minute
The Ledger/D/P/m/c/1879/Mark and Florin/Shipping Intelligence/; Shipping Intelligence/W/P/m//1801-1878///
Mark and Florin/G/P/mg/B/1986/The Ledger//; Spoon/M/P/m//1979/Bread//Harbour Gossip
Ink/Q/P/mt//1963/Quarto//; Kestrel Bay Courier/D/K/m/l/1920/Bay Sentinel//Halloran Courier, Dunmarrow Courier
Bay Sentinel/D/K/m/N/1898/Kestrel Bay Courier/Kestrel Bay Packet/Evensong; Kestrel Bay Packet/W/K/m//1844-1897///
Evensong/E/K/m/N/1922/Gull//Bay Sentinel, Seventh Day; Gull/G/K/ms/G/1983/Evensong//Low Tide
Low Tide/M/K/m/G/1991/The Angler's Friend//Gull; The Angler's Friend/M/K/m//1958/Low Tide/Hook and Line/
Hook and Line/M/K/m//1909-1957///; The Beacon/W/K/m/l/1936/Bay Sentinel//
Echo/D/K/m/C/1949/Kestrel Bay Courier//; Bay Children's Paper/G/K/m//1972/Kite//
Sundial/M/K/m//1999/Grey Hours//; Lëska Tagblat/D/L/l/c/1868/Volksstëm/Lëskaer Bote/Lëska am Sonndag
Lëskaer Bote/W/L/lg//1811-1867///; Lëska am Sonndag/S/L/l/c/1933/Sunday Bell//Lëska Tagblat
Volksstëm/D/L/l/L/1905/Lëska Tagblat/Der Funk/Jong; Der Funk/W/L/l/L/1893-1904///
Jong/M/L/l/L/1970/Kite//Volksstëm; Lëska Minute/F/L/lm//2011/Lëska Tagblat//Metro Minute
Sunday Bell/S/L/lm/N/1927/Lëska am Sonndag//Parish Bell; Parish Bell/M/L/l/N/1947/The Candle//Sunday Bell
Oberlëska Courier/W/L/lg/C/1895/Tal und Berg//; Fënster/Q/L/l/B/2001/Ink//
Cuckoo/G/L/l//1954/Hornet//; Dunmarrow Courier/D/D/m/l/1946/Dunmarrow Gazette/Plain Speaker/Halloran Courier, Kestrel Bay Courier
Plain Speaker/D/D/m/B/1877-1945/Dunmarrow Gazette//; Dunmarrow Gazette/D/D/m/N/1853/Dunmarrow Courier//Evening Gazette, Gazette Magazine
Evening Gazette/E/D/m/N/1910-1988/Dunmarrow Lamp//Dunmarrow Gazette; Gazette Magazine/G/D/m//1965/Harbour Gossip//Dunmarrow Gazette
Dunmarrow Lamp/E/D/m/l/1919/Nightfall/Red Lantern/; Red Lantern/W/D/m/L/1901-1918/Red Lamp//
Coal and Steel/W/D/mg/L/1928/The Ledger//; The Farmer/W/D/m/N/1886/Plough and Pen//
Plough and Pen/W/D/mt/C/1934/The Farmer/Barley/; Barley/M/D/m//1899-1933///
Ask/M/D/m//1985/Tomorrow//; Monday/W/D/m/C/1993/Dunmarrow Gazette//
Whistle/W/D/m//1908/Goal!//; El Correo de Orla/D/O/o/c/1872/La Señal/La Paloma/El Correo Dominical
La Paloma/W/O/o//1829-1871///; El Correo Dominical/S/O/o/c/1940/La Señal//El Correo de Orla
La Señal/D/O/o/L/1918/El Correo de Orla/El Martillo/Mañana; El Martillo/W/O/o/L/1889-1917/La Paloma//
Mañana/M/O/om/l/1977/Tomorrow//La Señal; Pan y Vino/M/O/o//1988/Spoon//
Goal!/W/O/om//1959/Whistle//; The Lantern/W/O/om/C/1981/La Señal//
Olive/M/O/o/G/1997/Pan y Vino//; Bread/M/O/om//1966/Spoon//Hello You
Isla Chica News/W/O/o//1978/El Correo de Orla//; Grauberger Zeitung/D/G/g/N/1849/Neuer Tag/Intelligenzblatt/Grauberger Abend
Intelligenzblatt/W/G/g//1790-1848///; Grauberger Abend/E/G/g/N/1911-1979/Neuer Tag//Grauberger Zeitung
Neuer Tag/D/G/gl/l/1947/Grauberger Zeitung/Alter Tag/; Alter Tag/D/G/g/B/1883-1946/Grauberger Zeitung//
Tal und Berg/M/G/g/G/1931/Oberlëska Courier//Steinbock; Steinbock/M/G/g//1952/Snowshoe//Tal und Berg
Hornet/G/G/gm/L/1926/Cuckoo//; Quarto/Q/G/gm//1955/Ink//
Echo/W/G/g/C/1962/Neuer Tag//; Zwirn/M/G/g//1950/Needle and Thread//
Wyck Herald/D/W/m/R/1816/Wyck Witness/Wyck Post-Boy/Crown and Garter; Wyck Post-Boy/W/W/mt/R/1764-1815///
Wyck Witness/D/W/m/L/1895/Wyck Herald//; Crown and Garter/G/W/m/R/1937/Hello You//Wyck Herald
The Candle/M/W/mt/N/1871/Parish Bell//; The Physician/Q/W/mt//1858/Bone and Marrow//
Bone and Marrow/Q/W/m//1949/The Physician//; Kite/G/W/m//1961/Bay Children's Paper/Little Folk/
Little Folk/G/W/m//1890-1960///; Needle and Thread/M/W/m//1902/Zwirn//
Wyck Student/F/W/m/L/1971/Ångholm Student//; Sundial/Q/W/t//1884/The Physician//
Grey Hours/M/W/m//2003/Sundial of Hope//; Ångholms Posten/D/A/s/C/1856/Norrsken/Ångholms Budstikke/Posten Lördag
Ångholms Budstikke/W/A/s//1807-1855///; Posten Lördag/G/A/s/C/1969/Fjord//Ångholms Posten
Norrsken/D/A/s/G/1975/Ångholms Posten/Nordic Worker/Fjord; Nordic Worker/D/A/sm/L/1913-1974/Ångholms Posten//
Fjord/M/A/sm/G/1994/Snowshoe//Norrsken; Snowshoe/M/A/s//1938/Steinbock//
Ångholm Student/F/A/s/L/1980/Wyck Student//; Sildøy Blad/W/A/s//1904/Norrsken//
Three Rivers Mail/D/T/m/C/1874/The Confluence/Ferryman's Journal/Weekend Mail; Ferryman's Journal/W/T/m//1832-1873///
Weekend Mail/S/T/m/C/1958/The Confluence//Three Rivers Mail; The Confluence/W/T/ml/B/1909/Three Rivers Mail//
The Beacon/D/T/m/N/1969/Three Rivers Mail//; Bridge Player/M/T/m//1948/Chess and Draughts//
Chess and Draughts/M/T/mg//1929/Bridge Player//; Hope Observer/W/H/m/B/1867/Hope Independent//Sundial of Hope
Hope Independent/W/H/m/C/1921/Hope Observer/The Pilgrim/; The Pilgrim/W/H/mt/N/1838-1920///
Sundial of Hope/M/H/m//1992/Grey Hours//Hope Observer; The Weather/D/H/m//1987/Low Tide//
"""
OLD = [
    "Aldous Brandt",
    "Countess Irma Varga",
    "Josiah Pike",
    "Bartholomew Moon",
    "Father Anselm Roe",
    "Gottlieb Graf",
    "Rasmus Aske",
    "Fermín Ferrán",
    "Prudence Inkpen",
    "Tobias Quill",
    "Václav Klíma",
    "Captain Elias Strand",
    "Old Tom Keys",
    "Henrietta Bright",
    "Theodor Zwick",
    "Ramona Dolz",
]
NEW = [
    "Tove Brandt",
    "Magnus Brandt",
    "Ilse Varga",
    "Severin Pike",
    "Dorothea Pike",
    "Aurélie Fontane",
    "Casimir Dolz",
    "Zdenka Holub",
    "Penny Page",
    "Mark Downe",
    "Grace Inkpen",
    "Óscar Ferrán",
    "Lucía Ferrán",
    "Björn Aske",
    "Hedda Aske",
    "Will Proof",
    "Agathe Rosier",
    "Niels Thorn",
    "Baroness Stroud",
    "Patience Moon",
    "Joseph Moon",
    "Rufus Bell",
    "Ottilie Graf",
    "Jaromír Klíma",
    "Ewan Strand",
    "Ida Lark",
    "Sunniva Lark",
    "Dr. Coil",
    "Maud Tansy",
    "Leopold Keys",
    "Florian Keys",
    "Cosima Bright",
    "Hugo Bright",
    "Yusuf Tarhan",
    "Nadja Kosk",
    "Joseph Moon Jr.",
]
DRAWERS = [
    "Penny Page",
    "Zsófi Crow",
    "Rufus Bell",
    "Ida Lark",
    "Piers Blot",
    "Niels Thorn",
    "Señora Lápiz",
    "Jem Scrawl",
    "Hedda Aske",
    "Mo Inkpen",
]
HOUSES = [
    "Brandt & Daughters",
    "Quill House",
    "Tideway Media",
    "Orla Press Group",
    "Ferrymen's Union",
    "Diocese of Wyck",
    "Northern Light Trust",
    "Graf Verlag",
    "Miners' Relief Fund",
    "Magnus Brandt",
    "Ilse Varga",
    "Baroness Stroud",
    "Óscar Ferrán",
    "Patience Moon",
]
PRINTERS = {
    "P": "Quay Street Works",
    "K": "Quay Street Works",
    "L": "The Tannery",
    "D": "Rotary Hall",
    "O": "Imprenta del Sol",
    "G": "The Tannery",
    "W": "St Luke's Press",
    "A": "Ångholm Tryck",
    "T": "Old Mint",
    "H": "Old Mint",
}
COLUMNS = [
    "title",
    "kind",
    "Based In",
    "languages",
    "owned by",
    "Editor in Chief",
    "founded_by",
    "first_issue",
    "Circulation",
    "cover_price",
    "Political Leaning",
    "main rival",
    "took over from",
    "sister_papers",
    "closed in",
    "printed at",
    "Weight per Copy",
    "cancellation_notice",
    "has a crossword",
    "cartoons by",
]
SIZES = {
    "D": (18, 240),
    "E": (12, 95),
    "W": (3, 48),
    "S": (40, 260),
    "M": (4, 70),
    "G": (15, 130),
    "Q": (0.4, 5),
    "F": (20, 190),
}
PRICES = {
    "D": (1.2, 2.8),
    "E": (0.9, 1.8),
    "W": (1.5, 3.5),
    "S": (2.5, 4.2),
    "M": (4, 9.5),
    "G": (2.2, 5),
    "Q": (9, 24),
    "F": (0, 0),
}
WEIGHTS = {
    "D": (110, 260),
    "E": (80, 150),
    "W": (90, 200),
    "S": (280, 640),
    "M": (180, 420),
    "G": (140, 260),
    "Q": (450, 1400),
    "F": (40, 85),
}


def main() -> None:
    """Make up the rest of each paper and write the table."""
    random, rows, owners = Random(20260711), [], {}
    for line in PAPERS.strip().replace("\n", "; ").split("; "):
        title, kind, city, tongues, leaning, years, rival, before, sisters = line.split("/")
        first, _, last = years.partition("-")
        year, people = int(first), OLD if int(first) < 1940 else NEW
        owner = next((owners[s] for s in sisters.split(", ") if s in owners), random.choice(HOUSES))
        owners[title] = owner
        low, high = SIZES[kind]
        copies = round(random.uniform(low, high) * (0.15 if last and int(last) < 1900 else 1), 1)
        price = random.uniform(*PRICES[kind])
        grams = 5 * round(random.uniform(*WEIGHTS[kind]) / 5)
        notice = random.choice(
            [
                "7 days",
                "10 days",
                "2 weeks",
                "3 weeks",
                "4 weeks",
                "6 weeks",
                "1 month",
                "2 months",
                "3 months",
            ]
        )
        start = date(year, 1, 1) + timedelta(random.randrange(365))
        founders = random.sample(people, 2 if random.random() < 0.18 else 1)
        artists = random.sample(DRAWERS, random.choice([1, 1, 1, 2]))
        printers = (
            PRINTERS[city]
            if random.random() < 0.75
            else random.choice(sorted(set(PRINTERS.values())))
        )
        row = {
            "title": title,
            "kind": KINDS[kind],
            "Based In": CITIES[city],
            "languages": "; ".join(TONGUES[t] for t in tongues),
            "owned by": owner if random.random() < 0.92 else "",
            "Editor in Chief": random.choice(OLD if last and int(last) < 1960 else NEW)
            if random.random() < 0.93
            else "",
            "founded_by": "; ".join(founders) if random.random() < 0.85 else "",
            "first_issue": start.isoformat() if random.random() < 0.93 else "",
            "Circulation": str(int(copies * 1000)) if random.random() < 0.92 else "",
            "cover_price": ""
            if random.random() < 0.07
            else "free"
            if kind == "F"
            else f"{0.05 * round(price * 20):.2f} florins",
            "Political Leaning": LEANINGS[leaning],
            "main rival": rival,
            "took over from": before,
            "sister_papers": sisters.replace(", ", "; "),
            "closed in": last,
            "printed at": printers if random.random() < 0.9 else "",
            "Weight per Copy": ""
            if random.random() < 0.2
            else f"{grams / 1000:g} kg"
            if grams >= 1000
            else f"{grams} g",
            "cancellation_notice": "" if last or kind == "F" or random.random() < 0.1 else notice,
            "has a crossword": "" if random.random() < 0.1 else random.choice(["yes", "yes", "no"]),
            "cartoons by": "; ".join(artists)
            if year > 1850 and not last and random.random() < 0.7
            else "",
        }
        rows.append(row)
    titles = {row["title"] for row in rows}
    for row in rows:
        for column in ("main rival", "took over from", "sister_papers"):
            assert all(t in titles for t in row[column].split("; ") if t), row
    with Path(__file__).with_name("newspapers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

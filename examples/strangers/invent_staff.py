"""Write staff.csv: the 240 people of Pell & Marrow, makers of scales and barometers, all invented.

A row a person: what they do, for whom, where, since when, for how much, in which languages.
Managers and mentors have rows of their own. Hard on purpose: names that are words, months, towns
or departments of this very table, two pairs of namesakes, names one letter apart, accents,
apostrophes, hyphens, initials and digits, several languages in a cell, and cells left empty.

    python examples/strangers/invent_staff.py
"""

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "job title", "department", "Manager", "based in", "started_on"),
    *("salary", "extension", "languages", "remote", "birthday", "mentor"),
)
GAPS = {"salary": 0.06, "extension": 0.14, "languages": 0.05, "remote": 0.06, "birthday": 0.09}
"""How often a cell is left empty."""
BOARD = (
    ("Leopoldine Pell", "Managing Director"),
    ("Rufus Marrow", "Director of Production"),
    ("Åsa Ångby", "Director of Trade"),
    ("Henry Vane 2nd", "Director of Services"),
)
# A department, who of the board is above it, its people, their pay, its towns and its titles.
DEPARTMENTS = """
Workshop|1|40|31|Saltby,Tallow,Saltbury|scale fitter,welder,lathe operator,spring winder,tool setter
Glass|1|24|33|Möllsund,Saltby|glassblower,tube drawer,annealer
Calibration|1|22|38|Saltbury,Hope,Tallow|calibration engineer,test technician,keeper of weights
Shipping|1|22|27|Port Amity,Saltby|driver,forklift driver,packer,customs clerk
Sales|2|26|40|Tallow,Hope,Port Amity,Ferris Cross|sales rep,key account manager,shop assistant
After-Sales|2|16|32|Hope,Ferris Cross|repair technician,helpline adviser
Design|2|14|42|Tallow,Nether Quill|industrial designer,draughtsperson,model maker
R&D|0|16|52|Nether Quill,Möllsund|physicist,materials chemist,firmware engineer
IT|3|14|45|Tallow,Hope|software developer,system administrator,helpdesk technician
Finance|3|14|41|Tallow|accountant,payroll clerk,bookkeeper,cost analyst
People|3|10|37|Tallow,Saltby|recruiter,trainer,company nurse
Legal|3|8|58|Tallow,St. Orrin's|patent lawyer,paralegal,archivist
Kitchen|3|10|26|Tallow,Saltby|cook,baker,dishwasher
"""
# The first is the head, the next ones lead a team where there are teams.
PLACED = {
    "Workshop": (
        "Grace Boss,Marten Hale,Martin Hale,J. R. Tolley,Bill Long,"
        "Owen Brack,Will May,Erik Sand,Erika Sand,Louis Marrow III"
    ),
    "Glass": "Zoë Marsh,Jürgen Köhm,Søren Kjærby,Rose Field,Art Price,Chloé Bérou,Lena Voss",
    "Calibration": "Priya Rao-Lindt,Niall O'Creagh,Penny Miles,Sam K. Odell,Sam J. Odell,Vít Řeka",
    "Shipping": "Dean Head,Amina N'Kesse,Joan Pryde,Jon Pryde,Temp 1,Temp 2,Temp 3,Ngô Thảo",
    "Sales": "Mark Sales,May Wills,Hope Ferris,Ana Núñez,D'Arcy Penn,Frank Young,June Friday",
    "After-Sales": "Síle O'Dowda,Anne-Marie Toll,Dale Church,Summer Early,Łukasz Wróz",
    "Design": "Ayça Demirsu,Jade Stone,Peter Q. Abel,Max Power-Hill",
    "R&D": "Karl-Heinz Drost-Vey,Ines Vandermolen,Ana Núñez,Read Wright,Bo Li",
    "IT": "Ro'i Ben-Ashur,Olive Branch,Al Most,Lena Foss",
    "Finance": "Rich Poore,Penelope Cash,Faith Banks,Zoe Marshall",
    "People": "Renée D'Aubry,Patience Hand,Carol Singer",
    "Legal": "Constance Law,Owen Brack,Justice Okwu",
    "Kitchen": "Basil Cook,Ginger Brown,Ruby Brown",
}
GIVEN = """Abel Ada Agnes Albin Alma Amos Anders Anouk Arlo Astrid Aurel Beata Benno Berit Bram
Bruno Cassia Cedric Celia Clem Cora Cyril Dagny Daria Dorian Edda Edwin Effie Elias Elke Elsa Emil
Enzo Esme Fabian Fatou Felix Fenna Fergus Flora Gavin Gerda Gilda Greta Gustav Hanno Hattie Hedda
Hector Hugo Ida Idris Ilse Imre Ingrid Iris Ivo Jasper Jonas Judit Kaja Kamal Keira Kofi Lars Leila
Levi Linnea Luca Mabel Magda Malik Maren Mina Mira Nadia Nell Nils Noor Oda Olaf Orla Oskar Otto
Pavel Petra Quentin Rafi Ragna Ravi Remy Rita Rolf Runa Sanna Selma Signe Silas Sunita Tamsin Tariq
Teun Thea Tilda Tova Ulla Vera Viggo Wanda Wilma Xenia Yara Yusuf Zelda"""
FAMILY = """Abbelow Aldercote Ambrey Appelgaard Arrowby Ashdown-Pim Bagworth Barrowclough Beckrith
Bexmoor Birkelund Blunsdale Bodkin Brambley Brindlow Buckle Burrage Calloway Candlish Carrick-Oyle
Cobbin Corvello Cragg Crumley Culpin Dabbs Dassen Deverow Dinsdale Dovrefell Drumgold Eastlack
Edderby Elphin Everleigh Fackrell Fenwold Finnerly Flaxholm Fordyke Gallowglass Garrup Gentle
Gillam Glassby Gorringe Grubb Gundersby Haddle Hakkarai Harbottle Havelaar Hemblow Hickling
Hollowell Horsfall Huxtry Ibbitt Inchbold Jellicoe-Rand Jessup Kaddish Kelleway Ketteridge Kilvert
Kirkbeck Knapp Lackaby Lanternier Larkspur Leggatt Lindqvast Lovage Lumb Mabbott Maddern Mallory-Bux
Merriweld Midwinter Mossop Nattrup Nethercott Nightingall Oakenfull Oddie Onslowe Orchardby
Pancrass Pargeter Peasgood Pennyfarth Pilbrow Quarmby Quillan Rackstraw Ramsbott Ravenhall
Rookwood-Ede Sallow Scrivens Seagrim Shillito Skelhorn Snodgrove Starling Stobbart Swanwick Tansley
Thackray Thistleton Threlfell Tinkler Tozer Tulliver Twelvetrees Umfray Underhay Vantongeren
Veldkamper Wagstaffe Wexcombe Whinfield Wintle Wraith Yaxlow Yelland Zeitler"""
LANGUAGES = """German French Danish Polish Spanish Welsh Turkish Hindi Czech Yoruba Dutch Irish
Portuguese Vietnamese Maltese Icelandic"""
"""Beside English, from those that many speak to those that few do."""

Person = dict[str, str]


def departments() -> dict[str, list[str]]:
    """Return what DEPARTMENTS says of each."""
    rows = (line.split("|") for line in DEPARTMENTS.split("\n")[1:-1])
    return {name: others for name, *others in rows}


def names(random: Random) -> dict[str, list[str]]:
    """Return the names of each department's people, those who lead first."""
    given, family = GIVEN.split() * 2, FAMILY.split() * 2
    random.shuffle(given)
    random.shuffle(family)
    made = dict.fromkeys(f"{first} {last}" for first, last in zip(given, family, strict=False))
    rest = iter(made)
    found = {}
    for department, (_, size, *_) in departments().items():
        placed = PLACED[department].split(",")
        found[department] = placed + [next(rest) for _ in range(int(size) - len(placed))]
    return found


def people(random: Random) -> list[Person]:
    """Return everybody with a title, a department, a manager, a town and a salary."""
    boss = BOARD[0][0]
    found = [
        {"name": name, "job title": title, "department": "Board", "based in": "Tallow"}
        | ({} if name == boss else {"Manager": boss, "salary": f"{random.randint(96, 130)}000 EUR"})
        for name, title in BOARD
    ]
    for department, members in names(random).items():
        above, _, basis, towns, titles = departments()[department]
        pay, near = int(basis), towns.split(",")
        teams = len(members) // 9 if len(members) >= 14 else 0
        leaders = members[1 : teams + 1]
        for place, name in enumerate(members):
            manager = random.choice(leaders or members[:1])
            title, thousands = random.choice(titles.split(",")), random.gauss(pay, pay / 9)
            if place == 0:
                title, manager = f"Head of {department}", BOARD[int(above)][0]
                thousands *= 1.9
            elif name in leaders:
                title, manager = f"{department} team leader", members[0]
                thousands *= 1.4
            town = random.choice(near[:1] * 3 + near[1:])
            row = (name, title, department, manager, town, f"{round(thousands * 10) * 100} EUR")
            found.append(dict(zip((*COLUMNS[:5], "salary"), row, strict=True)))
    return found


def complete(person: Person, random: Random) -> None:
    """Add a day of start and of birth, languages, an extension, and whether one works remotely."""
    leads = any(word in person["job title"] for word in ("Head", "Director", "leader"))
    temporary = person["name"].startswith("Temp")
    latest = 6000 if leads else 11500
    started = date(1994, 1, 3) + timedelta(random.randrange(11300 if temporary else 0, latest))
    age = random.randint(18, 27 if started.year < 2005 else 41)
    born = date(started.year - age, 1, 1) + timedelta(random.randrange(365))
    many = random.choice((0, 0, 1, 1, 2, 3))
    some = sorted(random.choices(LANGUAGES.split(), range(16, 0, -1), k=many))
    spoken = ["English"] if not some or random.random() < 0.88 else []
    at_bench = person["department"] in ("Workshop", "Glass", "Shipping", "Kitchen")
    person |= {
        "started_on": started.isoformat(),
        "birthday": born.isoformat(),
        "languages": "; ".join(dict.fromkeys(spoken + some)),
        "remote": "yes" if random.random() < (0.0 if at_bench else 0.4) else "no",
    }
    for column, share in GAPS.items():
        if random.random() < share or temporary:
            person[column] = ""


def staff(random: Random) -> list[Person]:
    """Return all rows."""
    rows = people(random)
    for person, number in zip(rows, random.sample(range(101, 699), len(rows)), strict=True):
        person["extension"] = str(number)
        complete(person, random)
    every = [person["name"] for person in rows]
    for person in rows:
        older = [
            other["name"]
            for other in rows
            if other["started_on"] < person["started_on"]
            and every.count(other["name"]) == 1
            and other["name"] != person.get("Manager")
            and (other["department"] == person["department"] or random.random() < 0.02)
        ]
        lasting = person["department"] != "Board" and not person["name"].startswith("Temp")
        if older and lasting and random.random() < 0.62:
            person["mentor"] = random.choice(older)
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("staff.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(staff(Random(3)))


if __name__ == "__main__":
    main()

"""Write doctorates.csv: the people who took a doctorate at an invented university, a row a person.

All invented; a fixed seed. Hard on purpose: names that are words, months, subjects and towns, namesakes,
names contained in other names, accents, several values in a cell, people who supervise, examine and share
an office with other people of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_doctorates.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "name|subject|Faculty|supervised by|Examiner|shared office with|enrolled_in|defended_on|grade|Thesis Pages|written_in|Born In|birth_year|Later Job|Employer|Languages|fieldwork_in|Monthly Stipend|Prize|published".split(
    "|"
)
GAPS = {
    "supervised by": 0.03,
    "Examiner": 0.07,
    "enrolled_in": 0.05,
    "grade": 0.05,
    "Thesis Pages": 0.07,
    "written_in": 0.05,
    "Born In": 0.07,
    "birth_year": 0.1,
    "Later Job": 0.05,
    "Employer": 0.1,
    "Monthly Stipend": 0.12,
    "published": 0.06,
}
# In the order of their doctorates
PEOPLE = """
Ottilie Harnack-Voss, Cornelius Bane, Ludovic Thistlewood, Agathe Prévôt, Winifred Oake, Bartholomew Crane, Sigurd Halvorsrud, Hester Quill, Domingo Arrieta-Luz, Rosamund Frost, Emeric Szalontay, Osgood Moor, Augusta Winter, Cosmo Delacourt-Finn, Perpetua Lamb, Ivo Strnad, Magnus Reed
Tova Lind, Basil Law, Théodora Mercœur, Fergus Ó Maoláin, Clement Page, Zuzana Hrubínová, June Archer, Anselm Kirchweg, Violet Marsh, Gaspard Tellier, Ingrid Vollan, Mortimer Pike, Sunniva Bråten, Olive Garrick, Jonas Brandt, Delphine Roux-Amari, Hugh D'Arcambal, Tobias Reed, Wenceslas Dub
Marguerite Brandt, Osgood Moor-Hadley, April Sowerby, Nikolai Petrenchuk, Grace Latin, Tova Lindqvist, Rufus Bell, Imogen Bell, Kwabena Osei-Tutuwa, Hope Lovelock, Lázaro Quintela, Florian Eisgruber, Constance Dean, Beatriz Salgueiro, Tarquin Hale, Miriam Szalontay, Yusuf Karadağlı, Nell O'Hanrahan, Rex King, Saoirse Nic Giolla
Augustus Brandt, Pim van Houtgracht, Linnea Söderfalk, Art German, May Day-Lewin, Chidi Anozieke, Rosa Ferragutti, Dorian Wolfe, Hyun-ae Baekrim, Leocadia Wąsik, Felix Botany, Tobias Reed, Gwenllian Prosser-Iâl, Selwyn Gray, Selwyn Grayling, Priyanka Desarkar, Iris Ostermere, Benedikt Frost, Mirela Dragoșanu, Jack Summers, Etta Clerk
Oluwaseun Bankolari, Camille Tellier, Dag Ulvestad, Hollis Bright, Tamsin Penrowan, Aurélien Cassegrain, Fatoumata Sidibarra, Robin Rector, Ximena Urrutikoa, Wilf Candle, Noor Haddadin-Sayf, Skye Masters, Jonas Brandtner, Petra Kolmogorská, Luca Montefalco-Rea, Amaryllis Stone, Dusty Rhodes-Penny, Anaïs Prévôt, Kasimir Lund, Joy Fielding
Teodor Vâlsan, Meredith Pike, Søren Ågesvig, Chance Porter, Leila Farrokhnia, Gideon Bell, Hana Nakashirova, Marlow Thistlewood, Autumn Lacey, Ruben Achterveld, Sister Philomena
"""
FACULTIES = {
    "Arts": "musicology, medieval history, Latin, linguistics",
    "Sciences": "botany, glaciology, mathematics, astronomy",
    "Divinity": "theology, church history",
    "Medicine": "anatomy, nursing",
    "Law": "maritime law, canon law",
}
TOWNS = "Ostermere, Tarrow, Port Sallow, Brynfell, Quarrel-on-Sea, Little Ostermere, Saint-Aubrac, Vigdalen, Zábrodno, Étang-Noir, Drift, Monte Corvello"
TONGUES = (
    "English, German, French, Latin, Welsh, Portuguese, Norwegian, Czech, Greek, Arabic, Russian"
)
SITES = "Isle of Crake, Vhar Glacier, Tarrow Marshes, Orlin Caves, Black Delta, Mount Ebb, Sallow Archive, Salt Road"
PRIZES = "Wren Prize, Founders' Medal, Silver Quill, Rector's Purse"
GRADES = ["summa cum laude", "magna cum laude", "magna cum laude", "cum laude", "cum laude", "rite"]
# Faculty, or any: job/employer,employer
JOBS = """
any: professor/Quillfield University,University of Harn; lecturer/Quillfield University,Tarrow College; schoolteacher/Saint Wystan's School,Brynfell Grammar; editor/Lantern Press,The Evening Gull; civil servant/Ministry of Waters,Ministry of Hats
Arts: archivist/Harnmoor Library,Museum of Ropes; novelist/Lantern Press; museum curator/Museum of Ropes; choirmaster/Orlin Opera
Sciences: weather forecaster/North Fell Station; gardener/Quillfield University; actuary/Gannet Insurance; lighthouse keeper/Port Sallow Harbour Board; beekeeper/Honeyman & Daughters
Divinity: bishop/Diocese of Drift; prison chaplain/Brackmoor Gaol; archivist/Diocese of Drift
Medicine: surgeon/Saint Odo's Hospital; midwife/Saint Odo's Hospital; ship's doctor/Gannet Line; pathologist/Brackmoor Gaol
Law: judge/Court of Tides; notary/Port Sallow Harbour Board; insurance lawyer/Gannet Insurance
"""
# Known: name / column / cell
KNOWN = """
Clement Page/Thesis Pages/911; Rex King/Thesis Pages/88; Basil Law/subject/botany; Basil Law/Faculty/Sciences; Felix Botany/subject/theology; Felix Botany/Faculty/Divinity; Felix Botany/Later Job/bishop; Felix Botany/Employer/Diocese of Drift; Grace Latin/written_in/German; Art German/written_in/Latin
Iris Ostermere/Born In/Drift; Hollis Bright/grade/summa cum laude; Hollis Bright/Prize/Wren Prize; Sister Philomena/Later Job/prison chaplain; Sister Philomena/Employer/Brackmoor Gaol; Robin Rector/Prize/Rector's Purse; Etta Clerk/Monthly Stipend/640 EUR; Sister Philomena/birth_year/1949
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


def doctor(name, year, random):
    """A person with all that needs nobody else."""
    faculty = random.choices(list(FACULTIES), [5, 6, 3, 3, 3])[0]
    jobs = dict(line.split(": ", 1) for line in JOBS.strip().splitlines())
    job, firms = random.choice(jobs["any"].split("; ") + 2 * jobs[faculty].split("; ")).split("/")
    first = year - random.randint(3, 8)
    return {
        "name": name,
        "subject": random.choice(listed(FACULTIES[faculty])),
        "Faculty": faculty,
        "enrolled_in": str(first),
        "defended_on": (date(year, 1, 8) + timedelta(random.randrange(350))).isoformat(),
        "grade": random.choice(GRADES),
        "Thesis Pages": str(random.randint(112, 640)),
        "written_in": random.choice(["English", "English", "German", "French", "Latin", "Welsh"]),
        "Born In": several(listed(TOWNS), 1, random),
        "birth_year": str(first - random.randint(22, 38)),
        "Later Job": job,
        "Employer": random.choice(firms.split(",")),
        "Languages": several(listed(TONGUES), 4, random),
        "fieldwork_in": ""
        if random.random() < (0.35 if faculty in {"Arts", "Sciences"} else 0.8)
        else several(listed(SITES), 3, random),
        "Monthly Stipend": f"{random.randrange(700, 2400, 10)} EUR",
        "Prize": "" if random.random() < 0.7 else several(listed(PRIZES), 1, random),
        "published": random.choice(["yes", "yes", "no"]),
    }


def university(random):
    """Every doctor, and who belongs to whom."""
    names = listed(PEOPLE.replace("\n", ", ").strip(", "))
    years = sorted(random.randint(1958, 2021) for _ in names)
    rows = [doctor(name, year, random) for name, year in zip(names, years, strict=True)]
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell
    for row in rows:
        start, end = int(row["enrolled_in"]), row["defended_on"]
        older = [
            o
            for o in rows
            if names.count(o["name"]) == 1 and start - 32 < int(o["defended_on"][:4]) < start - 3
        ]
        near = [o["name"] for o in older if o["subject"] == row["subject"]]
        near = near or [o["name"] for o in older if o["Faculty"] == row["Faculty"]]
        row["supervised by"] = random.choice(near) if near else ""
        rest = [o["name"] for o in older if o["name"] != row["supervised by"]]
        row["Examiner"] = random.choice(rest) if rest else ""
        mates = [
            o
            for o in rows
            if o is not row
            and names.count(o["name"]) == names.count(row["name"]) == 1
            and not o.get("shared office with")
            and int(o["enrolled_in"]) <= int(end[:4])
            and int(o["defended_on"][:4]) >= start
        ]
        if mates and not row.get("shared office with") and random.random() < 0.75:
            mate = random.choice(mates)
            row["shared office with"], mate["shared office with"] = mate["name"], row["name"]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share and f"{row['name']}/{column}/" not in KNOWN:
                row[column] = ""
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("doctorates.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(university(Random(82)))


if __name__ == "__main__":
    main()

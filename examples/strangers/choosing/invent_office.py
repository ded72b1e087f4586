"""Write office.csv: the staff list of an invented software company, a row a person.

All invented; a fixed seed. Hard on purpose: names that are words, namesakes, names that share a
part, accents and apostrophes, bosses, mentors and stand-ins who are rows themselves, several values
in a cell, cities that are also offices, and many cells left empty.

    python3 invent_office.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "Job Title", "team", "Based In", "reports_to", "mentor of", "backed up by"),
    *("yearly_salary", "joined_on", "Previous Employer", "spoken languages", "Projects"),
    *("favourite_editor", "laptop", "desk_number", "Phone Extension", "works remotely"),
    *("Birthday", "home_city", "studied at", "allergic to", "On-Call Days"),
)
GAPS = {
    "Previous Employer": 0.18,
    "Projects": 0.08,
    "favourite_editor": 0.15,
    "laptop": 0.06,
    "Phone Extension": 0.1,
    "Birthday": 0.12,
    "home_city": 0.08,
    "studied at": 0.2,
    "yearly_salary": 0.06,
    "Based In": 0.03,
    "works remotely": 0.05,
}
# Team: office: head, lead or leads; the others (the head first, then who leads, after the bar the rest)
TEAMS = """
Platform: Hillingby: Ingrid Sølvberg; Tom Baker, Noor Castellan | Will Power, Félix Aubin, Zofia Krajna, Mark Down, Ada Quince, Grace Field, Oona Reilly, Piotr Wrona, Sandy Shore
Payments: Hillingby: Barnaby Cole; Lucía Ferrán, Penny Farthing | Bill Due, Kofi Mensart, Élodie Marchetti, Rich Deposit, Jana Horák, Tom Barker, Hana Ito-Brandt, Cash Holloway, Mira Dolan
Mobile: Porto Lume: Tomás Brígida; Robin Swift, Yuki Andersen | Nuno Vale, Sky Bellamy, Dele Ashbury, Ruby Red, Matteo Grisi, Lena Voss, Lena Vossen, Jack Plug, Ines Caldeira
Data: Kleinfeld: Dr. Hedda Brandl; Sigmund Pohl, Ottilie Mayr | May Summers, Tom Baker, Jürgen Kettl, Chance Lott, Björn Aaker, Priya Solanke, Wanda Graf, Karl Müllner, Carl Mullner, Aoife Tierney
Security: Østerby: Søren Falk; Astrid Nyborg, Lock Chambers | Faith Guard, Mikkel Dahlby, Hope Lund, Guy Fence, Sanne Østergren, Rosa Thorn, Lars Bakke, Vera Falk
Design: Saint-Avre: Colette d'Arbois; Hugo Lenoir, Iris Blank | Art Deakin, Violet Shade, Zoë Pelletier, Nils Hagen, Clara O'Dowd, Pascal Tissot, Mina Rouge
Support: Porto Lume: Marta Quintela; Patience Ward, Dário Sá | Joy Tickett, Ángel Corvo, Bea Help, Ned Fixit, Luz Amaral, Olivia Grant, Oliver Grant, Ewa Łącka, Rui Pombal, Daisy Field
Sales: Tarn: Maximilian Stroud; Frank Deal, Cora Bright | Susan Cole, Gideon Marsh, Amélie Roux, Dean Dean, Holly Marsh, Boris Tenev, Paige Turner-Holt, Susan Cole
People: Tarn: Winifred Oakes; Hector Plum | Kind Adeyemi, Tess Harrow, Ulla Strand, Jo Harrow, April Showers
Finance: Kleinfeld: Theodor Zahl; Penelope Sum | Ernst Haber, Marigold Finch, Štěpán Kolář, Frugal Jones
"""
ROLES = {
    "Platform": "backend developer, site reliability engineer, build engineer",
    "Payments": "backend developer, tester, business analyst",
    "Mobile": "app developer, tester, product manager",
    "Data": "data scientist, data engineer, analyst",
    "Security": "penetration tester, security analyst, cryptographer",
    "Design": "illustrator, interface designer, user researcher",
    "Support": "support agent, technical writer, trainer",
    "Sales": "account manager, sales engineer, telesales agent",
    "People": "recruiter, office manager, trainer",
    "Finance": "accountant, controller, payroll clerk",
}
PROJECTS = {
    "Platform": "Lighthouse, Old Oak, Tin Can, Hedgehog",
    "Payments": "Piggy Bank, Magpie, Quicksilver",
    "Mobile": "Paper Boat, Magpie, Bluebell",
    "Data": "Crystal Ball, Old Oak, Snowdrop",
    "Security": "Hedgehog, Drawbridge, Quicksilver",
    "Design": "Bluebell, Paper Boat, Rainbow",
    "Support": "Helping Hand, Rainbow",
    "Sales": "Big Fish, Piggy Bank",
    "People": "Open Door, Snowdrop",
    "Finance": "Abacus, Piggy Bank",
}
EMPLOYERS = "Nimbus Freight, Orrery Systems, Bank of Tarn, Gullwing Airlines, Kettle & Sons, Fjordkraft Digital, Tinderbox Games, Ministry of Waterways, Zephyr Telecom, Mustard Media, Blaue Post, Casa Limão"
SCHOOLS = "University of Tarn, Østerby Polytechnic, Kleinfeld Institute of Technology, Universidade de Lume, École de Saint-Avre, Hillingby College, Open University of Brack"
EDITORS = "Vim, Emacs, VS Code, Nano, Sublime Text, Notepad++, Kate"
LAPTOPS = "Kite 13, Kite 15, Falcon Pro, Slate Air, Tortoise X2, Onyx 17"
ALLERGIES = "peanuts, cats, pollen, gluten, milk, dust, strawberries, penicillin, wasps, shellfish"
DAYS = "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"
CITIES = {
    "Hillingby": ("English", "Hillingby, Brack, Wexcombe, Tarn"),
    "Porto Lume": ("Portuguese", "Porto Lume, Vila Rosa, Sardão"),
    "Kleinfeld": ("German", "Kleinfeld, Moosach, Oberau"),
    "Østerby": ("Danish", "Østerby, Havnsø, Lillevang"),
    "Saint-Avre": ("French", "Saint-Avre, Montclair, Bréval"),
    "Tarn": ("English", "Tarn, Brack, Coldwell"),
}
OTHER_LANGUAGES = (
    "Spanish, Polish, Czech, Japanese, Italian, Norwegian, Irish, Dutch, Hindi, German, French"
)
# Who / column / cell, "; " between the cells of a column as &
KNOWN = """
Augusta Vane/studied at/University of Tarn; Augusta Vane/Birthday/1966-02-28; Augusta Vane/favourite_editor/Nano; Mark Down/favourite_editor/Emacs; Will Power/works remotely/no; Joy Tickett/On-Call Days/Saturday & Sunday
Rosa Thorn/allergic to/pollen; Bea Help/spoken languages/English & Portuguese & Spanish & Polish; Ned Fixit/laptop/Tortoise X2; Zoë Pelletier/allergic to/cats & strawberries; Ruby Red/Previous Employer/Tinderbox Games
"""


def listed(text, mark=", "):
    """Split a list."""
    return [part for line in text.strip().splitlines() for part in line.split(mark)]


def person(name, title, team, office, boss, random):
    """Return a row for a person."""
    language, cities = CITIES[office]
    spoken = [language] + ["English"] * (language != "English")
    spoken += [
        x
        for x in random.sample(listed(OTHER_LANGUAGES), random.choice((0, 1, 1, 2)))
        if x not in spoken
    ]
    rank = 2 if title.startswith(("head", "chief")) else 1 if title.startswith("lead") else 0
    joined = date(2008, 1, 7) + timedelta(random.randrange(900 if rank == 2 else 6400))
    technical = team in ("Platform", "Payments", "Mobile", "Data", "Security", "Support")
    return {
        "name": name,
        "Job Title": title,
        "team": team,
        "Based In": office,
        "reports_to": boss,
        "mentor of": "",
        "backed up by": "",
        "yearly_salary": f"{random.randrange(34000, 69000, 500) + 17500 * rank + 6000 * (team in ('Data', 'Security'))} EUR",
        "joined_on": joined.isoformat(),
        "Previous Employer": random.choice(listed(EMPLOYERS)),
        "spoken languages": "; ".join(spoken),
        "Projects": "; ".join(
            random.sample(
                listed(PROJECTS.get(team, "Open Door, Big Fish")), random.choice((1, 1, 2))
            )
        ),
        "favourite_editor": random.choice(listed(EDITORS)),
        "laptop": random.choice(listed(LAPTOPS)),
        "desk_number": "",
        "Phone Extension": "",
        "works remotely": random.choice(("yes", "no", "no")),
        "Birthday": (joined - timedelta(random.randrange(7300, 14500))).isoformat(),
        "home_city": random.choice(listed(cities)),
        "studied at": random.choice(listed(SCHOOLS)),
        "allergic to": "; ".join(random.sample(listed(ALLERGIES), random.choice((0, 0, 1, 1, 2)))),
        "On-Call Days": "; ".join(
            sorted(random.sample(listed(DAYS), random.choice((0, 1, 1, 2))), key=listed(DAYS).index)
        )
        if technical and rank < 2
        else "",
    }


def people(random):
    """Return all rows."""
    rows = [person("Augusta Vane", "chief executive", "Management", "Tarn", "", random)]
    for title, name, office in (
        ("chief technology officer", "Rafaël Oduya", "Hillingby"),
        ("chief financial officer", "Morwenna Pike", "Kleinfeld"),
    ):
        rows.append(person(name, title, "Management", office, "Augusta Vane", random))
    for line in TEAMS.strip().splitlines():
        team, office, names = line.split(": ", 2)
        head, rest = names.split("; ")
        leads, others = (part.split(", ") for part in rest.split(" | "))
        chief = {"Finance": "Morwenna Pike", "Sales": "Augusta Vane", "People": "Augusta Vane"}.get(
            team, "Rafaël Oduya"
        )
        rows.append(person(head, f"head of {team.lower()}", team, office, chief, random))
        bosses = [lead for lead in leads if lead != "Tom Baker"] or [head]
        for lead in leads:
            rows.append(person(lead, "lead " + listed(ROLES[team])[0], team, office, head, random))
        for other in others:
            where = office if random.random() < 0.75 else random.choice(list(CITIES))
            rows.append(
                person(
                    other,
                    random.choice(listed(ROLES[team])),
                    team,
                    where,
                    random.choice(bosses),
                    random,
                )
            )
    names = [row["name"] for row in rows]
    for row, desk in zip(rows, random.sample(range(101, 400), len(rows)), strict=True):
        row["desk_number"] = str(desk) if row["works remotely"] == "no" else ""
        row["Phone Extension"] = str(random.randrange(2000, 7000))
        mates = [
            o["name"]
            for o in rows
            if o["team"] == row["team"] and o is not row and names.count(o["name"]) == 1
        ]
        newer = [
            o["name"]
            for o in rows
            if o["joined_on"] > row["joined_on"]
            and names.count(o["name"]) == 1
            and o["name"] != row["reports_to"]
        ]
        if newer and random.random() < 0.4:
            row["mentor of"] = "; ".join(
                random.sample(newer, min(len(newer), random.choice((1, 1, 2))))
            )
        if random.random() < 0.65:
            row["backed up by"] = random.choice(mates)
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell.replace(" & ", "; ")
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("office.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(people(Random(47)))


if __name__ == "__main__":
    main()

"""Write clinic.csv: the people who work at an invented hospital, a row a person.

All invented; a fixed seed. Hard on purpose: names that are words, wards, shifts and professions, namesakes,
names that share a part, accents, several values in a cell, people who supervise, train and stand in for
other people of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_clinic.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "name|Profession|ward|supervised by|stand_in|Trained By|Studied At|room|Pager Number|weekly_hours|shift|joined_on|birth_year|Languages|patients|allergic to|monthly_salary|Lives In|Holiday Left|may_prescribe".split(
    "|"
)
GAPS = {
    "stand_in": 0.12,
    "Trained By": 0.2,
    "Studied At": 0.12,
    "room": 0.15,
    "Pager Number": 0.25,
    "weekly_hours": 0.05,
    "birth_year": 0.1,
    "joined_on": 0.05,
    "monthly_salary": 0.07,
    "Lives In": 0.08,
    "Holiday Left": 0.15,
    "allergic to": 0.5,
}
# Ward: name/profession; who comes first leads, the first ward sister leads the nursing
STAFF = """
Directorate: Aurelia Finch/medical director; Constance Ó Dálaigh/matron; Gloria Dupont/secretary; Balthasar Croft/accountant
Maple: Ottokar Brandl/surgeon; Hedda Vrooman/surgeon; May Cook/surgeon; Íñigo Larralde/anaesthetist; Priya Venkatram/junior doctor; Tom Fisher/junior doctor; Wilhelmina Stork/ward sister; Grace Bell/nurse; Maria Santos/nurse; Jürgen Käfer/nurse; Joy Little/nurse; Anna Berger/nurse; Zdeněk Holub/student nurse; Pilar Moreno/physiotherapist; Will Ward/porter; Dusty Miller/cleaner
Lighthouse: Søren Kjeldgaard/paediatrician; Hope Summers/paediatrician; Noémie Charbonnier/paediatrician; Bashir Qadri/junior doctor; Sister Benedikta/ward sister; Hanna Berger/nurse; Robin Early/nurse; Teddy Lamb/nurse; Ludmila Čapková/nurse; Ewa Wróbel/student nurse; Felix Joy/play therapist; Peter Porter/porter; Olga Night/secretary
Swan: Ingeborg Sandvik/obstetrician; Kofi Ward-Mensah/obstetrician; Yara Haddad/junior doctor; Rosalind Stork/ward sister; Faith Porter/midwife; Mercy Adeyinka/midwife; Bríd Ní Cheallaigh/midwife; Lily Fields/midwife; Anna Bergerová/midwife; Dawn Page/nurse; Chloé Petit/student nurse; Marta Nowicka/cleaner
Old Wing: Leopold Amsel/geriatrician; Frances Fisher/geriatrician; Dolores Quintana/ward sister; Tom Fisher/nurse; Hyacinth Moss/nurse; Gustav Gustavsson/nurse; Patience Okoro/nurse; Noor Jansen/nurse; Bao Trinh/physiotherapist; Ambrose Pell/chaplain; Irma Kettle/cleaner; Sol Ortega/porter
Saint Odile: Valentina Corazza/cardiologist; Étienne Duval/cardiologist; Art Locke/cardiologist; Miklós Szabados/junior doctor; Rose Hartnell/ward sister; Blessing Eze/nurse; Anna-Lena Berger/nurse; João Valente/nurse; Solveig Aas/nurse; Jean Marchetti/nurse; Violet Plum/secretary; Rocky Stone/porter
Ward 7: Rashid Benmoussa/emergency doctor; Clementine Day/emergency doctor; Björn Ask/emergency doctor; Mark Engel/anaesthetist; Ada Swift/junior doctor; Gwendolyn Hale/ward sister; Duc Nguyen/nurse; Li Na Zhou/nurse; Seun Bright/nurse; Karel Stein/nurse; Karl Stein/nurse; Ivy Root/student nurse; Summer Day/receptionist; Ferdinand Ox/porter
Basement: Sigrid Röntved/radiologist; Pascal Lumière/radiographer; Ray Black/radiographer; Fatou Diarrassou/radiographer; Theodora Pill/pharmacist; Maria Santos/pharmacist; Basil Thyme/pharmacist; Quentin Marsh/laboratory technician; Žofie Krátká/laboratory technician; Bill Penny/laboratory technician; Jim Spanner/electrician
Main Hall: Eleanor Gray/administrator; Elinor Gray/receptionist; Zsófia Kertész/receptionist; Petra Stone/receptionist; Anselm Church/chaplain; Noor Jansen/interpreter; Wolf Hunter/security guard
Kitchen: Bruno Pastore/cook; Olive Branch/cook; Hamid Noorzai/cook; Pat Doctor/cook; Candy Reyes/dietitian; Ólafur Brá/dietitian
"""
# Profession, its pay in EUR, how many patients; d may prescribe, n and h are led by a ward sister
JOBS = """
medical director 9800-9801 - d; matron 6900-6901 - n; surgeon 6900-9400 6-18 d; anaesthetist 6500-8600 4-12 d; junior doctor 3600-4500 5-15 d; paediatrician 5900-8300 6-20 d; obstetrician 6200-8700 5-14 d; geriatrician 5800-7900 14-30 d; cardiologist 6600-9300 7-19 d; emergency doctor 6100-8200 9-26 d
radiologist 6300-8100 10-24 d; ward sister 3900-4800 8-22 n; nurse 2700-3800 4-14 n; midwife 3000-4000 2-9 n; student nurse 1100-1500 1-5 n; physiotherapist 2600-3500 6-16 -; porter 1900-2400 - h; cleaner 1800-2200 - h; secretary 2200-2900 - -; play therapist 2500-3100 5-12 -; chaplain 2100-2800 - -; receptionist 2000-2600 - -
radiographer 2900-3600 - -; pharmacist 3700-4900 - -; laboratory technician 2600-3300 - -; electrician 2500-3200 - -; administrator 4200-5200 - -; accountant 3400-4400 - -; interpreter 2400-3000 - -; security guard 2000-2500 - -; cook 2100-2900 - -; dietitian 2700-3400 8-25 -
"""
SCHOOLS = "Greyfriars College, Kingsmere University, Szélvár University, Académie Sainte-Rive, Lund Hill School, Porto Alvo, Brackley Technical School, University of Tarnhelm, Queen Agnes Institute"
TOWNS = "Fenwick Green, Old Quay, Miller's End, Łąkowo, Saint-Éloi, Hospital Hill, Nether Poole, Kingsmere, Upper Fenwick, Tarnhelm"
TONGUES = "English, Spanish, French, German, Polish, Arabic, Portuguese, Czech, Hungarian, Norwegian, Vietnamese, Igbo, Sign Language"
ALLERGIES = "penicillin, latex, pollen, nuts, cats, strawberries, wool, iodine, lilies, shellfish"
SHIFTS = ["early", "late", "night", "early; late", "late; night", "early", "day"]
# Known: name / column / cell
KNOWN = """
Aurelia Finch/stand_in/Ottokar Brandl; Constance Ó Dálaigh/stand_in/Wilhelmina Stork; Ottokar Brandl/stand_in/Hedda Vrooman; Hedda Vrooman/Trained By/Ottokar Brandl; May Cook/Trained By/Hedda Vrooman; Ottokar Brandl/allergic to/latex; Sister Benedikta/Lives In/Hospital Hill
Will Ward/shift/night; Olga Night/shift/day; Robin Early/shift/late; Clementine Day/shift/night; Summer Day/shift/night; Leopold Amsel/joined_on/1984-03-12; Leopold Amsel/birth_year/1957; Lily Fields/allergic to/lilies; Basil Thyme/Holiday Left/1 day; Ewa Wróbel/Holiday Left/23 days
Valentina Corazza/Trained By/Leopold Amsel; Søren Kjeldgaard/Trained By/Leopold Amsel; Ada Swift/Trained By/Clementine Day; Priya Venkatram/Trained By/May Cook; Faith Porter/Trained By/Rosalind Stork; Olive Branch/allergic to/nuts; Étienne Duval/Languages/French; Noor Jansen/Languages/English; Pat Doctor/may_prescribe/no
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.4)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, work, ward, leads, random):
    """A person with all that needs nobody else."""
    job = next(line for line in listed(JOBS, "; ") if line.startswith(work))
    pay, load, kind = job[len(work) :].split()
    low, high = map(int, pay.split("-"))
    born = (
        random.randint(1957, 1972)
        if leads
        else random.randint(1960, 1999)
        if work != "student nurse"
        else random.randint(2000, 2005)
    )
    start = date(
        born + random.randint(19 if born > 1999 else 21, min(40, 2024 - born)), 1, 1
    ) + timedelta(random.randrange(365))
    tongues = listed(TONGUES)
    spoken = several(tongues, 3, random)
    return {
        "name": name,
        "Profession": work,
        "ward": ward,
        "kind": kind,
        "Studied At": several(listed(SCHOOLS), 1, random),
        "room": f"{ward.split()[-1][0]} {random.choice('123')}{random.randint(0, 9):02}",
        "Pager Number": str(random.randint(1100, 9899)),
        "weekly_hours": random.choice(
            ["40 h", "38.5 h", "38.5 h", "42 h", "48 h", "30 h", "24 h", "20 h", "19.5 h"]
        ),
        "shift": random.choice(SHIFTS),
        "joined_on": start.isoformat(),
        "birth_year": str(born),
        "Languages": spoken
        if "English" in spoken or random.random() < 0.2
        else f"English; {spoken}",
        "patients": ""
        if load == "-" or random.random() < 0.08
        else str(random.randint(*map(int, load.split("-")))),
        "allergic to": several(listed(ALLERGIES), 2, random),
        "monthly_salary": f"{random.randrange(low, high, 10)} EUR",
        "Lives In": several(listed(TOWNS), 1, random),
        "Holiday Left": f"{random.randint(2, 22)} days",
        "may_prescribe": "yes"
        if kind == "d"
        else random.choice(["yes", "no"])
        if work in {"midwife", "pharmacist", "ward sister", "dietitian"}
        else "no",
    }


def staff(random):
    """Every person of every ward, and who belongs to whom."""
    rows = []
    for block in STAFF.strip().splitlines():
        ward, names = block.split(": ", 1)
        rows += [
            person(*pair.split("/"), ward, first, random)
            for first, pair in zip([True] + 20 * [False], names.split("; "), strict=False)
        ]
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    for row in rows:
        peers = [o for o in single if o["ward"] == row["ward"] and o is not row]
        alike = [o["name"] for o in peers if o["kind"] == row["kind"]]
        head = next(o for o in rows if o["ward"] == row["ward"])
        sister = next(
            (
                o
                for o in rows
                if o["ward"] == row["ward"] and o["Profession"] in {"ward sister", "matron"}
            ),
            head,
        )
        boss = sister if row["kind"] in "nh" else head
        if boss is row:
            boss = rows[1] if row["kind"] == "n" else rows[0]
        row["supervised by"] = (
            "" if row is rows[0] else rows[0]["name"] if row is rows[1] else boss["name"]
        )
        row["stand_in"] = random.choice(alike or [o["name"] for o in peers])
        older = [
            o["name"]
            for o in single
            if o["joined_on"] < row["joined_on"]
            and not o["Profession"].startswith(("junior", "student"))
            if (
                o["kind"] == row["kind"]
                if row["kind"] in "dn"
                else o["Profession"] == row["Profession"]
            )
        ]
        row["Trained By"] = random.choice(older) if older else ""
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell
    for row in rows:
        del row["kind"]
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("clinic.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(staff(Random(47)))


if __name__ == "__main__":
    main()

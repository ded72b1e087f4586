"""Write engineers.csv: the staff of an invented engineering company, a row a person.

All invented; a fixed seed. Hard on purpose: names that are months, words, materials and divisions, namesakes,
names that share a part or contain one another, accents, offices that are also home towns, several values in a
cell, people who report to, mentor and cover for other people of the same table, and cells left empty.

    python invent_engineers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Full Name|Job Title|division|reports to|Mentor|covers_for|Office|desk_no|Home Town|Degree From|joined_on|birth_year|annual salary|Languages|projects|Commute|remote_days|Phone Ext|first_aider|Company Car".split(
    "|"
)
GAPS = {
    "Mentor": 0.22,
    "covers_for": 0.15,
    "desk_no": 0.12,
    "Home Town": 0.08,
    "Degree From": 0.08,
    "joined_on": 0.04,
    "birth_year": 0.1,
    "annual salary": 0.06,
    "projects": 0.06,
    "Commute": 0.12,
    "remote_days": 0.15,
    "Phone Ext": 0.2,
}
# Division: name/job title; who comes first leads it, who has a * leads those that follow
STAFF = """
Head Office: Cordelia Vant/managing director; Edmund Okafor/finance director; *Rosalba Finn/office manager; Tomás Vega/accountant; Penny Farrow/accountant; Dilys Probert-Jones/payroll clerk; April Weir/receptionist; Major Thorne/driver; Zoltán Csillé/lawyer
Bridges: August Holm/head of bridges; *May Bridges/lead engineer; Enid Marsh/structural engineer; Łukasz Bielak/structural engineer; Tova Lindahl/structural engineer; Idris Okafor/draughtsman; Pip Steel/apprentice; *Gaspard Ollier/lead engineer; Enid Marshall/structural engineer; Cliff Banks/surveyor; Nkechi Adu/surveyor; Wren Castle/draughtsman; Mateo Brujas/apprentice
Tunnels: Hildegard Krumm/head of tunnels; *Tariq El-Amrani/lead engineer; Tomás Vega/tunnel engineer; Rocky Delve/tunnel engineer; Sunniva Moe/geologist; Clay Pitt/geologist; Bea Nowell/draughtsman; *Marie-Claire Aubin/lead engineer; Dag Holm/tunnel engineer; Oona O'Dowd/tunnel engineer; Flint Abara/blaster; Jasper Stone/geologist; Ada Moles/apprentice
Water: Brook Rivers/head of water; *Seán O'Dowd/lead engineer; Pieter Weir/hydraulic engineer; Petra Weir/hydraulic engineer; Marina Lago/hydraulic engineer; Yusuf Dere/technician; Misty Vale/chemist; *Ottilie Wasserburg/lead engineer; Gil Fisher/hydraulic engineer; Đorđe Vukas/hydraulic engineer; Lake Anders/surveyor; Thandeka Mbo/technician; June Pool/apprentice
Rail: Ferdinand Gleis/head of rail; *Kirsty Ballantrae/lead engineer; Lena Holm/track engineer; Lena Holmqvist/track engineer; Miles Short/track engineer; Ravi Chandrapal/signal engineer; Bell Whistler/signal engineer; *Håkon Skinne/lead engineer; Ana Cruzeiro/signal engineer; Joanna Steel/welder; Anna Steel/welder; Porter Quill/technician; Ivo Dreznik/apprentice
Turbines: Ximena Viento/head of turbines; *Gale Winder/lead engineer; Björn Ask-Lund/mechanical engineer; Chidi Nwabara/mechanical engineer; Électra Duvernoy/electrical engineer; Sparky Malone/electrician; Watt Hensley/electrician; *Emre Rüzgar/lead engineer; Stormy Petrel/mechanical engineer; Noémie Caron/electrical engineer; Vilhelm Blad/technician; Mill Turner/technician; Kestrel Boyd/apprentice
Software: Priyanka Nair-Holt/head of software; *Bruno Schleife/lead developer; Bit Nguyen-Roe/developer; Daisy Chain/developer; Mark Down/developer; Olu Fashanu-Pike/tester; Bugs Hartigan/tester; *Svetla Koleva/lead developer; Rex Power/developer; Ester Nulle/developer; Jean Menu/data analyst; Jeanne Menu/data analyst; Array Singhal/apprentice
Workshop: Bartholomew Grubb/workshop manager; *Magda Kowal/foreman; Mason Rivet/welder; Rusty Nayle/welder; Smith Carpenter/machinist; Iron Mikkelsen/machinist; Faith Tuer/storekeeper; *Dolores Llave/foreman; Saw Timmons/carpenter; Woody Plank/carpenter; Renée Boulon/machinist; Angus McTorque/fitter; Sandy Bell/cleaner; Nelson/guard dog handler
Safety: Prudence Ward/head of safety; *Ernest Caution/safety inspector; Harriet Helm/safety inspector; Baptiste L'Abri/safety inspector; Ngozi D'Arcy/nurse; Sage Ember/fire officer; Sol Amparo/trainer; Tuesday Blythe/trainer
"""
# Job title, its pay in thousands of EUR
JOBS = """
managing director 188-189; finance director 140-141; head of 105-128; workshop manager 88-89; office manager 58-62; lead engineer 82-97; lead developer 80-95; structural engineer 52-76; tunnel engineer 54-79; hydraulic engineer 50-74; track engineer 49-70; signal engineer 51-73; mechanical engineer 52-75; electrical engineer 52-77; surveyor 42-58; geologist 48-66; draughtsman 36-47; apprentice 17-22; technician 34-45; chemist 45-57; blaster 46-60; accountant 44-56
payroll clerk 33-38; receptionist 28-33; driver 29-34; lawyer 78-90; welder 35-46; electrician 36-46; developer 48-74; tester 41-56; data analyst 46-62; foreman 50-58; machinist 34-44; storekeeper 29-35; carpenter 33-42; fitter 34-43; cleaner 24-28; guard dog handler 27-32; safety inspector 43-57; nurse 38-45; fire officer 42-50; trainer 39-48
"""
OFFICES = "Brasswick, Port Ellery, Kranholm, Saltmarsh, Montclaret, Ashfold"
TOWNS = "Brasswick, Dunmere, Saltmarsh, Vila Serrana, Kranholm, Ostrówek, Little Hemble, Great Hemble, Saint-Brévin-le-Haut, Cold Norby, Ashfold, Wexcombe, Tell Zahra"
SCHOOLS = "Brasswick Polytechnic, Royal Wexcombe University, Institut Ravel-Morin, Kranholm Technical College, Hemble School of Mines, Universidade da Serrana, Ostrówek Academy"
TONGUES = "English, German, French, Spanish, Swedish, Portuguese, Polish, Turkish, Arabic, Hindi, Irish, Yoruba"
# Division: its projects
WORKS = """
Head Office: New Headquarters, Project Lantern; Bridges: Grey Heron Bridge, Millrace Viaduct, Old Harbour, Project Lantern; Tunnels: Cinder Tunnel, Badger Tunnel, Old Harbour, Copper Line; Water: Otter Lock, Mill Dam, Tidewater, Old Harbour; Rail: Copper Line, Northgate Tram, Millrace Viaduct; Turbines: Windmill Nine, Tidewater, Project Lantern
Software: Project Lantern, Night Owl, Copper Line, New Headquarters; Workshop: Otter Lock, Grey Heron Bridge, Windmill Nine, Northgate Tram; Safety: Cinder Tunnel, Windmill Nine, Badger Tunnel, New Headquarters
"""
# Known: name / column / cell
KNOWN = """
August Holm/Mentor/Hildegard Krumm; May Bridges/Mentor/August Holm; Brook Rivers/Mentor/Cordelia Vant; Idris Okafor/Mentor/Edmund Okafor; Rex Power/Mentor/Svetla Koleva; June Pool/joined_on/2022-05-30; May Bridges/joined_on/2009-06-01; April Weir/birth_year/1988; Hildegard Krumm/joined_on/1986-08-04; Hildegard Krumm/birth_year/1961
Nelson/projects/; Nelson/Degree From/; Sandy Bell/Degree From/; Mason Rivet/Mentor/Magda Kowal; Watt Hensley/Mentor/Sparky Malone; Jeanne Menu/Mentor/Jean Menu; Jean Menu/covers_for/Jeanne Menu; Kestrel Boyd/Home Town/Cold Norby; Lake Anders/Commute/0.5 km; Bugs Hartigan/Commute/94 km; Cordelia Vant/Home Town/Little Hemble; Prudence Ward/Languages/English
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    count = random.randint(1, most)
    chosen = {choices[int(len(choices) * random.random() ** 1.4)] for _ in range(count)}
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, work, division, rank, random):
    """A person with all that needs nobody else; rank 2 leads a division, 1 a group."""
    pay = next(
        line
        for line in listed(JOBS)
        if line.startswith(work[:8]) and work.startswith(line.rsplit(" ", 1)[0])
    )
    low, high = map(int, pay.rsplit(" ", 1)[1].split("-"))
    born = (
        random.randint(1999, 2005)
        if work == "apprentice"
        else random.randint(1960, 1978 if rank else 1997)
    )
    start = date(
        random.randint(max(born + 18 + 4 * (work != "apprentice"), 1988), 2012 if rank else 2024),
        1,
        1,
    )
    offices, works = listed(OFFICES, ", "), dict(part.split(": ") for part in listed(WORKS))
    spoken = several(listed(TONGUES, ", "), 3, random)
    free = random.random() < 0.15
    return {
        "Full Name": name,
        "Job Title": work,
        "division": division,
        "Office": offices[int(6 * random.random() ** 1.5)],
        "desk_no": f"{random.choice('ABCD')}-{random.randint(10, 89)}",
        "Home Town": several(listed(TOWNS, ", "), 1, random),
        "Degree From": several(listed(SCHOOLS, ", "), 1, random)
        if low > 43 or random.random() < 0.3
        else "",
        "joined_on": (start + timedelta(random.randrange(360))).isoformat(),
        "birth_year": str(born),
        "annual salary": f"{random.randrange(low * 1000, high * 1000, 100)} EUR",
        "Languages": spoken if free or "English" in spoken else f"English; {spoken}",
        "projects": several(listed(works[division], ", "), 3, random),
        "Commute": f"{random.choice([1.5, 2, 3, 4.5, 6, 7, 9, 11, 12.5, 14, 18, 22, 27, 33, 41, 56])} km",
        "remote_days": random.choice(["0 days", "1 day", "2 days", "2 days", "3 days", "4 days"]),
        "Phone Ext": str(random.randint(200, 899)),
        "first_aider": "yes" if division == "Safety" or random.random() < 0.2 else "no",
        "Company Car": "yes" if rank == 2 or random.random() < 0.22 else "no",
    }


def staff(random):
    """Every person of every division, and who belongs to whom."""
    rows = []
    for block in listed(STAFF, "\n"):
        division, names = block.split(": ", 1)
        head = lead = None
        for pair in listed(names):
            name, work = pair.strip("*").split("/")
            rank = 2 if head is None else int(pair.startswith("*") or name == "Edmund Okafor")
            row = person(name, work, division, rank, random)
            rows.append(row)
            row["reports to"] = (
                (head if rank == 1 else lead or rows[0]["Full Name"])
                if head
                else rows[0]["Full Name"]
            )
            head = head or name
            lead = name if rank == 1 else lead
    rows[0]["reports to"] = ""
    names = [row["Full Name"] for row in rows]
    single = [row for row in rows if names.count(row["Full Name"]) == 1]
    for row in rows:
        older = [
            o
            for o in single
            if o["joined_on"] < row["joined_on"] and o["Job Title"] != "apprentice"
        ]
        near = [o for o in older if o["division"] == row["division"]]
        pool = near if near and random.random() < 0.7 else older
        row["Mentor"] = random.choice(pool)["Full Name"] if pool else ""
        peers = [
            o["Full Name"] for o in single if o["division"] == row["division"] and o is not row
        ]
        row["covers_for"] = random.choice(peers)
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Full Name"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("engineers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(staff(Random(83)))


if __name__ == "__main__":
    main()

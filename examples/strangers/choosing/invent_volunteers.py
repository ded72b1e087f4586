"""Write volunteers.csv: the volunteers of an invented town's food bank, a row a person.

All invented; a fixed seed. Hard on purpose: names that are months, weekdays, tasks, rounds and common words,
namesakes, one name inside another, accents, several values in a cell, people who lead, train and share a car
with other people of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_volunteers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Volunteer|Round|tasks|shift|Days|reports to|Trained By|shares_car_with|joined_on|birth_year|Languages|Home Street|comes_from|Day Job|hours_per_month|Distance to Depot|fuel_refund|driving_licence|first aider|parcels_delivered".split(
    "|"
)
GAPS = {
    "Days": 0.05,
    "Trained By": 0.12,
    "joined_on": 0.04,
    "birth_year": 0.1,
    "Home Street": 0.08,
    "comes_from": 0.1,
    "Day Job": 0.2,
    "hours_per_month": 0.06,
    "Distance to Depot": 0.08,
    "fuel_refund": 0.15,
    "first aider": 0.05,
    "parcels_delivered": 0.08,
}
# Round: names; who comes first leads the round
PEOPLE = """
Depot: Wilhelmina Tarrant; Basil Crump; June Kettle; Sorrel Hatch; Ignác Dvorský; Will Driver; Penny Loaf; Håkon Ødeskog; Mirembe Kato; Yusra Fahmawi; Tomasz Brzózka; Agnes Pottle; Old Pepper
Front Desk: Delphine Moreau-Sands; Grace Marrow; Thandiwe Mokoro; Hyun-woo Baek; Ivy Marrow; Beatriz Caldeira; Friday Obiakor; Nils Fennimore; Dot Wimple; Rosa Mendes; Faith Larder
Harbour: Cormac O'Shaundry; August Lindhal; Zoë Brankovič; Pike Mullaney; Marina Quay; Joao Serrão; Ewa Kostrzyn; Bertram Gull; Nour Haddaj; John Oakes; Petra Vondrak; Sandy Shaw-Pell
Mill Lane: Miriam Goldhaber; Ann Lee; Ann Leeson; Miller Tate; Kwabena Asanto; Lotte Vandekerk; Ruth Marrow; Chidi Nwosuko; Rye Dunmore; Solange Petitjean; Vikram Thakkal
North Hill: Fergus Uphill; April Dawes; Ingrid Snowe; Malakai Tuiono; Olena Zabirko; Hill Cartwright; Rosa Mendes-Pratt; Dilys Prothero; Xiu Lan Peng; Gethin Prothero; Amara Diallou
Riverside: Clover Nash; Bridie O'Shaundry; Rafael Ibarrondo; Brook Waters; Tove Strandell; Samir Belkhadra; Iris Banks; Maurice Otter; Kirsikka Halonsaari; Emeka Obiakor; Jody Ferris
Station: Barnaby Trainer; Lucía Peñalver; Augustine Okello; Carmen Carr; Gustaw Brzózka; Mei Tanabu; Walter Late; Nadia Ferhatova; Pip Ferris; Rowan Sleeper; Aroha Tuiono
Old Town: Hester Quillfeather; Matthias Krähenbühl; Olive Stone; Dušan Markovec; Sunday Adebola; Constance Bell; Leila Rostamian; John Oakes; Fintan Gallowglass; Honza Dvorský; Marguerite Lafleur
Orchard: Apple Winterbourne; Perry Pearson; Noémi Szilvási; Jack Frost-Hollins; Damson Reid; Kofi Asanto; Heather Marrow; Benedikt Obst; Prudence Plum; Zoe Brand; Tariq Zaidani
Lighthouse: Eluned Prosser-Vane; Ray Beam; Saoirse Tiernan; Klaus Leuchter; Maud Lantern; Ilmari Kallasvuo; Pepita Luz; Obadiah Stern; Margit Halász; Summer Grady
"""
STREETS = "Pump Street 0.6, Station Road 1.2, Baker's Row 1.5, Swan Court 2.1, Mill Lane 2.8, Harbour Street 3.4, Orchard Close 4.3, Lantern Alley 5.2, Hilltop Road 6.5, Saint Odo's Square 0.9"
PLACES = "Wexcombe, Kastrava, Port Sable, Upper Dunning, Velmora, Dunning, Saint-Orrin, Tamboura, Brännmark, Zhelin, Isla Redonda"
TONGUES = "English, Polish, Arabic, French, Spanish, Ukrainian, Portuguese, Welsh, Mandarin, Sign Language, Igbo, Farsi"
TASKS = "packing, delivering, sorting, phone calls, cooking, collecting, stocktaking, paperwork, repairs"
JOBS = "teacher, mechanic, nurse, roofer, bus driver, baker, plumber, accountant, cook, gardener, librarian, electrician, shop assistant, translator, hairdresser, beekeeper, postman"
WEEK = "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday"
# Known: name / column / cell
KNOWN = """
Wilhelmina Tarrant/joined_on/2004-02-09; Wilhelmina Tarrant/Day Job/retired; Will Driver/driving_licence/no; Will Driver/fuel_refund/; Friday Obiakor/Days/Monday; Walter Late/shift/morning; Barnaby Trainer/joined_on/2007-10-01; Old Pepper/birth_year/1938; Old Pepper/comes_from/; Old Pepper/Trained By/
Penny Loaf/Day Job/baker; Miller Tate/Home Street/Mill Lane; Ray Beam/Day Job/electrician; Sunday Adebola/Days/Tuesday; Sunday Adebola/Languages/English; Hill Cartwright/Home Street/Harbour Street; Summer Grady/birth_year/2008; Summer Grady/joined_on/2023-07-29; Klaus Leuchter/Trained By/Maud Lantern; Hill Cartwright/Distance to Depot/3.3 km; Maud Lantern/Distance to Depot/5.0 km; Miller Tate/Distance to Depot/2.8 km; Summer Grady/Day Job/student; Summer Grady/driving_licence/no; Summer Grady/fuel_refund/; Maud Lantern/Home Street/Lantern Alley
Prudence Plum/Trained By/Apple Winterbourne; Mei Tanabu/Trained By/Barnaby Trainer; Zoë Brankovič/Trained By/Barnaby Trainer; Samir Belkhadra/Day Job/beekeeper; Xiu Lan Peng/Languages/Mandarin; Dilys Prothero/Languages/Welsh; Tariq Zaidani/parcels_delivered/212; Ann Lee/hours_per_month/64 h
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last, in the order given."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, place, leads, random):
    """A volunteer with all that needs nobody else."""
    born = random.randint(1944, 1974) if leads else random.randint(1942, 2006)
    first = max(2011, born + 16)
    start = (
        date(random.randint(2005, 2012), 1, 1)
        if leads
        else date(random.randint(first, 2024) if first < 2024 else 2024, 1, 1)
    )
    street, far = random.choice(listed(STREETS)).rsplit(" ", 1)
    drives = random.random() < 0.6
    tongues = several(listed(TONGUES), 3, random)
    job = "retired" if born < 1957 else "student" if born > 2001 else random.choice(listed(JOBS))
    return {
        "Volunteer": name,
        "Round": place,
        "tasks": several(listed(TASKS), 3, random),
        "shift": random.choice(["morning", "morning", "midday", "afternoon", "evening"]),
        "Days": several(listed(WEEK), 3, random),
        "shares_car_with": "",
        "joined_on": (start + timedelta(random.randrange(365))).isoformat(),
        "birth_year": str(born),
        "Languages": tongues
        if "English" in tongues or random.random() < 0.2
        else f"English; {tongues}",
        "Home Street": street,
        "comes_from": several(listed(PLACES), 1, random),
        "Day Job": job,
        "hours_per_month": f"{random.randint(4, 48)} h",
        "Distance to Depot": f"{float(far) + random.randint(-3, 5) / 10:.1f} km",
        "fuel_refund": f"{random.randrange(8, 96)} EUR" if drives else "",
        "driving_licence": "yes" if drives or random.random() < 0.2 else "no",
        "first aider": "yes" if random.random() < 0.3 else "no",
        "parcels_delivered": str(random.randint(0, 180)),
    }


def volunteers(random):
    """Every volunteer of every round, and who belongs to whom."""
    rows = []
    for block in PEOPLE.strip().splitlines():
        place, names = block.split(": ", 1)
        rows += [person(name, place, not at, random) for at, name in enumerate(names.split("; "))]
    names = [row["Volunteer"] for row in rows]
    single = [row for row in rows if names.count(row["Volunteer"]) == 1]
    for row in rows:
        head = next(other for other in rows if other["Round"] == row["Round"])
        head = rows[0] if head is row else head
        row["reports to"] = "" if row is rows[0] else head["Volunteer"]
        older = [o for o in single if o["joined_on"] < row["joined_on"]]
        near = [o for o in older if o["Round"] == row["Round"]]
        pool = near if near and random.random() < 0.6 else older[: 4 + len(older) // 3]
        row["Trained By"] = random.choice(pool)["Volunteer"] if pool else ""
    riders = random.sample(single, 56)
    for one, other in zip(riders[::2], riders[1::2], strict=True):
        one["shares_car_with"], other["shares_car_with"] = other["Volunteer"], one["Volunteer"]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Volunteer"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("volunteers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(volunteers(Random(71)))


if __name__ == "__main__":
    main()

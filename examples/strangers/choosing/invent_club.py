"""Write club.csv: the members of an invented rowing and sports club, a row a member.

All invented; a fixed seed. Hard on purpose: members whose names are words, months and things of the
river, namesakes, names that share a part, accents and apostrophes, three columns that point to other
members, boats named like days and people, several values in a cell, and many cells left empty.

    python3 invent_club.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    "member",
    "membership number",
    "sports",
    "Level",
    "coached by",
    "doubles_partner",
    "brought in by",
    "boat",
    "Locker",
    "joined_on",
    "Born On",
    "annual fee",
    "has_paid",
    "town",
    "job",
    "Phone",
    "best time",
    "medals",
    "Office Held",
    "boathouse_key",
)
# In the order in which they joined; two Martin Hales and two Anna Wirths are different people.
MEMBERS = """
Odile Marchetti; Horace Pym; Gunnar Ekdahl; Martin Hale; Rose Banks; Teodor Vlček; Cliff Waters; Magda Szyłko; Bertrand Lussac; Winifred Oakes
Jon Rivers; Íñigo Larrazu; Dorothea Kranz; May Weatherby; Silas Thorne; Åsa Nygren; Will Rowe; Yusuf Demirtan; Bridget O'Hanrahan; Carla Tedeski
Henk van der Loo; Anna Wirth; Faith Stern; Priya Raghunath; Ulrich Voß; Mabel Pym; Tomasz Łękowski; Nell Fairweather; Oskar Lindqvist-Rey; Grace Underhill
Chloé Béranval; Rufus Kettle; Jürgen Haslach; Sunny Patel-Moor; Ewa Szyłko; Kofi Amoaten; Victor Bow; Lucía Ferrándiz; Ned Hartigan; Imogen Vane
Arturo Pellicane; Sister Benedicta; Martin Hale; Hanna Ekdahl; Dev Chaudry; June Holloway; Kasimir Dorn; Stella Brook; Rowan Pike; Beatrix Ollenshaw
Zoë Tarrant; Jon Rivers Jr.; Mirjam Kuyper; Bo Lundgaard; Desmond Achterberg; Ines Caldeiro; Pat Lake; Fenna de Wit; Gilbert Crane; Noor Al-Hadid
Sándor Bíróczy; Tilly Marsh; Eamon Drury; Katya Voronets; Hugo Lussac; Anna Wirth; Mark Bishop; Søren Kjelgaard; Lottie Kranz; Amadou Sissoune
Poppy Fields; Rasmus Ekdahl; Joan Archerly; Levi Stone; Marisol Quintanar; Dirk Haslach; Florence Dew; Callum Thorne; Ayumi Hoshikawa; Basil Root
Greta Löwenfels; Tariq Mansoorian; Ivy Rivers; Elias Brook; Philippa Nye; Ole Nygren; Frank Early; Miriam Oyelade; Benno Wirth; Summer Drury
Dr. Agnes Pohl; Conrad Swift; Lena Vlčková; Theo Underhill; Saskia Bloemen; Omar Demirtan; Penny Farthing; Wim van der Loo; Ruby Amoaten; Ludo Béranval
Captain Harkness; Nina Castellane; Jack Dawes; Maeve O'Hanrahan; Pelle Lund; Clara Vane
"""
OFFICES = "Odile Marchetti/president; Gunnar Ekdahl/boat master; Rose Banks/treasurer; Magda Szyłko/vice president; Will Rowe/secretary; Åsa Nygren/head of rowing; Priya Raghunath/youth warden; Faith Stern/auditor; Nell Fairweather/editor of the newsletter; Kofi Amoaten/bar steward; Beatrix Ollenshaw/auditor; Fenna de Wit/social media; Tilly Marsh/youth warden; Levi Stone/groundsman; Horace Pym/honorary president; Dr. Agnes Pohl/club doctor; Jürgen Haslach/regatta secretary; Henk van der Loo/bar steward; Stella Brook/head of tennis"
# Coach / sport
COACHES = "Åsa Nygren/rowing; Teodor Vlček/rowing; Gunnar Ekdahl/rowing; Bridget O'Hanrahan/canoeing; Stella Brook/tennis; Íñigo Larrazu/tennis; Carla Tedeski/badminton; Yusuf Demirtan/table tennis; Grace Underhill/swimming; Silas Thorne/sailing"
BOATS = "Second Wind; Grey Goose; Tuesday; Old Faithful; La Mouette; Patience; Fräulein Else; Knot Now; Lady Marchetti; Wet Blanket; Żabka; The Widow; Slow Coach; Kingfisher; Uncle Gunnar"
TOWNS = "Wexmouth/Nether Lode/Saint Orme/Grünholm/Lode/Pargeter's Lock/Ávila Bridge/Ostermoor"
JOBS = "nurse/teacher/carpenter/baker/bus driver/lawyer/student/retired/florist/electrician/vet/plumber/accountant/pilot/librarian/postman/chemist/cook/architect/dentist/journalist/farmer/shop assistant/software tester"
LEVELS = ("beginner", "intermediate", "advanced", "competition")
FEES = {
    "rowing": 180,
    "sailing": 150,
    "canoeing": 110,
    "tennis": 120,
    "swimming": 90,
    "badminton": 70,
    "table tennis": 60,
}


def members(random):
    """Every member's row, as a dictionary of columns."""
    names = MEMBERS.strip().replace("\n", "; ").split("; ")
    offices = dict(pair.split("/") for pair in OFFICES.split("; "))
    coaches = dict(pair.split("/") for pair in COACHES.split("; "))
    boats, towns, jobs = BOATS.split("; "), TOWNS.split("/"), JOBS.split("/")
    lockers = random.sample(range(1, 160), len(names))
    unique = [n for n in names if names.count(n) == 1]
    joined, rows = date(1971, 4, 1), []
    for place, name in enumerate(names):
        joined += timedelta(random.randrange(40, 330))
        age = random.choice(
            (random.randrange(9, 18), random.randrange(16, 45), random.randrange(20, 40))
        )
        age = random.randrange(20, 30) if place < 12 or name in offices else age
        born = joined - timedelta(age * 365 + random.randrange(365))
        sports = [coaches.get(name) or random.choice(("rowing", "rowing", "rowing", *FEES))]
        sports += [s for s in random.sample(list(FEES), 2) if s not in sports][
            : random.choice((0, 0, 1, 1, 2))
        ]
        coached = [
            c
            for c, sport in coaches.items()
            if sport in sports and c != name and names.index(c) < place
        ]
        level = "competition" if name in coaches else random.choices(LEVELS, (3, 4, 3, 2))[0]
        rower, wet = "rowing" in sports, {"rowing", "sailing", "canoeing"} & set(sports)
        time = random.randrange(
            *{
                "beginner": (500, 585),
                "intermediate": (460, 520),
                "advanced": (420, 480),
                "competition": (375, 430),
            }[level]
        )
        young, shift = born > date(2006, 1, 1), random.random()
        sponsor = [n for n in names[max(0, place - 30) : place] if n in unique]
        fee = sum(sorted((FEES[s] for s in sports), reverse=True)[:2]) // (2 if young else 1)
        medal = {
            "beginner": (0, 1),
            "intermediate": (0, 4),
            "advanced": (1, 10),
            "competition": (4, 32),
        }[level]
        retired = born < date(1960, 1, 1) and shift < 0.7
        rows.append(
            {
                "member": name,
                "membership number": f"M-{place * 7 + 101:04d}",
                "sports": "; ".join(sports),
                "Level": level,
                "coached by": random.choice(coached) if coached and shift < 0.85 else "",
                "brought in by": random.choice(sponsor)
                if place > 3 and random.random() < 0.8
                else "",
                "boat": random.choice(boats) if wet and random.random() < 0.8 else "",
                "Locker": str(lockers[place]) if random.random() < 0.75 else "",
                "joined_on": joined.isoformat(),
                "Born On": born.isoformat() if random.random() < 0.93 else "",
                "annual fee": "" if name in ("Horace Pym", "Sister Benedicta") else f"{fee}.00 EUR",
                "has_paid": ""
                if name in ("Horace Pym", "Sister Benedicta")
                else random.choice(("yes", "yes", "yes", "no")),
                "town": random.choice(towns) if random.random() < 0.95 else "",
                "job": "pupil"
                if young and born.year > 2008
                else "retired"
                if retired
                else random.choice(jobs)
                if random.random() < 0.9
                else "",
                "Phone": f"0{random.randrange(31, 79)} {random.randrange(100, 999)} {random.randrange(1000, 9999)}"
                if random.random() < 0.85
                else "",
                "best time": f"{time // 60} min {time % 60:02d} s"
                if rower and random.random() < 0.85
                else "",
                "medals": str(random.randrange(*medal)) if random.random() < 0.9 else "",
                "Office Held": offices.get(name, ""),
                "boathouse_key": "yes"
                if (name in offices and random.random() < 0.8) or random.random() < 0.2
                else "no",
            }
        )
    pair_up(random, [r for r in rows if r["member"] in unique])
    return rows


def pair_up(random, rows):
    """Partners are each other's, and share their first sport."""
    for sport in ("rowing", "tennis", "badminton", "table tennis"):
        free = [
            r for r in rows if r["sports"].split("; ")[0] == sport and not r.get("doubles_partner")
        ]
        random.shuffle(free)
        for one, other in list(zip(free[::2], free[1::2], strict=False))[: len(free) * 3 // 8 + 1]:
            one["doubles_partner"], other["doubles_partner"] = other["member"], one["member"]
            if sport == "rowing":
                other["boat"] = one["boat"]


def main():
    """Write the table beside this file."""
    random = Random(31)
    rows = members(random)
    random.shuffle(rows)
    with (Path(__file__).parent / "club.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

"""Write diplomats.csv: the diplomats of an invented country, a row a person.

All invented; a fixed seed. Hard on purpose: names that are words and months, two people of one name, names that
share a part or hold another, several values in a cell, people who report to, follow, marry and mentor other
people of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_diplomats.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Diplomat|Posted To|rank|reports to|predecessor|Married To|mentor|Languages|joined_service|Birth Year|home_town|Yearly Salary|Studied At|portfolio|postings so far|Term Ends|Car Plate|residence_size|press_cleared|Hardship Pay".split(
    "|"
)
GAPS = {
    "predecessor": 0.15,
    "mentor": 0.15,
    "joined_service": 0.05,
    "Birth Year": 0.1,
    "home_town": 0.08,
    "Yearly Salary": 0.07,
    "Studied At": 0.12,
    "portfolio": 0.15,
    "postings so far": 0.1,
    "Term Ends": 0.15,
    "Car Plate": 0.3,
    "residence_size": 0.15,
}
# Post: who serves there, in the order of RANKS_OF
POSTS = """
The Ministry: Octavia Thrale; Ambrose Kell; Ludvik Sarkany; Hester Quayle; April Winters; Frank Price; Miłosz Wrona; Ines Cavaleiro; Dov Lindenbaum; Penny Post; Oke Adebiyi; Marit Solheim
Vintersund: Gideon Marsh; Zoë Ångmark; Rufus Okonjo; Clara Vesper; Tomas Reed; Anatol Brask; Jun Hayama; Bridget O'Shane; Felicity Court; Kasimir Wolny; Ottilie Braun
Saint-Orban: Éloïse Garnand; Balthus Croy; Nuala D'Arcey; Jan Vesper; Mark Consul; Solange Petitjean; Ruben Ashgrove; Lena Lindqvist; Iris Okonjo; Hugo Stamm; Dagny Holt; Teo Marchetta
Qasr Delun: Farid Benhaddou; Wilhelmina Stroud; August Lindqvist; Samira Qadiri; Rich Banks; Ana Sol; Piet van der Hoek; Yusra Malouf; Casper Thorne; Gwen Pryddle; Bo Lindqvist-Marr
Ponte Lirio: Leonor Faria; Cosimo Bellandi; Grace Mission; Ana Soler; Raúl Ibarrondo; Hope Garnand; Duarte Mendoza; Victor Kell; Magda Szilvay; Tove Ekdahl; Earl Fenton; Mina Brask
Dragavik: Sigurd Hallvarth; Þóra Einarsdal; Nikolai Brodnik; Sunny Day; Jan Vesperini; Wanda Kruk; Elspeth Muir; Ola Strand; Cato Winters; Tilda Rask; Ernest Short
Umbari: Josephine Mbeli; Desmond Achterberg; Kwabena Osei-Thorne; May Friday; Christian Bishop; Lindiwe Mabaso-Holt; Abel Okonjo; Ruth Stroud; Emeka Nduli; Perpetua Sands; Noël Fairweather
New Lantern: Harriet Golightly; Silas Penhallow; Dolly Ambassador; Theodore Marsh; Li Wen Zhao; Ana Sol Ribeiro; Marcus Quayle; Jean-Baptiste Rouvel; Cordelia Price; Hank Dollar; Summer Reedman; Isolde Fay
Port Amity: Percival Drummle; Mei-Lin Tanaka-Cole; Roland Truce; Constance Peace; Tomas Reed; Bettina Krause-Ott; Faisal Noorani; Agnes Wrona; Dean Marsh; Lottie Bell; Viggo Dahlby
"""
RANKS_OF = "Ambassador, Minister-Counsellor, Counsellor, Counsellor, First Secretary, First Secretary, Second Secretary, Consul, Third Secretary, Attaché, Vice-Consul, Attaché"
# Rank: its level, its pay in crowns, the years of birth, the size of the residence
RANKS = {
    "Secretary-General": (0, 128, 129, 1958, 1959, 340),
    "Ambassador": (1, 98, 118, 1957, 1969, 300),
    "Minister-Counsellor": (2, 82, 95, 1960, 1974, 210),
    "Counsellor": (3, 68, 80, 1964, 1980, 160),
    "First Secretary": (4, 56, 66, 1970, 1986, 120),
    "Consul": (4, 54, 67, 1966, 1988, 130),
    "Second Secretary": (5, 46, 54, 1978, 1992, 90),
    "Third Secretary": (6, 38, 45, 1986, 1997, 70),
    "Vice-Consul": (6, 37, 44, 1982, 1996, 75),
    "Attaché": (7, 30, 37, 1990, 2001, 55),
}
TOWNS = "Fenmouth, Upper Sarrow, Goosefield, Kettle Bridge, Łopnia, Saint-Aubry, Sarrow, Candle Row, Brannoch, Old Harbour, Wexmoor"
TONGUES = "French, Arabic, Portuguese, Russian, Velmish, Spanish, Mandarin, Swahili, Old Marran, German, Turkish, Tarsk, Sign Language"
SCHOOLS = "Royal Academy of Sarrow, Fenmouth University, Brannoch Law School, Institut Saint-Aubry, Thornfield College, School of Eastern Letters"
FIELDS = "trade, culture, visas, fisheries, press, human rights, defence, science, migration, energy, protocol, tourism"
COUPLES = "Gideon Marsh + Hester Quayle; Zoë Ångmark + Anatol Brask; Éloïse Garnand + Balthus Croy; Jan Vesper + Solange Petitjean; August Lindqvist + Lena Lindqvist; Samira Qadiri + Faisal Noorani; Rich Banks + Penny Post; Leonor Faria + Duarte Mendoza; Grace Mission + Roland Truce; Sigurd Hallvarth + Tove Ekdahl; Kwabena Osei-Thorne + Iris Okonjo; May Friday + Christian Bishop; Silas Penhallow + Wilhelmina Stroud; Li Wen Zhao + Jun Hayama; Cordelia Price + Theodore Marsh; Mei-Lin Tanaka-Cole + Frank Price; Elspeth Muir + Nikolai Brodnik; Emeka Nduli + Dagny Holt; Magda Szilvay + Kasimir Wolny"
# Known: name / column / cell
KNOWN = """
Sunny Day/home_town/Candle Row; April Winters/joined_service/1999-08-02; August Lindqvist/joined_service/1996-04-15; May Friday/Term Ends/2027-05-31; Mark Consul/press_cleared/no; Dolly Ambassador/mentor/Harriet Golightly; Hope Garnand/mentor/Éloïse Garnand; Jan Vesperini/predecessor/Jan Vesper
Octavia Thrale/joined_service/1981-09-01; Octavia Thrale/postings so far/11; Ana Sol/Languages/Spanish; Ana Soler/Languages/Portuguese; Cato Winters/mentor/April Winters; Hank Dollar/portfolio/trade; Lottie Bell/Languages/French; Percival Drummle/residence_size/412 m2
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


def diplomat(name, rank, post, random):
    """A diplomat with all that needs nobody else."""
    level, low, high, first, last, size = RANKS[rank]
    born = random.randint(first, last)
    joined = date(min(born + random.randint(22, 31), 2024), 1, 1) + timedelta(random.randrange(360))
    ends = date(random.randint(2025, 2029), random.choice([3, 6, 8, 12]), 1) - timedelta(1)
    return {
        "Diplomat": name,
        "Posted To": post,
        "rank": rank,
        "Languages": several(listed(TONGUES), 4, random),
        "joined_service": joined.isoformat(),
        "Birth Year": str(born),
        "home_town": several(listed(TOWNS), 1, random),
        "Yearly Salary": f"{random.randrange(low * 1000, high * 1000, 100)} crowns",
        "Studied At": several(listed(SCHOOLS), 1, random),
        "portfolio": several(listed(FIELDS), 3, random),
        "postings so far": str(max(1, (2024 - joined.year) // 4 + random.randint(-1, 1))),
        "Term Ends": "" if post == "The Ministry" else ends.isoformat(),
        "Car Plate": f"CD {random.randint(100, 999)}",
        "residence_size": f"{size + random.randint(-15, 40)} m2",
        "press_cleared": "yes" if level < 3 or random.random() < 0.3 else "no",
        "Hardship Pay": "yes" if post in {"Umbari", "Dragavik"} or random.random() < 0.06 else "no",
    }


def service(random):
    """Every diplomat of every post, and who belongs to whom."""
    rows = []
    for block in listed(POSTS, "\n"):
        post, names = block.split(": ", 1)
        for name, rank in zip(listed(names, "; "), listed(RANKS_OF), strict=False):
            top = rank == "Ambassador" and post == "The Ministry"
            rows.append(diplomat(name, "Secretary-General" if top else rank, post, random))
    names = [row["Diplomat"] for row in rows]
    single = [row for row in rows if names.count(row["Diplomat"]) == 1]
    couples = [pair.split(" + ") for pair in listed(COUPLES, "; ")]
    spouses = {a: b for pair in couples for a, b in (pair, pair[::-1])}
    taken = {"Jan Vesper"}
    for row in rows:
        level = RANKS[row["rank"]][0]
        above = [
            o for o in single if o["Posted To"] == row["Posted To"] and RANKS[o["rank"]][0] < level
        ]
        near = max((RANKS[o["rank"]][0] for o in above), default=0)
        bosses = [o["Diplomat"] for o in above if RANKS[o["rank"]][0] == near]
        row["reports to"] = (
            random.choice(bosses) if bosses else rows[0]["Diplomat"] if level else ""
        )
        earlier = [o for o in single if o["joined_service"] < row["joined_service"]]
        before = [
            o["Diplomat"]
            for o in earlier
            if o["Posted To"] != row["Posted To"]
            and 0 <= level - RANKS[o["rank"]][0] <= 2
            and o["Diplomat"] not in taken
        ]
        row["predecessor"] = random.choice(before) if before else ""
        row["Married To"] = spouses.get(row["Diplomat"], "")
        guides = [o["Diplomat"] for o in earlier if 1 <= level - RANKS[o["rank"]][0] <= 4]
        row["mentor"] = random.choice(guides) if guides else ""
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        taken.add(row["predecessor"])
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Diplomat"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("diplomats.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(service(Random(84)))


if __name__ == "__main__":
    main()

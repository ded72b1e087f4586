"""Write lawoffice.csv: the people of an invented law office, a row a person.

All invented; a fixed seed. Hard on purpose: people whose names are words, months and verbs,
namesakes in two positions, names that share a part, accents and apostrophes, journeys partly in
minutes and partly in hours, several values in a cell, people who report to, were trained by, stand
in for and type for one another, and many cells left empty.

    python3 invent_lawoffice.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("person", "position", "room_no", "Practises In", "Current Case", "open_files", "reports_to"),
    *("Trained By", "deputy", "Secretary", "hourly_fee", "days in court", "joined_on"),
    *("Called to the Bar", "Home Town", "phone extension", "languages", "journey to work"),
    *("safe_key", "success rate"),
)
GAPS = {
    **{"room_no": 0.06, "Practises In": 0.06, "Current Case": 0.15, "open_files": 0.08},
    **{"Trained By": 0.12, "deputy": 0.22, "Secretary": 0.15, "hourly_fee": 0.07},
    **{"days in court": 0.1, "joined_on": 0.05, "Called to the Bar": 0.08, "Home Town": 0.08},
    **{"phone extension": 0.08, "journey to work": 0.15, "success rate": 0.2},
}
# position: names
NAMES = """
senior partner: Augusta Thornbury
partner: Ottokar Brandt; Hélène Marchetti; Will Page; Ines Çelik; Malachy O'Dowd; Sigrid Åkesson; Bartholomew Quince; Rosamund Law; Dr. Ewald Zimt; Constance Ferreby
associate: Anna Berg; Frank Stamp; Grace Court; Tobias Brandt; Tomás Brandão; Jürgen Maß; May Friday; Łucja Wrona; Bill Price; Hugo Ferreby; Ada Lindqvist; Rich Field; Siobhán O'Dowd; Mark Penny; Nadia Haddou; Piers Ravenscroft; Zoltán Vörös; Clara Moon; Claire Moon; Desmond Okpara; Faith Wright; Björn Åkesson; Lucía Peñalba; Oskar Quince; Peter Noon; Judith Bell; Victor Sale; Yuki Tanabe; Eleanor Vance-Holt; Tom Clay
notary: Rosalind Seal; Casimir Pfennig; Anselm Grau
trainee: Anna Berg; Tom Clay; Joy Summers; Hope Winters; Milo Zimt; Noé Lacroix; Penny Mark; Robin Page; Søren Dahl; Tilda Brandt; Ümit Aslan; Wanda Kowal; Chance Miller; Fleur Dubray; Gil Thorn; Ivo Stamp; Kofi Mensah-Hale; Little John Bell; Ravi Menon; Esme Hart
paralegal: Beatrix Lund; Chip Porter; Dolores Vega; Elif Yaman; Fergus Day; Gustav Holm; Harriet Lock; Imre Szabó; Jack Daw; Karoline Weiß; Lorcan O'Dea; Sunny Banks
clerk: Mary Stern; Maria Stern; Otto Brand; April Rowe; Carter Wells; Drew Marsh; Ephraim Cole; Gwen Archer; Judge Harlow; Nils Berg; Olga Petrow; Rob Banks; Ruth Case
secretary: Agathe Roux; Bridget Mallory; Dagmar Fuchs; Iris Webb; Jean Claude Roux; Lavinia Prynne; Miss Tibbs; Myrtle Hobday; Rose Garland; Tom Clay; Zdenka Malá
office manager: Philippa Strong
bookkeeper: Cash Mulligan; Ebba Lind
librarian: Paige Turner-Reed
archivist: Old Fenwick
receptionist: Belle Ringwood; Dawn Early
messenger: Jimmy Swift; Pip
"""
FIELDS = "family law, inheritance, tax, maritime law, criminal defence, employment, land and tenancy, patents, insurance, company law, art and antiques, traffic"
CASES = "Heron v. Gull, The Leaning Chimney, Estate of Widow Plum, Brewery Flood, Marlow v. Marlow, Ferry Collision, The Stolen Cello, Old Mill Boundary, Baker v. Candlestick Ltd, The Barking Dog, Sunken Barge Isolde, Tulip Patent, Harbour Tax Appeal, The Missing Will, Orchard Lease, Tramway Accident"
TOWNS = "Greyminster, Port Alder, Vellin, Sankt Osk, Little Harding, Great Harding, Châtelroux, Lindau Bridge, Nørreby, Mill End, Santa Brisa, Crow Hill"
LANGUAGES = (
    "English, German, French, Spanish, Polish, Turkish, Danish, Latin, Portuguese, sign language"
)
# position: cases / fee / days in court
WORK = {
    **{"senior partner": (6, 480, 14), "partner": (22, 360, 40), "associate": (34, 220, 75)},
    **{"notary": (40, 190, 3), "trainee": (9, 0, 22), "paralegal": (15, 85, 18)},
}
LAWYERS = ("senior partner", "partner", "associate", "notary")
# Known: person / position / column / cell
KNOWN = """
Augusta Thornbury/senior partner/joined_on/1979-09-03; Augusta Thornbury/senior partner/Called to the Bar/1977; Augusta Thornbury/senior partner/room_no/401; Augusta Thornbury/senior partner/deputy/Ottokar Brandt; Augusta Thornbury/senior partner/Secretary/Lavinia Prynne
Ottokar Brandt/partner/Trained By/Augusta Thornbury; Ottokar Brandt/partner/Secretary/Miss Tibbs; Tobias Brandt/associate/Trained By/Ottokar Brandt; Tilda Brandt/trainee/Trained By/Tobias Brandt; Tilda Brandt/trainee/reports_to/Rosamund Law; Hélène Marchetti/partner/Trained By/Augusta Thornbury
Old Fenwick/archivist/joined_on/1976-04-01; Old Fenwick/archivist/room_no/B02; Old Fenwick/archivist/journey to work/5 min; Old Fenwick/archivist/languages/English; Latin; Pip/messenger/joined_on/2024-08-19; Pip/messenger/Trained By/Jimmy Swift; Pip/messenger/phone extension/; Pip/messenger/safe_key/no
Philippa Strong/office manager/reports_to/Augusta Thornbury; Philippa Strong/office manager/deputy/Ebba Lind; Cash Mulligan/bookkeeper/safe_key/yes; Ebba Lind/bookkeeper/safe_key/no; Rosalind Seal/notary/Practises In/inheritance; land and tenancy; Milo Zimt/trainee/Trained By/Dr. Ewald Zimt
Paige Turner-Reed/librarian/room_no/Library; Belle Ringwood/receptionist/room_no/Front Hall; Dawn Early/receptionist/room_no/Front Hall; Dawn Early/receptionist/deputy/Belle Ringwood; May Friday/associate/Current Case/The Missing Will; Will Page/partner/Current Case/The Missing Will; Will Page/partner/Practises In/inheritance; tax
Björn Åkesson/associate/Trained By/Sigrid Åkesson; Siobhán O'Dowd/associate/Trained By/Malachy O'Dowd; Malachy O'Dowd/partner/Current Case/The Barking Dog; Grace Court/associate/days in court/131; Bill Price/associate/hourly_fee/310 EUR; Judge Harlow/clerk/safe_key/yes; Tom Clay/secretary/phone extension/377
Clara Moon/associate/journey to work/2.5 h; Claire Moon/associate/journey to work/20 min; Clara Moon/associate/deputy/Claire Moon; Claire Moon/associate/deputy/Clara Moon; Frank Stamp/associate/Home Town/Port Alder; Ivo Stamp/trainee/Home Town/Port Alder; Ivo Stamp/trainee/Trained By/Frank Stamp; Zoltán Vörös/associate/success rate/88 %
Augusta Thornbury/senior partner/Trained By/; Jimmy Swift/messenger/Trained By/; Jimmy Swift/messenger/deputy/Pip
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, position, random):
    """A person with all that needs no other person."""
    row = dict.fromkeys(COLUMNS, "")
    lawyer, partner = position in LAWYERS, "partner" in position
    years = (
        (20, 38) if partner else (3, 24) if lawyer else (0, 2) if position == "trainee" else (1, 28)
    )
    joined = date(2025, 3, 1) - timedelta(round(365 * random.uniform(*years)))
    minutes = round(10 * 14 ** random.random() / 5) * 5
    row |= {"person": name, "position": position, "joined_on": joined.isoformat()}
    row["room_no"] = str(
        100 * random.choice([3, 4] if partner else [1, 2, 3]) + random.randint(1, 17)
    )
    row["Home Town"] = random.choice(listed(TOWNS))
    row["phone extension"] = str(random.randint(200, 499))
    spoken = set(several(listed(LANGUAGES)[1:], 2, random).split("; ")) | {"English"}
    row["languages"] = "; ".join(each for each in listed(LANGUAGES) if each in spoken)
    row["journey to work"] = f"{minutes} min" if minutes < 90 else f"{round(minutes / 30) / 2:g} h"
    row["safe_key"] = "yes" if random.random() < (0.8 if partner else 0.2) else "no"
    if position in WORK:
        files, fee, days = WORK[position]
        row["Practises In"] = several(listed(FIELDS), 3 if lawyer else 2, random)
        row["Current Case"] = random.choice(listed(CASES)) if position != "notary" else ""
        row["open_files"] = str(round(files * random.uniform(0.4, 1.7)))
        row["hourly_fee"] = f"{round(fee * random.uniform(0.75, 1.3) / 5) * 5} EUR" if fee else ""
        row["days in court"] = str(round(days * random.uniform(0.3, 1.6)))
    if lawyer:
        row["Called to the Bar"] = str(joined.year - random.randint(0, 4))
        row["success rate"] = f"{random.randint(38, 84)} %"
    return row


def people(random):
    """Return all rows."""
    blocks = [block.split(": ", 1) for block in NAMES.strip().splitlines()]
    rows = [
        person(name, position, random) for position, names in blocks for name in names.split("; ")
    ]
    names = [row["person"] for row in rows]
    single = [row for row in rows if names.count(row["person"]) == 1]
    held = {
        position: [row["person"] for row in single if row["position"] == position]
        for position, _ in blocks
    }
    above = {"partner": "senior partner", "associate": "partner", "notary": "partner"}
    above |= {"trainee": "associate", "paralegal": "associate"}
    for row in rows:
        position = row["position"]
        if position != "senior partner":
            row["reports_to"] = random.choice(held[above.get(position, "office manager")])
        older = [
            o
            for o in single
            if o["position"] in ("partner", position) and o["joined_on"] < row["joined_on"]
        ]
        older = older if position in WORK else [o for o in older if o["position"] == position]
        if position == "trainee":
            older = [o for o in single if o["position"] == "associate"]
        if older:
            row["Trained By"] = random.choice(older)["person"]
        peers = [name for name in held[position] if name != row["person"]]
        if peers:
            row["deputy"] = random.choice(peers)
        if position in LAWYERS:
            row["Secretary"] = random.choice(held["secretary"])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in (
        KNOWN.strip()
        .replace("\n", "; ")
        .replace("; Latin", "+ Latin")
        .replace("; land", "+ land")
        .replace("; tax", "+ tax")
        .split("; ")
    ):
        name, position, column, cell = fact.split("/")
        row = next(row for row in rows if (row["person"], row["position"]) == (name, position))
        row[column] = cell.replace("+ ", "; ")
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("lawoffice.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(people(Random(47)))


if __name__ == "__main__":
    main()

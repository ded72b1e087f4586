"""Write runners.csv: the members of an invented running club, a row a member.

All invented; a fixed seed. Hard on purpose: members whose names are words, months and places,
namesakes, surnames and first names that several share, accents and apostrophes, coaches, partners,
recruiters and emergency contacts who are members themselves (and some who are not), times partly in
minutes and partly as h:mm:ss, several values in a cell, and many cells left empty.

    python3 invent_runners.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "member",
        "date of birth",
        "home_town",
        "Occupation",
        "joined_in",
        "coached by",
        "Training Partners",
    ),
    *("recruited_by", "Emergency Contact", "marathon_best", "10k best", "shoes", "Weekly Distance"),
    *(
        "races_entered",
        "injury",
        "Out Until",
        "annual_fee",
        "Fee Paid",
        "resting pulse",
        "Serves As",
    ),
)
GAPS = {
    **{
        "date of birth": 0.06,
        "home_town": 0.05,
        "Occupation": 0.1,
        "joined_in": 0.03,
        "coached by": 0.1,
    },
    **{
        "recruited_by": 0.2,
        "Emergency Contact": 0.2,
        "marathon_best": 0.35,
        "10k best": 0.12,
        "shoes": 0.08,
    },
    **{"Weekly Distance": 0.1, "races_entered": 0.2, "Fee Paid": 0.05, "resting pulse": 0.3},
}
COACHES = "Magda Horváth, Tom Quick, Ines Barragán, Ulf Sandgren, Patience Achebe, Old Joe Tarrant, Bridget O'Shea, Rémy Fontaine"
NAMES = """
Will Rush, May Summers, June Frost, Mark Miles, Grace Walker, Rose Hill, Hill Rose, Art Long, Faith Short, Pace Turner, Dash Moreau, Sunny Strider, Victor Street, Bill Due
Penny Lane-Fox, Chase Hunter, Hunter Chase, Rocky Path, Gale Winters, Ernest Sole, Sandy Beech, Dawn Early, Eve Late, Jack Frost, Miles Hale, Martin Hale, Miles Ahlgren
Zoë Kettle, Zoe Kettleworth, Anna Lindqvist, Anna Lindgren, Annika Lindqvist, Björn Åkesson, Łucja Wrona, Paweł Wrona, João Sardinha, Íñigo Castellanos, Ángela Ruiz-Toro, Søren Dahlgaard, Chloë Vance
Jürgen Pfeffer, Jurgen Peppers, Siobhán Keane, Sean Keane, D'Arcy Bloom, Orla Bloom, Kwabena Osei, Ama Osei, Tiago Lobo, Nuria Lobo, Yuki Hanamori, Mei-Lin Zhao, Farid Haddadi, Leila Haddadi
Đorđe Petrić, Petra Georges, Hana Dvořáková, Karel Dvořák, Ebba Strand, Torsten Strand, Bea Garland, Otto Garland, Gus Pike, Nell Pike, Barnaby Crook, Clara Crook, Fergus Moss, Isla Moss, Ruth Less, Neil Down
Ivy Banks, Thelma Pond, Cliff Edge, Ray Burns, Holly Thorne, Basil Thorne, Peg Legg, Walter Stiles, Hope Barrow, Abel Barrow, Ned Tarrant, Cora Tarrant, Dr. Elsa Plumm, Father Anselm, Lady Winnow, Big Sal
Marguerite Doux, Étienne Doux, Noémie Fontaine, Priya Raman, Arjun Raman, Selim Aydın, Defne Aydın, Kofi Mensa, Tuula Rantanen, Aino Rantala, Gwil Prosser, Carys Prosser, Oona Fairweather, Hamish Dunn, Dunn Hamish
Alice Reed, Alice Reed, Peter Cobb, Peter Cobb, Josef Blau, Josefine Blau
"""
# Nobody points to a namesake.
NAMESAKES = ("Alice Reed", "Peter Cobb")
TOWNS = "Wexmouth, Sallow, Upper Sallow, Port Ember, Brynmoor, Nine Oaks, Halfway, Hope, Val Doré, Sankt Ölme, Żabno, Castro Peñal, Marsh Lane End, Quarry Bank"
JOBS = "nurse, bus driver, teacher, plumber, baker, student, retired, accountant, postman, vet, carpenter, software developer, dentist, florist, lorry driver, librarian, police officer, cook, hairdresser, architect, gardener, journalist, beekeeper, tailor, undertaker"
OUTSIDERS = "Mrs. Rush, Colin Early, Dr. Vetter, Sabine Pfeffer, Granny Dunn, Lord Winnow, Henk Visser, Pia Åkesson, Rosario Lobo, Kenji Hanamori, Father Placid, Gloria Mensa"
SHOES = "Kestrel Glide, Kestrel Glide 2, Mudfox, Otter 7, Zephyr Lite, Tortoise Pro, Pronto Carbon, Hare & Hound, Nimbata, Blaze, Old Faithful, Señorita Trail"
RACES = "Harbour Half, Midnight Ten, Mudlark Cross, Turnip Trot, Three Bridges Marathon, Fog Mile, Santa Dash, Old Quarry Ultra, Vineyard Relay, Lighthouse Steps, Spring Chicken 5k, Goose Lake Loop, Corrida São Brás"
INJURIES = "shin splints, Achilles tendon, runner's knee, plantar fasciitis, hamstring strain, stress fracture, twisted ankle, black toenail, sore hip, tennis elbow"
# Known: member / column / cell
KNOWN = """
Magda Horváth/Serves As/head coach; Tom Quick/Serves As/coach; Ines Barragán/Serves As/coach; Ulf Sandgren/Serves As/coach; Patience Achebe/Serves As/coach, first aider; Old Joe Tarrant/Serves As/coach, timekeeper; Bridget O'Shea/Serves As/coach; Rémy Fontaine/Serves As/coach
Lady Winnow/Serves As/president; Penny Lane-Fox/Serves As/treasurer; Ivy Banks/Serves As/secretary; Big Sal/Serves As/kit manager; Dr. Elsa Plumm/Serves As/club doctor; Selim Aydın/Serves As/webmaster; Barnaby Crook/Serves As/race director; Peg Legg/Serves As/first aider; Pace Turner/Serves As/pacemaker
Gus Pike/Serves As/timekeeper; Noémie Fontaine/Serves As/newsletter editor; Father Anselm/Serves As/vice president, minibus driver; Nuria Lobo/Serves As/pacemaker; Bill Due/Serves As/auditor; Hana Dvořáková/Serves As/first aider; Ray Burns/Serves As/barbecue chef
Old Joe Tarrant/date of birth/1939-05-01; Old Joe Tarrant/joined_in/1961; Old Joe Tarrant/coached by/; Old Joe Tarrant/recruited_by/; Old Joe Tarrant/marathon_best/2:41:07; Lady Winnow/date of birth/1944-11-30; Lady Winnow/joined_in/1968; Lady Winnow/Emergency Contact/Lord Winnow; Lady Winnow/shoes/Old Faithful; Lady Winnow/Occupation/
Magda Horváth/coached by/Old Joe Tarrant; Tom Quick/coached by/Magda Horváth; Ines Barragán/coached by/Magda Horváth; Ulf Sandgren/coached by/Old Joe Tarrant; Patience Achebe/coached by/Ines Barragán; Bridget O'Shea/coached by/Magda Horváth; Rémy Fontaine/coached by/Tom Quick
Dr. Elsa Plumm/Occupation/doctor; Father Anselm/Occupation/priest; Bill Due/Occupation/tax inspector; Ray Burns/Occupation/firefighter; Cliff Edge/Occupation/roofer; Eve Late/Occupation/train driver; Neil Down/Occupation/tiler; Big Sal/Occupation/butcher; Pace Turner/Occupation/lathe operator; Jack Frost/Occupation/ice cream seller
June Frost/date of birth/1996-02-29; May Summers/date of birth/1988-06-21; Dash Moreau/marathon_best/2:29:54; Dash Moreau/10k best/31 min; Tuula Rantanen/10k best/33 min; Neil Down/injury/runner's knee; Ruth Less/injury/; Ernest Sole/injury/black toenail, plantar fasciitis; Rocky Path/injury/twisted ankle, stress fracture; Cliff Edge/injury/stress fracture
Dawn Early/Emergency Contact/Colin Early; Will Rush/Emergency Contact/Mrs. Rush; Jürgen Pfeffer/Emergency Contact/Sabine Pfeffer; Björn Åkesson/Emergency Contact/Pia Åkesson; Cora Tarrant/Emergency Contact/Old Joe Tarrant; Ned Tarrant/Emergency Contact/Old Joe Tarrant; Isla Moss/Emergency Contact/Fergus Moss; Fergus Moss/Emergency Contact/Isla Moss
Hope Barrow/home_town/Wexmouth; Abel Barrow/home_town/Hope; Noémie Fontaine/recruited_by/Rémy Fontaine; Noémie Fontaine/Occupation/journalist; Rémy Fontaine/date of birth/1974-07-25; Rémy Fontaine/joined_in/1999; Rémy Fontaine/recruited_by/Old Joe Tarrant; Ned Tarrant/recruited_by/Old Joe Tarrant; Chase Hunter/coached by/Tom Quick; Hunter Chase/coached by/Bridget O'Shea; Marguerite Doux/home_town/Val Doré; Łucja Wrona/home_town/Żabno; Oona Fairweather/Weekly Distance/135 km
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.4)]


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def member(name, random):
    """A member with all that needs no other member."""
    born = date(1948, 1, 1) + timedelta(random.randrange(21500))
    speed = random.random()
    hours, seconds = divmod(int(9600 + 8200 * speed + random.randrange(900)), 3600)
    hurt = random.random() < 0.27
    return {
        "member": name,
        "date of birth": born.isoformat(),
        "home_town": skewed(listed(TOWNS), random),
        "Occupation": "retired"
        if born.year < 1958
        else skewed([j for j in listed(JOBS) if j != "retired"], random),
        "joined_in": str(random.randint(max(1972, born.year + 15), 2024)),
        "coached by": skewed(listed(COACHES)[::-1], random),
        "marathon_best": f"{hours}:{seconds // 60:02}:{seconds % 60:02}",
        "10k best": f"{round(34 + 32 * speed + random.uniform(-2, 2))} min",
        "shoes": several(random.sample(listed(SHOES), 4), 2, random),
        "Weekly Distance": f"{random.randrange(10, 96, 5)} km",
        "races_entered": several(listed(RACES), 4, random),
        "injury": skewed(listed(INJURIES), random) if hurt else "",
        "Out Until": (date(2025, 3, 1) + timedelta(random.randrange(200))).isoformat()
        if hurt
        else "",
        "annual_fee": f"{random.choice(['120', '120', '120', '95', '60', '42.50'])} EUR",
        "Fee Paid": random.choice(["yes", "yes", "yes", "no"]),
        "resting pulse": f"{random.randint(38, 74)} bpm",
        "Serves As": "",
    }


def members(random):
    """Return all rows."""
    names = listed(COACHES) + listed(NAMES)
    rows = [member(name, random) for name in names]
    known = [fact.split("/") for fact in listed(KNOWN, "; ")]
    single = [row for row in rows if row["member"] not in NAMESAKES]
    joined = {row["member"]: row["joined_in"] for row in rows}
    joined |= {name: cell for name, column, cell in known if column == "joined_in"}
    partners = {name: set() for name in names}
    for _ in range(75):  # partners are partners both ways
        one, other = (row["member"] for row in random.sample(single, 2))
        if max(len(partners[one]), len(partners[other])) < 3:
            partners[one].add(other)
            partners[other].add(one)
    for row in rows:
        name = row["member"]
        before = [r["member"] for r in single if joined[r["member"]] < joined[name]]
        row["recruited_by"] = random.choice(before or [""])
        relative = [
            r["member"]
            for r in single
            if r["member"].split()[-1] == name.split()[-1] and r is not row
        ]
        anybody = [r["member"] for r in single if r is not row]
        row["Emergency Contact"] = random.choice(
            relative or (anybody if random.random() < 0.7 else listed(OUTSIDERS))
        )
        row["Training Partners"] = "; ".join(sorted(partners[name], key=names.index))
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for name, column, cell in known:
        row = next(row for row in rows if row["member"] == name)
        row[column] = cell.replace(", ", "; ")
        if column == "injury":
            row["Out Until"] = (
                f"2025-{random.randint(4, 9):02}-{random.randint(1, 30):02}" if cell else ""
            )
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("runners.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(members(Random(47)))


if __name__ == "__main__":
    main()

"""Write courses.csv: the catalogue of an invented university by the sea, a row a course.

All invented; a fixed seed. Hard on purpose: courses whose names are common words (Time, Nothing, Wills),
namesakes in two faculties (Drawing, Logic, Field Trip), names that share a part, accents, people who teach
some courses and examine others, lecturers who share a surname, lengths partly in weeks and partly in days,
several values in a cell, courses that need, precede or stand in for other courses, and many cells left empty.

    python examples/strangers/choosing/invent_courses.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "course",
        "Faculty",
        "taught by",
        "examined_by",
        "prerequisites",
        "Leads On To",
        "can be swapped for",
    ),
    *(
        "credits",
        "fee",
        "Room",
        "meets_on",
        "duration",
        "Language of Teaching",
        "set_book",
        "exam kind",
    ),
    *("exam_date", "places", "Pass Rate", "First Offered", "open to guests"),
)
GAPS = {
    **{
        "taught by": 0.05,
        "examined_by": 0.12,
        "fee": 0.1,
        "Room": 0.08,
        "meets_on": 0.07,
        "duration": 0.05,
    },
    **{"set_book": 0.22, "exam kind": 0.08, "exam_date": 0.15, "places": 0.1, "Pass Rate": 0.15},
    **{"First Offered": 0.08, "open to guests": 0.1, "Language of Teaching": 0.04, "credits": 0.03},
}
# Faculty: its courses, the easy ones first
COURSES = """
Mathematics: Counting, Proofs, Logic, Calculus I, Calculus II, Calculus for Poets, Curves, Knots, Graphs and Gossip, Probability and Dice, Statistics for Sceptics, Numbers that Lie, Zéro, Infinity
Languages: Norran for Beginners, Veshti for Beginners, Sign Language, Norran Grammar, Veshti Conversation, Latin for Lawyers, Whistled Speech, Écriture, Field Trip, Translation, Lies, Märchen, Old Norran, Old Norran Poetry, Silence
Fine Arts: Drawing, Colour, Paper, Clay, Life Drawing, Shadows, Portraits, Masks, Puppets, Stage Fright, Fresco, Bronze Casting, Art of the Øresmen, Forgery
Engineering: Drawing, Ropes, Wind, Logic, Steam, Kites, Clockwork, Bridges, Tunnels, Small Boats, Locks and Keys, Lighthouses, Robots, Bridges that Fell
Natural Sciences: Bones, Moss, Stars, Tides, Ice, Fire, Beetles, Microscopes, Birdsong, Fossils, Field Trip, Poison, Volcanoes, Beetles of Kråkøy
Law: Contracts, Roman Law, Theft, Neighbours, Wills, Evidence, Witnesses, Law of the Sea, Law and Poetry, Ships and Salvage, Pirates, Law of Żuława, Mock Trial
Philosophy: Ethics, Truth, Doubt, Time, Beauty, Friendship, Happiness, Free Will, Sleep, Ethics of War, Doubt and Faith, Père Anselme, Nothing
Agriculture: Soil, Seeds, Weather, Hedges, Bread, Goats, Bees, Ploughing, Orchards, Cheese, Mushrooms, Barns, Cheese and Wine, Şırınca Vines
"""
# Faculty: its people
PEOPLE = """
Mathematics: Ada Quint, Bertil Holm, Wanda Nowicka, Will Page, Søren Holm
Languages: Rose Marsh, Ingibjörg Vatn, Théo Lacombe, Nadia Reyes, Ada Marsh
Fine Arts: Lucía Peña, Oskar Grün, Summer Bright, Hal Brush, Olga Grün
Engineering: Jack Stone, Yusuf Demir, Petra Stone, Milo Carver, Zdeněk Říha
Natural Sciences: Fern Okoro, Lars Ødegård, Iris Bell, Max Bell, Jun Takeda
Law: Grace Justice, Victor Amsel, Małgorzata Wójcik, Hugo Penn, Nadia Reyes
Philosophy: Felix Amsel, Hope Winter, Ambrose Kell, Chloé Dubois, Will Page
Agriculture: Bruno Acker, Dilys Pugh, Pearl Field, Ismet Yılmaz, Fern Okoro
"""
OUTSIDE = "Judge Orla Finch, Abbot Kilian, Captain Mara Voss, Sir Edwin Plumb, Konrad Ziegler"
# Faculty: its books
BOOKS = """
Mathematics: One and Many, The Honest Number, Lines without End, A Gambler's Reader, Half a Proof
Languages: Mouth and Ear, Three Hundred Verbs, The Northern Tongue, Words at Sea, A Grammar for the Impatient
Fine Arts: The Patient Eye, Earth and Glaze, Light from the Left, Hands, How to See
Engineering: The Falling Span, Wheels within Wheels, Iron and Water, Loads, Hands
Natural Sciences: What the Sea Left, A Pocket of Moss, Slow Fire, The Beetle Book, Night Sky
Law: Mine and Thine, Salt Water Justice, The Good Witness, Twelve Chairs, The Last Page
Philosophy: The Empty Chair, Letters to a Doubter, On Being Late, The Last Page, Why Not
Agriculture: A Year of Mud, The Hedge Bible, Milk and Time, Bee Lines, Roots
"""
ROOMS = {
    "Mathematics": "Room 7, Room 12, Owl Hall",
    "Languages": "Tower Room, Room 12, The Parlour",
    "Fine Arts": "North Studio, Old Chapel, The Attic",
    "Engineering": "Workshop 2, Boathouse, Room 7",
    "Natural Sciences": "Lab 3, Glasshouse, Owl Hall",
    "Law": "Moot Court, Owl Hall, The Parlour",
    "Philosophy": "Old Chapel, Tower Room, The Attic",
    "Agriculture": "Home Farm, Glasshouse, Lab 3",
}
DAYS = "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday"
TONGUES = "English, Norran, Veshti, French, Latin"
EXAMS = "written, written, written, oral, oral, essay, portfolio, practical, take-home"
LENGTHS = (
    "14 weeks, 14 weeks, 14 weeks, 12 weeks, 12 weeks, 7 weeks, 28 weeks, 5 days, 10 days, 3 days"
)
# Known: course / faculty / column / cell
KNOWN = """
Calculus II/Mathematics/prerequisites/Calculus I; Calculus I/Mathematics/Leads On To/Calculus II; Calculus for Poets/Mathematics/can be swapped for/Calculus I; Calculus for Poets/Mathematics/prerequisites/Counting; Infinity/Mathematics/prerequisites/Calculus II; Infinity/Mathematics/taught by/Wanda Nowicka; Zéro/Mathematics/Leads On To/Infinity
Norran Grammar/Languages/prerequisites/Norran for Beginners; Norran for Beginners/Languages/Leads On To/Norran Grammar; Norran for Beginners/Languages/can be swapped for/; Old Norran/Languages/prerequisites/Norran Grammar; Old Norran/Languages/Leads On To/Old Norran Poetry; Old Norran Poetry/Languages/prerequisites/Old Norran; Veshti Conversation/Languages/prerequisites/Veshti for Beginners; Veshti for Beginners/Languages/Leads On To/Veshti Conversation; Old Norran Poetry/Languages/taught by/Ingibjörg Vatn
Latin for Lawyers/Languages/Language of Teaching/Latin; Latin for Lawyers/Languages/can be swapped for/Roman Law; Roman Law/Law/prerequisites/Latin for Lawyers; Silence/Languages/exam kind/; Silence/Languages/can be swapped for/Nothing; Life Drawing/Fine Arts/prerequisites/Colour; Forgery/Fine Arts/prerequisites/Portraits; Forgery/Fine Arts/can be swapped for/Theft; Forgery/Fine Arts/examined_by/Judge Orla Finch
Bridges that Fell/Engineering/prerequisites/Bridges; Bridges/Engineering/Leads On To/Bridges that Fell; Bridges/Engineering/set_book/The Falling Span; Bridges that Fell/Engineering/set_book/The Falling Span; Bridges/Engineering/taught by/Petra Stone; Kites/Engineering/prerequisites/Ropes; Small Boats/Engineering/prerequisites/Ropes; Small Boats/Engineering/examined_by/Captain Mara Voss; Small Boats/Engineering/Room/Boathouse
Beetles of Kråkøy/Natural Sciences/prerequisites/Beetles; Beetles/Natural Sciences/Leads On To/Beetles of Kråkøy; Beetles/Natural Sciences/set_book/The Beetle Book; Volcanoes/Natural Sciences/prerequisites/Fire; Poison/Natural Sciences/places/6; Poison/Natural Sciences/open to guests/no; Tides/Natural Sciences/can be swapped for/Weather; Stars/Natural Sciences/First Offered/1874
Law of the Sea/Law/Leads On To/Ships and Salvage; Pirates/Law/prerequisites/Law of the Sea; Pirates/Law/can be swapped for/Small Boats; Pirates/Law/examined_by/Captain Mara Voss; Mock Trial/Law/prerequisites/Evidence; Mock Trial/Law/examined_by/Judge Orla Finch; Roman Law/Law/First Offered/1851; Wills/Law/taught by/Hugo Penn; Wills/Law/set_book/The Last Page
Ethics of War/Philosophy/prerequisites/Ethics; Ethics/Philosophy/Leads On To/Ethics of War; Doubt/Philosophy/Leads On To/Doubt and Faith; Doubt and Faith/Philosophy/prerequisites/Doubt; Nothing/Philosophy/credits/0; Nothing/Philosophy/taught by/Ambrose Kell; Père Anselme/Philosophy/examined_by/Abbot Kilian; Nothing/Philosophy/prerequisites/Time; Sleep/Philosophy/can be swapped for/Silence
Cheese and Wine/Agriculture/prerequisites/Cheese; Cheese/Agriculture/Leads On To/Cheese and Wine; Cheese/Agriculture/set_book/Milk and Time; Şırınca Vines/Agriculture/taught by/Ismet Yılmaz; Weather/Agriculture/can be swapped for/Wind; Bees/Agriculture/set_book/Bee Lines; Mushrooms/Agriculture/can be swapped for/Poison; Bread/Agriculture/taught by/Dilys Pugh
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def by_faculty(text):
    """What each faculty has."""
    return {line.split(": ")[0]: listed(line.split(": ")[1]) for line in text.strip().splitlines()}


def several(choices, weights, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, random.choices(range(1, len(weights) + 1), weights)[0])
    return "; ".join(sorted(chosen, key=choices.index))


def course(name, faculty, random):
    """A course with all that needs no other course."""
    length = random.choice(listed(LENGTHS))
    people = by_faculty(PEOPLE)[faculty]
    teacher = random.choice(people)
    examiners = [who for who in people if who != teacher] + random.sample(listed(OUTSIDE), 2)
    return {
        **dict.fromkeys(COLUMNS, ""),
        "course": name,
        "Faculty": faculty,
        "taught by": teacher,
        "examined_by": teacher if random.random() < 0.3 else several(examiners, (7, 3), random),
        "credits": str(random.choice([2, 3, 3, 4, 5, 5, 6, 6, 8, 10, 12])),
        "fee": f"{random.randrange(40, 620, 5)} EUR",
        "Room": random.choice(listed(ROOMS[faculty])),
        "meets_on": several(listed(DAYS), (6, 4, 1), random),
        "duration": length,
        "Language of Teaching": several(listed(TONGUES), (7, 3), random)
        if random.random() < 0.5
        else "English",
        "set_book": random.choice(by_faculty(BOOKS)[faculty]),
        "exam kind": random.choice(listed(EXAMS)),
        "exam_date": (date(2026, 1, 12) + timedelta(random.randrange(190))).isoformat(),
        "places": str(
            random.choice([8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 36, 40, 45, 60, 80, 120, 150])
        ),
        "Pass Rate": f"{random.randrange(38, 100)} %",
        "First Offered": str(int(2025 - 140 * random.random() ** 2)),
        "open to guests": random.choice(["yes", "no"]),
    }


def courses(random):
    """Return all rows."""
    rows = [
        course(name, faculty, random)
        for faculty, names in by_faculty(COURSES).items()
        for name in names
    ]
    names = [row["course"] for row in rows]
    for number, row in enumerate(rows):
        kin = [
            i
            for i, other in enumerate(rows)
            if other["Faculty"] == row["Faculty"] and names.count(names[i]) == 1
        ]
        before, after = [names[i] for i in kin if i < number], [names[i] for i in kin if i > number]
        strangers = [
            name for name in names if names.count(name) == 1 and names.index(name) not in kin
        ]
        if before and random.random() < 0.6:
            row["prerequisites"] = several(before, (6, 3, 1)[: len(before)], random)
        if after and random.random() < 0.5:
            row["Leads On To"] = random.choice(after)
        if random.random() < 0.35:
            row["can be swapped for"] = random.choice([*before, *after, *strangers[::6]])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, faculty, column, cell = fact.split("/")
        next(row for row in rows if (row["course"], row["Faculty"]) == (name, faculty))[column] = (
            cell
        )
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("courses.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(courses(Random(53)))


if __name__ == "__main__":
    main()

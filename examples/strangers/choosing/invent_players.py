"""Write players.csv: the players of an invented chess league, a row a player.

All invented; a fixed seed. Hard on purpose: names that are words, months, chessmen, clubs and towns, namesakes,
names within names, accents, several values in a cell, players who coach, beat and drive other players of the
same table, and many cells left empty.

    python examples/strangers/choosing/invent_players.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "name|Club|board|Title|rating|Coached By|last_lost_to|lift_from|born|Home Town|Favourite Openings|joined_on|Day Job|Prize Money|distance to hall|games_played|Wins|Languages|left_handed|Club Captain".split(
    "|"
)
GAPS = {
    "Coached By": 0.12,
    "last_lost_to": 0.1,
    "lift_from": 0.3,
    "born": 0.08,
    "Home Town": 0.07,
    "Favourite Openings": 0.1,
    "joined_on": 0.06,
    "Day Job": 0.1,
    "Prize Money": 0.25,
    "distance to hall": 0.08,
    "Languages": 0.06,
    "left_handed": 0.1,
}
# Club: its players, who plays the first board first
PLAYERS = """
Wexmoor Rooks: Leocadia Marsh; Henrik Tolle; Anna Berg; Philippa Rook; Dénes Farkasdi; April Winters; Tomas Okafor; Jonas Weir; Ruth Castle; Miro Kováč; Bea Lindqvist; Sam Draw; Gertrude Ames
Black Knights: Octavio Reyna; Anna Berglund; August Knight; Sunniva Dahl; Ignace D'Aubry; Chidi Nwosu-Hart; Peregrine Moss; Will Check; Zuzana Hrbková; Lettie Knight; Faisal Darwazeh; Pearl Mossop
Port Lissel Pawns: Théodora Vann; June Castle; Eamon O'Dowd; Ines Carvalhal; Rudi Sauer; Rudy Sauer; Nkechi Obi; Siobhán O'Dowd; Bartholomew Pawn; Yusuf Temirci; Clara Stein; Max Castle
The Late Bishops: Emeric Szalay; Bishop; Dorothea Bishop; Grace Bishop-Lyle; Lorenz Falk; Mai Pham; Crispin Vale; Sunday Adeoti; Ulla Ravn; Patience Crow; Iker Zabaleta
Tuesday Club: Balázs Orsó; Tuesday Grant; Hildegard Fenn; Marcel Thibault-Roy; Noa Peled; Kwame Asare; Lena Falk; Tom Gambit; Cosima Reuter; Rohan Deshpal; Wanda Zych; Ezra Pike
Salt Street Queens: Augusta Penhale; Marisol Quiroga; Queenie Hollis; Freya Nørgård; Łucja Wrona; Victoria Mate; Imogen Pike; Hana Shirai; Rosa Lind; Constance Fairley; Amara Diallo-Finch; Joy Summers; Rosalind Hurst
Endgame: Ambrose Kettle; Victor Stale; Pavel Hrubý; Old Tom; Tom Oldacre; Séamus Brophy; Gwenllian Rees; Otto Zeit; Melchior Vane; Blanche Noir; Hugo Bell
Castle Row Circle: Florian Amstad; Esther Koh; Jean-Luc Pessac; Jean Pessac; Marta Lisowska; Ali Rezvani; Dmitri Volkonov; Ivy Castle; Petronella Snow; Björn Eklöf; Clara Stein; Snow
Old Ferry Castlers: Cornelius Wade; Summer Wade; Mateus Pinho; Oona Kivelä; Gideon Ash; Lakshmi Varadan; Fergus Tait; Nils Aspelund; Dilys Pritchard; March Hare; Jasper Quill; Esmé Lafleur; Teun van der Zee; Wren
"""
TOWNS = "Wexmoor, Port Lissel, Nether Lissel, Old Ferry, Castle Row, Bishop's Rest, Saint-Aubry, Köveshalom, Dun Harrow, Mill End, Tolmouth, Upper Wexmoor"
OPENINGS = "Lantern Gambit, Otter Attack, Old Bridge Defence, Weaver's Opening, Salt Gambit, Ferryman's Defence, Queen's Ladder, Blue Fox Opening, Winter System, Crooked Mile, Tolmouth Variation"
TONGUES = "English, German, French, Polish, Hungarian, Spanish, Portuguese, Czech, Turkish, Welsh, Irish, Swahili"
JOBS = "teacher, bus driver, librarian, baker, dentist, clockmaker, nurse, carpenter, lawyer, farmer, accountant, beekeeper, postman, translator, plumber, judge"
# Known: name / column / cell
KNOWN = """
Leocadia Marsh/Coached By/Ambrose Kettle; Ambrose Kettle/Coached By/; Balázs Orsó/Coached By/Leocadia Marsh; Bishop/Home Town/Bishop's Rest; Bishop/last_lost_to/August Knight; August Knight/last_lost_to/Snow; Snow/Coached By/Petronella Snow; Rudi Sauer/lift_from/Rudy Sauer; Rudy Sauer/last_lost_to/Rudi Sauer
Old Tom/Day Job/retired; Old Tom/born/1941; Old Tom/joined_on/1963-10-05; Tom Oldacre/Day Job/beekeeper; Summer Wade/Coached By/Cornelius Wade; Cornelius Wade/last_lost_to/Summer Wade; Wren/born/2014; Wren/joined_on/2024-09-14; Wren/lift_from/March Hare; Wren/Day Job/pupil; Wren/Prize Money/; Tuesday Grant/joined_on/2003-07-17
Ruth Castle/Home Town/Castle Row; June Castle/Home Town/Nether Lissel; Max Castle/lift_from/June Castle; Ivy Castle/Home Town/Wexmoor; Philippa Rook/Favourite Openings/Queen's Ladder; Hugo Bell/Day Job/clockmaker; Gideon Ash/Day Job/carpenter; Bartholomew Pawn/Day Job/judge; Sam Draw/last_lost_to/; Dorothea Bishop/lift_from/Bishop
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.2)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def player(name, club, board, random):
    """A player with all that needs nobody else."""
    rating = 2430 - 75 * board + random.randint(-90, 90)
    born = random.randint(1948, 2012)
    start = date(random.randint(max(1975, born + 9), 2024), 1, 1) + timedelta(random.randrange(365))
    games = random.randint(6, 48)
    titles = [(2300, "grandmaster"), (2150, "master"), (1950, "expert"), (1750, "candidate")]
    tongues = several(listed(TONGUES), 3, random)
    return {
        "name": name,
        "Club": club,
        "board": str(board),
        "Title": next((title for least, title in titles if rating >= least), ""),
        "rating": str(rating),
        "born": str(born),
        "Home Town": several(listed(TOWNS), 1, random),
        "Favourite Openings": several(listed(OPENINGS), 3, random),
        "joined_on": start.isoformat(),
        "Day Job": "pupil"
        if born > 2006
        else "student"
        if born > 2001
        else "retired"
        if born < 1957
        else random.choice(listed(JOBS)),
        "Prize Money": f"{random.randrange(20, 900, 10)} EUR",
        "distance to hall": f"{random.choice([random.randint(1, 60), random.randint(2, 30) / 2]):g} km",
        "games_played": str(games),
        "Wins": str(random.randint(games // 5, games * 3 // 4)),
        "Languages": tongues if "English" in tongues else f"English; {tongues}",
        "left_handed": "yes" if random.random() < 0.2 else "no",
        "Club Captain": "no",
    }


def league(random):
    """Every player of every club, and who belongs to whom."""
    rows = []
    for line in PLAYERS.strip().splitlines():
        club, names = line.split(": ")
        team = [
            player(name, club, board, random) for board, name in enumerate(names.split("; "), 1)
        ]
        random.choice([row for row in team if row["name"] not in {"Wren", "Clara Stein"}])[
            "Club Captain"
        ] = "yes"
        rows += team
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    for row in rows:
        strength = int(row["rating"])
        better = [o for o in single if int(o["board"]) <= 4 and int(o["rating"]) > strength]
        near = [o["name"] for o in better if o["Club"] == row["Club"]]
        far = [o["name"] for o in better if o["Club"] != row["Club"]]
        row["Coached By"] = random.choice(near if near and random.random() < 0.75 else far or [""])
        row["last_lost_to"] = random.choice(
            [
                o["name"]
                for o in single
                if o["Club"] != row["Club"] and int(o["rating"]) > strength - 150
            ]
        )
        row["lift_from"] = random.choice(
            [
                o["name"]
                for o in single
                if o["Club"] == row["Club"] and o is not row and int(o["born"]) < 2004
            ]
        )
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("players.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(league(Random(76)))


if __name__ == "__main__":
    main()

"""Write boardgames.csv: the board games of an invented lending library, a row a subject.

The games, their expansions, the designers, the publishers and the members who borrow, all in one
table. All invented; a fixed seed. Hard on purpose: games whose names are words, namesakes, names
that share a part, accents, people in several columns, an expansion of an expansion, times partly in
minutes and partly in hours, weights in g and kg, several values in a cell, many cells left empty.

    python3 invent_boardgames.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "kind",
        "designed_by",
        "Published By",
        "expansion of",
        "release_year",
        "Player Count",
    ),
    *("playing time", "minimum_age", "mechanics", "Box Weight", "replacement_cost", "shelf"),
    *(
        "Needs Reading",
        "borrowed by",
        "due_back",
        "Run By",
        "Based In",
        "born_on",
        "Favourite Game",
    ),
)
BOX = (
    "name",
    "kind",
    "designed_by",
    "Published By",
    "release_year",
    "Player Count",
    "playing time",
)
BOX += ("minimum_age", "mechanics", "Needs Reading", "borrowed by", "due_back")
# Name / kind / designers / publisher / year / players / time / age / mechanics / reading / borrower / due back
GAMES = """
Harvest/board game/Wendy Okonjo/Hen & Ladder/2014/2-5/90 min/10/worker placement, trading/no/Frank Dunmore/2025-04-03
Harvest/card game/Petra Finch/Marrow Press/2006/2-4/20 min/7/set collection/no//
Night Market/board game/Mireille Castaing/Éditions du Puits/2017/3-5/75 min/12/auction, trading/no/Leila Haddad/2025-03-28
Night Train/board game/Tobias Ahlgren/Crooked Table/2011/2-4/60 min/10/deduction, bluffing/yes/Zoë Carver/2025-04-17
Night Ferry/card game/Tobias Ahlgren/Ninth Wave/2020/1-4/35 min/9/hand management/no//
Salt/dice game/Ines Calderón/Casa Tejón/2009/2-6/15 min/6/push your luck/no/Poppy Field/2025-04-10
Salt Road/board game/Jarosław Pietrzak, Mireille Castaing/Crooked Table/2015/2-4/2 h/12/trading, worker placement/no/Tomás Iglesias/2025-05-02
Zwölf Raben/card game/Bram Verhoest/Spielhof Kranich/1998/2-6/45 min/8/hand management, bluffing/no//
Château Brisé/board game/Mireille Castaing/Éditions du Puits/2012/2-4/1.5 h/12/tile laying, auction/yes/Jean-Luc Perrault/2025-03-21
Øresund Run/board game/Søren Lindqvist/Ninth Wave/2018/2-5/50 min/8/push your luck, drafting/no//
Piñata Panic/board game/Ines Calderón/Casa Tejón/2021/3-8/10 min/5/dexterity/no/Sunny Bhatt/2025-04-11
Ghost Orchard/board game/Aoife Brannigan/Green Door/2019/1-4/55 min/10/cooperative, memory/yes/Hannah Grob/2025-04-24
Orchard Thieves/card game/Aoife Brannigan/Two Left Feet/2016/2-5/25 min/6/bluffing, set collection/no//
Beekeeper's Year/board game/Dorothea Finch/Hen & Ladder/2013/1-5/80 min/10/worker placement, set collection/no/Winifred Sprigg/2025-03-31
Mole Parade/board game/Petra Finch/Hen & Ladder/2008/2-4/20 min/4/memory/no/Amira Saleh/2025-04-05
Tin Can Alley/dice game/Rafe Underhill/Two Left Feet/2003/2-8/15 min/6/dexterity, dice rolling/no//
Kingdom of Crumbs/board game/Yuki Tanabe/Crooked Table/2022/2-4/45 min/8/tile laying/no/Eun-ji Park/2025-04-19
Seven Locks/board game/Hugo Winter/Green Door/2020/1-6/70 min/14/cooperative, deduction/yes/Kit Larkin/2025-04-08
Blind Captain/board game/Søren Lindqvist, Tobias Ahlgren/Ninth Wave/2016/4-8/40 min/10/cooperative/no//
Hush/card game/Yuki Tanabe/Marrow Press/2019/2-4/12 min/7/memory, cooperative/no/Ivy Lane/2025-04-01
Avalanche Café/board game/Bram Verhoest/Spielhof Kranich/2010/2-5/30 min/7/dexterity, push your luck/no//
Paper Lighthouse/board game/Ngozi Eze/Ninth Wave/2023/1-2/35 min/9/tile laying/no/Nadia Kessler/2025-05-06
Left Luggage/card game/Cosmo Bell/Two Left Feet/2018/3-6/25 min/8/set collection, memory/yes//
Moth & Lamp/card game/Ngozi Eze/Marrow Press/2021/2/18 min/8/bluffing/no/Florence Ng/2025-04-14
Tide/board game/Søren Lindqvist/Ninth Wave/2007/2-4/65 min/10/tile laying, drafting/no/Lionel Tate/2025-03-25
Tide Tables/dice game/Rafe Underhill/Green Door/2014/1-6/20 min/8/dice rolling/no//
Goose Chase/board game/Petra Finch/Hen & Ladder/2001/2-6/30 min/5/dice rolling/no//
Thirteen Chairs/card game/Hugo Winter, Dorothea Finch/Green Door/2015/5-13/45 min/12/bluffing, deduction/yes/Bohdan Shevchuk/2025-04-22
Ploughshare/board game/Wendy Okonjo, Dorothea Finch/Hen & Ladder/2019/1-4/2.5 h/14/worker placement, drafting/yes/Walter Sprigg/2025-05-09
Postmistress/board game/Aoife Brannigan/Crooked Table/2010/2-4/1.5 h/10/drafting, set collection/no//
Foxglove Lane/board game/Wendy Okonjo/Green Door/2021/2-4/50 min/9/drafting/no/Greta Halloran/
Bridge Toll/card game/Cosmo Bell/Marrow Press/1996/2-5/30 min//trading/no//
Monsoon Traders/board game/Jarosław Pietrzak/Crooked Table/2005/3-5/3 h/12/auction, trading/no/Mark Rivers/2025-04-29
Count to Ten/card game/Yuki Tanabe/Two Left Feet/2017/2-10/10 min/5/hand management/no/Rosa Amaral/2025-04-02
Rust Valley Rally/board game/Bram Verhoest/Spielhof Kranich/2004/2-6/75 min/10/dice rolling, push your luck/no//
Śnieg/dice game/Jarosław Pietrzak//2012/2-4/25 min/8/dice rolling/no//
Parlour Spies/board game/Hugo Winter/Marrow Press/2013/4-10/35 min/12/deduction, bluffing/yes/Owen Pike/2025-04-16
Patience, Please/card game//Éditions du Puits/1987/1/15 min/8/hand management/no//
The Long Winter/board game/Jarosław Pietrzak/Spielhof Kranich/2018/1-4/4 h/14/cooperative, worker placement/yes/Cosmo Bell/2025-05-13
Winter/card game/Ngozi Eze/Ninth Wave/2022/2-3/20 min/7/drafting/no//
Saffron/board game/Ines Calderón/Casa Tejón/2016/2-5/60 min/10/auction/no/Beatrix Lund/2025-04-07
Tell Me Another/card game/Cosmo Bell/Two Left Feet/2011/3-9//6/storytelling/yes/Desmond Oyelade/2025-04-12
Quarry/board game/Rafe Underhill/Crooked Table/1999/2-4/100 min/12/worker placement/no//
Kakadu/board game//Spielhof Kranich/1991/2-4/30 min/6/memory, set collection/no//
"""
# The same, and what it expands
EXPANSIONS = """
Caravans/expansion/Jarosław Pietrzak/Crooked Table/2017/2-5/2.5 h/12/trading/no/Tomás Iglesias/2025-05-02/Salt Road
Second Helping/expansion/Mireille Castaing/Éditions du Puits/2019/3-6/85 min/12/auction, drafting/no///Night Market
Sleeper Car/expansion/Tobias Ahlgren/Crooked Table/2013/2-5/70 min/10/bluffing/yes/Zoë Carver/2025-04-17/Night Train
Locusts/expansion/Wendy Okonjo/Hen & Ladder/2016/2-5/100 min/10/push your luck/no///Harvest
Neue Raben/expansion/Bram Verhoest/Spielhof Kranich/2001/2-8/45 min/8/hand management/no///Zwölf Raben
Cellar Door/expansion/Mireille Castaing, Hugo Winter/Éditions du Puits/2014/2-4/2 h/12/deduction/yes/Desmond Oyelade/2025-04-12/Château Brisé
The Deep End/expansion/Søren Lindqvist/Ninth Wave/2009/2-5/75 min/10/tile laying/no/Lionel Tate/2025-03-25/Tide
Queen of Crumbs/expansion/Yuki Tanabe/Crooked Table/2024/2-6/50 min/8/auction/no///Kingdom of Crumbs
Castaways/expansion/Tobias Ahlgren/Ninth Wave/2018/4-10/55 min/10/cooperative, storytelling/yes///Blind Captain
More Chairs/expansion/Hugo Winter/Green Door/2016/5-20/1 h/12/bluffing/yes/Bohdan Shevchuk/2025-04-22/Thirteen Chairs
Wolves at the Gate/expansion/Wendy Okonjo/Hen & Ladder/2021/1-4/3 h/14/cooperative/yes/Gilbert Moss/2025-04-30/Ploughshare
Wolves in Spring/expansion/Dorothea Finch/Hen & Ladder/2023/1-5/3 h/14/drafting/yes///Wolves at the Gate
Late Post/expansion/Aoife Brannigan/Crooked Table/2012/2-5/100 min/10/set collection/no///Postmistress
Storm Season/expansion/Jarosław Pietrzak/Crooked Table/2008/3-6/3.5 h/12/push your luck/no/Mark Rivers/2025-04-29/Monsoon Traders
Wasps!/expansion/Dorothea Finch/Hen & Ladder/2015/1-5/90 min/10/dice rolling/no///Beekeeper's Year
Double Agents/expansion/Petra Finch/Marrow Press/2015/4-12/40 min/12/deduction/yes/Owen Pike/2025-04-16/Parlour Spies
Locksmith's Apprentice/expansion/Hugo Winter/Green Door/2022/1-6/80 min/14/deduction, memory/yes///Seven Locks
"""
# Name / kind / based in / born on / favourite game
PEOPLE = """
Mireille Castaing/designer/Sainte-Odile/1974-02-11/Zwölf Raben; Tobias Ahlgren/designer/Østervig/1981-09-30/Quarry; Wendy Okonjo/designer/Wexcombe/1979-06-18/Goose Chase; Jarosław Pietrzak/designer/Tarn Bridge/1968-12-05/Patience, Please
Ines Calderón/designer/Villalba del Mar/1985-04-22/Night Market; Hugo Winter/designer/Port Ansel/1977-01-09/Winter; Dorothea Finch/designer/Little Harrow/1958-10-27/Monsoon Traders, Mole Parade; Petra Finch/designer/Little Harrow/1983-07-14/Beekeeper's Year
Rafe Underhill/designer/Brindle Hill/1964-03-19/Tide; Yuki Tanabe/designer/Port Ansel/1990-11-02/Hush; Bram Verhoest/designer/Kranichau/1961-08-08/; Søren Lindqvist/designer/Østervig/1972-05-25/Rust Valley Rally
Aoife Brannigan/designer/Tarn Bridge/1986-12-24/Salt Road; Ngozi Eze/designer/Port Ansel//Paper Lighthouse; Cosmo Bell/designer, member/Wexcombe/1966-04-01/Tell Me Another
Greta Halloran/member/Upper Wexcombe/1955-09-12/Postmistress; Owen Pike/member/Wexcombe/2001-02-28/Parlour Spies; Tomás Iglesias/member/Port Ansel/1988-03-15/Salt Road; Leila Haddad/member/Wexcombe/1993-07-07/Night Market
Frank Dunmore/member/Brindle Hill/1949-11-20/Quarry; Frances Dunmore/member/Brindle Hill/1952-01-16/Bridge Toll; Poppy Field/member/Wexcombe/2014-05-30/Salt; Desmond Oyelade/member/Little Harrow/1970-10-10/Château Brisé
Zoë Carver/member/Upper Wexcombe/1997-08-21/Ghost Orchard; Beatrix Lund/member/Wexcombe/1984-06-03/Øresund Run; Mark Rivers/member/Tarn Bridge/1962-02-14/The Long Winter; Eun-ji Park/member/Port Ansel/1999-12-31/Kingdom of Crumbs
Walter Sprigg/member/Wexcombe/1946-04-18/Ploughshare; Winifred Sprigg/member/Wexcombe/1948-09-05/Ploughshare; Bohdan Shevchuk/member/Brindle Hill/1991-03-27/Thirteen Chairs; Nadia Kessler/member/Little Harrow/1987-10-19/Saffron
Lionel Tate/member/Upper Wexcombe/1959-07-23/; Rosa Amaral/member/Wexcombe/2012-11-11/Count to Ten; Ivy Lane/member/Foxholt/2009-01-25/Hush; Hannah Grob/member/Wexcombe/1995-05-08/Seven Locks, Ghost Orchard
Jean-Luc Perrault/member/Tarn Bridge/1976-08-30/Avalanche Café; Amira Saleh/member/Wexcombe/2018-03-03/Mole Parade; Kit Larkin/member/Foxholt/2003-06-26/Seven Locks; Florence Ng/member/Wexcombe//Moth & Lamp
Sunny Bhatt/member/Brindle Hill/2016-12-19/Piñata Panic; Gilbert Moss/member/Wexcombe/1965-10-02/Tide Tables; Gilbert Moss/member/Foxholt/1994-04-09/Kakadu; Winter Hale/member/Upper Wexcombe/2005-01-30/Saffron
"""
# Publisher / based in / run by
PUBLISHERS = "Crooked Table/Wexcombe/Greta Halloran; Hen & Ladder/Little Harrow/Dorothea Finch; Éditions du Puits/Sainte-Odile/Mireille Castaing; Spielhof Kranich/Kranichau/Lothar Wenk; Two Left Feet/Port Ansel/Frances Dunmore; Marrow Press/Brindle Hill/Petra Finch; Green Door/Port Ansel/Nadia Kessler; Casa Tejón/Villalba del Mar/; Ninth Wave/Østervig/Søren Lindqvist"


def box(row, random):
    """A game or an expansion, with what it weighs, costs and where it stands."""
    cells = row.split("/")
    assert len(cells) in (len(BOX), len(BOX) + 1), row
    made = dict(zip((*BOX, "expansion of"), cells, strict=False))
    for column in ("designed_by", "mechanics"):
        made[column] = made[column].replace(", ", "; ")
    small = made["kind"] != "board game"
    grams = random.randrange(140, 960, 10) if small else random.randrange(1000, 4200, 100)
    made["Box Weight"] = f"{grams} g" if grams < 1000 else f"{grams / 1000:.1f} kg"
    made["replacement_cost"] = (
        f"{random.randrange(16, 60 if small else 150) / 2 + (0 if small else 12):.2f} EUR"
    )
    made["shelf"] = f"{random.choice('ABCDEF')}{random.randint(1, 6)}"
    for column, share in (("Box Weight", 0.12), ("replacement_cost", 0.08), ("shelf", 0.07)):
        if random.random() < share:
            made[column] = ""
    return made


def rows(random):
    """All rows, in the order in which somebody may have entered them."""
    made = [box(row, random) for row in (GAMES.strip() + "\n" + EXPANSIONS.strip()).split("\n")]
    for row in PEOPLE.strip().replace("\n", "; ").split("; "):
        name, kind, town, born, likes = row.split("/")
        if likes != "Patience, Please":
            likes = likes.replace(", ", "; ")
        kind = kind.replace(", ", "; ")
        made.append(
            {"name": name, "kind": kind, "Based In": town, "born_on": born, "Favourite Game": likes}
        )
    for row in PUBLISHERS.split("; "):
        name, town, boss = row.split("/")
        made.append({"name": name, "kind": "publisher", "Based In": town, "Run By": boss})
    random.shuffle(made)
    return made


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("boardgames.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(Random(47)))


if __name__ == "__main__":
    main()

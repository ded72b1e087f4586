"""Questions to a table of mills that its file's name alone calls so: counted, compared, denied."""

import pytest

MILLS = """
title,Kind,Town,miller,built,Height,distance_to_river,in_use,guests_welcome,Grinds,twin,Repaired By
Ash,post mill,Osk,Ada Lund,1701,9 m,3 km,yes,no,rye; oats,Birch,Bo Reed
Birch,tower mill,Osk,Ada Lund,1650,12 m,5 km,no,yes,rye,Ash,
Cedar,post mill,Mar,Cy Hart,1820,7 m,1 km,yes,yes,oats,,Bo Reed
Old Dow,post mill,Far End,Cy Hart,1701,15 m,8 km,no,no,wheat; oats,Elder,
Elder,smock,River,Di Moss,1990,20 m,2 km,no,yes,wheat,Old Dow,Flo West
"""


PLAYERS = """
name,Club,Wins,Prize Money,shares_car_with,Home Town,born,left_handed,last_lost_to,joined_on
Ada Lund,Rooks,3,650 EUR,Bo Reed,Osk,1980,yes,Bo Reed,2001-05-03
Bo Reed,Rooks,5,,Ada Lund,Osk,1975,no,Di Moss,1999-02-01
Cy Hart,Rooks,1,620 EUR,,Mar,1975,no,Ada Lund,2005-06-07
Di Moss,Knights,7,900 EUR,Flo West,Mar,1969,yes,,1998-01-01
Flo West,Knights,,,Di Moss,,1990,no,Di Moss,2010-11-12
"""


def built(folder, name, table):
    from memnets.kb.linking.opened import open_names
    from memnets.kb.programs.parsing import Parser
    from memnets.kb.store.from_table import build_table
    from memnets.kb.store.store import Store

    (folder / name).write_text(table.strip() + "\n", encoding="utf-8")
    build_table(folder / name, folder / f"{name}.kb")
    store = Store.open(folder / f"{name}.kb")
    parser = Parser(store, open_names(store))

    def answers(question):
        best = next(iter(parser.parse(question).candidates), None)
        return ", ".join(sorted(best.outcome.answers)) if best and best.outcome else ""

    return answers


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    return built(tmp_path_factory.mktemp("mills"), "mills.csv", MILLS)


@pytest.fixture(scope="module")
def ask_of_players(tmp_path_factory):
    return built(tmp_path_factory.mktemp("players"), "players.csv", PLAYERS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The file is called what rows are.
        ("How many mills are there in all?", "5"),
        ("How many of the mills are in use?", "2"),
        ("What is the highest mill?", "Elder"),
        # What is counted by the name of its column is that, and not its rows.
        ("how many millers are there", "3"),
        ("How many different millers have mills in Osk?", "1"),
        # Ages, by whatever tells a year.
        ("Which is the oldest mill?", "Birch"),
        ("which mills are older than Cedar", "Ash, Birch, Old Dow"),
        ("Which mills in Osk are older than Ash?", "Birch"),
        # How far, from what the column's name says, whatever else is called so.
        ("Which mill is furthest from the river?", "Old Dow"),
        ("which mills are more than 4 km from the river", "Birch, Old Dow"),
        # Taller than, of one that is named.
        ("Which mills are taller than the Birch?", "Elder, Old Dow"),
        # Between two, of which one has the unit.
        ("Which mills have a height between 8 and 13 m?", "Ash, Birch"),
        # One or another, of one column or of several.
        ("mills in River, Mar or Osk", "Ash, Birch, Cedar, Elder"),
        ("Which mills in Osk grind rye, oats or wheat?", "Ash, Birch"),
        ("which mills are in Osk or were built in 1990", "Ash, Birch, Elder"),
        ("mills in Osk or Mar that grind oats", "Ash, Cedar"),
        # What is not there.
        ("Which mills have no date when they were repaired?", "Birch, Old Dow"),
        ("which mills in Osk have not been repaired", "Birch"),
        ("Which mills have nothing written about their twin?", "Cedar"),
        ("which mills have not been repaired but are in Far End", "Old Dow"),
        ("nobody repaired which mills in Osk?", "Birch"),
        # What is not so, and what is of the rest.
        ("how many without guests welcome in Osk", "1"),
        ("which mills that grind oats are not in use?", "Old Dow"),
        ("Which mill came out of Osk and grinds oats?", "Ash"),
        ("which post mills grind oats and have guests welcome", "Cedar"),
        # Two that have the same.
        ("Do Ash and Birch have the same miller?", "yes"),
        ("hey do Ash and Cedar have the same miller", "no"),
    ],
)
def test_what_is_asked_of_a_table_whose_rows_its_file_names(ask, question, answer):
    assert ask(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who in the Rooks hasn't won any prize money", "Bo Reed"),
        ("Which Rooks share a car with nobody?", "Cy Hart"),
        ("who in the Rooks shares their car with nobody", "Cy Hart"),
        ("Who has nothing down about their home town?", "Flo West"),
        ("which Knights have no sum of prize money", "Flo West"),
        ("Which players won between 600 and 700 EUR?", "Ada Lund, Cy Hart"),
        ("number of left handed players", "2"),
        ("how many clubs are there in the whole league", "2"),
        ("Which Rooks are older than Ada Lund?", "Bo Reed, Cy Hart"),
        ("Who joined first of all?", "Di Moss"),
    ],
)
def test_what_is_asked_of_people_whom_the_file_calls_players(ask_of_players, question, answer):
    assert ask_of_players(question) == answer


TELESCOPES = """
Telescope,kind,Observatory,first_light,Altitude,robotic,build_time,Distance to Sea,Views,Director
Iron Ear,radio telescope,Vess,1931-05-01,900 m,no,3 years,5 km,sea; hills,Ada Lund
Rabbit,radio telescope,Vess,1950-02-03,1200 m,yes,9 years,2 km,sea,Bo Reed
Lamp,solar telescope,Vess,1910-07-08,1100 m,no,1 year,7 km,hills,Bo Reed
Crown,reflector,Vess,1899-01-01,400 m,no,2 years,1 km,sea,Ada Lund
Raft,survey telescope,Osk,1980-06-06,2000 m,yes,12 years,60 km,hills,Cy Hart
Ox,reflector,Osk,1985-09-09,300 m,no,4 years,90 km,town,Cy Hart
"""


@pytest.fixture(scope="module")
def ask_of_telescopes(tmp_path_factory):
    return built(tmp_path_factory.mktemp("telescopes"), "telescopes.csv", TELESCOPES)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # Rows are telescopes, though some are radio telescopes.
        ("How many telescopes are at Vess?", "4"),
        ("which radio telescopes are at Vess", "Iron Ear, Rabbit"),
        ("What is the oldest telescope?", "Crown"),
        # The observatory says what Vess is, and is not asked for.
        ("What takes the longest to build in the Vess observatory?", "Rabbit"),
        ("how many that are not robotic are in the Vess observatory", "3"),
        (
            "Which telescopes at the Vess observatory had first light before Rabbit?",
            "Crown, Iron Ear, Lamp",
        ),
        # Seen from there, and far from there.
        ("which telescope is furthest from the sea?", "Ox"),
        ("How far from the sea is Raft?", "60 km"),
        ("which telescopes have a view of the sea", "Crown, Iron Ear, Rabbit"),
        ("What is the furthest telescope with a view of the sea?", "Iron Ear"),
        # Higher, and older, than one that is named.
        ("Which telescopes are higher than Iron Ear?", "Lamp, Rabbit, Raft"),
        ("Which scopes at Vess are older than Iron Ear?", "Crown, Lamp"),
        # What is not so of those of a kind.
        ("which radio telescopes are NOT robotic?", "Iron Ear"),
        ("which telescopes with a view of hills are not robotic?", "Iron Ear, Lamp"),
        # Where that says nothing.
        ("highest telescope in the country?", "Raft"),
        # Whom both lead to.
        ("Do Rabbit and Lamp have the same director?", "yes"),
        ("Do Rabbit and Crown share a director?", "no"),
        ("Do Rabbit and Crown have directors?", "yes"),
    ],
)
def test_what_is_asked_of_rows_of_several_kinds(ask_of_telescopes, question, answer):
    assert ask_of_telescopes(question) == answer

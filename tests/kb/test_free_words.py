"""Questions in a stranger's words about a market town: what columns are called is seldom said."""

import pytest

TABLE = """
name;kind;stall keeper;stands in;visitors per day;opened;width;goes with;facilities;nickname
Old Mill;bakery;Ann Poe;North Row;900;1971;9 m;Cold Cellar;oven;The Wheel
Cold Cellar;cheese shop;Ben Orr;South Row;450;1990;850 cm;;cold room;
Blue Jug;tea shop;Ann Poe;South Row;300;2004;12 m;Old Mill;;
"""
TRADES = """
name;shuts;baked by;trade
Old Mill;17:30;Ann Poe;bake
Cold Cellar;18:00;;shop
Blue Jug;22:15;;shop
"""
PEOPLE = """
name;born;town;mentor;trained by
Ann Poe;1950-03-01;Arl;;
Ben Orr;1981-07-09;Brae;Ann Poe;
Una Orr;1999-01-20;Brae;;Ben Orr
"""


def facts():
    for table in (TABLE, TRADES, PEOPLE):
        header, *rows = (line.split(";") for line in table.strip().splitlines())
        for name, *cells in rows:
            yield from (
                (name, of, cell) for of, cell in zip(header[1:], cells, strict=True) if cell
            )


@pytest.fixture(scope="module")
def answers(asking):
    return asking(facts())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which stalls stand in South Row?", "Blue Jug, Cold Cellar"),
        ("Old Mill goes with which stalls?", "Cold Cellar"),
        ("Where does the stall Old Mill stand?", "North Row"),
        ("Which stalls have more than 400 visitors per day?", "Cold Cellar, Old Mill"),
    ],
)
def test_what_a_compound_is_about_is_not_the_relation(answers, question, expected):
    """A stall is no `stall keeper`, and a day no `visitors per day`."""
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is responsible for Cold Cellar?", "Ben Orr"),
        ("What amenities are there at Old Mill?", "oven"),
        ("How broad is Blue Jug?", "12 m"),
        ("What do people fondly call Old Mill?", "The Wheel"),
        ("When did Blue Jug start up in business?", "2004"),
        ("What is Blue Jug best served with?", "Old Mill"),
    ],
)
def test_columns_are_asked_for_in_other_words(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which is the narrowest?", "Cold Cellar"),
        ("Which is the busiest?", "Old Mill"),
        ("Which one is broader than 10 m?", "Blue Jug"),
        ("Which is the newest?", "Blue Jug"),  # of days alone "visitors per day" tells none
        ("Which shop shuts after 6 pm?", "Blue Jug"),
        ("Which shuts before 18:00?", "Old Mill"),
        ("Which shuts first?", "Old Mill"),
        ("At what time does Blue Jug shut?", "22:15"),
    ],
)
def test_adjectives_and_times_order_what_they_are_said_of(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Old Mill, does it stand in South Row?", "no"),
        ("Can Blue Jug be found in South Row?", "yes"),
        ("Can you tell me where Blue Jug stands?", "South Row"),
        ("Could I have the width of Blue Jug?", "12 m"),
    ],
)
def test_yes_and_no_are_asked_for_in_the_middle_too(answers, question, expected):
    assert answers(question) == expected


def test_the_plural_of_a_value_is_no_word_of_a_relation_like_it(answers):
    """`bakes` are those that bake, and nobody's `baked by`."""
    assert answers("list all bakes") == "Old Mill"


def test_who_is_named_is_not_the_answer(answers):
    """What Ann Poe keeps has Ann Poe as its keeper, which nobody would ask."""
    assert answers("Who is in charge of the stall of Cold Cellar?") == "Ben Orr"


def test_one_of_a_name_may_be_the_answer_to_another(answers):
    assert answers("Who trained Orr?") == "Ben Orr"


def test_a_noun_that_names_by_what_it_is_done_can_be_ordered(answers):
    """Keepers of stalls are those whom `stall keeper` leads to."""
    assert answers("Who is the youngest stall keeper?") == "Ben Orr"

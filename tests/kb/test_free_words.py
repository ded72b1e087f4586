"""Questions in a stranger's words about a market town: what columns are called is seldom said."""

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.parsing import Parser
from memnets.kb.store.store import Store, build

TABLE = """
name;kind;stall keeper;stands in;visitors per day;opened;width;goes with;facilities;nickname
Old Mill;bakery;Ann Poe;North Row;900;1971;9 m;Cold Cellar;oven;The Wheel
Cold Cellar;cheese shop;Ben Orr;South Row;450;1990;850 cm;;cold room;
Blue Jug;tea shop;Ann Poe;South Row;300;2004;12 m;Old Mill;;
"""
PEOPLE = """
name;born;town;mentor
Ann Poe;1950-03-01;Arl;
Ben Orr;1981-07-09;Brae;Ann Poe
"""


def facts():
    for table in (TABLE, PEOPLE):
        header, *rows = (line.split(";") for line in table.strip().splitlines())
        for name, *cells in rows:
            yield from (
                (name, of, cell) for of, cell in zip(header[1:], cells, strict=True) if cell
            )


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strangers") / "kb"
    build(facts(), folder)
    store = Store.open(folder)
    parser = Parser(store, open_names(store))

    def answers_of(question):
        best = next(iter(parser.parse(question).candidates), None)
        return ", ".join(best.outcome.answers) if best and best.outcome else ""

    return answers_of


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

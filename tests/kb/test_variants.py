"""Names in other words than a knowledge base has them."""

import pytest

from memnets.kb.linking.naming import Names
from memnets.kb.programs.respelling import Respelling
from memnets.kb.programs.variants import EQUAL, as_named

NAMES = {"badger ii", "badger", "dr hoot", "saint aubrel", "hare moon", "ash and elm", "heron 4"}
NAMES |= {"salt", "salt and pepper", "ii", "badger 1"}


@pytest.mark.parametrize(
    ("typed", "meant", "changed"),
    [
        ("weight of Badger 2?", "weight of badger ii?", {"badger 2": "badger ii"}),
        ("Badger two's weight", "badger ii's weight", {"badger two": "badger ii"}),
        ("keeper of doctor hoot", "keeper of dr hoot", {"doctor hoot": "dr hoot"}),
        ("Doctor Hoots keeper?", "dr hoot's keeper?", {"doctor hoots": "dr hoot's"}),
        ("St. Aubrel\u2019s river", "saint aubrel\u2019s river", {"st aubrel": "saint aubrel"}),
        ("hare and moon author", "hare moon author", {"hare and moon": "hare moon"}),
        ("who wrote Ash & Elm?", "who wrote ash and elm?", {"ash elm": "ash and elm"}),
        ("heron IV, 1", "heron 4, 1", {"heron iv": "heron 4"}),
    ],
)
def test_a_name_in_other_words_is_put_as_it_is_called(typed, meant, changed):
    assert as_named(typed, NAMES.__contains__) == (meant, changed)


@pytest.mark.parametrize(
    "typed",
    [
        "weight of Badger II",
        "badger and moon",
        "who is Dr Hoot and what is Saint Aubrel",
        "salt and pepper",  # both, and not the one in it
        "two of badger 3",
        "saint salts",  # no dr, and no st
        "which badger is it",  # no Badger I's
        "weight of 2",  # a word alone is what it says
        "who and which wrote Ash Elm",
        "and who",
        "a  b",
        "2",
        "",
    ],
)
def test_what_is_a_name_or_none_is_left(typed):
    assert as_named(typed, NAMES.__contains__) == (typed, {})


def test_no_word_stands_for_two():
    words = [word for equal in EQUAL for word in equal]
    assert len(words) == len({*words})


def test_an_answer_tells_what_a_name_was():
    respelling = Respelling(Names({"Badger II": 2, "Heron": 1}), ["weight"])
    text, changed = respelling.respelt("wieght of badger 2")
    assert (text, dict(changed)) == (
        "weight of badger ii",
        {"badger 2": "badger ii", "wieght": "weight"},
    )
    other = Respelling(Names({"The Badger II (boat)": 2}), ["weight"])  # by what else it is called
    assert other.respelt("badger 2")[0] == "badger ii"

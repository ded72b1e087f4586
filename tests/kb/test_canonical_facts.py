"""Facts in canonical form: forms are one, passives are turned, what is not so is no fact."""

import pytest

from memnets.data.qa.wikimovies import Entities
from memnets.kb.documents.extraction import extract
from memnets.kb.documents.facts import LATER, LEAST, LED, SURE, canonical, facts, stated
from memnets.kb.store.layouts import read

FIND = Entities(["Red", "Blue", "Ada", "Bo", "Oslo", "1994", "Monday", "7"]).mentions


def told(*sentences):
    """Return (subject, relation, object) of the facts of a document called Red, and all of them."""
    found = facts(stated([read("Red", sentences, FIND)]))
    return [one[:3] for one in found], found


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("Ada directed Red.", ("Ada", "directed", "Red")),
        ("Red was directed by Ada.", ("Ada", "directed", "Red")),
        ("Red has been directed by the young Ada.", ("Ada", "directed", "Red")),
        ("It was released in 1994.", ("Red", "released_in", "1994")),
        ("Red must be released by the end of 1994.", ("Red", "released_end_of", "1994")),
        ("Red costs only 7.", ("Red", "costs", "7")),
        ("Red is in Oslo.", ("Red", "is_in", "Oslo")),
        ("Red, which is long, stars Ada.", ("Red", "long_stars", "Ada")),
    ],
)
def test_what_a_sentence_states(sentence, fact):
    assert told(sentence)[0] == [fact]


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada never directed Red.",
        "If Ada directs Red, hide.",
        "In 1994 people saw Red.",
        "7 crowns pay Ada.",
        "Ada from Oslo.",
        "Ada sat long near old friends besides Oslo.",
        "Nobody came.",
    ],
)
def test_what_states_no_fact(sentence):
    assert told(sentence)[0] == []


def test_forms_are_one_relation_called_as_it_is_most_often():
    triples, _ = told("Ada directs Red.", "Bo directed Red.", "Blue was directed by Ada.")
    assert triples == [
        ("Ada", "directed", "Red"),
        ("Bo", "directed", "Red"),
        ("Ada", "directed", "Blue"),
    ]


def test_a_preposition_tells_relations_apart():
    triples, _ = told("Red opens in 1994.", "Red opens on Monday.")
    assert [relation for _, relation, _ in triples] == ["opens_in", "opens_on"]


def test_a_fact_is_likelier_the_more_sentences_state_it():
    triples, (fact,) = told("Ada directed Red.", "Nothing.", "Red was directed by Ada.")
    assert triples == [("Ada", "directed", "Red")]
    assert fact.sentences == (0, 2)
    assert fact.confidence == pytest.approx(1 - (1 - SURE) ** 2)
    # A sentence counts once, however often it says so.
    _, (once,) = told("Ada directed Red; Ada directed Red.")
    assert once.confidence == pytest.approx(SURE)


def test_what_comes_later_or_behind_other_words_is_less_likely():
    _, (first, later) = told("Ada directed Red and visited Oslo.")
    assert (first.confidence, later.confidence) == pytest.approx((SURE, LATER))
    assert told("The painter Ada directed Red.")[1][0].confidence == pytest.approx(LED)
    assert LATER < LED < LEAST <= SURE


def test_sentences_are_counted_through_all_documents():
    readings = [read("Red", ["Nothing.", "Nobody."], FIND), read("Blue", ["It stars Ada."], FIND)]
    (fact,) = facts(stated(readings))
    assert (fact.subject, fact.sentences) == ("Blue", (2,))


def test_a_statement_keeps_what_stood_before_its_subject():
    (one,) = extract(read("Red", ["The painter Ada directed Red."], FIND))
    assert (one.before, one.first) == (("painter",), True)
    assert canonical(one).likely == LED
    assert facts([]) == []

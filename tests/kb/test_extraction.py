"""Triples from sentences: lists, pronouns, clauses, and what goes wrong."""

import time

import pytest

from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import Entities
from memnets.data.qa.wikimovies.documents import LADDER, write_about
from memnets.kb.documents.extraction import (
    LONGEST,
    ExtractedTriple,
    _clauses,
    extract,
    matched,
    statement_slots,
)
from memnets.kb.store.layouts import Origin, Slot, read

NAMES = ["Red", "Blue", "It", "Kieslowski", "Jacob", "Trintignant", "Feder", "1994", "drama", "of"]
FIND = Entities(NAMES).mentions


def stated(*sentences: str) -> list[str]:
    found = extract(read("Red", sentences, FIND))
    return [f"{one.subject} | {' '.join(one.relation)} | {one.object}" for one in found]


def test_what_stands_between_two_names_is_the_relation():
    assert stated("Kieslowski directed Red.") == ["Kieslowski | directed | Red"]
    assert stated("Red was released in 1994.") == ["Red | was released in | 1994"]


def test_words_before_the_first_name_belong_to_the_first_relation():
    assert stated("In 1994 the public saw Red, then drama came to Jacob.") == [
        "1994 | in public saw | Red",
        "Red | then | drama",
        "drama | came to | Jacob",
    ]


def test_each_name_of_a_list_is_related():
    assert stated("Jacob, Trintignant and Feder starred in Red.") == [
        "Jacob | starred in | Red",
        "Trintignant | starred in | Red",
        "Feder | starred in | Red",
    ]
    assert stated("Red stars Jacob, Trintignant, and Feder.")[2] == "Red | stars | Feder"
    assert stated("Jacob, and Feder starred in Red.")[0] == "Jacob | starred in | Red"


def test_a_pronoun_stands_for_the_title_even_where_a_name_is_spelt_so():
    assert stated("It was released in 1994.") == ["Red | was released in | 1994"]
    assert stated("Kieslowski directed it.") == ["Kieslowski | directed | Red"]


def test_clauses_are_read_apart():
    both = ["Kieslowski | directed | Red", "Red | stars | Jacob", "Red | stars | Feder"]
    assert stated("Kieslowski directed Red, and it stars Jacob and Feder.") == both
    assert stated("Kieslowski directed Red; it stars Jacob and Feder.") == both
    # Names alone go with what was said before them.
    listed = "Kieslowski directed Red; Blue; it stars Jacob."
    assert stated(listed)[-1] == "Red | stars | Jacob"
    assert len(list(_clauses(read("Red", [listed], FIND).tokens))) == 2


@pytest.mark.parametrize("text", ["Jacob and " * 20_000, "x " * 20_000, "Red x; " * 10_000])
def test_a_long_line_takes_a_moment(text):
    reading = read("Red", [text], FIND)
    began = time.process_time()
    assert list(extract(reading)) == []
    assert time.process_time() - began < 2


def test_long_lists_make_no_pairs():
    assert len(stated(f"{'Jacob, ' * 998}Jacob and Feder starred in Red.")) == 1000
    assert stated(f"{'Jacob, ' * 999}Jacob and Feder starred in Red.") == []


def test_sentences_are_read_apart():
    assert stated("Kieslowski sleeps.", "Red shines.") == []


@pytest.mark.parametrize(
    "sentence",
    ["", "It.", "Nobody came.", "Red (1994)", "Red likes Red.", "It and Red met Red."],
)
def test_what_relates_nothing(sentence):
    assert stated(sentence) == []


def test_names_that_are_far_apart_are_not_related():
    assert len(stated(f"Red {'x ' * LONGEST}Blue")) == 1
    assert stated(f"Red {'x ' * (LONGEST + 1)}Blue") == []


def test_a_word_that_is_a_name_as_well_spoils_a_relation():
    # Noise as it comes: the list of entities has "of".
    assert stated("The genre of Red is drama.") == [
        "of | genre | Red",
        "Red | is | drama",
    ]


def test_a_statement_says_where_its_clause_stands():
    text = "Kieslowski directed Red, and it stars Jacob."
    second = list(extract(read("Red", ["Nothing.", text], FIND)))[1]
    assert second.origin[:2] == ("Red", 1)
    assert text[second.origin.start : second.origin.end] == "and it stars Jacob."


def test_statements_become_slots_in_both_directions():
    origin = Origin("Red", 0, 0, 8)
    assert list(statement_slots([ExtractedTriple("Jacob", ("starred", "in"), "Red", origin)])) == [
        Slot(("Jacob", "starred", "in"), ("Red",), origin),
        Slot(("Red", "!starred", "!in"), ("Jacob",), origin),
    ]


def test_the_share_of_facts_that_are_matched():
    statements = list(extract(read("Red", ["Kieslowski directed Red."], FIND)))
    facts = [("Red", "directed_by", "Kieslowski"), ("Red", "release_year", "1994")]
    assert matched(statements, facts) == 0.5
    with pytest.raises(ValueError, match=r"matched: no facts came; expected at least one"):
        matched(statements, [])


@pytest.mark.parametrize("rung", LADDER)
def test_what_documents_of_a_small_knowledge_base_state_is_found_again(rung):
    facts = [
        Triple(f"Film {film}", relation, f"{relation} {film}.{number}")
        for film in range(23)
        for relation in ("directed_by", "starred_actors", "has_genre", "has_tags")
        for number in range(1 + film % 3)
    ]
    names = Entities(name for fact in facts for name in (fact.subject, fact.object))
    statements = [
        one
        for document in write_about(facts, LADDER[rung])
        for one in extract(
            read(document.title, [each.text for each in document.sentences], names.mentions)
        )
    ]
    assert matched(statements, facts) == 1.0
    assert len(statements) == len(facts)

"""English forms of the words of relations."""

import pytest

from memnets.kb.questions import english
from memnets.kb.questions.phrases import templates


@pytest.mark.parametrize(
    "name",
    [
        "directed_by",
        "directedBy",
        "Directed By",
        "film/directed-by",
        "http://a.org/ns#directed_by",
        "film.film.directed_by",
    ],
)
def test_a_relation_is_taken_apart_whatever_parts_its_words(name):
    assert english.relation_words(name) == ["directed", "by"]


@pytest.mark.parametrize(
    ("participle", "expected"),
    [
        ("directed", "direct directs directed directed directing director"),
        ("starred", "star stars starred starred starring star"),
        ("released", "release releases released released releasing releaser"),
        ("carried", "carry carries carried carried carrying carrier"),
        ("created", "create creates created created creating creator"),
        ("written", "write writes wrote written writing writer"),
    ],
)
def test_the_forms_of_a_verb(participle, expected):
    found = english.verb(participle, templates()["irregular"])
    assert " ".join(found) == expected


@pytest.mark.parametrize("word", ["genre", "red", "mayor", "bed"])
def test_other_words_are_no_participles(word):
    assert english.verb(word, templates()["irregular"]) is None


def test_a_regular_verb_of_its_base():
    assert english.of_base("tag") == english.Verb(
        "tag", "tags", "tagged", "tagged", "tagging", "tagger"
    )
    assert english.of_base("carry").did == "carried"


@pytest.mark.parametrize(
    ("word", "base"),
    [("flows", "flow"), ("crosses", "cross"), ("carries", "carry"), ("teaches", "teach")],
)
def test_a_verb_loses_its_ending(word, base):
    assert english.base_of_third(word) == base
    assert english.third(base) == word


def test_nouns_in_both_numbers():
    assert english.numbers("actors") == ("actor", "actors")
    assert english.numbers("city") == ("city", "cities")
    assert english.numbers("class") == ("class", "classes")

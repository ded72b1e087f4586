"""Candidates by named entities: which n-grams are kept, and which entities of each."""

import pytest

from memnets.kb import BordesCandidates, Entity, Index
from memnets.kb.index.ngrams import mentions


def named(question, *aliases):
    return [" ".join(ngram) for ngram in mentions(question.split(), dict.fromkeys(aliases))]


@pytest.mark.parametrize(
    ("question", "aliases", "kept"),
    [
        # One that stands within a longer one goes ...
        ("who lives in new york city", ["new york", "york", "new york city"], ["new york city"]),
        # ... also in the middle of it ...
        ("the bank of america tower", ["america", "bank of america tower"], None),
        # ... unless the longer one only adds "in", "of", "for" or "the" at its beginning,
        (
            "who rules the united states",
            ["united states", "the united states"],
            ["the united states", "united states"],
        ),
        (
            "what is in the united states",
            ["united states", "in the united states"],
            ["in the united states", "united states"],
        ),
        ("who wrote the office", ["the office", "office"], ["the office", "office"]),
        # which is not what it adds at its end,
        ("lord of the rings of power", ["lord", "lord of the"], ["lord of the"]),
        # nor another word.
        ("a united states navy", ["states", "a united states"], ["a united states"]),
        # Interrogatives name nothing, not even within a title.
        ("who framed roger rabbit", ["who framed roger rabbit", "roger rabbit"], ["roger rabbit"]),
        # A stop word alone names nothing; two together may.
        ("is it the it", ["is", "it", "the"], []),
        ("who played in the the", ["the", "the the"], ["the the"]),
        ("is it of", ["is it", "of"], ["is it"]),
        ("unknown words only", ["something else"], []),
        ("", ["something else"], []),
    ],
)
def test_subsumption(question, aliases, kept):
    assert named(question, *aliases) == (aliases[-1:] if kept is None else kept)


def test_five_longest_are_kept_and_ties_go_to_letters_and_to_the_first():
    question = "k bb ccc dd xx yy zz w"
    aliases = ["k", "bb", "ccc", "dd", "xx yy", "zz", "w"]
    assert named(question, *aliases) == ["xx yy", "ccc", "bb", "dd", "zz"]


def test_an_ngram_told_twice_counts_once():
    assert named("ada met ada", "ada") == ["ada"]


@pytest.fixture
def bordes():
    subjects = Index()
    subjects.add([["Q1"], ["Q2"], ["Q1"], ["Q3"], ["Q4"], ["Q5"]])
    aliases = {
        "paris": [Entity("Q1", 3), Entity("Q2", 7), Entity("Q3", 5)],
        "dover": [Entity("Q5", 2), Entity("Q4", 2), Entity("Q1", 2)],
        "nobody": [],
    }
    return BordesCandidates(subjects, aliases)


def test_two_most_linked_entities_of_each(bordes):
    assert [entity.name for entity in bordes.entities(["paris"])] == ["Q2", "Q3"]
    assert bordes.candidates(["where", "is", "paris"]).tolist() == [1, 3]


def test_ties_in_links_go_by_name(bordes):
    assert [entity.name for entity in bordes.entities(["dover"])] == ["Q1", "Q4"]


def test_candidates_of_all_names_and_of_none(bordes):
    assert bordes.candidates(["from", "dover", "to", "paris"]).tolist() == [0, 1, 2, 3, 4]
    assert bordes.candidates(["nobody"]).tolist() == []
    assert bordes.candidates(["what", "is", "it"]).tolist() == []

"""Naive Bayes, against numbers worked by hand."""

import math

import pytest

from memnets.tasks.naive_bayes import NaiveBayes

EXAMPLES = [(("who", "made"), "maker"), (("who", "made", "it"), "maker"), (("when",), "year")]
"""Four words are known by these; "of" by the name of a class alone."""


def test_scores_are_those_worked_by_hand():
    model = NaiveBayes(EXAMPLES, {"year": ("of",), "price": ()}, weight=3)
    scores = model.scores(("who", "of", "nobody"))
    assert scores == pytest.approx(
        {
            "year": math.log(2 / 6) + math.log(1 / 9) + math.log(4 / 9),
            "price": math.log(1 / 6) + math.log(1 / 5) + math.log(1 / 5),
            "maker": math.log(3 / 6) + math.log(3 / 10) + math.log(1 / 10),
        }
    )


def test_every_count_is_smoothed_alike():
    scores = NaiveBayes(EXAMPLES, {}, weight=1, smoothing=0.5).scores(("made",))
    assert scores == pytest.approx(
        {
            "maker": math.log(2.5 / 4) + math.log(2.5 / 7),
            "year": math.log(1.5 / 4) + math.log(0.5 / 3),
        }
    )


def test_only_some_classes_may_be_asked_for():
    model = NaiveBayes(EXAMPLES, {}, weight=1)
    assert model.scores(("who",), ["year"]) == {"year": model.scores(("who",))["year"]}


def test_a_word_counts_as_often_as_it_comes():
    model = NaiveBayes([(("to", "to", "it"), "a"), (("it",), "b")], {}, weight=1)
    assert model.words["a"] == {"to": 2, "it": 1}
    assert model.scores(("to", "to"), ["a"]) == pytest.approx(
        {"a": math.log(2 / 4) + 2 * math.log(3 / 5)}
    )

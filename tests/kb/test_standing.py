"""Whole names that stand in a question around a part of them."""

import pytest

from memnets.kb.linking.standing import Standing, standing

WORDS = ["what", "costs", "karsholm", "centrall", "now"]


def stands(*names, place=(2, 3), words=WORDS, not_in=(), short=False):
    return standing([name.split() for name in names], words, place, not_in, short)


def test_the_longest_name_is_meant_and_then_the_one_with_the_fewest_errors():
    assert stands("karsholm", "karsholm central") == Standing(2, -1, 2, "karsholm central")
    assert stands("karsholm central", "karsholn central").name == "karsholm central"
    assert stands("karsholm central").end == 4


@pytest.mark.parametrize("place", [(2, 4), (3, 4), (2, 3)])
def test_a_name_stands_around_the_part(place):
    assert stands("karsholm central", place=place).begin == 2


@pytest.mark.parametrize("place", [(0, 1), (4, 5), (1, 3), (3, 5)])
def test_and_not_beside_it(place):
    assert stands("karsholm central", place=place) is None


def test_words_of_questions_are_not_misspelt():
    assert stands("karsholm central", not_in={"centrall"}) is None
    assert stands("karsholm central", not_in={"karsholm"}) is not None  # it is right
    assert stands("Karsholm Town") is None


def test_short_words_may_have_an_error_if_they_are_told_to():
    words = ["lay", "ash"]
    assert stands("lady ash", place=(1, 2), words=words) is None
    assert stands("lady ash", place=(1, 2), words=words, short=True) == Standing(
        2, -1, 0, "lady ash"
    )
    assert stands("lado ash", place=(1, 2), words=words, short=True) is None  # two errors

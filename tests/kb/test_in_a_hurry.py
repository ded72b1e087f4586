"""What is typed in a hurry, put right before anything else."""

import pytest

from memnets.kb.programs.hurried import how_many, in_digits, parted


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hwo meny", "how many"),
        ("Hw Mutch and HOW LOGN", "How Much and HOW LONG"),
        ("how mean is it", "how mean is it"),  # English, though it sounds nearly like "many"
        ("how lange is it", "how lange is it"),  # long, or large
        ("ho hum", "ho hum"),
    ],
)
def test_how_is_asked(typed, meant):
    changed: dict[str, str] = {}
    assert how_many(typed, changed) == meant
    assert all(one != other for one, other in changed.items())
    assert bool(changed) == (typed != meant)


def test_letters_stand_for_digits_where_a_number_is_a_name():
    changed: dict[str, str] = {}
    assert in_digits("room 3o9 or l2", {"309", "12"}.__contains__, changed) == "room 309 or 12"
    assert changed == {"3o9": "309", "l2": "12"}
    assert in_digits("room 3o9", {"309", "3o9"}.__contains__, changed) == "room 3o9"
    assert in_digits("room 3o9", {"3"}.__contains__, changed) == "room 3o9"


def test_words_that_were_run_together_are_parted_in_one_way_only():
    assert parted("whomade", {"made"}.__contains__) == "who made"
    assert parted("madeby", {"made"}.__contains__) == "made by"
    assert parted("whois", set().__contains__) == "who is"
    assert parted("whomade", set().__contains__) is None
    assert parted("ofma", {"ma"}.__contains__) is None  # too short
    assert parted("tothein", {"thein", "tothe"}.__contains__) is None  # in two ways

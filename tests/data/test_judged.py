"""Judged answers as a table."""

import pytest

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.data.qa.judged import COLUMNS, Judged, as_table, misses_of

JUDGED = [
    Judged(AskedQuestion("who?", ("Ada", "Ben"), "plain"), ("Ada", "Ben"), 0.9876, True),
    Judged(AskedQuestion("wh\to\nis it?", ("Ada",)), ("Zoë",), 1.0, False),
    Judged(AskedQuestion("why?", ("so",)), (), 0.25, False),
]


def test_a_question_is_a_line_whatever_it_holds():
    assert as_table(JUDGED).split("\n") == [
        "\t".join(COLUMNS),
        "plain\tright\t0.988\twho?\tAda | Ben\tAda | Ben",
        "question\twrong\t1.000\twh o is it?\tZoë\tAda",
        "question\tdeclined\t0.250\twhy?\t\tso",
        "",
    ]
    assert as_table(misses_of(JUDGED)).count("\n") == 3


def test_the_columns_are_not_those_of_questions_to_be_asked(tmp_path):
    """A table of answers is no file of questions, and is not taken for one."""
    path = tmp_path / "answers.tsv"
    path.write_text(as_table(JUDGED))
    with pytest.raises(ValueError, match=r"answers\.tsv:1: .*expected a first line with question"):
        read_asked(path)

"""Reverb: three strings, with whatever columns a release has."""

import pytest

from memnets.data.qa.reverb import SCORED, Extraction, read_extractions
from memnets.data.rows import BadRows


def put(path, text: str):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_the_least_form_ignores_what_follows(tmp_path):
    path = put(tmp_path / "r.tsv", "Bananas\tare rich in\tpotassium\t0.9\tmore\nA\tis\tB\n")
    assert list(read_extractions(path)) == [
        Extraction("Bananas", "are rich in", "potassium"),
        Extraction("A", "is", "B"),
    ]


def test_columns_are_taken_by_name(tmp_path):
    columns = {"arg1": 1, "relation": 2, "arg2": 3, "confidence": 6, "arg1_link": 4, "arg2_link": 5}
    path = put(tmp_path / "r.tsv", "7\tBananas\tare in\tRed\tm.01\t\t0.25\turl\n")
    assert list(read_extractions(path, columns)) == [
        Extraction("Bananas", "are in", "Red", 0.25, "m.01", "")
    ]


def test_a_row_has_to_reach_the_last_column_that_is_named(tmp_path):
    """Of few columns that stand far apart too."""
    columns = {"arg1": 0, "relation": 1, "arg2": 4}
    path = put(tmp_path / "r.tsv", "A\tis\t\t\tB\nA\tis\t\tB\n")
    with pytest.raises(ValueError, match=r"r\.tsv:2: came 4 columns, .*expected at least 5"):
        list(read_extractions(path, columns))


@pytest.mark.parametrize("said", [0.0, 1.0, None])
def test_both_ends_are_confidences_and_none_need_be_there(tmp_path, said):
    line = "A\tis\tB" + ("" if said is None else f"\t{said}")
    columns = {} if said is None else {"columns": SCORED}
    (found,) = read_extractions(put(tmp_path / "r.tsv", f"{line}\n"), **columns)
    assert (found.confidence, found.subject_link, found.object_link) == (said, "", "")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "A\tis\tB",
            r"r\.tsv:2: came 3 columns, 'A\\tis\\tB'; expected at least 4, for .*'arg1': 0",
        ),
        ("A\t \tB\t0.5", r"r\.tsv:2: the column relation is empty in 'A\\t \\tB"),
        ("A\tis\tB\thigh", "came the confidence 'high'; expected a number from 0 to 1"),
        ("A\tis\tB\t1.5", "came the confidence '1.5'"),
        ("A\tis\tB\tnan", "came the confidence 'nan'"),
    ],
)
def test_a_bad_row_is_refused_or_counted(tmp_path, line, complaint):
    path = put(tmp_path / "r.tsv", f"A\tis\tB\t0.5\n{line}\n")
    with pytest.raises(ValueError, match=complaint):
        list(read_extractions(path, SCORED))
    bad = BadRows()
    assert len(list(read_extractions(path, SCORED, bad))) == bad.count == 1


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"arg1": 0, "relation": 1},
        {"arg1": 0, "relation": 1, "arg2": 2, "url": 3},
        {"arg1": -1, "relation": 1, "arg2": 2},
    ],
)
def test_columns_that_cannot_be_are_refused(tmp_path, columns):
    with pytest.raises(ValueError, match="expected numbers from 0 for arg1, relation, arg2") as got:
        read_extractions(put(tmp_path / "r.tsv", "A\tis\tB\n"), columns)
    assert str(columns) in str(got.value)

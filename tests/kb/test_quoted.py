"""Cells in quotes that run over lines, compared with how Python reads the whole text."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.kb.store.quoted import MOST_LINES, whole

CELLS = st.text('ab"\n,;', max_size=5)


def records(text, separator):
    """Return the numbered records of a text, and how often a line was asked for beyond its end."""
    lines = [line.encode() for line in text.split("\n")[:-1]]
    return list(whole(enumerate(lines, start=1), separator))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), max_size=5), st.sampled_from(",;"))
def test_records_are_what_python_reads(rows, separator):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    found = records(text.getvalue(), separator)
    parsed = [next(csv.reader([one.decode()], delimiter=separator)) for _, one in found]
    assert parsed == [[cell.replace("\n", " ") for cell in row] for row in rows]
    first, starts = 1, []
    for row in rows:
        starts.append(first)
        first += 1 + sum(cell.count("\n") for cell in row)
    assert [number for number, _ in found] == starts


def test_a_line_whose_quote_is_never_closed_and_all_after_it_stay_as_they_are():
    lines = ['a,"b', "c,d", "", 'e,"f"', "g,h"]
    found = records("".join(f"{line}\n" for line in lines), ",")
    assert found == [(n, line.encode()) for n, line in enumerate(lines, start=1)]
    # The quote that would close it begins a cell of its own.
    lines = ['a,"b', "c,d", 'e,"f', 'g"', "h,i"]
    found = records("".join(f"{line}\n" for line in lines), ",")
    assert found == [(1, b'a,"b'), (2, b"c,d"), (3, b'e,"f g"'), (5, b"h,i")]
    assert records('5" nails,a\nb,c\n', ",") == [(1, b'5" nails,a'), (2, b"b,c")]


@pytest.mark.parametrize(("more", "joined"), [(0, True), (1, False)])
def test_a_cell_may_run_over_so_many_lines_and_no_more(more, joined):
    between = ["x"] * (MOST_LINES - 1 + more)
    lines = ['a,"b', *between, 'c"', "d,e"]
    found = records("".join(f"{line}\n" for line in lines), ",")
    if joined:
        last = len(lines)
        assert found == [(1, " ".join(lines[:-1]).encode()), (last, b"d,e")]
    else:
        assert found == [(n, line.encode()) for n, line in enumerate(lines, start=1)]


def test_returns_at_the_ends_of_lines_are_no_part_of_a_cell():
    lines = [(5, b'a,"b\r'), (6, b'c"\r'), (7, b"d,e\r")]
    assert list(whole(iter(lines), ",")) == [(5, b'a,"b c"'), (7, b"d,e\r")]
    assert list(whole(iter([]), ",")) == []

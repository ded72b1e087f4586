"""The tables of results/: what today's code declares and works out of them is what they say.

A table that is collected where no run is at hand takes the rows that were measured before, if the
configuration behind them is still the same, and works means and differences out of these anew.
"""

import re

import pytest

from memnets import results
from memnets.experiments.jobs import gather
from memnets.experiments.seeds import SeedsTable
from memnets.results import Row, Table, records
from memnets.studies import table, tables
from memnets.studies.hopfield.capacity import CapacityTable

NEEDS_DATA = {
    *("dmn-sentiment", "dmn-tagging", "metaqa", "simple-qa-mini", "simple-qa-transfer"),
    *("wikimovies-extraction", "wikiqa"),
}
WRITTEN = {
    name: known
    for name, known in results.read_all(results.results_folder()).items()
    if isinstance(known, Table) and name in tables()
}
KNOWN = {name: known for name, known in WRITTEN.items() if name not in NEEDS_DATA}
DECLARED = ("row", "metric", "unit", "better", "published", "source", "target")
MEASURED = ("status", "selection", "note", "seeds")
FIGURES = ("measured", "spread", "values")


@pytest.fixture(autouse=True)
def _nobody_asks_git(monkeypatch):
    monkeypatch.setattr(records, "running_commit", lambda: "0000000")


def told(row: Row, fields: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(getattr(row, field) for field in fields)


def rounded(said: object) -> object:
    """Numbers of a note, which come from values that are written with six digits."""
    if not isinstance(said, str):
        return said
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.3g}", said)


@pytest.mark.parametrize("name", KNOWN)
def test_a_table_collected_anew_says_what_it_said(name, tmp_path):
    known, planned = KNOWN[name], table(name)
    made = planned.collect(name, tmp_path, None, known)
    assert made.command == known.command
    assert [told(row, DECLARED) for row in made.rows] == [told(row, DECLARED) for row in known.rows]
    if not isinstance(planned, SeedsTable | CapacityTable):
        return
    assert made.data == known.data
    assert [one.name for one in made.series] == [one.name for one in known.series]
    for new, old in zip(made.rows, known.rows, strict=True):
        once = len(old.seeds) == 1 < len(new.seeds)  # as means of a column were told before
        fields = MEASURED[: 3 if once else 4]
        assert [rounded(one) for one in told(new, fields)] == [
            rounded(one) for one in told(old, fields)
        ]
        for field in FIGURES[: 1 if once else 3]:
            was = getattr(old, field)
            assert getattr(new, field) == (was and pytest.approx(was, rel=1e-4, abs=1e-4))


@pytest.mark.parametrize("name", ["dmn-sentiment", "dmn-tagging", "simple-qa-mini", "wikiqa"])
def test_rows_of_runs_are_what_they_were_where_floors_are_counted_of_data(name, tmp_path):
    known, planned = {(row.row, row.metric): row for row in WRITTEN[name].rows}, table(name)
    assert isinstance(planned, SeedsTable)
    found = {
        one.row: gather(planned.jobs(one, name, tmp_path, None))._replace(
            before=planned.rows_before(one, WRITTEN[name])
        )
        for one in planned.entries
    }
    made = list(SeedsTable.rows(planned, found, None))
    assert made
    for new in made:
        old = known[new.row, new.metric]
        assert told(new, DECLARED) == told(old, DECLARED)
        assert (new.status, new.selection, new.seeds) == (old.status, old.selection, old.seeds)


@pytest.mark.parametrize("name", KNOWN)
def test_as_many_runs_and_rates_are_planned_as_were_made(name):
    planned, rows = table(name), {row.row: row for row in KNOWN[name].rows}
    for entry in planned.entries if isinstance(planned, SeedsTable) else ():
        for row in (rows[figure.row] for figure in planned.figures_of(entry)):
            rates = entry.rates or planned.rates
            if row.status == "done" and "diverged" not in row.note:
                assert row.seeds == tuple(range(entry.seeds or planned.seeds))
            if found := re.search(r"best of (\d+)", row.note):
                assert int(found[1]) == len(rates)
            if found := re.search(r"^rate \S+ of ([^;]+);", row.note):
                assert found[1] == ", ".join(f"{one:g}" for one in rates)


@pytest.mark.parametrize("name", WRITTEN)
def test_runs_are_planned_as_they_were_when_the_table_was_written(name):
    """Also those that nobody has made: the table says how they are to be."""
    planned = table(name)
    for entry in planned.entries if isinstance(planned, SeedsTable) else ():
        assert planned.rows_before(entry, WRITTEN[name]), entry.row

"""Which rows of a table today's code would no longer make: their runs begun again, and compared."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from memnets import results
from memnets.experiments.run import to_json
from memnets.experiments.seeds import Entry, SeedsTable
from memnets.experiments.tables import PlannedTable

Found = Literal["same bits", "but for rounding", "other", "no fingerprint"]
FOUND: tuple[Found, ...] = get_args(Found)
"""What may be found, the most alike first."""
NUDGES = 6
"""How often the reach of rounding is sampled where a fingerprint is another one."""


class Checked(NamedTuple):
    """What became of the rows that one run fills."""

    rows: tuple[str, ...]
    found: Found
    """How much the training of today is like theirs."""


def check(table: PlannedTable, known: results.Table, data: Path | None) -> Iterator[Checked]:
    """Yield, run by run, whether the rows of a table are as today's code would make them.

    The first updates of each row's first seed are made again. Of a row whose learning rate was
    searched, any of the rates may have been chosen, so that each is tried.

    Args:
        table: as it is planned.
        known: as it was measured.
        data: where the data are; None for their usual place.
    """
    rows = {row.row: row for row in known.rows}
    if not isinstance(table, SeedsTable):
        return
    for entry in table.entries:
        mine = [rows[one.row] for one in table.figures_of(entry) if one.row in rows]
        marked = [row for row in mine if row.fingerprint is not None]
        bare = [row.row for row in mine if row.seeds and row.fingerprint is None]
        if marked:
            names = tuple(row.row for row in marked)
            yield Checked(names, _found(table, entry, marked[0], data))
        if bare:
            yield Checked(tuple(bare), "no fingerprint")


def _found(table: SeedsTable, entry: Entry, row: results.Row, data: Path | None) -> Found:
    assert row.fingerprint is not None
    runs = table.possible_runs(entry, row.seeds[0], data)
    every = {_compare(row.fingerprint, run) for run in runs}
    return next(one for one in FOUND if one in every)


def _compare(known: str, run: Any) -> Found:
    from memnets.training.fingerprint import likeness, within_reach

    own = fingerprint(run)
    found = likeness(known, own)
    if found == "other" and within_reach(known, own, [fingerprint(run, n) for n in range(NUDGES)]):
        return "but for rounding"
    return found


def fingerprint(run: Any, nudge: int | None = None) -> str:
    """Make the first updates of a run in a passing folder, and return their fingerprint.

    Args:
        run: what is trained, and how.
        nudge: see `first_updates`.
    """
    from memnets.training.fingerprint import first_updates
    from memnets.training.record import describe
    from memnets.training.runs import RunFolder

    prepared = run.prepare()
    with tempfile.TemporaryDirectory() as place:
        record = describe(run.kind, to_json(run), run.loop)
        folder = RunFolder.create(Path(place) / "run", record, prepared.files)
        return first_updates(prepared.experiment, run.loop, folder, nudge)

"""Tables that `memnets reproduce` fills, whatever their kind, and what their rows share."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from memnets import results
from memnets.experiments.jobs import Job

COMMAND = "memnets reproduce"
"""Followed by the name of a table: what writes it."""
MINUS = " minus "
"""What stands in the name of a difference of two rows."""
MEAN = "mean over all seeds"
_DIGITS = {"%": 1, "bits": 3}
"""Of an interval, by the unit; four of any other."""
_SPLITS = {"train": "training", "valid": "validation"}
_One = TypeVar("_One")


class PlannedTable(ABC):
    """A table, and the runs that fill it."""

    title: str

    @abstractmethod
    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        """Yield the runs that fill the table; those of a stage wait for the one before.

        Args:
            name: of the table.
            root: where the run folders go.
            data: where the data are; None for their usual place.
            only: a regular expression; rows that it does not match are left out.

        Raises:
            ValueError: no row matches.
        """

    def lacks(self, job: Job, before: results.Table) -> bool:
        """Whether a run would give a figure that a table has not.

        Args:
            job: the run.
            before: the table as it was.

        Raises:
            ValueError: the table needs all of its runs at hand, not their figures alone.
        """
        raise ValueError(
            f"--missing: the rows of {before.name} are worked out of all their runs together, so "
            f"that figures of earlier ones cannot be added to. Leave --missing out."
        )

    @abstractmethod
    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        """Make the table from the runs that have ended; the rest says that it was not run.

        Args:
            name, root, data: see `stages`.
            before: the table as it was; its rows stand where their runs are not here and nothing
                of their configuration has changed since.

        Raises:
            ValueError: a run folder holds another configuration than the table's.
        """


@dataclass(frozen=True)
class Criterion:
    """A final figure that chooses between runs; it is never one of the test questions.

    Args:
        split: whose figure it is.
        metric: of the run's result.
        better: which of two is taken.
        words: how the table says what was taken, "lowest validation loss" for instance.

    Raises:
        ValueError: test questions would choose.
    """

    split: str
    metric: str
    better: Literal["higher", "lower"] = "lower"
    words: str = ""

    def __post_init__(self) -> None:
        if self.split not in _SPLITS:
            raise ValueError(
                f"Criterion(split={self.split!r}): expected one of {', '.join(_SPLITS)}. "
                f"No run is chosen by the questions that it is tested on."
            )

    def __str__(self) -> str:
        best = "lowest" if self.better == "lower" else "highest"
        return self.words or f"{best} {_SPLITS[self.split]} {self.metric}"

    def cost(self, metrics: Mapping[str, Mapping[str, Any]]) -> float | None:
        """Return the figure of a run so that less is better; None where evaluation diverged."""
        value = metrics[self.split][self.metric]
        return None if value is None else float(value if self.better == "lower" else -value)


def matching(
    only: str, table: str, things: Iterable[_One], rows: Callable[[_One], Sequence[str]]
) -> list[_One]:
    """Return the things one of whose rows a regular expression matches.

    Raises:
        ValueError: there is none.
    """
    things = list(things)
    wanted = [thing for thing in things if any(re.search(only, row) for row in rows(thing))]
    if not wanted:
        names = ", ".join(dict.fromkeys(repr(row) for thing in things for row in rows(thing)))
        raise ValueError(f"--only {only!r} matches no row of {table}. Its rows are {names}.")
    return wanted


def row_of(
    row: str,
    metric: str,
    values: Mapping[int, float],
    *,
    commits: Iterable[str | None],
    whole: bool,
    note: str = "",
    selection: str = MEAN,
    reported: float | None = None,
    wall_s: float | None = None,
    fingerprint: str | None = None,
    **described: Any,
) -> results.Row:
    """Return the row of what runs have measured; it says so where there are no figures.

    Args:
        row, metric, note, selection, reported, wall_s, fingerprint: see `results.measured`.
        values: the figure of every seed.
        commits: which made the runs; each may be several, as another row says them.
        whole: whether no figure is to come.
        described: unit, better, published, source, target.
    """
    if not values:
        return results.not_run(row, metric, note=note, **described)
    made = results.measured(
        row,
        metric,
        values,
        selection=selection,
        reported=reported,
        status="done" if whole else "partial",
        wall_s=wall_s,
        fingerprint=fingerprint,
        note=note,
        **described,
    )
    names = {name for commit in commits for name in (commit or "").split(", ")}
    return replace(made, commit=", ".join(sorted(names)))


def difference(
    name: str, first: results.Row, second: results.Row, runs: int, selection: str = MEAN
) -> results.Row:
    """Return the mean difference of two rows, seed by seed, with its interval.

    Args:
        name: of the new row.
        first, second: the rows.
        runs: how many seeds can have a figure in both.
        selection: how its figures were got.
    """
    one, other = (dict(zip(row.seeds, row.values, strict=True)) for row in (first, second))
    values = {seed: one[seed] - other[seed] for seed in sorted(one.keys() & other.keys())}
    return row_of(
        name,
        f"difference in {first.metric}",
        values if len(values) > 1 else {},
        commits=(first.commit, second.commit),
        whole=len(values) == runs,
        note=interval_note(list(values.values()), first.unit),
        selection=selection,
        unit=first.unit,
        better=first.better,
    )


def interval_note(
    values: Sequence[float],
    unit: str = "%",
    within: tuple[float, float] = (-math.inf, math.inf),
) -> str:
    """Say between what the mean of other seeds would lie; nothing of a single one."""
    interval = results.interval(values)
    if interval is None:
        return ""
    ends = max(within[0], interval[0]), min(within[1], interval[1])
    low, high = (f"{end:.{_DIGITS.get(unit, 4)}f}" for end in ends)
    return f"95 % interval {low} to {high}"


def joined(notes: Iterable[str]) -> str:
    """Return notes as one; those that say nothing are left out."""
    return "; ".join(filter(None, notes))

"""Fill a paper's table cell by cell: many runs, over all cores, from where it stopped."""

import hashlib
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memnets import results
from memnets.experiments.jobs import Runs, diverged_note, without_path
from memnets.experiments.run import Run, to_json
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import MINUS, Criterion, interval_note, row_of

FAILED = 5.0
"""A task with more test error, in per cent, counts as failed."""
FAR = 5.0
"""A figure this far from the published one, in points, is explained by the spread of its runs."""
ERROR = Figure(metric="accuracy", words="test error", error=True, better="lower")
ACCURACY = Figure(metric="accuracy", words="test accuracy")
LOWEST_TRAINING_ERROR = (
    Criterion("train", "accuracy", "higher", "lowest training error"),
    Criterion("train", "loss"),
)
"""What chooses the run that is reported, where a table does not say otherwise."""


@dataclass(frozen=True, kw_only=True)
class TableCell:
    """One figure of a published table."""

    column: str
    """The variant of the model."""
    row: str
    run: Run
    metric: str
    """Which metric of the run's result."""
    published: float | None = None
    source: str | None = None
    seeds: int | None = None
    """How many runs; by default as many as the table has."""

    @property
    def name(self) -> str:
        return f"{self.column}, {self.row}"


@dataclass(frozen=True, kw_only=True)
class Column:
    """What is published of a whole column, or of some of its rows, and what is to be reached."""

    mean: float | None
    failed: float | None
    source: str
    target: float | None = None
    of: str = ""
    """The column, where this is about some of its rows and has a name of its own."""
    without: tuple[str, ...] = ()
    """Rows that are left out."""


@dataclass(frozen=True, kw_only=True)
class Reproduction(SeedsTable):
    """A published table and the runs that fill it.

    Args:
        cells: its figures; those of one column that have the same run are filled by it together.
        columns: what is published of whole columns.
        contrasts: pairs of columns whose difference is reported, seed by seed.
        measure: what the cells are, such as `ERROR` or `ACCURACY`.
        title, data, seeds, choose: see `SeedsTable`.
    """

    cells: tuple[TableCell, ...]
    columns: Mapping[str, Column] = field(default_factory=dict)
    measure: Figure = ERROR
    choose: tuple[Criterion, ...] = LOWEST_TRAINING_ERROR
    entries: tuple[Entry, ...] = field(init=False)

    def __post_init__(self) -> None:
        filled: dict[tuple[str, Run], list[TableCell]] = {}
        for cell in self.cells:
            filled.setdefault((cell.column, cell.run), []).append(cell)
        entries = (
            Entry(
                row=cells[0].name if len(cells) == 1 else column,
                run=run,
                figures=tuple(map(self._figure, cells)),
                seeds=cells[0].seeds,
            )
            for (column, run), cells in filled.items()
        )
        object.__setattr__(self, "entries", tuple(entries))

    def _figure(self, cell: TableCell) -> Figure:
        known = {"published": cell.published, "source": cell.source}
        return replace(self.measure, row=cell.name, metric=cell.metric, **known)  # type: ignore[arg-type]

    def place(self, entry: Entry) -> str:
        return entry.row.lower().replace(", ", "/").replace(" ", "-")

    def config(self) -> dict[str, Any]:
        return without_path(to_json(self.cells[0].run))

    def checksum(self, found: Mapping[str, Runs], data: Path | None) -> str | None:
        """Return one SHA-256 for the data of all runs; None while there is none."""
        known = sorted({ran.sha256 for runs in found.values() for ran in runs.done.values()})
        if len(known) <= 1:
            return next(iter(known), None)
        return hashlib.sha256("\n".join(known).encode()).hexdigest()

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        rows = {row.row: row for row in super().rows(found, data)}
        for name, column in self.columns.items():
            mine = [rows[cell.name] for cell in self.cells_of(name)]
            yield from self._summary(name, column, mine)
        yield from rows.values()

    def cells_of(self, name: str) -> list[TableCell]:
        """Return the cells that a column, or what is told of some rows of one, is about."""
        column = self.columns[name]
        of, without = column.of or name, column.without
        return [cell for cell in self.cells if cell.column == of and cell.row not in without]

    def contrasted(self, rows: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        for first, second in self.contrasts:
            for cell in self.cells:
                if cell.column == first:
                    name = f"{first}{MINUS}{second}, {cell.row}"
                    yield name, cell.name, f"{second}, {cell.row}"

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        """Say how sure a mean is; of a chosen run, what it read, and how far the others lie.

        The latter where it is far from the published figure.
        """
        if self.choose:
            chosen = self.chosen(runs, values)
            yield supports_read(runs.done[chosen].metrics[self.split], figure.metric)
            if figure.published is not None and abs(values[chosen] - figure.published) > FAR:
                yield f"runs {min(values.values()):.1f} to {max(values.values()):.1f}"
        else:
            yield interval_note(list(values.values()), figure.unit)
        yield diverged_note(runs.lost)

    def _summary(
        self, name: str, column: Column, rows: Sequence[results.Row]
    ) -> Iterator[results.Row]:
        """Yield the mean of a column, and of shares the number of failed tasks."""
        figures = [row.measured for row in rows if row.measured is not None]
        whole, measure = len(figures) == len(rows), self.measure
        shared: dict[str, Any] = {
            "commits": [row.commit for row in rows],
            "whole": all(row.status == "done" for row in rows),
            "note": "" if whole else f"{len(figures)} of {len(rows)} tasks have run",
            "selection": "of the runs reported below",
        }
        yield row_of(
            f"{name}, mean",
            f"mean {measure.words}",
            _means(rows) if whole else {},
            reported=statistics.fmean(figures) if whole else None,
            unit=measure.unit,
            better=measure.better,
            published=column.mean,
            source=None if column.mean is None else column.source,
            target=column.target,
            **shared,
        )
        if measure.unit != "%":
            return
        lower = measure.better == "lower"
        # Rounded, or 1 - 0.95 would lie above 5 %.
        errors = [round(one if lower else 100.0 - one, 6) for one in figures]
        most = f"above {FAILED:g}" if lower else f"below {100 - FAILED:g}"
        yield row_of(
            f"{name}, failed",
            f"tasks {most} % {measure.words}",
            {0: float(sum(error > FAILED for error in errors))} if whole else {},
            unit="tasks",
            better="lower",
            published=column.failed,
            source=None if column.failed is None else column.source,
            **shared,
        )


def supports_read(metrics: Mapping[str, Any], accuracy: str) -> str:
    """Say how often the evidence that the data name was read; nothing where it was not counted.

    Args:
        metrics: of a split.
        accuracy: the metric whose questions are meant, "accuracy/4" say.
    """
    names = ("supports_read", "supports_chance", "gold_read")
    whole, chance, some = (metrics.get(accuracy.replace("accuracy", name)) for name in names)
    if whole is None:
        return ""
    others = {"by chance": chance, "any": some}
    told = ", ".join(f"{words} {share:.1%}" for words, share in others.items() if share is not None)
    return f"all supports read {whole:.1%}" + (f" ({told})" if told else "")


def _means(rows: Sequence[results.Row]) -> dict[int, float]:
    """Return the mean of rows, seed by seed, of the seeds that all of them have."""
    seeds = set.intersection(*(set(row.seeds) for row in rows))
    if not seeds:  # cells that stand from earlier runs may have others
        return {0: statistics.fmean(row.measured for row in rows if row.measured is not None)}
    values = [dict(zip(row.seeds, row.values, strict=True)) for row in rows]
    return {seed: statistics.fmean(one[seed] for one in values) for seed in sorted(seeds)}

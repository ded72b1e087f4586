"""Fill a paper's table cell by cell: many runs, over all cores, from where it stopped."""

import hashlib
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from memnets import results
from memnets.experiments.jobs import Job, diverged_note, ended, seeded, without_path
from memnets.experiments.run import Run, to_json
from memnets.experiments.tables import COMMAND, PlannedTable

FAILED = 5.0
"""A task with more test error, in per cent, counts as failed."""

FAR = 5.0
"""A figure this far from the published one, in points, is explained by the spread of its runs."""

SELECTION = "lowest training error of {runs} runs, then lowest training loss"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One figure of a published table."""

    column: str
    """The variant of the model."""
    row: str
    run: Run
    metric: str
    """Which metric of the run's result."""
    published: float | None
    source: str | None

    @property
    def name(self) -> str:
        return f"{self.column}, {self.row}"


@dataclass(frozen=True, kw_only=True)
class Column:
    """What is published of a whole column, and what is to be reached."""

    mean: float | None
    failed: float | None
    source: str
    target: float | None = None


@dataclass(frozen=True, kw_only=True)
class Reproduction(PlannedTable):
    """A published table and the runs that fill it."""

    title: str
    data: str
    cells: tuple[Cell, ...]
    runs: int
    columns: Mapping[str, Column] = field(default_factory=dict)
    contrasts: tuple[tuple[str, str], ...] = ()
    """Pairs of columns whose difference is reported, seed by seed."""

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        every = jobs(name, self, root, data)
        wanted = [job for job in every if any(re.search(only, cell) for cell in job.cells)]
        if not wanted:
            raise ValueError(
                f"--only {only!r} matches no cell of {name}. "
                f"Its cells are {self.cells[0].name!r} to {self.cells[-1].name!r}."
            )
        yield wanted

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        return collect(name, self, jobs(name, self, root, data))


class Trained(NamedTuple):
    """What may decide which run is reported: the training questions, nothing else."""

    seed: int
    error: float
    loss: float


def select(runs: Sequence[Trained]) -> int:
    """Return the seed of the run to report."""
    return min(runs, key=lambda run: (run.error, run.loss)).seed


def jobs(name: str, table: Reproduction, root: Path, data: Path | None) -> list[Job]:
    """List every run of a table, with its folder, in the order in which they are made."""
    filled: dict[tuple[str, Run], list[Cell]] = {}
    for cell in table.cells:
        filled.setdefault((cell.column, cell.run), []).append(cell)
    return [
        Job(
            cells[0].name if len(cells) == 1 else column,
            tuple(cell.name for cell in cells),
            seeded(run, seed, data),
            seed,
            root
            / name
            / _slug(column)
            / (_slug(cells[0].row) if len(cells) == 1 else "")
            / f"{seed}",
        )
        for seed in range(table.runs)  # every cell has its first run before any has a second
        for (column, run), cells in filled.items()
    ]


def collect(name: str, table: Reproduction, done: Sequence[Job]) -> results.Table:
    """Make the table from the runs that are finished; the rest says that it was not run."""
    from memnets.training.runs import RunFolder

    by_cell: dict[str, dict[int, dict[str, Any]]] = {cell.name: {} for cell in table.cells}
    lost: dict[str, set[int]] = {cell.name: set() for cell in table.cells}
    checksums = set()
    for job in done:
        if not ended(job.folder):
            continue
        folder = RunFolder.open(job.folder)
        checksums.add(folder.record["data"]["sha256"])
        result = folder.result
        if result is None or result["metrics"]["train"]["loss"] is None:
            for cell in job.cells:
                lost[cell].add(job.seed)
            continue
        result["commit"] = folder.record["commit"]
        result["wall_s"] /= len(job.cells)  # each cell's share of a joint run
        for cell in job.cells:
            by_cell[cell][job.seed] = result
    rows = [_row(cell, table.runs, by_cell[cell.name], lost[cell.name]) for cell in table.cells]
    means = [
        row
        for column, published in table.columns.items()
        for row in _summary(column, published, [r for r in rows if r.row.startswith(f"{column},")])
    ]
    return results.Table(
        name=name,
        command=f"{COMMAND} {name}",
        config=_published_config(table.cells[0].run),
        data=results.Data(table.data, _combined(checksums), "test"),
        rows=(*means, *rows, *_differences(table, by_cell, lost)),
    )


def _row(cell: Cell, runs: int, by_seed: dict[int, dict[str, Any]], lost: set[int]) -> results.Row:
    described: dict[str, Any] = {
        "unit": "%",
        "better": "lower",
        "published": cell.published,
        "source": cell.source,
    }
    if not by_seed:
        return results.not_run(cell.name, "test error", note=diverged_note(lost), **described)
    chosen = select([_trained(seed, result) for seed, result in by_seed.items()])
    errors = {seed: _error(result, "test", cell.metric) for seed, result in sorted(by_seed.items())}
    row = results.measured(
        cell.name,
        "test error",
        errors,
        selection=SELECTION.format(runs=runs),
        reported=errors[chosen],
        status="done" if len(by_seed) + len(lost) == runs else "partial",
        wall_s=sum(result["wall_s"] for result in by_seed.values()),
        note="; ".join(filter(None, (*_notes(cell, by_seed[chosen], errors), diverged_note(lost)))),
        **described,
    )
    return _trained_by(row, [str(result["commit"]) for result in by_seed.values()])


def _trained_by(row: results.Row, commits: Sequence[str]) -> results.Row:
    """Return the row with the commits that its runs were made by, not that of its collection."""
    return replace(row, commit=", ".join(sorted(set(commits))))


def _differences(
    table: Reproduction,
    by_cell: dict[str, dict[int, dict[str, Any]]],
    lost: dict[str, set[int]],
) -> Iterator[results.Row]:
    """Yield the mean difference of two columns in each row, with its interval."""
    cells = {(cell.column, cell.row): cell for cell in table.cells}
    for first, second in table.contrasts:
        for cell in table.cells:
            if cell.column != first:
                continue
            other = cells[second, cell.row].name
            pair = by_cell[cell.name], by_cell[other]
            wanted = table.runs - len(lost[cell.name] | lost[other])
            values = {
                seed: _error(pair[0][seed], "test", cell.metric)
                - _error(pair[1][seed], "test", cell.metric)
                for seed in sorted(pair[0].keys() & pair[1].keys())
            }
            commits = [str(pair[side][seed]["commit"]) for side in (0, 1) for seed in values]
            difference = _difference(f"{first} minus {second}, {cell.row}", values, wanted)
            yield _trained_by(difference, commits) if values else difference


def _difference(name: str, values: dict[int, float], runs: int) -> results.Row:
    if len(values) < 2:
        return results.not_run(name, "difference in test error", unit="%", better="lower")
    low, high = results.interval(list(values.values())) or (0.0, 0.0)
    return results.measured(
        name,
        "difference in test error",
        values,
        unit="%",
        better="lower",
        selection="mean over all seeds",
        status="done" if len(values) == runs else "partial",
        note=f"95 % interval {low:.1f} to {high:.1f}",
    )


def _summary(name: str, column: Column, rows: list[results.Row]) -> Iterator[results.Row]:
    """Yield the mean error and the number of failed tasks of a column."""
    measured = [row.measured for row in rows if row.measured is not None]
    figures: tuple[tuple[str, str, str, float | None, float | None, _Summary], ...] = (
        ("mean", "mean test error", "%", column.mean, column.target, statistics.fmean),
        ("failed", "tasks above 5 % test error", "tasks", column.failed, None, _failed),
    )
    for kind, metric, unit, published, target, summary in figures:
        described: dict[str, Any] = {
            "unit": unit,
            "better": "lower",
            "published": published,
            "source": None if published is None else column.source,
            "target": target,
        }
        label = f"{name}, {kind}"
        if len(measured) < len(rows):
            note = f"{len(measured)} of {len(rows)} tasks have run"
            yield results.not_run(label, metric, note=note, **described)
            continue
        whole = all(row.status == "done" for row in rows)
        row = results.measured(
            label,
            metric,
            {0: summary(measured)},
            selection="of the runs reported below",
            status="done" if whole else "partial",
            **described,
        )
        yield _trained_by(row, [name for row in rows for name in (row.commit or "").split(", ")])


_Summary = Callable[[Sequence[float]], float]


def _failed(errors: Sequence[float]) -> float:
    return float(sum(error > FAILED for error in errors))


def _trained(seed: int, result: dict[str, Any]) -> Trained:
    error = _error(result, "train", "accuracy")  # of all questions the model was trained on
    return Trained(seed, error, result["metrics"]["train"]["loss"])


def _error(result: dict[str, Any], split: str, metric: str) -> float:
    return 100.0 * (1.0 - result["metrics"][split][metric])


def _notes(cell: Cell, result: dict[str, Any], errors: dict[int, float]) -> Iterator[str]:
    """Say what was read, and between which runs a figure lies that is far from the published."""
    read = result["metrics"]["test"].get(cell.metric.replace("accuracy", "gold_read"))
    if read is not None:
        yield f"gold read {read:.1%}"
    chosen = _error(result, "test", cell.metric)
    if cell.published is not None and abs(chosen - cell.published) > FAR:
        yield f"runs {min(errors.values()):.1f} to {max(errors.values()):.1f}"


def _published_config(run: Any) -> dict[str, Any]:
    return without_path(to_json(run))


def _combined(checksums: set[str]) -> str | None:
    """Return one SHA-256 for the data of all runs; None while there is none."""
    if len(checksums) <= 1:
        return next(iter(checksums), None)
    return hashlib.sha256("\n".join(sorted(checksums)).encode()).hexdigest()


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace(",", "")

"""Fill a paper's table cell by cell: many runs, over all cores, from where it stopped."""

import ctypes
import hashlib
import multiprocessing
import os
import re
import signal
import statistics
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets import recipes, results
from memnets.files import read_json, write_json
from memnets.experiments.run import Run, to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.training.stopping import DivergenceError

if TYPE_CHECKING:
    from memnets.training.runs import RunFolder

FAILED = 5.0
"""A task with more test error, in per cent, counts as failed."""

FAR = 5.0
"""A figure this far from the published one, in points, is explained by the spread of its runs."""

SELECTION = "lowest training error of {runs} runs, then lowest training loss"

DIVERGED = "diverged.json"
"""What the folder of a run of a table holds in place of a result where training diverged."""


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


class Job(NamedTuple):
    """One run, and the cells that it fills: one, or all of a column (joint training)."""

    name: str
    cells: tuple[str, ...]
    run: Run
    seed: int
    folder: Path
    recipe: str
    """A recipe of this kind of run: in its name the run folder is opened again."""


@dataclass(frozen=True, kw_only=True)
class Reproduction(PlannedTable):
    """A published table and the runs that fill it."""

    title: str
    recipe: str
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


def reproductions() -> dict[str, Callable[[], Reproduction]]:
    """Return every table that can be reproduced, by its name."""
    found = recipes.functions_returning(Reproduction)
    return {name.split("/")[1]: function for name, function in found.items()}


def published_for(recipe: str, run: Run) -> dict[str, float]:
    """Return the published test error, in per cent, of every metric that this run could repeat."""
    return {
        cell.metric: cell.published
        for table in (function() for function in reproductions().values())
        for cell in table.cells
        if table.recipe == recipe and cell.published is not None and _what(cell.run) == _what(run)
    }


def _what(run: Run) -> dict[str, Any]:
    """Return what a run learns, without the seed and the place of its data."""
    config = _published_config(run)
    del config["loop"]
    return config


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
            table.recipe,
        )
        for seed in range(table.runs)  # every cell has its first run before any has a second
        for (column, run), cells in filled.items()
    ]


def reproduce(todo: Sequence[Job], workers: int) -> Iterator[Job]:
    """Carry out the runs that are not finished, and yield each one when it is.

    Every run has a folder of its own, so that a table goes on where it was interrupted. A run that
    diverges has ended too; its folder says so (`diverged`), and the others go on.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent) as pool:
        futures = {pool.submit(_carry_out, job): job for job in todo}
        try:
            for future in as_completed(futures):
                future.result()
                yield futures[future]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


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


def seeded(run: Any, seed: int, data: Path | None) -> Any:
    """Return a run with another seed, and with its data at another place."""
    run = replace(run, loop=replace(run.loop, seed=seed))
    return run if data is None else replace(run, data=replace(run.data, path=data))


def without_path(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of a run without the place of its data on one machine."""
    return {**config, "data": {**config["data"], "path": None}}


def _published_config(run: Any) -> dict[str, Any]:
    return without_path(to_json(run))


def finished(job: Job) -> "RunFolder | None":
    """Return the run folder of a job that has its result; None before, and where it diverged.

    Raises:
        ValueError: the folder holds a run of another configuration.
    """
    from memnets.training.runs import RunFolder

    if not ended(job.folder):
        return None
    folder = RunFolder.open(job.folder)
    if without_path(folder.record["config"]) != without_path(to_json(job.run)):
        raise ValueError(
            f"{job.folder}: it was run with another configuration than {job.name!r} has now. "
            f"Remove the folder, or pass another one with --runs."
        )
    return None if folder.result is None else folder


def ended(folder: Path) -> bool:
    """Whether a run needs no more work: it has its result, or it diverged."""
    return (folder / "result.json").exists() or diverged(folder) is not None


def diverged(folder: Path) -> str | None:
    """Return what a run of a table said when its training diverged; None where it did not."""
    path = folder / DIVERGED
    if (folder / "result.json").exists() or not path.exists():
        return None
    return str(read_json(path, needed=("message",))["message"])


def diverged_note(seeds: Collection[int]) -> str:
    """Say which runs of a row diverged."""
    return f"diverged and not counted: seeds {', '.join(map(str, sorted(seeds)))}" if seeds else ""


def _carry_out(job: Job) -> None:
    """Start a run, go on with it, or leave it as it is."""
    from memnets.experiments.execute import resume, start

    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:
        os._exit(130)  # it went while the last job was ending, and its signal was taken for that
    os.environ["OMP_NUM_THREADS"] = str(job.run.loop.threads)
    try:
        if not (job.folder / "run.json").exists():
            start(job.recipe, job.run, job.folder)
        elif not ended(job.folder):
            resume(job.folder)
    except DivergenceError as error:
        # A figure of the table like any other, and it would diverge again.
        write_json(job.folder / DIVERGED, {"message": str(error)})
    except (SystemExit, KeyboardInterrupt):
        # Asked to stop, once or twice: the pool would take it for a failed job, and go on.
        os._exit(130)


def _combined(checksums: set[str]) -> str | None:
    """Return one SHA-256 for the data of all runs; None while there is none."""
    if len(checksums) <= 1:
        return next(iter(checksums), None)
    return hashlib.sha256("\n".join(sorted(checksums)).encode()).hexdigest()


def _end_with_parent() -> None:
    """Ask Linux to stop this process when the one that started it is gone, killed or not."""
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM)


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace(",", "")

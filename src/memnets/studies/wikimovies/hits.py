"""Hits at 1 on WikiMovies of runs that differ in their memory: rows, intervals, differences."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from memnets import results
from memnets.experiments.jobs import (
    Job,
    diverged,
    diverged_note,
    finished,
    seeded,
    slug,
    without_path,
)
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.studies.wikimovies.recipes import KVMemNNWikiMovies

HITS = "hits@1"
SELECTION = "mean over all seeds, last update of every run"
MINUS = " minus "
"""What stands in the name of a difference of two rows."""
DATA = "WikiMovies, official dev questions divided by template and by entity"


class Figure(NamedTuple):
    """A row that a condition's runs fill."""

    row: str
    metric: str
    """Of the runs' results."""
    published: float | None = None
    source: str | None = None
    note: str = ""
    asked: str = ""
    """The metric that says how many questions this is a share of; the row then tells how sure so
    many make it."""
    what: str = HITS


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Runs that differ in their seed alone, and the rows that they fill."""

    run: KVMemNNWikiMovies
    figures: tuple[Figure, ...]

    called: str = ""
    """Its name; by default that of its first row."""

    @property
    def name(self) -> str:
        return self.called or self.figures[0].row


@dataclass(frozen=True, kw_only=True)
class HitsTable(PlannedTable):
    """Hits at 1 of several conditions.

    Args:
        title: of the table.
        conditions: each with its rows.
        seeds: how many runs a condition has.
        contrasts: pairs of rows whose difference is reported, seed by seed.
    """

    title: str
    conditions: tuple[Condition, ...]
    seeds: int
    contrasts: tuple[tuple[str, str], ...] = ()

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        wanted = [job for job in self.jobs(name, root, data) if re.search(only, job.name)]
        if not wanted:
            names = ", ".join(repr(condition.name) for condition in self.conditions)
            raise ValueError(f"--only {only!r} matches no row of {name}. Its rows are {names}.")
        yield wanted

    def jobs(self, name: str, root: Path, data: Path | None) -> list[Job]:
        """List every run; every condition has its first before any has a second."""
        return [
            Job(
                condition.name,
                tuple(figure.row for figure in condition.figures),
                seeded(condition.run, seed, data),
                seed,
                root / name / slug(condition.name) / f"{seed}",
            )
            for seed in range(self.seeds)
            for condition in self.conditions
        ]

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        jobs = self.jobs(name, root, data)
        found = {
            condition.name: _ran([job for job in jobs if job.name == condition.name])
            for condition in self.conditions
        }
        rows = [
            self._row(figure, found[condition.name], len(condition.figures))
            for condition in self.conditions
            for figure in condition.figures
        ]
        sha256 = sorted({ran.sha256 for runs in found.values() for ran in runs.done})
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={one.name: without_path(to_json(one.run)) for one in self.conditions},
            data=results.Data(DATA, ", ".join(sha256) or None, "test"),
            rows=(*rows, *self._differences(rows)),
        )

    def _row(self, figure: Figure, runs: "_Runs", figures: int) -> results.Row:
        """Return the row of a figure, with its share of the seconds of runs that fill several."""
        described: dict[str, Any] = {"published": figure.published, "source": figure.source}
        values = {ran.seed: 100 * ran.metrics[figure.metric] for ran in runs.done}
        note = "; ".join(filter(None, (figure.note, diverged_note(runs.lost))))
        if not values:
            return results.not_run(
                figure.row, figure.what, unit="%", better="higher", note=note, **described
            )
        asked = runs.done[0].metrics[figure.asked] if figure.asked else 0
        row = results.measured(
            figure.row,
            figure.what,
            values,
            unit="%",
            better="higher",
            selection=SELECTION,
            status=self._status(len(values) + len(runs.lost)),
            wall_s=sum(ran.wall_s for ran in runs.done) / figures,
            note="; ".join(filter(None, (note, *_sureness(list(values.values()), int(asked))))),
            **described,
        )
        return replace(row, commit=", ".join(sorted({ran.commit for ran in runs.done})))

    def _differences(self, rows: Sequence[results.Row]) -> Iterator[results.Row]:
        by_name = {row.row: dict(zip(row.seeds, row.values, strict=True)) for row in rows}
        commits = {row.row: row.commit for row in rows}
        for first, second in self.contrasts:
            one, other = by_name[first], by_name[second]
            values = {seed: one[seed] - other[seed] for seed in one if seed in other}
            what = f"difference in {HITS}"
            if len(values) < 2:
                yield results.not_run(f"{first}{MINUS}{second}", what, unit="%", better="higher")
                continue
            row = results.measured(
                f"{first}{MINUS}{second}",
                what,
                values,
                unit="%",
                better="higher",
                selection=SELECTION,
                status=self._status(len(values)),
                note=_interval(list(values.values())),
            )
            yield replace(row, commit=commits[first])

    def _status(self, runs: int) -> Literal["done", "partial"]:
        return "done" if runs == self.seeds else "partial"


class _Ran(NamedTuple):
    seed: int
    metrics: Mapping[str, float]
    sha256: str
    commit: str
    wall_s: float


class _Runs(NamedTuple):
    done: list[_Ran]
    lost: set[int]
    """Seeds whose runs diverged."""


def _ran(jobs: Sequence[Job]) -> _Runs:
    done = []
    for job in jobs:
        folder = finished(job)
        if folder is None or (result := folder.result) is None:
            continue
        record = folder.record
        done.append(
            _Ran(
                job.seed,
                result["metrics"]["test"],
                record["data"]["sha256"],
                str(record["commit"]),
                result["wall_s"],
            )
        )
    return _Runs(done, {job.seed for job in jobs if diverged(job.folder) is not None})


def _sureness(values: Sequence[float], asked: int) -> Iterator[str]:
    """Tell how far the mean is from what other seeds, and as many other questions, would give."""
    interval = _interval(values)
    if not asked:
        yield interval
        return
    low, high = wilson(statistics.fmean(values) / 100, asked)
    yield f"{asked:,} questions"
    yield f"{interval} over seeds" if statistics.pstdev(values) else ""
    yield f"{100 * low:.1f} to {100 * high:.1f} over questions"


def wilson(share: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many questions (Wilson's score)."""
    z = 1.959964
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = (
        z / (1 + z * z / number) * (share * (1 - share) / number + (z / (2 * number)) ** 2) ** 0.5
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def _interval(values: Sequence[float]) -> str:
    interval = results.interval(values)
    return "" if interval is None else f"95 % interval {interval[0]:.1f} to {interval[1]:.1f}"

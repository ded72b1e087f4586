"""A table of recall: its rows, its runs, and their figures.

Every row is the mean of three seeds. Where its learning rate is searched, one run of another seed,
of 1,000 updates at most, is made for each rate, and the best on the validation questions is taken:
for CRAN and LSTM alike.
"""

import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memnets import results
from memnets.experiments.execute import finished
from memnets.experiments.jobs import Job, diverged, diverged_note, slug
from memnets.experiments.run import to_json
from memnets.experiments.searched import TRIAL, Search, stages
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.studies.recall.recipes import RecallRun

SEEDS = 3
TRIAL_UPDATES = 1000
"""Updates of a run that chooses a learning rate, at most."""
_WORDS = {
    "accuracy": "questions right",
    "accuracy_near": "asked within a window's length",
    "accuracy_beyond": "asked later than any window reaches",
    "gold_read": "step that told is read most",
    "gold_zone": "zone that told is among the chosen",
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is trained for a row of a table."""

    row: str
    run: RecallRun
    rates: tuple[float, ...] = ()
    """Learning rates to choose from; the run's own where there are none."""
    targets: Mapping[str, float] = field(default_factory=dict)
    """What has to be reached, by metric, in per cent."""

    def at(self, rate: float, seed: int) -> RecallRun:
        """Return the run with a learning rate and a seed; a trial is no longer than it need be."""
        training = replace(self.run.training, learning_rate=rate)
        if seed == TRIAL:
            training = replace(training, updates=min(training.updates, TRIAL_UPDATES))
        return replace(self.run, training=training, loop=replace(self.run.loop, seed=seed))


@dataclass(frozen=True, kw_only=True)
class RecallTable(PlannedTable):
    """Rows that are compared with each other, on the same questions."""

    title: str
    data: str
    entries: tuple[Entry, ...]
    metrics: tuple[str, ...] = ("accuracy",)

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        return stages(name, searches(name, self, root), only)

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        return collect(name, self, root)


def searches(name: str, table: RecallTable, root: Path) -> list[Search]:
    """Return the runs of every row."""
    return [
        Search(
            row=entry.row,
            rows=(entry.row,),
            folder=root / name / slug(entry.row),
            rates=entry.rates or (entry.run.training.learning_rate,),
            seeds=SEEDS,
            run=entry.at,
            loss=_wrong,
        )
        for entry in table.entries
    ]


def _wrong(trial: Job) -> float | None:
    """Return the share of validation questions answered wrongly; None while it is not finished."""
    found = _finished(trial)
    return None if found is None else 1.0 - float(found["metrics"]["valid"]["accuracy"])


def collect(name: str, table: RecallTable, root: Path) -> results.Table:
    """Make the table from the runs that are finished; the rest says that it was not run."""
    rows: list[results.Row] = []
    series: list[results.Series] = []
    for entry, search in zip(table.entries, searches(name, table, root), strict=True):
        jobs = search.reported()
        done = {job.seed: found for job in jobs if (found := _finished(job)) is not None}
        lost = {job.seed for job in jobs if diverged(job.folder) is not None}
        rate = search.rate()
        rows += [_row(entry, metric, done, lost, rate) for metric in _told(table, entry)]
        for kind in ("recall", "cliff", "young"):
            series += _curve(entry.row, kind, list(done.values()))
    return results.Table(
        name=name,
        command=f"{COMMAND} {name}",
        config={entry.row: to_json(entry.run) for entry in table.entries},
        data=results.Data(table.data, None, "test"),
        rows=tuple(rows),
        series=tuple(series),
    )


def _told(table: RecallTable, entry: Entry) -> list[str]:
    """Return the metrics that a row can have: a core without zones cannot tell what it read."""
    zoned = entry.run.memory is not None
    return [metric for metric in table.metrics if zoned or not metric.startswith("gold")]


def _row(
    entry: Entry,
    metric: str,
    done: Mapping[int, Any],
    lost: Collection[int],
    rate: float | None,
) -> results.Row:
    name = entry.row if metric == "accuracy" else f"{entry.row}: {_WORDS[metric]}"
    described: dict[str, Any] = {
        "unit": "%",
        "better": "higher",
        "target": entry.targets.get(metric),
    }
    tests = {seed: found["metrics"]["test"] for seed, found in done.items()}
    values = {seed: 100 * test[metric] for seed, test in tests.items() if _known(test, metric)}
    if not values:
        return results.not_run(name, _WORDS[metric], note=diverged_note(lost), **described)
    notes = filter(None, (*_notes(entry, metric, tests, values, rate), diverged_note(lost)))
    row = results.measured(
        name,
        _WORDS[metric],
        values,
        selection="mean over all seeds, after the last update",
        status="done" if len(values) + len(lost) == SEEDS else "partial",
        wall_s=sum(found["wall_s"] for found in done.values()),
        note="; ".join(notes),
        **described,
    )
    return replace(row, commit=", ".join(sorted({found["commit"] for found in done.values()})))


def _notes(
    entry: Entry,
    metric: str,
    tests: Mapping[int, Any],
    values: Mapping[int, float],
    rate: float | None,
) -> Iterator[str]:
    if len(values) > 1:
        low, high = results.interval(list(values.values())) or (0.0, 0.0)
        yield f"95 % interval {max(0.0, low):.1f} to {min(100.0, high):.1f}"
    ceiling = metric.replace("accuracy", "ceiling")
    told = [100 * test[ceiling] for test in tests.values() if _known(test, ceiling)]
    if ceiling != metric and told and entry.run.memory is not None:
        yield f"ceiling {statistics.fmean(told):.1f}"
    if metric == "accuracy":
        searched = f", best of {len(entry.rates)}" if entry.rates else ""
        yield f"{entry.run.training.total:,} updates at {rate:g}{searched}"


def _known(test: Mapping[str, Any], metric: str) -> bool:
    return test.get(metric) is not None


def _curve(row: str, kind: str, done: Sequence[Any]) -> Iterator[results.Series]:
    """Yield the mean accuracy by lag, or by age, over the seeds, with half of its interval."""
    curves = [
        {
            int(name.partition("/")[2]): 100 * value
            for name, value in found["metrics"]["test"].items()
            if name.startswith(f"{kind}/")
        }
        for found in done
    ]
    lags = sorted(set(curves[0]).intersection(*curves)) if curves else []
    if not lags:
        return
    points = [[curve[lag] for curve in curves] for lag in lags]
    intervals = [results.interval(point) for point in points]
    yield results.Series(
        name=f"{row}, {kind}",
        x=tuple(map(float, lags)),
        y=tuple(map(statistics.fmean, points)),
        spread=tuple((high - low) / 2 for low, high in filter(None, intervals)) or None,
    )


def _finished(job: Job) -> dict[str, Any] | None:
    """Return the figures of a run, with the commit that made it; None while it is not finished."""
    if not (job.folder / "run.json").exists():
        return None
    result = finished(job.folder)
    if result is None:
        return None
    from memnets.training.runs import RunFolder

    folder = RunFolder.open(job.folder)
    folder.check_config(to_json(job.run))
    commit = str(folder.record["commit"])
    return {**result, "commit": commit}

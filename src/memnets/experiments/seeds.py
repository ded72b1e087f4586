"""One kind of table: rows of runs that differ in their seed alone, with their differences.

A table of a new study is a declaration: its entries, each a run, and its figures, each a metric of
the test questions. Where a learning rate is to be searched, short trials of a seed of their own
choose it, as many for every row.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from memnets import results
from memnets.experiments.jobs import (
    Job,
    Runs,
    as_now,
    device_note,
    diverged,
    diverged_note,
    gather,
    ran,
    seeded,
    slug,
    without_path,
)
from memnets.experiments.run import plain, to_json, up_to_date
from memnets.experiments.tables import (
    COMMAND,
    MEAN,
    MINUS,
    Criterion,
    PlannedTable,
    difference,
    joined,
    matching,
    row_of,
)

TRIAL = 100
"""The seed of the runs that choose a learning rate; those that are reported have others."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A row: a metric of the runs of an entry.

    Args:
        metric: of the runs' results.
        words: what the table calls it.
        row: the row's name; of a figure that all entries have, what follows theirs.
        out_of: the metric that it is told as a share of; none where it is empty.
        error: whether what is missing to 100 % is told.
        unit, better, published, source, target, note: see `results.Row`.
    """

    metric: str
    words: str
    row: str = ""
    out_of: str = ""
    error: bool = False
    unit: str = "%"
    better: Literal["higher", "lower"] = "higher"
    published: float | None = None
    source: str | None = None
    target: float | None = None
    note: str = ""

    def value(self, measured: Mapping[str, float | None]) -> float | None:
        """Return the figure of a run; None where its evaluation diverged."""
        value = measured[self.metric]
        if value is None:
            return None
        if self.out_of:
            value /= measured[self.out_of] or math.nan
        if self.error:
            value = 1.0 - value
        return 100.0 * value if self.unit == "%" else float(value)

    @property
    def described(self) -> dict[str, Any]:
        """What the row says beside its figure."""
        names = ("unit", "better", "published", "source", "target")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Runs that differ in their seed alone, and the rows that they fill.

    Args:
        row: its name.
        run: what is trained; its seed, and the place of its data, are set for it.
        figures: rows of its own, by their whole names, besides those that every entry has; all of
            them share its seconds.
        rates: learning rates to choose from; by default the table's.
        seeds: how many runs are reported; by default the table's.
        published, targets: what was published and what is to be reached, by metric.
        source: where it was published.
    """

    row: str
    run: Any
    figures: tuple[Figure, ...] = ()
    rates: tuple[float, ...] = ()
    seeds: int | None = None
    published: Mapping[str, float] = field(default_factory=dict)
    source: str | None = None
    targets: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SeedsTable(PlannedTable):
    """Rows that are means over seeds.

    A kind of table with more to say overrides a method: `notes`, `series`, `rows`.

    Args:
        title: of the table.
        data: what it was measured on, as the table names it.
        entries: what is trained.
        figures: rows that every entry has.
        seeds: how many runs of each entry are reported.
        choose: what decides which run is reported, the next where the one before is equal; the
            mean of all is where there is none.
        selection: how the figures were got, in words; by default what `choose` says.
        contrasts: pairs of rows whose difference is reported, seed by seed.
        selection_of_differences: how theirs were got.
        split: the questions that are reported.
        split_name: the same, as the table names it.
        generated: whether the data are made, and have neither place nor checksum.
        folder: where the run folders go; by default the name of the table.
        rates: learning rates to choose from; none are tried where there are fewer than two.
        trial: most of what a trial learns from, by a field of `training`; empty where no entry
            searches its learning rate.
        choose_rate: what decides between trials.
    """

    title: str
    data: str
    entries: tuple[Entry, ...]
    figures: tuple[Figure, ...] = ()
    seeds: int = 3
    choose: tuple[Criterion, ...] = ()
    selection: str = ""
    contrasts: tuple[tuple[str, str], ...] = ()
    selection_of_differences: str = MEAN
    split: str = "test"
    split_name: str = "test"
    generated: bool = False
    folder: str = ""
    rates: tuple[float, ...] = ()
    trial: Mapping[str, int] = field(default_factory=dict)
    choose_rate: Criterion = Criterion("valid", "loss")

    # Runs

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        wanted = matching(only, name, self.entries, self.names)
        if self.trial:
            yield [job for one in wanted for job in self.trials(one, name, root, data)]
        reported = [job for one in wanted for job in self.jobs(one, name, root, data)]
        # Every row has its first run before any has a second.
        yield sorted(reported, key=lambda job: job.seed)

    def names(self, entry: Entry) -> tuple[str, ...]:
        """Return the rows that `--only` knows an entry by."""
        return tuple(figure.row for figure in entry.figures) or (entry.row,)

    def place(self, entry: Entry) -> str:
        """Return where an entry's run folders go, in the folder of the table."""
        return slug(entry.row)

    def trials(self, entry: Entry, name: str, root: Path, data: Path | None) -> list[Job]:
        """Return the runs that choose an entry's learning rate; none where nothing is chosen."""
        rates = entry.rates or self.rates
        if len(rates) < 2:
            return []
        place = root / (self.folder or name) / self.place(entry)
        names = self.names(entry)
        return [
            Job(
                f"{entry.row}, rate {rate:g}",
                names,
                self._run(entry, rate, TRIAL, data),
                place / f"rate-{rate:g}",
            )
            for rate in rates
        ]

    def jobs(self, entry: Entry, name: str, root: Path, data: Path | None) -> list[Job]:
        """Return the runs of an entry that are reported; none before its trials have ended."""
        rates = entry.rates or self.rates
        trials = self.trials(entry, name, root, data)
        costs = [self._cost(trial) for trial in trials]
        if None in costs:
            return []
        known = [cost for cost in costs if cost is not None]
        rate = rates[known.index(min(known)) if known else 0] if rates else None
        place = root / (self.folder or name) / self.place(entry)
        return [
            Job(
                entry.row,
                self.names(entry),
                self._run(entry, rate, seed, data),
                place / f"{seed}",
            )
            for seed in range(entry.seeds or self.seeds)
        ]

    def possible_runs(self, entry: Entry, seed: int, data: Path | None) -> Iterable[Any]:
        """Return the runs of a seed that may stand behind an entry's rows: one for each rate."""
        rates: tuple[float | None, ...] = entry.rates or self.rates or (None,)
        return [self._run(entry, rate, seed, data) for rate in rates]

    def _run(self, entry: Entry, rate: float | None, seed: int, data: Path | None) -> Any:
        run = entry.run
        if rate is not None:
            limits = self.trial.items() if seed == TRIAL else ()
            shorter = {name: min(getattr(run.training, name), most) for name, most in limits}
            run = replace(run, training=replace(run.training, learning_rate=rate, **shorter))
        return seeded(run, seed, None if self.generated else data)

    def _cost(self, trial: Job) -> float | None:
        """Return what a trial cost, infinite where it diverged; None while it has not ended."""
        if diverged(trial.folder) is not None:
            return math.inf
        done = ran(trial)
        if done is None:
            return None
        cost = self.choose_rate.cost(done.metrics)
        return math.inf if cost is None else cost

    # Rows

    def lacks(self, job: Job, before: results.Table) -> bool:
        if self.choose:
            return super().lacks(job, before)
        entry = next(one for one in self.entries if self.names(one) == job.cells)
        known = self.rows_before(entry, before)
        told = [known.get((one.row, one.words)) for one in self.figures_of(entry)]
        return any(row is None or job.seed not in row.seeds for row in told)

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        found = {
            one.row: gather(self.jobs(one, name, root, data))._replace(
                before=self.rows_before(one, before)
            )
            for one in self.entries
        }
        rows = tuple(self.rows(found, data))
        series = {one.name: one for entry in self.entries for one in self.series(entry, found)}
        measured_on = results.Data(self.data, self.checksum(found, data), self.split_name)
        if before is not None and any(row in before.rows for row in rows if row.seeds):
            series = {one.name: one for one in before.series} | series
            measured_on = before.data or measured_on
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config=self.config(),
            data=measured_on,
            rows=rows,
            series=tuple(series.values()),
        )

    def rows_before(
        self, entry: Entry, before: results.Table | None
    ) -> Mapping[tuple[str, str], results.Row]:
        """Return the rows of a table as it was, unless an entry's configuration has changed."""
        if before is None:
            return {}
        now, told = self.config(), before.config
        if entry.row in now:
            now, told = now[entry.row], told.get(entry.row, {})
        if up_to_date(type(entry.run), as_now(told, now)) != plain(now):
            return {}
        return {(row.row, row.metric): row for row in before.rows}

    def config(self) -> dict[str, Any]:
        """Return what the table says of its runs' configurations."""
        told = to_json if self.generated else lambda run: without_path(to_json(run))
        return {entry.row: told(entry.run) for entry in self.entries}

    def checksum(self, found: Mapping[str, Runs], data: Path | None) -> str | None:
        """Return what identifies the data; None where they are generated, or nothing has run."""
        known = {ran.sha256 for runs in found.values() for ran in runs.done.values()}
        return None if self.generated else ", ".join(sorted(known)) or None

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        """Yield the rows of every entry, and the differences of some."""
        rows: dict[str, results.Row] = {}
        kept: dict[str, frozenset[int]] = {}
        for entry in self.entries:
            for figure in self.figures_of(entry):
                row, without = self.row(entry, figure, found[entry.row])
                rows.setdefault(row.row, row)
                kept.setdefault(row.row, frozenset(range(entry.seeds or self.seeds)) - without)
                yield row
        for name, first, second in self.contrasted(list(rows)):
            runs = len(kept[first] & kept[second])
            yield difference(name, rows[first], rows[second], runs, self.selection_of_differences)

    def figures_of(self, entry: Entry) -> Iterator[Figure]:
        """Yield the figures of an entry: those that every one has, and its own."""
        for figure in self.figures:
            published = entry.published.get(figure.metric, figure.published)
            yield replace(
                figure,
                row=entry.row + figure.row,
                published=published,
                source=None if published is None else entry.source or figure.source,
                target=entry.targets.get(figure.metric, figure.target),
            )
        yield from entry.figures

    def contrasted(self, rows: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Yield the names of differences that are reported, each with its two rows."""
        for first, second in self.contrasts:
            yield f"{first}{MINUS}{second}", first, second

    def row(self, entry: Entry, figure: Figure, runs: Runs) -> tuple[results.Row, frozenset[int]]:
        """Return a row, and the seeds that can have no figure in it."""
        values = self.values(figure, runs)
        runs = runs._replace(lost=runs.lost | (runs.done.keys() - values.keys()))
        commits: list[str | None] = [ran.commit for ran in runs.done.values()]
        wall_s = runs.wall_s / (len(self.figures) + len(entry.figures) or 1)
        fingerprint = runs.fingerprint
        old = runs.before.get((figure.row, figure.words))
        if values and not self.choose and old is not None and (begun := _begun(old, values)):
            values = dict(sorted({**begun, **values}.items()))
            commits.append(old.commit)
            wall_s += (old.wall_s or 0.0) * len(begun) / len(old.seeds)
            fingerprint = old.fingerprint if min(values) in begun else fingerprint
        plain = figure.note, diverged_note(runs.lost)
        notes = self.notes(entry, figure, runs, values) if values else plain
        where = device_note(ran for seed, ran in runs.done.items() if seed in values)
        row = row_of(
            figure.row,
            figure.words,
            values,
            commits=commits,
            whole=len(values) + len(runs.lost) == (entry.seeds or self.seeds),
            note=joined((*notes, where)),
            selection=self.selection or chosen_by(self.choose, entry.seeds or self.seeds),
            reported=values[self.chosen(runs, values)] if values and self.choose else None,
            wall_s=wall_s,
            fingerprint=fingerprint,
            **figure.described,
        )
        if old is not None and len(old.seeds) > len(row.seeds):
            # Of a row to which no figure is to come, the seeds without one have diverged.
            missing = frozenset(range(entry.seeds or self.seeds)) - set(old.seeds)
            return old, missing if old.status == "done" else runs.lost
        return row, runs.lost

    def values(self, figure: Figure, runs: Runs) -> dict[int, float]:
        """Return the figure of every run that has one, and what chooses between them."""
        return {
            seed: value
            for seed, ran in runs.done.items()
            if (value := figure.value(ran.metrics[self.split])) is not None
            and all(one.cost(ran.metrics) is not None for one in self.choose)
        }

    def chosen(self, runs: Runs, values: Iterable[int]) -> int:
        """Return the seed of the run that is reported, of those that have a figure."""
        return min(
            values, key=lambda seed: [one.cost(runs.done[seed].metrics) for one in self.choose]
        )

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        """Yield what a row says beside its figures."""
        yield figure.note
        yield diverged_note(runs.lost)

    def series(self, entry: Entry, found: Mapping[str, Runs]) -> Iterator[results.Series]:
        """Yield the curves of an entry; none by default."""
        return iter(())


def _begun(row: results.Row, values: Mapping[int, float]) -> dict[int, float]:
    """Return what a row that has run in part tells of other seeds than those that are here."""
    if row.status != "partial":
        return {}
    return {
        seed: value for seed, value in zip(row.seeds, row.values, strict=True) if seed not in values
    }


def chosen_by(choose: Sequence[Criterion], runs: int) -> str:
    """Say how a reported figure was got."""
    if not choose:
        return MEAN
    first, *others = map(str, choose)
    return ", then ".join((f"{first} of {runs} runs", *others))


def mean_curve(
    name: str,
    curves: Sequence[Mapping[float, float]],
    spread: Callable[[Sequence[float]], float],
) -> Iterator[results.Series]:
    """Yield the mean of curves where all of them have a point; none where there is none."""
    places = sorted(set(curves[0]).intersection(*curves)) if curves else []
    points = [[curve[place] for curve in curves] for place in places]
    if points:
        yield results.Series(
            name=name,
            x=tuple(places),
            y=tuple(map(statistics.fmean, points)),
            spread=tuple(map(spread, points)) if len(curves) > 1 else None,
        )


def curve(metrics: Mapping[str, float], kind: str) -> dict[float, float]:
    """Return the metrics of a kind, "recall/8" say, by the number behind it, in per cent."""
    parts = ((name.partition("/"), value) for name, value in metrics.items())
    return {
        float(place): 100 * value
        for (name, sign, place), value in parts
        if (name, sign) == (kind, "/")
    }


def half_interval(values: Sequence[float]) -> float:
    """Return half of the width of the 95 % interval of a mean."""
    low, high = results.interval(values) or (0.0, 0.0)
    return (high - low) / 2

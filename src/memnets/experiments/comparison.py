"""Compare models that differ in one part: same text, same symbols, same seeds, same trials.

Every row is the mean over all seeds. Its learning rate is chosen by as many short trials as any
other row's, on the tuning half of the validation text; what is reported is the other half. A
neural cache makes a row of its own from the same runs. A run that diverges, in training or in
evaluation, has no figure: a trial of it is not chosen, and a row says which seeds it is without.
"""

import math
import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

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
from memnets.experiments.searched import TRIAL, Search, stages
from memnets.experiments.tables import COMMAND, PlannedTable

SELECTION = "mean over all seeds, at the rate of the best trial on the tuning half"
CACHED = " + cache"
"""How the name of a row with a neural cache ends."""
MINUS = " minus "
"""What stands in the name of a difference of two rows."""
LOOKS = ", quick bits"
"""How the name of the curve of a row ends: the quick looks during training."""
TOKENS = 1e-3
"""By what share the symbols of two runs may differ: the last update of a run is whole."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A model and its row.

    Args:
        row: its name.
        run: the run; learning rate, seed and place of the data are set for it.
        cached: whether it has a row with a neural cache too.
    """

    row: str
    run: Any
    cached: bool = False

    @property
    def rows(self) -> dict[str, str]:
        """The metric of every row that the runs fill, by its name."""
        cached = {self.row + CACHED: "cache_bits/reporting"} if self.cached else {}
        return {self.row: "bits/reporting", **cached}


@dataclass(frozen=True, kw_only=True)
class Comparison(PlannedTable):
    """Rows that are compared.

    Args:
        title: of the table.
        data: the text, as the table names it.
        metric: in words.
        entries: the models.
        baselines: rows that every other one is compared with, seed by seed.
        rates: learning rates that are tried for every row.
        trial_tokens: how many symbols a trial learns from.
        seeds: how many runs are reported.
    """

    title: str
    data: str
    metric: str
    entries: tuple[Entry, ...]
    baselines: tuple[str, ...]
    rates: tuple[float, ...] = (0.001, 0.003, 0.01)
    trial_tokens: int = 1_000_000
    seeds: int = 3

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        return stages(name, searches(name, self, root, data), only)

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        return collect(name, self, root, data)


class Ran(NamedTuple):
    """A finished run as the table sees it."""

    row: str
    seed: int
    tokens: float
    decoder: str
    sha256: str
    metrics: Mapping[str, Any]
    commit: str
    wall_s: float
    core: int
    """Parameters of the core; 0 where the model has no such part."""
    all: int
    looks: Mapping[float, float] = {}
    """Bits of the quick look after so many symbols."""


def searches(name: str, table: Comparison, root: Path, data: Path | None) -> list[Search]:
    """Return the runs of every entry; a trial learns from fewer symbols."""

    def run(entry: Entry, rate: float, seed: int) -> Any:
        tokens = entry.run.training.tokens
        if seed == TRIAL:
            tokens = min(table.trial_tokens, tokens)
        training = replace(entry.run.training, learning_rate=rate, tokens=tokens)
        return seeded(replace(entry.run, training=training), seed, data)

    return [
        Search(
            row=entry.row,
            rows=tuple(entry.rows),
            folder=root / name / slug(entry.row),
            rates=table.rates,
            seeds=table.seeds,
            run=partial(run, entry),
            loss=partial(_tuning_bits, entry),
        )
        for entry in table.entries
    ]


def _tuning_bits(entry: Entry, job: Job) -> float | None:
    """Return the bits of a trial, infinite where it has none; None while it is not finished."""
    trial = ran(entry, job)
    if trial is None:
        return None
    bits = trial.metrics["bits/tuning"]
    return math.inf if bits is None else float(bits)


def ran(entry: Entry, job: Job) -> Ran | None:
    """Return what a job has measured; None while it is not finished, or where it diverged.

    Raises:
        ValueError: its folder holds a run of another configuration.
    """
    folder = finished(job)
    if folder is None or (result := folder.result) is None:
        return None
    core, everything = _parameters(folder.weights)
    symbols = len(folder.read_json("vocabulary.json")["symbols"])
    around = entry.run.model
    tied = "tied" if around.tied else "of its own weights"
    return Ran(
        row=entry.row,
        seed=folder.record["seed"],
        tokens=result["seen"],
        decoder=f"softmax over {symbols} symbols, {tied}, dropout {around.dropout:g}",
        sha256=folder.record["data"]["sha256"],
        metrics=result["metrics"]["valid"],
        commit=str(folder.record["commit"]),
        wall_s=result["wall_s"],
        core=core,
        all=everything,
        looks={
            line["seen"]: line["quick"]["bits"]
            for line in folder.log()
            if line["quick"]["bits"] is not None
        },
    )


def check_alike(runs: Sequence[Ran], seeds: int) -> None:
    """Refuse runs that may not stand in one table.

    Raises:
        ValueError: two runs differ in symbols learnt from, decoder or text, or a row in its seeds.
    """
    for run in runs:
        first = runs[0]
        for what in ("decoder", "sha256"):
            if getattr(run, what) != getattr(first, what):
                raise _unlike(what, first, run, getattr(first, what), getattr(run, what))
        if abs(run.tokens - first.tokens) > TOKENS * first.tokens:
            raise _unlike("tokens", first, run, f"{first.tokens:,.0f}", f"{run.tokens:,.0f}")
    for row, mine in groupby(sorted(runs, key=_row_of), key=_row_of):
        _check_seeds(row, [run.seed for run in mine], seeds)


def _row_of(run: Ran) -> str:
    return run.row


def _check_seeds(row: str, found: Sequence[int], seeds: int) -> None:
    """Refuse a row that would have other seeds than the rest once it is whole."""
    if len(set(found)) < len(found) or not set(found) <= set(range(seeds)):
        raise ValueError(
            f"the row {row!r} differs in seeds: {', '.join(map(str, sorted(found)))}. Every row "
            f"has one run of each seed from 0 to {seeds - 1}: remove the other runs."
        )


def _unlike(what: str, first: Ran, run: Ran, expected: object, found: object) -> ValueError:
    return ValueError(
        f"the rows {first.row!r} and {run.row!r} differ in {what}: {expected} and {found} (seed "
        f"{run.seed}). Rows are compared on equal terms only: run both anew with the same."
    )


def collect(name: str, table: Comparison, root: Path, data: Path | None) -> results.Table:
    """Make the table from the runs that are finished; the rest says that it was not run.

    Raises:
        ValueError: the runs may not be compared.
    """
    searched = {search.row: search for search in searches(name, table, root, data)}
    jobs = {row: search.reported() for row, search in searched.items()}
    found = {
        entry.row: [one for job in jobs[entry.row] if (one := ran(entry, job)) is not None]
        for entry in table.entries
    }
    every = [run for runs in found.values() for run in runs]
    check_alike(every, table.seeds)
    rows, bits = [], {}
    for entry in table.entries:
        rate = searched[entry.row].rate()
        broken = {job.seed for job in jobs[entry.row] if diverged(job.folder) is not None}
        for row, metric in entry.rows.items():
            bits[row] = _bits(found[entry.row], metric, broken)
            rows.append(_row(table, entry, row, bits[row], found[entry.row], rate))
    commits = sorted({run.commit for run in every})
    return results.Table(
        name=name,
        command=f"{COMMAND} {name}",
        config={entry.row: without_path(to_json(entry.run)) for entry in table.entries},
        data=results.Data(
            table.data, every[0].sha256 if every else None, "valid, second half (reporting)"
        ),
        rows=(*rows, *_differences(table, bits, commits)),
        series=tuple(filter(None, (_curve(row, runs) for row, runs in found.items()))),
    )


class _Bits(NamedTuple):
    """The figures of a row's seeds."""

    values: dict[int, float]
    broken: set[int]
    """Seeds whose runs diverged."""

    @property
    def ended(self) -> set[int]:
        return self.values.keys() | self.broken


def _bits(runs: Sequence[Ran], metric: str, broken: Collection[int]) -> _Bits:
    bits = {run.seed: run.metrics[metric] for run in runs}
    values = {seed: float(one) for seed, one in bits.items() if one is not None}
    return _Bits(values, {*broken, *(bits.keys() - values.keys())})


def _curve(row: str, runs: Sequence[Ran]) -> results.Series | None:
    """Return the mean of the quick looks of a row's runs, with their standard deviation."""
    places = sorted(set(runs[0].looks).intersection(*(run.looks for run in runs))) if runs else []
    if not places:
        return None
    bits = [[run.looks[place] for run in runs] for place in places]
    return results.Series(
        name=f"{row}{LOOKS}",
        x=tuple(places),
        y=tuple(map(statistics.fmean, bits)),
        spread=tuple(map(statistics.stdev, bits)) if len(runs) > 1 else None,
    )


def _row(
    table: Comparison,
    entry: Entry,
    row: str,
    bits: _Bits,
    runs: Sequence[Ran],
    rate: float | None,
) -> results.Row:
    if not bits.values:
        note = diverged_note(bits.broken)
        return results.not_run(row, table.metric, unit="bits", better="lower", note=note)
    measured = results.measured(
        row,
        table.metric,
        bits.values,
        unit="bits",
        better="lower",
        selection=SELECTION,
        status="done" if len(bits.ended) == table.seeds else "partial",
        wall_s=sum(run.wall_s for run in runs),
        note="; ".join(filter(None, _notes(table, entry, row, runs, rate, bits.broken))),
    )
    return replace(measured, commit=", ".join(sorted({run.commit for run in runs})))


def _notes(
    table: Comparison,
    entry: Entry,
    row: str,
    runs: Sequence[Ran],
    rate: float | None,
    broken: Collection[int],
) -> Iterator[str]:
    yield f"rate {rate:g} of {', '.join(f'{one:g}' for one in table.rates)}"
    core = f"{runs[0].core:,} in the core, " if runs[0].core else ""
    yield f"parameters: {core}{runs[0].all:,} in all"
    yield f"{runs[0].tokens:,.0f} symbols a run"
    yield diverged_note(broken)
    if row != entry.row:
        pairs = (
            f"{run.metrics['cache_flatness']:g}/{run.metrics['cache_share']:g}" for run in runs
        )
        yield f"flatness/share of the cache, a seed: {', '.join(pairs)}"


def _differences(
    table: Comparison, bits: Mapping[str, _Bits], commits: Sequence[str]
) -> Iterator[results.Row]:
    """Yield how much more every row costs than each baseline, seed by seed, with its interval."""
    metric = f"difference in {table.metric}"
    for baseline in table.baselines:
        for row in (row for row in bits if row != baseline):
            name = f"{row}{MINUS}{baseline}"
            one, other = bits[row], bits[baseline]
            shared = sorted(one.values.keys() & other.values.keys())
            differences = {seed: one.values[seed] - other.values[seed] for seed in shared}
            interval = results.interval(list(differences.values()))
            if interval is None:
                yield results.not_run(name, metric, unit="bits", better="lower")
                continue
            measured = results.measured(
                name,
                metric,
                differences,
                unit="bits",
                better="lower",
                selection="mean over all seeds",
                status="done" if len(one.ended & other.ended) == table.seeds else "partial",
                note=f"95 % interval {interval[0]:.3f} to {interval[1]:.3f}",
            )
            yield replace(measured, commit=", ".join(commits))


def _parameters(weights: Path) -> tuple[int, int]:
    """Return how many numbers the core has, and how many the model."""
    from safetensors import safe_open

    with safe_open(weights, framework="numpy") as file:
        names = list(file.keys())
        sizes = {name: math.prod(file.get_slice(name).get_shape()) for name in names}
    core = sum(size for name, size in sizes.items() if name.startswith("core."))
    return core, sum(sizes.values())

"""Compare models that differ in one part: same text, same symbols, same seeds, same trials.

Every row is the mean over all seeds. Its learning rate is chosen by as many short trials as any
other row's, on the tuning half of the validation text; what is reported is the other half. A
neural cache makes a row of its own from the same runs. A run that diverges, in training or in
evaluation, has no figure: a trial of it is not chosen, and a row says which seeds it is without.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from memnets import results
from memnets.experiments.jobs import FinishedRun, Runs, diverged_note
from memnets.experiments.seeds import Entry, Figure, SeedsTable, mean_curve
from memnets.experiments.tables import MINUS, Criterion

CACHED = " + cache"
"""How the name of a row with a neural cache ends."""
LOOKS = ", quick bits"
"""How the name of the curve of a row ends: the quick looks during training."""
TOKENS = 1e-3
"""By what share the symbols of two runs may differ: the last update of a run is whole."""


@dataclass(frozen=True, kw_only=True)
class Comparison(SeedsTable):
    """Language models that are compared, by the bits of a symbol.

    Args:
        metric: in words.
        cached: entries that have a row with a neural cache too.
        baselines: rows that every other one is compared with, seed by seed.
    """

    metric: str
    cached: tuple[str, ...] = ()
    baselines: tuple[str, ...]
    selection: str = "mean over all seeds, at the rate of the best trial on the tuning half"
    split: str = "valid"
    split_name: str = "valid, second half (reporting)"
    rates: tuple[float, ...] = (0.001, 0.003, 0.01)
    trial: Mapping[str, int] = field(default_factory=lambda: {"tokens": 1_000_000})
    choose_rate: Criterion = Criterion("valid", "bits/tuning")

    def names(self, entry: Entry) -> tuple[str, ...]:
        return tuple(figure.row for figure in self.figures_of(entry))

    def figures_of(self, entry: Entry) -> Iterator[Figure]:
        rows = {entry.row: "bits/reporting"}
        if entry.row in self.cached:
            rows[entry.row + CACHED] = "cache_bits/reporting"
        for row, metric in rows.items():
            yield Figure(row=row, metric=metric, words=self.metric, unit="bits", better="lower")

    def contrasted(self, rows: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        for other in self.baselines:
            yield from ((f"{row}{MINUS}{other}", row, other) for row in rows if row != other)

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        """Yield the rows, with the differences.

        Raises:
            ValueError: the runs may not be compared.
        """
        every = [Terms.of(row, ran) for row, runs in found.items() for ran in runs.done.values()]
        check_alike(every)
        return super().rows(found, data)

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        done = list(runs.done.values())
        rate = done[0].run.training.learning_rate
        yield f"rate {rate:g} of {', '.join(f'{one:g}' for one in entry.rates or self.rates)}"
        core, everything = _parameters(done[0].folder.weights)
        yield f"parameters: {f'{core:,} in the core, ' if core else ''}{everything:,} in all"
        yield f"{done[0].result['seen']:,.0f} symbols a run"
        yield diverged_note(runs.lost)
        if figure.row != entry.row:
            caches = [ran.metrics[self.split] for ran in done]
            pairs = (f"{one['cache_flatness']:g}/{one['cache_share']:g}" for one in caches)
            yield f"flatness/share of the cache, a seed: {', '.join(pairs)}"

    def series(self, entry: Entry, found: Mapping[str, Runs]) -> Iterator[results.Series]:
        """Return the mean of the quick looks of the runs, with their standard deviation."""
        looks = [_looks(ran) for ran in found[entry.row].done.values()]
        return mean_curve(f"{entry.row}{LOOKS}", looks, statistics.stdev)


class Terms(NamedTuple):
    """On which terms a run was made: those of one table are alike."""

    row: str
    seed: int
    tokens: float
    decoder: str
    sha256: str

    @classmethod
    def of(cls, row: str, ran: FinishedRun) -> "Terms":
        symbols = len(ran.folder.read_json("vocabulary.json")["symbols"])
        around = ran.run.model
        tied = "tied" if around.tied else "of its own weights"
        return cls(
            row=row,
            seed=ran.folder.record["seed"],
            tokens=ran.result["seen"],
            decoder=f"softmax over {symbols} symbols, {tied}, dropout {around.dropout:g}",
            sha256=ran.sha256,
        )


def check_alike(runs: Sequence[Terms]) -> None:
    """Refuse runs that may not stand in one table.

    Raises:
        ValueError: two runs differ in symbols learnt from, decoder or text.
    """
    for run in runs:
        first = runs[0]
        for what in ("decoder", "sha256"):
            if getattr(run, what) != getattr(first, what):
                raise _unlike(what, first, run, getattr(first, what), getattr(run, what))
        if abs(run.tokens - first.tokens) > TOKENS * first.tokens:
            raise _unlike("tokens", first, run, f"{first.tokens:,.0f}", f"{run.tokens:,.0f}")


def _unlike(what: str, first: Terms, run: Terms, expected: object, found: object) -> ValueError:
    return ValueError(
        f"the rows {first.row!r} and {run.row!r} differ in {what}: {expected} and {found} (seed "
        f"{run.seed}). Rows are compared on equal terms only: run both anew with the same."
    )


def _looks(ran: FinishedRun) -> dict[float, float]:
    """Return the bits of the quick look after so many symbols."""
    lines = ((line["seen"], line["quick"]["bits"]) for line in ran.folder.log())
    return {seen: bits for seen, bits in lines if bits is not None}


def _parameters(weights: Path) -> tuple[int, int]:
    """Return how many numbers the core has, 0 where there is none, and how many the model."""
    from safetensors import safe_open

    with safe_open(weights, framework="numpy") as file:
        names = list(file.keys())
        sizes = {name: math.prod(file.get_slice(name).get_shape()) for name in names}
    core = sum(size for name, size in sizes.items() if name.startswith("core."))
    return core, sum(sizes.values())

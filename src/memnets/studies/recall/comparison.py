"""A table of recall: what its rows say, and the curves by lag and by age.

Every row is the mean of three seeds. Where its learning rate is searched, one run of another seed,
of 1,000 updates at most, is made for each rate, and the best on the validation questions is taken:
for CRAN and LSTM alike.
"""

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memnets import results
from memnets.experiments.jobs import Runs, diverged_note
from memnets.experiments.seeds import (
    Entry,
    Figure,
    SeedsTable,
    curve,
    half_interval,
    mean_curve,
)
from memnets.experiments.tables import Criterion, interval_note

WORDS = {
    "accuracy": "questions right",
    "accuracy_near": "asked within a window's length",
    "accuracy_beyond": "asked later than any window reaches",
    "gold_read": "step that told is read most",
    "gold_zone": "zone that told is among the chosen",
}


def figures(*metrics: str) -> tuple[Figure, ...]:
    """Return metrics as rows, the accuracy first."""
    others = (Figure(metric=one, words=WORDS[one], row=f": {WORDS[one]}") for one in metrics)
    return (Figure(metric="accuracy", words=WORDS["accuracy"]), *others)


@dataclass(frozen=True, kw_only=True)
class RecallTable(SeedsTable):
    """Rows that are compared with each other, on the same questions."""

    figures: tuple[Figure, ...] = figures()
    selection: str = "mean over all seeds, after the last update"
    generated: bool = True
    trial: Mapping[str, int] = field(default_factory=lambda: {"updates": 1000})
    choose_rate: Criterion = Criterion("valid", "accuracy", "higher")

    def figures_of(self, entry: Entry) -> Iterator[Figure]:
        """Yield the figures that a row can have: a core without zones cannot tell what it read."""
        zoned = entry.run.memory is not None
        return (
            one for one in super().figures_of(entry) if zoned or not one.metric.startswith("gold")
        )

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        done = list(runs.done.values())
        yield interval_note(list(values.values()), within=(0.0, 100.0))
        ceiling = figure.metric.replace("accuracy", "ceiling")
        reachable = [ran.metrics["test"].get(ceiling) for ran in done]
        told = [100 * one for one in reachable if one is not None]
        if ceiling != figure.metric and told and entry.run.memory is not None:
            yield f"ceiling {statistics.fmean(told):.1f}"
        if figure.metric == "accuracy":
            training = done[0].run.training
            searched = f", best of {len(entry.rates)}" if entry.rates else ""
            yield f"{training.total:,} updates at {training.learning_rate:g}{searched}"
        yield diverged_note(runs.lost)

    def series(self, entry: Entry, found: Mapping[str, Runs]) -> Iterator[results.Series]:
        """Yield the mean accuracy by lag, or by age, with half of its interval."""
        for kind in ("recall", "cliff", "young"):
            curves = [curve(ran.metrics["test"], kind) for ran in found[entry.row].done.values()]
            yield from mean_curve(f"{entry.row}, {kind}", curves, half_interval)

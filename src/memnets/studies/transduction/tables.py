"""Simple, sigmoid and structured attention on equal terms: trees, and words in another order.

All rows of a task have the same sizes, data and training. Kim et al.'s own figures are of other
data, which is not to be had.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.transduction.recipes import Transduction, order, trees

SEEDS = 4
COMPARED = 8
"""Runs of a row whose difference is told: what is learnt from few examples varies."""


@dataclass(frozen=True, kw_only=True)
class TransductionTable(SeedsTable):
    """Rows with the interval of their mean."""

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))


def structured_attention() -> TransductionTable:
    """Simple, sigmoid and structured attention on trees and on words in another order."""

    contrasts = (
        ("trees, projective", "trees, simple"),
        ("trees, non-projective", "trees, simple"),
        ("order, linear chain", "order, simple"),
        ("order, segments", "order, simple"),
    )
    compared = {row for pair in contrasts for row in pair}

    def entry(row: str, run: Transduction, **model: Any) -> Entry:
        seeds = COMPARED if row in compared else SEEDS
        return Entry(row=row, run=replace(run, model=replace(run.model, **model)), seeds=seeds)

    return TransductionTable(
        title="Structured attention: trees from prefix to infix, letters to words (generated)",
        data="generated pairs, 500 of each task, that chose nothing",
        entries=(
            entry("trees, no heads", trees(), heads="none"),
            entry("trees, simple", trees(), heads="simple"),
            entry("trees, sigmoid", trees(), heads="sigmoid"),
            entry("trees, projective", trees(), heads="projective"),
            entry("trees, non-projective", trees(), heads="non-projective"),
            entry("order, simple", order(), align="softmax"),
            entry("order, sigmoid", order(), align="sigmoid"),
            entry("order, linear chain", order(), align="linear-chain"),
            entry("order, segments", order(), align="segments"),
        ),
        figures=(
            Figure(metric="until_failure", words="right before the first failure"),
            Figure(row=", whole", metric="sequences", words="targets right"),
        ),
        seeds=SEEDS,
        generated=True,
        selection="mean over all seeds; epoch by other pairs",
        contrasts=contrasts,
    )


TABLES = {
    "structured-attention": structured_attention,
}

"""The five problems of the Neural Turing Machine's paper, beside an LSTM of as many parameters.

A Turing machine and an LSTM are shown as many sequences, a memory that is addressed by content
alone fewer of them and once, for it has no fast op. Validation sequences choose the weights, test
sequences of each length are reported, the same ones for every run.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memnets.experiments.configs.ntm import ContentCore, ScoreName
from memnets.experiments.jobs import Runs, skipped_note
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.sequences import recipes
from memnets.studies.sequences.recipes import (
    LSTMSequences,
    NTMSequences,
    SequencesRun,
)

SCORES: tuple[ScoreName, ...] = ("dot", "scaled-dot", "general", "additive", "cosine", "strength")


@dataclass(frozen=True, kw_only=True)
class SequencesTable(SeedsTable):
    """Rows of bits a sequence."""

    generated: bool = True
    split_name: str = "test, 200 sequences a length"

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()), figure.unit, within=(0.0, math.inf))
        yield skipped_note({seed: ran.result.get("skipped", 0) for seed, ran in runs.done.items()})
        training = entry.run.training
        yield f"{training.updates * training.batch:,} sequences"


def _bits(metric: str, words: str, row: str = "") -> Figure:
    return Figure(metric=metric, words=words, row=row, unit="bits", better="lower")


def _figures(sizes: tuple[int, ...], words: str) -> tuple[Figure, ...]:
    """Return the bits of a sequence that was learnt from, and of others."""
    beyond = [_bits(f"bits_{n}", f"bits, {n} {words}", f": {n} {words}") for n in sizes]
    return (_bits("bits", "bits a sequence"), *beyond)


def _beside(run: SequencesRun, seeds: int = 3, **targets: float) -> tuple[Entry, ...]:
    """Return a Turing machine with either controller, and an LSTM, of one training.

    The first has runs of its own number, for it is asked in how many of them it learns.
    """
    assert isinstance(run, NTMSequences)
    return (
        Entry(row="NTM, LSTM controller", run=run, targets=targets, seeds=seeds),
        Entry(
            row="NTM, feed-forward controller",
            run=replace(run, core=replace(run.core, controller="feed-forward")),
        ),
        Entry(row="LSTM", run=LSTMSequences(data=run.data, training=run.training)),
    )


def ntm_copy() -> SequencesTable:
    """Copying 1 to 20 vectors, tested beyond; and by content alone, with every score."""
    run = recipes.copy()
    by_content = tuple(
        Entry(
            row=f"content alone, {score}",
            run=replace(recipes.copy_content(), core=ContentCore(score=score)),
            seeds=1,
        )
        for score in SCORES
    )
    return SequencesTable(
        title="Copying: a Turing machine beside an LSTM, and beside content alone",
        data="sequences to be copied, generated",
        entries=(*_beside(run, 5, bits=0.1), *by_content),
        figures=_figures((20, 30, 50, 120), "vectors"),
    )


def ntm_repeat_copy() -> SequencesTable:
    """Copying 1 to 10 vectors up to 10 times, tested at ten times, and at twice the length."""
    return SequencesTable(
        title="Repeat copy: a Turing machine beside an LSTM",
        data="sequences to be copied many times, generated",
        entries=_beside(recipes.repeat_copy(), 5, bits=1.0),
        figures=_figures((10, 20), "vectors, ten times"),
    )


def ntm_recall() -> SequencesTable:
    """Which item came after another, of 2 to 6 items, tested with up to 15."""
    return SequencesTable(
        title="Associative recall: a Turing machine beside an LSTM",
        data="items of three vectors, generated",
        entries=_beside(recipes.associative_recall(), 5, bits_6=1.0),
        figures=_figures((6, 8, 10, 12, 15), "items"),
    )


def ntm_n_grams() -> SequencesTable:
    """Predicting 200 bits of a law that every sequence has of its own, beside the best there is."""
    first, feed_forward, lstm = _beside(recipes.n_grams(), above=4.0)
    slower = replace(feed_forward.run.training, learning_rate=3e-5)  # at 1e-4 gradients break it
    feed_forward = replace(feed_forward, run=replace(feed_forward.run, training=slower))
    return SequencesTable(
        title="Dynamic n-grams: a Turing machine beside an LSTM, above the best estimator",
        data="bits after histories of five, generated",
        entries=(first, feed_forward, lstm),
        figures=(
            _bits("bits", "bits a sequence"),
            _bits("above", "bits above the best estimator", ": above the best estimator"),
        ),
    )


def ntm_sort() -> SequencesTable:
    """Saying the 16 vectors of the highest priority out of 20, in their order."""
    return SequencesTable(
        title="Priority sort: a Turing machine beside an LSTM",
        data="vectors with priorities, generated",
        entries=_beside(recipes.priority_sort()),
        figures=_figures((), "vectors"),
    )


TABLES = {
    "ntm-copy": ntm_copy,
    "ntm-repeat-copy": ntm_repeat_copy,
    "ntm-recall": ntm_recall,
    "ntm-n-grams": ntm_n_grams,
    "ntm-sort": ntm_sort,
}

"""Scores, aligns and decoders on one task: the captions of Multi30k, German to English.

All rows have the same sizes, data and number of trials of the learning rate. Rates and epochs are
chosen by one half of the validation pairs, the other half is reported.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memnets import results
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import (
    Entry,
    Figure,
    SeedsTable,
    curve,
    half_interval,
    mean_curve,
)
from memnets.experiments.tables import interval_note
from memnets.studies.translation.data import TOYS
from memnets.studies.translation.recipes import Translation, TranslationModel, reversal
from memnets.training.config import Loop

SEEDS = 3
"""Runs of the rows that are compared with intervals."""
RATES = (0.002, 0.005)
TRIAL_EPOCHS = 1
TARGET, TOY_TARGET = 25.0, 99.0
LINKED = "words whose most read source word is linked"


@dataclass(frozen=True, kw_only=True)
class TranslationTable(SeedsTable):
    """Rows with a curve each: BLEU by the length of the source."""

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))

    def series(self, entry: Entry, found: Mapping[str, Runs]) -> Iterator[results.Series]:
        curves = [
            {length: bleu / 100 for length, bleu in curve(ran.metrics["test"], "bleu").items()}
            for ran in found[entry.row].done.values()
        ]
        yield from mean_curve(entry.row, curves, half_interval)


def translation_attention() -> TranslationTable:
    """Every score under softmax, aligns of one score, feeding, and no attention, on Multi30k."""

    def entry(row: str, seeds: int = 1, **model: Any) -> Entry:
        run = Translation(
            model=replace(TranslationModel(decoder="luong"), **model),
            loop=Loop(precision="bf16-mixed"),
        )
        linked = Figure(metric="linked", words=LINKED, row=f"{row}, links")
        return Entry(row=row, run=run, seeds=seeds, figures=(linked,) if run.model.reads else ())

    scores = ("additive", "dot", "scaled", "projected", "concat", "cosine", "location")
    aligns = ("local-m", "local-p", "straight-through", "sampled")
    search = entry("RNNsearch", SEEDS, decoder="rnnsearch")
    unread = (
        Figure(metric="linked_diagonal", words=LINKED, row="the diagonal, links"),
        Figure(metric="linked_chance", words=LINKED, row="chance, links"),
    )
    return TranslationTable(
        title="Translation of captions: scores, aligns and decoders (Multi30k, de to en)",
        data="Multi30k, odd pairs of the validation part",
        entries=(
            replace(search, targets={"bleu": TARGET}, figures=(*search.figures, *unread)),
            entry("Luong, general", SEEDS, score="general"),
            entry("Luong, general, input feeding", SEEDS, decoder="luong-fed", score="general"),
            entry("Luong, no attention", SEEDS, score="none"),
            *(entry(f"Luong, {score}", score=score) for score in scores),
            *(entry(f"Luong, general, {align}", score="general", align=align) for align in aligns),
        ),
        figures=(
            Figure(metric="bleu", words="BLEU", unit="BLEU"),
            Figure(
                metric="loss", words="loss of a symbol", row=", loss", unit="nats", better="lower"
            ),
        ),
        seeds=SEEDS,
        rates=RATES,
        trial={"epochs": TRIAL_EPOCHS},
        selection="mean over all seeds; rate and epoch by the even pairs",
        contrasts=(
            ("Luong, general", "Luong, no attention"),
            ("Luong, general, input feeding", "Luong, general"),
            ("RNNsearch", "Luong, no attention"),
        ),
    )


def translation_toys() -> SeedsTable:
    """Letters copied, and said from behind: whether attention finds the one that is to be said."""
    toys = reversal()
    decoders = {
        "RNNsearch": toys.model,
        "Luong": replace(toys.model, decoder="luong", score="general"),
        "Luong, input feeding": replace(toys.model, decoder="luong-fed", score="general"),
    }
    runs = {
        f"{name}, {pairs}": replace(toys, model=model, data=replace(toys.data, pairs=pairs))
        for name, model in decoders.items()
        for pairs in TOYS
    }
    return SeedsTable(
        title="Four to twelve letters, copied and said from behind",
        data="4,000 generated pairs; 300 others are reported",
        entries=tuple(
            Entry(row=row, run=run, targets={"sentences": TOY_TARGET, "linked": TOY_TARGET})
            for row, run in runs.items()
        ),
        figures=(
            Figure(metric="sentences", words="whole sentences right"),
            Figure(metric="linked", words=LINKED, row=", links"),
        ),
        seeds=SEEDS,
        generated=True,
    )


TABLES = {
    "translation-attention": translation_attention,
    "translation-toys": translation_toys,
}

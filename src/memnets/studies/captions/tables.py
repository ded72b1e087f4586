"""Soft and hard attention on pictures of which it is known where every word should look."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memnets.data.pictures.metrics import ORDERS
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.captions.data import CaptionData
from memnets.studies.captions.recipes import (
    Captions,
    digits,
    flickr8k,
    shape_scenes,
    shape_scenes_hard,
)

SEEDS = 3
PENALTY = 1.0
"""The weight of the authors' script, in the paper's scaling."""
LOOKED = {
    "pointing": "words whose place of highest weight is on what they name",
    "mass": "weight on what a word names",
    "chance": "of a random place",
    "shuffled": "pointing by another picture's weights",
}
"""Metrics of the attention, in per cent."""
DELETED = {
    "deleted": "log p that a word loses without the place it looked at most",
    "deleted_random": "without a random place",
}
DRAWN = {
    "exact_argmax": "whole captions right, argmax at test",
    "exact_expectation": "whole captions right, expectation at test",
    "exact_sample": "whole captions right, a sample at test",
}
SCATTER = {
    "scatter_without_baseline": "variance of the gradient without a baseline, of that with one",
    "scatter_4_draws": "variance with four draws, of that with one",
}
SOFT_ATTENTION = (67.0, 44.8, 29.9, 19.5)
"""BLEU-1 to BLEU-4 of soft attention on Flickr8k (Xu et al., 2015, Table 1), of 6,000 photos seen
through a VGG trained on ImageNet, without a brevity penalty."""


@dataclass(frozen=True, kw_only=True)
class CaptionTable(SeedsTable):
    """Rows with the interval of their mean."""

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))

    def names(self, entry: Entry) -> tuple[str, ...]:
        return (entry.row,)


def entry(
    row: str, run: Captions, seeds: int = SEEDS, targets: Mapping[str, float] | None = None
) -> Entry:
    """Return runs of a configuration, with the figures that they have."""
    aims = targets or {}

    def figure(metric: str, words: str, unit: str = "%") -> Figure:
        target = aims.get(metric)
        return Figure(metric=metric, words=words, row=f"{row}, {metric}", unit=unit, target=target)

    figures = [
        figure("exact", "whole captions right, greedy"),
        figure("exact_beam", "whole captions right, beam of 5"),
        figure("tokens", "words right, those before given"),
    ]
    if run.model.attention != "none":
        figures += [figure(metric, words) for metric, words in LOOKED.items()]
        figures += [figure(metric, words, "nats") for metric, words in DELETED.items()]
    if run.model.attention == "hard":
        figures += [figure(metric, words) for metric, words in DRAWN.items()]
        figures += [
            replace(figure(metric, words, "of it"), better="lower")
            for metric, words in SCATTER.items()
        ]
    return Entry(row=row, run=run, figures=tuple(figures), seeds=seeds)


def captions() -> CaptionTable:
    """Soft, hard and no attention on shapes and digits: captions, and where their words look."""
    soft, hard, grid = shape_scenes(), shape_scenes_hard(), digits()

    def model(run: Captions, **changed: object) -> Captions:
        return replace(run, model=replace(run.model, **changed))  # type: ignore[arg-type]

    def training(run: Captions, **changed: object) -> Captions:
        return replace(run, training=replace(run.training, **changed))  # type: ignore[arg-type]

    apart = replace(soft, data=CaptionData(unseen_pairs=3))
    as_run = replace(hard, model=replace(hard.model, variant="as-run", test="expectation"))
    aims = {"tokens": 95.0, "exact": 80.0, "pointing": 60.0}
    return CaptionTable(
        title="Captions of pictures whose objects are known",
        data="ShapeScenes, and grids of scikit-learn's digits",
        entries=(
            entry("soft", soft, targets=aims),
            entry("soft, no gate", model(soft, variant="ungated")),
            entry("soft, penalty", training(soft, penalty=PENALTY)),
            entry("soft, as run", model(soft, variant="as-run")),
            entry("no attention", model(soft, attention="none")),
            entry("hard", hard),
            entry("hard, full reward", training(hard, reward=1.0), 1),
            entry("hard, 4 draws", training(hard, samples=4), 1),
            entry("hard, no coin", model(hard, coin=0.0), 1),
            entry("hard, as run", training(as_run, entropy=0.0, reward=1.0)),
            entry("soft, unseen pairs", apart, 1),
            entry("digits, soft", grid),
            entry("digits, soft, penalty", training(grid, penalty=PENALTY)),
            entry("digits, no attention", model(grid, attention="none")),
        ),
        seeds=SEEDS,
        generated=True,
        selection="mean over all seeds; epoch by validation pictures",
        contrasts=(
            ("soft, exact", "hard, exact"),
            ("soft, exact", "no attention, exact"),
            ("soft, pointing", "soft, no gate, pointing"),
            ("soft, pointing", "soft, penalty, pointing"),
            ("digits, soft, exact", "digits, no attention, exact"),
        ),
    )


def _told(row: str, run: Captions, published: tuple[float, ...] = ()) -> Entry:
    """Return runs on photos, with the scores of their captions."""
    figures = []
    for order in range(1, ORDERS + 1):
        name = f"bleu_{order}"
        plain = Figure(metric=name, words=f"BLEU-{order}", row=f"{row}, {name}", unit="")
        unpunished = replace(
            plain,
            metric=f"{name}_unpunished",
            words=f"BLEU-{order}, without brevity penalty",
            row=f"{row}, {name}_unpunished",
        )
        if published:
            known = published[order - 1]
            unpunished = replace(unpunished, published=known, source="Xu et al., 2015, Table 1")
        figures += [unpunished, plain]
    for metric, words in (
        ("cider", "CIDEr-D"),
        ("cider_shuffled", "CIDEr-D of what is said of another photo"),
    ):
        figures.append(Figure(metric=metric, words=words, row=f"{row}, {metric}", unit=""))
    return Entry(row=row, run=run, figures=(*figures,))


def photos() -> CaptionTable:
    """Soft and no attention on photos, beside the paper's figures of more photos and VGG."""
    soft = flickr8k()
    blind = replace(soft, model=replace(soft.model, attention="none"))
    return CaptionTable(
        title="Captions of photos",
        data="Flickr8k, 1,000 photos",
        entries=(
            _told("soft", soft, SOFT_ATTENTION),
            _told("no attention", blind),
        ),
        seeds=SEEDS,
        selection="mean over all seeds; epoch by photos that are held back",
        contrasts=(
            ("soft, cider", "no attention, cider"),
            ("soft, cider", "soft, cider_shuffled"),
        ),
    )


TABLES = {"captions": captions, "captions-photos": photos}

"""Learn to say captions word by word, and measure them, and where their words look."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention import Align, Baseline
from memnets.data.pairs import END, SentenceVocabulary
from memnets.models.show_attend_tell import Captioner, Drawn, Told
from memnets.studies.captions.controls import deletion, gradient_scatter, turned
from memnets.studies.captions.encoding import NumberedCaptions
from memnets.studies.captions.scores import caption_scores
from memnets.tasks.pointing import Objects, Pointing, on_objects, pointed
from memnets.training.schedules import seeded
from memnets.training.task import (
    Ratio,
    Step,
    Task,
    batches_of_one_length,
    shuffled_of_one_length,
)

EVALUATION_BATCH = 200
"""Captions measured at once when nothing is learnt."""
LOOKED_AT = 500
"""Training captions that are measured at the end, and test captions whose places are deleted: the
first ones."""
EXTRA = 4
"""A caption is at most so many words longer than the longest of its split."""
BEAM = 5


class CaptionTask(Task):
    """Say captions: the loss is the mean negative log-likelihood of a caption.

    Where places are drawn, their score learns by REINFORCE, beside a moving mean of the rewards.

    Args:
        captions: the splits by name.
        batch: captions of one length in an update.
        vocabulary: of the words.
        references: all captions of each picture, by split: what generated ones are compared with.
        learning: weights of what is learnt besides: `penalty`, `entropy`, `reward`, and how many
            `samples` are drawn.
        as_run: whether draws learn as in the authors' code.
        side: height and width of pictures whose objects are known.
    """

    unit = "captions"

    def __init__(
        self,
        captions: Mapping[str, NumberedCaptions],
        batch: int,
        vocabulary: SentenceVocabulary,
        references: Mapping[str, Sequence[Sequence[str]]],
        learning: Mapping[str, float],
        as_run: bool = False,
        side: tuple[int, int] | None = None,
    ) -> None:
        self.captions, self.batch, self.vocabulary = captions, batch, vocabulary
        self.references, self.as_run, self.side = references, as_run, side
        self.penalty, self.entropy = learning["penalty"], learning["entropy"]
        self.reward, self.samples = learning["reward"], int(learning["samples"])

    @property
    def updates_per_epoch(self) -> int:
        return batches_of_one_length(self.captions["train"].length, self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled_of_one_length(self.captions[split].length, self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> NumberedCaptions:
        return self.captions[split].take(*batch)

    def start(self, split: str, batch: NumberedCaptions) -> Any:
        return Baseline.start()

    def loss(
        self,
        model: nn.Module,
        batch: NumberedCaptions,
        state: Baseline,
        generator: torch.Generator,
    ) -> Step:
        told = model(batch.pictures, batch.words, batch.of, generator, self.samples)
        wanted = self.penalty * told.unevenness - self.objective(told, state)
        said = told.log_prob.detach().sum(-1)
        earned = said / told.told.sum(-1) if self.as_run else said
        rows = len(batch.words)
        return Step(
            wanted.sum() / self.samples,
            rows,
            state.update(earned),
            {"cross_entropy": -said.sum() / self.samples},
        )

    def objective(self, told: Told, baseline: Baseline) -> Float[Tensor, " row"]:
        """Return what is maximised of each caption, the penalty left out."""
        if self.as_run:
            return told.objective_as_run(baseline)
        return told.objective(baseline, self.reward, self.entropy)

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of a caption, and figures of words, captions, and where words look.

        `tokens` and what is measured of the attention have the right words before them given;
        `exact` and all scores of captions are of those that the model says by itself.
        """
        assert isinstance(model, Captioner)
        captions = self.captions.get(split)
        if captions is None or not len(captions.words):
            return {}
        rows = torch.arange(len(captions.words), device=captions.words.device)
        rows = rows[:LOOKED_AT] if split == "train" else rows
        found = {"loss": Ratio(0.0, 0.0)}
        for some in rows.split(EVALUATION_BATCH):
            _add(found, self._given(model, captions.take(some)))
        _add(found, self._free(model, split, split == "test"))
        if split == "test":
            few = captions.take(rows[:LOOKED_AT])
            _add(found, deletion(model, few))
            if isinstance(model.teller.reader, Drawn):
                found |= self._drawn(model, split, few)
        return found

    def _given(self, model: Captioner, some: NumberedCaptions) -> dict[str, Ratio]:
        """Measure with the right words before each given."""
        told = model(some.pictures, some.words, some.of, seeded(0))
        words = float(some.length.sum())
        found = {
            "loss": Ratio(-float(told.log_prob.double().sum()), len(some.words)),
            "tokens": Ratio(float((told.best & told.told).sum()), words),
            "gate": Ratio(float(told.seen.gate.sum()), words),
        }
        if not isinstance(some.objects, Objects) or not told.seen.weights.any():
            return found
        assert self.side is not None
        there = on_objects(some.objects, model.stem.grid(*self.side), self.side)
        seen = pointed(told.seen.weights, some.objects.owners, there)
        others = pointed(turned(told.seen.weights), some.objects.owners, there)
        return found | _pointing(seen, others)

    def _free(self, model: Captioner, split: str, fully: bool) -> dict[str, Ratio]:
        """Measure what is said of each picture when nothing is given."""
        said = self.said(model, split)
        found = {"exact": self._exact(said, split)}
        if fully:
            found["exact_beam"] = self._exact(self.said(model, split, BEAM), split)
        if len(self.references[split][0]) > 1 or split == "test":
            found |= caption_scores(said, self.references[split], fully)
        return found

    def said(self, model: Captioner, split: str, beam: int = 1) -> list[str]:
        """Return what is said of each picture of a split."""
        captions, texts = self.captions[split], []
        images = captions.images
        if split == "train":
            images = images[:LOOKED_AT]
        longest = captions.words.shape[1] + EXTRA
        for some in images.split(EVALUATION_BATCH):
            pictures = NumberedCaptions(some, *captions[1:4]).pictures
            found = model.caption(pictures, END, longest, beam, generator=seeded(0))
            texts += [
                self.vocabulary.text(words[:length])
                for words, length in zip(
                    found.words[:, 0].tolist(), found.lengths[:, 0].tolist(), strict=True
                )
            ]
        return texts

    def _exact(self, said: Sequence[str], split: str) -> Ratio:
        known = self.references[split][: len(said)]
        right = sum(text in right for text, right in zip(said, known, strict=True))
        return Ratio(right, len(said))

    def _drawn(self, model: Captioner, split: str, few: NumberedCaptions) -> dict[str, Ratio]:
        """Measure the three ways of reading at test, and how draws' gradients scatter."""
        from memnets.attention import Argmax, Sampled, Softmax

        reader = model.teller.reader
        assert isinstance(reader, Drawn)
        ways: dict[str, Align] = {
            "argmax": Argmax(),
            "expectation": Softmax(),
            "sample": Sampled(),
        }
        usual, found = reader.test, {}
        try:
            for name, reader.test in ways.items():
                found[f"exact_{name}"] = self._exact(self.said(model, split), split)
        finally:
            reader.test = usual
        return found | gradient_scatter(model, few.take(torch.arange(min(64, len(few.words)))))


def _pointing(seen: Pointing, others: Pointing) -> dict[str, Ratio]:
    return {
        "pointing": Ratio(seen.right, seen.words),
        "mass": Ratio(seen.mass, seen.words),
        "other_object": Ratio(seen.other, seen.words),
        "chance": Ratio(seen.chance, seen.words),
        "shuffled": Ratio(others.right, others.words),
    }


def _add(found: dict[str, Ratio], more: Mapping[str, Ratio]) -> None:
    """Add sums to those of the same name."""
    for name, ratio in more.items():
        before = found.get(name, Ratio(0.0, 0.0))
        found[name] = Ratio(before.total + ratio.total, before.weight + ratio.weight)

"""Learn to say sequences symbol by symbol, and measure how far they come out right."""

from typing import Any

import torch
from torch import nn

from memnets.models.seq2seq import Seq2Seq
from memnets.tasks.numbered_pairs import NumberedPairs, PairsTask, translations
from memnets.training.schedules import seeded
from memnets.training.task import Ratio, Step

EVALUATION_BATCH = 250
"""Sequences said at once when nothing is learnt."""
LOOKED_AT = 500
"""Training pairs that are measured at the end: the first ones."""


class TransductionTask(PairsTask):
    """Transduction: the loss is the mean cross entropy of the target's symbols.

    Args:
        pairs: the splits by name: "train", and what is to be evaluated.
        batch: pairs in an update, of like lengths.
    """

    def start(self, split: str, batch: NumberedPairs) -> Any:
        return ()

    def loss(
        self, model: nn.Module, batch: NumberedPairs, state: Any, generator: torch.Generator
    ) -> Step:
        assert isinstance(model, Seq2Seq)
        lost = model.loss(batch.source, batch.length, batch.target, generator)
        return Step(lost.sum(), int(batch.said.sum()), state, {})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of a symbol, whole targets right, and how far targets come out right."""
        assert isinstance(model, Seq2Seq)
        pairs, loss, right, so_far = self.pairs[split], 0.0, 0, 0.0
        rows = torch.arange(len(pairs.length), device=pairs.length.device)
        rows = rows[:LOOKED_AT] if split == "train" else rows
        for some in rows.split(EVALUATION_BATCH):
            asked = pairs.take(some)
            loss += float(model.loss(asked.source, asked.length, asked.target).sum())
            if split == "train":
                continue
            found = translations(model, asked, seeded(0))
            for words, target, number in zip(
                found, asked.target.tolist(), asked.said.tolist(), strict=True
            ):
                right += words == target[:number]
                so_far += until_failure(words, target[:number])
        ratios = {"loss": Ratio(loss, float(pairs.said[rows].sum()))}
        if split != "train":
            ratios["sequences"] = Ratio(right, len(rows))
            ratios["until_failure"] = Ratio(so_far, len(rows))
        return ratios


def until_failure(said: list[int], target: list[int]) -> float:
    """Return the share of a target that is said before the first wrong symbol.

    Kim et al.'s "average length to failure", their Table 1. [recalled]
    """
    pairs = enumerate(zip(said, target, strict=False))
    failed = next((place for place, (one, other) in pairs if one != other), None)
    return (min(len(said), len(target)) if failed is None else failed) / len(target)

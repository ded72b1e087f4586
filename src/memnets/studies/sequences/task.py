"""Learn to say the bits of sequences, and count the bits that it costs."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.data.sequences import Drawn
from memnets.studies.sequences.data import SequencesData
from memnets.training.task import Ratio, Step, Task, fold_in

TOGETHER = 100
"""Sequences that are said at once when nothing is learnt."""


class Held(NamedTuple):
    """Sequences of one length, and the least that they can cost."""

    shown: Float[Tensor, "batch time dim"]
    said: Float[Tensor, "batch time _"]
    asked: Bool[Tensor, " time"]
    floor: Float[Tensor, ""]

    @classmethod
    def of(cls, drawn: Drawn, floor: float | None) -> "Held":
        """Return drawn sequences as tensors."""
        shown, said, asked = map(torch.from_numpy, drawn)
        return cls(shown, said, asked, torch.tensor(floor or 0.0))


class SequencesTask(Task):
    """Say the bits: the loss is what a sequence costs, the sum over its bits, in nats.

    A mean over the bits would make a long sequence's bit count for less than a short one's.
    Every sequence of an update has as many steps as the others: none is filled up.

    Args:
        data: what is to be done.
        batch: sequences in an update.
        streams: what is learnt from, by the name of the stream; all of `data` as `train` if None.
    """

    unit = "sequences"
    final_splits = ("valid", "test")

    def __init__(
        self,
        data: SequencesData,
        batch: int,
        streams: Mapping[str, SequencesData] | None = None,
    ) -> None:
        self.data, self.batch = data, batch
        self.streams = data.streams(1) if streams is None else streams
        self.held = {
            split: {
                size: Held.of(drawn, data.asked.floor(drawn))
                for size, drawn in data.held_out(split).items()
            }
            for split in self.final_splits
        }

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        data = self.streams[split]
        while True:
            dice = np.random.default_rng(fold_in(generator, position).initial_seed())
            size = int(dice.integers(data.least, data.most, endpoint=True))
            times = int(dice.integers(1, data.times, endpoint=True))
            shown, said, asked = data.asked.draw(dice, self.batch, size, times)
            every = np.broadcast_to(asked, (self.batch, len(asked))).copy()
            yield torch.from_numpy(shown), torch.from_numpy(said), torch.from_numpy(every)
            position += 1

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: tuple[()], _: torch.Generator
    ) -> Step:
        shown, said, asked = batch
        first = asked[0]
        loss, wrong = _cost(model, shown, said, first)
        return Step(loss.sum(), len(shown), state, {"wrong": wrong.sum()})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the bits that a sequence costs, and the share of sequences without a wrong bit.

        A figure without a number is of all sizes that are learnt from; of the test there is one of
        each size too, `bits_30` of sequences of 30. `above` is what they cost more than the best
        that there can be; of most problems that is nothing.
        """
        found: dict[str, Ratio] = {}
        for size, held in self.held[split].items():
            for name, ratio in _measured(model, held).items():
                if split == "test":
                    found[f"{name}_{size}"] = ratio
                if size in self.data.learnt:
                    before = found.get(name, Ratio(0.0, 0.0))
                    found[name] = Ratio(before.total + ratio.total, before.weight + ratio.weight)
        return found


def _measured(model: nn.Module, held: Held) -> dict[str, Ratio]:
    bits, right, number = 0.0, 0, len(held.shown)
    for shown, said in zip(held.shown.split(TOGETHER), held.said.split(TOGETHER), strict=True):
        cost, wrong = _cost(model, shown, said, held.asked)
        bits += float(cost.double().sum()) / math.log(2)
        right += int((wrong.flatten(1).sum(1) == 0).sum())
    return {
        "loss": Ratio(bits * math.log(2), number),
        "bits": Ratio(bits, number),
        "right": Ratio(right, number),
        "above": Ratio(bits - number * float(held.floor), number),
    }


def _cost(model: nn.Module, shown: Tensor, said: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cross entropy of every bit that is asked for, and which are said wrong."""
    logits = model(shown)[:, asked].float()
    right = said[:, asked]
    cost = F.binary_cross_entropy_with_logits(logits, right, reduction="none")
    return cost, (logits.detach() > 0) != (right > 0.5)

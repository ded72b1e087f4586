"""Learn to say points in their order, and measure what is said."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.data.geometry import Part, Problem
from memnets.models.pointer import PointNetwork, Rule, anything, closed_polygon, each_once, tour
from memnets.studies.pointers.data import PointsData
from memnets.training.task import Ratio, Step, Task, fold_in

BLOCK = 64
"""Updates whose sets are drawn together."""
TOGETHER = 250
"""Sets that are said at once when nothing is learnt."""
BEAM = 3
"""Hypotheses of the beam that is measured beside the likeliest choice each time."""
SAID_UNDER: dict[str, Rule] = {"tour": tour}
"""What may be said where it is measured: tours are held to be valid, as in the paper, and all
others say what they like."""
ASKED_UNDER: dict[str, Rule] = {
    "hull": closed_polygon,
    "delaunay": anything,
    "delaunay-by-number": anything,
    "tour": tour,
    "sorting": each_once,
}
"""What may be said where it is asked for."""


class Sets(NamedTuple):
    """Sets of one size, with their answers."""

    points: Float[Tensor, "batch slot dim"]
    length: Int[Tensor, " batch"]
    target: Int[Tensor, "batch _"]

    @classmethod
    def of(cls, points: np.ndarray, targets: np.ndarray) -> "Sets":
        """Return drawn sets as tensors."""
        length = torch.full((len(points),), points.shape[1])
        return cls(torch.from_numpy(points), length, torch.from_numpy(targets))


class PointsTask(Task):
    """Say the answer: the loss is the mean cross entropy of the choices, the stop among them.

    Every set of an update has as many points as the others: none is filled up.

    Args:
        data: what is asked.
        batch: sets in an update.
    """

    unit = "choices"
    final_splits = ("valid", "test")

    def __init__(self, data: PointsData, batch: int) -> None:
        self.data, self.batch = data, batch
        self.held = {
            split: {size: Sets.of(*drawn) for size, drawn in data.held_out(split).items()}
            for split in self.final_splits
        }

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        block, first = divmod(position, BLOCK)
        while True:
            yield from self._block(fold_in(generator, block))[first:]
            block, first = block + 1, 0

    def _block(self, generator: torch.Generator) -> list[Sets]:
        dice = np.random.default_rng(generator.initial_seed())
        sizes = dice.integers(self.data.least, self.data.most, BLOCK, endpoint=True)
        batches: list[Sets] = [Sets.of(np.empty((0, 0, 0)), np.empty((0, 0)))] * BLOCK
        for size in np.unique(sizes).tolist():
            places = np.nonzero(sizes == size)[0].tolist()
            drawn = self.data.asked.draw(dice, len(places) * self.batch, size)
            parts = (torch.from_numpy(part).split(self.batch) for part in drawn)
            length = torch.full((self.batch,), size)
            for place, points, target in zip(places, *parts, strict=True):
                batches[place] = Sets(points, length, target)
        return batches

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: tuple[()], _: torch.Generator
    ) -> Step:
        taught = model(*batch)
        told = -taught.log_prob.sum()
        right = taught.log_prob.detach()[taught.told].exp().sum()
        return Step(told, int(taught.told.sum()), state, {"probability": right})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of a choice, and what is said greedily; for the test with a beam too.

        A figure without a number is of all sizes that are learnt from, `accuracy_10` of sets of 10
        points.
        """
        assert isinstance(model, PointNetwork)
        beams = {"": 1, "beam_": BEAM} if split == "test" else {"": 1}
        found: dict[str, Part] = {}
        learnt = self.data.learnt
        for size, sets in self.held[split].items():
            measured = _loss(model, sets) if size in learnt else {}
            for name, width in beams.items():
                measured |= _figures(model, self.data.asked, sets, width, name)
            if split == "test" and self.data.problem in SAID_UNDER:
                free = _figures(model, self.data.asked, sets, 1, "", anything)
                measured["valid_unruled"] = free["valid"]
            for name, part in measured.items():
                of_size = {f"{name}_{size}": part} if split == "test" else {}
                of_all = {name: found.get(name, Part(0, 0)) + part} if size in learnt else {}
                found |= of_size | of_all
        return {name: Ratio(*part) for name, part in found.items()}


def _loss(model: PointNetwork, sets: Sets) -> dict[str, Part]:
    parts = zip(*(part.split(TOGETHER) for part in sets), strict=True)
    taught = [model(*part) for part in parts]
    total = sum(float(-one.log_prob.double().sum()) for one in taught)
    return {"loss": Part(total, sum(int(one.told.sum()) for one in taught))}


def _figures(
    model: PointNetwork,
    problem: Problem,
    sets: Sets,
    width: int,
    name: str,
    rule: Rule | None = None,
) -> dict[str, Part]:
    """Return the figures of what a model says; of an output that did not end as it was cut off."""
    points, _, target = (part.cpu() for part in sets)
    said = said_of(
        model, problem, sets.points, width, rule or SAID_UNDER.get(problem.name, anything)
    )
    figures = problem.measure(points.double().numpy(), said, _rows(target))
    return {name + figure: part for figure, part in figures.items()}


def said_of(
    model: PointNetwork,
    problem: Problem,
    points: Float[Tensor, "batch slot dim"],
    width: int,
    rule: Rule,
) -> list[list[int]]:
    """Return the likeliest output for every set, without its stop; nothing where it never came.

    An output that reached its longest without a stop has failed, and is not cut in silence.
    """
    said = []
    for some in points.split(TOGETHER):
        length = torch.full((len(some),), some.shape[1], device=some.device)
        found = model.choose(some, length, problem.longest(some.shape[1]), width, rule)
        ended = found.ended[:, 0].tolist()
        rows = _rows(found.words[:, 0])
        said += [row if over else [] for row, over in zip(rows, ended, strict=True)]
    return said


def _rows(numbers: Tensor) -> list[list[int]]:
    return [[number for number in row if number] for row in numbers.tolist()]

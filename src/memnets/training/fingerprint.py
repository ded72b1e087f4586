"""What a run's first updates make of its weights: whether other code would train the same."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import torch
from torch import nn

from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase
from memnets.training.loop import TrainingRun
from memnets.training.processes import launch
from memnets.training.progress import Silent
from memnets.training.runs import RunFolder
from memnets.training.standing import FINGERPRINT_UPDATES
from memnets.training.stopping import StopRequest

TOLERANCE = 2e-8
"""Norms this close, relatively, differ in rounding alone. Measured: other vector instructions move
them by at most 7e-9 in most runs, and another configuration of a table by 1e-6 in nearly all."""

Likeness = Literal["same bits", "but for rounding", "other"]
"""How much alike two fingerprints are."""


def likeness(first: str, second: str) -> Likeness:
    """Return whether two fingerprints are of the same training.

    Where they differ in rounding, as on another processor or after a sum was ordered otherwise, the
    training is the same, but a single run may end elsewhere.
    """
    checksums, norms = zip(*(one.split() for one in (first, second)), strict=True)
    if checksums[0] == checksums[1]:
        return "same bits"
    close = math.isclose(*map(float, norms), rel_tol=TOLERANCE)
    return "but for rounding" if close else "other"


def within_reach(first: str, second: str, nudged: Sequence[str]) -> bool:
    """Return whether rounding, measured on this very training, can part two fingerprints.

    Some trainings carry rounding further than `TOLERANCE`. The hinges of MemNN's ranking loss leave
    gradients that cancel but for rounding, and Adam's first update moves a weight by the whole rate
    whatever the size of its gradient: other vector instructions move the norm by some 4e-4 of it.

    Args:
        first: the fingerprint that is known.
        second: the one of today.
        nudged: those of today with the last bit of the initial weights changed.
    """
    known, own, *others = (float(one.split()[1]) for one in (first, second, *nudged))
    # A few samples say about how far it reaches, and seldom all of it: hence twice the furthest.
    return abs(known - own) <= 2 * max(abs(other - own) for other in others)


def first_updates(
    experiment: Experiment, loop: Loop, folder: RunFolder, nudge: int | None = None
) -> str:
    """Make the first updates of a run, and return its fingerprint; nothing is evaluated.

    Args:
        experiment: what would be trained; its weights are changed.
        loop: how.
        folder: a new one.
        nudge: the seed of a change of initial weights by one unit in the last place; None for none.
    """
    if nudge is not None:
        _nudge(experiment.model, nudge)
    brief = replace(experiment, phases=tuple(_shortened(experiment)))
    run = _BriefRun(brief, loop, folder, launch(loop), Silent())
    with StopRequest() as stop:
        run.train(stop)
    assert run.at.fingerprint is not None
    return run.at.fingerprint


@torch.no_grad()
def _nudge(model: nn.Module, seed: int) -> None:
    """Move each weight up or down by about one unit in the last place, or leave it."""
    generator = torch.Generator().manual_seed(seed)
    for weights in model.parameters():
        change = torch.randint(-1, 2, weights.shape, generator=generator).to(weights)
        weights.mul_(1 + change * torch.finfo(weights.dtype).eps)


class _BriefRun(TrainingRun):
    """A run that writes nothing and evaluates nothing."""

    def _log(self, phase: Phase, rate: float) -> None:
        self._flush()

    def _checkpoint(self) -> None:
        pass


def _shortened(experiment: Experiment) -> Iterator[Phase]:
    """Yield the phases of the first updates, each as long as they last in it."""
    left = FINGERPRINT_UPDATES
    for phase in experiment.phases:
        if left:
            updates = min(left, phase.updates)
            left -= updates
            yield replace(phase, updates=updates)

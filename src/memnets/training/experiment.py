"""What is trained, on what, and how: the objects that a recipe builds for the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import nn

from memnets.training.best import Best
from memnets.training.plateau import Plateau
from memnets.training.task import Task


def nothing(model: nn.Module) -> None:
    """Leave the model as it is."""


@dataclass(frozen=True)
class Phase:
    """A stretch of training: a linear start, a step of a curriculum, or all of it.

    Args:
        name: as it stands in the log.
        updates: how long it lasts.
        learning_rate: from the update within the phase, 0 the first, to its rate.
        evaluate_every: how many updates there are between two lines of the log.
        prepare: changes the model when the phase is entered, and again when a run is resumed.
        stream: the split that is trained on. A phase that names the stream of the phase before it
            goes on where that one stopped; another stream begins at its first batch, with a fresh
            carried state.
        plateau: lowers the rate where validation gets no better, and may end the run early.

    Raises:
        ValueError: a number of updates is below 1, or a plateau would end the run at once.
    """

    name: str
    updates: int
    learning_rate: Callable[[int], float]
    evaluate_every: int
    prepare: Callable[[nn.Module], None] = nothing
    stream: str = "train"
    plateau: Plateau | None = None

    def __post_init__(self) -> None:
        for name in ("updates", "evaluate_every"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"Phase({name}={getattr(self, name)}) named {self.name!r}: expected at least "
                    f"1. Leave out a phase that is not wanted."
                )
        first = self.learning_rate(0)
        if self.ends(first):
            raise ValueError(
                f"Phase(learning_rate=...) named {self.name!r} begins at {first:g}, "
                f"below the plateau's least rate. Raise it, or pass Plateau(least=...)."
            )

    def rate(self, within: int, losses: Sequence[float]) -> float:
        """Return the rate of an update.

        Args:
            within: which update of the phase, 0 the first.
            losses: of the split evaluated first, one a line of the log of this phase.
        """
        rate = self.learning_rate(within)
        return rate if self.plateau is None else self.plateau.rate(rate, losses)

    def ends(self, rate: float) -> bool:
        """Return whether the run ends before an update at this rate."""
        return self.plateau is not None and rate < self.plateau.least


class Place(NamedTuple):
    """Where a run stands.

    Args:
        phase: index of the phase of the next update.
        within: updates made in that phase.
        began: index of the phase in which its stream began.
        position: batches of that stream that were used.
    """

    phase: int
    within: int
    began: int
    position: int


@dataclass(frozen=True)
class Experiment:
    """A model, its task and its phases, ready to run.

    Args:
        model: its initial weights drawn already.
        task: the data and the loss.
        optimizer: over the model's parameters; the loop sets its learning rate, times the `share`
            of a group that has one.
        phases: in order.
        reduction: whether an update follows the sum of a batch's losses or their mean.
        clip: changes the gradients before each update.
        keep: which weights are the final ones; those after the last update by default.
        skips: how many updates may be left out because a gradient is not finite, as over many
            steps it may be while the loss is; one more, and the run diverges.

    Raises:
        ValueError: there is no phase, one before the last has a plateau, the task would evaluate
            its test split during training, weights are to be kept by a split that is not, or the
            number of skips is below 0.
    """

    model: nn.Module
    task: Task
    optimizer: torch.optim.Optimizer
    phases: tuple[Phase, ...]
    reduction: Literal["sum", "mean"]
    clip: Callable[[nn.Module], None] = nothing
    keep: Best | None = None
    skips: int = 0

    def __post_init__(self) -> None:
        if not self.phases:
            raise ValueError("Experiment(phases=()): expected at least one phase. Add one.")
        if self.skips < 0:
            raise ValueError(f"Experiment(skips={self.skips}): expected at least 0. Leave it out.")
        early = [phase.name for phase in self.phases[:-1] if phase.plateau is not None]
        if early:
            raise ValueError(
                f"Phase(plateau=...) named {early[0]!r} is not the last: it may end the run, and "
                f"what follows would not be reached. Leave its plateau out, or put it last."
            )
        if "test" in self.task.splits:
            raise ValueError(
                f"{type(self.task).__name__}.splits={self.task.splits}: the test split may not be "
                f"looked at during training. Name it in final_splits, which are evaluated once."
            )
        if self.keep is not None and self.keep.split not in self.task.splits:
            known = ", ".join(f"{split}/loss" for split in self.task.splits) or "none"
            raise ValueError(
                f"Best(metric={self.keep.metric!r}): weights are chosen by what is evaluated "
                f"in training. Name a figure of {type(self.task).__name__}, such as {known}."
            )

    @property
    def updates(self) -> int:
        """How many updates the whole run has."""
        return sum(phase.updates for phase in self.phases)

    def place(self, update: int) -> Place:
        """Return where a run stands after so many updates; at its end, in the last phase."""
        within, began, position = update, 0, 0
        for index, phase in enumerate(self.phases):
            if index and phase.stream != self.phases[index - 1].stream:
                began, position = index, 0
            if within < phase.updates or phase is self.phases[-1]:
                break
            within, position = within - phase.updates, position + phase.updates
        return Place(index, within, began, position + within)

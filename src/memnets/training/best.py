"""Keeping the weights that did best in validation, and ending a run that gets no better."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from torch import Tensor, nn


class Kept(NamedTuple):
    """The best line so far.

    Args:
        update: after which it came.
        value: its figure.
        waited: how many lines have come since.
        weights: those of this update.
    """

    update: int
    value: float
    waited: int
    weights: Mapping[str, Tensor]


@dataclass(frozen=True)
class Best:
    """Keep the weights of the best line of the log; the last phase alone counts.

    An earlier phase may train another model, such as one with a linear attention, whose weights
    would be of no use in the last one. Of equal lines the first is kept; a figure that is no number
    is worse than all others.

    Args:
        metric: split and name, "valid/loss"; a split that is evaluated for each line of the log.
        better: whether a lower figure is better, or a higher one.
        patience: how many lines may come, none better than the best, before the run ends; None to
            make all updates.
        enough: a figure at which the run ends, since too little is left to gain; None to go on.

    Raises:
        ValueError: a field has a value that it cannot have.
    """

    metric: str
    better: Literal["lower", "higher"] = "lower"
    patience: int | None = None
    enough: float | None = None

    def __post_init__(self) -> None:
        if not all(self.metric.partition("/")):
            raise ValueError(
                f"Best(metric={self.metric!r}): expected a split and a name. "
                f"Pass 'valid/loss', say."
            )
        if self.better not in ("lower", "higher"):
            raise ValueError(f"Best(better={self.better!r}): expected 'lower' or 'higher'.")
        if self.patience is not None and self.patience < 1:
            raise ValueError(
                f"Best(patience={self.patience}): expected at least 1 line. "
                f"Leave it out to make all updates."
            )

    @property
    def split(self) -> str:
        return self.metric.partition("/")[0]

    def value(self, line: Mapping[str, Any]) -> float:
        """Return the figure of a line of the log.

        Raises:
            ValueError: the line has none of this name.
        """
        figures, name = line[self.split], self.metric.partition("/")[2]
        if name not in figures:
            known = ", ".join(f"{self.split}/{one}" for one in figures)
            raise ValueError(
                f"Best(metric={self.metric!r}): the task does not report it. "
                f"Name one of those that it does: {known}."
            )
        return math.nan if figures[name] is None else figures[name]

    def keep(self, before: Kept | None, update: int, value: float, model: nn.Module) -> Kept:
        """Return what is kept after one more line."""
        if before is not None and not self._prefers(value, before.value):
            return before._replace(waited=before.waited + 1)
        weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        return Kept(update, value, 0, weights)

    def gives_up(self, kept: Kept) -> bool:
        """Return whether the patience is at its end, or the best figure is enough."""
        if self.enough is not None and not self._prefers(self.enough, kept.value):
            return True
        return self.patience is not None and kept.waited >= self.patience

    def _prefers(self, new: float, old: float) -> bool:
        if math.isnan(new) or math.isnan(old):
            return math.isnan(old) and not math.isnan(new)
        return new < old if self.better == "lower" else new > old

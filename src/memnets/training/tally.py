"""Adding up what is shown, without making a GPU wait at every update."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from memnets.training.task import Step

PENDING = 100
"""How many updates are added up in one go, and how late a loss that is not finite is noticed."""


@dataclass
class Tally:
    """Sums since the last line of the log, in this process.

    Numbers are added one by one in float64, so that the sums do not depend on when `flush` came.
    """

    weight: float = 0.0
    sums: dict[str, float] = field(default_factory=dict)
    broken: float = math.inf
    """The first update whose loss was not finite."""
    _pending: dict[str, list[Tensor]] = field(default_factory=dict)
    _updates: list[int] = field(default_factory=list)

    def add(self, update: int, step: Step) -> None:
        """Take in what an update learnt from."""
        self.weight += step.weight
        self._updates.append(update)
        self._pending.setdefault("loss", []).append(step.loss_sum.detach())
        for name, value in step.sums.items():
            self._pending.setdefault(name, []).append(value.detach())

    def flush(self) -> None:
        """Add up what is pending."""
        for name, tensors in self._pending.items():
            values = torch.stack(tensors).tolist()
            if name == "loss":
                pairs = zip(self._updates, values, strict=True)
                bad = [float(update) for update, loss in pairs if not math.isfinite(loss)]
                self.broken = min([self.broken, *bad])
            total = self.sums.get(name, 0.0)
            for value in values:  # one by one: sum() of Python 3.12 compensates within its list
                total += value
            self.sums[name] = total
        self._updates, self._pending = [], {}

    @property
    def names(self) -> list[str]:
        """Of what is flushed, the loss first."""
        return sorted(self.sums, key=lambda name: (name != "loss", name))

    @property
    def means(self) -> dict[str, float]:
        """What is flushed, for each unit of weight."""
        return {name: self.sums[name] / (self.weight or 1.0) for name in self.names}

    def tensors(self) -> dict[str, Tensor]:
        """Return what is flushed, for a checkpoint."""
        numbers = {"weight": self.weight, **{f"sum.{k}": v for k, v in self.sums.items()}}
        return {name: torch.tensor(x, dtype=torch.float64) for name, x in numbers.items()}

    def merge(self, tensors: Mapping[str, Tensor]) -> None:
        """Add what `tensors` returned once."""
        self.weight += tensors["weight"].item()
        for name, tensor in tensors.items():
            if name != "weight":
                key = name.removeprefix("sum.")
                self.sums[key] = self.sums.get(key, 0.0) + tensor.item()

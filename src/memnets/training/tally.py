"""Adding up what is shown, without making a GPU wait at every update."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

import torch
from torch import Tensor

from memnets.training.processes import Processes
from memnets.training.progress import MEDIAN
from memnets.training.task import Step

PENDING = 100
"""How many updates are added up in one go, and how late a loss that is not finite is noticed."""

DWARFED = 10
"""A mean so many times the median is that of a few updates: the median is told beside it."""


@dataclass
class Tally:
    """Sums since the last line of the log, in this process.

    Numbers are added one by one in float64, so that the sums do not depend on when `flush` came.
    """

    weight: float = 0.0
    sums: dict[str, float] = field(default_factory=dict)
    broken: float = math.inf
    """The first update whose loss was not finite."""
    losses: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Sum and weight of the loss of every update."""
    _pending: dict[str, list[Tensor]] = field(default_factory=dict)
    _updates: list[tuple[int, float]] = field(default_factory=list)

    def add(self, update: int, step: Step) -> None:
        """Take in what an update learnt from."""
        self.weight += step.weight
        self._updates.append((update, step.weight))
        self._pending.setdefault("loss", []).append(step.loss_sum.detach())
        for name, value in step.sums.items():
            self._pending.setdefault(name, []).append(value.detach())

    def flush(self) -> None:
        """Add up what is pending."""
        for name, tensors in self._pending.items():
            values = torch.stack(tensors).tolist()
            if name == "loss":
                for (update, weight), loss in zip(self._updates, values, strict=True):
                    self.losses[update] = loss, weight
                    if not math.isfinite(loss):
                        self.broken = min(self.broken, float(update))
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
        means = {name: self.sums[name] / (self.weight or 1.0) for name in self.names}
        return _with_median(means, [loss / (of or 1.0) for loss, of in self.losses.values()])

    def over(self, processes: Processes) -> tuple[float, dict[str, float]]:
        """Return the weight and the means of all processes together."""
        if processes.world == 1:
            return self.weight, self.means
        names = processes.agree(self.names)
        sums = (self.sums.get(name, 0.0) for name in names)
        weight, *totals = processes.total(self.weight, *sums)
        first = int(processes.least(min(self.losses, default=math.inf)))
        last = -int(processes.least(-max(self.losses, default=0)))
        pairs = [self.losses.get(update, (0.0, 0.0)) for update in range(first, last + 1)]
        losses, weights = (processes.total(*numbers) for numbers in zip(*pairs, strict=True))
        means = {name: total / (weight or 1.0) for name, total in zip(names, totals, strict=True)}
        each = [loss / (of or 1.0) for loss, of in zip(losses, weights, strict=True)]
        return weight, _with_median(means, each)

    def tensors(self) -> dict[str, Tensor]:
        """Return what is flushed, for a checkpoint."""
        numbers = {"weight": self.weight, **{f"sum.{k}": v for k, v in self.sums.items()}}
        tensors = {name: torch.tensor(x, dtype=torch.float64) for name, x in numbers.items()}
        rows = [(update, *pair) for update, pair in self.losses.items()]
        return tensors | {"losses": torch.tensor(rows, dtype=torch.float64).reshape(-1, 3)}

    def merge(self, tensors: Mapping[str, Tensor]) -> None:
        """Add what `tensors` returned once."""
        self.weight += tensors["weight"].item()
        for number, *pair in tensors.get("losses", torch.empty(0, 3)).tolist():
            update, before = int(number), self.losses.get(int(number), (0.0, 0.0))
            self.losses[update] = before[0] + pair[0], before[1] + pair[1]
        for name, tensor in tensors.items():
            if name.startswith("sum."):
                key = name.removeprefix("sum.")
                self.sums[key] = self.sums.get(key, 0.0) + tensor.item()


def _with_median(means: dict[str, float], each: list[float]) -> dict[str, float]:
    """Add the median of the updates' losses, where a few of them make the mean."""
    dwarfed = means.get("loss", 0.0) / DWARFED
    if 2 * sum(0 < loss < dwarfed for loss in each) <= len(each):
        return means
    return {**means, MEDIAN: median(each)}

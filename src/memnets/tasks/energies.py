"""Training of Boltzmann machines: make data cheap, and what the machine itself comes up with dear.

The gradient of a log-likelihood is a difference of two means, over data and over the machine's own
states. The latter come from chains; what a chain costs is subtracted, and nothing flows through
how it was drawn.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.memories.boltzmann import Machine, log_likelihood, pseudo_log_likelihood
from memnets.ops.sizes import at_least, at_least_one
from memnets.training.task import Ratio, Step, Task, shuffled


class Chains(NamedTuple):
    """What is carried from update to update: the machine's own states."""

    states: Float[Tensor, "chain dim"]


class Objective(ABC):
    """What an update follows."""

    def start(self) -> Any:
        """Return what the first update carries in."""
        return ()

    @abstractmethod
    def loss(
        self,
        machine: Machine,
        visible: Float[Tensor, "batch dim"],
        state: Any,
        generator: torch.Generator,
    ) -> tuple[Float[Tensor, ""], Any]:
        """Return the summed loss of a batch, and what is carried on."""


@dataclass(frozen=True)
class Contrastive(Objective):
    r"""Contrastive divergence, CD-$k$: chains begin at the data, anew for every update.

    Deviations: none; hidden units count by their chances, not by what was drawn.
    Cite: hinton2002

    Args:
        steps: $k$.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is below 1.
    """

    steps: int = 1

    def __post_init__(self) -> None:
        at_least(1, "Contrastive", "1 is usual.", steps=self.steps)

    def loss(
        self,
        machine: Machine,
        visible: Float[Tensor, "batch dim"],
        state: Any,
        generator: torch.Generator,
    ) -> tuple[Float[Tensor, ""], Any]:
        chain = machine.sample(machine.chain_at(visible, generator), self.steps, generator)
        return (machine.cost(visible, generator) - machine.chain_cost(chain)).sum(), ()


@dataclass(frozen=True)
class Persistent(Objective):
    """Persistent chains: each goes on where the last update has left it.

    Deviations: none.
    Cite: tieleman2008

    Args:
        chains: where they begin, `machine.random_chain(100)` say.
        steps: of the chains between two updates.

    Raises:
        TypeError: the steps are no whole number.
        ValueError: there is no step, or no chain.
    """

    chains: Tensor
    steps: int = 1

    def __post_init__(self) -> None:
        at_least(1, "Persistent", "1 is usual.", steps=self.steps)
        if self.chains.ndim != 2 or not len(self.chains):
            raise ValueError(
                f"Persistent(chains=...): shape {tuple(self.chains.shape)} came, expected (chain, "
                f"unit) with one chain at least. Pass machine.random_chain(100)."
            )

    def start(self) -> Chains:
        return Chains(self.chains.clone())

    def loss(
        self,
        machine: Machine,
        visible: Float[Tensor, "batch dim"],
        state: Any,
        generator: torch.Generator,
    ) -> tuple[Float[Tensor, ""], Any]:
        chain = machine.sample(state.states, self.steps, generator)
        own = machine.chain_cost(chain).mean()
        return machine.cost(visible, generator).sum() - len(visible) * own, Chains(chain)


class PseudoLikelihood(Objective):
    """Each unit's chance given the others; nothing is drawn. Of general machines all is visible."""

    def loss(
        self,
        machine: Machine,
        visible: Float[Tensor, "batch dim"],
        state: Any,
        generator: torch.Generator,
    ) -> tuple[Float[Tensor, ""], Any]:
        return -pseudo_log_likelihood(machine, visible).sum(), ()


class Exact(Objective):
    """The likelihood itself, of machines that are so small that all states are gone through."""

    def loss(
        self,
        machine: Machine,
        visible: Float[Tensor, "batch dim"],
        state: Any,
        generator: torch.Generator,
    ) -> tuple[Float[Tensor, ""], Any]:
        return -log_likelihood(machine, visible).sum(), ()


class EnergyTask(Task):
    """Rows of visible units, shuffled, and an objective.

    Args:
        data: rows by split; "train", and what is evaluated.
        objective: what an update follows.
        batch: rows of an update.

    Raises:
        TypeError: the batch is no whole number.
        ValueError: it is below 1, or there are no rows to train on.
    """

    unit = "rows"

    def __init__(
        self, data: Mapping[str, Float[Tensor, "row dim"]], objective: Objective, batch: int = 100
    ) -> None:
        at_least_one("EnergyTask", batch=batch)
        if "train" not in data or not len(data["train"]):
            raise ValueError(
                f"EnergyTask(data=...): rows of {', '.join(data) or 'nothing'} came, expected some "
                f"of 'train'. Pass {{'train': rows, 'valid': others}}."
            )
        self.data, self.objective, self.batch = dict(data), objective, batch
        known = [split for split in ("valid",) if split in data]
        self.splits = tuple(known)  # type: ignore[misc]
        self.final_splits = tuple(self.data)  # type: ignore[misc]

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        yield from shuffled(len(self.data[split]), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> Tensor:
        return self.data[split][batch[0]]

    def start(self, split: str, batch: Tensor) -> Any:
        return self.objective.start()

    def loss(self, model: nn.Module, batch: Tensor, state: Any, generator: torch.Generator) -> Step:
        assert isinstance(model, Machine)
        loss, state = self.objective.loss(model, batch, state, generator)
        return Step(loss, len(batch), state, {})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the negative pseudo-log-likelihood as the loss; of hidden units the exact one."""
        assert isinstance(model, Machine)
        rows = self.data[split]
        try:
            costs = -pseudo_log_likelihood(model, rows)
        except ValueError:
            costs = -log_likelihood(model, rows)
        return {"loss": Ratio.of(costs)}

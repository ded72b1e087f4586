"""Which zones are read, and how much of each: from logits of all live zones to a few weights."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.ops.masking import masked_softmax
from memnets.ops.sizes import at_least_one


class Chosen(NamedTuple):
    """Which zones are read, best first, and the weight of each; 0 where there are fewer."""

    weights: Float[Tensor, "batch k"]
    indices: Int[Tensor, "batch k"]

    def spread(self, zones: int) -> Float[Tensor, "batch zone"]:
        """Return the weights of all zones, those that are not read among them."""
        return self.weights.new_zeros(len(self.weights), zones).scatter(
            1, self.indices, self.weights
        )


class ZoneChoice(nn.Module, ABC):
    """Choose the zones that are read.

    Args:
        k: how many; fewer while fewer are live.

    Raises:
        ValueError: it is below 1.
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, k=k)
        self.k = k

    def forward(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        count: Int[Tensor, " batch"],
    ) -> Chosen:
        """Choose among the live zones.

        Args:
            logits: how well each zone's key matches, oldest zone first.
            live: which zones hold a state; these come first.
            count: how many states were ever written, for a choice that depends on the step.
        """
        k = min(self.k, logits.shape[-1])
        rank = self.rank(logits, live, count).masked_fill(~live, -torch.inf)
        # A stable sort of the zones from the newest on: of equal ones the newer goes first.
        newest_first = rank.flip(-1).sort(dim=-1, descending=True, stable=True).indices
        indices = logits.shape[-1] - 1 - newest_first[:, :k]
        return Chosen(self.weigh(logits, live, indices), indices)

    def rank(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        count: Int[Tensor, " batch"],
    ) -> Float[Tensor, "batch zone"]:
        """Return the numbers of which the highest are chosen."""
        return logits

    @abstractmethod
    def weigh(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        indices: Int[Tensor, "batch k"],
    ) -> Float[Tensor, "batch k"]:
        """Return the weights of the zones that were chosen; 0 for those that are not live."""


class TopZones(ZoneChoice):
    r"""Normalise over all live zones, then keep the best: the weights sum to one or less.

    $$ \{\alpha_i, Z_i\}_k = \mathrm{topk}(\mathrm{softmax}(s)) $$  (the proposal, 1.1)

    Deviations: none.

    Args:
        k: how many are read.

    Raises:
        ValueError: it is below 1.
    """

    def weigh(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        indices: Int[Tensor, "batch k"],
    ) -> Float[Tensor, "batch k"]:
        return masked_softmax(logits, live).to(logits.dtype).gather(1, indices)


class RenormalisedZones(ZoneChoice):
    r"""Keep the best zones, then normalise over them alone: the weights sum to one.

    Deviations: not in the proposal.

    Args:
        k: how many are read.

    Raises:
        ValueError: it is below 2. The weight of a single zone would be 1 whatever its key, and
            neither query nor key would ever get a gradient.
    """

    def __init__(self, k: int) -> None:
        super().__init__(k)
        if k == 1:
            raise ValueError(
                "RenormalisedZones(k=1): the weight of a single zone is always 1, so that "
                "neither query nor key would learn. Keep 2 or more, or use TopZones(1)."
            )

    def weigh(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        indices: Int[Tensor, "batch k"],
    ) -> Float[Tensor, "batch k"]:
        return masked_softmax(logits.gather(1, indices), live.gather(1, indices)).to(logits.dtype)


class TwiceSoftmaxZones(ZoneChoice):
    r"""Keep the best of the softmax, and take a softmax of those weights again: nearly uniform.

    $$ \alpha = \mathrm{softmax}(\mathrm{topk}(\mathrm{softmax}(s))) $$

    Deviations: it is one. The proposal's author computed this; it is here to show what it costs.

    Args:
        k: how many are read.

    Raises:
        ValueError: it is below 1.
    """

    def weigh(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        indices: Int[Tensor, "batch k"],
    ) -> Float[Tensor, "batch k"]:
        probability = masked_softmax(logits, live).gather(1, indices)
        return masked_softmax(probability, live.gather(1, indices)).to(logits.dtype)


class RandomZones(TopZones):
    r"""Read zones that are drawn at random, with the weights that `TopZones` would give them.

    What is drawn follows from the row, the step and the zone's age alone. It shows what choosing
    by the key is worth.

    Deviations: an ablation, not in the proposal.

    Args:
        k: how many are read.

    Raises:
        ValueError: it is below 1.
    """

    def rank(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        count: Int[Tensor, " batch"],
    ) -> Float[Tensor, "batch zone"]:
        number = torch.arange(logits.shape[-1], device=logits.device)
        age = live.sum(-1, keepdim=True) - 1 - number
        row = torch.arange(len(logits), device=logits.device)[:, None]
        return _noise(row, count[:, None], age).to(logits.dtype)


class NoZones(ZoneChoice):
    """Read nothing: what is left of the network without its memory.

    Deviations: an ablation, not in the proposal.
    """

    def __init__(self) -> None:
        super().__init__(k=1)

    def weigh(
        self,
        logits: Float[Tensor, "batch zone"],
        live: Bool[Tensor, "batch zone"],
        indices: Int[Tensor, "batch k"],
    ) -> Float[Tensor, "batch k"]:
        return torch.zeros_like(logits[:, :1])


_PRIMES = (73_856_093, 19_349_663, 83_492_791)
"""By which three numbers are kept apart before they are mixed into one."""


def _noise(*numbers: Int[Tensor, "..."]) -> Float[Tensor, "..."]:
    """Return a number in [0, 1) that looks random and follows from three integers."""
    parts = [number * prime for number, prime in zip(numbers, _PRIMES, strict=True)]
    mixed = (parts[0] ^ parts[1] ^ parts[2]) & 0x7FFFFFFF
    for _ in range(2):
        mixed = ((mixed >> 15) ^ mixed) * 0x2C1B3C6D & 0x7FFFFFFF
    return ((mixed >> 13) ^ mixed).double() / 2**31

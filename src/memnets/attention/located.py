"""Scores that know where a slot stands, or how much of it was read before."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention.additive import Additive
from memnets.attention.context import AlignContext
from memnets.attention.scores import Score
from memnets.ops.additive import additive_scores
from memnets.ops.sizes import at_least_one


class Location(Score):
    r"""Score a slot by its place alone; the keys are not read.

    $$ e_{ij} = (W_a q_i)_j, \qquad j < n $$  (Luong et al., Eq. 8)

    The scores are cut to the memory first and aligned afterwards: the weights of a short memory
    sum to one.

    Deviations: the paper never reads what stands beyond its longest source; here a longer memory
    is an error.
    Cite: luong2015

    Args:
        query_dim: width of a query.
        max_slots: slots of the longest memory.

    Raises:
        ValueError: a size is below 1; a memory is longer than `max_slots`.
    """

    depends_on_positions = True

    def __init__(self, query_dim: int, max_slots: int) -> None:
        super().__init__()
        at_least_one("Location", query_dim=query_dim, max_slots=max_slots)
        self.max_slots = max_slots
        self.weight = nn.Linear(query_dim, max_slots, bias=False)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        """Remember how many slots there are: they have no width."""
        return keys[..., :0]

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        slots = remembered.shape[-2]
        if slots > self.max_slots:
            raise ValueError(
                f"Location(max_slots={self.max_slots}): a memory of {slots} slots came, expected "
                f"{self.max_slots} at most. Build it with more, or cut the memory."
            )
        return F.linear(query, self.weight.weight[:slots])

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Location":
        return cls(query_dim, max_slots=17)


class LocationConvolution(Additive):
    r"""Score a slot by its key and by what was read around it a step ago.

    $$ f_i = F * \alpha_{i-1}, \qquad
       e_{ij} = v^\top \tanh(W q_i + U k_j + C f_{ij} + b) $$  (Chorowski et al., Eq. 8 and 9)

    $F$ are filters over the previous weights, with zeros beyond both ends. The first step needs
    previous weights too: `start_uniform` or `start_at_first` give the two usual ones.

    Deviations: none.
    Cite: chorowski2015

    Args:
        query_dim: width of a query.
        key_dim: width of a key.
        hidden: width of the hidden layer.
        filters: how many, 10 in the paper's runs [recalled].
        width: how many slots a filter sees, 201 in the paper's runs [recalled].

    Raises:
        ValueError: a size is below 1; the width is even; the context has no previous weights.
    """

    depends_on_positions = True
    looks_back = True

    def __init__(
        self, query_dim: int, key_dim: int, hidden: int, filters: int = 10, width: int = 201
    ) -> None:
        super().__init__(query_dim, key_dim, hidden, bias=True)
        at_least_one("LocationConvolution", filters=filters, width=width)
        if width % 2 == 0:
            raise ValueError(
                f"LocationConvolution(width={width}): expected an odd number. "
                f"A filter has a slot in its middle and as many on either side."
            )
        self.filters = nn.Conv1d(1, filters, width, padding=width // 2, bias=False)
        self.located_weight = nn.Linear(filters, hidden, bias=False)

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        previous = context.require("previous", "LocationConvolution").to(query.dtype)
        if remembered.shape[-2] == 0:
            return query @ remembered.new_zeros(query.shape[-1], 0)  # no filter fits
        rows = previous.flatten(0, -2).unsqueeze(1)  # row channel slot
        located = self.filters(rows).mT.unflatten(0, previous.shape[:-1])
        seen = self.located_weight(located)
        return _match_each(self.query_weight(query), remembered, seen, self.vector())

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "LocationConvolution":
        return cls(query_dim, key_dim, hidden=11, filters=2, width=5)


class Coverage(Additive):
    r"""Score a slot by its key and by how much of it was read in all steps before.

    $$ c_i = \sum_{t<i} \alpha_t, \qquad
       e_{ij} = v^\top \tanh(W q_i + U k_j + w_c c_{ij} + b) $$  (See et al., Eq. 10 and 11)

    The caller carries the sum, `coverage = coverage + weights`, from zeros at the first step.

    Deviations: none. [equations recalled]
    Cite: see2017

    Args:
        query_dim: width of a query.
        key_dim: width of a key.
        hidden: width of the hidden layer.

    Raises:
        ValueError: a width is below 1; the context has no coverage.
    """

    looks_back = True

    def __init__(self, query_dim: int, key_dim: int, hidden: int) -> None:
        super().__init__(query_dim, key_dim, hidden, bias=True)
        self.coverage_weight = nn.Linear(1, hidden, bias=False)

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        coverage = context.require("coverage", "Coverage").to(query.dtype)
        seen = self.coverage_weight(coverage.unsqueeze(-1))
        return _match_each(self.query_weight(query), remembered, seen, self.vector())

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Coverage":
        return cls(query_dim, key_dim, hidden=11)


def coverage_loss(
    weights: Float[Tensor, "*batch query slot"], coverage: Float[Tensor, "*batch query slot"]
) -> Float[Tensor, "*batch query"]:
    r"""Return what a step pays for reading again what was read.

    $$ \ell_i = \sum_j \min(\alpha_{ij}, c_{ij}) $$  (See et al., Eq. 12)

    Deviations: none. [equation recalled]
    Cite: see2017

    Args:
        weights: of this step.
        coverage: the sum of those before it.
    """
    return torch.minimum(weights, coverage).sum(-1)


def _match_each(query: Tensor, remembered: Tensor, seen: Tensor, vector: Tensor) -> Tensor:
    """Score slots that look different to every query, because of what each has seen."""
    keys = remembered.unsqueeze(-3) + seen  # batch query slot hidden
    return additive_scores(query.unsqueeze(-2), keys, vector).squeeze(-2)

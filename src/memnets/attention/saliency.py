"""Attention without a query: what stands out by itself."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention.context import AlignContext
from memnets.attention.scores import Score
from memnets.ops.sizes import any_finite, at_least_one, within


class Saliency(Score):
    r"""Score a slot by itself, whatever is asked.

    $$ e_{ij} = u^\top k_j + b $$

    With `Sigmoid` it is a gate before a sum, $\sum_j \sigma(e_j) v_j$; with `Softmax` it is a
    weighted mean that is learned.

    Deviations: none; it has no paper of its own.

    Args:
        key_dim: width of a key.
        bias: where $b$ starts. Before a plain sum over $n$ slots $-\log n$ is a good place: gates
            do not compete, and at zero half of everything is let through.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, key_dim: int, bias: float = 0.0) -> None:
        super().__init__()
        at_least_one("Saliency", key_dim=key_dim)
        within(any_finite, "Saliency", "a finite number. It is added to every score.", bias=bias)
        self.weight = nn.Linear(key_dim, 1)
        nn.init.constant_(self.weight.bias, bias)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return self.weight(keys)

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return remembered.mT.expand(*query.shape[:-1], -1)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Saliency":
        return cls(key_dim, bias=-0.5)


class Pooled(NamedTuple):
    """The largest of every feature, and which slot it came from.

    Attributes:
        value: the largest number of each feature, `(*batch, dim)`.
        weights: for each feature a one at its slot, `(*batch, slot, dim)`; the mean over features
            says how much of the value a slot has given.
        indices: those slots, `(*batch, dim)`.
    """

    value: Float[Tensor, "*batch dim"]
    weights: Float[Tensor, "*batch slot dim"]
    indices: Int[Tensor, "*batch dim"]


def max_pool(
    values: Float[Tensor, "*batch slot dim"], mask: Bool[Tensor, "*#batch slot"] | None = None
) -> Pooled:
    r"""Read the largest of every feature: a hard attention of each feature by itself.

    $$ r_d = v_{j_d d}, \qquad j_d = \arg\max_j v_{jd} $$

    Of equal numbers the lowest slot's is taken. With nothing to read the value is zero.

    Args:
        values: what the slots hold.
        mask: True where a slot may be read.
    """
    if values.shape[-2] == 0:
        value = values.sum(-2)  # of nothing: zeros
        return Pooled(value, torch.zeros_like(values), torch.zeros_like(value, dtype=torch.long))
    nothing = None
    if mask is not None:
        values = values.masked_fill(~mask.unsqueeze(-1), -torch.inf)
        nothing = ~mask.any(-1).unsqueeze(-1)
    indices = values.argmax(-2)
    value = values.gather(-2, indices.unsqueeze(-2)).squeeze(-2)
    taken = torch.ones_like(value)
    if nothing is not None:
        value, taken = value.masked_fill(nothing, 0.0), taken.masked_fill(nothing, 0.0)
    empty = torch.zeros_like(values)
    return Pooled(value, empty.scatter(-2, indices.unsqueeze(-2), taken.unsqueeze(-2)), indices)

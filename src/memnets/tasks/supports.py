"""Which slots were read, held against the supports that the data name."""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def most_read(hops: tuple[Any, ...], told: Bool[Tensor, "batch slot"]) -> Int[Tensor, "batch hop"]:
    """Return the slot of the sentence that is read most at each hop."""
    width = min(told.shape[1], hops[0].weights.shape[-1])
    weights = torch.stack([hop.weights.squeeze(-2)[:, :width] for hop in hops], 1)
    return weights.masked_fill(~told[:, None, :width], -torch.inf).argmax(-1)


def reads_all(
    read: Int[Tensor, "batch hop"],
    support: Bool[Tensor, "batch slot"],
    supports: Int[Tensor, " batch"],
) -> Bool[Tensor, " batch"]:
    """Return whether every support that the data name is read at some hop.

    Args:
        read: slots.
        support: which slots hold a support.
        supports: how many there are, with those that no slot holds.
    """
    found = torch.zeros_like(support).scatter(1, read, True) & support
    return found.sum(-1) == supports


def chance(
    support: Bool[Tensor, "question slot"],
    supports: Int[Tensor, " question"],
    length: Int[Tensor, " question"],
    hops: int,
) -> Float[Tensor, " question"]:
    """Return how likely all s supports are read at K hops that each pick one of n sentences.

    By inclusion and exclusion it is the sum over j = 0..s of (-1)^j C(s, j) ((n - j) / n)^K; 0
    where the memory does not hold all supports.
    """
    needed, told = supports.double(), length.double()
    most = int(supports.max()) if len(supports) else 0
    likely = torch.zeros_like(told)
    ways = torch.ones_like(told)  # (-1)^j C(s, j)
    for missed in range(most + 1):
        likely += ways * ((told - missed).clamp(min=0) / told) ** hops
        ways = -ways * (needed - missed) / (missed + 1)
    return likely.masked_fill(support.sum(-1) < supports, 0.0).clamp(min=0)

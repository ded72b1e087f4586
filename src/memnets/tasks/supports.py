"""Which slots were read, held against the supports that the data name."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

LOST = -2
"""The slot of a support that was told before all that a question looks back on."""


class Named(NamedTuple):
    """The supports that the data name.

    Attributes:
        support: which slots hold one.
        number: how many there are, with those that no slot holds.
    """

    support: Bool[Tensor, "question slot"]
    number: Int[Tensor, " question"]


def named(supports: Int[Tensor, "question support"], slots: int) -> Named:
    """Return the supports of questions as slots that hold one, and their number.

    Args:
        supports: slots in any order; `LOST` where none holds it, -1 after the last.
        slots: how many there are.
    """
    held = torch.zeros(len(supports), slots + 1, dtype=torch.bool, device=supports.device)
    held = held.scatter(1, supports.long().masked_fill(supports < 0, slots), True)[:, :slots]
    return Named(held, held.sum(-1) + (supports == LOST).sum(-1))


def most_read(hops: tuple[Any, ...], told: Bool[Tensor, "batch slot"]) -> Int[Tensor, "batch hop"]:
    """Return the slot of the sentence that is read most at each hop."""
    width = min(told.shape[1], hops[0].weights.shape[-1])
    weights = torch.stack([hop.weights.squeeze(-2)[:, :width] for hop in hops], 1)
    return weights.masked_fill(~told[:, None, :width], -torch.inf).argmax(-1)


def reads_all(
    read: Int[Tensor, "batch hop"],
    support: Bool[Tensor, "batch slot"],
    number: Int[Tensor, " batch"],
) -> Bool[Tensor, " batch"]:
    """Return whether every support that the data name is read at some hop.

    Args:
        read: slots.
        support, number: see `Named`.
    """
    found = torch.zeros_like(support).scatter(1, read, True) & support
    return found.sum(-1) == number


def chance(
    support: Bool[Tensor, "question slot"],
    number: Int[Tensor, " question"],
    length: Int[Tensor, " question"],
    hops: int,
) -> Float[Tensor, " question"]:
    """Return how likely all s supports are read at K hops that each pick one of n sentences.

    By inclusion and exclusion it is the sum over j = 0..s of (-1)^j C(s, j) ((n - j) / n)^K; 0
    where the memory does not hold all supports.
    """
    needed, told = number.double(), length.double()
    most = int(number.max()) if len(number) else 0
    likely = torch.zeros_like(told)
    ways = torch.ones_like(told)  # (-1)^j C(s, j)
    for missed in range(most + 1):
        likely += ways * ((told - missed).clamp(min=0) / told) ** hops
        ways = -ways * (needed - missed) / (missed + 1)
    return likely.masked_fill(support.sum(-1) < number, 0.0).clamp(min=0)

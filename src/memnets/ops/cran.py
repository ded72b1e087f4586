"""CRAN's recurrence over a window in one C++ op (cran.cpp): what cannot be batched over time.

The halves of all products that see the input, and the projections of the slots that were in memory
at the window's start, are PyTorch's and come as inputs. The plain twin is the window path of
`models/cran.py`, which says what is computed. All rows are of the same age.
"""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

_SUFFIX = {torch.float32: "float", torch.float64: "double"}

Rule = Literal["plain", "renormalised", "twice"]
"""How the chosen zones are weighted: by p; by p over its sum; by the softmax of p."""
_RULES: tuple[Rule, ...] = ("plain", "renormalised", "twice")


class Plan(NamedTuple):
    """What a cell computes, besides its weights.

    Args:
        zones: N, how many zones are kept.
        slots: L, how many states a zone holds.
        kept: k, how many zones are read.
        rule: how these are weighted.
        zone_scale: the factor of the zone logits.
        slot_scale: the factor of the slot logits.
        gated: whether the update is 3.2, not 3.1.
        relu: whether a zone's key goes through a ReLU.
        detached: whether the gradient is cut at every step.
    """

    zones: int
    slots: int
    kept: int
    rule: Rule
    zone_scale: float
    slot_scale: float
    gated: bool
    relu: bool
    detached: bool


class Weights(NamedTuple):
    """The halves of the weights that see a state, and what projects states.

    Args:
        query: $W_l^h$ of query 1.2.
        read: $W_Q^h$ of read 2.2.
        project: $W_K$.
        project_bias: $b_K$.
        update: $W_H^y$; of the gated update $W_r^y$, $W_z^y$ and $W_i$, one below the other.
        update_bias: $b_i$ of the gated update.
        key: $W_s$.
        key_bias: $b_s$.
    """

    query: Float[Tensor, "key hidden"] | None
    read: Float[Tensor, "width hidden"] | None
    project: Float[Tensor, "width hidden"]
    project_bias: Float[Tensor, " width"]
    update: Float[Tensor, "gates hidden"]
    update_bias: Float[Tensor, " hidden"] | None
    key: Float[Tensor, "key zone_width"]
    key_bias: Float[Tensor, " key"]


class Window(NamedTuple):
    """What the recurrence runs over, and the state that it starts from.

    Args:
        query_x: $x$ of query 1.1, or $W_l^x x + b_l$ of 1.2.
        read_x: $W_Q^x x + b_Q$.
        update_x: $W_H^x x + b_H$; of the gated update the same of r and z, and $W_n x + b_n$.
        hidden: the state before the first step.
        values: the states in memory, constants; zones and slots in the order of their age.
        projected: $K$ of these.
        keys: the zones' keys.
        partial: the newest zone's key before its ReLU, where that zone is not full.
        count: how many states were ever written.
        ranking: chooses the zones in place of their logits, the oldest first; the largest numbers
            are taken, of equal ones the newer zone's.
    """

    query_x: Float[Tensor, "batch time key"]
    read_x: Float[Tensor, "batch time width"]
    update_x: Float[Tensor, "batch time gates"]
    hidden: Float[Tensor, "batch hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    projected: Float[Tensor, "batch old width"]
    keys: Float[Tensor, "batch zone key"]
    partial: Float[Tensor, "batch key"] | None
    count: int
    ranking: Float[Tensor, "batch time zone"] | None = None


class Ran(NamedTuple):
    """The states of all steps, and the memory behind the last."""

    hidden: Float[Tensor, "batch time hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone key"]


def run(plan: Plan, weights: Weights, window: Window) -> Ran | None:
    """Run a window, or return None where only the plain twin will do."""
    return None

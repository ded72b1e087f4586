r"""Neurons that change one after the other: the asynchronous dynamics of a Hopfield network.

$$ s_i \leftarrow -s_i \quad\text{where}\quad s_i h_i < 0, \qquad h = W s + b $$

A neuron whose field is 0 stays as it is. Each flip lowers the energy by $2 |h_i|$. The C++ op keeps
the fields and adds a row of $W$ to them at every flip, so that it costs by the flip and not by the
neuron; the plain twin computes the fields of a block of neurons at a time.
"""

from ctypes import Structure, byref, c_int64
from typing import NamedTuple

import torch
from jaxtyping import Int, Int8, Num
from torch import Tensor

from memnets.ops import native
from memnets.ops.binding import Op, fields, threads_for

BLOCK = 64
"""Neurons of which the plain twin computes the fields together."""
THREAD = 2**20
"""Weights times rows for which a further thread is worth starting."""


class Swept(NamedTuple):
    """What some sweeps over all neurons have done.

    Attributes:
        states: after the last sweep.
        flips: (batch, sweep) neurons that flipped.
        drops: (batch, sweep) by how much that lowered the energy, as whole numbers where the
            weights are.
    """

    states: Int8[Tensor, "batch dim"]
    flips: Int[Tensor, "batch sweep"]
    drops: Num[Tensor, "batch sweep"]


def sweep(
    weights: Num[Tensor, "dim dim"],
    local: Num[Tensor, "batch dim"],
    states: Int8[Tensor, "batch dim"],
    orders: Int[Tensor, "order dim"],
    sweeps: int,
) -> Swept:
    """Let every neuron look at its field, one after the other, some sweeps long.

    Args:
        weights: symmetric, with zeros on the diagonal; int16 or float64.
        local: the field of every neuron, $W s + b$; int32 where the weights are int16, whose sums
            it must hold, else float64.
        states: of 1 and -1.
        orders: of the neurons, one a sweep; what comes after the last order takes it again.
        sweeps: how many there are at most; a row of the batch without a flip is left alone.
    """
    states = states.clone(memory_format=torch.contiguous_format)
    flips = torch.zeros(len(states), sweeps, dtype=torch.int64)
    exact = weights.dtype == torch.int16
    drops = torch.zeros(len(states), sweeps, dtype=torch.int64 if exact else torch.float64)
    orders = orders.contiguous()
    if native.available() and states.is_cpu:
        threads = threads_for(len(states) * weights.numel(), THREAD)
        in_turn = len(orders) == 1 and bool((orders[0].diff() == 1).all())
        sizes = byref(_Sizes(*states.shape, sweeps, len(orders), in_turn, threads))
        kept = local.clone(memory_format=torch.contiguous_format)
        _OPS[exact](sizes, weights.contiguous(), orders, states, kept, flips, drops)
    else:
        _plain(weights, local, states, orders, flips, drops)
    return Swept(states, flips, drops)


def _plain(
    weights: Tensor, local: Tensor, states: Tensor, orders: Tensor, flips: Tensor, drops: Tensor
) -> None:
    """Sweep in float64, which holds the sums of whole weights exactly; blocks are brought up."""
    wide, local = weights.double(), local.to(torch.float64, copy=True)
    for t in range(flips.shape[1]):
        for block in orders[min(t, len(orders) - 1)].split(BLOCK):
            _sweep_block(wide[block], local, states, block, flips[:, t], drops[:, t])
        if not flips[:, t].any():
            return


def _sweep_block(
    rows: Tensor, local: Tensor, states: Tensor, block: Tensor, flips: Tensor, drops: Tensor
) -> None:
    inner, field, now = rows[:, block], local[:, block], states[:, block].double()
    before = now.clone()
    for place in range(len(block)):
        turned = torch.where(now[:, place] * field[:, place] < 0, -now[:, place], 0.0)
        drops += (2 * turned * field[:, place]).to(drops.dtype)
        flips += turned != 0
        now[:, place] += 2 * turned
        field += 2 * turned.unsqueeze(1) * inner[place]
    local += (now - before) @ rows
    states[:, block] = now.to(states.dtype)


class _Sizes(Structure):
    """Mirrors `Sizes` of flips.cpp, field by field."""

    _fields_ = fields(c_int64, "batch dim sweeps orders in_turn threads")


_OPS = {
    exact: Op(f"flips_{name}", "sizes weights orders states fields flips drops")
    for exact, name in ((True, "whole"), (False, "double"))
}

"""Every stable state of a small network, and how many states lead to each."""

from typing import NamedTuple

import torch
from jaxtyping import Int, Int8, Num
from torch import Tensor

from memnets.memories.hopfield.dynamics import Asynchronous, Dynamics
from memnets.memories.hopfield.network import HopfieldNetwork

MOST = 20
"""Neurons of which all states, a million, are gone through."""
AT_ONCE = 2**14
"""States that are gone through together."""


class Attractors(NamedTuple):
    """The stable states of a network, those with the largest basins first.

    Attributes:
        states: the stable states.
        basin: how many of all states come to rest in each; what ends elsewhere is not counted.
        energies: of the stable states, times the network's scale.
        elsewhere: how many states end in a cycle.
    """

    states: Int8[Tensor, "state dim"]
    basin: Int[Tensor, " state"]
    energies: Num[Tensor, " state"]
    elsewhere: int


def attractors(network: HopfieldNetwork, dynamics: Dynamics = Asynchronous()) -> Attractors:
    """Return all stable states of a small network, each with its basin.

    Args:
        network: of 20 neurons at most.
        dynamics: what leads to them.

    Raises:
        ValueError: there are too many neurons.
    """
    if network.dim > MOST:
        raise ValueError(
            f"attractors(): {network.dim} neurons came, expected {MOST} at most, of which all "
            f"{2**MOST:,} states are gone through. Take a smaller network, or recall cues from it."
        )
    numbers = torch.arange(2**network.dim)
    stable = torch.cat(
        [part[network.is_stable(states_of(part, network.dim))] for part in numbers.split(AT_ONCE)]
    )
    basin, elsewhere = torch.zeros_like(numbers), 0
    for part in numbers.split(AT_ONCE):
        ended = dynamics.recall(network, states_of(part, network.dim))
        resting = ended.period == 1
        elsewhere += int((~resting).sum())
        basin += torch.bincount(numbers_of(ended.states[resting]), minlength=len(basin))
    order = basin[stable].argsort(descending=True, stable=True)
    stable = stable[order]
    states = states_of(stable, network.dim)
    return Attractors(states, basin[stable], network.energy(states), elsewhere)


def states_of(numbers: Int[Tensor, " state"], dim: int) -> Int8[Tensor, "state dim"]:
    """Return the state of each number: its bits, the first neuron's first, as 1 and -1."""
    bits = (numbers.unsqueeze(-1) >> torch.arange(dim)) & 1
    return (2 * bits - 1).to(torch.int8)


def numbers_of(states: Int8[Tensor, "state dim"]) -> Int[Tensor, " state"]:
    """Return the number of each state."""
    return ((states > 0).long() << torch.arange(states.shape[-1])).sum(-1)

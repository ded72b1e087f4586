"""Everything about a small machine, by going through all of its states: what others are held to."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.memories.boltzmann.gaussian import GaussianBoltzmannMachine
from memnets.memories.boltzmann.machine import BoltzmannMachine, Machine, Units
from memnets.memories.boltzmann.restricted import RestrictedBoltzmannMachine

MOST = 20
"""Units of which all states, a million, are gone through."""


class Moments(NamedTuple):
    """Means over all states of a machine, each as likely as it is.

    Attributes:
        mean: of every unit.
        products: of every pair of units.
    """

    mean: Float[Tensor, " dim"]
    products: Float[Tensor, "dim dim"]


def all_states(count: int, units: Units = "bits", dtype: torch.dtype = torch.float64) -> Tensor:
    """Return all states of some units, (state, unit).

    Raises:
        ValueError: there are too many units.
    """
    if count > MOST:
        raise ValueError(
            f"{count} units came, expected {MOST} at most, of which all {2**MOST:,} states are "
            f"gone through. Estimate it: memnets.memories.boltzmann.annealed."
        )
    bits = (torch.arange(2**count).unsqueeze(-1) >> torch.arange(count)) & 1
    return (bits if units == "bits" else 2 * bits - 1).to(dtype)


def log_partition(machine: Machine) -> Float[Tensor, ""]:
    r"""Return $\ln Z$, with its gradient.

    Of a restricted machine the states of the smaller side are gone through; visible numbers are
    integrated out.

    Raises:
        ValueError: there are too many states.
    """
    if isinstance(machine, GaussianBoltzmannMachine):
        every = all_states(machine.hidden, dtype=machine.weight.dtype)
        return torch.logsumexp(machine.log_weights(every), 0)
    if isinstance(machine, RestrictedBoltzmannMachine):
        dtype = machine.weight.dtype
        if machine.visible <= machine.hidden:
            every = all_states(machine.visible, dtype=dtype)
            return torch.logsumexp(-machine.free_energy(every), 0)
        hidden = all_states(machine.hidden, dtype=dtype)
        pulled = torch.nn.functional.softplus(machine.visible_field(hidden)).sum(-1)
        return torch.logsumexp(hidden @ machine.hidden_bias + pulled, 0)
    whole = _general(machine)
    return torch.logsumexp(-whole.chain_cost(_states_of(whole)), 0)


def log_likelihood(
    machine: Machine, visible: Float[Tensor, "batch dim"]
) -> Float[Tensor, " batch"]:
    """Return the log-likelihood of data, with its gradient.

    Raises:
        ValueError: there are too many states.
    """
    if isinstance(machine, RestrictedBoltzmannMachine | GaussianBoltzmannMachine):
        return -machine.free_energy(visible) - log_partition(machine)
    whole = _general(machine)
    hidden = all_states(whole.hidden, whole.units, whole.bias.dtype)
    chains = torch.cat(
        (
            visible.to(hidden).unsqueeze(1).expand(-1, len(hidden), -1),
            hidden.expand(len(visible), -1, -1),
        ),
        -1,
    )
    costs = whole.energy(chains) / whole.temperature
    return torch.logsumexp(-costs, 1) - log_partition(machine)


@torch.no_grad()
def moments(machine: BoltzmannMachine) -> Moments:
    """Return the means of all units and pairs of units.

    Raises:
        ValueError: there are too many states.
    """
    states = _states_of(machine)
    chance = torch.softmax(-machine.chain_cost(states), 0)
    return Moments(chance @ states, states.mT @ (chance.unsqueeze(1) * states))


def _general(machine: Machine) -> BoltzmannMachine:
    if not isinstance(machine, BoltzmannMachine):
        raise TypeError(
            f"{type(machine).__name__}: expected a BoltzmannMachine, or a restricted or Gaussian "
            f"one, whose states can be gone through. Estimate others by annealed()."
        )
    return machine


def _states_of(machine: BoltzmannMachine) -> Tensor:
    return all_states(machine.visible + machine.hidden, machine.units, machine.bias.dtype)

"""What is estimated of machines that are too large to go through: ln Z, means, likelihoods."""

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from memnets.memories.boltzmann.gaussian import GaussianBoltzmannMachine
from memnets.memories.boltzmann.machine import BoltzmannMachine, Machine
from memnets.ops.sizes import at_least, within

DAMPING = 0.5
"""Share of a mean that stays from one round to the next."""
LEAST = 0.05
"""Base rates are no nearer to 0 and 1 than this, so that no state is out of reach."""


class Annealed(NamedTuple):
    """An estimate of $\\ln Z$.

    Attributes:
        log_partition: the estimate. Of $Z$ it is right in the mean, so that of its logarithm it is
            too low in the mean, and a likelihood that is computed from it too high.
        error: its standard error.
        effective: as how many independent chains all of them are worth.
    """

    log_partition: float
    error: float
    effective: float


@torch.no_grad()
def annealed(
    machine: Machine,
    rates: Float[Tensor, " dim"] | None = None,
    *,
    steps: int = 1000,
    chains: int = 100,
    generator: torch.Generator | None = None,
) -> Annealed:
    r"""Estimate $\ln Z$ by annealed importance sampling.

    $$ \ln w = \sum_k \ln p^*_k(x_{k-1}) - \ln p^*_{k-1}(x_{k-1}), \qquad
       \ln \hat Z = \ln Z_0 + \ln \tfrac1M \sum e^{\ln w} $$  (Salakhutdinov and Murray 2008)

    Chains begin with units that follow their base rates alone, and end with the machine.

    Deviations: none.
    Cite: salakhutdinov2008

    Args:
        machine: whose $Z$ it is.
        rates: share of 1 of every visible unit in the data; half by default. Of visible numbers
            their means; by default the biases of the machine.
        steps: machines between, each for one step of the chains.
        chains: how many there are.
        generator: of all that is drawn.

    Raises:
        TypeError: a number is not whole.
        ValueError: there is no step, or there are fewer than two chains.
    """
    at_least(1, "annealed", "More steps are more exact.", steps=steps)
    at_least(2, "annealed", "Of one chain no error is known.", chains=chains)
    base = _bias(machine, rates)
    before = machine.towards(base, 0.0)
    log_base = float(before.log_base())
    chain = before.random_chain(chains, generator)
    weight = torch.zeros(chains, dtype=torch.float64)
    for number in range(1, steps + 1):
        after = machine.towards(base, number / steps)
        weight += (before.chain_cost(chain) - after.chain_cost(chain)).double()
        chain = after.step(chain, generator)
        before = after
    share = torch.softmax(weight, 0)
    effective = float(1 / share.square().sum())
    log_mean = float(torch.logsumexp(weight, 0)) - math.log(chains)
    spread = float((share * chains).std()) / chains**0.5
    return Annealed(log_base + log_mean, spread, effective)


def _bias(machine: Machine, rates: Tensor | None) -> Tensor:
    """Return the biases by which units without couplings have these rates."""
    if isinstance(machine, GaussianBoltzmannMachine):
        return machine.visible_bias if rates is None else rates
    rates = torch.full((machine.visible,), 0.5) if rates is None else rates
    odds = torch.logit(rates.clamp(LEAST, 1 - LEAST))
    if isinstance(machine, BoltzmannMachine):
        return odds * machine.temperature / (2 if machine.units == "signs" else 1)
    return odds


def pseudo_log_likelihood(
    machine: Machine, visible: Float[Tensor, "batch dim"]
) -> Float[Tensor, " batch"]:
    r"""Return the sum of every unit's log-chance given all other visible ones, with its gradient.

    $$ \sum_i \ln p(v_i \mid v_{\setminus i}) $$

    Nothing is drawn. The machine that maximises it is the right one where data are many.

    Raises:
        ValueError: a general machine has hidden units, or visible ones are numbers.
    """
    return F.logsigmoid(machine.flip_gain(visible)).sum(-1)


class MeanField(NamedTuple):
    """What is left of a machine where every unit sees but the means of the others.

    Attributes:
        mean: of every unit.
        log_partition: a bound of $\\ln Z$ from below.
    """

    mean: Float[Tensor, " dim"]
    log_partition: float


@torch.no_grad()
def mean_field(
    machine: BoltzmannMachine, rounds: int = 1000, tolerance: float = 1e-10
) -> MeanField:
    r"""Approximate a machine by units that are independent.

    $$ m_i = \tanh(h_i(m) / T) \text{ of signs}, \; \sigma(h_i(m) / T) \text{ of bits}, \qquad
       \ln Z \ge -E(m) / T + \text{entropy} $$

    Args:
        machine: what is approximated.
        rounds: after which the means stay where they are.
        tolerance: they rest where none moves farther.

    Raises:
        TypeError: a number is of another type.
        ValueError: there is no round, or the tolerance is negative.
    """
    at_least(1, "mean_field", "Pass more, to come to rest.", rounds=rounds)
    expected = "a number of at least 0. Pass 1e-10, say."
    within(lambda x: x >= 0, "mean_field", expected, tolerance=tolerance)
    signs = machine.units == "signs"
    chance = machine.chance(machine.bias)
    for _ in range(rounds):
        mean = 2 * chance - 1 if signs else chance
        moved = DAMPING * (machine.chance(machine.field(mean)) - chance)
        chance = chance + moved
        if moved.abs().max() <= tolerance:
            break
    mean = 2 * chance - 1 if signs else chance
    entropy = (torch.special.entr(chance) + torch.special.entr(1 - chance)).sum()
    return MeanField(mean, float(entropy - machine.energy(mean) / machine.temperature))

"""How a state moves: one neuron after the other, or all of them at once."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Int, Int8, Num
from torch import Tensor

from memnets.memories.hopfield.network import HopfieldNetwork
from memnets.memories.hopfield.states import signs
from memnets.ops.flips import sweep
from memnets.ops.sizes import at_least

AT_ONCE = 32
"""Sweeps that are made before it is looked whether all rows have ended."""


class Recalled(NamedTuple):
    """Where cues have come to.

    Attributes:
        states: the last ones.
        period: 1 of a row that has come to a fixed point, 2 of one that goes to and fro between two
            states, 0 of one that was still moving after the last step.
        steps: sweeps or steps that a row was moving for.
        flips: neurons that flipped, counted again where they flipped again.
        energies: at the beginning and after every step, times the network's scale; what comes after
            the end of a row repeats its last one.
    """

    states: Int8[Tensor, "batch dim"]
    period: Int[Tensor, " batch"]
    steps: Int[Tensor, " batch"]
    flips: Int[Tensor, " batch"]
    energies: Num[Tensor, "batch time"]


class Dynamics(ABC):
    """Moves states of a network until they come to rest."""

    @abstractmethod
    def recall(self, network: HopfieldNetwork, cues: Num[Tensor, "batch dim"]) -> Recalled:
        """Return what each cue leads to.

        Args:
            network: whose states they are.
            cues: of 1 and -1; each goes its way by itself.

        Raises:
            ValueError: a cue has other numbers, or another width.
        """


@dataclass(frozen=True)
class Asynchronous(Dynamics):
    r"""One neuron after the other takes the sign of its field, and keeps its own where that is 0.

    $$ s_i \leftarrow \mathrm{sgn}\Bigl(\sum_j w_{ij} s_j + b_i\Bigr) $$

    Every flip lowers the energy by $2 |h_i|$, so that all rows come to a fixed point.

    Deviations: the paper picks neurons at random, again and again; here each has its turn once in
    every sweep.
    Cite: hopfield1982

    Args:
        seed: of an order of its own for every sweep, the same for all cues; from the first neuron
            to the last where it is None.
        sweeps: after which rows that are still moving are given up.

    Raises:
        TypeError: a number is not whole.
        ValueError: there is no sweep, or the seed is negative.
    """

    seed: int | None = None
    sweeps: int = 1000

    def __post_init__(self) -> None:
        at_least(1, "Asynchronous", "Pass more, to come to rest.", sweeps=self.sweeps)
        if self.seed is not None:
            at_least(0, "Asynchronous", "Pass None for a fixed order.", seed=self.seed)

    def recall(self, network: HopfieldNetwork, cues: Num[Tensor, "batch dim"]) -> Recalled:
        states = signs("Asynchronous().recall(cues=...)", cues, network.dim)
        field = network.pull(states)
        energies = [network.energy_in(states, field).unsqueeze(1)]
        flips: list[Tensor] = []
        states, moving = states.clone(), torch.arange(len(states))
        for first in range(0, self.sweeps, AT_ONCE):
            count = min(AT_ONCE, self.sweeps - first)
            orders = self._orders(network.dim, first, count)
            field = field if first == 0 else network.pull(states[moving])
            done = sweep(network.weights, field, states[moving], orders, count)
            states[moving] = done.states
            flips.append(_spread(done.flips, moving, len(states)))
            drops = _spread(done.drops.cumsum(1), moving, len(states))
            energies.append(energies[-1][:, -1:] - drops)
            moving = moving[done.flips[:, -1] > 0]
            if not len(moving):
                break
        every = torch.cat(flips, 1)
        steps = (every > 0).sum(1)
        still = every[:, -1] > 0
        last = int(steps.max()) if len(steps) else 0
        return Recalled(
            states, (~still).long(), steps, every.sum(1), torch.cat(energies, 1)[:, : last + 1]
        )

    def _orders(self, dim: int, first: int, count: int) -> Tensor:
        if self.seed is None:
            return torch.arange(dim).unsqueeze(0)
        orders = []
        for number in range(first, first + count):
            generator = torch.Generator().manual_seed(self.seed * self.sweeps + number)
            orders.append(torch.randperm(dim, generator=generator))
        return torch.stack(orders)


def _spread(found: Tensor, rows: Tensor, count: int) -> Tensor:
    """Return what was found of some rows, and 0 of all others."""
    return found.new_zeros(count, found.shape[1]).index_copy(0, rows, found)


@dataclass(frozen=True)
class Synchronous(Dynamics):
    r"""All neurons take the signs of their fields at once.

    What falls then is an energy of two steps, and rows end in a fixed point or go to and fro
    between two states:

    $$ E_2(t) = -s_t^\top W s_{t-1} - b^\top (s_t + s_{t-1}) $$

    Deviations: none; a neuron whose field is 0 keeps its sign.
    Cite: goles1985

    Args:
        most: steps, after which rows that are still moving are given up.

    Raises:
        TypeError: the number is not whole.
        ValueError: there is no step.
    """

    most: int = 1000

    def __post_init__(self) -> None:
        at_least(1, "Synchronous", "Pass more, to come to rest.", most=self.most)

    def recall(self, network: HopfieldNetwork, cues: Num[Tensor, "batch dim"]) -> Recalled:
        states = signs("Synchronous().recall(cues=...)", cues, network.dim).clone()
        rows = torch.arange(len(states))
        period, steps, flips = (torch.zeros(len(states), dtype=torch.long) for _ in range(3))
        now, before, field = states, states, network.pull(states)
        energies = [network.energy_in(states, field)]
        for step in range(self.most):
            pulled = field.sign().to(now.dtype)
            after = torch.where(pulled == 0, now, pulled)
            turned = (after != now).sum(1)
            flips[rows] += turned
            steps[rows] += turned > 0
            fixed = turned == 0
            back = (after == before).all(1) & ~fixed & (step > 0)
            period[rows[fixed]], period[rows[back]] = 1, 2
            states[rows] = after
            moving = ~(fixed | back)
            field, energy = network.pull(after), energies[-1].clone()
            energy[rows] = network.energy_in(after, field)
            energies.append(energy)
            rows, before, now, field = rows[moving], now[moving], after[moving], field[moving]
            if not len(rows):
                break
        return Recalled(states, period, steps, flips, torch.stack(energies, 1))


def falls(
    network: HopfieldNetwork, cue: Num[Tensor, " dim"]
) -> Iterator[tuple[Int8[Tensor, " dim"], float]]:
    """Yield where a cue goes, neuron after neuron, with the energy; once more after every flip.

    It ends where `Asynchronous()` ends. For pictures: that one is quicker by far.

    Raises:
        ValueError: the cue has other numbers than 1 and -1, or another width.
    """
    state = signs("falls(cue=...)", cue, network.dim).clone()
    field = network.pull(state)
    energy = network.energy_in(state, field)
    yield state.clone(), energy.item()
    turned = True
    while turned:
        turned = False
        for i in range(network.dim):
            if state[i] * field[i] < 0:
                energy = energy - 2 * field[i].abs()
                state[i] = -state[i]
                field = field + (2 * state[i] * network.weights[i].to(field.dtype))
                turned = True
                yield state.clone(), energy.item()


def two_step_energy(
    network: HopfieldNetwork, before: Num[Tensor, "*batch dim"], now: Num[Tensor, "*batch dim"]
) -> Num[Tensor, "*batch"]:
    """Return what never rises when all neurons move at once, of two states that follow each other.

    Raises:
        ValueError: a state has other numbers than 1 and -1, or another width.
    """
    before = signs("two_step_energy(before=...)", before, network.dim)
    now = signs("two_step_energy(now=...)", now, network.dim)
    # b pulls at s_t within the field already, and at s_{t-1} besides.
    wide = torch.int64 if network.exact else torch.float64
    return -(now * network.pull(before).to(wide) + before * network.bias.to(wide)).sum(-1)

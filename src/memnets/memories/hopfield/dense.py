"""Dense associative memories: energies so steep that far more patterns fit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from jaxtyping import Num
from torch import Tensor

from memnets.memories.hopfield.dynamics import Recalled
from memnets.memories.hopfield.states import signs
from memnets.ops.sizes import at_least


class Interaction(ABC):
    """How the overlap of a state and a pattern counts in the energy."""

    @abstractmethod
    def total(self, overlaps: Num[Tensor, "*batch pattern"]) -> Num[Tensor, "*batch"]:
        """Return how low the energy is, by overlaps with all patterns: its negative."""

    def expect(self, patterns: int, dim: int) -> None:
        """Refuse patterns whose overlaps cannot be counted exactly.

        Raises:
            ValueError: they cannot.
        """
        return


@dataclass(frozen=True)
class Polynomial(Interaction):
    r"""Powers: $F(z) = z^n$. The square is Hebb's rule.

    Deviations: none.
    Cite: krotov2016

    Args:
        power: $n$, 2 or more. Odd ones tell a pattern from its negative.

    Raises:
        TypeError: the power is no whole number.
        ValueError: it is below 2.
    """

    power: int = 3

    def __post_init__(self) -> None:
        at_least(2, type(self).__name__, "2 is Hebb's rule.", power=self.power)

    def total(self, overlaps: Num[Tensor, "*batch pattern"]) -> Num[Tensor, "*batch"]:
        return overlaps.long().pow(self.power).sum(-1)

    def expect(self, patterns: int, dim: int) -> None:
        if dim**self.power * patterns >= 2**63:
            raise ValueError(
                f"{type(self).__name__}(power={self.power}): with {patterns} patterns of {dim} "
                f"neurons the energy is beyond what 64 bits hold. Pass a smaller power, or take "
                f"Exponential()."
            )


@dataclass(frozen=True)
class RectifiedPolynomial(Polynomial):
    r"""Powers of what is positive: $F(z) = \max(z, 0)^n$. Negatives are not stored along.

    Deviations: none.
    Cite: krotov2016

    Args:
        power: $n$, 2 or more.
    """

    def total(self, overlaps: Num[Tensor, "*batch pattern"]) -> Num[Tensor, "*batch"]:
        return super().total(overlaps.clamp(min=0))


@dataclass(frozen=True)
class Exponential(Interaction):
    r"""$F(z) = e^z$: exponentially many patterns.

    Deviations: the energy is $-\ln \sum_\mu e^{z_\mu}$, which overflows nowhere and falls where the
    paper's falls.
    Cite: demircigil2017
    """

    def total(self, overlaps: Num[Tensor, "*batch pattern"]) -> Num[Tensor, "*batch"]:
        return torch.logsumexp(overlaps.double(), -1)


class DenseMemory:
    r"""Patterns of 1 and -1 whose overlaps with a state count by a steep function.

    $$ E(s) = -\sum_\mu F(\xi^\mu \cdot s), \qquad
       s_i \leftarrow \mathrm{sgn} \sum_\mu \bigl(F(a_\mu + \xi_i^\mu) - F(a_\mu - \xi_i^\mu)\bigr),
       \quad a_\mu = \sum_{j \ne i} \xi_j^\mu s_j $$  (Krotov and Hopfield 2016)

    Neurons have their turns in order; one whose choice makes no difference keeps its sign.

    Deviations: none.
    Cite: krotov2016

    Args:
        patterns: of 1 and -1.
        interaction: $F$.

    Raises:
        ValueError: a pattern has other numbers, there is none, or the energy cannot be counted.
    """

    def __init__(
        self, patterns: Num[Tensor, "pattern dim"], interaction: Interaction = Exponential()
    ) -> None:
        if patterns.ndim != 2 or not patterns.numel():
            raise ValueError(
                f"DenseMemory(patterns=...): shape {tuple(patterns.shape)} came, expected "
                f"(pattern, neuron) with one pattern at least. Stack them: torch.stack(patterns)."
            )
        interaction.expect(*patterns.shape)
        self.patterns, self.interaction = signs("DenseMemory(patterns=...)", patterns), interaction

    def energy(self, states: Num[Tensor, "*batch dim"]) -> Num[Tensor, "*batch"]:
        """Return the energy of every state."""
        states = signs("DenseMemory.energy(states=...)", states, self.patterns.shape[1])
        return -self.interaction.total(self._overlaps(states))

    def recall(self, cues: Num[Tensor, "batch dim"], sweeps: int = 100) -> Recalled:
        """Return what each cue leads to.

        Args:
            cues: of 1 and -1.
            sweeps: after which rows that are still moving are given up.

        Raises:
            ValueError: a cue has other numbers, or another width; there is no sweep.
        """
        at_least(1, "DenseMemory.recall", "Pass more, to come to rest.", sweeps=sweeps)
        states = signs("DenseMemory.recall(cues=...)", cues, self.patterns.shape[1]).clone()
        overlaps = self._overlaps(states)
        flips, energies = [], [-self.interaction.total(overlaps)]
        for _ in range(sweeps):
            flips.append(self._sweep(states, overlaps))
            if not flips[-1].any():
                break
            energies.append(-self.interaction.total(overlaps))
        every = torch.stack(flips, 1)
        resting = (every[:, -1] == 0).long()
        return Recalled(states, resting, (every > 0).sum(1), every.sum(1), torch.stack(energies, 1))

    def _overlaps(self, states: Tensor) -> Tensor:
        """Return the overlaps with all patterns, exact in float32 up to 2**24 neurons."""
        return (states.float() @ self.patterns.float().mT).long()

    def _sweep(self, states: Tensor, overlaps: Tensor) -> Tensor:
        """Let every neuron choose, in place; return how many of each row flipped."""
        flips = torch.zeros(len(states), dtype=torch.long)
        for i, column in enumerate(self.patterns.long().mT):
            others = overlaps - column * states[:, i : i + 1]
            total = self.interaction.total(torch.stack((others + column, others - column)))
            choice = total[0].sub(total[1]).sign().to(states.dtype)
            flip = choice * states[:, i] < 0
            states[:, i] = torch.where(flip, choice, states[:, i])
            overlaps.copy_(others + column * states[:, i : i + 1])
            flips += flip
        return flips

"""A learning rate that falls where validation gets no better."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Plateau:
    r"""Divide the rate after every line of the log that is hardly better than the one before.

    $$ \eta_{n+1} = \eta_n / 1.5 \quad \text{if} \quad \ell_n > 0.9999\, \ell_{n-1} $$
    (Sukhbaatar et al., section 5; the numbers are those of the released code)

    Here $\ell_n$ is the loss of the split that is evaluated first. The rate is a
    function of the log and of nothing else, so that a run that is resumed goes on alike.

    Deviations: none.
    Cite: sukhbaatar2015

    Args:
        factor: what the rate is divided by.
        ratio: to how much of the loss before it, at most, a loss must fall.
        least: training ends where the rate is smaller.

    Raises:
        ValueError: the factor is not above 1, or another number is not positive.
    """

    factor: float = 1.5
    ratio: float = 0.9999
    least: float = 1e-5

    def __post_init__(self) -> None:
        for name, bound in (("factor", 1), ("ratio", 0), ("least", 0)):
            value = getattr(self, name)
            if not value > bound:
                raise ValueError(
                    f"Plateau({name}={value}): expected a number above {bound}. "
                    f"The published ones are {Plateau.factor}, {Plateau.ratio}, {Plateau.least}."
                )

    def rate(self, rate: float, losses: Sequence[float]) -> float:
        """Return what has become of a rate after the losses of so many lines."""
        for before, now in pairwise(losses):
            if now > self.ratio * before:
                rate /= self.factor
        return rate

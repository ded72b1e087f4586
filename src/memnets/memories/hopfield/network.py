"""The network: symmetric couplings of neurons that are 1 or -1, and the energy of a state."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Num
from torch import Tensor

from memnets.memories.hopfield.states import expect_tensor, signs
from memnets.ops.sizes import at_least

EXACT_IN_FLOAT = 2**24
"""Whole numbers up to this one, and their sums, are exact in float32."""
MOST_WHOLE = 2**15 - 1
"""The largest weight that is kept as a whole number, and one more than the neurons of such a
network: their fields are within 32 bits. Others are kept in float64."""


class Factors(NamedTuple):
    """Patterns whose outer products the weights are: $W = X^\\top X - P$, the diagonal zero."""

    patterns: Num[Tensor, "pattern dim"]

    def field(self, states: Num[Tensor, "batch dim"]) -> Num[Tensor, "batch dim"]:
        """Return $W s$ by way of the overlaps with the patterns; in float32, exactly."""
        wide = self.patterns.float()
        return states.float() @ wide.mT @ wide - len(wide) * states.float()

    @property
    def pay(self) -> bool:
        """Whether that way is shorter, and as exact, as the weights."""
        count, dim = self.patterns.shape
        return 2 * count < dim and 2 * count * dim <= EXACT_IN_FLOAT


class HopfieldNetwork:
    r"""Neurons that are 1 or -1, each pulled by all others.

    $$ h = W s + b, \qquad E(s) = -\tfrac12 s^\top W s - b^\top s $$  (Hopfield 1982)

    Whole weights and biases stay whole: fields and energies are then exact, ties and all, on every
    machine and for every number of threads. Whatever has other numbers is computed in float64.

    Deviations: the paper's neurons are 0 or 1, with thresholds.
    Cite: hopfield1982

    Args:
        weights: symmetric, nothing on the diagonal, in units of 1 / `scale`. Keep them whole if you
            can: Hebb's are, with the number of neurons as the scale.
        bias: $b$, in the same units; zeros by default.
        scale: what weights, biases, fields and energies are divided by where their size matters.
        factors: patterns that the weights are made of, which may be the quicker way to the field.

    Raises:
        TypeError: the weights are no tensor, or the scale is no whole number.
        ValueError: the weights are not square, not finite, not symmetric, or have a diagonal; the
            bias has another width; the scale is below 1.
    """

    def __init__(
        self,
        weights: Num[Tensor, "dim dim"],
        bias: Num[Tensor, " dim"] | None = None,
        scale: int = 1,
        factors: Factors | None = None,
    ) -> None:
        at_least(1, "HopfieldNetwork", "Pass what the weights are to be divided by.", scale=scale)
        expect_tensor("HopfieldNetwork(weights=...)", weights)
        _expect_couplings(weights)
        bias = torch.zeros(len(weights)) if bias is None else bias
        if bias.shape != weights.shape[:1] or not bias.isfinite().all():
            raise ValueError(
                f"HopfieldNetwork(bias=...): shape {tuple(bias.shape)} came, expected "
                f"{len(weights)} finite numbers, one for each neuron. Leave it out for none."
            )
        self.exact = _is_whole(weights) and _is_whole(bias) and len(weights) < MOST_WHOLE
        self.weights = weights.to(torch.int16 if self.exact else torch.float64).contiguous()
        self.bias = bias.to(torch.int32 if self.exact else torch.float64)
        self.scale, self.factors = scale, factors
        self._within_float = self.exact and _largest_field(self.weights) <= EXACT_IN_FLOAT

    @property
    def dim(self) -> int:
        """How many neurons there are."""
        return len(self.weights)

    def field(self, states: Num[Tensor, "*batch dim"]) -> Num[Tensor, "*batch dim"]:
        """Return what pulls at every neuron, $W s + b$: whole numbers where the weights are.

        Raises:
            ValueError: a state has other numbers than 1 and -1, or another width.
        """
        return self.pull(signs("HopfieldNetwork.field(states=...)", states, self.dim))

    def energy(self, states: Num[Tensor, "*batch dim"]) -> Num[Tensor, "*batch"]:
        r"""Return the energy of every state, times the scale.

        Raises:
            ValueError: a state has other numbers than 1 and -1, or another width.
        """
        states = signs("HopfieldNetwork.energy(states=...)", states, self.dim)
        return self.energy_in(states, self.pull(states))

    def is_stable(self, states: Num[Tensor, "*batch dim"]) -> Bool[Tensor, "*batch"]:
        """Return which states no neuron wants to leave: none has a field of the other sign.

        Raises:
            ValueError: a state has other numbers than 1 and -1, or another width.
        """
        states = signs("HopfieldNetwork.is_stable(states=...)", states, self.dim)
        return (states * self.pull(states) >= 0).all(-1)

    def pull(self, states: Num[Tensor, "*batch dim"]) -> Num[Tensor, "*batch dim"]:
        """Return the field of states that are known to be of 1 and -1."""
        rows = states.reshape(-1, self.dim)
        if self.factors is not None and self.factors.pay:
            found = self.factors.field(rows)
        else:
            wide = torch.float32 if self._within_float else torch.float64
            found = rows.to(wide) @ self.weights.to(wide)
        return (found.to(self.bias.dtype) + self.bias).view(states.shape)

    def energy_in(
        self, states: Num[Tensor, "*batch dim"], field: Num[Tensor, "*batch dim"]
    ) -> Num[Tensor, "*batch"]:
        """Return the energy of states whose field is known."""
        if not self.exact:
            return -0.5 * (states * (field + self.bias)).sum(-1)
        # Whole, and even: every pair of neurons is counted from both sides.
        return -(states * (field.long() + self.bias)).sum(-1) // 2


def _expect_couplings(weights: Tensor) -> None:
    shape = tuple(weights.shape)
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        raise ValueError(
            f"HopfieldNetwork(weights=...): shape {shape} came, expected a square of as many rows "
            f"as there are neurons. Learn them with Hebb().learn(patterns), say."
        )
    if weights.is_floating_point() and not weights.isfinite().all():
        raise ValueError(
            "HopfieldNetwork(weights=...): NaN or infinity came, expected finite numbers. Look at "
            "what they were computed from."
        )
    if not torch.equal(weights, weights.mT):
        i, j = (weights != weights.mT).nonzero()[0].tolist()
        raise ValueError(
            f"HopfieldNetwork(weights=...): the weight from {i} to {j} is {weights[i, j].item()}, "
            f"the one back is {weights[j, i].item()}; expected them to be equal, or there is no "
            f"energy that falls. Pass (weights + weights.T) / 2 if that is what you mean."
        )
    if weights.diagonal().any():
        raise ValueError(
            "HopfieldNetwork(weights=...): the diagonal is not zero, expected neurons that do not "
            "pull at themselves. Pass weights - weights.diag().diag()."
        )


def _is_whole(numbers: Tensor) -> bool:
    if numbers.dtype == torch.int16:
        return not bool((numbers == -MOST_WHOLE - 1).any())
    return bool((numbers == numbers.round()).all() and (numbers.abs() <= MOST_WHOLE).all())


def _largest_field(weights: Tensor) -> int:
    """Return what no field is beyond: the largest sum of a row's sizes."""
    return int(weights.abs().sum(-1, dtype=torch.int64).amax())

"""Learning rules: how patterns become the weights of a Hopfield network."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Num
from torch import Tensor

from memnets.memories.hopfield.network import MOST_WHOLE, Factors, HopfieldNetwork
from memnets.memories.hopfield.states import expect_tensor, signs

CHUNK = 1024
"""Rows of the weights that are summed up at a time."""


class LearningRule(ABC):
    """Makes a network of patterns. All rules leave out what a neuron would pull at itself."""

    @abstractmethod
    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        """Return a network that holds these patterns.

        Args:
            patterns: of 1 and -1.
            bias: added to every field, in units of the weights; see the rule's.

        Raises:
            TypeError: the patterns are no tensor.
            ValueError: a pattern has other numbers, there is none, or the rule cannot hold them.
        """


class Hebb(LearningRule):
    r"""Neurons that agree in a pattern are coupled.

    $$ w_{ij} = \frac1N \sum_\mu \xi_i^\mu \xi_j^\mu, \qquad w_{ii} = 0 $$

    The sums are kept whole, with $N$ as the scale of the network: a bias is in units of $1 / N$.
    Patterns can be stored one by one in any order, and forgotten again without a trace.

    Deviations: none; many texts divide by the number of patterns, which moves no sign where there
    is no bias.
    Cite: hopfield1982
    """

    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        patterns = patterns_of("Hebb", patterns)
        return HopfieldNetwork(_outer(patterns), bias, patterns.shape[1], Factors(patterns))

    def store(
        self, network: HopfieldNetwork, patterns: Num[Tensor, "pattern dim"]
    ) -> HopfieldNetwork:
        """Return the network with further patterns.

        Raises:
            ValueError: the network is not of this rule, or a pattern has other numbers.
        """
        patterns = patterns_of("Hebb", patterns, network.dim)
        factors = network.factors
        both = None if factors is None else Factors(torch.cat((factors.patterns, patterns)))
        return self._changed(network, network.weights + _outer(patterns).double(), both)

    def forget(
        self, network: HopfieldNetwork, patterns: Num[Tensor, "pattern dim"]
    ) -> HopfieldNetwork:
        """Return the network without patterns that were stored; whether they were is not known.

        Raises:
            ValueError: the network is not of this rule, or a pattern has other numbers.
        """
        patterns = patterns_of("Hebb", patterns, network.dim)
        return self._changed(network, network.weights - _outer(patterns).double(), None)

    def _changed(
        self, network: HopfieldNetwork, weights: Tensor, factors: Factors | None
    ) -> HopfieldNetwork:
        if network.scale != network.dim:
            raise ValueError(
                f"Hebb(): a network of scale {network.scale} came, expected {network.dim}, the "
                f"number of its neurons, as Hebb().learn() makes it. Change it by its own rule."
            )
        return HopfieldNetwork(weights, network.bias, network.scale, factors)


class Storkey(LearningRule):
    r"""Like Hebb's, less what the network knows already; patterns are learnt one after the other.

    $$ w_{ij} \leftarrow w_{ij} + \tfrac1N (\xi_i \xi_j - \xi_i h_{ji} - h_{ij} \xi_j), \qquad
       h_{ij} = \sum_{k \ne i, j} w_{ik} \xi_k $$

    It holds more patterns than Hebb's rule and is still local. The order of storing matters.

    Deviations: none.
    Cite: storkey1997
    """

    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        patterns = patterns_of("Storkey", patterns)
        dim = patterns.shape[1]
        empty = HopfieldNetwork(torch.zeros(dim, dim, dtype=torch.float64), bias)
        return self.store(empty, patterns)

    def store(
        self, network: HopfieldNetwork, patterns: Num[Tensor, "pattern dim"]
    ) -> HopfieldNetwork:
        """Return the network with further patterns, learnt in their order."""
        patterns = patterns_of("Storkey", patterns, network.dim)
        weights = network.weights.double() / network.scale
        for pattern in patterns.double():
            # The diagonal is zero, so that only the second neuron has to be left out of a field.
            field = (weights @ pattern).unsqueeze(1) - weights * pattern
            field.fill_diagonal_(0.0)
            down = field * pattern
            change = torch.outer(pattern, pattern) - (down + down.mT)
            weights = weights + change.fill_diagonal_(0.0) / network.dim
        return HopfieldNetwork(weights, network.bias / network.scale)


class PseudoInverse(LearningRule):
    r"""Project on what the patterns span, so that none disturbs another.

    $$ W = X^+ X, \qquad w_{ii} = 0 $$

    Fewer independent patterns than neurons are all stable, however much they resemble each other;
    around how far cues are drawn to them, see the capacity. With as many as neurons the projection
    is the identity, whose diagonal is all that it has.

    Deviations: none.
    Cite: personnaz1986
    """

    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        patterns = patterns_of("PseudoInverse", patterns)
        spanned = _span(patterns.double())
        rank, dim = spanned.shape
        if rank == dim:
            raise ValueError(
                f"PseudoInverse().learn(): {len(patterns)} patterns span all {dim} neurons (rank "
                f"{rank}), expected a rank below {dim}: every state would be stable, and nothing "
                f"recalled. Store fewer patterns, or take Hebb or Storkey."
            )
        weights = spanned.mT @ spanned
        weights = (weights + weights.mT) / 2
        return HopfieldNetwork(weights.fill_diagonal_(0.0), bias)


def _span(patterns: Tensor) -> Tensor:
    """Return an orthonormal base of what rows span."""
    _, sizes, base = torch.linalg.svd(patterns, full_matrices=False)
    least = sizes[0] * max(patterns.shape) * torch.finfo(sizes.dtype).eps
    return base[sizes > least]


def patterns_of(rule: str, patterns: Tensor, dim: int | None = None) -> Tensor:
    """Return the patterns that a rule is given, as whole numbers.

    Raises:
        TypeError: they are no tensor.
        ValueError: they are no rows of 1 and -1, or there is none.
    """
    expect_tensor(f"{rule}(): patterns", patterns)
    if patterns.ndim != 2 or not patterns.numel():
        raise ValueError(
            f"{rule}(): patterns of shape {tuple(patterns.shape)} came, expected (pattern, neuron) "
            f"with one pattern at least. For a single one pass pattern.unsqueeze(0)."
        )
    return signs(f"{rule}(): patterns", patterns, dim)


def _outer(patterns: Tensor) -> Tensor:
    """Return the sum of outer products without its diagonal; whole, as the numbers are.

    A float32 product of up to 2**24 ones is exact.
    """
    wide = patterns.float()
    few = len(patterns) <= MOST_WHOLE
    dtype = torch.int16 if few else torch.float64
    whole = torch.empty(wide.shape[1], wide.shape[1], dtype=dtype)
    for rows in torch.arange(wide.shape[1]).split(CHUNK):
        whole[rows[0] : rows[-1] + 1] = (wide[:, rows].mT @ wide).to(dtype)
    return whole.fill_diagonal_(0)

"""Scores: how well does this slot match this query?"""

import math
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention.context import AlignContext
from memnets.ops.masking import widen
from memnets.ops.sizes import at_least_one, within

SMALLEST_NORM = 1e-6
"""Below it a vector counts as this long: a key of zeros has a cosine, and a finite gradient."""


class Remembered(NamedTuple):
    """Keys that a score has remembered, where it is called with them in place of the keys."""

    keys: Float[Tensor, "*batch slot _"]


class Score(nn.Module, ABC):
    """A number for every pair of a query and a slot, higher where they match better.

    Subclass it, write `match` and `example`, and the conformance tests find and check it. What
    depends on the keys alone goes into `remember`, which is then done once per memory.
    """

    depends_on_positions: ClassVar[bool] = False
    """Whether the order of the slots matters; the conformance tests check what is declared."""
    needs_equal_widths: ClassVar[bool] = False
    """Whether query and key must have the same width."""
    linear_in_keys: ClassVar[bool] = False
    """Whether the score of a sum of keys is the sum of their scores, whatever the context."""
    looks_back: ClassVar[bool] = False
    """Whether it needs what earlier steps read, so that steps must follow one another."""

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        """Prepare the keys, once per memory."""
        return keys

    @abstractmethod
    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Score every remembered slot for every query."""

    def forward(
        self,
        query: Float[Tensor, "*batch query dim"],
        keys: Float[Tensor, "*batch slot _"] | Remembered,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Score every slot for every query, the keys as they come or as they were remembered."""
        remembered = keys.keys if isinstance(keys, Remembered) else self.remember(keys)
        return self.match(query, remembered, context)

    @classmethod
    @abstractmethod
    def example(cls, query_dim: int, key_dim: int) -> "Score":
        """Return a small instance for the conformance tests."""


class Factors(NamedTuple):
    """What a score is an inner product of, and the number it is multiplied by."""

    query: Float[Tensor, "*batch query dim"]
    keys: Float[Tensor, "*batch slot dim"]
    scale: float = 1.0


class InnerProduct(Score):
    """A score that is an inner product of what query and key become.

    Where no weights are asked for, a softmax of such scores is read by torch's fused kernel.
    """

    @abstractmethod
    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        """Return what the inner product is taken of."""

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        query, keys, scale = self.factors(query, remembered, context)
        scores = query @ keys.mT
        return scores if scale == 1.0 else scores * scale


class Dot(InnerProduct):
    r"""Score a slot by its inner product with the query.

    $$ e_{ij} = q_i^\top k_j $$  (Luong et al., section 3.1, "dot")

    Deviations: none.
    Cite: luong2015

    Raises:
        ValueError: query and key have different widths.
    """

    needs_equal_widths = True
    linear_in_keys = True

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        _equal_widths(self, query, remembered)
        return Factors(query, remembered)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Dot":
        return cls()


class ScaledDot(Dot):
    r"""Score a slot by its inner product with the query, scaled to unit variance.

    $$ e_{ij} = q_i^\top k_j / \sqrt{d_k} $$  (Vaswani et al., Eq. 1)

    Here $d_k$ is the width of a key.

    Deviations: none.
    Cite: vaswani2017

    Raises:
        ValueError: query and key have different widths.
    """

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        return super().factors(query, remembered)._replace(scale=remembered.shape[-1] ** -0.5)


class General(InnerProduct):
    r"""Score a slot by a bilinear form of query and key.

    $$ e_{ij} = q_i^\top W k_j $$  (Luong et al., section 3.1, "general")

    The side that is cheaper is multiplied by $W$: the queries where there are no more of them
    than slots, else the keys.

    Deviations: none.
    Cite: luong2015

    Args:
        query_dim: width of a query.
        key_dim: width of a key.

    Raises:
        ValueError: a width is below 1.
    """

    linear_in_keys = True

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        at_least_one("General", query_dim=query_dim, key_dim=key_dim)
        self.weight = nn.Linear(key_dim, query_dim, bias=False)

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        if query.shape[-2] <= remembered.shape[-2]:
            return Factors(query @ self.weight.weight, remembered)
        return Factors(query, self.weight(remembered))

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "General":
        return cls(query_dim, key_dim)


Bilinear = General


class ProjectedDot(InnerProduct):
    r"""Score a slot by the scaled inner product of what query and key are projected to.

    $$ e_{ij} = (W^Q q_i)^\top W^K k_j / \sqrt{d} $$  (Vaswani et al., section 3.2.2, of one head)

    Where queries and keys come from layers that do something else besides, as the states of a
    decoder do: `ScaledDot` of these is nearly even at first, and learns late where to look.

    Deviations: values are not projected, nor what was read.
    Cite: vaswani2017

    Args:
        query_dim: width of a query.
        key_dim: width of a key.
        dim: width $d$ of both projections.

    Raises:
        ValueError: a width is below 1.
    """

    linear_in_keys = True

    def __init__(self, query_dim: int, key_dim: int, dim: int) -> None:
        super().__init__()
        at_least_one("ProjectedDot", query_dim=query_dim, key_dim=key_dim, dim=dim)
        self.query_weight = nn.Linear(query_dim, dim, bias=False)
        self.key_weight = nn.Linear(key_dim, dim, bias=False)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return self.key_weight(keys)

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        return Factors(self.query_weight(query), remembered, remembered.shape[-1] ** -0.5)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "ProjectedDot":
        return cls(query_dim, key_dim, 4)


class _Cosine(InnerProduct):
    """The cosine of query and key, times a strength; a subclass says where that comes from."""

    needs_equal_widths = True

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return _unit(keys)

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        _equal_widths(self, query, remembered)
        return Factors((self.strength(context) * _unit(query)).to(query.dtype), remembered)

    @abstractmethod
    def strength(self, context: AlignContext) -> Tensor | float:
        """Return what the cosines are multiplied by: one number, or one a query."""


class Cosine(_Cosine):
    r"""Score a slot by the cosine between query and key, times a constant strength.

    $$ e_{ij} = \beta \, \frac{q_i^\top k_j}{\lVert q_i \rVert \lVert k_j \rVert} $$
    (Graves et al., Eq. 5 and 6)

    A bare cosine, $\beta = 1$, is nearly a mean: over 100 slots a softmax of it puts at most
    6.9 % on one of them.

    Deviations: the paper's $\beta$ comes with each query: `KeyStrengthCosine`. A norm
    counts as 1e-6 at least. [equation numbers recalled]
    Cite: graves2014

    Args:
        strength: $\beta$.

    Raises:
        ValueError: the strength is negative; query and key have different widths.
    """

    def __init__(self, strength: float = 10.0) -> None:
        super().__init__()
        expected = (
            "a number of at least 0. A negative strength would prefer the slots that match least."
        )
        within(lambda x: x >= 0, "Cosine", expected, strength=strength)
        self.constant = strength

    def strength(self, context: AlignContext) -> Tensor | float:
        """Return the constant."""
        return self.constant

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Cosine":
        return cls()


class LearnedCosine(_Cosine):
    r"""Score a slot by the cosine, times a strength that is learned.

    $$ e_{ij} = \mathrm{softplus}(\hat\beta) \cos(q_i, k_j) $$  (after Graves et al., Eq. 5)

    Deviations: one strength for all steps.
    Cite: graves2014

    Args:
        strength: where $\beta$ starts.

    Raises:
        ValueError: the strength is not above 0; query and key have different widths.
    """

    def __init__(self, strength: float = 10.0) -> None:
        super().__init__()
        expected = "a number above 0. No finite parameter has a softplus of 0."
        within(lambda x: x > 0, "LearnedCosine", expected, strength=strength)
        self.raw_strength = nn.Parameter(torch.tensor(before_softplus(strength)))

    def strength(self, context: AlignContext) -> Tensor | float:
        """Return the softplus of the parameter."""
        return F.softplus(self.raw_strength)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "LearnedCosine":
        return cls()


class KeyStrengthCosine(_Cosine):
    r"""Score a slot by the cosine, times a strength that comes with each query.

    $$ e_{ij} = \beta_i \cos(q_i, k_j) $$  (Graves et al., Eq. 5)

    Deviations: none; whoever emits $\beta_i$, the context's `strength`, keeps it at 0 or above.
    [equation number recalled]
    Cite: graves2014

    Raises:
        ValueError: the context has no strength; query and key have different widths.
    """

    def strength(self, context: AlignContext) -> Tensor | float:
        """Return the context's strength, one a query."""
        return context.require("strength", "KeyStrengthCosine").unsqueeze(-1)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "KeyStrengthCosine":
        return cls()


def before_softplus(number: float) -> float:
    """Return what has this softplus; the number itself may be large."""
    return number + math.log(-math.expm1(-number))


def _unit(vectors: Tensor) -> Tensor:
    """Return vectors of length 1, the length taken in float32 or wider."""
    return F.normalize(widen(vectors), dim=-1, eps=SMALLEST_NORM).to(vectors.dtype)


def _equal_widths(score: Score, query: Tensor, remembered: Tensor) -> None:
    if query.shape[-1] != remembered.shape[-1]:
        raise ValueError(
            f"{type(score).__name__}(): the query has width {query.shape[-1]} and the keys "
            f"{remembered.shape[-1]}. A dot product needs equal widths: project one of them."
        )

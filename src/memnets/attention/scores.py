"""Scores: how well does this slot match this query?"""

from abc import ABC, abstractmethod
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention.context import AlignContext


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
        keys: Float[Tensor, "*batch slot _"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return self.match(query, self.remember(keys), context)

    @classmethod
    @abstractmethod
    def example(cls, query_dim: int, key_dim: int) -> "Score":
        """Return a small instance for the conformance tests."""


class Dot(Score):
    r"""Score a slot by its inner product with the query.

    $$ e_{ij} = q_i^\top k_j $$  (Luong et al., Eq. 8, "dot")

    Deviations: none.
    Cite: luong2015

    Raises:
        ValueError: query and key have different widths.
    """

    needs_equal_widths = True
    linear_in_keys = True

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        if query.shape[-1] != remembered.shape[-1]:
            raise ValueError(
                f"{type(self).__name__}(): the query has width {query.shape[-1]} and the keys "
                f"{remembered.shape[-1]}. A dot product needs equal widths: project one of them."
            )
        return query @ remembered.mT

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

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return super().match(query, remembered) / remembered.shape[-1] ** 0.5

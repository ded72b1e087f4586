"""Aligns: how much of each slot is taken?"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.context import AlignContext
from memnets.ops.masking import masked_softmax


class Aligned(NamedTuple):
    """Weights, and what a sparse or a sampled choice of slots brings with it."""

    weights: Tensor
    indices: Tensor | None = None
    log_prob: Tensor | None = None
    entropy: Tensor | None = None


class Align(nn.Module, ABC):
    """Turn scores into weights. Unreadable slots get zero, also where nothing is readable.

    An align that keeps only some slots, or draws them, overrides `align` too and says there which
    slots (`indices`) and how likely they were (`log_prob`, `entropy`).
    """

    depends_on_positions: ClassVar[bool] = False
    """Whether the order of the slots matters; the conformance tests check what is declared."""
    sums_to: ClassVar[float | None] = 1.0
    """What the weights of a readable row sum to; None where there is no such number."""

    @abstractmethod
    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Return one weight a slot."""

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        """Return the weights and, where slots were chosen, which and how likely."""
        return Aligned(self(scores, mask, context))

    @classmethod
    def example(cls) -> "Align":
        """Return a small instance for the conformance tests."""
        return cls()


class Softmax(Align):
    r"""Take slots in proportion to the exponential of their score.

    $$ w_i = \exp(e_i) / \sum_j \exp(e_j) $$  (Bahdanau et al., Eq. 6)

    Deviations: the sum runs over readable slots; with none, all weights are zero. Computed in
    float32 or wider.
    Cite: bahdanau2015
    """

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return masked_softmax(scores, mask)


class Identity(Align):
    """Take the scores themselves as weights: the linear phase of MemN2N's training.

    The softmax is removed and the model is linear up to its answer (Sukhbaatar et al., section
    4.2, "linear start").

    Deviations: none.
    Cite: sukhbaatar2015
    """

    sums_to = None

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return scores if mask is None else scores.masked_fill(~mask, 0.0)

"""Aligns: how much of each slot is taken?"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.context import AlignContext
from memnets.ops.masking import masked_softmax, widen
from memnets.ops.sizes import at_least


class Aligned(NamedTuple):
    """Weights, and what a sparse or a sampled choice of slots brings with it."""

    weights: Tensor
    indices: Tensor | None = None
    log_prob: Tensor | None = None
    entropy: Tensor | None = None

    def dense(self, slots: int) -> Tensor:
        """Return one weight a slot, also where only some slots were kept."""
        if self.indices is None:
            return self.weights
        empty = self.weights.new_zeros(*self.weights.shape[:-1], slots)
        return empty.scatter_add(-1, self.indices, self.weights)


class Align(nn.Module, ABC):
    """Turn scores into weights. Unreadable slots get zero, also where nothing is readable.

    What Bahdanau et al. (2015) call the alignment model is a `Score` here, not an align.

    An align that keeps only some slots derives from `KeepsSome` instead, and says which slots
    (`indices`) and, where it drew them, how likely they were (`log_prob`, `entropy`).
    """

    depends_on_positions: ClassVar[bool] = False
    """Whether the order of the slots matters; the conformance tests check what is declared."""
    sums_to: ClassVar[float | None] = 1.0
    """What the weights of a readable row sum to; None where there is no such number."""
    passes_gradient: ClassVar[bool] = True
    """Whether the weights have a gradient at all; those of a hard choice have none."""
    looks_back: ClassVar[bool] = False
    """Whether it needs what earlier steps read, so that steps must follow one another."""

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

    def relaxed(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Return the weights whose gradient is passed on: the weights, but for straight-through."""
        return self(scores, mask, context)

    @classmethod
    def example(cls) -> "Align":
        """Return a small instance for the conformance tests."""
        return cls()


class KeepsSome(Align):
    """Keep some slots only: a subclass writes `align`, and `forward` lays its weights out."""

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return self.align(scores, mask, context).dense(scores.shape[-1])

    @abstractmethod
    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        """Return the weights of the slots that are kept, and which those are."""


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


class PaddedSoftmax(Align):
    r"""Take slots by a softmax that also runs over the empty slots of a memory of fixed size.

    $$ w_i = \exp(e_i) / \Bigl(\sum_{j=1}^{n} \exp(e_j) + (S - n)\Bigr) $$

    Here $n$ of the $S$ slots are filled; an empty one holds zeros, so that its score is zero and
    its value adds nothing. What the empty slots take is lost: a story of few sentences is read
    more faintly. This is what the authors' MemN2N code computes, where the paper writes a plain
    softmax, and on bAbI it halves the error of the yes/no tasks.

    Deviations: from the paper, the $S - n$; from the released code, none in value. There an empty
    slot holds nil words, which have a gradient: for that too, give `MemN2N` its `slots`.
    Cite: sukhbaatar2015

    Args:
        slots: the size of the memory, $S$; a row with more readable slots has no empty one.

    Raises:
        ValueError: there is no slot.
    """

    sums_to = None

    def __init__(self, slots: int) -> None:
        super().__init__()
        at_least(1, "PaddedSoftmax", "Pass the size of the memory.", slots=slots)
        self.slots = slots

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        readable = torch.ones_like(scores, dtype=torch.bool)
        readable = readable if mask is None else readable & mask
        # All empty slots together are one more slot, of score log(S - n).
        empty = (self.slots - readable.sum(-1, keepdim=True)).clamp(min=0)
        wide = widen(scores)
        padded = torch.cat([wide, empty.to(wide.dtype).log()], -1)
        return masked_softmax(padded, torch.cat([readable, empty > 0], -1))[..., :-1]

    @classmethod
    def example(cls) -> "PaddedSoftmax":
        return cls(slots=17)


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


class Sigmoid(Align):
    r"""Let each slot through by a gate of its own; slots do not compete.

    $$ w_j = \sigma(e_j) $$

    Deviations: none; it has no paper of its own.
    """

    sums_to = None

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        wide = widen(scores)
        if mask is None:
            return wide.sigmoid()
        return wide.masked_fill(~mask, -torch.inf).sigmoid()


class Smoothing(Align):
    r"""Take slots in proportion to a sigmoid of their score, which lets many be read at once.

    $$ w_j = \sigma(e_j) / \sum_k \sigma(e_k) $$  (Chorowski et al., section 2.2, "smoothing")

    Deviations: none. [section recalled]
    Cite: chorowski2015
    """

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        # A softmax of log sigmoid: the same number, also where every sigmoid would underflow.
        return masked_softmax(F.logsigmoid(widen(scores)), mask)

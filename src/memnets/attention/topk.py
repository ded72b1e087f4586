"""Top-k aligns: the highest scores only, in the two conventions that are in use."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from memnets.attention.aligns import Aligned, KeepsSome
from memnets.attention.context import AlignContext
from memnets.ops.masking import masked_softmax, widen
from memnets.ops.sizes import at_least_one


class TopK(KeepsSome):
    r"""Keep the slots of the highest scores, then normalise: the weights sum to one.

    $$ w_j = \exp(e_j) / \sum_{k \in K} \exp(e_k), \qquad j \in K $$

    Where fewer than `k` slots are readable, those are read. Which of equal scores is taken is
    not defined.

    Deviations: none; it has no paper of its own.

    Args:
        k: how many slots are taken.

    Raises:
        ValueError: it is below 1.
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, k=k)
        self.k = k

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        k = min(self.k, scores.shape[-1])
        if mask is None:
            highest, indices = widen(scores).topk(k, -1)
            return Aligned(masked_softmax(highest), indices)
        highest, indices = widen(scores).masked_fill(~mask, -torch.inf).topk(k, -1)
        readable = mask.expand_as(scores).gather(-1, indices)
        return Aligned(masked_softmax(highest.masked_fill(~readable, 0.0), readable), indices)

    @classmethod
    def example(cls) -> "TopK":
        return cls(k=3)


class TopKOfSoftmax(TopK):
    r"""Normalise over all slots, then keep the highest weights: they sum to one or less.

    $$ w_j = \exp(e_j) / \sum_k \exp(e_k), \qquad j \in K $$

    What the other slots would have taken is lost: a memory that matches nowhere is read faintly.

    Deviations: none; it has no paper of its own.

    Args:
        k: how many slots are taken.

    Raises:
        ValueError: it is below 1.
    """

    sums_to = None

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        return Aligned(*masked_softmax(scores, mask).topk(min(self.k, scores.shape[-1]), -1))

    @classmethod
    def example(cls) -> "TopKOfSoftmax":
        return cls(k=3)

r"""Sparse aligns: weights that are exactly zero for slots that match too little.

The entmax family solves $\max_p p^\top e + H_\alpha(p)$ over the simplex. Softmax is its member
$\alpha = 1$, sparsemax $\alpha = 2$. Every member has the form

$$ w_j = [(\alpha - 1) e_j - \tau]_+^{1 / (\alpha - 1)}, \qquad \sum_j w_j = 1 $$

and they differ only in how the threshold $\tau$ is found.
"""

import math
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.aligns import Align
from memnets.attention.context import AlignContext
from memnets.attention.scores import before_softplus
from memnets.ops.masking import widen

# Below the threshold whatever the others are: with the largest score moved to 0, tau >= -1.
OUT_OF_REACH = -2.0


class Sparsemax(Align):
    r"""Take the nearest point of the simplex: slots below a threshold get exactly nothing.

    $$ w_j = [e_j - \tau]_+ $$  (Martins and Astudillo, Eq. 3; Algorithm 1 finds $\tau$)

    Deviations: the simplex is that of the readable slots.
    Cite: martins2016
    """

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        apply: Any = _Sparsemax.apply
        return _over_readable(apply, widen(scores), mask)


class Entmax15(Align):
    r"""Take slots by a threshold and a square: between softmax and sparsemax.

    $$ w_j = [e_j / 2 - \tau]_+^2 $$  (Peters et al., Eq. 9, $\alpha = 1.5$; Algorithm 2)

    Deviations: the simplex is that of the readable slots.
    Cite: peters2019
    """

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        apply: Any = _Entmax15.apply
        return _over_readable(apply, widen(scores), mask)


class Entmax(Align):
    r"""Take slots by entmax, and learn how sparse it is to be.

    $$ w_j = [(\alpha - 1) e_j - \tau]_+^{1 / (\alpha - 1)} $$
    (Peters et al., Eq. 9; Algorithm 1, bisection; the gradient of $\alpha$ is Correia et al.'s)

    Here $\alpha = 1 + \mathrm{softplus}(a)$ and $a$ is learned. For a constant $\alpha$ call
    `requires_grad_(False)`.

    Deviations: the simplex is that of the readable slots.
    Cite: peters2019, correia2019

    Args:
        alpha: where $\alpha$ starts: near 1 it is a softmax, at 2 it is sparsemax.

    Raises:
        ValueError: alpha is 1 or less.
    """

    def __init__(self, alpha: float = 1.5) -> None:
        super().__init__()
        if not alpha > 1:
            raise ValueError(
                f"Entmax(alpha={alpha}): expected a number above 1. For alpha=1 use Softmax()."
            )
        self.raw_alpha = nn.Parameter(torch.tensor(before_softplus(alpha - 1)))

    @property
    def alpha(self) -> Tensor:
        """How sparse the weights are, a number above 1."""
        return 1 + F.softplus(self.raw_alpha)

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        apply: Any = _Entmax.apply
        wide = widen(scores)
        # Widened before the sum: half precision would round alpha itself.
        alpha = 1 + F.softplus(self.raw_alpha.to(wide.dtype))
        return _over_readable(apply, wide, mask, alpha)


def _over_readable(
    apply: Any, scores: Tensor, mask: Tensor | None, *alpha: Tensor
) -> Float[Tensor, "*batch query slot"]:
    """Align the readable slots of every row; a row without any has weights of zero."""
    if mask is None:
        return apply(scores, torch.ones_like(scores, dtype=torch.bool), *alpha)
    return apply(scores, mask.expand_as(scores), *alpha)


def centred(scores: Tensor, mask: Tensor) -> Tensor:
    """Move the largest readable score of every row to 0, and the unreadable ones out of reach."""
    largest = scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True)
    return (scores - largest).masked_fill(~mask, -torch.inf)


def sparsemax(scores: Float[Tensor, "*batch slot"]) -> Float[Tensor, "*batch slot"]:
    """Return sparsemax of centred scores, by sorting: the plain twin of the align."""
    near = scores.clamp(min=OUT_OF_REACH)
    ordered = near.sort(-1, descending=True).values
    total, count = ordered.cumsum(-1), _counts(ordered)
    support = (1 + count * ordered > total).sum(-1, keepdim=True)
    threshold = (total.gather(-1, support - 1) - 1) / support
    return (near - threshold).clamp(min=0.0)


def entmax15(scores: Float[Tensor, "*batch slot"]) -> Float[Tensor, "*batch slot"]:
    """Return 1.5-entmax of centred scores, by sorting: the plain twin of the align."""
    near = (scores / 2).clamp(min=OUT_OF_REACH)
    ordered, count = near.sort(-1, descending=True).values, _counts(near)
    mean = ordered.cumsum(-1) / count
    spread = count * (ordered.square().cumsum(-1) / count - mean.square())
    thresholds = mean - ((1 - spread) / count).clamp(min=0.0).sqrt()
    support = (thresholds <= ordered).sum(-1, keepdim=True)
    return (near - thresholds.gather(-1, support - 1)).clamp(min=0.0).square()


def entmax(
    scores: Float[Tensor, "*batch slot"], alpha: Float[Tensor, ""]
) -> Float[Tensor, "*batch slot"]:
    """Return alpha-entmax of centred scores, by bisection down to the last bit."""
    near = ((alpha - 1) * scores).clamp(min=OUT_OF_REACH)
    power = 1 / (alpha - 1)
    low, width = torch.full_like(near[..., :1], -1.0), 1.0
    for _ in range(round(-math.log2(torch.finfo(near.dtype).eps)) + 2):
        width /= 2
        middle = low + width
        total = (near - middle).clamp(min=0.0).pow(power).sum(-1, keepdim=True)
        low = torch.where(total >= 1, middle, low)
    weights = (near - low).clamp(min=0.0).pow(power)
    return weights / weights.sum(-1, keepdim=True)


def _counts(ordered: Tensor) -> Tensor:
    return torch.arange(1, ordered.shape[-1] + 1, device=ordered.device, dtype=ordered.dtype)


def _only_readable(weights: Tensor, mask: Tensor) -> Tensor:
    # A row with nothing readable has no largest score: its weights are NaN until here.
    return weights.masked_fill(~mask, 0.0)


def _score_gradient(gradient: Tensor, share: Tensor) -> Tensor:
    r"""Return $s \circ (g - s^\top g / \sum s)$, with $s = w^{2 - \alpha}$ on the support."""
    return share * (gradient - (share * gradient).sum(-1, keepdim=True) / _total(share))


def _total(share: Tensor) -> Tensor:
    # An empty row has a total of zero, and then nothing is divided by it but zeros.
    return share.sum(-1, keepdim=True).clamp(min=torch.finfo(share.dtype).tiny)


def _power(weights: Tensor, exponent: Tensor | float) -> Tensor:
    """Return a power of the weights, 0 outside the support; finite in every derivative."""
    supported = weights > 0
    return weights.masked_fill(~supported, 1.0).pow(exponent).masked_fill(~supported, 0.0)


# The backward pass of the family needs the weights alone: nothing of the sort is kept. It is made
# of plain operations, so that it can be differentiated again.
class _Sparsemax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, mask: Tensor) -> Tensor:
        weights = _only_readable(sparsemax(centred(scores, mask)), mask)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (weights,) = ctx.saved_tensors
        return _score_gradient(gradient, (weights > 0).to(weights.dtype)), None


class _Entmax15(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, mask: Tensor) -> Tensor:
        weights = _only_readable(entmax15(centred(scores, mask)), mask)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (weights,) = ctx.saved_tensors
        return _score_gradient(gradient, _power(weights, 0.5)), None


class _Entmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, mask: Tensor, alpha: Tensor) -> Tensor:
        weights = _only_readable(entmax(centred(scores, mask), alpha), mask)
        ctx.save_for_backward(weights, alpha)
        return weights

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor]:
        weights, alpha = ctx.saved_tensors
        share = _power(weights, 2 - alpha)
        # How each weight moves with alpha (Correia et al., proposition 1).
        surprise = -weights * weights.masked_fill(weights == 0, 1.0).log()
        shared = share / _total(share)
        moved = (surprise - shared * surprise.sum(-1, keepdim=True)) / (alpha - 1)
        moved = moved + (weights - shared) / (alpha - 1).square()
        return _score_gradient(gradient, share), None, (gradient * moved).sum()

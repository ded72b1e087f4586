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
from memnets.ops.sizes import within

# Below the threshold whatever the others are: with the largest score moved to 0, tau >= -1.
OUT_OF_REACH = -2.0

SMALLEST_EXCESS = 1e-30
"""Of alpha above 1: below it is a softmax to the last bit, and nothing may be divided by 0."""


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
        function = _Sparsemax if torch.compiler.is_compiling() else _ForwardSparsemax
        return _over_readable(function, widen(scores), mask)


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
        function = _Entmax15 if torch.compiler.is_compiling() else _ForwardEntmax15
        return _over_readable(function, widen(scores), mask)


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
        within(
            lambda x: x > 1, "Entmax", "a number above 1. For alpha=1 use Softmax().", alpha=alpha
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
        function = _Entmax if torch.compiler.is_compiling() else _ForwardEntmax
        wide = widen(scores)
        # Widened before: half precision would round it. And not alpha itself, which is rounded to
        # a few digits of what it is above 1 where it is near.
        excess = F.softplus(self.raw_alpha.to(wide.dtype)).clamp(min=SMALLEST_EXCESS)
        return _over_readable(function, wide, mask, excess)


def _over_readable(
    function: "type[_Sparse]", scores: Tensor, mask: Tensor | None, *excess: Tensor
) -> Float[Tensor, "*batch query slot"]:
    """Align the readable slots of every row; a row without any has weights of zero."""
    if scores.shape[-1] == 0:
        return scores  # no slot has a largest score
    apply: Any = function.apply
    if mask is None:
        return apply(scores, torch.ones_like(scores, dtype=torch.bool), *excess)
    return apply(scores, mask.expand_as(scores), *excess)


def centred(scores: Tensor, mask: Tensor) -> Tensor:
    """Move the largest readable score of every row to 0, and the unreadable ones out of reach."""
    largest = scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True)
    return (scores - largest).masked_fill(~mask, -torch.inf)


def sparsemax(scores: Float[Tensor, "*batch slot"]) -> Float[Tensor, "*batch slot"]:
    """Return sparsemax of centred scores, by sorting: the plain twin of the align."""
    near = scores.clamp(min=OUT_OF_REACH)
    ordered = near.sort(-1, descending=True).values
    total, count = ordered.cumsum(-1), _counts(ordered)
    # The largest is always in it, but for a NaN, which is above nothing and makes all weights NaN.
    support = (1 + count * ordered > total).sum(-1, keepdim=True).clamp(min=1)
    threshold = (total.gather(-1, support - 1) - 1) / support
    return (near - threshold).clamp(min=0.0)


def entmax15(scores: Float[Tensor, "*batch slot"]) -> Float[Tensor, "*batch slot"]:
    """Return 1.5-entmax of centred scores, by sorting: the plain twin of the align."""
    near = (scores / 2).clamp(min=OUT_OF_REACH)
    ordered, count = near.sort(-1, descending=True).values, _counts(near)
    mean = ordered.cumsum(-1) / count
    spread = count * (ordered.square().cumsum(-1) / count - mean.square())
    thresholds = mean - ((1 - spread) / count).clamp(min=0.0).sqrt()
    support = (thresholds <= ordered).sum(-1, keepdim=True).clamp(min=1)  # 0 where there is a NaN
    return (near - thresholds.gather(-1, support - 1)).clamp(min=0.0).square()


def entmax(
    scores: Float[Tensor, "*batch slot"], excess: Float[Tensor, ""]
) -> Float[Tensor, "*batch slot"]:
    r"""Return alpha-entmax of centred scores, by bisection down to the last bit.

    With $a = \alpha - 1$, the `excess`, and $\tau = a s - 1$ the weights are
    $\exp(\log(1 + a (e - s)) / a)$: so written they pass to the softmax as $a$ does to 0.
    """
    low = torch.zeros_like(scores[..., :1])
    # The largest weight is 1 at s = 0, and it is all there is to take where the scores are equal.
    equal = scores.new_full((), scores.shape[-1]).log()  # a tensor: the graph is for any number
    width = -torch.expm1(-excess * equal) / excess
    for _ in range(round(-math.log2(torch.finfo(scores.dtype).eps)) + 2):
        width = width / 2
        middle = low + width
        total = _entmax_above(middle, scores, excess).sum(-1, keepdim=True)
        low = torch.where(total >= 1, middle, low)
    weights = _entmax_above(low, scores, excess)
    weights = weights.masked_fill(excess * (scores - low) <= -1, 0.0)
    return weights / weights.sum(-1, keepdim=True)


def _entmax_above(threshold: Tensor, scores: Tensor, excess: Tensor) -> Tensor:
    """Return weights for a threshold; what is below it gets a number that is as good as none."""
    base = (excess * (scores - threshold)).clamp(min=-1.0)
    least = math.log(torch.finfo(base.dtype).tiny) + 1  # exp of less than that takes twice as long
    return (base.log1p() / excess).clamp(min=least).exp()


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
    outside = weights <= 0  # which a NaN is not: it stays one
    return weights.masked_fill(outside, 1.0).pow(exponent).masked_fill(outside, 0.0)


def _alpha_gradient(weights: Tensor, share: Tensor, excess: Tensor) -> Tensor:
    r"""Return how each weight moves with alpha (Correia et al., proposition 1).

    With $x = -a \log w$ the share is $w e^x$, and what is not linear in it is
    $u = w (e^x - 1 - x) / a^2$. In these terms nothing cancels where alpha is near 1.
    """
    log = weights.masked_fill(weights <= 0, 1.0).log()
    surprise = weights * log
    x = -excess * log
    far = (share - weights - weights * x) / excess.square()
    bent = torch.where(x < 0.25, surprise * log * _bend(x.clamp(max=0.25)), far)
    total, whole = bent.sum(-1, keepdim=True), _total(share)
    moved = (weights * total - bent) * (1 - excess.square() * total / whole)
    mean = surprise.sum(-1, keepdim=True)
    return moved - excess * (surprise - weights * mean) * total / whole


def _bend(x: Tensor) -> Tensor:
    r"""Return $(e^x - 1 - x) / x^2$ for x between 0 and 1/4, by its series."""
    bend = torch.zeros_like(x)
    for k in range(12, 1, -1):
        bend = bend * x + 1 / math.factorial(k)
    return bend


# The backward pass of the family needs the weights alone: nothing of the sort is kept. It is made
# of plain operations, so that it can be differentiated again; and the derivative of the weights by
# the scores is symmetric, so that the same serves forward-mode derivatives.
class _Sparse(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.save_for_backward(output, *inputs[2:])
        ctx.save_for_forward(output, *inputs[2:])


class _Sparsemax(_Sparse):
    @staticmethod
    def forward(scores: Tensor, mask: Tensor) -> Tensor:
        return _only_readable(sparsemax(centred(scores, mask)), mask)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (weights,) = ctx.saved_tensors
        return _score_gradient(gradient, (weights > 0).to(weights.dtype) + 0 * weights), None


class _Entmax15(_Sparse):
    @staticmethod
    def forward(scores: Tensor, mask: Tensor) -> Tensor:
        return _only_readable(entmax15(centred(scores, mask)), mask)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (weights,) = ctx.saved_tensors
        return _score_gradient(gradient, _power(weights, 0.5)), None


class _Entmax(_Sparse):
    @staticmethod
    def forward(scores: Tensor, mask: Tensor, excess: Tensor) -> Tensor:
        return _only_readable(entmax(centred(scores, mask), excess), mask)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor]:
        weights, excess = ctx.saved_tensors
        share = _power(weights, 1 - excess)
        moved = _alpha_gradient(weights, share, excess)
        return _score_gradient(gradient, share), None, (gradient * moved).sum()


# Forward-mode derivatives stand apart: torch.compile captures no function that has them.
class _ForwardSparsemax(_Sparsemax):
    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        return _Sparsemax.backward(ctx, tangent)[0]


class _ForwardEntmax15(_Entmax15):
    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, _: None) -> Tensor:
        return _Entmax15.backward(ctx, tangent)[0]


class _ForwardEntmax(_Entmax):
    @staticmethod
    def jvp(ctx: Any, tangent: Tensor | None, _: None, faster: Tensor | None) -> Tensor:
        weights, excess = ctx.saved_tensors
        share = _power(weights, 1 - excess)
        moved = torch.zeros_like(weights)
        if tangent is not None:
            moved = moved + _score_gradient(tangent, share)
        if faster is not None:
            moved = moved + _alpha_gradient(weights, share, excess) * faster
        return moved

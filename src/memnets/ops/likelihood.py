r"""The log-likelihood of right choices among many, such as the words of a vocabulary.

torch's cross-entropy fills three tables of all rows and choices: log-probabilities, and two on the
way back. Here there are two: what is kept are the probabilities, whose softmax is quicker than its
logarithm, and the gradient is made of them.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.masking import widen
from memnets.ops.twins import runs_eagerly


def log_likelihood(
    scores: Float[Tensor, "row choice"], right: Int[Tensor, " row"]
) -> Float[Tensor, " row"]:
    r"""Return $\log \mathrm{softmax}(e)_y$ of every row, in float32 or wider.

    Args:
        scores: $e$.
        right: $y$.

    Raises:
        RuntimeError: its gradient is differentiated again; set MEMNETS_PLAIN=1 for that.
    """
    wide = widen(scores)
    with torch.autocast(wide.device.type, enabled=False):  # of which nothing is narrowed again
        if native.plain_is_forced() or not runs_eagerly() or not wide.numel():
            return -F.cross_entropy(wide, right, reduction="none")
        apply: Any = _LogLikelihood.apply
        found: Tensor = apply(wide, right.unsqueeze(-1))
        return found


class _LogLikelihood(torch.autograd.Function):
    """The logarithm is of the likeliest choice, so that an improbable one has all its digits."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, right: Tensor) -> Tensor:
        probabilities = scores.softmax(-1)
        ctx.save_for_backward(probabilities, right)
        largest = probabilities.amax(-1).log()
        return scores.gather(-1, right).squeeze(-1) - scores.amax(-1) + largest

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        probabilities, right = ctx.saved_tensors
        to_scores = probabilities * -grad.unsqueeze(-1)
        return to_scores.scatter_add_(-1, right, grad.unsqueeze(-1)), None

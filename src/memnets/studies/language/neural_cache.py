r"""The neural cache: what was predicted before in a like state is likely to be predicted again.

Nothing is trained. The states $h_i$ of the last M steps and the symbols $x_{i+1}$ that followed
them are remembered; a symbol is as likely as the states it followed are like the present one.

Cite: grave2017
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

CHUNK = 256
"""Positions whose likenesses are computed in one product."""


class Matches(NamedTuple):
    r"""What the cache holds for every position; all in logarithms, nothing where it is empty.

    Attributes:
        wanted: $\ln \sum_i 1[x_{i+1} = w] \exp(\theta \, h_t \cdot h_i)$ for the wanted symbol.
        whole: the same sum over all slots.
    """

    wanted: Float[Tensor, "flatness time"]
    whole: Float[Tensor, "flatness time"]


def find_matches(
    hidden: Float[Tensor, "time dim"],
    following: Int[Tensor, " time"],
    wanted: Int[Tensor, " time"],
    window: int,
    flatness: Sequence[float],
) -> Matches:
    r"""Compare every state with the `window` states before it.

    Args:
        hidden: $h_t$, which predicts the symbol after step t.
        following: $x_{t+1}$; seen by the steps after t, never by t itself.
        wanted: the symbol whose probability is asked for at each step; `following`, for a loss.
        window: how many steps are remembered, M.
        flatness: values of $\theta$; at 0 only how often a symbol came counts.

    Raises:
        ValueError: nothing is to be remembered.
    """
    if window < 1:
        raise ValueError(f"window={window}: expected at least 1 step. Pass 100, say.")
    parts = []
    for place in _places(hidden.float(), following, window):
        same = place.following == wanted[place.steps, None]
        parts.append(torch.stack([_sums(value * place.likeness, same) for value in flatness]))
    return Matches(*torch.cat(parts, 2).unbind(1))


class _Places(NamedTuple):
    """The remembered steps of a stretch of positions, the oldest first."""

    steps: slice
    likeness: Float[Tensor, "time slot"]
    r"""$h_t \cdot h_i$; minus infinity where nothing is remembered yet."""
    following: Int[Tensor, "time slot"]


def _places(hidden: Tensor, following: Tensor, window: int) -> Iterator[_Places]:
    time = len(hidden)
    past = F.pad(hidden, (0, 0, window, 0))
    symbols = F.pad(following, (window, 0), value=-1).unfold(0, window, 1)
    for first in range(0, time, CHUNK):
        last = min(first + CHUNK, time)
        steps, width = last - first, last - first + window - 1
        product = hidden[first:last] @ past[first : first + width].T
        # Step t remembers the `window` states before it: a diagonal band of the product.
        band = product.as_strided((steps, window), (width + 1, 1))
        remembered = symbols[first:last]
        yield _Places(slice(first, last), band.masked_fill(remembered < 0, -torch.inf), remembered)


def _sums(scores: Tensor, same: Tensor) -> Tensor:
    """Return the logarithms of the sum over the slots that match, and over all."""
    scores = scores.nan_to_num(nan=-torch.inf, neginf=-torch.inf)  # 0 times infinity
    most = scores.amax(-1, keepdim=True).nan_to_num(neginf=0.0)
    shares = (scores - most).exp()
    sums = torch.stack([(shares * same).sum(-1), shares.sum(-1)])
    return sums.log() + most.squeeze(-1)


def mix(
    log_prob: Float[Tensor, " time"],
    wanted: Float[Tensor, " time"],
    whole: Float[Tensor, " time"],
    share: float,
) -> Float[Tensor, " time"]:
    r"""Return the logarithm of $(1 - \lambda) \, p + \lambda \, p_{cache}$ (linear mixture).

    Where the cache is empty $\lambda$ is 0; where it is 0 the model's bits are left alone.

    Args:
        log_prob: the model's, of the wanted symbol.
        wanted, whole: of one flatness; see `Matches`.
        share: $\lambda$.
    """
    if share == 0:
        return log_prob
    cached = wanted - whole + math.log(share)
    return torch.where(
        whole.isfinite(), torch.logaddexp(log_prob + math.log1p(-share), cached), log_prob
    )


def join(
    log_prob: Float[Tensor, " time"],
    total: Float[Tensor, " time"],
    wanted: Float[Tensor, " time"],
    whole: Float[Tensor, " time"],
    offset: float,
) -> Float[Tensor, " time"]:
    r"""Return the logarithm of the joint softmax over the model's logits and the cache's slots.

    $$ p(w) \propto e^{l_w} + \sum_i 1[x_{i+1} = w] \, e^{\theta h_t \cdot h_i + \alpha} $$

    Args:
        log_prob: the model's, of the wanted symbol.
        total: $\ln \sum_w e^{l_w}$.
        wanted, whole: of one flatness; see `Matches`.
        offset: $\alpha$.
    """
    above = torch.logaddexp(log_prob + total, wanted + offset)
    return above - torch.logaddexp(total, whole + offset)


@dataclass(frozen=True)
class Grid:
    """What is tried, on text that is not reported."""

    window: int = 100
    flatness: tuple[float, ...] = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    shares: tuple[float, ...] = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
    offsets: tuple[float, ...] = (-12.0, -9.0, -6.0, -3.0, 0.0, 3.0)


class Scalars(NamedTuple):
    r"""What a cache is set by: $\theta$, and $\lambda$ (mixture) or $\alpha$ (joint softmax)."""

    flatness: float
    other: float


def tune(
    log_prob: Float[Tensor, " time"],
    total: Float[Tensor, " time"],
    matches: Matches,
    grid: Grid,
) -> tuple[Scalars, Scalars]:
    """Return the best mixture and the best joint softmax of the grid for these steps.

    Args:
        log_prob, total: of the model; see `join`.
        matches: for every flatness of the grid.
        grid: what is tried.
    """
    mixtures, joints = {}, {}
    for flatness, wanted, whole in zip(grid.flatness, *matches, strict=True):
        for share in grid.shares:
            found = mix(log_prob, wanted, whole, share)
            mixtures[Scalars(flatness, share)] = float(found.double().sum())
        for offset in grid.offsets:
            found = join(log_prob, total, wanted, whole, offset)
            joints[Scalars(flatness, offset)] = float(found.double().sum())
    return max(mixtures, key=mixtures.__getitem__), max(joints, key=joints.__getitem__)


def read_cache(
    hidden: Float[Tensor, "time dim"], window: int, flatness: float
) -> Float[Tensor, " slot"]:
    """Return how much the last state takes of each of the `window` before it, the oldest first.

    Its symbols are evidence: predicted because of these earlier places.
    """
    past = hidden[:-1][-window:].float()
    return (flatness * (past @ hidden[-1].float())).softmax(-1)

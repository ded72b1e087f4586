r"""Could two sets of stories differ like this by chance? A permutation test of whole stories.

Questions of one story depend on each other, so the stories are the units. Pool the stories of both
sets, and imagine the labels dealt anew. With $c_s$ the counts of story $s$ in the cells of a
histogram, $p$ the pooled shares and $z_s = c_s - p \, (1^\top c_s)$, the surplus of the second set
is $T = \sum_{s \in B} z_s$, and Pearson's statistic is $Q = \sum_k T_k^2 / p_k$.

No labels need be dealt. Relabelling gives $T$ the mean 0 and the covariance
$\frac{n_A n_B}{n (n - 1)} \sum_s z_s z_s^\top$ exactly, and $T$ is a sum over many stories, so it
is close to normal (Hoeffding's theorem on permutations). Then $Q$ is a weighted sum of squares of
normal numbers; its upper tail is that of a chi-square with the same mean, variance and skewness
(Imhof's three moments). This has no seed, and tells p = 1e-9 from p = 1e-4, which the correction
for hundreds of tests needs, and for which a billion permutations would have to be drawn.

Deviations: where a story's counts are always the same multiple of each other, nothing can vary and
p is 1. Cells with few expected counts are far from normal: see `tools.babi_check.moments`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.babi_check.moments import Moments

MANY_STEPS = 10_000
"""More than enough for the series of `chi_square_tail`, which stops when a term adds nothing."""


class Difference(NamedTuple):
    """How two sets of stories differ.

    Args:
        p: how often chance alone makes them differ as much.
        variation: total variation between the shares, 0 to 1.
        by_chance: the total variation that chance alone makes on average.
    """

    p: float
    variation: float
    by_chance: float


def compare_shares(one: Moments, other: Moments) -> Difference:
    """Compare the shares of the cells of a histogram."""
    both = one + other
    share = both.total / both.total.sum()
    project = np.eye(len(share)) - np.outer(share, np.ones(len(share)))
    spread = _relabelled(one, other, project @ both.square @ project.T)
    surplus = other.total - share * other.total.sum()
    root = np.sqrt(share)
    p = _weighted_squares_tail(float(np.sum((surplus / root) ** 2)), spread / np.outer(root, root))
    apart = one.total / one.total.sum() - other.total / other.total.sum()
    per_count = 1 / one.total.sum() + 1 / other.total.sum()
    deviation = np.sqrt(np.maximum(np.diag(spread), 0)) * per_count
    return Difference(
        p,
        float(np.abs(apart).sum() / 2),
        # The mean of |x| where x is normal with deviation 1 is sqrt(2/pi).
        float(deviation.sum() * math.sqrt(2 / math.pi) / 2),
    )


class Drift(NamedTuple):
    """How two means differ.

    Args:
        p: how often chance alone makes them differ as much.
        one: the mean of the first set.
        other: the mean of the second.
        deviation: of the second mean from the first by chance, as a share of the first.
    """

    p: float
    one: float
    other: float
    deviation: float

    @property
    def relative(self) -> float:
        """How far the second mean is above the first, as a share of the first."""
        return self.other / self.one - 1


def compare_means(one: Moments, other: Moments) -> Drift:
    """Compare ratios: of two cells, the sum of what is averaged and how much there is of it."""
    both = one + other
    mean = both.total[0] / both.total[1]
    project = np.array([[1.0, -mean]])
    spread = float(_relabelled(one, other, project @ both.square @ project.T)[0, 0])
    surplus = float(other.total[0] - mean * other.total[1])
    first, second = (float(part.total[0] / part.total[1]) for part in (one, other))
    if spread <= _nothing(both):
        return Drift(1.0 if math.isclose(first, second) else 0.0, first, second, 0.0)
    p = math.erfc(abs(surplus) / math.sqrt(2 * spread))
    per_count = float(1 / one.total[1] + 1 / other.total[1])
    return Drift(p, first, second, math.sqrt(spread) * per_count / first)


def holm(ps: Sequence[float]) -> list[float]:
    """Correct p for the number of tests (Holm's step-down): each as if it stood alone.

    Among all tests in which nothing but chance is at work, one of these is below a given level no
    more often than the level says, whatever the tests have to do with each other.
    """
    corrected = [1.0] * len(ps)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[index]))
        corrected[index] = largest
    return corrected


def chi_square_tail(x: float, freedom: float) -> float:
    """How often a chi-square number with so many degrees of freedom is above x.

    It is the regularised upper incomplete gamma function, by its series below the mean and by its
    continued fraction (Lentz's way) above.
    """
    if x <= 0:
        return 1.0
    a, half = freedom / 2, x / 2
    front = math.exp(a * math.log(half) - half - math.lgamma(a))
    if half < a + 1:
        term = total = 1 / a
        for step in range(1, MANY_STEPS):
            term *= half / (a + step)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1 - front * total)
    b = half + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for step in range(1, MANY_STEPS):
        factor = -step * (step - a)
        b += 2
        d, c = 1 / (factor * d + b), b + factor / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, front * fraction)


def _relabelled(one: Moments, other: Moments, scatter: NDArray[np.float64]) -> NDArray[np.float64]:
    """The covariance of the second set's surplus when whole stories change their labels."""
    stories = one.stories + other.stories
    return one.stories * other.stories / (stories * (stories - 1)) * scatter


def _weighted_squares_tail(value: float, covariance: NDArray[np.float64]) -> float:
    """How often a sum of squares of normal numbers with this covariance is above the value."""
    second = covariance @ covariance
    c1, c2, c3 = (float(np.trace(m)) for m in (covariance, second, second @ covariance))
    if c1 <= 1e-9:
        return 1.0 if value <= 1e-9 else 0.0
    freedom = c2**3 / c3**2
    return chi_square_tail((value - c1) * math.sqrt(freedom / c2) + freedom, freedom)


def _nothing(both: Moments) -> float:
    """What rounding leaves of a variance of 0."""
    return 1e-12 * float(np.abs(both.square).max())

"""How far the figures of several seeds lie apart."""

import statistics
from collections.abc import Sequence


def spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation (n - 1), or None of a single value."""
    return statistics.stdev(values) if len(values) > 1 else None


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean (Student's t), or None of a single value."""
    if len(values) < 2:
        return None
    mean = statistics.fmean(values)
    half = _t(len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return mean - half, mean + half


def _t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t; above 10 degrees of freedom by expansion."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    z, n = 1.959964, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


_T = (12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)

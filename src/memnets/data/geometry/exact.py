"""Exact signs of determinants: on which side a point lies, and whether in a circle.

Both are computed in float64 first. Where rounding could have turned the sign (Shewchuk's bound of
the error), they are computed anew in fractions, which do not round.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from memnets.data.geometry.arrays import Bools, Floats, Ints

Points = Floats
Signs = Ints

HALF = 2.0**-53
"""Half of the distance from 1 to the next float64."""
ORIENT_ERROR = (3 + 16 * HALF) * HALF
CIRCLE_ERROR = (10 + 96 * HALF) * HALF
"""Bounds of the error as a share of the sum of magnitudes (Shewchuk, 1997, section 4)."""


def orientation(a: Points, b: Points, c: Points) -> Signs:
    """Return 1 where a, b, c turn left, -1 where they turn right, 0 where they are in line."""
    a, b, c = np.broadcast_arrays(a, b, c)
    with np.errstate(over="ignore", invalid="ignore"):
        left = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1])
        right = (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
        found = left - right
        sure = np.abs(found) > ORIENT_ERROR * (np.abs(left) + np.abs(right))
    return _mended(np.asarray(found), np.asarray(sure), _orientation, a, b, c)


def in_circle(a: Points, b: Points, c: Points, d: Points) -> Signs:
    """Return 1 where d lies in the circle through a, b, c, -1 outside, 0 on it.

    The triangle is to turn left; the sign is the other one where it turns right.
    """
    a, b, c, d = np.broadcast_arrays(a, b, c, d)
    with np.errstate(over="ignore", invalid="ignore"):
        p, q, r = (one - d for one in (a, b, c))
        found, size = 0.0, 0.0
        for one, two, three in ((p, q, r), (q, r, p), (r, p, q)):
            first = two[..., 0] * three[..., 1]
            second = two[..., 1] * three[..., 0]
            lift = (one * one).sum(-1)
            found = found + lift * (first - second)
            size = size + lift * (np.abs(first) + np.abs(second))
        sure = np.abs(found) > CIRCLE_ERROR * size
    return _mended(np.asarray(found), np.asarray(sure), _in_circle, a, b, c, d)


def _mended(
    found: Floats,
    sure: Bools,
    exact: Callable[..., int],
    *points: Points,
) -> Signs:
    signs = np.where(sure, np.sign(np.where(sure, found, 0.0)), 0).astype(np.int8)
    for place in map(tuple, np.argwhere(~sure)):
        signs[place] = exact(*(_fractions(one[place]) for one in points))
    return signs


def _fractions(point: Floats) -> list[Fraction]:
    return [Fraction(float(one)) for one in point]


def _orientation(a: list[Fraction], b: list[Fraction], c: list[Fraction]) -> int:
    return _sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _in_circle(*points: list[Fraction]) -> int:
    *three, d = points
    p, q, r = ([one[0] - d[0], one[1] - d[1]] for one in three)
    return _sign(
        sum(
            (one[0] ** 2 + one[1] ** 2) * (two[0] * other[1] - two[1] * other[0])
            for one, two, other in ((p, q, r), (q, r, p), (r, p, q))
        )
    )


def _sign(number: Fraction | int) -> int:
    return (number > 0) - (number < 0)

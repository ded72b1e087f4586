"""How good an output is: polygons, triangles and tours, as lists of numbers from 1."""

import math
from collections.abc import Sequence

import numpy as np

from memnets.data.geometry.arrays import Bools, Floats
from memnets.data.geometry.exact import orientation

Points = Floats

MOST_FAILED = 0.01
"""The paper prints FAIL where more than this share of the outputs are no simple polygons."""


def corners(said: Sequence[int]) -> list[int] | None:
    """Return the corners of an output that is a closed polygon; None where it is none.

    It has to come back to its first point, to have three corners, and none of them twice.
    """
    inner = list(said[:-1])
    if len(inner) < 3 or said[-1] != said[0] or len(set(inner)) != len(inner):
        return None
    return inner


def same_polygon(said: Sequence[int], right: Sequence[int]) -> bool:
    """Return whether two closed outputs are one polygon, wherever they start and turn."""
    one, other = corners(said), corners(right)
    if one is None or other is None or set(one) != set(other):
        return False
    start = other.index(one[0])
    turned = other[start:] + other[:start]
    return one in (turned, turned[:1] + turned[:0:-1])


def is_simple(points: Points) -> bool:
    """Return whether no two edges of a closed polygon meet but neighbours, in their corner."""
    number = len(points)
    if number < 3:
        return False
    following = np.roll(points, -1, 0)
    # A corner at which an edge turns back onto the one before it.
    flat = orientation(np.roll(points, 1, 0), points, following) == 0
    back = ((points - np.roll(points, 1, 0)) * (following - points)).sum(1) < 0
    if (flat & back).any():
        return False
    i, j = np.triu_indices(number, 2)
    apart = ~((i == 0) & (j == number - 1))
    i, j = i[apart], j[apart]
    return not _meet(points[i], following[i], points[j], following[j]).any()


def _meet(a: Points, b: Points, c: Points, d: Points) -> Bools:
    """Return which segments a b and c d have a point in common."""
    across = (
        orientation(a, b, c) * orientation(a, b, d),
        orientation(c, d, a) * orientation(c, d, b),
    )
    between = np.ones(len(a), dtype=bool)
    for axis in range(2):
        one, other = np.sort([a[:, axis], b[:, axis]], 0), np.sort([c[:, axis], d[:, axis]], 0)
        between &= (one[0] <= other[1]) & (other[0] <= one[1])
    return (across[0] <= 0) & (across[1] <= 0) & between


def have_failed(valid: float) -> bool:
    """Return whether the paper would print FAIL: of outputs of which this share is valid."""
    return round(1 - valid, 9) > MOST_FAILED  # 1 - 0.99 is a little more than 0.01


def area(points: Points) -> float:
    """Return the area of a polygon, whichever way it turns."""
    following = np.roll(points, -1, 0)
    doubled = points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]
    return abs(math.fsum(doubled)) / 2


def covered(points: Points, said: Sequence[int], right: Sequence[int]) -> float | None:
    """Return the share of a hull's area that an output covers; None where it is not simple."""
    inner = corners(said)
    if inner is None:
        return None
    polygon = points[np.array(inner) - 1]
    if not is_simple(polygon):
        return None
    return area(polygon) / area(points[np.array(right[:-1]) - 1])


def triangles(said: Sequence[int]) -> set[tuple[int, ...]] | None:
    """Return the triangles of an output; None where it does not consist of triangles."""
    parts = [tuple(sorted(said[place : place + 3])) for place in range(0, len(said), 3)]
    if not parts or any(len(set(one)) != 3 for one in parts):
        return None
    return set(parts)


def triangle_coverage(said: Sequence[int], right: Sequence[int]) -> float:
    """Return the share of the right triangles that an output has."""
    wanted = triangles(right) or set()
    whole = [tuple(sorted(said[place : place + 3])) for place in range(0, len(said), 3)]
    return len(wanted & set(whole)) / len(wanted) if wanted else 0.0


def is_tour(said: Sequence[int], number: int) -> bool:
    """Return whether an output visits every city once, from the first."""
    return sorted(said) == list(range(1, number + 1)) and said[:1] == [1][:number]

"""Delaunay triangulations: triangles in whose circles no other point lies.

Of few points all triangles are tried, of many sets at once. Of more, Qhull (scipy) finds the
triangulation, and every triangle of it is checked. Where four points lie on one circle there is
more than one answer, and the set is not decided.
"""

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from memnets.data.geometry.arrays import Bools, Floats, Ints
from memnets.data.geometry.exact import in_circle, orientation
from memnets.data.geometry.hulls import convex_hulls

Sets = Floats
Targets = Ints
Triangles = Ints

FEW = 7
"""Up to so many points all triangles are tried, which is quicker then."""
AT_ONCE = 2**20
"""Circles and points that are compared at a time."""


class Triangulated(NamedTuple):
    """Triangles of every set, three numbers each, 0 behind them; and which sets are decided."""

    targets: Targets
    decided: Bools


def most_triangles(number: int) -> int:
    """Return how many triangles so many points have at most."""
    return max(2 * number - 5, 0)


def triangulations(points: Sets) -> Triangulated:
    """Return the triangulation of every set as the paper writes it.

    A triangle is three numbers in increasing order, from 1; the triangles are sorted by the
    coordinates of their incenters.

    Raises:
        ImportError: sets are large, and scipy is not installed.
    """
    sets, number, _ = points.shape
    targets = np.zeros((sets, 3 * most_triangles(number)), dtype=np.int64)
    if number < 3:
        return Triangulated(targets, np.zeros(sets, dtype=bool))
    if number > FEW:
        decided = np.array([_fill(row, one) for row, one in zip(targets, points, strict=True)])
        return Triangulated(targets, decided.astype(bool))
    triples, others = _triples(number)
    step = max(1, AT_ONCE // max(others.size, 1))
    decided = np.zeros(sets, dtype=bool)
    for first in range(0, sets, step):
        some = slice(first, first + step)
        decided[some] = _try_all(targets[some], points[some], triples, others)
    return Triangulated(targets, decided)


@cache
def _triples(number: int) -> tuple[Triangles, Ints]:
    """Return all triangles of so many points, and the other points of each."""
    triples = np.array(list(combinations(range(number), 3)))
    others = [[place for place in range(number) if place not in one] for one in triples.tolist()]
    return triples, np.array(others, dtype=np.int64).reshape(len(triples), number - 3)


def _try_all(targets: Targets, points: Sets, triples: Triangles, others: Ints) -> Bools:
    """Write the triangulations of sets into their rows; return which are decided."""
    a, b, c = (points[:, triples[:, corner], None] for corner in range(3))
    turns = orientation(a, b, c)
    inside = in_circle(a, b, c, points[:, others]) * turns
    empty = (inside <= 0).all(-1) & (turns[..., 0] != 0)
    unsure = (empty & (inside == 0).any(-1)).any(-1)
    places = incenters(points[:, triples])
    places[~empty] = np.inf
    order = np.lexsort((places[..., 1], places[..., 0]), axis=-1)
    found = empty.sum(1)
    most = min(targets.shape[1] // 3, len(triples))
    sorted_triples = np.sort(triples + 1, axis=1)[order[:, :most]]
    there = np.arange(most) < found[:, None]
    rows = (sorted_triples * there[..., None]).reshape(len(points), -1)
    targets[:, : rows.shape[1]] = rows
    return ~unsure & (found > 0)


def _fill(target: Ints, points: Floats) -> bool:
    """Write the triangulation of a set into its row; return whether it is decided."""
    triples = _by_qhull(points)
    if triples is None:
        return False
    a, b, c = (points[triples[:, corner], None] for corner in range(3))
    turns = orientation(a, b, c)
    number = len(points)
    apart = np.ones((len(triples), number), dtype=bool)
    apart[np.arange(len(triples))[:, None], triples] = False
    others = apart.nonzero()[1].reshape(len(triples), number - 3)
    inside = in_circle(a, b, c, points[others]) * turns
    corners = np.count_nonzero(convex_hulls(points[None])) - 1
    if (inside >= 0).any() or len(triples) != 2 * number - 2 - corners:
        return False
    places = incenters(points[triples])
    order = np.lexsort((places[:, 1], places[:, 0]))
    target[: triples.size] = (triples[order] + 1).flatten()
    return True


def _by_qhull(points: Floats) -> Triangles | None:
    """Return the triangles that Qhull finds, none where all points are in line."""
    spatial = _scipy()
    try:
        found = spatial.Delaunay(points).simplices
    except spatial.QhullError:
        return None
    return np.sort(found, axis=1)


def _scipy() -> Any:
    try:
        from scipy import spatial
    except ModuleNotFoundError:
        raise ImportError(
            f"triangulations of more than {FEW} points need scipy, which is not installed. "
            f"Run: pip install 'memnets[geometry]'"
        ) from None
    return spatial


def counter_clockwise(points: Sets, targets: Targets) -> Targets:
    """Return triangulations whose triangles turn counter-clockwise from their leftmost corner.

    The triangles stay in their order. In increasing order, as the paper has them, a triangle's
    numbers hang on the order in which its points are given, not on where they lie.
    """
    sets, width = targets.shape
    triples = targets.reshape(sets, width // 3, 3)
    corners = points[np.arange(sets)[:, None, None], np.maximum(triples - 1, 0)]
    turns = orientation(*(corners[:, :, corner] for corner in range(3)))
    first = corners[..., 0].argmin(-1)
    place = np.arange(3) * np.where(turns < 0, -1, 1)[..., None] + first[..., None]
    return np.take_along_axis(triples, place % 3, 2).reshape(sets, width)


def incenters(corners: Floats) -> Floats:
    """Return the centre of the inscribed circle of triangles: (a A + b B + c C) / (a + b + c)."""
    opposite = np.roll(corners, -1, -2) - np.roll(corners, -2, -2)
    sides = np.sqrt((opposite**2).sum(-1))
    return (sides[..., None] * corners).sum(-2) / sides.sum(-1, keepdims=True)

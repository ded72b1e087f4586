"""Convex hulls of many sets of points at once, by Andrew's monotone chain."""

import numpy as np

from memnets.data.geometry.arrays import Bools, Floats, Ints
from memnets.data.geometry.exact import orientation

Sets = Floats
Targets = Ints


def convex_hulls(points: Sets) -> Targets:
    """Return the hull of every set as the paper writes it.

    It runs counter-clockwise from the vertex with the lowest number, and closes with that vertex
    again; what fills a row up is 0. Points are numbered from 1 in the order in which they are
    given. A point on an edge is no vertex. Where all points are in line, the row is 0. Of points
    that come twice, which is a vertex is not decided here: see `repeated`.
    """
    sets, number, _ = points.shape
    order = np.lexsort((points[..., 1], points[..., 0]), axis=-1)
    lower = _chain(points, order)
    upper = _chain(points, order[:, ::-1])
    below, above = ((chain >= 0).sum(1) - 1 for chain in (lower, upper))  # less their last
    corners = below + above
    place = np.arange(number + 1)
    rows = np.arange(sets)[:, None]
    found = np.where(
        place < below[:, None],
        lower[rows, np.minimum(place, number - 1)],
        upper[rows, np.clip(place - below[:, None], 0, number - 1)],
    )
    first = np.where(place < corners[:, None], found, number).argmin(1)
    turned = (first[:, None] + place) % np.maximum(corners, 1)[:, None]
    vertices = found[rows, turned] + 1
    flat = corners < 3
    return np.where((place <= corners[:, None]) & ~flat[:, None], vertices, 0)


def _chain(points: Sets, order: Ints) -> Ints:
    """Return the points of the lower hull from left to right, -1 behind the last."""
    sets, number = order.shape
    chain = np.full((sets, number), -1)
    size = np.zeros(sets, dtype=np.int64)
    for new in order.T:
        rows = np.nonzero(size >= 2)[0]
        while len(rows):
            last, before = chain[rows, size[rows] - 1], chain[rows, size[rows] - 2]
            turn = orientation(points[rows, before], points[rows, last], points[rows, new[rows]])
            rows = rows[turn <= 0]
            size[rows] -= 1
            rows = rows[size[rows] >= 2]
        chain[np.arange(sets), size] = new
        size += 1
    chain[np.arange(number) >= size[:, None]] = -1
    return chain


def repeated(points: Floats) -> Bools:
    """Return which sets hold a point twice."""
    order = np.lexsort(np.moveaxis(points, -1, 0)[::-1], axis=-1)
    sorted_points = np.take_along_axis(points, order[..., None], 1)
    return (sorted_points[:, 1:] == sorted_points[:, :-1]).all(-1).any(-1)

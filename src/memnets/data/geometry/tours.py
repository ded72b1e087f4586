"""Shortest closed tours: optimal ones of few cities, short ones of many."""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from memnets.data.geometry.arrays import Floats, Ints

Sets = Floats
Tours = Ints
Distances = Floats

MOST_OPTIMAL = 12
"""Up to so many cities tours are optimal."""
HEURISTIC = "nearest neighbour + 2-opt"
"""What finds tours of more cities."""
AT_ONCE = 256
"""Sets that are gone through together: their tables fit into memory."""
GAIN = 1e-12
"""What an exchange has to save, at least: less may be rounding."""


def short_tours(points: Sets) -> Tours:
    """Return a tour of every set as the paper writes it, cities numbered from 1.

    It starts at city 1, which does not come again at its end, and turns counter-clockwise
    (`directed`). Up to `MOST_OPTIMAL` cities there is no shorter tour; of more it is a short one,
    that of `HEURISTIC`.
    """
    find = optimal if points.shape[1] <= MOST_OPTIMAL else shortened
    parts = [find(points[first : first + AT_ONCE]) for first in range(0, len(points), AT_ONCE)]
    return directed(points, np.concatenate(parts) if parts else _none(points)) + 1


def distances(points: Sets) -> Distances:
    """Return how far every two points of a set are from each other."""
    return np.sqrt(((points[:, :, None] - points[:, None]) ** 2).sum(-1))


def tour_lengths(points: Sets, tour: Tours) -> Floats:
    """Return the lengths of closed tours, whose cities are numbered from 1."""
    path = np.take_along_axis(points, tour[..., None] - 1, 1)
    return np.sqrt(((path - np.roll(path, -1, 1)) ** 2).sum(-1)).sum(-1)


def directed(points: Sets, tour: Tours) -> Tours:
    """Return tours from their first city counter-clockwise, by the sign of the enclosed area.

    The paper does not say in which direction a tour is to be said. By the numbers of the cities it
    would depend on the order in which they are given; counter-clockwise, as hulls are, it depends
    on where they lie. Without an area it is the direction whose second city has the lower number.
    """
    if tour.shape[1] < 3:
        return tour
    x, y = np.moveaxis(np.take_along_axis(points, tour[..., None], 1), -1, 0)
    area = (x * np.roll(y, -1, 1) - np.roll(x, -1, 1) * y).sum(1)
    by_number = np.where(tour[:, 1] > tour[:, -1], -1, 1)
    back = np.concatenate([tour[:, :1], tour[:, :0:-1]], 1)
    return np.where((np.where(area == 0, by_number, area) < 0)[:, None], back, tour)


def optimal(points: Sets) -> Tours:
    """Return shortest tours from city 0 (Held and Karp, 1962), by a table of all sets of cities.

    `cost[S][j]` is the shortest way from city 0 through the cities of S that ends at j. Sets of one
    size are gone through together.
    """
    sets, number, _ = points.shape
    if number < 4:
        return np.tile(np.arange(number), (sets, 1))
    apart = np.ascontiguousarray(np.moveaxis(distances(points), 0, -1))  # city city set
    home, apart = apart[0, 1:], apart[1:, 1:]
    cost, before = home[:, None], []
    for last, rest, smaller in _subsets(number - 1):
        best = cost[smaller, 0] + apart[rest[..., 0], last]  # subset last set
        chosen = np.zeros(best.shape, dtype=np.int8)
        for place in range(1, rest.shape[-1]):
            way = cost[smaller, place] + apart[rest[..., place], last]
            np.copyto(chosen, place, where=way < best)
            np.minimum(best, way, out=best)
        cost = best
        before.append(chosen)
    return _followed((cost[0] + home).argmin(0), before)


class Subsets(NamedTuple):
    """The sets of cities of one size, each with every one of its cities as the last.

    Attributes:
        last: the city that a way ends at.
        rest: the others, in their order.
        smaller: where the others stand among the sets of one city less.
    """

    last: Ints
    rest: Ints
    smaller: Ints


@cache
def _subsets(cities: int) -> list[Subsets]:
    """Return the sets of 2, 3, ... cities."""
    found: list[Subsets] = []
    places: dict[tuple[int, ...], int] = {(city,): city for city in range(cities)}
    for size in range(2, cities + 1):
        members = list(combinations(range(cities), size))
        rest = [[one[:last] + one[last + 1 :] for last in range(size)] for one in members]
        smaller = [[places[others] for others in row] for row in rest]
        found.append(Subsets(np.array(members), np.array(rest), np.array(smaller)))
        places = {one: place for place, one in enumerate(members)}
    return found


def _followed(last: Ints, before: list[Ints]) -> Tours:
    """Return the tours whose last city is the best of all, from their ends."""
    rows = np.arange(len(last))
    subset, found = np.zeros(len(last), dtype=np.int64), []
    for sets, chosen in zip(_subsets(len(before) + 1)[::-1], before[::-1], strict=True):
        found.append(sets.last[subset, last] + 1)
        subset, last = sets.smaller[subset, last], chosen[subset, last, rows]
    return np.stack([np.zeros(len(rows), dtype=np.int64), subset + 1, *found[::-1]], 1)


def shortened(points: Sets) -> Tours:
    """Return the tours from city to nearest city, shortened as far as exchanges of two edges do."""
    return two_opt(points, nearest_neighbours(points))


def nearest_neighbours(points: Sets) -> Tours:
    """Return the tours that go on to the nearest city that was not visited, from city 0."""
    sets, number, _ = points.shape
    apart, rows = distances(points), np.arange(sets)
    tour = np.zeros((sets, number), dtype=np.int64)
    free = np.ones((sets, number), dtype=bool)
    for step in range(1, number):
        free[rows, tour[:, step - 1]] = False
        ways = np.where(free, apart[rows, tour[:, step - 1]], np.inf)
        tour[:, step] = ways.argmin(1)
    return tour


def two_opt(points: Sets, tour: Tours) -> Tours:
    """Turn parts of tours round while that shortens them, the best part first.

    Args:
        points: the cities.
        tour: of every set, its cities from 0.
    """
    sets, number, _ = points.shape
    if number < 4:
        return tour
    apart, rows, place = distances(points), np.arange(sets), np.arange(number)
    first, last = np.triu_indices(number, 1)
    whole = (first == 0) & (last == number - 1)
    first, last = first[~whole] + 0, last[~whole]
    going = rows
    tour = tour.copy()
    while len(going):
        path = tour[going]
        left, right = path[:, first - 1], path[:, (last + 1) % number]
        one, other = path[:, first], path[:, last]
        row = going[:, None]
        gain = apart[row, left, one] + apart[row, other, right]
        gain -= apart[row, left, other] + apart[row, one, right]
        best = gain.argmax(1)
        better = gain[np.arange(len(going)), best] > GAIN
        going, best = going[better], best[better]
        i, j = first[best, None], last[best, None]
        turned = np.where((place >= i) & (place <= j), i + j - place, place)
        tour[going] = np.take_along_axis(tour[going], turned, 1)
    start = (tour == 0).argmax(1)[:, None]
    return np.take_along_axis(tour, (start + place) % number, 1)


def _none(points: Sets) -> Tours:
    return np.zeros(points.shape[:2], dtype=np.int64)

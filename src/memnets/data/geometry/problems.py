"""What is asked of points: their hull, their triangulation, a short tour, their order.

A problem draws sets with their answers, and measures what was said. Points are drawn uniformly on
a grid of 2^-24 between 0 and 1, as float32 has it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from memnets.data.geometry import measures
from memnets.data.geometry.arrays import Bools, Floats, Ints
from memnets.data.geometry.hulls import convex_hulls, repeated
from memnets.data.geometry.tours import HEURISTIC, MOST_OPTIMAL, short_tours, tour_lengths
from memnets.data.geometry.triangles import (
    counter_clockwise,
    most_triangles,
    triangulations,
)

Sets = Floats
Said = Sequence[Sequence[int]]


class Drawn(NamedTuple):
    """Sets of points, all as large, and their answers: numbers from 1, and 0 behind them."""

    points: Floats
    targets: Ints


class Part(NamedTuple):
    """A sum, and what it is to be divided by."""

    total: float
    weight: float

    def __add__(self, other: object) -> "Part":
        assert isinstance(other, Part)
        return Part(self.total + other.total, self.weight + other.weight)


class Problem(ABC):
    """A question about points."""

    name: ClassVar[str]
    dim: ClassVar[int] = 2
    """Width of a point."""
    fewest: ClassVar[int] = 1
    """The fewest points that it can be asked of."""
    shape: ClassVar[str]
    """What an answer is drawn as: "polygon", "triangles", "tour" or "order"."""

    @abstractmethod
    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        """Return the answers, and which of them are the only ones."""

    @abstractmethod
    def longest(self, number: int) -> int:
        """Return the most choices of an output, its stop among them."""

    @abstractmethod
    def measure(self, points: Sets, said: Said, targets: Said) -> dict[str, Part]:
        """Return the figures of outputs for sets of one size."""

    @abstractmethod
    def is_right(self, said: Sequence[int], right: Sequence[int]) -> bool:
        """Return whether an output says the same as the right one."""

    def spans(self, points: Floats) -> bool:
        """Return whether points do not all lie in one line."""
        return bool((convex_hulls(points[None]) > 0).any())

    def label(self, number: int) -> str:
        """Return how the answers for so many points were found."""
        return "exact"

    def is_solved(self, number: int) -> bool:
        """Return whether the answers for so many points are the right ones."""
        return True

    def draw(self, dice: np.random.Generator, sets: int, number: int) -> Drawn:
        """Draw sets of points with their answers; those that have no or several are drawn anew.

        Raises:
            ValueError: there are too few points for an answer.
        """
        if number < self.fewest:
            raise ValueError(
                f"{self.name}: sets of {number} points, expected {self.fewest} at least. Pass a "
                f"larger number of points."
            )
        points, targets = np.empty((sets, number, self.dim), dtype=np.float32), None
        rows = np.arange(sets)
        while targets is None or len(rows):
            points[rows] = dice.random((len(rows), number, self.dim), dtype=np.float32)
            wide = points[rows].astype(np.float64)
            found, decided = self.solve(wide)
            if targets is None:
                targets = np.zeros((sets, found.shape[1]), dtype=np.int64)
            targets[rows] = found
            rows = rows[~decided | repeated(wide)]
        return Drawn(points, targets)


class Hull(Problem):
    """The convex hull: counter-clockwise from its lowest number, and back to it."""

    name, fewest, shape = "hull", 3, "polygon"

    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        found = convex_hulls(points)
        return found, found[:, 0] > 0

    def longest(self, number: int) -> int:
        return number + 2

    def is_right(self, said: Sequence[int], right: Sequence[int]) -> bool:
        return measures.same_polygon(said, right)

    def measure(self, points: Sets, said: Said, targets: Said) -> dict[str, Part]:
        areas = [
            measures.covered(one, chosen, right)
            for one, chosen, right in zip(points, said, targets, strict=True)
        ]
        simple = [share for share in areas if share is not None]
        return {
            "accuracy": _mean([self.is_right(*pair) for pair in zip(said, targets, strict=True)]),
            "canonical": _mean([list(a) == list(b) for a, b in zip(said, targets, strict=True)]),
            "area": Part(sum(simple), len(simple)),
            "valid": Part(len(simple), len(areas)),
        }


class Delaunay(Problem):
    """The Delaunay triangulation: triangles by their incenters, each counter-clockwise."""

    name, fewest, shape = "delaunay", 3, "triangles"

    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        found, decided = triangulations(points)
        return counter_clockwise(points, found), decided

    def longest(self, number: int) -> int:
        return 3 * most_triangles(number) + 1

    def is_right(self, said: Sequence[int], right: Sequence[int]) -> bool:
        return measures.triangles(said) == measures.triangles(right)

    def measure(self, points: Sets, said: Said, targets: Said) -> dict[str, Part]:
        pairs = list(zip(said, targets, strict=True))
        return {
            "accuracy": _mean([self.is_right(*pair) for pair in pairs]),
            "triangles": _mean([measures.triangle_coverage(*pair) for pair in pairs]),
            "valid": _mean([measures.triangles(chosen) is not None for chosen in said]),
        }


class DelaunayByNumber(Delaunay):
    """The same triangulation as the paper writes it: every triangle in increasing order."""

    name = "delaunay-by-number"

    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        return triangulations(points)


class Tour(Problem):
    """A short closed tour from city 1: the shortest of all, of few cities."""

    name, shape = "tour", "tour"

    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        return short_tours(points), np.ones(len(points), dtype=bool)

    def longest(self, number: int) -> int:
        return number + 1

    def label(self, number: int) -> str:
        return "optimal" if number <= MOST_OPTIMAL else HEURISTIC

    def is_solved(self, number: int) -> bool:
        return number <= MOST_OPTIMAL

    def is_right(self, said: Sequence[int], right: Sequence[int]) -> bool:
        return len(said) == len(right) and _cycle(said) == _cycle(right)

    def measure(self, points: Sets, said: Said, targets: Said) -> dict[str, Part]:
        number = points.shape[1]
        valid = np.array([measures.is_tour(chosen, number) for chosen in said], dtype=bool)
        best = tour_lengths(points, np.array(targets).reshape(len(points), number))
        chosen = [list(one) for one, whole in zip(said, valid, strict=True) if whole]
        found = tour_lengths(points[valid], np.array(chosen, dtype=int).reshape(-1, number))
        excess = found / best[valid] - 1 if number > 1 else 0 * found
        return {
            "accuracy": _mean([self.is_right(*pair) for pair in zip(said, targets, strict=True)]),
            "length": Part(float(found.sum()), len(found)),
            "best": Part(float(best.sum()), len(best)),
            "excess": Part(float(excess.sum()), len(found)),
            "valid": _mean(valid.tolist()),
        }


class Sorting(Problem):
    """Numbers, from the smallest to the largest."""

    name, dim, shape = "sorting", 1, "order"

    def solve(self, points: Sets) -> tuple[Ints, Bools]:
        return points[..., 0].argsort(-1) + 1, np.ones(len(points), dtype=bool)

    def longest(self, number: int) -> int:
        return number + 1

    def is_right(self, said: Sequence[int], right: Sequence[int]) -> bool:
        return list(said) == list(right)

    def measure(self, points: Sets, said: Said, targets: Said) -> dict[str, Part]:
        pairs = list(zip(said, targets, strict=True))
        placed = sum(a == b for one, right in pairs for a, b in zip(one, right, strict=False))
        return {
            "accuracy": _mean([self.is_right(*pair) for pair in pairs]),
            "places": Part(placed, sum(len(right) for right in targets)),
            "valid": _mean([sorted(one) == list(range(1, 1 + len(right))) for one, right in pairs]),
        }


PROBLEMS: dict[str, Problem] = {
    one.name: one for one in (Hull(), Delaunay(), DelaunayByNumber(), Tour(), Sorting())
}


def _mean(values: Sequence[float]) -> Part:
    return Part(float(sum(values)), len(values))


def _cycle(said: Sequence[int]) -> list[int]:
    """Return a cycle from its lowest number, in the direction whose second is the lower."""
    if not said:
        return []
    start = list(said).index(min(said))
    turned = [*said[start:], *said[:start]]
    return min(turned, turned[:1] + turned[:0:-1])

"""A statistic of many stories, summed up: all that a test with whole stories as units needs.

A story gives a count to each cell of a histogram. Kept are the number of stories, the sum of the
counts, and the sum of their products cell by cell; no story can be read back from them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Cell = str | int
LEAST_SHARE = 0.01
"""A cell of the reference holds at least this share; rarer ones are put together."""


class Numbers(NamedTuple):
    """Cells for numbers: each from its bound to below the next one; the last has no end."""

    bounds: tuple[int, ...]

    def place_of(self, cell: Cell) -> int:
        """The place of the cell; what is below all bounds goes to the first."""
        return max(bisect_right(self.bounds, int(cell)) - 1, 0)

    @property
    def names(self) -> list[str]:
        """What the cells are called in tables."""
        ends = [*(str(bound - 1) for bound in self.bounds[1:]), ""]
        pairs = zip(map(str, self.bounds), ends, strict=True)
        return [low if low == high else f"{low}-{high}" for low, high in pairs]


class Texts(NamedTuple):
    """Cells for texts. Where `rest` is set, the last cell takes all that has none of its own."""

    texts: tuple[str, ...]
    rest: bool

    def place_of(self, cell: Cell) -> int:
        """The place of the cell; what has none goes to the last."""
        return self.texts.index(str(cell)) if cell in self.texts else len(self.texts) - 1

    @property
    def names(self) -> list[str]:
        """What the cells are called in tables."""
        return [*self.texts[:-1], "others"] if self.rest else list(self.texts)


Scale = Numbers | Texts


def scale(counts: Counter[Cell]) -> Scale:
    """Cells that hold at least `LEAST_SHARE` each: neighbours joined, or rare texts together."""
    least = LEAST_SHARE * counts.total()
    if counts and all(isinstance(cell, int) for cell in counts):
        return _numbers({int(cell): count for cell, count in counts.items()}, least)
    texts = sorted(map(str, counts), key=lambda text: (-counts[text], text))
    kept = [text for text in texts if counts[text] >= least]
    rest = len(kept) < len(texts)
    if rest and sum(counts[text] for text in texts[len(kept) :]) >= least:
        kept.append(texts[len(kept)])
    return Texts(tuple(kept), rest)


def _numbers(counts: dict[int, int], least: float) -> Numbers:
    bounds: list[int] = []
    held = 0
    for value in sorted(counts):
        if not bounds or held >= least:
            bounds.append(value)
            held = 0
        held += counts[value]
    if held < least and len(bounds) > 1:
        bounds.pop()
    return Numbers(tuple(bounds))


class Moments(NamedTuple):
    """Sums over stories.

    Args:
        stories: how many.
        total: what each cell counts in all, (cell,).
        square: the products of a story's counts, summed, (cell, cell).
    """

    stories: int
    total: NDArray[np.float64]
    square: NDArray[np.float64]

    def __add__(self, other: object) -> "Moments":
        assert isinstance(other, Moments)
        return Moments(
            self.stories + other.stories, self.total + other.total, self.square + other.square
        )


def sum_up(stories: Sequence[Counter[Cell]], cells: Scale) -> Moments:
    """Count each story's cells, and sum up."""
    counts = np.zeros((len(stories), len(cells.names)))
    places: dict[Cell, int] = {}
    for row, story in enumerate(stories):
        for cell, count in story.items():
            place = places.get(cell)
            if place is None:
                place = places[cell] = cells.place_of(cell)
            counts[row, place] += count
    return moments(counts)


def moments(counts: NDArray[np.float64]) -> Moments:
    """Sum up counts, (story, cell)."""
    return Moments(len(counts), counts.sum(0), counts.T @ counts)


def pooled(stories: Iterable[Counter[Cell]]) -> Counter[Cell]:
    """What all stories count together."""
    counts: Counter[Cell] = Counter()
    for story in stories:
        counts.update(story)
    return counts

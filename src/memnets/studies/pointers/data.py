"""Which sets of points are learnt from, and which are held back."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from memnets.data.geometry import PROBLEMS, Drawn, Problem
from memnets.training.config import expect_at_least

HELD_OUT = {"valid": 1_000_003, "test": 2_000_003}
"""Seeds of what is evaluated: the same for every run, whatever its own seed."""
LARGEST = 1000
"""Points of a set, at most."""


@dataclass(frozen=True)
class PointsData:
    """Sets of points, drawn as they are needed: none comes twice."""

    problem: Literal["hull", "delaunay", "delaunay-by-number", "tour", "sorting"] = "hull"
    """What is asked of them; by number, the three corners of a triangle are said as in the paper,
    in increasing order, not counter-clockwise."""
    least: int = 5
    """Points of the smallest set that is learnt from."""
    most: int = 5
    """Points of the largest; sizes between are as frequent."""
    tested: tuple[int, ...] = ()
    """Points of sets that are tested besides."""
    sets: int = 1000
    """Sets of each size that are held back, for validation and as many for the test."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, least=self.asked.fewest, most=self.least, sets=1)
        for name, size in (("least", self.least), ("most", self.most), *self._named()):
            if not self.asked.fewest <= size <= LARGEST:
                raise ValueError(
                    f"data.{name} is {size}: expected {self.asked.fewest} to {LARGEST:,} points "
                    f"for data.problem {self.problem}. Pass --data.{name} 10, say."
                )

    def _named(self) -> Iterator[tuple[str, int]]:
        return (("tested", size) for size in self.tested)

    @property
    def asked(self) -> Problem:
        """What is asked, with its answers and measures."""
        return PROBLEMS[self.problem]

    @property
    def learnt(self) -> tuple[int, ...]:
        """The sizes that choose: all that are learnt from, or four of many."""
        return tuple(sorted({round(size) for size in np.linspace(self.least, self.most, 4)}))

    def sizes(self, split: str) -> tuple[int, ...]:
        """Return the sizes of a split's sets; those of the test may be larger than any learnt."""
        return self.learnt if split == "valid" else tuple(sorted({*self.learnt, *self.tested}))

    @property
    def found_by(self) -> str:
        """How answers were found, in words: some of many cities are not the best there are."""
        labels = (
            self.asked.label(size) for size in (*range(self.least, self.most), *self.sizes("test"))
        )
        return ", ".join(dict.fromkeys(labels))

    def held_out(self, split: str) -> dict[int, Drawn]:
        """Return the sets of a split by their size; always the same ones."""
        return {
            size: self.asked.draw(np.random.default_rng([HELD_OUT[split], size]), self.sets, size)
            for size in self.sizes(split)
        }


def digest(data: PointsData) -> str:
    """Return the SHA-256 of what is held back."""
    found = hashlib.sha256()
    for split in HELD_OUT:
        for size, drawn in data.held_out(split).items():
            found.update(f"{split} {size} {drawn.points.shape}".encode())
            found.update(drawn.points.tobytes())
            found.update(drawn.targets.tobytes())
    return found.hexdigest()

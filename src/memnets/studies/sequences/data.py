"""Which sequences are learnt from, and which are held back."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from memnets.data.sequences import PROBLEMS, Drawn, Problem
from memnets.training.config import expect_at_least

HELD_OUT = {"valid": 1_000_003, "test": 2_000_003}
"""Seeds of what is evaluated: the same for every run, whatever its own seed."""
LARGEST = 1000
"""Of a sequence's size, the most."""


@dataclass(frozen=True)
class SequencesData:
    """Sequences, drawn as they are needed: none comes twice."""

    problem: Literal["copy", "repeat-copy", "associative-recall", "n-grams", "priority-sort"] = (
        "copy"
    )
    """What is to be done with them."""
    least: int = 1
    """Length of the shortest that is learnt from; items, bits or vectors of the other problems."""
    most: int = 20
    """Length of the longest; those between are as frequent."""
    times: int = 1
    """Of a repeat copy: how often at most."""
    tested: tuple[int, ...] = ()
    """Lengths that are tested besides."""
    sequences: int = 200
    """Sequences of each length that are held back, for validation and as many for the test."""

    def __post_init__(self) -> None:
        expect_at_least(
            "data", self, least=self.asked.fewest, most=self.least, times=1, sequences=1
        )
        for name, size in (("least", self.least), ("most", self.most), *self._named()):
            if not self.asked.fewest <= size <= LARGEST:
                raise ValueError(
                    f"data.{name} is {size}: expected {self.asked.fewest} to {LARGEST:,} "
                    f"({self.asked.words}) for data.problem {self.problem}. Pass --data.{name} 20."
                )
        for name, number in (("times", self.times), ("sequences", self.sequences)):
            if number > 100 * LARGEST:
                raise ValueError(
                    f"data.{name} is {number}: expected at most {100 * LARGEST:,}. "
                    f"Pass --data.{name} 10, say."
                )

    def _named(self) -> Iterator[tuple[str, int]]:
        return (("tested", size) for size in self.tested)

    @property
    def asked(self) -> Problem:
        """What is to be done."""
        return PROBLEMS[self.problem]

    @property
    def learnt(self) -> tuple[int, ...]:
        """The sizes that are validated: all that are learnt from, or four of many."""
        return tuple(sorted({round(size) for size in np.linspace(self.least, self.most, 4)}))

    def streams(self, steps: int) -> dict[str, "SequencesData"]:
        """Return what is learnt from, step by step: the longest, and the most times, grow.

        The last step is `train`, all of it.
        """
        grown = {}
        for step in range(1, steps):
            longer, oftener = (
                step * most // steps for most in (self.most - self.least, self.times - 1)
            )
            grown[f"{step} of {steps}"] = replace(self, most=self.least + longer, times=1 + oftener)
        return {**grown, "train": self}

    def held_out(self, split: str) -> dict[int, Drawn]:
        """Return the sequences of a split by their size; always the same ones."""
        sizes = {*self.learnt, *self.tested} if split == "test" else self.learnt
        found = {}
        for size in sorted(sizes):
            dice = np.random.default_rng([HELD_OUT[split], size])
            # As many times as is learnt at most: the hardest of what is learnt.
            found[size] = self.asked.draw(dice, self.sequences, size, self.times)
        return found


def digest(data: SequencesData) -> str:
    """Return the SHA-256 of what is held back."""
    found = hashlib.sha256()
    for split in HELD_OUT:
        for size, drawn in data.held_out(split).items():
            found.update(f"{split} {size} {drawn.shown.shape}".encode())
            for part in drawn:
                found.update(part.tobytes())
    return found.hexdigest()

"""Recall worlds: sequences in which something is told, and asked for so many steps later.

A step shows a key, a value, both or neither; where something is asked, the answer was told `lag`
steps before. Every world states its chance and, for a memory that keeps the latest zones of steps
(`Zoned`), its ceiling: what a reader could reach that finds everything still readable.

Every batch is a pure function of the seed, of the number of rows and of its own number.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]


class Steps(NamedTuple):
    """Consecutive steps of several rows; every array is (row, step).

    Args:
        keys: the key shown; the world's `keys` where none is.
        values: the value shown; the world's `values` where none is.
        answers: the right answer; 0 where nothing is asked.
        lags: how many steps before the answer was told; 0 where nothing is asked.
        first: how many steps of the same rows came before.
    """

    keys: Array
    values: Array
    answers: Array
    lags: Array
    first: int = 0

    @property
    def asked(self) -> NDArray[np.bool_]:
        return self.lags > 0

    @property
    def told(self) -> Array:
        """The number of the step at which the answer was told, from 0."""
        return self.first + np.arange(self.lags.shape[1]) - self.lags


def joined(batches: Iterable[Steps]) -> Steps:
    """Return consecutive batches as one."""
    kept = list(batches)
    keys, values, answers, lags, _ = zip(*kept, strict=True)
    return Steps(
        np.hstack(keys), np.hstack(values), np.hstack(answers), np.hstack(lags), kept[0].first
    )


@dataclass(frozen=True)
class Zoned:
    """A memory of so many zones of so many steps each; the oldest zone goes when all are full."""

    zones: int
    slots: int

    def oldest(self, step: Array) -> Array:
        """Return the oldest step that can be read at a step (before it is written itself)."""
        newest_zone = -(-step // self.slots)
        return np.maximum(0, newest_zone - self.zones) * self.slots


@dataclass(frozen=True)
class RecallWorld(ABC):
    """What is shown and what is asked.

    Raises:
        ValueError: nothing could be asked, or keys would run out.
    """

    carried: ClassVar[bool] = False
    """Whether a batch goes on where the one before it stopped."""

    keys: int
    """How many keys there are."""
    values: int
    """How many values there are."""

    def __post_init__(self) -> None:
        self._expect("values", self.values, 2, "one value would be no question")

    def _expect(self, field: str, value: int, least: int, why: str) -> None:
        if value < least:
            option = f"--data.{field.replace('_', '-')}"
            raise ValueError(
                f"data.{field} is {value}: expected at least {least}; {why}. "
                f"Pass {option} {least}, or more."
            )

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return self.values

    @property
    def chance(self) -> float:
        """The accuracy of one who guesses."""
        return 1 / self.answers

    @abstractmethod
    def batches(self, seed: int, rows: int, first: int = 0) -> Iterator[Steps]:
        """Yield batches without end, from the given one on."""

    @property
    def settling(self) -> int:
        """How many batches pass before every lag can occur."""
        return 0

    @property
    def near(self) -> int | None:
        """The most steps that a question and its answer can be apart in one batch; None: any."""
        return None

    def ceiling(self, steps: Steps, memory: Zoned) -> NDArray[np.float64]:
        """Return how often a reader of the memory can be right, for each row and step that asks.

        What was answered is held by the step that asked, too: a question can keep an answer alive.

        Args:
            steps: a batch; in a world that is carried, all that was shown from the first step on.
            memory: what can be read.
        """
        rows, length = steps.lags.shape
        row, held = np.arange(rows), np.tile(np.arange(length), (rows, 1))
        oldest = memory.oldest(np.arange(length))
        known = np.zeros((rows, length), bool)
        for step in range(length):
            told = steps.told[:, step] - steps.first
            known[:, step] = steps.asked[:, step] & (held[row, told] >= oldest[step])
            held[row[known[:, step]], told[known[:, step]]] = step
        return np.where(known, 1.0, self.chance)


def draws(seed: int, number: int, purpose: int = 0) -> np.random.Generator:
    """Return the random numbers of one part of a world, whatever was drawn for others."""
    return np.random.default_rng((seed, number, purpose))


def distinct(random: np.random.Generator, rows: int, of: int, number: int) -> Array:
    """Draw distinct numbers below `of` for each row, in random order."""
    return np.argsort(random.random((rows, of), np.float32), axis=1)[:, :number]


def in_turn(first: NDArray[np.generic], then: NDArray[np.generic]) -> Array:
    """Return one array of steps after the other."""
    return np.hstack([first, then]).astype(np.int64)


def silence(rows: int, steps: int, world: RecallWorld) -> Steps:
    """Return steps that show and ask nothing."""
    shape = (rows, steps)
    nothing = (np.full(shape, world.keys), np.full(shape, world.values))
    return Steps(*nothing, np.zeros(shape, np.int64), np.zeros(shape, np.int64))

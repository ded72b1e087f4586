"""The five problems of the Neural Turing Machine's paper (Graves et al., 2014, section 4).

A sequence is rows of numbers that are shown, and rows of bits that are to be said: nothing is shown
while something is said, but in the prediction of n-grams, where both go on side by side. All
sequences of a draw have as many steps as the others. Imports no torch.
"""

import math
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np


class Drawn(NamedTuple):
    """Sequences of one length.

    Attributes:
        shown: what every step shows, (sequence, step, number).
        said: the bits that every step is to say; zeros where it is to say nothing.
        asked: (step,), at which of them something is to be said.
    """

    shown: np.ndarray
    said: np.ndarray
    asked: np.ndarray


class Problem(ABC):
    """What is to be done with sequences.

    Attributes:
        name: as it is asked for.
        fewest: of its size, the least that there may be.
        words: what its size counts.
    """

    name: ClassVar[str]
    fewest: ClassVar[int] = 1
    words: ClassVar[str] = "length"

    @property
    @abstractmethod
    def shown(self) -> int:
        """Numbers that a step shows."""

    @property
    @abstractmethod
    def said(self) -> int:
        """Bits that a step says."""

    @abstractmethod
    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        """Draw sequences.

        Args:
            dice: where the numbers come from.
            number: of sequences.
            size: how long, or how many; what `words` says.
            times: how often they are to be said, where that is part of the problem.
        """

    def floor(self, drawn: Drawn) -> float | None:
        """Return the bits a sequence of the best that there can be; None where that is 0."""
        return None


class Copy(Problem):
    """Say the vectors again, in order, once the delimiter has come.

    A channel of its own is the delimiter's.
    """

    name = "copy"
    bits = 8

    @property
    def shown(self) -> int:
        return self.bits + 1

    @property
    def said(self) -> int:
        return self.bits

    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        return self.laid(_bits(dice, number, size, self.bits))

    def laid(self, told: np.ndarray) -> Drawn:
        """Lay vectors out as steps."""
        number, size, _ = told.shape
        shown, said, asked = _blank(number, size + 1, size, self)
        shown[:, :size, : self.bits] = told
        shown[:, size, self.bits] = 1
        said[:, size + 1 :] = told
        return Drawn(shown, said, asked)


class RepeatCopy(Problem):
    """Say the vectors again so many times, and then an end.

    The delimiter is followed by a step that shows how often, normalised to mean 0 and variance 1
    over the numbers that are learnt from, 1 to 10; more are normalised by the same constants. A
    bit of its own is the end's.
    """

    name = "repeat-copy"
    bits = 8
    mean, deviation = 5.5, math.sqrt(8.25)

    @property
    def shown(self) -> int:
        return self.bits + 2

    @property
    def said(self) -> int:
        return self.bits + 1

    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        return self.laid(_bits(dice, number, size, self.bits), times)

    def laid(self, told: np.ndarray, times: int) -> Drawn:
        """Lay vectors out as steps, to be said so many times."""
        number, size, _ = told.shape
        shown, said, asked = _blank(number, size + 2, size * times + 1, self)
        shown[:, :size, : self.bits] = told
        shown[:, size, self.bits] = 1
        shown[:, size + 1, self.bits + 1] = (times - self.mean) / self.deviation
        said[:, size + 2 : -1, : self.bits] = np.tile(told, (1, times, 1))
        said[:, -1, self.bits] = 1
        return Drawn(shown, said, asked)


class Recall(Problem):
    """Say the item that came after the one that is asked for.

    An item is three vectors; a delimiter stands before each and behind the last, another one on
    both sides of the item that is asked for.
    """

    name = "associative-recall"
    words = "items"
    fewest = 2
    bits, rows = 6, 3

    @property
    def shown(self) -> int:
        return self.bits + 2

    @property
    def said(self) -> int:
        return self.bits

    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        items = _bits(dice, number, size * self.rows, self.bits).reshape(
            number, size, self.rows, self.bits
        )
        return self.laid(items, dice.integers(0, size - 1, number))

    def laid(self, items: np.ndarray, asked_for: np.ndarray) -> Drawn:
        """Lay items out as steps; what follows the one that is asked for is to be said."""
        number, size, *_ = items.shape
        every = self.rows + 1
        before = size * every + 1 + self.rows + 1
        shown, said, asked = _blank(number, before, self.rows, self)
        for place in range(size):
            shown[:, place * every, self.bits] = 1
            shown[:, place * every + 1 : (place + 1) * every, : self.bits] = items[:, place]
        question = size * every
        shown[:, [question, question + self.rows + 1], self.bits + 1] = 1
        row = np.arange(number)
        shown[:, question + 1 : question + 1 + self.rows, : self.bits] = items[row, asked_for]
        said[:, before:] = items[row, asked_for + 1]
        return Drawn(shown, said, asked)


class NGrams(Problem):
    """Predict the next bit of a sequence whose every sequence has a law of its own.

    The chance of a 1 after each of the 32 histories of five bits is drawn from Beta(1/2, 1/2); the
    first five bits are even. The bit before is shown, and at the first step nothing.
    """

    name = "n-grams"
    words = "bits"
    fewest = 6
    history = 5

    @property
    def shown(self) -> int:
        return 2

    @property
    def said(self) -> int:
        return 1

    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        law = dice.beta(0.5, 0.5, (number, 2**self.history))
        even = dice.random((number, size))
        bits = np.zeros((number, size), np.int64)
        context, row = np.zeros(number, np.int64), np.arange(number)
        for step in range(size):
            chance = law[row, context] if step >= self.history else np.full(number, 0.5)
            bits[:, step] = even[:, step] < chance
            context = (2 * context + bits[:, step]) % 2**self.history
        return self.laid(bits)

    def laid(self, bits: np.ndarray) -> Drawn:
        """Lay bits out as steps, each of which is to say its own from those before."""
        number, size = bits.shape
        shown = np.zeros((number, size, 2), np.float32)
        shown[:, 1:, 0] = bits[:, :-1]
        shown[:, 0, 1] = 1  # nothing came before
        return Drawn(shown, bits[..., None].astype(np.float32), np.ones(size, bool))

    def floor(self, drawn: Drawn) -> float | None:
        """Return the mean cost of the best estimator.

        It counts what followed each history so far (Graves et al., Eq. 10); the first five bits
        cost a bit each.
        """
        bits = drawn.said[..., 0].astype(np.int64)
        number, size = bits.shape
        seen = np.full((number, 2**self.history, 2), 0.5)
        context, row, cost = np.zeros(number, np.int64), np.arange(number), np.zeros(number)
        for step in range(size):
            counts = seen[row, context]
            known = step >= self.history
            said = counts[row, bits[:, step]] / counts.sum(1) if known else np.full(number, 0.5)
            cost -= np.log2(said)
            if known:
                seen[row, context, bits[:, step]] += 1
            context = (2 * context + bits[:, step]) % 2**self.history
        return float(cost.mean())


class PrioritySort(Problem):
    """Say the vectors of the highest priorities, the highest first: four in five of all.

    Each comes with a priority between -1 and 1 on a channel of its own; a delimiter ends them.
    """

    name = "priority-sort"
    words = "vectors"
    fewest = 2
    bits = 8

    @property
    def shown(self) -> int:
        return self.bits + 2

    @property
    def said(self) -> int:
        return self.bits

    def draw(self, dice: np.random.Generator, number: int, size: int, times: int = 1) -> Drawn:
        told = _bits(dice, number, size, self.bits)
        return self.laid(told, dice.uniform(-1, 1, (number, size)).astype(np.float32))

    def laid(self, told: np.ndarray, priority: np.ndarray) -> Drawn:
        """Lay vectors out as steps, with their priorities."""
        number, size, _ = told.shape
        kept = math.ceil(0.8 * size)  # 16 of 20 in the paper
        shown, said, asked = _blank(number, size + 1, kept, self)
        shown[:, :size, : self.bits] = told
        shown[:, :size, self.bits] = priority
        shown[:, size, self.bits + 1] = 1
        order = np.argsort(-priority, axis=1, kind="stable")[:, :kept]
        said[:, size + 1 :] = np.take_along_axis(told, order[..., None], 1)
        return Drawn(shown, said, asked)


PROBLEMS: dict[str, Problem] = {
    problem.name: problem for problem in (Copy(), RepeatCopy(), Recall(), NGrams(), PrioritySort())
}


def _bits(dice: np.random.Generator, number: int, size: int, bits: int) -> np.ndarray:
    return dice.integers(0, 2, (number, size, bits)).astype(np.float32)


def _blank(
    number: int, before: int, after: int, problem: Problem
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return steps that show nothing, say nothing, and of which the last are to say something."""
    time = before + after
    return (
        np.zeros((number, time, problem.shown), np.float32),
        np.zeros((number, time, problem.said), np.float32),
        np.arange(time) >= before,
    )

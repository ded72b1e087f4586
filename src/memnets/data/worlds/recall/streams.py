"""Worlds without end: what is told is asked for later, across the windows that cut the stream."""

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.data.worlds.recall.world import (
    Array,
    RecallWorld,
    Steps,
    Zoned,
    distinct,
    draws,
    silence,
)


@dataclass(frozen=True)
class _Endless(RecallWorld):
    """A stream whose rows are cut into windows, each going on where the last one stopped.

    Half of the steps write a key with a value, the others ask for what was written between
    `shortest` and `longest` steps before. A stretch of steps follows from its number and that of
    the one before it alone.
    """

    carried = True

    shortest: int = 2
    """The fewest steps from a write to its question."""
    longest: int = 35
    """The most."""
    window: int = 20
    """Steps of a batch."""
    once: bool = False
    """Whether nothing is asked for twice: no question can keep an answer alive."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("shortest", self.shortest, 1, "a step cannot ask for what it tells")
        self._expect("longest", self.longest, self.shortest, "it is the most steps")
        self._expect("window", self.window, 2, "a window holds writes and questions")

    @property
    def stretch(self) -> int:
        """Steps that are drawn together: whole windows, and no lag is longer."""
        return self.window * math.ceil(self._reach / self.window)

    @property
    def settling(self) -> int:
        return self.stretch // self.window

    @property
    def near(self) -> int:
        return self.window

    @property
    def _reach(self) -> int:
        return self.longest

    def batches(self, seed: int, rows: int, first: int = 0) -> Iterator[Steps]:
        number, skipped = divmod(first, self.settling)
        stretches = (self._written(seed, rows, n) for n in count(number - 2))
        asking = (
            _Asking(n, *pair, self._choose(draws(seed, n + 2, 1), n, *pair))
            for n, pair in zip(count(number - 1), pairwise(stretches), strict=False)
        )
        windows = (
            window
            for earlier, now in pairwise(asking)
            for window in self._cut(self._show(_new(earlier, now) if self.once else now))
        )
        return islice(windows, skipped, None)

    def _written(self, seed: int, rows: int, number: int) -> "_Written":
        random = draws(seed, number + 2)  # two stretches are drawn before the first
        order = distinct(random, rows, self.stretch, self.stretch)
        step = np.sort(order[:, : self.stretch // 2], axis=1)
        keys = self._keys(random, seed, rows, number)
        return _Written(step, keys, random.integers(self.values, size=step.shape))

    @abstractmethod
    def _keys(self, random: np.random.Generator, seed: int, rows: int, number: int) -> Array:
        """Return the keys that a stretch writes, in order."""

    def _choose(
        self, random: np.random.Generator, number: int, before: "_Written", now: "_Written"
    ) -> Array:
        """Return which write each step of a stretch asks for, of two stretches; -1 for none."""
        both = before.then(now, self.stretch)
        rows = len(both.step)
        writes = np.zeros((rows, 2 * self.stretch), bool)
        np.put_along_axis(writes, both.step, True, 1)
        earlier = np.hstack([np.zeros((rows, 1), np.int64), writes.cumsum(1)])  # writes before it
        step = np.arange(self.stretch, 2 * self.stretch)
        begin = self.stretch if number == 0 else 0  # nothing was told before the first stretch
        low = earlier[:, np.maximum(step - self.longest, begin)]
        high = earlier[:, np.maximum(step - self.shortest + 1, begin)]
        chosen = low + (random.random(low.shape) * (high - low)).astype(np.int64)
        chosen = self._newest(both, np.minimum(chosen, both.step.shape[1] - 1), earlier[:, step])
        return np.where(writes[:, self.stretch :] | (high == low), -1, chosen)

    def _newest(self, written: "_Written", chosen: Array, until: Array) -> Array:
        """Return, for chosen writes, the newest one of the same key among the first so many."""
        return chosen

    def _show(self, asking: "_Asking") -> Steps:
        number, before, now, chosen = asking
        both = before.then(now, self.stretch)
        step, key, value = (np.take_along_axis(array, np.maximum(chosen, 0), 1) for array in both)
        shown, asked = silence(len(chosen), self.stretch, self), chosen >= 0
        np.put_along_axis(shown.keys, now.step, now.keys, 1)
        np.put_along_axis(shown.values, now.step, now.values, 1)
        shown.keys[asked] = key[asked]
        shown.answers[asked] = value[asked]
        shown.lags[asked] = (np.arange(self.stretch, 2 * self.stretch) - step)[asked]
        return shown._replace(first=number * self.stretch)

    def _cut(self, steps: Steps) -> Iterator[Steps]:
        for begin in range(0, self.stretch, self.window):
            cut = slice(begin, begin + self.window)
            yield Steps(
                steps.keys[:, cut],
                steps.values[:, cut],
                steps.answers[:, cut],
                steps.lags[:, cut],
                steps.first + begin,
            )


class _Written(NamedTuple):
    """What a stretch writes: every array is (row, write)."""

    step: Array
    keys: Array
    values: Array

    def then(self, later: "_Written", stretch: int) -> "_Written":
        """Return what two stretches write; steps count from the beginning of the first."""
        return _Written(
            np.hstack([self.step, stretch + later.step]),
            np.hstack([self.keys, later.keys]),
            np.hstack([self.values, later.values]),
        )


class _Asking(NamedTuple):
    """A stretch, the one before it, and which of their writes each step asks for."""

    number: int
    before: _Written
    now: _Written
    chosen: Array


def _new(earlier: _Asking, now: _Asking) -> _Asking:
    """Leave out what was asked for already."""
    half = now.now.step.shape[1]
    asked = np.hstack([np.maximum(earlier.chosen - half, -1), now.chosen])
    same = now.chosen[..., None] == asked[:, None, :]
    stretch = now.chosen.shape[1]
    past = np.arange(2 * stretch) < stretch + np.arange(stretch)[:, None]
    return now._replace(chosen=np.where((same & past).any(-1), -1, now.chosen))


@dataclass(frozen=True)
class Stream(_Endless):
    """New keys are written without end, and asked for; none is written twice while it counts.

    Each row writes from one half of the keys in even stretches and from the other in odd ones, so
    that a key returns no sooner than a whole stretch later.
    """

    task: Literal["stream"] = "stream"
    keys: int = 128
    values: int = 8
    unique: int = 40
    """Steps within which no key is written twice: as many as the memory holds, at least."""
    cliff: int = 80
    """The longest lag that the last test asks for, each write once; 0 for no such test."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("unique", self.unique, 0, "it is a number of steps")
        self._expect("cliff", self.cliff, 0, "it is a number of steps, and 0 asks for no such test")
        self._expect("keys", self.keys, self.stretch, "no key is written twice while it counts")

    @property
    def _reach(self) -> int:
        return max(self.longest, self.unique)

    def _keys(self, random: np.random.Generator, seed: int, rows: int, number: int) -> Array:
        halves = distinct(draws(seed, 0, 2), rows, self.keys, 2 * (self.keys // 2))
        mine = np.split(halves, 2, axis=1)[number % 2]
        order = distinct(random, rows, mine.shape[1], self.stretch // 2)
        return np.take_along_axis(mine, order, 1)


@dataclass(frozen=True)
class Rewritten(_Endless):
    """Few keys are written again and again; asked is the value that was written last.

    A reader by content finds every copy that is readable, and cannot tell the newest from the
    others: its ceiling is the share of the commonest value among them.
    """

    task: Literal["rewritten"] = "rewritten"
    keys: int = 16
    values: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("keys", self.keys, 1, "nothing could be written")

    def _keys(self, random: np.random.Generator, seed: int, rows: int, number: int) -> Array:
        return random.integers(self.keys, size=(rows, self.stretch // 2))

    def _newest(self, written: _Written, chosen: Array, until: Array) -> Array:
        wanted = np.take_along_axis(written.keys, chosen, 1)
        newest = chosen.copy()
        for key in range(self.keys):
            mine = np.where(written.keys == key, np.arange(written.keys.shape[1]), -1)
            last = np.maximum.accumulate(mine, axis=1)
            at = np.take_along_axis(last, np.maximum(until - 1, 0), 1)
            newest = np.where(wanted == key, np.maximum(at, chosen), newest)
        return newest

    def ceiling(self, steps: Steps, memory: Zoned) -> NDArray[np.float64]:
        rows, length = steps.keys.shape
        step = np.arange(length)
        written = steps.values < self.values
        oldest = memory.oldest(step)
        share = np.full((rows, length), self.chance)
        for key in range(self.keys):
            copies = np.zeros((self.values, rows, length + 1), np.int64)
            for value in range(self.values):
                hit = written & (steps.keys == key) & (steps.values == value)
                copies[value, :, 1:] = hit.cumsum(1)
            readable = copies[..., step] - copies[..., oldest]
            number, most = readable.sum(0), readable.max(0)
            of_key = (steps.keys == key) & (number > 0)
            share[of_key] = most[of_key] / number[of_key]
        return share

"""Recall worlds: sequences in which something is told, and asked for so many steps later.

A step shows a key, a value, both or neither; where something is asked, the answer was told `lag`
steps before. Every world states its chance and, for a memory that keeps the latest zones of steps
(`Zoned`), its ceiling: what a reader could reach that finds everything still readable.

Every batch is a pure function of the seed, of the number of rows and of its own number.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import ClassVar, Literal, NamedTuple

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
class World(ABC):
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


class Episodic(World):
    """A world whose batches have nothing to do with each other."""

    def batches(self, seed: int, rows: int, first: int = 0) -> Iterator[Steps]:
        for number in count(first):
            yield self.episode(_random(seed, number), rows)

    @abstractmethod
    def episode(self, random: np.random.Generator, rows: int) -> Steps:
        """Draw one episode for every row; all of the same length."""


@dataclass(frozen=True)
class Episodes(Episodic):
    """Pairs of key and value are told, then every key is asked for, in another order."""

    task: Literal["episodes"] = "episodes"
    keys: int = 64
    values: int = 8
    pairs: int = 16
    """How many pairs are told."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("pairs", self.pairs, 1, "nothing would be asked")
        self._expect("keys", self.keys, self.pairs, "the keys of an episode are distinct")

    def episode(self, random: np.random.Generator, rows: int) -> Steps:
        keys = _distinct(random, rows, self.keys, self.pairs)
        values = random.integers(self.values, size=keys.shape)
        order = _distinct(random, rows, self.pairs, self.pairs)
        answers = np.take_along_axis(values, order, 1)
        nothing = np.zeros_like(order)
        return Steps(
            keys=_in_turn(keys, np.take_along_axis(keys, order, 1)),
            values=_in_turn(values, np.full_like(order, self.values)),
            answers=_in_turn(nothing, answers),
            lags=_in_turn(nothing, self.pairs + np.arange(self.pairs) - order),
        )


@dataclass(frozen=True)
class NextItem(Episodic):
    """Distinct items are shown; asked is which one came after an item (associative recall).

    The answer's step does not show the item that is asked for: only a state that holds the step
    before can be found by it.
    """

    task: Literal["next item"] = "next item"
    keys: int = 32
    """How many items there are; they are the answers too."""
    values: int = 2
    """Value 0 marks a question; nothing else has a value."""
    items: int = 16
    """How many are shown."""
    questions: int = 8
    """How many are asked for."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("questions", self.questions, 1, "nothing would be asked")
        self._expect("items", self.items, self.questions + 1, "the last item has none after it")
        self._expect("keys", self.keys, self.items, "the items of an episode are distinct")

    @property
    def answers(self) -> int:
        return self.keys

    def episode(self, random: np.random.Generator, rows: int) -> Steps:
        items = _distinct(random, rows, self.keys, self.items)
        asked = _distinct(random, rows, self.items - 1, self.questions)
        now = self.items + np.arange(self.questions)
        nothing, question = np.zeros_like(items), np.zeros_like(asked)
        return Steps(
            keys=_in_turn(items, np.take_along_axis(items, asked, 1)),
            values=_in_turn(np.full_like(items, self.values), question),
            answers=_in_turn(nothing, np.take_along_axis(items, asked + 1, 1)),
            lags=_in_turn(nothing, now - (asked + 1)),
        )


@dataclass(frozen=True)
class Copy(Episodic):
    """Symbols are shown, a mark, and then all of them are to be said in order, so many times.

    The keys are three: of a step that shows a symbol, of the mark, of a step that asks.
    """

    task: Literal["copy"] = "copy"
    keys: int = 3
    values: int = 8
    shortest: int = 10
    """The fewest symbols."""
    longest: int = 20
    """The most symbols; all rows of a batch have as many."""
    repeats: int = 1
    """How often they are to be said."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("keys", self.keys, 3, "symbols, the mark and questions have one each")
        self._expect("shortest", self.shortest, 1, "nothing would be asked")
        self._expect("longest", self.longest, self.shortest, "it is the most symbols")
        self._expect("repeats", self.repeats, 1, "nothing would be asked")

    def episode(self, random: np.random.Generator, rows: int) -> Steps:
        length = int(random.integers(self.shortest, self.longest + 1))
        symbols = random.integers(self.values, size=(rows, length))
        asked = length * self.repeats
        blank, nothing = np.full((rows, asked + 1), self.values), np.zeros((rows, length + 1))
        told = np.tile(np.arange(length), self.repeats)
        lags = np.broadcast_to(length + 1 + np.arange(asked) - told, (rows, asked))
        kinds = np.repeat([0, 1, 2], [length, 1, asked])
        return Steps(
            keys=np.tile(kinds, (rows, 1)),
            values=_in_turn(symbols, blank),
            answers=_in_turn(nothing, np.tile(symbols, (1, self.repeats))),
            lags=_in_turn(nothing, lags),
        )


@dataclass(frozen=True)
class MultiQuery(Episodic):
    """Key and value follow each other as tokens of their own; every key is asked for later (MQAR).

    A state can be found by a key only if it holds the step before it. Questions come soon rather
    than late, by a power law; the steps between them show random tokens.

    Deviations: keys and values have their own alphabets and tables, of 64 each and not 4096.
    Cite: arora2024
    """

    task: Literal["multi-query"] = "multi-query"
    keys: int = 64
    values: int = 64
    pairs: int = 8
    steps: int = 64
    """Length of a sequence."""
    power: float = 0.01
    """Exponent of the distances: the smaller, the sooner."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect("pairs", self.pairs, 1, "nothing would be asked")
        self._expect("keys", self.keys, self.pairs, "the keys of a sequence are distinct")
        self._expect("steps", self.steps, 4 * self.pairs, "a pair takes two steps, and two later")
        if not 0 < self.power <= 1:
            raise ValueError(
                f"data.power is {self.power}: expected more than 0, and at most 1. "
                f"Pass --data.power 0.01."
            )

    def episode(self, random: np.random.Generator, rows: int) -> Steps:
        told, places = 2 * self.pairs, (self.steps - 2 * self.pairs) // 2
        keys = _distinct(random, rows, self.keys, self.pairs)
        values = random.integers(self.values, size=keys.shape)
        # As many distinct places as pairs, with chances that fall by the power law.
        law = self.power * np.arange(1, places + 1) ** (self.power - 1)
        race = random.exponential(size=(rows, places)) / law
        place = told + 2 * np.argsort(race, axis=1)[:, : self.pairs]
        shown = _filler(random, rows, self)
        shown.keys[:, 0:told:2], shown.values[:, 0:told:2] = keys, self.values
        shown.keys[:, 1:told:2], shown.values[:, 1:told:2] = self.keys, values
        np.put_along_axis(shown.keys, place, keys, 1)
        np.put_along_axis(shown.values, place, self.values, 1)
        np.put_along_axis(shown.answers, place, values, 1)
        np.put_along_axis(shown.lags, place, place - (2 * np.arange(self.pairs) + 1), 1)
        return shown


@dataclass(frozen=True)
class _Endless(World):
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
            _Asking(n, *pair, self._choose(_random(seed, n + 2, 1), n, *pair))
            for n, pair in zip(count(number - 1), pairwise(stretches), strict=False)
        )
        windows = (
            window
            for earlier, now in pairwise(asking)
            for window in self._cut(self._show(_new(earlier, now) if self.once else now))
        )
        return islice(windows, skipped, None)

    def _written(self, seed: int, rows: int, number: int) -> "_Written":
        random = _random(seed, number + 2)  # two stretches are drawn before the first
        order = _distinct(random, rows, self.stretch, self.stretch)
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
        shown, asked = _silence(len(chosen), self.stretch, self), chosen >= 0
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
        self._expect("keys", self.keys, self.stretch, "no key is written twice while it counts")

    @property
    def _reach(self) -> int:
        return max(self.longest, self.unique)

    def _keys(self, random: np.random.Generator, seed: int, rows: int, number: int) -> Array:
        halves = _distinct(_random(seed, 0, 2), rows, self.keys, 2 * (self.keys // 2))
        mine = np.split(halves, 2, axis=1)[number % 2]
        order = _distinct(random, rows, mine.shape[1], self.stretch // 2)
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


def _random(seed: int, number: int, purpose: int = 0) -> np.random.Generator:
    return np.random.default_rng((seed, number, purpose))


def _distinct(random: np.random.Generator, rows: int, of: int, number: int) -> Array:
    """Draw distinct numbers below `of` for each row, in random order."""
    return np.argsort(random.random((rows, of), np.float32), axis=1)[:, :number]


def _in_turn(first: NDArray[np.generic], then: NDArray[np.generic]) -> Array:
    return np.hstack([first, then]).astype(np.int64)


def _silence(rows: int, steps: int, world: World) -> Steps:
    """Return steps that show and ask nothing."""
    shape = (rows, steps)
    nothing = (np.full(shape, world.keys), np.full(shape, world.values))
    return Steps(*nothing, np.zeros(shape, np.int64), np.zeros(shape, np.int64))


def _filler(random: np.random.Generator, rows: int, world: MultiQuery) -> Steps:
    """Return steps that each show a random token, a key or a value, and ask nothing."""
    shown = _silence(rows, world.steps, world)
    token = random.integers(world.keys + world.values, size=shown.keys.shape)
    is_key = token < world.keys
    shown.keys[is_key] = token[is_key]
    shown.values[~is_key] = token[~is_key] - world.keys
    return shown

"""Worlds of episodes: what is told in one batch is asked for in the same one."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np

from memnets.data.worlds.recall.world import RecallWorld, Steps, distinct, draws, in_turn, silence


class Episodic(RecallWorld):
    """A world whose batches have nothing to do with each other."""

    def batches(self, seed: int, rows: int, first: int = 0) -> Iterator[Steps]:
        for number in count(first):
            yield self.episode(draws(seed, number), rows)

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
        keys = distinct(random, rows, self.keys, self.pairs)
        values = random.integers(self.values, size=keys.shape)
        order = distinct(random, rows, self.pairs, self.pairs)
        answers = np.take_along_axis(values, order, 1)
        nothing = np.zeros_like(order)
        return Steps(
            keys=in_turn(keys, np.take_along_axis(keys, order, 1)),
            values=in_turn(values, np.full_like(order, self.values)),
            answers=in_turn(nothing, answers),
            lags=in_turn(nothing, self.pairs + np.arange(self.pairs) - order),
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
        items = distinct(random, rows, self.keys, self.items)
        asked = distinct(random, rows, self.items - 1, self.questions)
        now = self.items + np.arange(self.questions)
        nothing, question = np.zeros_like(items), np.zeros_like(asked)
        return Steps(
            keys=in_turn(items, np.take_along_axis(items, asked, 1)),
            values=in_turn(np.full_like(items, self.values), question),
            answers=in_turn(nothing, np.take_along_axis(items, asked + 1, 1)),
            lags=in_turn(nothing, now - (asked + 1)),
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
            values=in_turn(symbols, blank),
            answers=in_turn(nothing, np.tile(symbols, (1, self.repeats))),
            lags=in_turn(nothing, lags),
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
        keys = distinct(random, rows, self.keys, self.pairs)
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


def _filler(random: np.random.Generator, rows: int, world: MultiQuery) -> Steps:
    """Return steps that each show a random token, a key or a value, and ask nothing."""
    shown = silence(rows, world.steps, world)
    token = random.integers(world.keys + world.values, size=shown.keys.shape)
    is_key = token < world.keys
    shown.keys[is_key] = token[is_key]
    shown.values[~is_key] = token[~is_key] - world.keys
    return shown

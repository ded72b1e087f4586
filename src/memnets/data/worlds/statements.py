"""Statements about a made-up world, by the million, and questions whose supports are known.

A statement names a subject, says a relation in one of its ways, and names an object. Names are one
to three words, drawn as words are in text: few are frequent, most are rare. A question may say the
relation in another way than its statement, and a name in other words: each word has a synonym,
which no statement uses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
NAME_LENGTHS = (0.3, 0.5, 0.2)
"""Shares of names of one, two and three words."""
FRAMES = ((("was",), ("by",)), (("did",), ("the",)), ((), ("of",)))
"""What stands around the verb in each way to say a relation."""
FREQUENT = 0.7
"""The frequency of a word falls with its rank to this power."""


class StatementWords(NamedTuple):
    """The words of a statement."""

    subject: tuple[str, ...]
    relation: tuple[str, ...]
    thing: tuple[str, ...]
    """The object."""


@dataclass(frozen=True)
class StatementQuestion:
    """A question about the object of a statement."""

    words: tuple[str, ...]
    supports: tuple[int, ...]
    """The statements that have its subject and relation."""
    answers: tuple[str, ...]
    """The names of their objects."""


@dataclass(frozen=True)
class StatementWorld:
    """A pure function of its fields.

    Raises:
        ValueError: there is nothing of something.
    """

    statements: int
    seed: int = 0
    names: int = 200_000
    """Names are drawn this often; those that come twice are one."""
    words: int = 100_000
    """Words that names are made of."""
    relations: int = 1_000

    def __post_init__(self) -> None:
        least = min(self.statements, self.names, self.words, self.relations)
        if least < 1:
            raise ValueError(f"{self}: expected 1 or more of each. Correct the number {least}.")

    @cached_property
    def named(self) -> list[tuple[int, ...]]:
        """The numbers of the words of every name."""
        rng = np.random.default_rng((self.seed, 0))
        frequency = 1 / np.arange(1, self.words + 1) ** FREQUENT
        words = _drawn(rng, frequency, 3 * self.names).reshape(-1, 3).tolist()
        lengths = (1 + _drawn(rng, np.array(NAME_LENGTHS), self.names)).tolist()
        pairs = zip(words, lengths, strict=True)
        return list(dict.fromkeys(tuple(row[:length]) for row, length in pairs))

    @cached_property
    def facts(self) -> NDArray[np.int64]:
        """Subject, relation, way and object of every statement."""
        rng = np.random.default_rng((self.seed, 1))
        ranges = np.array([len(self.named), self.relations, len(FRAMES), len(self.named)])
        return (rng.random((self.statements, 4)) * ranges).astype(np.int64)

    def name(self, number: int) -> tuple[str, ...]:
        """Return the words of a name."""
        return tuple(map(made_up, self.named[number]))

    def triples(self) -> Iterator[StatementWords]:
        """Return every statement, one after the other."""
        names = [self.name(number) for number in range(len(self.named))]
        ways = [[self._way(r, w) for w in range(len(FRAMES))] for r in range(self.relations)]
        for first in range(0, self.statements, 10_000):
            for subject, relation, way, thing in self.facts[first : first + 10_000].tolist():
                yield StatementWords(names[subject], ways[relation][way], names[thing])

    def texts(self) -> Iterator[list[str]]:
        """Return the words of every statement, one after the other."""
        for subject, relation, thing in self.triples():
            yield [*subject, *relation, *thing]

    def questions(self, count: int, seed: int, renamed: float = 0.0) -> list[StatementQuestion]:
        """Return questions about statements drawn at random.

        Args:
            count: how many.
            seed: of the draw.
            renamed: share of the words of names that their synonyms stand for.
        """
        rng = np.random.default_rng((self.seed, 2, seed))
        asked = (rng.random(count) * self.statements).astype(np.int64)
        ways = (rng.random(count) * len(FRAMES)).astype(np.int64).tolist()
        changed = rng.random((count, 3)) < renamed
        return [
            self._question(statement, way, change)
            for statement, way, change in zip(asked.tolist(), ways, changed.tolist(), strict=True)
        ]

    def _question(self, statement: int, way: int, changed: list[bool]) -> StatementQuestion:
        subject, relation = self.facts[statement, :2].tolist()
        # Only as many words are changed as the name has.
        words = [
            made_up(word + self.words * change)
            for word, change in zip(self.named[subject], changed, strict=False)
        ]
        wanted = subject * self.relations + relation
        begin, end = np.searchsorted(self._asked_of, [wanted, wanted + 1], sorter=self._order)
        supports = tuple(sorted(self._order[begin:end].tolist()))
        answers = dict.fromkeys(" ".join(self.name(int(self.facts[s, 3]))) for s in supports)
        return StatementQuestion(
            ("what", *words, *self._way(relation, way)), supports, tuple(answers)
        )

    def _way(self, relation: int, way: int) -> tuple[str, ...]:
        before, after = FRAMES[way]
        verb = made_up(2 * self.words + relation * len(FRAMES) + way)
        return (*before, verb, *after)

    @cached_property
    def _asked_of(self) -> NDArray[np.int64]:
        return self.facts[:, 0] * self.relations + self.facts[:, 1]

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(self._asked_of, kind="stable")


def made_up(number: int) -> str:
    """Return a word of two syllables or more, another one for every number."""
    syllables: list[str] = []
    while number or len(syllables) < 2:
        number, rest = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[rest])
    return "".join(syllables)


def _drawn(rng: np.random.Generator, weights: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    bounds = np.cumsum(weights)
    return np.searchsorted(bounds, rng.random(count) * bounds[-1], side="right")

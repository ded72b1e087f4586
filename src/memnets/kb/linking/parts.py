"""The words of names: which entities have one in theirs, and which words are nearly spelt so."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.index import Index
from memnets.kb.index.keeping import make_room
from memnets.kb.index.ngrams import STOP_WORDS
from memnets.kb.index.postings import distinct
from memnets.kb.index.rules import Rule
from memnets.kb.linking.sounds import consonants, nearly_alike, sound, sound_alike

Rows = NDArray[np.int32]
"""Numbers of entities, those with the most facts first."""
SHORTEST = 3
"""A word of a name has so many letters at least to stand for the name."""
LONGEST = 6
"""A name of more words is a text: its words do not stand for it."""
NEAREST = Rule(top_n=8)
"""So many words that share the rarest features are compared letter by letter."""
ONE_ERROR, TWO_ERRORS = 5, 8
"""From so many letters on a word may have one, or two, errors."""
HEARD, BY_EAR = 4, 3
"""From so many letters on it may have so many where it sounds the same."""
NEARLY = 2
"""Letters that may be wrong where but for the vowels two words sound the same."""
SEVERAL = 100
"""So many words or entities are looked through for what sounds like another."""
NOBODY: Rows = np.zeros(0, np.int32)
LETTERS = 32
"""Kinds of letters that are counted."""
NAMES_TOO = frozenset({"will"})
"""Words that name nothing alone, but are people's first names."""


def part_words(entity: str, split: Sequence[str]) -> Iterator[str]:
    """Yield the words that may stand for a name, among them what a hyphen or apostrophe joins.

    Args:
        entity: the name as it is written.
        split: the words of the whole name; none of a text stands for it.
    """
    amount = len(split) == 2 and any(word[0].isdigit() for word in split)  # 70 kg
    if amount or len(split) > LONGEST:
        return
    joined = ("".join(piece) for piece in _joined(entity, split))
    for word in dict.fromkeys([*split, *joined]):
        ordinary = word in STOP_WORDS and word not in NAMES_TOO
        if len(word) >= SHORTEST and word.isalpha() and not ordinary:
            yield word


def _joined(entity: str, split: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words of each piece between spaces that has several: O'Hara, Jean-Luc."""
    rest = iter(split)
    for piece in entity.split():
        words = [next(rest, "") for _ in re.findall(r"[^\W_]+", piece)]
        if len(words) > 1:
            yield words


class Parts:
    """The words of all names of a KB, in memory.

    Args:
        entities: those with the most facts first.
        words: of each entity's name, those that may stand for it.
    """

    def __init__(self, entities: Sequence[str], words: Sequence[Sequence[str]]) -> None:
        self._entities = entities
        rows: dict[str, list[int]] = {}
        for number, of_entity in enumerate(words):
            for word in of_entity:
                rows.setdefault(word, []).append(number)
        self.rows: Mapping[str, Sequence[int]] = rows
        self.listed: Sequence[str] = list(rows)
        """Every word, in the order of what finds those that are nearly spelt so."""

    def having(self, word: str) -> Rows:
        """Return the entities that have a word in their name, as numbers."""
        return np.array(self.rows.get(word, ()), np.int32)

    def entity(self, number: int) -> str:
        """Return an entity by its number."""
        return self._entities[number]

    @cached_property
    def features(self) -> Index:
        """Finds listed words by trigrams, and by what is left where a letter is lost."""
        index = Index()
        index.add([features(word) for word in self.listed])
        return index

    def nearly(self, word: str, by_ear: bool = True) -> list[tuple[float, str]]:
        """Return the words of names that a word may be a misspelling of, the likest first.

        Args:
            word: of a question.
            by_ear: whether it may be so by its sound alone.
        """
        if (word, by_ear) not in self._lately:
            make_room(self._lately)
            long_enough = len(word) >= (HEARD if by_ear else ONE_ERROR)
            self._lately[word, by_ear] = self._nearly(word, by_ear) if long_enough else []
        return self._lately[word, by_ear]

    @cached_property
    def _lately(self) -> dict[tuple[str, bool], list[tuple[float, str]]]:
        """What words were nearly spelt so of late."""
        return {}

    def sounding(self, word: str) -> Rows:
        """Return the entities that have a word in their name which sounds nearly like one."""
        slots = self.features.candidates([f"~{consonants(word)}"], Rule(top_n=SEVERAL)).tolist()
        near = (one for one in map(self.listed.__getitem__, slots) if sound_nearly(word, one))
        return distinct(np.concatenate([NOBODY, *map(self.having, near)]))

    def within(self, word: str, errors: int) -> bool:
        """Whether some word of a name is so few errors from a word at most."""
        slots = self.features.candidates(features(word), NEAREST).tolist()
        return any(distance(word, self.listed[slot]) <= errors for slot in slots)

    def _nearly(self, word: str, by_ear: bool) -> list[tuple[float, str]]:
        slots = self.features.candidates(features(word), NEAREST).tolist()
        near = map(self.listed.__getitem__, slots)
        found = ((likeness(word, one, by_ear), one) for one in near)
        return sorted((one for one in found if one[0] > 0), key=lambda one: (-one[0], one[1]))


def features(word: str) -> list[str]:
    """Return the trigrams of a word, the word with each of its letters left out, and its sounds.

    Two words that are one letter lost, added, changed or swapped apart share one with a letter out.
    """
    padded = f" {word} "
    trigrams = [padded[at : at + 3] for at in range(len(padded) - 2)]
    lost = [f"-{word[:at]}{word[at + 1 :]}" for at in range(len(word))]
    return list(
        dict.fromkeys([*trigrams, f"-{word}", *lost, f"={sound(word)}", f"~{consonants(word)}"])
    )


class NearWords:
    """Finds, among some words, those that may be one or two errors from another.

    Each error changes how often two letters occur at most, which is compared for all at once.

    Args:
        words: that are looked through.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = list(words)
        self._counts = _letters(self._words)

    def candidates(self, word: str) -> list[str]:
        """Return the words that may be a misspelling of one, and some that are not."""
        most = 2 if len(word) >= TWO_ERRORS else 1
        apart = np.abs(self._counts - _letters([word])).sum(1)
        return [self._words[at] for at in np.flatnonzero(apart <= 2 * most).tolist()]


def _letters(words: Sequence[str]) -> NDArray[np.int16]:
    """Return how often each letter occurs in each word, some together."""
    letters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    owners = np.repeat(np.arange(len(words)), [*map(len, words)])
    places = owners * LETTERS + letters % LETTERS
    counts = np.bincount(places, minlength=len(words) * LETTERS)
    return counts.reshape(-1, LETTERS).astype(np.int16)


def likeness(one: str, other: str, by_ear: bool = True) -> float:
    """Return how alike two words are: 0 where there are more errors than their length allows.

    Where both sound the same there may be more, and each counts half.
    """
    if one == other:
        return 1.0
    shorter = min(len(one), len(other))
    heard = by_ear and shorter >= HEARD and sound_alike(one, other)
    most = BY_EAR if heard else (shorter >= ONE_ERROR) + (shorter >= TWO_ERRORS)
    if not most or abs(len(one) - len(other)) > most:
        return 0.0
    errors = distance(one, other)
    apart = errors / max(len(one), len(other))
    return 1 - apart / (1 + heard) if errors <= most else 0.0


def sound_nearly(one: str, other: str) -> bool:
    """Whether two words sound the same, or with few errors but for their vowels."""
    if sound_alike(one, other):
        return True
    return nearly_alike(one, other) and distance(one, other) <= min(NEARLY, len(one) // 2)


def distance(one: str, other: str) -> int:
    """Return how many letters must be lost, added, changed, or swapped with the next.

    No letter is touched twice (the optimal string alignment).
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        now = [row]
        for column, beside in enumerate(other, start=1):
            cost = min(last[column] + 1, now[-1] + 1, last[column - 1] + (letter != beside))
            swapped = row > 1 < column and letter == other[column - 2] and one[row - 2] == beside
            now.append(min(cost, before[column - 2] + 1) if swapped else cost)
        before, last = last, now
    return last[-1]

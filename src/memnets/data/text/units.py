"""From a text to numbers: what one symbol is, and which symbols are known."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

END = "<eos>"
"""The symbol at the end of every line of words."""
UNKNOWN = "<unk>"
"""Stands for every symbol that the training part lacks."""


def words(text: str) -> list[str]:
    """Return the words between white space, and `END` after every line, also after blank ones."""
    return [word for line in _lines(text) for word in (*line.split(), END)]


def letters(text: str) -> list[str]:
    """Return a text of words letter by letter: `_` between words, `END` after every line."""
    return [letter for line in _lines(text) for letter in (*line.strip().replace(" ", "_"), END)]


def characters(text: str) -> list[str]:
    """Return every character as it stands, line ends included."""
    return list(text)


UNITS: dict[Callable[[str], list[str]], str] = {
    words: "words",
    letters: "characters",
    characters: "characters",
}
"""What the symbols of each reading are called."""


def _lines(text: str) -> list[str]:
    # Not splitlines(), which also splits at characters that stand inside a line.
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


@dataclass(frozen=True)
class SymbolVocabulary:
    """The symbols of a training part, the most frequent first.

    `UNKNOWN` is always one of them and a class of its own: where the training part has no such
    word it is the last one, and nothing is learnt of it.
    """

    symbols: tuple[str, ...]

    @staticmethod
    def of(units: Iterable[str]) -> "SymbolVocabulary":
        """Return the vocabulary of a training part."""
        counts = Counter(units)
        ordered = sorted(counts, key=lambda symbol: (-counts[symbol], symbol))
        return SymbolVocabulary((*ordered, *([] if UNKNOWN in counts else [UNKNOWN])))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every symbol."""
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    @property
    def unknown(self) -> int:
        return self.numbers[UNKNOWN]

    def number(self, units: Sequence[str]) -> NDArray[np.int32]:
        """Return the numbers of symbols, that of `UNKNOWN` for those it lacks."""
        numbers, unknown = self.numbers, self.unknown
        found = (numbers.get(unit, unknown) for unit in units)
        return np.fromiter(found, np.int32, len(units))

    def lacking(self, units: Iterable[str]) -> dict[str, int]:
        """Return the symbols it lacks, and how often each occurs."""
        counts = Counter(units)
        return {unit: n for unit, n in sorted(counts.items()) if unit not in self.numbers}

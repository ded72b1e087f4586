"""Sentences as whole words: cut at white space and marks, and put together again by rules."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from memnets.data.pairs.vocabulary import SPECIAL, UNKNOWN, said

_OPENING = frozenset("([{„‚‘«¿¡#$£")
"""Marks that stand at the word after them, and not at the one before."""
_CLOSING = frozenset(".,;:!?)]}”’»%…")
_FOLLOWING = re.compile(r"['’](?:s|m|d|t|re|ve|ll)", re.IGNORECASE)
_EITHER = frozenset("\"“'`")
"""Marks that open and close: the first of a sentence opens, the next one closes."""


def split_words(text: str) -> list[str]:
    """Return the words of a sentence; marks around a word stand alone, those within it do not.

    A hyphen at the end of a word is part of it, as in German "Glas- und Keramikteile".

    >>> split_words('A man\\'s T-shirt ("3.50") ...')
    ['A', 'man', "'s", 'T-shirt', '(', '"', '3.50', '"', ')', '.', '.', '.']
    """
    return [word for chunk in text.split() for word in _parted(chunk)]


def join_words(words: Iterable[str]) -> str:
    """Return a sentence of words: marks go where English, German or French put them.

    It gives back most of what `split_words` parted, not all: nothing tells a dash between words
    from one that follows its word closely.
    """
    text = ""
    glued = True
    open_: set[str] = set()
    for word in words:
        closes = word in _CLOSING or word in open_ or bool(_FOLLOWING.fullmatch(word))
        text += word if glued or closes else f" {word}"
        glued = word in _OPENING or (word in _EITHER and word not in open_)
        if word in _EITHER:
            open_ ^= {word}
        elif word == "„":
            open_.add("“")
    return text


@lru_cache(maxsize=2**16)
def _parted(chunk: str) -> tuple[str, ...]:
    begin, end = 0, len(chunk)
    while begin < end and _is_mark(chunk[begin]):
        begin += 1
    while end > begin and _is_mark(chunk[end - 1]) and chunk[end - 1] != "-":
        end -= 1
    core = chunk[begin:end]
    owner = re.search(rf"{_FOLLOWING.pattern}\Z", core, re.IGNORECASE)
    cut = owner.start() if owner else len(core)
    middle = (part for part in (core[:cut], core[cut:]) if part)
    return (*chunk[:begin], *middle, *chunk[end:])


def _is_mark(letter: str) -> bool:
    # Not by \w, which takes the vowel signs of many scripts for marks.
    return unicodedata.category(letter)[0] in "PS"


@dataclass(frozen=True)
class Words:
    """The words of training sentences, the most frequent first.

    Args:
        words: in the order of their numbers, which follow those of the special words.
        lower: whether letters are made small.
    """

    words: tuple[str, ...]
    lower: bool = True

    @staticmethod
    def of(
        texts: Iterable[str], *, lower: bool = True, least: int = 2, most: int | None = None
    ) -> "Words":
        """Collect the words of training sentences.

        Args:
            texts: the sentences.
            lower: whether letters are made small.
            least: how often a word must occur to be known.
            most: how many words are known; by default all that occur so often.

        Raises:
            ValueError: no word occurs so often.
        """
        counts = Counter(_folded(word, lower) for text in texts for word in split_words(text))
        often = sorted(
            (word for word in counts if counts[word] >= least),
            key=lambda word: (-counts[word], word),
        )[:most]
        if not often:
            raise ValueError(
                f"of {counts.total():,} words none occurs {least} times. Expected sentences to "
                f"learn from: give more of them, or a smaller least."
            )
        return Words(tuple(often), lower)

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.words)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """What each number stands for."""
        return (*SPECIAL, *self.words)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(SPECIAL))}

    def split(self, text: str) -> list[str]:
        """Return what each of its numbers stands for in this sentence: its words, as typed."""
        return split_words(text)

    def numbers(self, text: str) -> list[int]:
        """Return the number of every word; that of the unknown one for those it lacks."""
        known = self._number
        words = split_words(text)
        return [known.get(_folded(word, self.lower), UNKNOWN) for word in words]

    def pieces(self, numbers: Iterable[int]) -> list[str]:
        """Return what each number stands for."""
        return [self.symbols[number] for number in numbers]

    def word_places(self, numbers: Sequence[int]) -> list[int]:
        """Return of which word of their sentence each number is: every one is a word."""
        return list(range(len(numbers)))

    def text(self, numbers: Iterable[int]) -> str:
        """Return the sentence of some numbers, up to the first end; unknown words are `<unk>`."""
        return join_words(self.pieces(said(numbers)))

    def unknown(self, text: str) -> tuple[str, ...]:
        """Return the words of a sentence that it has no number for."""
        words = split_words(text)
        return tuple(word for word in words if _folded(word, self.lower) not in self._number)

    def to_json(self) -> dict[str, Any]:
        return {"kind": "words", "words": list(self.words), "lower": self.lower}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Words":
        return cls(tuple(record["words"]), record["lower"])


def _folded(word: str, lower: bool) -> str:
    """Return a word as it is looked up: letters and their marks are one character, if they can."""
    composed = unicodedata.normalize("NFC", word)
    return composed.lower() if lower else composed

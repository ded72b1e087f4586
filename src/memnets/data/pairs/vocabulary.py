"""What every vocabulary of sentences has, whatever its symbols are, and which words are special."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, Protocol, runtime_checkable

PADDING, UNKNOWN, BEGIN, END = range(4)
"""The numbers of the special words: they fill a sentence up, stand for what is not known, and
stand before the first and after the last word."""
SPECIAL = ("", "<unk>", "<s>", "</s>")
"""How the special words are written. No text holds them: what looks like one is ordinary text."""


@runtime_checkable
class SentenceVocabulary(Protocol):
    """Turns sentences into numbers and back; `Words` and `Subwords` do."""

    def __len__(self) -> int:
        """Return how many numbers there are, the special ones among them."""
        ...

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a sentence, without its begin and end."""
        ...

    def split(self, text: str) -> list[str]:
        """Return what each of its numbers stands for in this sentence, as it was typed."""
        ...

    def pieces(self, numbers: Iterable[int]) -> list[str]:
        """Return what each number stands for, to be shown; special words too."""
        ...

    def word_places(self, numbers: Sequence[int]) -> list[int]:
        """Return of which word of their sentence, as `split_words` parts it, each number is.

        Args:
            numbers: of a sentence, without special words.
        """
        ...

    def text(self, numbers: Iterable[int]) -> str:
        """Return the sentence of some numbers, up to the first end."""
        ...

    def unknown(self, text: str) -> tuple[str, ...]:
        """Return the words of a sentence that it has no number for."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return what `vocabulary_from_json` makes the same vocabulary of."""
        ...


def said(numbers: Iterable[int]) -> list[int]:
    """Return the numbers up to the first end, without begins and padding."""
    before = takewhile(lambda number: number != END, numbers)
    return [number for number in before if number not in (PADDING, BEGIN)]

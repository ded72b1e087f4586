"""Which tokens a text has, by number: its words."""

from collections.abc import Sequence

from memnets.kb.index.porter import porter
from memnets.kb.values.columns import YEARS

UNKNOWN, NUMBER, YEAR = range(1, 4)
"""The numbers of tokens that are no words; 0 is none."""
ENDINGS = ("", "e", "s", "ed", "ing")
"""Of words of one stem, in which a word that is not known may be known."""


class WholeWords:
    """Takes the words of a text, at white space, for its tokens.

    Args:
        words: those that are known; the first four stand for none, any other word, numbers, and
            years.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._numbers = dict(zip(words, range(len(words)), strict=True))

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text; one of no words has one of its own."""
        return [[self._number(word) for word in text.split()] or [UNKNOWN] for text in texts]

    def _number(self, word: str) -> int:
        known = self._numbers.get(word)
        if known is None and any(map(str.isdigit, word)):
            known = YEAR if word.isdecimal() and int(word) in YEARS else NUMBER
        if known is None:
            stem = porter(word)
            alike = (self._numbers.get(stem + ending) for ending in ENDINGS)
            known = next((one for one in alike if one is not None), UNKNOWN)
        return known

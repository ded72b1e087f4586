"""Which tokens a text has, by number: its words."""

from collections.abc import Sequence
from functools import lru_cache

from memnets.kb.index.porter import porter
from memnets.kb.values.columns import YEARS

UNKNOWN, NUMBER, YEAR = range(1, 4)
"""The numbers of tokens that are no words; 0 is none."""
ENDINGS = ("", "e", "s", "ed", "ing")
"""Of words of one stem, in which a word that is not known may be known."""


class WholeWords:
    """Takes the words of a text, at white space, for its tokens.

    Args:
        words: those that are known, a line each; the first four stand for none, any other word,
            numbers, and years.
    """

    def __init__(self, words: str) -> None:
        self._lines = f"\n{words}\n"  # no table is made of them, of which few are looked up
        self._known = lru_cache(2**16)(self._place)

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text; one of no words has one of its own."""
        return [[self._number(word) for word in text.split()] or [UNKNOWN] for text in texts]

    def _place(self, word: str) -> int | None:
        at = self._lines.find(f"\n{word}\n")
        return None if at < 0 else self._lines.count("\n", 0, at)

    def _number(self, word: str) -> int:
        known = self._known(word)
        if known is None and any(map(str.isdigit, word)):
            known = YEAR if word.isdecimal() and int(word) in YEARS else NUMBER
        if known is None:
            stem = porter(word)
            alike = (self._known(stem + ending) for ending in ENDINGS)
            known = next((one for one in alike if one is not None), UNKNOWN)
        return known

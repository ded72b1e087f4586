"""Which tokens a text has, by number: pieces of its words."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

UNKNOWN, FIRST, LAST = range(3)
"""The numbers of tokens that are no pieces: for a word that has none, and around each text."""
INSIDE = "##"
"""Before a piece that goes on with a word."""
LONGEST = 100
"""Letters of a word; longer ones are not known."""
_PART = re.compile(r"[^\W_]+|[^\w\s]|_")


class WordPieces:
    """Takes pieces of words for tokens, the longest that there is first (Devlin et al. 2019).

    Args:
        pieces: those that are known, a line each, sorted behind the first three, which stand for
            any other word, and for the beginning and the end of a text.
    """

    def __init__(self, pieces: str) -> None:
        self._known = pieces.split("\n")  # no table is made of them, of which few are looked up
        self._of = lru_cache(2**16)(self._pieces)

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text."""
        return [
            [FIRST, *(n for part in _PART.findall(_plain(text)) for n in self._of(part)), LAST]
            for text in texts
        ]

    def __contains__(self, word: str) -> bool:
        """Whether a word, in small letters and without accents, is a token by itself."""
        return self._place(word) != UNKNOWN

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST:
            return (UNKNOWN,)
        found: list[int] = []
        end = 0
        while end < len(word):
            piece, end = self._longest(word, end)
            if piece == UNKNOWN:
                return (UNKNOWN,)
            found.append(piece)
        return tuple(found)

    def _longest(self, word: str, begin: int) -> tuple[int, int]:
        """Return the longest piece that goes on with a word from a letter on, and its end."""
        inside = INSIDE if begin else ""
        for end in range(len(word), begin, -1):
            piece = self._place(inside + word[begin:end])
            if piece != UNKNOWN:
                return piece, end
        return UNKNOWN, begin

    def _place(self, piece: str) -> int:
        at = bisect_left(self._known, piece, LAST + 1)
        return at if self._known[at : at + 1] == [piece] else UNKNOWN


def _plain(text: str) -> str:
    """Return a text without case and accents."""
    apart = unicodedata.normalize("NFD", text.lower())
    return "".join(one for one in apart if unicodedata.category(one) != "Mn")

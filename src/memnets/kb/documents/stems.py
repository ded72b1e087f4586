"""Words of documents and questions as they are compared: without endings, case and accents."""

import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import filterfalse

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.index.porter import porter
from memnets.kb.store import aliases

SMALL = STOP_WORDS | INTERROGATIVES
"""Words of a question that no sentence is looked up by."""
PART = 4
"""Letters of a part of a word that tells something, at least."""
LONG, LONGEST = 6, 30
"""A word of so many letters may be mistyped: of fewer it is too near to many others, of more it is
none that somebody types, and has too many misspellings."""
UNKNOWN = 8
"""So many unknown words of a question are looked at; others are as they stand."""


def plain_words(text: str) -> list[str]:
    """Return the words of a text, without regard to case and accents."""
    letters = unicodedata.normalize("NFKD", text)
    return aliases.name_words("".join(filterfalse(unicodedata.combining, letters)))


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text, as they come."""
    return [porter(word) for word in plain_words(text)]


def asked_stems(question: str, known: Callable[[str], bool]) -> list[str]:
    """Return what a question is looked up by: stems of its words but small ones, each once.

    An unknown word of six letters to thirty stands for the known ones that are one letter away: one
    left out, put in, changed, or exchanged with the next. The first letter is taken as it is. Where
    there are none it stands for what it begins or ends with: "limescale" for "scale".

    Args:
        question: in words.
        known: whether the documents have a stem.
    """
    found: dict[str, None] = {}
    unknown = 0
    for word in dict.fromkeys(plain_words(question)):
        if word in SMALL:
            continue
        near = [porter(word)]
        if LONG <= len(word) <= LONGEST and unknown < UNKNOWN and not known(near[0]):
            unknown += 1
            ways = (_known(way(word), known) for way in (_misspellings, _parts))
            near = next(filter(None, ways), near)
        found.update(dict.fromkeys(near))
    return list(found)


def _known(words: Iterable[str], known: Callable[[str], bool]) -> list[str]:
    return sorted(set(filter(known, map(porter, words))))


def _parts(word: str) -> Iterator[str]:
    for place in range(1, len(word)):
        for part in (word[:place], word[place:]):
            if len(part) >= PART and part not in SMALL:
                yield part


def _misspellings(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        before, after = word[:place], word[place:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]

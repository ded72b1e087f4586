"""How alike whole names are that are spelt otherwise, by the letters that they share in order."""

import re
from collections.abc import Iterable

SAME = 0.6
"""How alike each word of a name has to be where a name of as many words is spelt otherwise."""
ALIKE = 0.84
"""How like a name a misspelt one is at least: twice the letters in common, over all letters."""
SHORTEST = 4
"""A name of fewer letters is not looked for misspelt."""
_NUMBER = re.compile(r"\d+")


def trigrams(text: str) -> list[str]:
    """Return all three letters in a row of a text, two spaces before it and one behind."""
    padded = f"  {text} "
    return list(dict.fromkeys(padded[at : at + 3] for at in range(len(padded) - 2)))


def _letters_in_common(one: str, other: str) -> int:
    """Return how many letters two names share, in any order: no fewer than in the same one."""
    return sum(min(one.count(letter), other.count(letter)) for letter in set(one))


def share_in_order(one: str, other: str) -> float:
    """Return the share of their letters that two texts have in common, in the same order."""
    from difflib import SequenceMatcher  # of misspelt names alone

    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def alike(one: str, other: str) -> float:
    """Return how alike two names are, from 0 to 1; names of other numbers are not at all."""
    least = ALIKE * (len(one) + len(other)) / 2
    if min(len(one), len(other)) < least or _letters_in_common(one, other) < least:
        return 0.0
    if _NUMBER.findall(one) != _NUMBER.findall(other):
        return 0.0
    return share_in_order(one, other)


def alike_word_by_word(one: str, other: str) -> bool:
    """Whether two names of as many words may be the same: Zara Lund is not Ada Lund."""
    pairs = list(zip(one.split(), other.split(), strict=False))
    if one.count(" ") != other.count(" ") or len(pairs) < 2:
        return True
    return all(sorted(a) == sorted(b) or share_in_order(a, b) >= SAME for a, b in pairs)


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word of nearly the same spelling; none of a short word or a number."""
    if len(word) < SHORTEST or not word.isalpha():
        return None
    most, nearest = max(((alike(word, one), one) for one in known), default=(0.0, None))
    return nearest if most >= ALIKE else None

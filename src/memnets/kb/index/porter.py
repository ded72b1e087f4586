"""The stems of English words."""

from functools import cache, lru_cache
from typing import Any


@lru_cache(2**16)
def porter(word: str) -> str:
    """Return what a word has in common with its other forms (Porter's second algorithm)."""
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")

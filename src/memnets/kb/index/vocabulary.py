"""Words on disk, numbered by their hash: found without reading more than a page or two."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.keeping import make_room
from memnets.kb.index.strings import Strings

Number = int | np.integer
"""A number of something, Python's or out of an array."""
KINDS: dict[str, type] = {
    "words.hashes": np.uint32,
    "words.letters": np.uint8,
    "words.offsets": np.int64,
}
"""The arrays of a vocabulary."""


class Vocabulary:
    """All words, in the order of their CRC-32, and among equal ones of their bytes.

    The number of a word is its place in this order, which depends on the set of words only.

    Args:
        arrays: those of `KINDS`; word n is letters[offsets[n]:offsets[n + 1]] in UTF-8.
    """

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self._hashes = arrays["words.hashes"]
        # Single numbers come out of a memory view as Python's own, three times faster.
        self._each_hash = self._hashes.data
        self._letters = arrays["words.letters"].data
        self._offsets = arrays["words.offsets"].data
        self._lately: dict[str, int | None] = {}

    def __len__(self) -> int:
        return len(self._hashes)

    def __iter__(self) -> Iterator[str]:
        return (self.word(number) for number in range(len(self)))

    def word(self, number: Number) -> str:
        """Return a word by its number."""
        letters = self._letters[self._offsets[number] : self._offsets[number + 1]]
        return bytes(letters).decode("utf-8", "surrogatepass")

    def number(self, word: str) -> int | None:
        """Return the number of a word, or None of one that is not there."""
        number = self._lately.get(word, -1)
        if number == -1:  # a question looks the same words up again and again
            make_room(self._lately)
            number = self._lately[word] = self._sought(word)
        return number

    def _sought(self, word: str) -> int | None:
        letters = encoded(word)
        wanted = crc32(letters)
        number = bisect_left(self._each_hash, wanted)
        while number < len(self) and self._each_hash[number] == wanted:
            if self._letters[self._offsets[number] : self._offsets[number + 1]] == letters:
                return number
            number += 1
        return None


def write(words: Sequence[str], folder: Path) -> NDArray[np.int32]:
    """Save the arrays of a vocabulary, and return the number of each word.

    Args:
        words: distinct.
        folder: where the arrays go.
    """
    return write_strings(Strings.of(map(encoded, words)), folder)


def write_strings(words: Strings, folder: Path) -> NDArray[np.int32]:
    """Save the arrays of a vocabulary; as `write` does."""
    hashes = words.checksums()
    # Hash and place in one number: plain sorting of integers is the fastest there is.
    packed = hashes.astype(np.uint64) << 32 | np.arange(len(hashes), dtype=np.uint64)
    packed.sort()
    order = packed.astype(np.int32)
    _sort_ties(order, hashes[order], words)
    ordered = words.taken(order)
    np.save(folder / "words.hashes.npy", hashes[order])
    np.save(folder / "words.letters.npy", ordered.letters)
    np.save(folder / "words.offsets.npy", ordered.offsets)
    numbers = np.empty(len(words), np.int32)
    numbers[order] = np.arange(len(words), dtype=np.int32)
    return numbers


def _sort_ties(order: NDArray[np.int32], hashes: NDArray[np.uint32], words: Strings) -> None:
    """Put the few words that share a hash in the order of their letters."""
    for hash_ in np.unique(hashes[1:][hashes[1:] == hashes[:-1]]):
        begin, end = np.searchsorted(hashes, hash_), np.searchsorted(hashes, hash_, side="right")
        order[begin:end] = sorted(order[begin:end].tolist(), key=words.__getitem__)


def encoded(word: str) -> bytes:
    """Return a word as it is kept; also one that was read from a broken encoding."""
    return word.encode("utf-8", "surrogatepass")

"""Many strings, end to end in one array of letters: what is done with all of them is done at once.

For large texts it is done in C++ (strings.cpp), and the same in NumPy where there is no compiler.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index import hashed
from memnets.native import Function, Library

Letters = NDArray[np.uint8]
Places = NDArray[np.int64]
Numbers = NDArray[np.int32]

LIBRARY = Library(Path(__file__).parent, "strings")
_GATHERED = Function(LIBRARY, "kb_gathered", "letters starts offsets count# out")
_DISTINCT = Function(
    LIBRARY, "kb_distinct", "letters starts ends count# numbers first_starts first_ends", True
)
_FIELDS = Function(LIBRARY, "kb_fields", "letters length# separator# starts ends", True)
_CHECKSUMS = Function(LIBRARY, "kb_checksums", "letters offsets count# sums")
LARGE = 2**20
"""Letters from which C++ is worth a compiler's second, the first time."""


@dataclass(frozen=True)
class Strings(Sequence[bytes]):
    """String n is letters[offsets[n]:offsets[n + 1]].

    Attributes:
        letters: in UTF-8.
        offsets: one more than there are strings, from 0 on.
    """

    letters: Letters
    offsets: Places

    @classmethod
    def of(cls, strings: Iterable[bytes]) -> "Strings":
        """Put strings together."""
        strings = list(strings)
        lengths = np.fromiter(map(len, strings), np.int64, len(strings))
        return cls(np.frombuffer(b"".join(strings), np.uint8), offsets_of(lengths))

    @classmethod
    def cut(cls, letters: Letters, starts: Places, ends: Places) -> "Strings":
        """Take strings out of a text."""
        offsets = offsets_of(ends - starts)
        if not _natively(letters):
            shifts = np.repeat(starts - offsets[:-1], np.diff(offsets))
            return cls(letters[shifts + np.arange(offsets[-1])], offsets)
        out = np.empty(offsets[-1], np.uint8)
        starts = np.ascontiguousarray(starts)
        _GATHERED(letters.ctypes, starts.ctypes, offsets.ctypes, len(starts), out.ctypes)
        return cls(out, offsets)

    @classmethod
    def joined(cls, parts: Sequence["Strings"]) -> "Strings":
        """Put the strings of all parts one after the other."""
        if len(parts) == 1:
            return parts[0]
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(np.concatenate([part.letters for part in parts]), offsets_of(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: Any) -> Any:
        return self.letters[self.offsets[number] : self.offsets[number + 1]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        text, ends = self.letters.tobytes(), self.offsets.tolist()
        return (text[start:end] for start, end in pairwise(ends))

    def taken(self, numbers: NDArray[np.integer]) -> "Strings":
        """Return some of them, in the order of the numbers."""
        return Strings.cut(self.letters, self.offsets[numbers], self.offsets[1:][numbers])

    def distinct(self) -> "tuple[Strings, Numbers]":
        """Return each string once, in the order of their first places, and the number of each."""
        found = distinct(self.letters, self.offsets[:-1], self.offsets[1:])
        return Strings.cut(self.letters, found.starts, found.ends), found.numbers

    def checksums(self) -> NDArray[np.uint32]:
        """Return the CRC-32 of every string."""
        if not _natively(self.letters):
            return np.fromiter(map(crc32, self), np.uint32, len(self))
        sums = np.empty(len(self), np.uint32)
        _CHECKSUMS(self.letters.ctypes, self.offsets.ctypes, len(self), sums.ctypes)
        return sums


class Distinct(NamedTuple):
    """Which words there are, and which is where."""

    starts: Places
    """Where each stands for the first time, in this order."""
    ends: Places
    numbers: Numbers
    """The number of the word at every place."""


def distinct(letters: Letters, starts: Places, ends: Places) -> Distinct:
    """Number the distinct words of a text by their first places.

    Args:
        letters: the text.
        starts: where words begin in it.
        ends: where they end.
    """
    if not _natively(letters):
        first = hashed.first_places(letters, starts, ends)
        new = np.flatnonzero(first == np.arange(len(first), dtype=np.int32))
        numbers = np.empty(len(first), np.int32)
        numbers[new] = np.arange(len(new), dtype=np.int32)
        return Distinct(starts[new], ends[new], numbers[first])
    starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
    numbers = np.empty(len(starts), np.int32)
    begun, ended = np.empty_like(starts), np.empty_like(ends)
    words = letters.ctypes, starts.ctypes, ends.ctypes, len(starts)
    found = _DISTINCT(*words, numbers.ctypes, begun.ctypes, ended.ctypes)
    return Distinct(begun[:found].copy(), ended[:found].copy(), numbers)


def fields_of(letters: Letters, lines: int, separator: str) -> tuple[Places, Places] | None:
    """Return where the three fields of each line begin and end, or None if one has others.

    Args:
        letters: whole lines.
        lines: how many.
        separator: one letter between fields, none of which is empty.
    """
    if not lines:
        return None
    if not _natively(letters):
        ends = np.flatnonzero((letters == ord(separator)) | (letters == ord("\n")))
        if len(ends) != 3 * lines:
            return None
        starts = np.concatenate([[0], ends[:-1] + 1])
        last = letters[ends].reshape(-1, 3) == ord("\n")
        as_told = last[:, 2].all() and not last[:, :2].any() and not (starts == ends).any()
        return (starts, ends) if as_told else None
    starts, ends = np.empty(3 * lines, np.int64), np.empty(3 * lines, np.int64)
    found = _FIELDS(letters.ctypes, len(letters), ord(separator), starts.ctypes, ends.ctypes)
    return (starts, ends) if found >= 0 else None


def offsets_of(lengths: NDArray[np.integer]) -> Places:
    """Return where things of these lengths begin, end to end, and where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _natively(letters: Letters) -> bool:
    """Return whether C++ is to do it, not NumPy."""
    return len(letters) >= LARGE and LIBRARY.available()

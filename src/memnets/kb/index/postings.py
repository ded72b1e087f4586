"""For every word the slots that hold it: laid out word by word, however many there are.

Pairs of a word and a slot come in any number. They are sorted in runs of bounded size, which wait
on disk, and are then laid out run by run: later runs hold later slots, so nothing is compared.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.integer)

RUN = 2**22
"""Pairs that are sorted at once; memory is about 60 bytes a pair."""
MOST_TIMES = 255
"""More often than this a word is not counted in one slot."""


class Postings(NamedTuple):
    """Compressed rows: the slots of word n are slots[offsets[n]:offsets[n + 1]], ascending."""

    offsets: NDArray[np.int64]
    slots: NDArray[np.int32]
    times: NDArray[np.uint8]
    """How often the word stands in the slot, at most 255."""


class PostingRun(NamedTuple):
    """Postings of some words only."""

    words: NDArray[np.int32]
    """Each once."""
    postings: Postings


def kinds(side: str) -> dict[str, type]:
    """Return the names and types of one side's arrays."""
    return {f"{side}.offsets": np.int64, f"{side}.slots": np.int32, f"{side}.times": np.uint8}


def of(arrays: dict[str, np.ndarray], side: str) -> Postings:
    """Return one side's postings from the arrays of an index."""
    return Postings(*(arrays[name] for name in kinds(side)))


def sorted_run(words: NDArray[np.int32], slots: NDArray[np.int32]) -> PostingRun:
    """Return the postings of pairs; a pair that comes n times counts n times."""
    # Both in one number: plain sorting of integers is the fastest there is.
    pairs = (words.astype(np.int64) << 32) | slots
    pairs.sort()
    first = np.flatnonzero(_differs(pairs))
    times = np.minimum(np.diff(first, append=len(pairs)), MOST_TIMES).astype(np.uint8)
    pairs = pairs[first]
    owners = (pairs >> 32).astype(np.int32)
    starts = np.flatnonzero(_differs(owners))
    offsets = np.append(starts, len(owners)).astype(np.int64)
    return PostingRun(owners[starts], Postings(offsets, pairs.astype(np.int32), times))


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """Return numbers once each, ascending: of few, in a third of the time of `np.unique`.

    That imports NumPy's masked arrays besides, 10 ms of a process.
    """
    ordered = np.sort(numbers)
    return ordered[_differs(ordered)]


def _differs(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Whether each value differs from the one before it."""
    differs = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=differs[1:])
    return differs


class Spool:
    """Runs of one side that wait on disk.

    Args:
        folder: where they wait.
        side: the name of what is spooled.
    """

    def __init__(self, folder: Path, side: str) -> None:
        self.folder = folder
        self.side = side
        self.runs: list[PostingRun] = []
        self._pairs: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._waiting = 0

    def add(self, words: NDArray[np.int32], slots: NDArray[np.int32]) -> None:
        """Take pairs of a word and a slot; slots never go back by more than one call's."""
        self._pairs.append((words, slots))
        self._waiting += len(words)
        if self._waiting >= RUN:
            self.sort()

    def sort(self) -> None:
        """Make a run of the pairs taken so far."""
        if self._waiting:
            words, slots = map(np.concatenate, zip(*self._pairs, strict=True))
            self._pairs, self._waiting = [], 0
            self.take(sorted_run(words, slots))

    def take(self, run: PostingRun) -> None:
        """Let a run wait on disk."""
        parts = {"words": run.words} | run.postings._asdict()
        paths = [self.folder / f"run.{self.side}.{len(self.runs)}.{name}.npy" for name in parts]
        for path, array in zip(paths, parts.values(), strict=True):
            np.save(path, array)
        words, *rest = (np.load(path, mmap_mode="r", allow_pickle=False) for path in paths)
        self.runs.append(PostingRun(words, Postings(*rest)))

    def lay_out(self, numbers: NDArray[np.int32]) -> None:
        """Save the postings of all runs, each word under its final number.

        Args:
            numbers: the final number of every word, by the number it has in the runs.
        """
        sizes = np.zeros(len(numbers), np.int64)
        for run in self.runs:
            sizes[run.words] += np.diff(run.postings.offsets)
        offsets = np.zeros(len(numbers) + 1, np.int64)
        offsets[1 + numbers] = sizes
        np.cumsum(offsets, out=offsets)
        np.save(self.folder / f"{self.side}.offsets.npy", offsets)
        slots = self._output("slots", np.int32, int(offsets[-1]))
        times = self._output("times", np.uint8, int(offsets[-1]))
        free = offsets[numbers]  # where the next slot of every word goes
        for run in self.runs:
            for words, part in _blocks(run):
                lengths = np.diff(part.offsets)
                shift = free[words] - (part.offsets[:-1] - part.offsets[0])
                places = np.repeat(shift, lengths) + np.arange(len(part.slots))
                slots[places], times[places] = part.slots, part.times
                free[words] += lengths

    def _output(self, name: str, kind: type, size: int) -> np.ndarray:
        path = self.folder / f"{self.side}.{name}.npy"
        return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=(size,))


def _blocks(run: PostingRun) -> Iterator[tuple[NDArray[np.int32], Postings]]:
    """Cut a run between words into blocks of bounded size."""
    offsets = np.asarray(run.postings.offsets)
    first = 0
    while first < len(run.words):
        last = int(np.searchsorted(offsets, offsets[first] + RUN, side="right")) - 1
        last = max(last, first + 1)  # one word may be more than a block
        begin, end = offsets[first], offsets[last]
        part = Postings(
            offsets[first : last + 1],
            np.asarray(run.postings.slots[begin:end]),
            np.asarray(run.postings.times[begin:end]),
        )
        yield np.asarray(run.words[first:last]), part
        first = last

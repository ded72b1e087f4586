"""Build an index from a stream of slots of any length, within bounded memory."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path

import numpy as np

from memnets.kb.index import folders, postings, vocabulary
from memnets.kb.index.postings import PostingRun, Spool
from memnets.kb.index.slots import Words, chunks

SIDES = ("keys", "values")
KINDS = (
    vocabulary.KINDS
    | postings.kinds("keys")
    | postings.kinds("values")
    | {"entities": np.bool_, "documents": np.int32, "size": np.int64}
)
"""The arrays of an index; entities: a mark a word; documents: the first slot of each."""


@contextmanager
def building(folder: Path) -> Iterator["Builder"]:
    """Build an index, which is there when the block has ended well.

        with building(Path("facts.kb")) as builder:
            builder.add(line.split() for line in lines)

    The same slots give the same bytes. An exception, or the end of the process, leaves the index
    that was there before, if any; its readers keep what they opened in any case.

    Args:
        folder: of the index; made where it is missing.

    Raises:
        ValueError: something else is building there.
    """
    with folders.generation(folder, KINDS) as aside:
        builder = Builder(folder, aside)
        yield builder
        builder.finish()


class Builder:
    """Takes slots; made by `building`."""

    def __init__(self, folder: Path, aside: Path) -> None:
        self.slots = 0
        """How many were written."""
        self._folder = folder
        self._aside = aside
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._entities: set[str] = set()
        self._documents: list[int] = []
        self._spools = {side: Spool(aside, side) for side in SIDES}

    def add(
        self,
        keys: Iterable[Words],
        values: Iterable[Words] | None = None,
        entities: Collection[str] = (),
    ) -> range:
        """Write slots, and return their numbers.

        Args:
            keys: the words of every slot's key; a word may hold spaces, as names of entities do.
            values: the words of every slot's value.
            entities: words that are entities, wherever they stand.

        Raises:
            ValueError: a slot is no list of words, or keys and values differ in number.
        """
        first = self.slots
        self._entities.update(entities)
        for chunk in chunks(first, keys, values, self._folder):
            for side, lists in zip(SIDES, chunk[1:], strict=True):
                lengths = np.fromiter(map(len, lists), np.int64, len(lists))
                numbers = self._numbered(chain.from_iterable(lists), int(lengths.sum()))
                slots = np.arange(chunk.first, chunk.first + len(lists), dtype=np.int32)
                self._spools[side].add(numbers, np.repeat(slots, lengths))
            self.slots = chunk.first + len(chunk.keys)
        return range(first, self.slots)

    def begin_document(self) -> None:
        """Let the next slot begin a document; windows of neighbours end at its border."""
        self._documents.append(self.slots)

    def take(self, side: str, words: Iterable[str], part: postings.Postings) -> None:
        """Write postings that are ready, of slots after all that were written to this side.

        Args:
            side: "keys" or "values".
            words: distinct, as many as the postings have rows.
            part: their postings.
        """
        numbers = self._numbered(words, len(part.offsets) - 1)
        spool = self._spools[side]
        spool.sort()
        spool.take(PostingRun(numbers, part))

    def count(self, slots: int, documents: Iterable[int], entities: Iterable[str]) -> None:
        """Go on after the slots of postings that were taken.

        Args:
            slots: how many there are now.
            documents: where documents begin among them.
            entities: words that are entities.
        """
        self.slots = slots
        self._documents.extend(documents)
        self._entities.update(entities)

    def _numbered(self, words: Iterable[str], length: int) -> np.ndarray:
        return np.fromiter(map(self._numbers.__getitem__, words), np.int32, length)

    def finish(self) -> None:
        """Save the arrays of the index."""
        entities = list(map(self._numbers.__getitem__, self._entities))  # also those in no slot
        words = list(self._numbers)
        numbers = vocabulary.write(words, self._aside)
        for spool in self._spools.values():
            spool.sort()
            spool.lay_out(numbers)
        marks = np.zeros(len(words), np.bool_)
        marks[numbers[entities]] = True
        np.save(self._aside / "entities.npy", marks)
        np.save(self._aside / "documents.npy", np.unique(np.array(self._documents, np.int32)))
        np.save(self._aside / "size.npy", np.array([self.slots], np.int64))

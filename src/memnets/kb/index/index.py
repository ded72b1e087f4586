"""The inverted index: from words to the slots that hold them, on disk and in memory."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index import folders, postings
from memnets.kb.index.building import KINDS, SIDES, building
from memnets.kb.index.postings import MOST_TIMES, Postings, distinct
from memnets.kb.index.rules import Rule
from memnets.kb.index.slots import Words, chunks
from memnets.kb.index.vocabulary import Vocabulary

Ids = NDArray[np.int32]
"""Numbers of slots, ascending, each once."""
ANY = Rule()


class PostingRow(NamedTuple):
    """The slots that a word leads to."""

    slots: Ids
    times: NDArray[np.uint8]
    """How often it stands in each."""


class WrittenWord(NamedTuple):
    """What was written of a word since the index was opened."""

    slots: "array[int]"
    times: "array[int]"

    def row(self) -> PostingRow:
        return PostingRow(np.array(self.slots, np.int32), np.array(self.times, np.uint8))


class Index:
    """Slots found by their words.

    `Index()` is empty and in memory; `Index.open(folder)` maps what `building` has built. Slots
    that are added are found at once, by this object only, and kept by `save`.
    """

    def __init__(self) -> None:
        self._begin(None, None, {name: np.zeros(0, kind) for name, kind in KINDS.items()})

    @classmethod
    def open(cls, folder: Path) -> "Index":
        """Open an index without reading it; any number of processes may.

        Raises:
            ValueError: there is none, or it is of another version, cut short or damaged.
        """
        return cls.of(folder, *folders.open_arrays(folder, KINDS))

    @classmethod
    def of(cls, folder: Path, generation: str, arrays: folders.Arrays) -> "Index":
        """Return the index whose arrays are mapped already, as part of something larger."""
        index = cls.__new__(cls)
        index._begin(folder, generation, arrays)
        return index

    def _begin(self, folder: Path | None, generation: str | None, arrays: folders.Arrays) -> None:
        self._folder = folder
        self._generation = generation
        self._arrays = arrays
        self._vocabulary = Vocabulary(arrays)
        self._kept = {side: postings.of(arrays, side) for side in SIDES}
        self._written: dict[str, defaultdict[str, WrittenWord]] = {
            side: defaultdict(lambda: WrittenWord(array("i"), array("B"))) for side in SIDES
        }
        self._entities: set[str] = set()
        self._has_entities = bool(arrays["entities"].any())
        self._documents = arrays["documents"].tolist()
        self._slots = int(arrays["size"].sum())

    def __len__(self) -> int:
        """How many slots there are."""
        return self._slots

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
        first = self._slots
        self._entities.update(entities)
        self._has_entities |= bool(self._entities)
        for chunk in chunks(first, keys, values, self._folder or IN_MEMORY):
            for side, lists in zip(SIDES, chunk[1:], strict=True):
                written = self._written[side]
                for slot, words in enumerate(lists, start=chunk.first):
                    for word, times in Counter(words).items():
                        row = written[word]
                        row.slots.append(slot)
                        row.times.append(min(times, MOST_TIMES))
            self._slots = chunk.first + len(chunk.keys)
        return range(first, self._slots)

    def begin_document(self) -> None:
        """Let the next slot begin a document; windows of neighbours end at its border."""
        self._documents.append(self._slots)

    def save(self, folder: Path) -> None:
        """Write everything to a folder: the same bytes as if it had been built there at once.

        Raises:
            ValueError: it was opened from this folder, and another process has built there since;
                or something is building there.
        """
        with building(folder) as builder:
            if folder == self._folder and folders.in_force(folder) != self._generation:
                raise ValueError(
                    f"{folder}: built anew since this index was opened from it; expected "
                    f"generation {self._generation}. Open it again and add to that, or save into "
                    f"another folder."
                )
            entities = set(filter(self.is_entity, self._vocabulary)) | self._entities
            builder.count(self._slots, self._documents, entities)
            for side in SIDES:
                builder.take(side, self._vocabulary, self._kept[side])
                written = self._written[side]
                builder.take(side, written, _laid_out(written))
        if folder == self._folder:
            self._generation = folders.in_force(folder)

    def is_entity(self, word: str) -> bool:
        """Whether a word was said to be an entity."""
        return self._marked(word, self._vocabulary.number(word))

    def frequency(self, word: str) -> int:
        """Return how many slots have a word in their key."""
        return len(self._row("keys", word, self._vocabulary.number(word)).slots)

    def candidates(self, words: Iterable[str], rule: Rule = ANY, without: int | None = None) -> Ids:
        """Return the slots that a rule chooses for a question.

        Args:
            words: of the question; unknown ones lead nowhere.
            rule: what makes a slot a candidate.
            without: a slot that is none, such as the question's own.

        Raises:
            ValueError: the rule asks for what no slot of this index has: values, entities or
                documents.
        """
        self._check(rule)
        buckets = (self._bucket(word, rule) for word in dict.fromkeys(words))
        rows = [bucket for bucket in buckets if len(bucket.slots)]
        chosen = _union(rows) if rule.top_n is None else self._best(rows, rule.top_n, without)
        if without is not None:
            chosen = chosen[chosen != without]
        if rule.newest is not None:
            chosen = chosen[-rule.newest :]
        return self._with_neighbours(chosen, rule.doc_window) if rule.doc_window else chosen

    def _check(self, rule: Rule) -> None:
        values = len(self._kept["values"].slots) or self._written["values"]
        lacking = {
            "hash_value": rule.hash_value and not values,
            "entities_only": rule.entities_only and not self._has_entities,
            "doc_window": rule.doc_window and not self._documents,
        }
        for name, lacks in lacking.items():
            if lacks:
                raise ValueError(
                    f"{self._folder or IN_MEMORY}: {name}={getattr(rule, name)} would be ignored, "
                    f"since it was written without {_GIVES[name]}. Write it so, or leave {name} "
                    f"out."
                )

    def _bucket(self, word: str, rule: Rule) -> PostingRow:
        """The slots that a word leads to; none where the rule throws it away."""
        number = self._vocabulary.number(word)
        if rule.entities_only and not self._marked(word, number):
            return NOTHING
        row = self._row("keys", word, number)
        if rule.max_df is not None and len(row.slots) >= rule.max_df:
            return NOTHING
        if rule.hash_value:
            row = _summed([row, self._row("values", word, number)])
        if rule.max_bucket is not None and len(row.slots) >= rule.max_bucket:
            return NOTHING
        return row

    def _marked(self, word: str, number: int | None) -> bool:
        kept = number is not None and bool(self._arrays["entities"][number])
        return kept or word in self._entities

    def _row(self, side: str, word: str, number: int | None) -> PostingRow:
        written = self._written[side].get(word)
        if number is None:
            return NOTHING if written is None else written.row()
        offsets, slots, times = self._kept[side]
        part = slice(offsets[number], offsets[number + 1])
        kept = PostingRow(slots[part], times[part])
        return kept if written is None else _joined([kept, written.row()])

    def _best(self, rows: list[PostingRow], most: int, without: int | None) -> Ids:
        """The slots of the highest sum of tf idf, with idf = ln(slots / size of the bucket)."""
        if not rows:
            return NOTHING.slots
        slots, weights = _sums(
            np.concatenate([row.slots for row in rows]),
            np.concatenate([row.times * np.log(len(self) / len(row.slots)) for row in rows]),
        )
        if without is not None:
            slots, weights = slots[slots != without], weights[slots != without]
        if len(slots) > most:  # most are not worth sorting
            kept = weights >= np.partition(weights, -most)[-most]
            slots, weights = slots[kept], weights[kept]
        best = np.lexsort((slots, -weights))[:most]
        return np.sort(slots[best])

    def _with_neighbours(self, slots: Ids, window: int) -> Ids:
        documents = np.array(self._documents, np.int32)
        steps = np.arange(-window, window + 1, dtype=np.int32)
        near = slots[:, None] + steps
        inside = (near >= 0) & (near < len(self))
        same = _document(near, documents) == _document(slots, documents)[:, None]
        return np.unique(near[inside & same])


def _document(slots: Ids, documents: Ids) -> NDArray[np.intp]:
    return np.searchsorted(documents, slots, side="right")


def _union(rows: list[PostingRow]) -> Ids:
    if len(rows) < 2:
        return rows[0].slots.copy() if rows else NOTHING.slots
    return distinct(np.concatenate([row.slots for row in rows]))


def _joined(rows: list[PostingRow]) -> PostingRow:
    return PostingRow(
        np.concatenate([row.slots for row in rows]), np.concatenate([row.times for row in rows])
    )


def _summed(rows: list[PostingRow]) -> PostingRow:
    slots, times = _sums(*_joined(rows))
    return PostingRow(slots, np.minimum(times, MOST_TIMES).astype(np.uint8))


def _sums(slots: Ids, weights: np.ndarray) -> tuple[Ids, np.ndarray]:
    """Return the slots once, ascending, and the sum of the weights of each."""
    if len(slots) < MANY:
        once, owners = np.unique(slots, return_inverse=True)
        return once, np.bincount(owners, weights, len(once))
    once = np.flatnonzero(np.bincount(slots)).astype(slots.dtype)  # which sorts nothing
    return once, np.bincount(slots, weights)[once]


def _laid_out(written: Mapping[str, WrittenWord]) -> Postings:
    rows = [row.row() for row in written.values()]
    offsets = np.cumsum([0, *(len(row.slots) for row in rows)], dtype=np.int64)
    return Postings(offsets, *_joined([NOTHING, *rows]))


MANY = 2**12
"""From so many slots on their sums are added up at their places among all."""
IN_MEMORY = "the index in memory"
NOTHING = PostingRow(np.zeros(0, np.int32), np.zeros(0, np.uint8))
_GIVES = {
    "hash_value": "values (add(keys, values))",
    "entities_only": "entities (add(keys, entities=...))",
    "doc_window": "documents (begin_document() before the first slot of each)",
}

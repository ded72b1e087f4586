"""A knowledge base on disk: its facts, the slots that they make, and how slots are found.

A folder of arrays that are mapped into memory: it opens in milliseconds, whatever its size, and any
number of processes may read it. It is built aside and put in force in one step.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.data.facts import Triple
from memnets.data.rows import BadRows
from memnets.kb.index import folders, vocabulary
from memnets.kb.index.building import KINDS as INDEX
from memnets.kb.index.index import Index
from memnets.kb.index.postings import Postings, kinds, sorted_run
from memnets.kb.index.slots import MOST_SLOTS
from memnets.kb.index.strings import Strings, offsets_of
from memnets.kb.index.vocabulary import Number, Vocabulary, encoded
from memnets.kb.store import aliases
from memnets.kb.store.aliases import Aliases, words_of_all
from memnets.kb.store.facts import NAMES, RELATIONS, FactBlock, Form, blocks
from memnets.kb.store.layouts import REVERSED, Slot

FORMAT = folders.Format("memnets kb", 1, "knowledge base")
PARTS: Mapping[str, Mapping[str, type]] = {
    "facts": {"subjects": np.int32, "relations": np.int32, "objects": np.int32},
    "relations": vocabulary.KINDS,
    "names": INDEX,
    "words": INDEX,
    "aliases": aliases.KINDS,
}
KINDS = {f"{part}/{name}": kind for part, kinds in PARTS.items() for name, kind in kinds.items()}
"""The arrays of a knowledge base, part by part."""
POSTINGS = 2**22
"""Postings that are laid out at once."""

Source = str | os.PathLike[str] | Iterable[tuple[str, str, str]]
Numbers = NDArray[np.int32]


class Store:
    """A knowledge base that was built.

    Fact n makes two slots: 2n, subject and relation -> object, and 2n + 1, object and !relation ->
    subject.

        store = Store.open(Path("films.kb"))
        store.facts[0]                                     # Triple("Alien", "directed_by", ...)
        store.slots[store.names.candidates(["Alien"])[0]]  # Slot(("Alien", "directed_by"), ...)
        BordesCandidates(store.names, store.aliases)
    """

    def __init__(self, folder: Path, generation: str, arrays: folders.Arrays) -> None:
        parts = {part: _part(arrays, part) for part in PARTS}
        self.folder = folder
        self.generation = generation
        """The name of what is in force: the same facts have the same one."""
        self.entities = Vocabulary(parts["names"])
        """The names of subjects and objects, and their numbers."""
        self.relations = Vocabulary(parts["relations"])
        self.names = Index.of(folder, generation, parts["names"])
        """Finds slots by the whole name of the entity in their key; every name is an entity."""
        self.words = Index.of(folder, generation, parts["words"])
        """Finds slots by the words of the name in their key, as `name_words` splits them."""
        self.facts = StoredFacts(self.entities, self.relations, parts["facts"])
        self.slots = StoredSlots(self.facts)
        self._ends, self._slots = parts["names"]["keys.offsets"], parts["names"]["keys.slots"]
        # Nothing that it holds may hold it: its files close when the last who asks it has gone.
        self._links = partial(_links, self._ends)
        self.aliases = Aliases(parts["aliases"], self.entities.word, self._links)
        """The entities that a few words may name; `name_words` splits words."""

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Open a knowledge base without reading it; any number of processes may.

        Raises:
            ValueError: there is none, or it is of another version, cut short or damaged.
        """
        return cls(folder, *folders.open_arrays(folder, KINDS, FORMAT))

    def links(self, entity: str) -> int:
        """Return how many facts an entity stands in; 0 of an unknown one."""
        number = self.entities.number(entity)
        return 0 if number is None else self._links(number)

    def slots_of(self, entities: Numbers) -> Numbers:
        """Return the slots that have some entities in their keys, entity by entity.

        Args:
            entities: their numbers, each once.
        """
        begins, ends = self._ends[entities], self._ends[entities + 1]
        many = ends - begins
        first = np.cumsum(many) - many
        found: Numbers = self._slots[np.repeat(begins - first, many) + np.arange(many.sum())]
        return found

    def begins(self, entity: str) -> bool:
        """Return whether an entity is the subject of a fact."""
        number = self.entities.number(entity)
        of = slice(0) if number is None else slice(self._ends[number], self._ends[number + 1])
        return bool((self._slots[of] % 2 == 0).any())

    def objects(self, subject: str, relation: str) -> list[str]:
        """Return the objects of a subject and a relation, in the order of the facts."""
        wanted = self.relations.number(relation)
        found = self.names.candidates([subject])
        found = found[found % 2 == 0] // 2
        numbers = self.facts.objects[found[self.facts.relations[found] == wanted]]
        return [self.entities.word(number) for number in numbers.tolist()]


class StoredFacts:
    """The facts, in the order of their source, each once.

    Attributes:
        subjects: the number of every subject, in the vocabulary of entities.
        relations: the number of every relation, in their own vocabulary.
        objects: the number of every object.
    """

    def __init__(self, entities: Vocabulary, relations: Vocabulary, arrays: folders.Arrays) -> None:
        self.subjects: Numbers = arrays["subjects"]
        self.relations: Numbers = arrays["relations"]
        self.objects: Numbers = arrays["objects"]
        self._entities = entities
        self._relations = relations

    def __len__(self) -> int:
        return len(self.subjects)

    def __iter__(self) -> Iterator[Triple]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: Number) -> Triple:
        return Triple(
            self._entities.word(self.subjects[number]),
            self._relations.word(self.relations[number]),
            self._entities.word(self.objects[number]),
        )


class StoredSlots:
    """The slots, two a fact, of the layout of Miller et al. (2016) for triples."""

    def __init__(self, facts: StoredFacts) -> None:
        self._facts = facts

    def __len__(self) -> int:
        return 2 * len(self._facts)

    def __iter__(self) -> Iterator[Slot]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: Number) -> Slot:
        subject, relation, item = self._facts[number // 2]
        if number % 2:
            return Slot((item, REVERSED + relation), (subject,))
        return Slot((subject, relation), (item,))


class BuiltStore(NamedTuple):
    """What was built, and what was left out."""

    facts: int
    repeated: int
    """Facts that came again, which are kept once."""
    entities: int
    relations: int
    bad: BadRows
    seconds: float
    merged: tuple[str, ...] = ()
    """Names of a table that stand in several rows which contradict each other, in words."""
    apart: tuple[str, ...] = ()
    """Entities of one name with another, each of which has a row of the table."""
    table: bool = False
    """Whether the facts were in a table."""


class StoreProgress(NamedTuple):
    """How far building is."""

    step: str
    facts: int
    read: int
    """Bytes of the file."""


def build(
    source: Source,
    folder: Path,
    *,
    form: Form | None = None,
    header: bool | None = None,
    names: Iterable[tuple[str, str]] = (),
    tell: Callable[[StoreProgress], None] = lambda _: None,
) -> BuiltStore:
    """Build a knowledge base, which is there when this has ended well.

    The same facts in the same order give the same bytes. An exception, or the end of the process,
    leaves what was there before, if anything.

    Args:
        source: a file of facts, as `facts.blocks` reads it, or triples.
        folder: of the knowledge base; made where it is missing.
        form: of the file; by default as its first line looks.
        header: whether the first row names the columns; by default if it does in usual words.
        names: further names of entities: pairs of an entity and a name.
        tell: is told how far it is.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: there are no facts, the form of the file cannot be told, or something else is
            being built there.
    """
    began = time.perf_counter()
    bad = BadRows()
    stream = blocks(source, bad, form, header)
    with folders.generation(folder, KINDS, FORMAT) as aside:
        entities, relations, rows = _gathered(stream, tell)
        facts = _each_once(rows, len(entities), len(relations))
        if not len(facts):
            raise _nothing(source, bad)
        tell(StoreProgress("index", len(facts), 0))
        for part in PARTS:
            (aside / part).mkdir()
        numbers = vocabulary.write_strings(entities, aside / "names")
        facts[:, NAMES] = numbers[facts[:, NAMES]]
        of_relations = vocabulary.write_strings(relations, aside / "relations")
        facts[:, RELATIONS] = of_relations[facts[:, RELATIONS]]
        for column, name in enumerate(PARTS["facts"]):
            np.save(aside / "facts" / f"{name}.npy", facts[:, column])
        found = _by_entity(facts, len(entities))
        every = np.ones(len(entities), np.bool_)
        _write_index(aside / "names", found, every, len(facts))
        _write_words(aside, entities, numbers, list(names), found, len(facts))
    seconds = time.perf_counter() - began
    repeated = len(rows) - len(facts)
    return BuiltStore(len(facts), repeated, len(entities), len(relations), bad, seconds)


def _links(ends: NDArray[Any], number: int) -> int:
    """Return how many slots an entity has, whose numbers all end where the next one's begin."""
    return int(ends[number + 1] - ends[number])


def _part(arrays: folders.Arrays, part: str) -> folders.Arrays:
    return {name: arrays[f"{part}/{name}"] for name in PARTS[part]}


def _gathered(
    stream: Iterable[FactBlock], tell: Callable[[StoreProgress], None]
) -> tuple[Strings, Strings, Numbers]:
    """Return the names of entities and of relations, and all facts as numbers of these."""
    names, relations = [Strings.of(())], [Strings.of(())]
    parts = [np.empty((0, 3), np.int32)]
    facts = 0
    for block in stream:
        names.append(block.names)
        relations.append(block.relations)
        parts.append(block.facts)
        facts += len(block.facts)
        if facts > MOST_SLOTS // 2:
            raise ValueError(
                f"more than {MOST_SLOTS // 2:,} facts; expected that many at most. "
                f"Cut them over several knowledge bases."
            )
        tell(StoreProgress("read", facts, block.read))
    rows = np.concatenate(parts)
    return _united(names, rows, parts, NAMES), _united(relations, rows, parts, RELATIONS), rows


def _united(
    strings: Sequence[Strings], rows: Numbers, parts: Sequence[Numbers], columns: slice
) -> Strings:
    """Return the distinct strings of all blocks, and give their numbers to the rows."""
    every, numbers = Strings.joined(strings).distinct()
    before, row = 0, 0
    for some, part in zip(strings, parts, strict=True):
        own = numbers[before : before + len(some)]
        rows[row : row + len(part), columns] = own[part[:, columns]]
        before, row = before + len(some), row + len(part)
    return every


def _each_once(rows: Numbers, entities: int, relations: int) -> Numbers:
    """Return the facts without those that come again."""
    item, relation = entities.bit_length(), relations.bit_length()
    if 2 * item + relation > 63:
        return rows[np.sort(np.unique(rows, axis=0, return_index=True)[1])]
    packed = rows[:, 0].astype(np.int64) << relation
    packed = (packed | rows[:, 1]) << item | rows[:, 2]
    ordered = np.sort(packed)
    if not (ordered[1:] == ordered[:-1]).any():
        return rows
    return rows[np.sort(np.unique(packed, return_index=True)[1])]


def _nothing(source: Source, bad: BadRows) -> ValueError:
    where = source if isinstance(source, str | os.PathLike) else "the triples"
    first = f" The first bad row: {bad.first[0]}" if bad.count else ""
    return ValueError(
        f"{where}: no facts, and {bad.count:,} bad rows; expected one fact a line at least: "
        f"subject, relation and object. A table with a row an entity is read with --table.{first}"
    )


def _by_entity(facts: Numbers, entities: int) -> Postings:
    """Return the slots of every entity."""
    keys = facts[:, NAMES].ravel()  # subject, object, subject, object ...
    pairs = keys.astype(np.int64) << 32 | np.arange(len(keys))
    pairs.sort()
    offsets = offsets_of(np.bincount(keys, minlength=entities))
    return Postings(offsets, pairs.astype(np.int32), np.ones(len(pairs), np.uint8))


def _write_index(folder: Path, keys: Postings, entities: NDArray[np.bool_], facts: int) -> None:
    """Save the arrays of an index, but for its words."""
    nothing = Postings(np.zeros_like(keys.offsets), np.empty(0, np.int32), np.empty(0, np.uint8))
    arrays: folders.Arrays = {
        **dict(zip(kinds("keys"), keys, strict=True)),
        **dict(zip(kinds("values"), nothing, strict=True)),
        "entities": entities,
        "documents": np.empty(0, np.int32),
        "size": np.array([2 * facts]),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _write_words(
    aside: Path,
    entities: Strings,
    numbers: Numbers,
    names: list[tuple[str, str]],
    found: Postings,
    facts: int,
) -> None:
    """Save the index of the words of names, and the alias table.

    Args:
        aside: where the parts go.
        entities: their names.
        numbers: their numbers.
        names: further ones, each after its entity.
        found: the slots of every entity.
        facts: how many there are.
    """
    if names:
        place = dict(zip(entities, numbers.tolist(), strict=True))
        pairs = [(encoded(entity), encoded(name)) for entity, name in names]
        known = [(place[entity], name) for entity, name in pairs if entity in place]
        entities = Strings.joined([entities, Strings.of(name for _, name in known)])
        numbers = np.append(numbers, np.array([number for number, _ in known], np.int32))
    words = words_of_all(entities)
    links = np.diff(found.offsets)
    lengths = np.diff(words.offsets)
    named = np.flatnonzero(lengths)
    aliases.write(words.aliases.taken(named), numbers[named], links, aside / "aliases")
    of_words = vocabulary.write_strings(words.distinct, aside / "words")
    run = sorted_run(of_words[words.numbers], np.repeat(numbers, lengths))
    marks = np.zeros(len(words.distinct), np.bool_)
    _write_index(aside / "words", _composed(run.postings, found), marks, facts)


def _composed(words: Postings, found: Postings) -> Postings:
    """Return the slots of every word: those of the entities that have it in their name.

    Args:
        words: the entities of every word.
        found: the slots of every entity.
    """
    links = np.diff(found.offsets)[words.slots]
    offsets = offsets_of(links)[words.offsets]
    slots = np.empty(offsets[-1], np.int32)
    times = np.empty(offsets[-1], np.uint8)
    first = 0
    while first < len(offsets) - 1:
        last = int(np.searchsorted(offsets, offsets[first] + POSTINGS, side="right")) - 1
        last = max(last, first + 1)  # one word may be more than are laid out at once
        some = slice(words.offsets[first], words.offsets[last])
        lengths = links[some]
        starts = found.offsets[words.slots[some]] - offsets_of(lengths)[:-1]
        begin, end = offsets[first], offsets[last]
        places = np.repeat(starts, lengths) + np.arange(end - begin)
        # Word, slot and times in one number: plain sorting of integers is the fastest there is.
        owners = np.repeat(np.arange(last - first), np.diff(offsets[first : last + 1]))
        packed = owners << 40 | found.slots[places].astype(np.int64) << 8
        packed |= np.repeat(words.times[some], lengths)
        packed.sort()
        slots[begin:end] = packed >> 8 & 0xFFFFFFFF
        times[begin:end] = packed & 0xFF
        first = last
    return Postings(offsets, slots, times)

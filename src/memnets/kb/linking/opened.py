"""What questions need of a KB on disk: opened, not read.

The facts of an entity are found by its slots. Names are written beside the KB's own arrays, with
what finds one that is nearly spelt so, when they are first wanted.
"""

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from memnets.kb.index import folders, vocabulary
from memnets.kb.index.index import Ids, Index
from memnets.kb.index.vocabulary import Vocabulary
from memnets.kb.linking.mention import Mention
from memnets.kb.linking.naming import Names
from memnets.kb.linking.parts import NOBODY, Parts, Rows
from memnets.kb.questions.english import relation_words
from memnets.kb.store.from_table import kept
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store

FORMAT = folders.Format("memnets names", 4, "table of names")
SIDES = ("names", "aliases", "parts")
KINDS: dict[str, type] = {
    **vocabulary.KINDS,
    **{f"{side}.offsets": np.int64 for side in SIDES},
    **{f"{side}.entities": np.int32 for side in SIDES},
    "listed": np.int32,
    "listed.parts": np.int32,
    "longest": np.int64,
}
"""Of every name the entities it is of, those it is an alias of, and those it is a part of, the one
with the most facts first; the names and the parts that may be misspelt, in the order of what finds
them; words of the longest name."""
NAMES = "names-"
"""What the folder of the names is called, before the generation that they are of."""
KEPT, FEW = 256, 256
"""So many entities asked for last are kept in memory, of so many facts each at most."""
TRIGRAMS, FEATURES = "trigrams", "features"


class OpenedFacts:
    """The facts of a store by entity and relation, in both directions, as `Facts` holds them.

    Args:
        store: a KB that was opened.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lately: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def of(self, entity: str) -> Mapping[str, tuple[str, ...]]:
        """Return every relation of an entity with its objects."""
        found = self._lately.get(entity)
        if found is None:
            slots = self._store.names.candidates([entity])
            found = self._grouped(slots)
            if len(slots) <= FEW:
                if len(self._lately) >= KEPT:
                    self._lately.clear()
                self._lately[entity] = found
        return found

    def begins(self, entity: str) -> bool:
        """Return whether a fact begins with an entity."""
        return self._store.begins(entity)

    def _grouped(self, slots: Ids) -> Mapping[str, tuple[str, ...]]:
        facts, name = self._store.facts, self._store.entities.word
        rows, backwards = slots // 2, slots % 2 == 1
        others = np.where(backwards, facts.subjects[rows], facts.objects[rows])
        found: dict[tuple[int, bool], dict[int, None]] = {}
        for relation, back, other in zip(
            facts.relations[rows].tolist(), backwards.tolist(), others.tolist(), strict=True
        ):
            found.setdefault((relation, back), {})[other] = None
        return {
            REVERSED * back + self._store.relations.word(relation): tuple(map(name, items))
            for (relation, back), items in found.items()
        }

    @cached_property
    def relations(self) -> Sequence[str]:
        """Every relation, in the order of the facts."""
        numbers, first = np.unique(self._store.facts.relations, return_index=True)
        return [self._store.relations.word(n) for n in numbers[np.argsort(first)].tolist()]


def relations_of(store: Store) -> list[str]:
    """Return the names of all relations of a KB, without reading its facts."""
    return [store.relations.word(number) for number in range(len(store.relations))]


def further_names(store: Store) -> Iterator[tuple[str, str]]:
    """Yield pairs of an entity and what it may be called."""
    return ((entity.name, alias) for alias, of in store.aliases.items() for entity in of)


def words_of_relations(store: Store) -> set[str]:
    """Return the words of which the names of relations are made."""
    return {word for name in relations_of(store) for word in relation_words(name)}


def open_names(store: Store, ordinary: Collection[str] = ()) -> Names:
    """Return the names of a KB; they are written when first wanted, if the folder may be written.

    Args:
        store: a KB that was opened.
        ordinary: as of `Names`; words of the relations are ordinary too.
    """
    table = kept(store.folder, store.generation)
    names = names_in(store, {*ordinary, *words_of_relations(store)}, table.labels)
    last = (word for said in (table.called, table.file) for word in relation_words(said)[-1:])
    bare = [word.removesuffix("s") for word in last]
    names.rows = frozenset(form for one in bare for form in (one, f"{one}s"))
    return names


def names_in(store: Store, ordinary: Collection[str], labels: Mapping[str, str]) -> Names:
    """Return the names of a KB; see `open_names`."""
    folder = store.folder / f"{NAMES}{store.generation}"
    try:
        return OpenedNames(store, folder, ordinary, labels)
    except ValueError:  # there are none, or what wrote them was interrupted
        links = {entity: store.links(entity) for entity in store.entities}
        names = Names(links, ordinary, further_names(store), labels)
    try:
        _write(names, store, folder)
    except (OSError, ValueError):  # a folder that may only be read, or another process writes
        return names
    return OpenedNames(store, folder, ordinary, labels)


class OpenedNames(Names):
    """All names of a KB on disk.

    Args:
        store: of the KB.
        folder: of its names.
        ordinary, labels: as of `Names`.

    Raises:
        ValueError: there are none, or they are damaged.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        ordinary: Collection[str] = (),
        labels: Mapping[str, str] = {},
    ) -> None:
        _, arrays = folders.open_arrays(folder, KINDS, FORMAT)
        self.trigrams = Index.open(folder / TRIGRAMS)
        words = Vocabulary(arrays)
        self.ordinary, self.labels = frozenset(ordinary), labels
        self.names = _Named(words, arrays, "names", store.entities)
        self.aliases = _Named(words, arrays, "aliases", store.entities)
        self.longest = int(arrays["longest"][0])
        self.listed = _Listed(words, arrays["listed"])
        self.parts = OpenedParts(words, arrays, store.entities, Index.open(folder / FEATURES))
        self._words = words

    def named(self, name: str, begin: int, end: int, unknown: str | None) -> Mention | None:
        if self._words.number(name) is None:  # nobody's name, nor an alias
            return None
        return super().named(name, begin, end, unknown)


class OpenedParts(Parts):
    """The words of all names of a KB on disk.

    Args:
        words: all names and their words.
        arrays: those of the names.
        entities: of the KB.
        features: finds words that are nearly spelt so.
    """

    def __init__(
        self, words: Vocabulary, arrays: folders.Arrays, entities: Vocabulary, features: Index
    ) -> None:
        self._rows = _Named(words, arrays, "parts", entities)
        self.entity = entities.word  # type: ignore[method-assign]
        self.listed = _Listed(words, arrays["listed.parts"])
        self.features = features

    def having(self, word: str) -> Rows:
        return self._rows.numbers(word)


class _Named(Mapping[str, Sequence[str]]):
    """The entities of every name that has some."""

    def __init__(
        self, words: Vocabulary, arrays: folders.Arrays, side: str, entities: Vocabulary
    ) -> None:
        self._words, self._entities = words, entities
        self._offsets, self._of = arrays[f"{side}.offsets"], arrays[f"{side}.entities"]
        self._each_offset = self._offsets.data

    def __getitem__(self, name: str) -> Sequence[str]:
        if found := self.get(name):
            return found
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:  # without an exception's time
        row = self.numbers(name)
        return list(map(self._entities.word, row.tolist())) if len(row) else default

    def numbers(self, name: str) -> Rows:
        """Return the entities of a name as numbers; none where it has none."""
        number = self._words.number(name)
        if number is None:
            return NOBODY
        row: Rows = self._of[self._each_offset[number] : self._each_offset[number + 1]]
        return row

    def __iter__(self) -> Iterator[str]:
        return (self._words.word(number) for number in np.flatnonzero(np.diff(self._offsets)))

    def __len__(self) -> int:
        return int(np.count_nonzero(np.diff(self._offsets)))


class _Listed(Sequence[str]):
    """The names that may be misspelt."""

    def __init__(self, words: Vocabulary, numbers: np.ndarray) -> None:
        self._words, self._numbers = words, numbers

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # a slice is never asked for
        return self._words.word(self._numbers[place])

    def __len__(self) -> int:
        return len(self._numbers)


def _write(names: Names, store: Store, folder: Path) -> None:
    """Write names aside, and drop those of generations before."""
    parts = names.parts
    every = list(dict.fromkeys([*names.names, *names.aliases, *parts.rows]))
    number = store.entities.number
    with folders.generation(folder, KINDS, FORMAT) as aside:
        numbers = vocabulary.write(every, aside)
        order = [every[place] for place in np.argsort(numbers).tolist()]
        ranked = np.array([number(entity) for entity in names.ranked], np.int32)
        for side in SIDES:
            if side == "parts":
                rows = [ranked[parts.having(name)] for name in order]
            else:
                of = getattr(names, side)
                rows = [np.array([number(e) for e in of.get(name, ())], np.int32) for name in order]
            np.save(aside / f"{side}.offsets.npy", np.cumsum([0, *map(len, rows)], dtype=np.int64))
            np.save(aside / f"{side}.entities.npy", np.concatenate([ranked[:0], *rows]))
        places = dict(zip(every, numbers.tolist(), strict=True))
        for file, listed in (("listed", names.listed), ("listed.parts", parts.listed)):
            np.save(aside / f"{file}.npy", np.array([places[name] for name in listed], np.int32))
        np.save(aside / "longest.npy", np.array([names.longest], np.int64))
    parts.features.save(folder / FEATURES)
    names.trigrams.save(folder / TRIGRAMS)
    for old in store.folder.glob(f"{NAMES}*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)

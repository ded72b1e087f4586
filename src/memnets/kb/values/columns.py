"""What the objects of every relation are: links, text, numbers with a unit, dates, yes or no.

A relation is typed by the majority of a sample of its objects, which is written beside the KB when
it is first wanted. All objects are read only when they are first compared; what cannot be read as
the majority is kept beside, with its fact.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memnets.files import read_json, write_json
from memnets.kb.index.postings import distinct
from memnets.kb.index.strings import offsets_of
from memnets.kb.linking.opened import relations_of
from memnets.kb.questions.english import relation_words
from memnets.kb.store.store import Store
from memnets.kb.values.typed import Kind, Value, measures_alike, read

SAMPLE = 500
"""Distinct objects of a relation that are looked at to tell what they are."""
MAJORITY = 0.5
"""A relation is of a kind if more than this share of its objects are."""
KEPT = 16
"""Relations whose values are kept in memory at once; the one read longest ago goes first."""
COLUMNS, VERSION = "columns-", 2
"""What the file of the columns is called, before the generation that they are of."""
YEARS = range(1000, 2101)
"""A bare number in this range may be a year."""
OF_DATES = frozenset(
    re.findall(
        r"\S+",
        "year date day when since until born birth birthday died death founded built opened closed "
        "released release made started start begun began joined established created published "
        "acquired begins ends bought sold completed painted written discovered planted vintage "
        "renovated restored recorded composed formed elected introduced retired inaugurated "
        "dissolved married graduated launched crowned rebuilt hired admitted arrived appointed "
        "signed promoted enlisted",
    )
)
"""Words in the names of relations whose four-digit numbers are years."""

Ids = NDArray[np.int32]
Ranks = NDArray[np.int64]


@dataclass(frozen=True)
class OddCell:
    """A cell that is not of the kind of its column."""

    fact: int
    text: str


@dataclass(frozen=True)
class Column:
    """What the objects of a relation are."""

    relation: str
    kind: Kind
    unit: str
    """Of most of its numbers."""
    facts: int
    """How many there are."""
    share: float
    """Of the objects looked at that are of this kind, and unit."""

    @property
    def in_words(self) -> str:
        """Name, kind and unit, as a table of columns shows them."""
        unit = f" in {self.unit}" if self.unit else ""
        mixed = f", {1 - self.share:.0%} others" if self.share < 1 else ""
        return f"{self.relation}: {self.kind}{unit}{mixed}"


@dataclass(frozen=True)
class ColumnValues:
    """All facts of a relation whose objects could be read, with what they are."""

    column: Column
    rows: Ids
    """The facts, in the order of their source."""
    low: Ranks
    """Of every fact the place of its value's low end among `bounds`."""
    high: Ranks
    bounds: tuple[Decimal, ...] = field(repr=False)
    """Every end of a value, each once, ascending and exact."""
    exceptions: tuple[OddCell, ...] = ()
    """The facts whose objects are of another kind or unit."""

    def place(self, value: Value) -> tuple[float, float]:
        """Return where a value stands among the ranks; between two of them where it is new.

        Raises:
            ValueError: the value is of another kind or unit.
        """
        kind, unit = self.column.kind, self.column.unit
        value = value.in_unit(unit)
        Value(kind, value.low, value.low, unit).expect_like(value)
        return self._place(value.low), self._place(value.high)

    def _place(self, bound: Decimal) -> float:
        at = bisect_left(self.bounds, bound)
        return float(at) if at < len(self.bounds) and self.bounds[at] == bound else at - 0.5


def open_columns(store: Store) -> "Columns":
    """Return the columns of a KB, typed; they are written beside it if its folder may be written.

    Args:
        store: a KB that was opened.
    """
    path = store.folder / f"{COLUMNS}{store.generation}.json"
    try:
        kept = read_json(path, ("version", "columns"))
        known = [Column(**one) for one in kept["columns"]] if kept["version"] == VERSION else []
    except (OSError, ValueError, TypeError):  # there are none, or damaged ones
        known = []
    columns = Columns(store, known)
    if len(known) != len(columns.relations):
        every = {"version": VERSION, "columns": [asdict(column) for column in columns]}
        try:
            write_json(path, every)
            for old in {*store.folder.glob(f"{COLUMNS}*")} - {path}:
                old.unlink()
        except OSError:  # a folder that may only be read
            pass
    return columns


class Columns:
    """The typed relations of a knowledge base, each looked at when it is first asked for.

    Args:
        store: a KB that was opened.
        known: those that were looked at before.
    """

    def __init__(self, store: Store, known: Iterable[Column] = ()) -> None:
        self._store = store
        self._columns = {column.relation: column for column in known}
        self._values: dict[str, ColumnValues] = {}

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """Every relation."""
        return tuple(relations_of(self._store))

    def __iter__(self) -> Iterator[Column]:
        return map(self.of, self.relations)

    @cached_property
    def compared(self) -> tuple[Column, ...]:
        """Those of numbers and of dates."""
        return tuple(column for column in self if column.kind in ("number", "date"))

    def are_years(self, relation: str) -> bool:
        """Whether the numbers of a relation, which have no unit, may all be years."""
        column = self.of(relation)
        if column.kind != "number" or column.unit:
            return False
        bounds = self.values(relation).bounds
        return int(bounds[0]) in YEARS and int(bounds[-1]) in YEARS

    def rows(self, relation: str) -> Ids:
        """Return the facts of a relation; none of one that the KB lacks."""
        number = self._store.relations.number(relation)
        if number is None:
            return np.zeros(0, np.int32)
        order, offsets = self._by_relation
        return order[offsets[number] : offsets[number + 1]]

    def subjects(self, relation: str) -> Ids:
        """Return the entities that have a relation, each once."""
        return distinct(self._store.facts.subjects[self.rows(relation)])

    def objects(self, relation: str) -> Ids:
        """Return the entities that a relation leads to, each once."""
        return distinct(self._store.facts.objects[self.rows(relation)])

    @cached_property
    def _by_relation(self) -> tuple[Ids, Ranks]:
        """All facts relation by relation, and where each relation begins."""
        numbers, many = self._store.facts.relations, len(self._store.relations)
        # Numbers of two bytes are sorted in a sixth of the time.
        short = numbers.astype(np.min_scalar_type(many))
        order = np.argsort(short, kind="stable").astype(np.int32)
        return order, offsets_of(np.bincount(numbers, minlength=many))

    def of(self, relation: str) -> Column:
        """Return what the objects of a relation are.

        Raises:
            ValueError: the KB has no such relation.
        """
        if relation not in self._columns:
            self._columns[relation] = self._looked_at(relation)
        return self._columns[relation]

    def texts(self, relation: str) -> list[str]:
        """Return some of the objects of a relation, as they are written."""
        return list(map(self._store.entities.word, self._some(relation).tolist()))

    def _some(self, relation: str) -> Ids:
        objects = self.objects(relation)
        return objects[np.linspace(0, len(objects) - 1, min(SAMPLE, len(objects))).astype(int)]

    def _looked_at(self, relation: str) -> Column:
        rows = self.rows(relation)
        if not len(rows):
            raise ValueError(
                f"no relation {relation!r} in {self._store.folder}; expected one of "
                f"{', '.join(self.relations[:20])}. Correct the name."
            )
        some = self._some(relation)
        texts = [self._store.entities.word(number) for number in some.tolist()]
        kind, unit, share = _told(texts, relation)
        if kind == "text" and self._are_links(some):
            kind, share = "link", 1.0
        return Column(relation, kind, unit, len(rows), share)

    def _are_links(self, objects: Ids) -> bool:
        """Whether most of some entities are the subject of a fact."""
        return int(self.is_subject[objects].sum()) > MAJORITY * len(objects)

    @cached_property
    def is_subject(self) -> NDArray[np.bool_]:
        """Of every entity, whether a fact begins with it."""
        found = np.zeros(len(self._store.entities), np.bool_)
        found[self._store.facts.subjects] = True
        return found

    def values(self, relation: str) -> ColumnValues:
        """Return the values of all facts of a relation.

        Raises:
            ValueError: the KB has no such relation, or its objects are links or text.
        """
        if relation not in self._values:
            column = self.of(relation)
            if column.kind in ("link", "text"):
                raise ValueError(
                    f"{relation!r} cannot be compared: its objects are "
                    f"{'names of entities' if column.kind == 'link' else 'text'}; expected a "
                    f"relation of numbers, dates or yes and no."
                )
            while len(self._values) >= KEPT:
                del self._values[next(iter(self._values))]
            self._values[relation] = self._read(column)
        return self._values[relation]

    def _read(self, column: Column) -> ColumnValues:
        rows = self.rows(column.relation)
        objects, owners = np.unique(self._store.facts.objects[rows], return_inverse=True)
        read_: list[Value | None] = []
        for number in objects.tolist():
            value = read(self._store.entities.word(number), column.kind)
            value = value.in_unit(column.unit) if value else None
            read_.append(value if value and value.unit == column.unit else None)
        good = np.array([value is not None for value in read_], np.bool_)
        known = [value for value in read_ if value is not None]
        bounds = sorted({end for value in known for end in (value.low, value.high)})
        rank = {end: at for at, end in enumerate(bounds)}
        low, high = np.zeros((2, len(objects)), np.int64)
        low[good] = [rank[value.low] for value in known]
        high[good] = [rank[value.high] for value in known]
        kept = good[owners]
        bad = tuple(
            OddCell(row, self._store.entities.word(self._store.facts.objects[row]))
            for row in rows[~kept].tolist()
        )
        of = owners[kept]
        share = float(kept.mean())
        whole = replace(column, share=share)
        return ColumnValues(whole, rows[kept], low[of], high[of], tuple(bounds), bad)


def _told(texts: list[str], relation: str) -> tuple[Kind, str, float]:
    """Return the kind of most texts, the unit of most of these, and the share of both."""
    least = MAJORITY * len(texts)
    of_yes = sum(read(text, "yes or no") is not None for text in texts)
    if of_yes > least:
        return "yes or no", "", of_yes / len(texts)
    dates = [read(text, "date") for text in texts]
    numbers = [read(text, "number") for text in texts]
    some = Counter(value.unit for value in dates if value)
    if sum(some.values()) > least and _are_dates(dates, numbers, relation):
        unit, most = some.most_common(1)[0]
        return "date", unit, most / len(texts)
    units = Counter(value.unit for value in numbers if value)
    if sum(units.values()) > least:
        unit = units.most_common(1)[0][0]
        alike = sum(many for other, many in units.items() if measures_alike(unit, other))
        return "number", unit, alike / len(texts)
    return "text", "", 1.0


def _are_dates(dates: list[Value | None], numbers: list[Value | None], relation: str) -> bool:
    """Whether what may be dates is: bare years are where other dates or the name say so."""
    pairs = [(date, number) for date, number in zip(dates, numbers, strict=True) if date]
    bare = [number for _, number in pairs if number]
    if len(bare) < len(pairs):
        return True
    years = all(int(number.low) in YEARS for number in bare)
    return years and not OF_DATES.isdisjoint(relation_words(relation))

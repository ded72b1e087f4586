"""Tables whose rows are of several sorts, which a column tells: "farms" are those of kind `farm`.

Such a noun says of what sort the answers are ("which farms in Hochfeld"), or what belongs to
somebody ("Ada's stall"), though no column is called so: then a relation between the two is meant.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.keeping import make_room
from memnets.kb.index.postings import distinct
from memnets.kb.linking.words import question_words
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.operators import Having, Named
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns

Ids = NDArray[np.int32]
SORTS = frozenset({"kind", "type", "sort", "class", "category", "form"})
"""Names of columns that say what rows are; before "of" too, as in "kind of act"."""
OTHERS = "ones"
"""Stands behind what only a plural says."""
MOST = 40
"""A column of more distinct cells tells no sorts."""
LED = 0.3
"""A relation leads to a sort if so many of its facts do, or to so many of the sort."""
OWNED = 0.5
"""It is one of a sort's own if so many of the sort have it."""


class Roles(NamedTuple):
    """The relations by which those of a sort belong to others."""

    led_to: frozenset[str]
    """What others have: lorries are what `vehicle_used` leads to."""
    own: frozenset[str]
    """What they have: stalls are those that are `run_by` somebody."""


class Sorts:
    """Finds what nouns say of the sorts of rows.

    Args:
        store: a KB that was opened.
        columns: its typed relations.
        relations: the words of their names.
        rows: what any row is called, of whatever sort.
    """

    def __init__(
        self,
        store: Store,
        columns: Columns,
        relations: Mapping[str, Sequence[str]],
        rows: Collection[str] = (),
    ) -> None:
        self._store, self._columns, self._relations = store, columns, relations
        self._rows = rows
        self._sets: dict[str, Having] = {}
        roles = {words[0] for words in relations.values() if len(words) == 1}
        for relation in (name for name, words in relations.items() if is_sort(words)):
            cells = columns.objects(relation)
            names = [*map(store.entities.word, cells.tolist() if len(cells) <= MOST else ())]
            for noun, named in self._nouns(relation, names):
                if noun not in roles:  # the column `captain` says more
                    self._sets.setdefault(noun, Having(relation, Named(named)))
        self._found: dict[str, Having | None] = {}
        self._roles: dict[Having, Roles] = {}
        self._between: dict[tuple[Having, Having], tuple[str, ...]] = {}

    def _nouns(self, relation: str, cells: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield nouns and the cells that they say: "wines" are all of "red wine" and "white wine".

        So they are where most rows are such; of harbours with a cruise ship and tugs, a ship may be
        any. What only a plural says, as "reds" does, stands with `OTHERS` behind it.
        """
        words = {cell: question_words(cell) for cell in cells}
        yield from ((told[0], (cell,)) for cell, told in words.items() if len(told) == 1)
        two = [(cell, told) for cell, told in words.items() if len(told) == 2]
        for head in dict.fromkeys(told[1] for _, told in two):
            some = tuple(cell for cell, told in two if told[1] == head)
            of_head = self.members(Having(relation, Named(some)))
            if len(some) > 2 and 2 * len(of_head) > len(self.members(Having(relation))):
                yield head, (*(cell for cell in cells if words[cell] == [head]), *some)
                yield from ((f"{told[0]} {OTHERS}", (cell,)) for cell, told in two if cell in some)

    def of(self, noun: str) -> Having | None:
        """Return the set of a sort; None where no sort is called so.

        Args:
            noun: a word of a question, in the singular or plural.
        """
        if noun in self._rows:  # "which telescopes", though some are radio telescopes
            return None
        if noun not in self._found:
            make_room(self._found)
            forms = (noun, *singulars(noun))
            found = next((self._sets[form] for form in forms if form in self._sets), None)
            plural = (f"{form} {OTHERS}" for form in forms[1:])
            found = found or next((self._sets[one] for one in plural if one in self._sets), None)
            self._found[noun] = found or self._led_to(forms)
        return self._found[noun]

    def _led_to(self, forms: Sequence[str]) -> Having | None:
        """Return the sorts of most that a relation leads to: vehicles of `vehicle_used`."""
        for name, words in self._relations.items() if self._sets else ():
            noun = len(words) == 2 and words[0] in forms and words[1].endswith(("ed", "en"))
            if not noun or self._columns.of(name).kind != "link":
                continue
            ends = self._columns.objects(name)
            reached = [
                sort
                for sort in self._sets.values()
                if np.isin(self.members(sort), ends).mean() >= LED
            ]
            names = sorted(cell for sort in reached for cell in cells_of(sort))
            if names:
                return Having(reached[0].relation, Named(tuple(names)))
        return None

    def roles(self, sort: Having) -> Roles:
        """Return the relations by which those of a sort belong to others."""
        if sort not in self._roles:
            self._roles[sort] = self._roles_of(self.members(sort))
        return self._roles[sort]

    def between(self, sort: Having, other: Having) -> tuple[str, ...]:
        """Return the relations from one sort to another, those with a "!" back from there."""
        if (sort, other) not in self._between:
            own, led_to = self.roles(sort), self.roles(other)
            back = sorted(REVERSED + name for name in own.led_to & self._linking(other, sort))
            forth = sorted(led_to.led_to & self._linking(sort, other))
            self._between[sort, other] = (*forth, *back)
        return self._between[sort, other]

    def _linking(self, sort: Having, other: Having) -> frozenset[str]:
        """Return the relations that any of a sort have with any of another."""
        facts, some, others = self._store.facts, self.members(sort), self.members(other)
        both = np.isin(facts.subjects, some) & np.isin(facts.objects, others)
        return frozenset(map(self._store.relations.word, distinct(facts.relations[both]).tolist()))

    def members(self, sort: Having) -> Ids:
        """Return the entities of a sort."""
        if sort.value is None:
            return self._columns.subjects(sort.relation)
        rows, facts = self._columns.rows(sort.relation), self._store.facts
        found = map(self._store.entities.number, cells_of(sort))
        numbers = [number for number in found if number is not None]
        return distinct(facts.subjects[rows[np.isin(facts.objects[rows], numbers)]])

    def _roles_of(self, members: Ids) -> Roles:
        facts, led_to, own = self._store.facts, [], []
        of_sort = np.zeros(len(self._store.entities), np.bool_)
        of_sort[members] = True
        for relation in self._relations:
            if self._columns.of(relation).kind != "link":
                continue
            rows = self._columns.rows(relation)
            begins, ends = of_sort[facts.subjects[rows]], of_sort[facts.objects[rows]]
            led, owned = facts.objects[rows[ends & ~begins]], facts.subjects[rows[begins & ~ends]]
            if len(led) >= LED * len(rows) or len(distinct(led)) >= LED * len(members):
                led_to.append(relation)
            elif len(distinct(owned)) >= OWNED * len(members):
                own.append(relation)
        return Roles(frozenset(led_to), frozenset(own))


def cells_of(sort: Having) -> tuple[str, ...]:
    """Return the cells that say a sort."""
    return sort.value.names if isinstance(sort.value, Named) else ()


def is_sort(relation: Sequence[str]) -> bool:
    """Whether a relation says of what sort a row is: "kind", or "kind of act"."""
    if {*relation} == {"what", "it", "is"}:
        return True
    of = len(relation) == 3 and relation[1] == "of"
    return relation[0] in SORTS and (len(relation) == 1 or of)

"""Which relations can follow each other: what the ends of a relation have in facts of their own.

A program whose hops do not fit each other has no answer in any knowledge base of this shape, so it
is not what a question means.
"""

import numpy as np

from memnets.kb.index.keeping import make_room
from memnets.kb.programs.lexicon import MUTUAL
from memnets.kb.programs.operators import (
    And,
    Between,
    Compare,
    Compared,
    Count,
    Having,
    IsIt,
    IsThere,
    Most,
    Named,
    Not,
    Oftenest,
    Or,
    OtherThan,
    Path,
    Program,
    Several,
)
from memnets.kb.questions.english import relation_words
from memnets.kb.store.layouts import REVERSED, reverse
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns

SINGLE = 0.9
"""Of the facts of a relation so many have a subject, or an object, of their own if it is single."""
LOOKED_UP = 512
"""Of so many ends of a relation all facts are looked up; few others have any further relation."""
NOTHING: frozenset[str] = frozenset()


class Shapes:
    """The relations that the entities at either end of a relation have, in both directions.

    Args:
        store: a KB that was opened.
        columns: its typed relations.
    """

    def __init__(self, store: Store, columns: Columns) -> None:
        self._store, self._columns = store, columns
        self._found: dict[str, frozenset[str]] = {}
        self._mutual: dict[str, bool] = {}
        self._single: dict[str, bool] = {}
        self._own: dict[str, bool] = {}
        self._of_names: dict[tuple[str, ...], frozenset[str]] = {}

    def after(self, relation: str) -> frozenset[str]:
        """Return the relations by which one may go on from where a relation leads to.

        Args:
            relation: with a "!" before it, where it comes from.
        """
        if relation not in self._found:
            self._found[relation] = self._looked_at(relation)
        return self._found[relation]

    def having(self, relation: str) -> frozenset[str]:
        """Return the relations of those that have a relation."""
        return self.after(reverse(relation))

    def may_be_none(self, relation: str) -> bool:
        """Whether some number of a relation is 0, which says as much as none."""
        return self._columns.values(relation).bounds[0] <= 0

    def is_single(self, relation: str) -> bool:
        """Whether hardly anything has more than one object of a relation."""
        if relation not in self._single:
            subjects, rows = self._columns.subjects(relation), self._columns.rows(relation)
            self._single[relation] = len(subjects) > SINGLE * len(rows)
        return self._single[relation]

    def is_own(self, relation: str) -> bool:
        """Whether hardly anything is the object of two: a tenant has one flat, a town many."""
        if relation not in self._own:
            objects, rows = self._columns.objects(relation), self._columns.rows(relation)
            self._own[relation] = len(objects) > SINGLE * len(rows)
        return self._own[relation]

    def mutual(self, relation: str) -> bool:
        """Whether a relation holds both ways: by what it is called, or mostly in the facts."""
        if relation not in self._mutual:
            facts, rows = self._store.facts, self._columns.rows(relation)
            pairs = {*zip(facts.subjects[rows].tolist(), facts.objects[rows].tolist(), strict=True)}
            both = sum((other, one) in pairs for one, other in pairs)
            called = not MUTUAL.isdisjoint(relation_words(relation))
            link = self._columns.of(relation).kind == "link"
            self._mutual[relation] = link and (called or 2 * both > len(pairs))
        return self._mutual[relation]

    def _looked_at(self, relation: str) -> frozenset[str]:
        facts, name = self._store.facts, self._store.relations.word
        rows = self._columns.rows(relation.removeprefix(REVERSED))
        if not len(rows):
            return NOTHING
        back = relation.startswith(REVERSED)
        ends = (facts.subjects if back else facts.objects)[rows]
        slots = self._store.slots_of(ends[:: 1 + len(ends) // LOOKED_UP])
        there = np.zeros(len(self._store.entities), np.bool_)
        there[ends] = True
        found = []
        for side, begins in enumerate((facts.subjects, facts.objects)):
            read = np.zeros(len(self._store.relations), np.bool_)
            read[facts.relations[slots[slots % 2 == side] // 2]] = True
            if len(ends) >= LOOKED_UP:  # what the others have besides, of which there is little
                for number in np.flatnonzero(~read).tolist():
                    read[number] = there[begins[self._columns.rows(name(number))]].any()
            found += [REVERSED * side + name(number) for number in np.flatnonzero(read).tolist()]
        return frozenset(found)

    def possible(self, program: Program) -> bool:
        """Whether what a program joins and follows can belong to the same entities."""
        return self.of(program) is not None

    def of(self, program: Program) -> frozenset[str] | None:
        """Return the relations of what a program gives; None where it can give nothing."""
        match program:
            case Named(names):
                if names not in self._of_names:
                    make_room(self._of_names)
                    self._of_names[names] = self._named(names)
                return self._of_names[names]
            case Path(start, relations):
                having = self.of(start)
                for relation in relations:
                    if having is None or relation not in having:
                        return None
                    having = self.after(relation)
                return having
            case Having(relation, value):
                ends = None if value is None else self.of(value)
                missing = ends is not None and reverse(relation) not in ends
                return None if missing else self.having(relation)
            case Not(relation, _) | Compared(relation, _, _) | Between(relation, _, _):
                return self.having(relation)
            case Several(relation, _, _):
                return self.having(relation)
            case And(parts):
                return self._joined([self.of(part) for part in parts])
            case Or(parts):
                return self.of(parts[0])
            case OtherThan(of, _) | Count(of) | IsThere(of, _):
                return self.of(of)
            case Most(relation, None, _):
                return self.having(relation)
            case Most(relation, among, _):
                having = self.of(among) if among else None
                return having if having and relation in having else None
            case Oftenest(relation, among, _):
                having = self.of(among) if among else self.having(relation)
                return self.after(relation) if having and relation in having else None
            case Compare(one, other, relation, _):
                both = self._joined([self.of(one), self.of(other)])
                return both if both is not None and relation in both else None
            case IsIt(entity, relation, _):
                having = self.of(entity)
                return having if having is not None and relation in having else None
        raise ValueError(f"came {program!r}; expected one of the operators.")

    def _named(self, names: tuple[str, ...]) -> frozenset[str]:
        """Return the relations of some entities, and those that others of their kind have."""
        slots = self._store.names.candidates(names)
        own = {
            REVERSED * back + self._store.relations.word(number)
            for number, back in set(
                zip(
                    self._store.facts.relations[slots // 2].tolist(),
                    (slots % 2 == 1).tolist(),
                    strict=True,
                )
            )
        }
        alike = [self.having(relation) for relation in own if not relation.startswith(REVERSED)]
        alike = alike or [self.having(relation) for relation in own]
        return frozenset(own).union(frozenset.intersection(*alike) if alike else NOTHING)

    def _joined(self, parts: list[frozenset[str] | None]) -> frozenset[str] | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        return frozenset.intersection(*known) or None

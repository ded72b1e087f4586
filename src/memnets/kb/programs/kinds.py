"""What kind of things a noun asks for: "which towns" are those that have what towns have.

A table whose first column is called `town` says that its rows are towns. Any other knowledge base
may have a relation that is called so and leads to them (`twin_town`), names with the word in them
("Old Town", "New Town"), or what English says that towns have: a mayor, inhabitants. The relation
that all of these have, and few others, is the kind.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.keeping import make_room
from memnets.kb.index.postings import distinct
from memnets.kb.linking.naming import Names
from memnets.kb.programs.examples import Examples
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.lexicon import GENERIC
from memnets.kb.programs.operators import (
    And,
    Between,
    Compared,
    Count,
    Having,
    IsIt,
    IsThere,
    Most,
    Not,
    Or,
    OtherThan,
    Path,
    Program,
    Set,
    Several,
)
from memnets.kb.programs.saying import Sayings
from memnets.kb.programs.sorts import Sorts, is_sort
from memnets.kb.programs.wordings import having_of
from memnets.kb.questions.english import PREPOSITIONS, numbers, relation_words
from memnets.kb.store.from_table import kept
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns

Ids = NDArray[np.int32]
COVERED = 0.9
"""Examples of a kind have a relation in common if so many of them have it."""
ALIKE = 0.65
"""Another that has it is of the kind too if it has so many of the relations of its examples."""
MOSTLY = 0.75
"""So many of the others must be of the kind."""
LED_TO = 0.8
"""A relation leads to a kind if so many of its facts do."""
FEW = 0.7
"""Of those of a kind; fewer may be only some of them, as the drivers are of all employees."""
ROWS = frozenset({"name", "title", "id", "key", "label", "subject", "entity", "item", "full"})
"""Names of a first column that do not say what a row is."""


class Kinds:
    """Finds by which relation things of a kind are known.

    Args:
        store: a KB that was opened.
        names: of its entities.
        columns: its typed relations.
        sayings: what words say of its relations.
    """

    def __init__(self, store: Store, names: Names, columns: Columns, sayings: Sayings) -> None:
        self._store, self._columns, self._sayings = store, columns, sayings
        self._examples = Examples(store, names, columns, sayings.relations)
        table = kept(store.folder, store.generation)
        called = row_nouns(table.called)
        self.sorts = Sorts(store, columns, sayings.relations, called)
        self._rows = called.union(
            *(numbers(parts[-1]) for parts in sayings.relations.values() if is_sort_of_row(parts))
        )
        by_file = (noun for noun in file_nouns(table.file) if not self.sorts.of(noun))
        self.rows = self._rows.union(by_file)
        self._found: dict[str, str | None] = {}
        self._leading: dict[str, tuple[str, ...]] = {}
        self._held: dict[tuple[str, Having], bool] = {}

    def relation(self, noun: str) -> str | None:
        """Return the relation that things of a kind have; None where the KB does not tell.

        Args:
            noun: a word of a question, in the singular or plural.
        """
        if noun not in self._found:
            make_room(self._found)
            forms = (noun, *singulars(noun))
            examples = self._examples.of(forms)
            found = None if noun in self._rows else self._common(examples, having_of(forms))
            self._found[noun] = found or (self._usual() if noun in self.rows else None)
        return self._found[noun]

    def is_role(self, noun: str) -> bool:
        """Whether a noun says what some are to others: "drivers" are those whom `driver` leads to.

        So it is where other relations lead to such as they are, and these are few of them.
        """
        forms, parts = {noun, *singulars(noun)}, self._sayings.relations
        leading, kind = self.leading(noun), self.relation(noun)
        called = [name for name in leading if forms.intersection(parts[name])]
        if kind is None:
            return False
        # Managers have a `manager` themselves: it leads to them from their like.
        names = (name for name, words in parts.items() if len(words) == 1 and words[0] in forms)
        alike = [n for n in names if n not in leading and self._columns.of(n).kind == "link"]
        if len(called) == len(leading) and not alike:
            return False
        alone = (name for name in (*called, *alike) if len(parts[name]) == 1)
        most = FEW * len(self._columns.subjects(kind))
        return any(len(self._columns.objects(name)) < most for name in alone)

    def of(self, noun: str) -> Having | None:
        """Return the set of all of a kind; None where the KB does not tell, or it says a role.

        Args:
            noun: a word of a question, in the singular or plural.
        """
        if sort := self.sorts.of(noun):
            return sort
        relation = None if self.is_role(noun) else self.relation(noun)
        return Having(relation) if relation else None

    def holds(self, relation: str, kind: Having) -> bool:
        """Whether all that have a relation are of a kind.

        Args:
            relation: any.
            kind: the set of all of a kind.
        """
        if kind == self._row and not relation.startswith(REVERSED):
            return True
        if (relation, kind) not in self._held:
            make_room(self._held)
            both = np.isin(self._columns.subjects(relation), self.sorts.members(kind))
            self._held[relation, kind] = bool(both.all())
        return self._held[relation, kind]

    def narrowed(self, program: Program, kind: Having) -> Program:
        """Return a program that gives only what is of a kind.

        Args:
            program: of which some answers are of the kind, and others may not be.
            kind: the set of all of the kind.
        """
        match program:
            case Count(of):
                return Count(_set(self.narrowed(of, kind)))
            case OtherThan(of, but):
                return OtherThan(_set(self.narrowed(of, kind)), but)
            case Most(relation, of, least) if of is None:
                return Most(relation, None if self.holds(relation, kind) else kind, least)
            case Most(relation, of, least) if of is not None:
                return Most(relation, _set(self.narrowed(of, kind)), least)
            case And(parts):
                parts = tuple(part for part in parts if not _is_led_to(part))
                if any(self._is_of(part, kind) for part in parts):
                    return And(parts) if len(parts) > 1 else parts[0]
                return And((*parts, kind))
            case Or(parts) if not all(self._is_of(part, kind) for part in parts):
                return And((program, kind))
            case Having(_, None) if _is_led_to(program):
                return kind
            case Having() | Not() | Compared() | Between() | Several() if not self._is_of(
                program, kind
            ):
                return And((program, kind))
            case Path() if kind.value is not None:
                return And((program, kind))
        return program

    def _is_of(self, part: Set, kind: Having) -> bool:
        """Whether all that a part gives are of a kind."""
        if part == kind:
            return True
        match part:
            case Having(relation, _) | Not(relation, _):
                of = relation
            case Compared(relation, _, _) | Between(relation, _, _) | Several(relation, _, _):
                of = relation
            case _:
                return kind.value is None
        return not of.startswith(REVERSED) and self.holds(of, kind)

    def leading(self, noun: str) -> tuple[str, ...]:
        """Return the relations that lead from other things to those of a kind.

        `lies_in` leads to a "country", but `borders` from one to another.
        """
        kind = self.relation(noun)
        if kind is None:
            return ()
        if kind not in self._leading:
            make_room(self._leading)
            self._leading[kind] = tuple(self._led_to(kind))
        return self._leading[kind]

    def _led_to(self, kind: str) -> Iterator[str]:
        facts, many = self._store.facts, len(self._store.relations)
        of_kind = self._marked(self._columns.subjects(kind))
        led = of_kind[facts.objects] & ~of_kind[facts.subjects]
        leading = np.bincount(facts.relations[led], minlength=many)
        of_all = np.bincount(facts.relations, minlength=many)
        for number in np.flatnonzero(leading >= np.maximum(LED_TO * of_all, 1)).tolist():
            yield self._store.relations.word(number)

    def _common(self, examples: Ids, words: frozenset[str]) -> str | None:
        """Return the relation of all that are like examples: it may be that of more than these.

        Args:
            examples: of a kind.
            words: of the relations that things of the kind have, as English says.
        """
        if not len(examples):
            return None
        having = self._pairs(examples)
        shares = np.bincount(having[:, 1], minlength=len(self._store.relations)) / len(examples)
        word = self._store.relations.word
        shared = np.flatnonzero(shares >= COVERED).tolist()
        # What examples were found by, others may lack.
        core = np.zeros(len(shares), np.bool_)
        described = self._examples.are_described
        core[[n for n in shared if not described(word(n), words)] or shared] = True
        found = [("", 0)]
        for name in map(word, shared):
            of = self._columns.subjects(name)
            others = self._pairs(np.setdiff1d(of, examples, assume_unique=True))
            _, those = np.unique(others[:, 0], return_inverse=True)
            alike = np.bincount(those, core[others[:, 1]]) >= ALIKE * core.sum()
            if not len(others) or alike.mean() >= MOSTLY:
                found.append((name, len(of)))
        return max(found, key=lambda one: one[1])[0] or None

    def whole(self, kind: Having) -> Set:
        """Return all of a kind; of rows those too that lack what most have.

        Args:
            kind: a set of all of a kind.
        """
        if kind != self._row:
            return kind
        if len(self._covering) == 1:
            return kind
        return Or(tuple(map(Having, self._covering)))

    @cached_property
    def _row(self) -> Having | None:
        """The set by which rows of a table are known; None where it does not say what they are."""
        return Having(self._usual()) if self.rows else None

    @cached_property
    def _covering(self) -> tuple[str, ...]:
        """A few relations one of which each row has."""
        found = [self._usual()]
        first = self._columns.subjects(found[0])
        rest = np.setdiff1d(distinct(self._store.facts.subjects), first, True)
        while len(rest):
            having = self._pairs(rest)[:, 1]
            most = int(np.bincount(having).argmax())
            found.append(self._store.relations.word(most))
            rest = np.setdiff1d(rest, self._columns.subjects(found[-1]), True)
        return tuple(found)

    def _usual(self) -> str:
        """Return the relation that most have."""
        names = map(self._store.relations.word, range(len(self._store.relations)))
        return max(names, key=lambda name: len(self._columns.subjects(name)))

    def _pairs(self, entities: Ids) -> NDArray[np.int32]:
        """Return which entity has which relation, each pair once."""
        facts = self._store.facts
        those = self._marked(entities)[facts.subjects]
        owners = facts.subjects[those].astype(np.int64)
        pairs = distinct(owners << 32 | facts.relations[those])
        return np.stack([pairs >> 32, pairs], axis=1).astype(np.int32)

    def _marked(self, entities: Ids) -> NDArray[np.bool_]:
        found = np.zeros(len(self._store.entities), np.bool_)
        found[entities] = True
        return found


def row_nouns(called: str) -> frozenset[str]:
    """Return the noun of what a row of a table is, in the singular and the plural.

    Args:
        called: the name of the first column: "Dish name", "dishes"; "name" alone says nothing.
    """
    words = [word for word in relation_words(called) if word not in GENERIC | PREPOSITIONS | ROWS]
    return frozenset(numbers(words[-1]) if words else ())


def file_nouns(file: str) -> frozenset[str]:
    """Return the noun of what a row of a table is if its file is called so: mills.csv.

    What is in the singular, harbour.csv, may be where all rows are, and is no noun of one.
    """
    last = relation_words(file)[-1:]
    return frozenset(form for word in last for one in singulars(word) for form in numbers(one))


def is_sort_of_row(relation: Sequence[str]) -> bool:
    """Whether a relation says of what kind a row is, and so what rows are: "kind of act"."""
    return len(relation) == 3 and is_sort(relation)


def _is_led_to(part: Set) -> bool:
    """Whether a part is all to which a relation leads, which the kind says better."""
    return isinstance(part, Having) and part.value is None and part.relation.startswith(REVERSED)


def _set(program: Program) -> Set:
    """Return a program that is known to give entities."""
    assert not isinstance(program, Count | IsThere | IsIt)
    return program

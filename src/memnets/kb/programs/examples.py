"""What is of a kind for certain, by which the others of the kind are found.

What a relation called so leads to (`twin_town`), those who do what one says (players of
`plays_for`), those that are called so ("Old Town", "New Town"), and those that have what English
says of such things: towns have a mayor.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.postings import distinct
from memnets.kb.linking.naming import Names
from memnets.kb.programs.forms import same_stem, singulars
from memnets.kb.programs.lexicon import GENERIC
from memnets.kb.programs.wordings import having_of, named
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns

Ids = NDArray[np.int32]
NAMED = 3
"""A word in so many names, at their end or beginning, says their kind."""


class Examples:
    """Finds examples of a kind.

    Args:
        store: a KB that was opened.
        names: of its entities.
        columns: its typed relations.
        relations: the words of their names.
    """

    def __init__(
        self, store: Store, names: Names, columns: Columns, relations: Mapping[str, Sequence[str]]
    ) -> None:
        self._store, self._names, self._columns = store, names, columns
        self._relations = relations

    def of(self, forms: Sequence[str]) -> Ids:
        """Return what is of a kind for certain: what is led to, called or described so."""
        ways = (self._called_by_relations, self._acting, self._called, self._described)
        found = (self._of_facts(way(forms)) for way in ways)
        return next((some for some in found if len(some)), np.zeros(0, np.int32))

    def _called_by_relations(self, forms: Sequence[str]) -> Iterator[Ids]:
        """Yield what relations of the noun lead to: towns of `twin_town` and `in_town`."""
        for name, parts in self._relations.items():
            if "of" in parts[1:-1]:  # of a "man of the match"
                parts = parts[: parts.index("of")]
            of = [part for part in parts if part not in PREPOSITIONS][-1:]
            called = of and not {of[0], *singulars(of[0])}.isdisjoint(forms)
            if called and self._columns.of(name).kind == "link":
                yield self._columns.objects(name)

    def _acting(self, forms: Sequence[str]) -> Iterator[Ids]:
        """Yield those who do what a relation says: players of `plays_for`."""
        for name, parts in self._relations.items():
            does = "by" not in parts and not parts[0].endswith("ed")  # "played at"
            does = does and any(same_stem(form, parts[0]) for form in forms)
            if does and forms[-1].endswith(("er", "or")) and not {*forms} & {*parts}:
                yield self._columns.subjects(name)

    def _called(self, forms: Sequence[str]) -> Iterator[Ids]:
        """Yield those with the noun at the end of their names, or at the beginning."""
        parts, number = self._names.parts, self._store.entities.number
        for form in forms:
            having = map(parts.entity, parts.having(form).tolist())
            called = [one for one in having if form in _ends(one)]
            if len(called) >= NAMED:
                yield np.array([number(one) for one in called], np.int32)

    def _described(self, forms: Sequence[str]) -> Iterator[Ids]:
        """Yield those that have what English says of such things, and few others have."""
        words = having_of(forms)
        described = (name for name in self._relations if self.are_described(name, words))
        found = [*map(self._columns.subjects, described)]
        # Matches have a score and an attendance; that referees are said to referee tells less.
        alike = {
            n: sum(np.isin(one, of).mean() > 0.5 for of in found) for n, one in enumerate(found)
        }
        yield from (found[n] for n in sorted(alike, key=lambda n: (-alike[n], len(found[n])))[:1])

    def are_described(self, relation: str, words: Iterable[str]) -> bool:
        """Whether one of some words names a relation, as English says of what has it."""
        parts = self._relations[relation]
        if "to" in parts:  # "used to coach"
            return False
        telling = [part for part in parts if part not in GENERIC | PREPOSITIONS]
        return any(named(word, telling[-1:]) for word in words)  # a "shirt sponsor" is no shirt

    def _of_facts(self, some: Iterator[Ids]) -> Ids:
        """Return those that facts begin with."""
        found = distinct(np.concatenate([np.zeros(0, np.int32), *some]))
        return found[self._columns.is_subject[found]]


def _ends(entity: str) -> tuple[str, ...]:
    words = entity.casefold().split()
    return (words[0], words[-1]) if len(words) > 1 else ()

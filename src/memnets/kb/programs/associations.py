"""Which words make people think of which relations: "who holds the lease" of `Rented To`.

`associations.txt` holds what English speakers know and no column's name says, concept by concept.
A relation is of a concept if its name has some of its words. It is asked for the more, the more of
the concept's words a question holds, and the fewer concepts these are of.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.index.porter import porter
from memnets.kb.programs.forms import BASES
from memnets.kb.programs.lexicon import FILLING, PEOPLE
from memnets.kb.programs.wordings import written
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import Kind

ALIKE = 2
"""Letters at the beginning that words of one stem have in common."""
TOGETHER = 1.5
"""How much more two words tell that are together a concept's than one of them would."""
LITTLE = STOP_WORDS | INTERROGATIVES | FILLING | PEOPLE
"""Words that tell nothing alone."""
FIT: Mapping[str, Mapping[Kind, float]] = {
    "name": {"link": 1.0, "text": 1.0},
    "number": {"number": 1.0, "text": 0.7, "date": 0.5},
    "date": {"date": 1.0, "number": 1.0, "text": 0.7, "link": 0.5},
    "flag": {"yes or no": 1.0},
    "any": dict.fromkeys(("link", "text", "number", "date", "yes or no"), 1.0),
}
"""How well objects of a relation fit a concept, by its kind: a weekday is a date, though a text."""
Words = tuple[str, ...]


class Concept(NamedTuple):
    """What columns of many names are about, as it is written: most are not looked at."""

    kind: str
    names: str
    others: str

    @property
    def named(self) -> tuple[Words, ...]:
        """Words of the names of such columns."""
        return _apart(self.names)

    @property
    def asked(self) -> tuple[Words, ...]:
        """Words of questions about it; several where they tell something together alone."""
        all_of_them = (*self.named, *_apart(self.others))
        return tuple(one for one in all_of_them if len(one) > 1 or one[0] not in LITTLE)


class Association(NamedTuple):
    """How much words of a question speak for a relation."""

    relation: str
    strength: float
    places: tuple[int, ...]
    """Of the words."""


class _Of(NamedTuple):
    """A relation that is of a concept."""

    relation: str
    concept: int
    share: float
    """How surely: the more, the more of its name says so, and the better its objects fit."""


class Associations:
    """What words of questions make one think of, of the relations of a knowledge base.

    Args:
        relations: the words of their names.
        columns: their types.
    """

    def __init__(self, relations: Mapping[str, Words], columns: Columns) -> None:
        self._relations, self._columns = relations, columns

    def of(self, words: Sequence[str], free: Sequence[int]) -> list[Association]:
        """Return the relations that some words speak for, the likeliest first.

        Args:
            words: of a question.
            free: the places of those that are part of no name.
        """
        stems = {place: _stem(words[place]) for place in free}
        known = frozenset(stems.values())
        told: dict[_Of, set[Words]] = {}
        for letters in {_letters(words[place]) for place in free}:
            for concept, asked in self._asked.get(letters, ()):
                if known.issuperset(map(_stem, asked)):
                    for of in self._of_concepts[concept]:
                        told.setdefault(of, set()).add(asked)
        best: dict[str, Association] = {}
        for of, heard in sorted(told.items(), key=itemgetter(0)):  # of equal ones the first is kept
            strength = of.share * math.fsum(map(_worth, sorted(heard)))
            if of.relation not in best or strength > best[of.relation].strength:
                by = {_stem(word) for asked in heard for word in asked}
                places = tuple(place for place, stem in stems.items() if stem in by)
                best[of.relation] = Association(of.relation, strength, places)
        return sorted(best.values(), key=lambda one: (-one.strength, one.relation))

    @cached_property
    def _asked(self) -> Mapping[str, list[tuple[int, Words]]]:
        """The words that concepts are asked with, by how the first of these begins."""
        found: defaultdict[str, list[tuple[int, Words]]] = defaultdict(list)
        for concept in self._of_concepts:
            for asked in concepts()[concept].asked:
                found[_letters(asked[0])].append((concept, asked))
        return found

    @cached_property
    def _of_concepts(self) -> Mapping[int, list[_Of]]:
        """The relations of each concept that has any."""
        found: defaultdict[int, list[_Of]] = defaultdict(list)
        for of in self._all():
            found[of.concept].append(of)
        return found

    def _all(self) -> Iterator[_Of]:
        beginnings = {_begins(part) for parts in self._relations.values() for part in parts}
        named_so = _named(frozenset(beginnings))
        for relation, parts in self._relations.items():
            stems, kind = frozenset(map(_stem, parts)), self._columns.of(relation).kind
            longest: dict[int, int] = {}
            for number, name in (one for part in parts for one in named_so.get(_begins(part), ())):
                named = name.split("+")
                if kind in FIT[concepts()[number].kind] and stems.issuperset(map(_stem, named)):
                    longest[number] = max(len(named), longest.get(number, 0))
            for number, many in longest.items():
                fits = FIT[concepts()[number].kind][kind]
                yield _Of(relation, number, fits * (1 + many / len(parts)) / 2)


@cache
def concepts() -> tuple[Concept, ...]:
    """Return what is written down."""
    return tuple(Concept(*columns) for columns in written("associations"))


def _apart(written: str) -> tuple[Words, ...]:
    return tuple(tuple(one.split("+")) for one in written.split())


def _named(beginnings: frozenset[str]) -> Mapping[str, list[tuple[int, str]]]:
    """Return words of columns' names, each with its concept, by the letters they begin with.

    Args:
        beginnings: such letters; words that begin otherwise are left out.
    """
    forms = {form[: ALIKE + 1] for form in BASES if _begins(form) in beginnings}
    written_so = beginnings.union(form.replace("y", "i") for form in forms)
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, concept in enumerate(concepts()):
        for named in concept.names.split():
            if named[: ALIKE + 1].partition("+")[0].replace("y", "i") in written_so:
                found[_begins(named.partition("+")[0])].append((number, named))
    return found


def _letters(word: str) -> str:
    """Return what words of one stem begin with alike."""
    return BASES.get(word, word)[:ALIKE]


def _begins(word: str) -> str:
    """Return the same for names of columns, which are many: "use" and "using" are not found."""
    return BASES.get(word, word)[: ALIKE + 1].replace("y", "i")


@cache
def all_told() -> str:
    """Return the words of all concepts, each between spaces; "+" joins those told together."""
    return f" {' '.join(side for of in concepts() for side in of[1:])} "


@lru_cache(2**16)
def _times(word: str) -> int:
    """Return of how many concepts a word is told: a line has none twice."""
    return all_told().count(f" {word} ")


def is_told(word: str) -> bool:
    """Whether a word is told of several concepts: "far", but no misspelt one, and hardly "mad"."""
    return _times(word) > 1


@lru_cache(2**16)
def _worth(asked: Words) -> float:
    """Return how much words tell: 1 if they are of a single concept, nothing if of all."""
    many = len(concepts())
    rare = math.log(1 + many / _times("+".join(asked))) / math.log(1 + many)
    return rare * (TOGETHER if len(asked) > 1 else 1)


@lru_cache(2**16)
def _stem(word: str) -> str:
    return porter(BASES.get(word, word))

"""What a question is made of: names, values, words of relations, and words of what is to be done.

Names come from the knowledge base, values are read as its columns are typed. Nothing is decided
here: `parsing` makes programs of it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from memnets.kb.index.keeping import make_room
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.common import COMMON
from memnets.kb.linking.naming import Names
from memnets.kb.linking.words import question_words
from memnets.kb.programs.arguments import NOTHING, Argument, Arguments, Standing
from memnets.kb.programs.asked import BEFORE_VERBS, BEING, Asked, RelationFinder, word_before
from memnets.kb.programs.forms import same_stem, singulars
from memnets.kb.programs.heads import asked_noun, head_nouns
from memnets.kb.programs.idle import idle_words
from memnets.kb.programs.kinds import Kinds
from memnets.kb.programs.lexicon import (
    DEGREES,
    FILLING,
    NOT,
    PEOPLE,
    asking_words,
    signs_in_words,
)
from memnets.kb.programs.measures import measured_from, with_measures
from memnets.kb.programs.operators import Having
from memnets.kb.programs.relations_said import RelationsSaid
from memnets.kb.programs.saying import Sayings
from memnets.kb.programs.sorts import cells_of
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import KNOWN_UNITS, Kind

REACH = 4
"""Words of the longest clause between a noun and a name."""
OWNING = frozenset({"his", "her", "its", "their"})
HOW_LONG = ["how", "long"]


class Reading(NamedTuple):
    """All that was recognised in a question."""

    words: list[str]
    arguments: tuple[Argument, ...]
    asked: tuple[Asked, ...]
    said: frozenset[int] = frozenset()
    """The places of words that belong to a name or value."""
    unknown: bool = False
    """Whether it holds words that say something else."""
    heads: frozenset[int] = frozenset()
    """The places of nouns that only say of what kind the answers are: "which people"."""
    brought: frozenset[int] = frozenset()
    """The places of words that bring a relation to mind."""
    flags: frozenset[int] = frozenset()
    """The places of words that are the name of a relation of yes and no: "first aiders"."""
    idle: frozenset[int] = frozenset()
    """The places of words that say nothing more than others do."""

    def forwards(self, values: bool = False) -> "Reading":
        """Return the question with what is named as what something is said of.

        Args:
            values: whether those are kept of which nothing is said.
        """
        kept = (one for one in self.arguments if one.out_of or values)
        told = (one._replace(into=frozenset()) if one.out_of else one for one in kept)
        return self._replace(arguments=tuple(told))


class Reader:
    """Reads questions about a knowledge base.

    Args:
        store: a KB that was opened.
        names: of its entities.
        columns: its typed relations.
    """

    def __init__(self, store: Store, names: Names, columns: Columns) -> None:
        self._store, self._names, self._columns = store, names, columns
        self._plain = STOP_WORDS | INTERROGATIVES | PEOPLE | FILLING | COMMON | DEGREES.keys()
        self._sayings = Sayings(columns, self._plain)
        self.relations = self._sayings.relations
        self.kinds = Kinds(store, names, columns, self._sayings)
        self._plain |= self.kinds.rows
        finder = RelationFinder(columns, self._sayings, self.kinds, self._plain)
        self._said = RelationsSaid(finder, self._sayings, self.kinds, columns, self._plain)
        units = KNOWN_UNITS | {column.unit for column in columns}
        self._arguments = Arguments(store, names, self._sayings, self._plain, units)
        self._lately: dict[tuple[str, bool], Reading] = {}

    def linked(self, names: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the relations that lead to some entities, and those that lead from them."""
        found = self._arguments.linked(Argument(0, 0, names))
        return found.into, found.out_of

    def read(self, question: str, standing: Standing = NOTHING, told: bool = False) -> Reading:
        """Return what is recognised in a question; see `_read`."""
        if standing:
            return self._read(question, standing, told)
        if (question, told) not in self._lately:  # the parts of a question are read again
            make_room(self._lately)
            self._lately[question, told] = self._read(question, standing, told)
        return self._lately[question, told]

    def _read(self, question: str, standing: Standing, told: bool) -> Reading:
        """Return what is recognised in a question.

        Args:
            question: as it was typed.
            standing: words that stand for entities.
            told: whether it is told, so that "a stall" is what belongs to somebody.
        """
        pieces = signs_in_words(question).split()
        parts = [question_words(piece) for piece in pieces]
        words = asking_words([word for part in parts for word in part])
        starts = np.cumsum([0, *map(len, parts)]).tolist()
        named = self._arguments.named(pieces, starts, words, standing)
        sorts = self._sorts(words, named)
        named = [one for one in named if one.begin not in sorts]
        linked = self._arguments.with_values(named, pieces, starts, words)
        asks, belonging = _asked_for(words, linked), {*self._belonging(words, sorts, linked, told)}
        linked += (
            self._arguments.linked(
                Argument(at, at + 1, cells_of(sort), plural=bool(singulars(words[at])))
            )
            for at, sort in sorts.items()
            if at not in {asks, *belonging}
        )
        measures = dict(measured_from(linked, words, self.relations, self._columns))
        linked = [one for one in linked if one not in measures]
        apart = set(_set_apart(pieces, starts))
        linked = sorted(
            (one._replace(apart=one.end in apart) for one in linked), key=lambda one: one.begin
        )
        said = frozenset(place for one in linked for place in range(one.begin, one.end))
        heads = frozenset(head_nouns(words, said))
        asked = self._said.found(words, linked, said, heads)
        asked = with_measures(asked, measures)
        if asks in sorts and any(not one.hints and one.begin != asks for one in asked):
            asked = [one for one in asked if asks not in range(one.begin, one.end)]
        idle = {*self._how_long(asked, words), *idle_words(asked, words, linked)}
        asked = [one for one in asked if one.begin not in idle]
        asked = self._said.settled(asked, linked, words)
        dated = any(one.value and one.value.kind == "date" for one in linked)
        kept = tuple(self._said.told(asked, words, dated))
        places = said.union(*(range(one.begin, one.end) for one in kept))
        unknown = any(
            at not in places and word not in self._plain | {"'s"} for at, word in enumerate(words)
        )
        flags = frozenset(
            at for one in kept if self._is_whole_flag(one) for at in range(one.begin, one.end)
        )
        return Reading(
            words, tuple(linked), kept, said, unknown, heads, flags=flags, idle=frozenset(idle)
        )

    def _sorts(self, words: list[str], named: list[Argument]) -> dict[int, Having]:
        """Return the places of nouns that say a sort of rows, where they are no part of a name."""
        longer = {
            at for one in named if one.end > one.begin + 1 for at in range(one.begin, one.end)
        }
        found = {at: self.kinds.sorts.of(word) for at, word in enumerate(words) if at not in longer}
        return {
            at: sort
            for at, sort in found.items()
            if sort and not self._is_named(words, at) and word_before(words, at) not in BEFORE_VERBS
        }

    def _is_named(self, words: list[str], at: int) -> bool:
        """Whether a word is one of several that are a relation's whole name: "usual driver"."""
        spans = ((low, low + n) for n in (2, 3, 4) for low in range(max(0, at - n + 1), at + 1))
        return any(self._sayings.of_name(tuple(words[low:high])) for low, high in spans)

    def _belonging(
        self, words: list[str], sorts: Mapping[int, Having], linked: list[Argument], told: bool
    ) -> Iterator[int]:
        """Yield where a sort is what belongs to somebody: "Ada's stall", "the lorry on Route 1"."""
        ends = {one.end for one in linked if one.out_of}
        for at in sorts:
            before, behind = word_before(words, at), words[at + 1 : at + 2]
            owned = before in OWNING or (before == "'s" and at - 1 in ends)
            of = before in ("the", "which", "what") and not singulars(words[at])
            of = of and behind != [] and behind[0] in PREPOSITIONS | {"behind"}
            near = words[max(0, at - 3) : at]
            lacked = not (NOT - {"non"}).isdisjoint(near[-2:]) and BEING.isdisjoint(near)
            some = told and before in ("a", "an", "some", "one")
            of = of or self._leads(words, at, linked)
            if lacked or (of and behind == ["of"]) or (ends and (owned or of or some)):
                yield at

    def _leads(self, words: list[str], at: int, linked: list[Argument]) -> bool:
        """Whether a clause joins a sort to a name by words that say no relation.

        So it is in "the lorry that does Route 1", but not in "the lorry that Ada drives".
        """
        end = next((one.begin for one in linked if one.out_of and one.begin > at), 0)
        clause = words[at + 1 : end]
        if not 2 <= len(clause) <= REACH or clause[0] not in ("that", "which", "who"):
            return False
        return not any(self._sayings.of_word(word) for word in clause[1:])

    def _how_long(self, asked: list[Asked], words: list[str]) -> Iterator[int]:
        """Yield where "long" stands of "how long did it take to build", where a number is said."""
        surely = (one.options[0] for one in asked)
        if any(weight == 1 and self.kind(name) in ("number", "text") for name, weight in surely):
            yield from (at for at in range(1, len(words)) if words[at - 1 : at + 1] == HOW_LONG)

    def _is_whole_flag(self, one: Asked) -> bool:
        """Whether all words of the name of a relation of yes and no are said."""
        relation, weight = one.options[0]
        whole = one.end - one.begin in (len(self.relations[relation]), 2, 3)
        return whole and weight == 1 and self.kind(relation) == "yes or no"

    def names_of(self, reading: Reading) -> frozenset[str]:
        """Return the words of the relations that a question says by their names."""
        surely = (one.options for one in reading.asked if one.options[0][1] == 1)
        told = {*reading.words}
        return frozenset(
            word
            for options in surely
            for name, _ in options[:1]
            if sum(any(same_stem(w, part) for w in told) for part in self.relations[name]) > 1
            for word in self.relations[name]
        )

    def subjects(self, relation: str) -> int:
        """Return how many have a relation."""
        return len(self._columns.subjects(relation))

    def are_years(self, relation: str) -> bool:
        """Whether the numbers of a relation may all be years."""
        return self._columns.are_years(relation)

    def kind(self, relation: str) -> Kind:
        """Return what the objects of a relation are."""
        return self._columns.of(relation).kind


def _asked_for(words: list[str], linked: list[Argument]) -> int | None:
    """Return where a noun says what the answers are, names and values being read."""
    said = frozenset(place for one in linked for place in range(one.begin, one.end))
    return asked_noun(words, frozenset(head_nouns(words, said)))


def _set_apart(pieces: list[str], starts: list[int]) -> Iterator[int]:
    """Yield where words end behind which a comma stands, or a bracket begins."""
    for at, piece in enumerate(pieces):
        if piece.endswith(",") or (pieces[at + 1 : at + 2] and pieces[at + 1].startswith("(")):
            yield starts[at + 1]

"""Which words make people think of which relations: "who holds the lease" of `Rented To`.

`associations.txt` holds what English speakers know and no column's name says, concept by concept.
A relation is of a concept if its name has one of the concept's heads, and is asked for the more the
more, and the rarer, of the concept's words a question holds.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.programs.lexicon import BASES, FILLING, PEOPLE
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import Kind

TOGETHER = 1.5
"""How much more two words tell that are together a concept's than one of them would."""
LITTLE = STOP_WORDS | INTERROGATIVES | FILLING | PEOPLE
"""Words that tell nothing alone."""
FIT: Mapping[str, frozenset[Kind]] = {
    "name": frozenset({"link", "text"}),
    "number": frozenset({"number", "text", "date"}),
    "date": frozenset({"date", "number", "text", "link"}),
    "flag": frozenset({"yes or no"}),
    "any": frozenset({"link", "text", "number", "date", "yes or no"}),
}
"""What the objects of a relation are that may be of a concept, by its kind."""
Words = tuple[str, ...]


class Concept(NamedTuple):
    """What columns of many names are about."""

    kind: str
    heads: tuple[Words, ...]
    """Words of the names of such columns."""
    cues: tuple[Words, ...]
    """Words of questions about it; several where they are a cue together alone."""


class Association(NamedTuple):
    """How much words of a question speak for a relation."""

    relation: str
    strength: float
    places: tuple[int, ...]
    """Of the words."""


class Associations:
    """What words of questions make one think of, of the relations of a knowledge base.

    Args:
        relations: the words of their names.
        columns: their types.
    """

    def __init__(self, relations: Mapping[str, Words], columns: Columns) -> None:
        self._relations, self._columns = relations, columns
        self._found: list[tuple[str, float, Concept]] | None = None

    def of(self, words: Sequence[str], free: Sequence[int]) -> list[Association]:
        """Return the relations that some words speak for, the likeliest first.

        Args:
            words: of a question.
            free: the places of those that are part of no name.
        """
        stems = {place: _stem(words[place]) for place in free}
        known = frozenset(stems.values())
        best: dict[str, Association] = {}
        for relation, share, concept in self._concepts:
            told = [(cue, _worth(cue)) for cue in concept.cues if _is_in(cue, known)]
            if not told:
                continue
            strength = (1 + share) / 2 * math.fsum(worth for _, worth in told)
            if relation in best and best[relation].strength >= strength:
                continue
            heard = {_stem(word) for cue, _ in told for word in cue}
            places = tuple(place for place, stem in stems.items() if stem in heard)
            best[relation] = Association(relation, strength, places)
        return sorted(best.values(), key=lambda one: -one.strength)

    @property
    def _concepts(self) -> list[tuple[str, float, Concept]]:
        """Every relation with its concepts, and how much of its name is a concept's head."""
        if self._found is None:
            self._found = list(self._named())
        return self._found

    def _named(self) -> Iterator[tuple[str, float, Concept]]:
        for relation, parts in self._relations.items():
            stems, kind = frozenset(map(_stem, parts)), self._columns.of(relation).kind
            for concept in concepts():
                if kind not in FIT[concept.kind]:
                    continue
                heads = [len(head) for head in concept.heads if _is_in(head, stems)]
                if heads:
                    yield relation, max(heads) / len(parts), concept


def _is_in(cue: Words, stems: frozenset[str]) -> bool:
    return all(_stem(word) in stems for word in cue)


@cache
def concepts() -> tuple[Concept, ...]:
    """Return what is written down."""
    text = resources.files("memnets.kb.programs").joinpath("associations.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(map(_concept, lines))


def _concept(line: str) -> Concept:
    kind, heads, cues = (part.split() for part in line.split("|"))
    named = tuple(tuple(head.split("+")) for head in heads)
    told = (tuple(cue.split("+")) for cue in cues)
    alone = [head for head in named if len(head) > 1 or head[0] not in LITTLE]
    cues_ = dict.fromkeys((*alone, *(cue for cue in told if len(cue) > 1 or cue[0] not in LITTLE)))
    return Concept(kind[0], named, tuple(cues_))


@cache
def _counts() -> Counter[Words]:
    """Return of how many concepts each cue is one."""
    return Counter(cue for concept in concepts() for cue in concept.cues)


@lru_cache(2**16)
def _worth(cue: Words) -> float:
    """Return how much a cue tells: 1 if it is one of a single concept, nothing if of all."""
    many = len(concepts())
    rare = math.log(1 + many / max(1, _counts()[cue])) / math.log(1 + many)
    return rare * (TOGETHER if len(cue) > 1 else 1)


@lru_cache(2**16)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(BASES.get(word, word)))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")

"""Facts of few relations, from what clauses state: forms of a word are one, passives are turned.

"It was released in 1994" and "it is released in 1994" have the relation `released_in`; "Red was
directed by Ada" is "Ada directed Red". What is said under a condition, or not to be so, is no fact,
and neither is what many words join.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import NamedTuple

from memnets.kb.documents.extraction import ExtractedTriple, extract
from memnets.kb.documents.stems import SMALL
from memnets.kb.index.porter import porter
from memnets.kb.questions.english import AUXILIARIES, PREPOSITIONS
from memnets.kb.store.layouts import ReadDocument, Words

MOST = 2
"""So many telling words a relation has at most; more join what stands far apart."""
SURE, LED, LATER = 0.65, 0.35, 0.15
"""How likely is what a clause states of its first name; that it begins with; and of a later name.
Estimated on all files of `examples/documents`, of whose facts somebody has judged each."""
LEAST = 0.5
"""How likely a fact is to be at least, unless it is told otherwise."""
BEING = frozenset({"is", "was", "are", "were", "be", "been"})
OTHERWISE = frozenset(
    re.findall(
        r"\S+",
        "if unless when while whether not no never nobody none cannot without nor neither until or",
    )
)
"""Words of what is not so, or so in some case only."""
ENDS = PREPOSITIONS | {"after", "before", "against", "between", "during", "since"}
"""Prepositions that lead to an object."""
UNTELLING = (
    SMALL
    | AUXILIARIES
    | ENDS
    | frozenset(re.findall(r"\S+", "may might must shall only then often usually still already"))
)
"""Words that tell of no relation."""


class Relation(NamedTuple):
    """A relation, whatever forms its words have."""

    stems: Words
    end: str
    """The preposition that leads to the object; nothing where none does."""


class Statement(NamedTuple):
    """What a clause states, in canonical form."""

    subject: str
    relation: Relation
    object: str
    said: str
    """The relation as it was said."""
    likely: float
    """How likely it is stated so."""


class Fact(NamedTuple):
    """A fact, and where it is stated."""

    subject: str
    relation: str
    object: str
    confidence: float
    """How likely it is so: it is not where no sentence that states it was read rightly."""
    sentences: tuple[int, ...]
    """That state it, in order."""


def canonical(triple: ExtractedTriple) -> Statement | None:
    """Return what a clause states; None of what is no fact, or of no plain relation."""
    words = triple.relation[len(triple.before) :]
    if not OTHERWISE.isdisjoint(triple.relation) or not any(map(str.isalpha, triple.subject)):
        return None
    if not words or (triple.before and triple.before[-1] in ENDS):
        return None  # "in May we went to Rome": May went nowhere
    is_being = not BEING.isdisjoint(words)
    turned = _done(words) if is_being else ()
    end = "" if turned or words[-1] not in ENDS else words[-1]
    telling = turned or _telling(words) or (("is",) if is_being else ())
    if not 0 < len(telling) <= MOST:
        return None
    names = triple.subject, triple.object
    subject, item = names[::-1] if turned else names
    likely = LATER if not triple.first else LED if triple.before else SURE
    said = "_".join((*telling, end) if end else telling)
    return Statement(subject, Relation(tuple(map(porter, telling)), end), item, said, likely)


def stated(readings: Iterable[ReadDocument]) -> Iterator[tuple[int, Statement]]:
    """Yield what documents state, each with the number of its sentence in all of them.

    Args:
        readings: every document of a store, in order.
    """
    before = 0
    for reading in readings:
        for triple in extract(reading):
            if statement := canonical(triple):
                yield before + triple.origin.sentence, statement
        before += len(reading.sentences)


def facts(statements: Iterable[tuple[int, Statement]]) -> list[Fact]:
    """Return each fact once, in the order in which they are stated first.

    A relation is called what it is called most often; a fact that several sentences state is wrong
    only where all of them were misread.

    Args:
        statements: each with the number of its sentence.
    """
    likely: dict[tuple[str, Relation, str], dict[int, float]] = {}
    called: defaultdict[Relation, Counter[str]] = defaultdict(Counter)
    for sentence, (subject, relation, item, said, share) in statements:
        told = likely.setdefault((subject, relation, item), {})
        told[sentence] = max(share, told.get(sentence, 0.0))
        called[relation][said] += 1
    names = {relation: _commonest(said) for relation, said in called.items()}
    return [
        Fact(subject, names[relation], item, 1 - prod(1 - one for one in told.values()), (*told,))
        for (subject, relation, item), told in likely.items()
    ]


def _done(words: Words) -> Words:
    """Return what is done by the object: "directed" of "was directed by the young"."""
    if "by" not in words:
        return ()
    place = words.index("by")
    # "By the end of August" nobody does it.
    agent = ENDS.isdisjoint(words[place + 1 :])
    return _telling(words[:place]) if agent else ()


def _telling(words: Iterable[str]) -> Words:
    """Return the words that tell of a relation; of those around "is" the later ones, if any."""
    found: list[str] = []
    for word in words:
        if word in BEING:
            found.clear()
        elif word not in UNTELLING:
            found.append(word)
    return tuple(found)


def _commonest(said: Mapping[str, int]) -> str:
    return max(said, key=lambda name: said[name])

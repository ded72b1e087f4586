"""Triples read from sentences, as a program for information extraction would leave them.

A clause that names things says something of them: what stands between two names, and before the
first, is the relation. No grammar is known beyond that, so the triples are as noisy as such
triples are.

Miller et al. (2016) resolve coreference, parse and label roles with other people's programs; a slot
is subject and verb, and leads to the object. Ours are made by what follows.

Cite: miller2016
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from memnets.kb.store.layouts import REVERSED, Origin, ReadDocument, Slot, Token, Words

PRONOUNS = frozenset({"it", "its"})
"""They stand for the title."""
ARTICLES = frozenset({"a", "an", "the"})
"""They are no part of a relation."""
LONGEST = 8
"""So many words may stand between two names that have to do with each other."""

MOST_PAIRS = 1000
"""Two lists of names that make more pairs are no prose, but a table or an index."""

_JOINS = frozenset({",", "and", "&"})


class ExtractedTriple(NamedTuple):
    """A triple in the words of its sentence."""

    subject: str
    relation: Words
    object: str
    origin: Origin
    """Its clause."""
    before: Words = ()
    """Those words of the relation that stand before the subject."""
    first: bool = True
    """Whether the subject is the first name of its clause, and not the object of what was said
    before."""


class _Names(NamedTuple):
    """Names in a list ("A, B and C"), and the words between them and the list before."""

    before: Words
    names: list[str]


def extract(reading: ReadDocument) -> Iterator[ExtractedTriple]:
    """Read what the clauses of a document state.

    ", and" and ";" end a clause, unless a list goes on there. Lists of names are taken apart; each
    name of a list is related to each of the next one.
    """
    for place, tokens in groupby(reading.tokens, key=lambda token: token.sentence):
        for clause in _clauses(list(tokens)):
            origin = Origin(reading.title, place, clause[0].start, clause[-1].end)
            yield from _statements(_listed(clause, reading.title), origin)


def statement_slots(statements: Iterable[ExtractedTriple]) -> Iterator[Slot]:
    """Make two slots of each statement: subject, relation -> object, and the reversed one.

    Every word of a relation is a word of the key.
    """
    for subject, relation, item, origin, *_ in statements:
        yield Slot((subject, *relation), (item,), origin)
        yield Slot((item, *(REVERSED + word for word in relation)), (subject,), origin)


def matched(
    statements: Iterable[ExtractedTriple], triples: Iterable[tuple[str, str, str]]
) -> float:
    """Return the share of the facts whose subject and object are related by some statement.

    Args:
        statements: what was extracted.
        triples: the facts, each once.

    Raises:
        ValueError: there are no facts.
    """
    related = {frozenset((one.subject, one.object)) for one in statements}
    found = [frozenset((subject, item)) in related for subject, _, item in triples]
    if not found:
        raise ValueError("matched: no facts came; expected at least one. Pass those of the KB.")
    return sum(found) / len(found)


def _clauses(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut a sentence after ", and" and ";", where either side has words that are no names."""
    clause: list[Token] = []
    said = False
    for part in _parts(tokens):
        says = _says(part)
        if said and says:
            yield clause
            clause, said = [], False
        clause += part
        said = said or says
    if clause:
        yield clause


def _parts(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        border = not token.is_entity and (
            token.word == ";"
            or (token.word == "and" and bool(part) and part[-1][:2] == (",", False))
        )
        if border:
            yield part
            part = []
        part.append(token)
    yield part


def _says(tokens: Iterable[Token]) -> bool:
    return any(
        token.word[0].isalnum() and not _joins(token) and not _names(token) for token in tokens
    )


def _joins(token: Token) -> bool:
    return not token.is_entity and token.word in _JOINS


def _names(token: Token) -> bool:
    return token.is_entity or token.word in PRONOUNS


def _listed(clause: Sequence[Token], title: str) -> list[_Names]:
    lists: list[_Names] = []
    between: list[Token] = []
    for token in clause:
        if not _names(token):
            between.append(token)
            continue
        # "It" is a pronoun also where a list of entities has it.
        name = title if token.word.lower() in PRONOUNS else token.word
        if lists and between and all(map(_joins, between)):
            lists[-1].names.append(name)
        else:
            lists.append(_Names(_relation(between), [name]))
        between = []
    return lists


def _relation(between: Iterable[Token]) -> Words:
    words = (token.word for token in between if not _joins(token))
    return tuple(word for word in words if word[0].isalnum() and word not in ARTICLES)


def _statements(lists: Sequence[_Names], origin: Origin) -> Iterator[ExtractedTriple]:
    for place, (left, right) in enumerate(pairwise(lists)):
        before = left.before if place == 0 else ()
        relation = (*before, *right.before)
        pairs = len(left.names) * len(right.names)
        if 0 < len(relation) <= LONGEST and pairs <= MOST_PAIRS:
            for subject in left.names:
                for item in right.names:
                    if subject != item:
                        yield ExtractedTriple(subject, relation, item, origin, before, not place)

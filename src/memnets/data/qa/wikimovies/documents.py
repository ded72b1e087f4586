"""Documents written from a knowledge base, so that KB and text can be compared on equal facts.

The rules are those of WikiMovies' README: one statement for each field of a movie; one template a
field, or one drawn from several; statements joined by "and"; the title, after its first mention,
replaced by "it". The published templates are not known, so these are ours, and figures on these
documents are labelled as synthesised.

A template has two slots, ``<movie>`` and ``<objects>``; its first one is the "one" of the ladder.
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from memnets.data.facts import Fact, Triple
from memnets.data.qa.wikimovies.knowledge import RELATIONS

Choice = TypeVar("Choice")

TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "directed_by": (
        "<objects> directed <movie>",
        "<movie> was directed by <objects>",
        "the director of <movie> was <objects>",
        "<movie> is a film by <objects>",
    ),
    "written_by": (
        "<objects> wrote <movie>",
        "<movie> was written by <objects>",
        "the script of <movie> is by <objects>",
        "the screenplay for <movie> came from <objects>",
    ),
    "starred_actors": (
        "<objects> starred in <movie>",
        "<movie> stars <objects>",
        "the cast of <movie> includes <objects>",
        "<objects> acted in <movie>",
    ),
    "release_year": (
        "<movie> was released in <objects>",
        "<movie> came out in <objects>",
        "the year of release of <movie> is <objects>",
        "in <objects> the public first saw <movie>",
    ),
    "in_language": (
        "<movie> is in <objects>",
        "the language of <movie> is <objects>",
        "<movie> was filmed in the language <objects>",
        "people speak <objects> in <movie>",
    ),
    "has_tags": (
        "<movie> is about <objects>",
        "<movie> can be described by <objects>",
        "words that describe <movie> are <objects>",
        "viewers tagged <movie> with <objects>",
    ),
    "has_genre": (
        "the genre of <movie> is <objects>",
        "<movie> belongs to the genre <objects>",
        "<movie> is of the type <objects>",
        "in kind, <movie> is <objects>",
    ),
    "has_imdb_votes": (
        "<movie> is <objects>",
        "in the number of its votes <movie> is <objects>",
        "the public finds <movie> <objects>",
        "by its votes, <movie> is <objects>",
    ),
    "has_imdb_rating": (
        "<movie> is rated <objects>",
        "the rating of <movie> is <objects>",
        "critics find <movie> <objects>",
        "people rate <movie> as <objects>",
    ),
}
"""Our templates; keys are the relations of the knowledge base, in its order."""

MOST_JOINS = 7
"""So many pairs of statements are joined at most."""

NEVER_JOINED = "has_tags"
"""Statements about tags stand alone."""


@dataclass(frozen=True, slots=True)
class Style:
    """How documents are written.

    Args:
        templates: "one" for the first template of each field, "all" for one drawn from them.
        conjunction: of n statements that can be joined, binomial(n - 1, this) times two are.
        coreference: the probability that a mention of the title after the first is "it".
    """

    templates: str = "one"
    conjunction: float = 0.0
    coreference: float = 0.0

    def __post_init__(self) -> None:
        if self.templates not in ("one", "all"):
            raise ValueError(f"Style(templates={self.templates!r}): expected 'one' or 'all'.")
        for name in ("conjunction", "coreference"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise ValueError(f"Style({name}={value}): expected a probability, from 0 to 1.")


CONJUNCTION = 0.7
"""Named by an example in WikiMovies' README; the paper does not say which it took."""
COREFERENCE = 0.5
"""Ours: neither the paper nor the README names one."""

LADDER: Mapping[str, Style] = {
    "one template": Style(),
    "all templates": Style("all"),
    "one template + coreference": Style("one", 0.0, COREFERENCE),
    "one template + conjunction": Style("one", CONJUNCTION),
    "all templates + conjunction + coreference": Style("all", CONJUNCTION, COREFERENCE),
}
"""The rows between KB and Wikipedia in Table 5 of Miller et al. 2016."""


class WrittenSentence(NamedTuple):
    """A sentence and the facts that it states."""

    text: str
    facts: tuple[Fact, ...]


class MovieDocument(NamedTuple):
    """What is written about one movie."""

    title: str
    sentences: tuple[WrittenSentence, ...]


def write_about(
    triples: Iterable[Triple], style: Style = LADDER["one template"], seed: int = 0
) -> Iterator[MovieDocument]:
    """Write a document for each movie, in the order in which the movies first appear.

    A document depends on its movie's facts, the style and the seed only, and is the same on every
    machine.

    Args:
        triples: facts of the nine relations.
        style: how to write.
        seed: another seed draws other templates, joins and pronouns.

    Raises:
        ValueError: a relation has no template.
    """
    movies: dict[str, dict[str, list[str]]] = {}
    for movie, relation, item in triples:
        if relation not in TEMPLATES:
            raise ValueError(
                f"({movie}, {relation}, {item}): there is no template for {relation!r}. "
                f"Expected one of {', '.join(TEMPLATES)}. Leave such facts out."
            )
        movies.setdefault(movie, {}).setdefault(relation, []).append(item)
    return (
        _document(
            [Fact(movie, name, tuple(found[name])) for name in RELATIONS if name in found],
            style,
            # Only random() of it is used, which never changes between versions of Python.
            random.Random(f"{seed}\0{movie}"),
        )
        for movie, found in movies.items()
    )


def _document(facts: list[Fact], style: Style, draw: random.Random) -> MovieDocument:
    title = facts[0].subject
    statements = [[(fact, _template(fact.relation, style, draw))] for fact in facts]
    told_before = False
    sentences = []
    for group in _joined(statements, style.conjunction, draw):
        clauses = []
        for fact, words in group:
            named = told_before and draw.random() < style.coreference
            told_before = True
            clauses.append(_clause(words, "it" if named else title, _listed(fact.objects)))
        text = ", and ".join(clauses)
        first = group[0][1]
        # An entity keeps its case; the template's own first word, or "it", begins a sentence.
        if not first.startswith("<") or (first.startswith("<movie>") and text.startswith("it ")):
            text = text[0].upper() + text[1:]
        sentences.append(WrittenSentence(f"{text}.", tuple(fact for fact, _ in group)))
    return MovieDocument(title, tuple(sentences))


def _template(relation: str, style: Style, draw: random.Random) -> str:
    choice = TEMPLATES[relation]
    return _one_of(choice, draw) if style.templates == "all" else choice[0]


_Statements = list[list[tuple[Fact, str]]]


def _joined(statements: _Statements, probability: float, draw: random.Random) -> _Statements:
    """Join statements, a binomial number of times; those that were joined can be joined again."""
    groups = list(statements)
    joins = sum(draw.random() < probability for _ in range(len(_free(groups)) - 1))
    for _ in range(min(joins, MOST_JOINS)):
        left = _one_of(_free(groups), draw)
        right = _one_of([one for one in _free(groups) if one is not left], draw)
        groups = [left + right if one is left else one for one in groups if one is not right]
    return groups


def _free(groups: _Statements) -> _Statements:
    return [one for one in groups if one[0][0].relation != NEVER_JOINED]


def _one_of(choice: Sequence[Choice], draw: random.Random) -> Choice:
    return choice[int(draw.random() * len(choice))]


def _clause(words: str, movie: str, objects: str) -> str:
    # In one pass: a title may itself hold "<objects>".
    return re.sub("<(movie|objects)>", lambda slot: movie if slot[1] == "movie" else objects, words)


def _listed(objects: tuple[str, ...]) -> str:
    *most, last = objects
    return f"{', '.join(most)} and {last}" if most else last

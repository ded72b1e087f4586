"""Candidates by the entities that a question names: n-grams of words, looked up as aliases."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memnets.kb.index.index import Ids, Index

INTERROGATIVES = frozenset(re.findall(r"\S+", "what when where which who whom whose why how"))
STOP_WORDS = frozenset(
    re.findall(
        r"\S+",
        """a about after all also am an and any are as at be been before being but by can could did
        do does doing for from had has have having he her hers him his i if in into is it its just
        made make many me more most much my no not of on one or other our out over own part s same
        she so some such t than that the their them then there these they this those through to
        too under up us use used was we were will with would you your""",
    )
)
"""Words that name nothing alone. The paper does not print its list; this is a usual one."""
LEADING = frozenset({"in", "of", "for", "the"})
"""What may stand before a name without making it another one."""
LONGEST = 5
"""How many n-grams are kept."""
MOST_LINKED = 2
"""How many entities of each are kept."""


class Entity(NamedTuple):
    """An entity that an n-gram may name."""

    name: str
    """As the index of subjects has it."""
    links: int
    """How many facts it stands in."""


class BordesCandidates:
    """The facts about the entities that a question names, as in Bordes et al. (2015).

    Of the n-grams of the question those are kept that are an alias, hold no interrogative and are
    no lone stop word. One that stands within another is dropped, unless the other only adds "in",
    "of", "for" or "the" at its beginning. Candidates are the facts whose subject is one of the two
    most linked entities of one of the five longest.

    Deviations: what the paper leaves open. Length is counted in words, then in letters; of equal
    ones the first in the question is kept, and of equally linked entities the first by name.

    Args:
        subjects: an index of facts in which the key of a fact is its subject's name, one word.
        aliases: the entities of every alias; words of an alias are joined by a space.
    """

    def __init__(self, subjects: Index, aliases: Mapping[str, Sequence[Entity]]) -> None:
        self.subjects = subjects
        self.aliases = aliases

    def candidates(self, words: Sequence[str]) -> Ids:
        """Return the facts for a question, split into words."""
        return self.subjects.candidates(entity.name for entity in self.entities(words))

    def entities(self, words: Sequence[str]) -> list[Entity]:
        """Return the entities for a question, ten at most, by the n-gram that names them."""
        found: list[Entity] = []
        for words_of_name in mentions(words, self.aliases):
            named = self.aliases[" ".join(words_of_name)]
            found += sorted(named, key=lambda entity: (-entity.links, entity.name))[:MOST_LINKED]
        return list(dict.fromkeys(found))


def mentions(words: Sequence[str], aliases: Mapping[str, object]) -> list[tuple[str, ...]]:
    """Return the n-grams of a question that name entities, the longest five, longest first."""
    found = [ngram for ngram in _ngrams(words) if _may_name(ngram) and " ".join(ngram) in aliases]
    kept = [ngram for ngram in found if not any(_hides(longer, ngram) for longer in found)]
    # Sorting is stable: among equals the first in the question stays first.
    kept.sort(key=lambda ngram: (-len(ngram), -len(" ".join(ngram))))
    return kept[:LONGEST]


def _ngrams(words: Sequence[str]) -> list[tuple[str, ...]]:
    """All n-grams, each once, in the order of their first words."""
    spans = (
        tuple(words[begin:end])
        for begin in range(len(words))
        for end in range(begin + 1, len(words) + 1)
    )
    return list(dict.fromkeys(spans))


def _may_name(ngram: tuple[str, ...]) -> bool:
    return INTERROGATIVES.isdisjoint(ngram) and not (len(ngram) == 1 and ngram[0] in STOP_WORDS)


def _hides(longer: tuple[str, ...], ngram: tuple[str, ...]) -> bool:
    """Whether an n-gram is dropped because of another that it stands within."""
    more = len(longer) - len(ngram)
    within = any(longer[at : at + len(ngram)] == ngram for at in range(more + 1))
    only_led = longer[more:] == ngram and LEADING.issuperset(longer[:more])
    return more > 0 and within and not only_led

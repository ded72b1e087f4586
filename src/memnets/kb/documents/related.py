"""Words that go with each other though they share no stem: "renew" and "extend", "fee" and "pays".

They are told together of one concept in what was written of columns' names, by hand and for this
package (`memnets.kb.programs.associations`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import sqrt

from memnets.kb.documents.stems import stem
from memnets.kb.programs.associations import concepts


@lru_cache(2**16)
def related(one: str, other: str) -> float:
    """Return how nearly two stems go together: the cosine of the concepts that they are told of."""
    told = _concepts()
    mine, theirs = told.get(one, NONE), told.get(other, NONE)
    both = len(mine & theirs)
    return both / sqrt(len(mine) * len(theirs)) if both else 0.0


def nearest(one: str, others: Iterable[str]) -> float:
    """Return how nearly a stem goes with the nearest of others; 0 where there are none."""
    return max((related(one, other) for other in others), default=0.0)


@cache
def _concepts() -> Mapping[str, frozenset[int]]:
    """Return the concepts that each stem is told of."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number, concept in enumerate(concepts()):
        for words in (*concept.named, *concept.asked):
            if len(words) == 1:
                found[stem(words[0])].add(number)
    return {word: frozenset(told) for word, told in found.items()}


NONE: frozenset[int] = frozenset()

"""Words that go with each other though they share no stem: "renew" and "extend", "fee" and "pays".

They are told together of one concept in what was written of columns' names, by hand and for this
package (`memnets.kb.programs.associations`).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import sqrt

from memnets.kb.index.porter import porter
from memnets.kb.programs.associations import concepts


@lru_cache(2**16)
def related(one: str, other: str) -> float:
    """Return how nearly two stems go together: the cosine of the concepts that they are told of."""
    mine = told_of(one)
    theirs = told_of(other) if mine else NONE
    both = len(mine & theirs)
    return both / sqrt(len(mine) * len(theirs)) if both else 0.0


def nearest(one: str, others: Iterable[str]) -> float:
    """Return how nearly a stem goes with the nearest of others; 0 where there are none."""
    return max((related(one, other) for other in others), default=0.0)


@lru_cache(2**16)
def told_of(one: str) -> frozenset[int]:
    """Return the concepts that words of a stem are told of.

    Only words that begin as the stem does, but for its last letter, are looked at: to find the
    stems of all of them takes longer than a question may.
    """
    words, concepts_of = _words()
    begins = one[:-1] if len(one) > SHORT else one
    start = bisect_left(words, begins)
    found: set[int] = set()
    for place in range(start, len(words)):
        if not words[place].startswith(begins):
            break
        if porter(words[place]) == one:
            found |= concepts_of[words[place]]
    return frozenset(found)


@cache
def _words() -> tuple[list[str], Mapping[str, set[int]]]:
    """Return words in order, and the concepts that each is told of."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number, concept in enumerate(concepts()):
        for words in (*concept.named, *concept.asked):
            if len(words) == 1:
                found[words[0]].add(number)
    return sorted(found), found


NONE: frozenset[int] = frozenset()
SHORT = 2
"""Letters of a stem that words begin with as it is."""

"""What counting words reaches: nothing is learnt, and the number of hops is known."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from memnets.studies.metaqa.data import HOPS, Asked, Facts
from memnets.studies.metaqa.english import phrases, plain, words_of

NAMES = ("noun", "nouns", "past", "base", "present", "participle", "by")
"""Phrases that name a relation alone; questions are made of these and others."""


@lru_cache(maxsize=32)
def words_for(relation: str) -> frozenset[str]:
    """Return the words of a relation: those of its name, and of its phrases."""
    known = phrases().get(relation, {})
    told = (phrase for name in NAMES for phrase in known.get(name, ()))
    return frozenset(words_of(" ".join((relation.replace("_", " "), *told))))


def answered_by_words(facts: Facts, asked: Iterable[Asked]) -> dict[int, float]:
    """Return the share of questions answered right, by their number of hops."""
    right: dict[int, list[bool]] = {hops: [] for hops in HOPS}
    for one in asked:
        found = follow(facts, one)
        right[one.hops].append(bool(found) and facts.names[found[0]] in one.answers)
    return {hops: sum(hits) / max(len(hits), 1) for hops, hits in right.items()}


def follow(facts: Facts, asked: Asked) -> Sequence[int]:
    """Return the entities that most words lead to, those first that most ways lead to.

    At every hop that slot is taken, among those that some entity has, whose relation has most of
    the question's words; of equals one whose relation was not taken before, then the first.
    """
    ways: Mapping[int, int] = {asked.topic: 1}
    words, taken = frozenset(asked.words), set[str]()
    for _ in range(asked.hops):
        there = [
            slot for slot, ends in enumerate(facts.ends) if any(entity in ends for entity in ways)
        ]
        if not there:
            return ()
        slot = max(there, key=lambda slot: _shared(facts.slots[slot], words, taken))
        taken.add(plain(facts.slots[slot]))
        reached: dict[int, int] = {}
        for entity, often in ways.items():
            for end in facts.ends[slot].get(entity, ()):
                if end != asked.topic:
                    reached[end] = reached.get(end, 0) + often
        ways = reached
    return sorted(ways, key=lambda entity: -ways[entity])


def _shared(slot: str, words: frozenset[str], taken: set[str]) -> tuple[int, bool]:
    relation = plain(slot)
    return len(words & words_for(relation)), relation not in taken

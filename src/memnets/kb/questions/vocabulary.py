"""What the words of a question become before a memory of facts is read by them.

A question is a bag of tokens: its words and their beginnings, the entities that it names, and marks
for words that are not known. A fact is two bags: its key is the entity and the relation, its value
the objects.
"""

import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.mention import Mention
from memnets.kb.linking.spelling import ALIKE, nearest_word
from memnets.kb.linking.words import question_words
from memnets.kb.questions.english import KINDS
from memnets.kb.questions.phrases import Phrases, templates
from memnets.kb.store.layouts import reverse

NOTHING = "<nothing>"
"""Key and value of the slot that is read where no fact answers; number 0."""
ASKED = "<asked>"
"""Stands in every question, so that the empty slot can be liked more or less by all of them."""
UNKNOWN = "<unknown>"
"""Stands for a word that was in no way of asking."""
BESIDE = "<unknown beside a name>"
"""Stands for one next to a name, which may be a part of another name."""
LACKING = "<lacking>"
"""Stands in the key of a relation that others have and an entity has not."""
KIND = "thing"
"""What every general noun is read as, unless it is a word of a relation."""
MARKS = (NOTHING, ASKED, UNKNOWN, BESIDE, LACKING)
BEFORE, AFTER, LEADING, FOLLOWING = PLACES = ("before ", "after ", "leading ", "following ")
"""Stand before a word that comes before all names or after them, next to them or not: "by whom" is
not "by Ada", nor is "who directed it" "directed by it"."""
_PLACEHOLDER = re.compile(r"\{\w+\}")
STEM = 4
"""So many letters at the beginning of a word tell "director" and "directed" from other words."""
MOST_OBJECTS = 20
"""So many objects of a fact are in its value."""
MOST_BUCKETS = 2**16
"""Entities share so many embeddings at most, since every update goes over all of them. A question
reads the facts of few entities, so that two of one embedding hardly ever meet."""
MOST_LACKING = 64
"""So many relations that an entity has not are set beside those that it has."""
KEPT = 4096
"""Words of which the nearest known one is remembered."""


class EncodedQuestion(NamedTuple):
    """A question as it is understood."""

    tokens: tuple[int, ...]
    unknown: tuple[str, ...]
    """Words that are in no way of asking, nor nearly spelt like one that is."""
    corrected: tuple[tuple[str, str], ...]
    """Words that were taken for another, and that."""


class TokenVocabulary:
    """Numbers the tokens of questions, keys and values.

    Entities have no number of their own: each gets one of some buckets, by its name. So a fact
    that was added after training is read like any other.

    Args:
        words: that questions are made of.
        relations: in both directions.
        buckets: of entities.
    """

    def __init__(self, words: Iterable[str], relations: Iterable[str], buckets: int) -> None:
        self.words = frozenset(words)
        self._by_length: dict[int, list[str]] = {}
        for word in self.words:
            self._by_length.setdefault(len(word), []).append(word)
        self.relations = tuple(relations)
        self.buckets = buckets
        self._places = {name: place for place, name in enumerate(self.relations)}
        letters = [name.encode("utf-8", "replace") for name in self.relations]
        self._checksums = np.array(list(map(zlib.crc32, letters)), np.int64)
        self._lengths, self._of_length = np.unique(
            np.array(list(map(len, letters)), np.int64), return_inverse=True
        )
        self._kinds = frozenset(KINDS) - self.words
        stems = {word[:STEM] for word in self.words if len(word) >= STEM}
        whole = [*sorted(self.words), *(f"{stem}-" for stem in sorted(stems))]
        tokens = [*MARKS, *whole, *(place + word for place in PLACES for word in whole)]
        tokens += [f"relation {name}" for name in self.relations]
        self._numbers = {token: number for number, token in enumerate(tokens)}
        self._of_relation = {name: (self._numbers[f"relation {name}"],) for name in self.relations}
        self._nearest = lru_cache(KEPT)(self._sought)

    @classmethod
    def of(cls, phrases: Mapping[str, Phrases], entities: int) -> "TokenVocabulary":
        """Return the vocabulary of what is to be learnt.

        Args:
            phrases: ways of asking; only those to be learnt count.
            entities: how many the KB has.
        """
        learnt = (
            _PLACEHOLDER.sub(" ", phrase) for ways in phrases.values() for phrase in ways.learn
        )
        words = set(question_words(" ".join(learnt)))
        words |= {KIND, *STOP_WORDS, *INTERROGATIVES, "'s"}
        words |= {word for carrier in templates()["carriers"] for word in carrier.split()}
        return cls(words, phrases, min(2 ** (4 * entities).bit_length(), MOST_BUCKETS))

    def __len__(self) -> int:
        return len(self._numbers) + self.buckets

    def hear(self, words: Sequence[str], mentions: Sequence[Mention]) -> EncodedQuestion:
        """Understand a question, split into words, in which some entities are named."""
        tokens, unknown, corrected = [self._numbers[ASKED]], [], []
        named = {place for mention in mentions for place in range(mention.begin, mention.end)}
        first, last = min(named, default=0), max(named, default=len(words))  # or no place at all
        for mention in mentions:
            tokens += map(self.entity, mention.entities)
        for place, word in enumerate(words):
            if place in named:
                continue
            if word in self._kinds:
                word = KIND
            places = _places(place - first, place - last)
            found = self._of_word(word, places)
            if not found and (nearest := self._nearest(word)):
                corrected.append((word, nearest))
                found = self._of_word(nearest, places)
            if not found:
                unknown.append(word)
                found = [self._numbers[BESIDE if {place - 1, place + 1} & named else UNKNOWN]]
            tokens += found
        return EncodedQuestion(tuple(tokens), tuple(unknown), tuple(corrected))

    def _sought(self, word: str) -> str | None:
        """Return the word that another one is spelt nearly like: it is about as long."""
        lengths = (n for n in self._by_length if min(n, len(word)) >= ALIKE * (n + len(word)) / 2)
        return nearest_word(word, (one for n in lengths for one in self._by_length[n]))

    def _of_word(self, word: str, places: Sequence[str]) -> list[int]:
        whole = [one for one in (word, f"{word[:STEM]}-") if one in self._numbers]
        return [self._numbers[place + one] for place in ("", *places) for one in whole]

    def entity(self, name: str) -> int:
        return len(self._numbers) + _checksum(name) % self.buckets

    def key(self, entity: str, relation: str, lacking: bool = False) -> tuple[int, ...]:
        """Return the key of a fact; of a relation that was never learnt, the entity alone.

        Args:
            entity, relation: of the fact.
            lacking: whether there is no such fact.
        """
        marks = (self._numbers[LACKING],) if lacking else ()
        return (self.entity(entity), *self._of_relation.get(relation, ()), *marks)

    def value(self, objects: Sequence[str]) -> tuple[int, ...]:
        """Return the value of a fact; without objects, that of the empty slot."""
        if not objects:
            return (self._numbers[NOTHING],)
        return tuple(map(self.entity, objects[:MOST_OBJECTS]))

    def lacking(self, entity: str, has: Collection[str]) -> list[str]:
        """Return the relations that were learnt and an entity has not, or some of very many.

        The reverses of those that it has come first: words hardly tell them apart.
        """
        kept = np.ones(len(self.relations), np.bool_)
        kept[[self._places[name] for name in has if name in self._places]] = False
        others = np.flatnonzero(kept)
        if len(others) > MOST_LACKING:
            order = self._drawn(entity)
            backwards = {self._places.get(reverse(name), -1) for name in has} - {-1}
            order[list(backwards)] -= 2**32  # before all others
            # Order and place in one number, so that no more is sorted than is wanted.
            places = len(self.relations).bit_length()
            packed = order[others] << places | others
            others = np.sort(np.partition(packed, MOST_LACKING)[:MOST_LACKING]) % 2**places
        return [self.relations[place] for place in others.tolist()]

    def _drawn(self, entity: str) -> NDArray[np.int64]:
        """Return the CRC-32 of an entity and each relation, "Alien directed_by".

        All at once, since a KB may have thousands: what a checksum that has begun with the entity
        adds to that of a relation's name depends on the name's length alone.
        """
        begun = zlib.crc32(f"{entity} ".encode("utf-8", "replace"))
        added = [zlib.crc32(bytes(n), begun) ^ zlib.crc32(bytes(n)) for n in self._lengths.tolist()]
        return self._checksums ^ np.array(added, np.int64)[self._of_length]

    def to_json(self) -> dict[str, Any]:
        return {
            "words": sorted(self.words),
            "relations": list(self.relations),
            "buckets": self.buckets,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "TokenVocabulary":
        return cls(record["words"], record["relations"], record["buckets"])


@lru_cache(2**14)
def _checksum(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "replace"))


def _places(after_first: int, after_last: int) -> tuple[str, ...]:
    """Return where a word stands, by its distance from the first word of a name and the last."""
    if after_first < 0:
        return (BEFORE, LEADING) if after_first == -1 else (BEFORE,)
    if after_last > 0:
        return (AFTER, FOLLOWING) if after_last == 1 else (AFTER,)
    return ()

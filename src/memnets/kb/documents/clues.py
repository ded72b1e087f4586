"""What speaks for a sentence as the answer to a question: a row of numbers for each candidate."""

from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.documents.kinds import Kind, fits, kinds_of
from memnets.kb.documents.ranking import Fields, Stems
from memnets.kb.documents.related import nearest
from memnets.kb.documents.stems import SMALL, plain_words
from memnets.kb.index.porter import porter

REFERS = frozenset({"it", "they", "this", "that", "these", "he", "she"})
"""A sentence that begins so speaks of what the one before names."""


class Candidate(NamedTuple):
    """A sentence that may be the answer, and what stands around it."""

    slot: int
    """Of the store."""
    text: str
    score: float
    """By the stems that it shares with the question."""
    fields: Fields
    previous: Stems
    """Of the sentence before, below the same heading; none of the first."""
    next: Stems
    around: frozenset[str]
    """Stems of the sentences near it below the same heading."""


class Clues(NamedTuple):
    """What speaks for a sentence; shares are of what the question's stems tell together."""

    score: float
    """As a share of the best one."""
    headings: float
    """What they share with the question."""
    title: float
    """What title and file's name share with the question."""
    whole: float
    """What sentence, headings, title or file's name share with it."""
    previous: float
    """What the sentence before shares with it."""
    next: float
    around: float
    related: float
    """What its other stems go with in the sentence."""
    related_above: float
    """What stems that neither it nor its headings have go with in its headings."""
    opens: float
    """Whether nothing stands before it below its heading."""
    refers: float
    """Whether it begins with a pronoun."""
    small: float
    """Small words that it shares with the question."""
    length: float
    """The logarithm of its words, and one more."""
    fits: float
    """Whether it holds the kind of answer that is asked for."""


class Asked(NamedTuple):
    """A question, as candidates are compared with it."""

    stems: Mapping[str, float]
    """Each with its rarity."""
    small: frozenset[str]
    """The stems of its small words."""
    kinds: tuple[Kind, ...]

    @classmethod
    def of(cls, question: str, stems: Mapping[str, float]) -> "Asked":
        small = frozenset(porter(word) for word in plain_words(question) if word in SMALL)
        return cls(stems, small, kinds_of(question))

    def share(self, told: Collection[str]) -> float:
        """Return how much of the question some stems have."""
        shared = sum(rarity for one, rarity in self.stems.items() if one in told)
        return shared / self._all

    def goes_with(self, told: Stems, without: Collection[str]) -> float:
        """Return how much of the question, without some stems, goes with some words."""
        others = set(told)
        near = (
            rarity * nearest(one, others)
            for one, rarity in self.stems.items()
            if one not in without
        )
        return sum(near) / self._all

    @property
    def _all(self) -> float:
        return sum(self.stems.values()) or 1.0


def clues(asked: Asked, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Return the clues of candidates, a row each; the columns are those of `Clues`."""
    best = max((one.score for one in candidates), default=0.0) or 1.0
    rows = [_clues(asked, one, best) for one in candidates]
    return np.array(rows, np.float64).reshape(len(rows), len(Clues._fields))


def _clues(asked: Asked, one: Candidate, best: float) -> Clues:
    own, headings, title, file = one.fields
    mine, above = set(own), {*headings, *title, *file}
    return Clues(
        score=one.score / best,
        headings=asked.share(headings),
        title=asked.share({*title, *file}),
        whole=asked.share(mine | above),
        previous=asked.share(one.previous),
        next=asked.share(one.next),
        around=asked.share(one.around),
        related=asked.goes_with(own, mine),
        related_above=asked.goes_with(headings, mine | above),
        opens=float(not one.previous),
        refers=float(bool(own) and own[0] in REFERS),
        small=float(len(asked.small & mine)),
        length=log(1 + len(own)),
        fits=float(fits(asked.kinds, one.text)),
    )

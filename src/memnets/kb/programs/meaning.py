"""How strongly a question asks for what leads from a name or to it, as a trained ranker tells."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

import numpy as np

from memnets.kb.programs.vectors import RelationVectors
from memnets.kb.questions.ranking import BACKWARDS, FORWARDS, PATHS, RelationRanker
from memnets.kb.questions.sentences import Array
from memnets.kb.store.layouts import REVERSED, reverse

Way = tuple[str, ...]
"""The relations that lead on from a name, one after the other, each with a "!" if backwards."""


class Meanings:
    """Compares questions with the relations of a knowledge base.

    Args:
        ranker: of relations.
        vectors: of the relations, by that ranker.
    """

    def __init__(self, ranker: RelationRanker, vectors: RelationVectors) -> None:
        self._ranker, self._relations = ranker, vectors
        self._vectors = dict[Way, Array]()

    def of(
        self,
        words: Sequence[str],
        named: Sequence[tuple[int, int]],
        ways: Sequence[Sequence[Way]],
    ) -> list[list[float]]:
        """Return how strongly a question asks for each way of each thing that it names.

        Args:
            words: of the question.
            named: where each name begins and ends in it; "it" stands for it.
            ways: that there are from each.
        """
        self._encode({name.removeprefix(REVERSED) for some in ways for way in some for name in way})
        asked = [" ".join((*words[:begin], "it", *words[end:])) for begin, end in named]
        return [
            self._strengths(question, some)
            for question, some in zip(self._ranker.encode(asked), ways, strict=True)
        ]

    def _strengths(self, question: Array, ways: Sequence[Way]) -> list[float]:
        if not ways:
            return []
        self._follow(ways)
        vectors = np.stack([self._vectors[way] for way in ways])
        strengths: list[float] = self._ranker.strengths(
            question, vectors, [*map(_kind, ways)]
        ).tolist()
        return strengths

    def _follow(self, ways: Iterable[Way]) -> None:
        """Make the vectors of paths that were not made before, the short ones first."""
        new = sorted({*ways}.difference(self._vectors), key=len)
        for _, some in groupby(new, len):
            paths = [*some]
            first = np.stack([self._vectors[way[:-1]] for way in paths])
            then = np.stack([self._vectors[way[-1:]] for way in paths])
            self._vectors |= zip(paths, self._ranker.hop(first, then), strict=True)

    def _encode(self, names: Collection[str]) -> None:
        """Encode relations, each in both directions, that were not encoded before."""
        new = [name for name in sorted(names) if (name,) not in self._vectors]
        ways = [(one,) for name in new for one in (name, reverse(name))]
        if new:
            self._vectors |= zip(ways, self._relations.of(new), strict=True)


def _kind(way: Way) -> int:
    if len(way) > 1:
        return PATHS
    return BACKWARDS if way[0][:1] == REVERSED else FORWARDS

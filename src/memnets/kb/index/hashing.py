"""Hashing of words and of clusters of words, to look at a part of a large memory only.

Word hashing is the index itself: a bucket a word, and a sentence goes into those of its words.
Cluster hashing puts words that mean alike into one bucket, so that a sentence is also found by
words it does not hold. Its index is an index too, of clusters in the place of words.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.files import read_json, write_json

AT_ONCE = 2**22
"""Distances that are in memory at once."""


class Clusters:
    """The bucket of every word, as k-means of the words' vectors made them.

        clusters = Clusters(dict(zip(words, kmeans(vectors, 1000).owners)))
        builder.add(map(clusters.of, statements))
        index.candidates(clusters.of(question))

    Args:
        numbers: the cluster of every word.

    Cite: weston2014
    """

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._names = {word: str(number) for word, number in numbers.items()}

    def of(self, words: Iterable[str]) -> list[str]:
        """Return the buckets of some words, each once; unknown words have none."""
        known = filter(None, map(self._names.get, words))
        return list(dict.fromkeys(known))

    def save(self, path: Path) -> None:
        """Write the clusters to a JSON file, atomically."""
        write_json(path, {"clusters": {word: int(name) for word, name in self._names.items()}})

    @classmethod
    def open(cls, path: Path) -> "Clusters":
        """Read the clusters from a JSON file.

        Raises:
            ValueError: it is damaged, or a word has no number.
        """
        numbers = read_json(path, ("clusters",))["clusters"]
        wrong = [word for word, number in numbers.items() if type(number) is not int]
        if wrong:
            raise ValueError(
                f"{path}: the cluster of {wrong[0]!r} is {numbers[wrong[0]]!r}; expected a whole "
                f"number. Restore the file from a copy, or cluster the words anew."
            )
        return cls(numbers)


class Clustering(NamedTuple):
    """What k-means found."""

    centres: NDArray[np.float64]
    owners: NDArray[np.intp]
    """The cluster of every vector."""


def kmeans(
    vectors: NDArray[np.floating], clusters: int, seed: int = 0, rounds: int = 20
) -> Clustering:
    """Cluster vectors by Lloyd's algorithm, from centres drawn among them.

    A cluster that loses all its vectors takes the one that is farthest from its own centre.

    Args:
        vectors: one a row.
        clusters: how many.
        seed: of the draw.
        rounds: at most; it ends when no vector changes its cluster.

    Raises:
        ValueError: there are not that many vectors, or no cluster is asked for.
    """
    if not 1 <= clusters <= len(vectors):
        raise ValueError(
            f"kmeans: {clusters} clusters of {len(vectors)} vectors; expected 1 to "
            f"{len(vectors)}. Ask for fewer, or give more vectors."
        )
    points: NDArray[np.float64] = np.asarray(vectors, np.float64)
    draw = np.random.default_rng(seed).permutation(len(points))[:clusters]
    centres = points[draw]
    owners = np.full(len(points), -1)
    for _ in range(rounds):
        before, (owners, distances) = owners, _nearest(points, centres)
        sizes = np.bincount(owners, minlength=clusters)
        empty = np.flatnonzero(sizes == 0)
        owners[np.argsort(-distances, kind="stable")[: len(empty)]] = empty
        sums = np.zeros_like(centres)
        np.add.at(sums, owners, points)
        centres = sums / np.maximum(np.bincount(owners, minlength=clusters), 1)[:, None]
        if not len(empty) and np.array_equal(owners, before):
            break
    return Clustering(centres, _nearest(points, centres)[0])


def _nearest(
    vectors: NDArray[np.float64], centres: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the nearest centre of every vector, and the squared distance to it."""
    owners = np.empty(len(vectors), np.intp)
    distances = np.empty(len(vectors))
    lengths = (centres**2).sum(1)
    step = max(1, AT_ONCE // len(centres))
    for first in range(0, len(vectors), step):
        part = vectors[first : first + step]
        # |v - c|^2 without |v|^2, which is the same for all centres.
        away = lengths - 2 * part @ centres.T
        owners[first : first + step] = away.argmin(1)
        distances[first : first + step] = away.min(1) + (part**2).sum(1)
    return owners, distances


class CandidateCoverage(NamedTuple):
    """How well candidates cover what they are to lead to."""

    recall: float
    """Share of the supports that are among the candidates."""
    kept: float
    """Candidates a question, on average."""


def coverage(
    candidates: Sequence[NDArray[np.int32]], supports: Sequence[Sequence[int]]
) -> CandidateCoverage:
    """Return how well the candidates of questions cover their supports.

    Args:
        candidates: slots, ascending, of each question.
        supports: the slots that each question needs.

    Raises:
        ValueError: they are not of the same questions, or there are no supports.
    """
    if len(candidates) != len(supports) or not any(map(len, supports)):
        raise ValueError(
            f"coverage: candidates of {len(candidates)} questions, supports of {len(supports)}, "
            f"{sum(map(len, supports))} in all; expected both of each question, and one support "
            f"at least. Pass the same questions to both."
        )
    found = sum(
        int(np.isin(np.asarray(needed, np.int32), chosen).sum())
        for chosen, needed in zip(candidates, supports, strict=True)
    )
    return CandidateCoverage(
        found / sum(map(len, supports)), sum(map(len, candidates)) / len(candidates)
    )

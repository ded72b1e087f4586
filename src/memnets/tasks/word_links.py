"""Which words of a sentence and its translation belong together, by IBM model 1 (Brown 1993).

Nobody says it in a corpus of pairs; the words that keep coming together do. Imports no torch.

Cite: brown1993, koehn2003
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import NDArray

NOTHING = 0
"""The source word that words without a partner come from; padding's number, which no sentence has.
"""
ROUNDS = 5
"""Rounds of expectation and maximisation. After more of them what stands in every sentence, such as
the full stop, is said to come from nothing: on captions, after 10, four in ten of the words whose
translation is plain have lost it."""


class Links(NamedTuple):
    """Which words of a pair belong together, seen from both sides."""

    sure: Bool[np.ndarray, "target source"]
    """Both directions say so."""
    possible: Bool[np.ndarray, "target source"]
    """The sure ones, and those of either direction that grow from them (grow-diag, Koehn 2003)."""


@dataclass(frozen=True)
class Model1:
    r"""Chances $t(y \mid x)$ that a source word is translated by a target word.

    Args:
        met: the pairs of words that have met, as `source * targets + target`, sorted.
        chances: of each.
        targets: how many target words there are.
    """

    met: NDArray[np.int64]
    chances: NDArray[np.float64]
    targets: int

    @staticmethod
    def of(
        sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], rounds: int = ROUNDS
    ) -> "Model1":
        r"""Learn the chances from pairs of sentences.

        Every target word comes from one source word or from nothing, each as likely as another
        before anything is known. From uniform chances, each round shares every target word out
        among the words of its sentence and counts,

        $$ c(y, x) = \sum_{\text{pairs}} \sum_{j: y_j = y} \sum_{i: x_i = x}
           \frac{t(y_j \mid x_i)}{\sum_{i'} t(y_j \mid x_{i'})}, \qquad
           t(y \mid x) = \frac{c(y, x)}{\sum_{y'} c(y', x)} $$

        All words that meet are laid out side by side: 29,000 captions are 5 million.

        Args:
            sources: numbers of words, from 1.
            targets: those of the translations, in the same order.
            rounds: how often.

        Raises:
            ValueError: these are not as many, or there is no word to learn from.
        """
        _expect_pairs(sources, targets)
        source_flat, source_sizes = _flat([(NOTHING, *one) for one in sources])
        target_flat, target_sizes = _flat(targets)
        vocabulary = int(target_flat.max()) + 1
        # Each target word (token) meets every source word of its sentence (cells).
        meets = np.repeat(source_sizes, target_sizes)
        begins = np.cumsum(meets) - meets
        first = np.repeat(np.cumsum(source_sizes) - source_sizes, target_sizes)
        within = np.arange(meets.sum()) - np.repeat(begins, meets)
        cells = source_flat[np.repeat(first, meets) + within] * vocabulary
        cells += np.repeat(target_flat, meets)
        met, cell = np.unique(cells, return_inverse=True)
        chances = np.ones(len(met))
        for _ in range(rounds):
            shares = chances[cell]
            shares /= np.repeat(np.add.reduceat(shares, begins), meets)
            counts = np.bincount(cell, shares, len(met))
            chances = counts / np.bincount(met // vocabulary, counts)[met // vocabulary]
        return Model1(met, chances, vocabulary)

    def table(
        self, source: Sequence[int], target: Sequence[int]
    ) -> Float[np.ndarray, "target source"]:
        """Return the chances of all words of a pair; 0 for those that have never met."""
        columns, rows = np.asarray(source, np.int64), np.asarray(target, np.int64)
        wanted = columns[None] * self.targets + rows[:, None]
        at = np.searchsorted(self.met, wanted).clip(max=len(self.met) - 1)
        known = (self.met[at] == wanted) & (rows < self.targets)[:, None]
        return np.where(known, self.chances[at], 0.0)

    def links(
        self, source: Sequence[int], target: Sequence[int]
    ) -> Bool[np.ndarray, "target source"]:
        """Return the source word that each target word most likely comes from, or none.

        Of words as likely, such as one that stands there twice, the nearest to the diagonal is
        taken.
        """
        rows, columns = len(target), len(source)
        found = np.zeros((rows, columns), bool)
        if not (rows and columns):
            return found
        table = self.table((NOTHING, *source), target)
        alone, table = table[:, 0], table[:, 1:]
        best = table.max(1)
        off = np.abs((np.arange(columns) + 0.5) / columns - (np.arange(rows)[:, None] + 0.5) / rows)
        nearest = np.where(table == best[:, None], off, np.inf).argmin(1)
        linked = best > alone
        found[np.flatnonzero(linked), nearest[linked]] = True
        return found


@dataclass(frozen=True)
class WordLinks:
    """Links words in both directions, and keeps what they agree on.

    Args:
        forward: from source to target.
        backward: from target to source.
    """

    forward: Model1
    backward: Model1

    @staticmethod
    def of(
        sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], rounds: int = ROUNDS
    ) -> "WordLinks":
        """Learn both directions; nothing is held back, so the pairs to be linked may be among them.

        Args:
            sources: numbers of words, from 1.
            targets: those of the translations, in the same order.
            rounds: how often.

        Raises:
            ValueError: these are not as many, or there is no word to learn from.
        """
        forward = Model1.of(sources, targets, rounds)
        return WordLinks(forward, Model1.of(targets, sources, rounds))

    def links(self, source: Sequence[int], target: Sequence[int]) -> Links:
        """Return the links of a pair."""
        there = self.forward.links(source, target)
        back = self.backward.links(target, source).T
        return Links(there & back, _grown(there & back, there | back))


def _grown(
    sure: Bool[np.ndarray, "target source"], either: Bool[np.ndarray, "target source"]
) -> Bool[np.ndarray, "target source"]:
    """Add links beside those there are, of words that have none yet, until none is left."""
    links = sure.copy()
    grew = True
    while grew:
        grew = False
        for row, column in np.argwhere(either & ~links).tolist():
            beside = links[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            if beside.any() and not (links[row].any() and links[:, column].any()):
                links[row, column] = grew = True
    return links


def _flat(sentences: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all words one after the other, and how many each sentence has."""
    sizes = np.array([len(one) for one in sentences], np.int64)
    words = (word for one in sentences for word in one)
    return np.fromiter(words, np.int64, int(sizes.sum())), sizes


def _expect_pairs(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> None:
    if len(sources) != len(targets):
        raise ValueError(
            f"links between words: {len(sources):,} sentences and {len(targets):,} translations; "
            f"expected as many."
        )
    if not any(map(len, targets)) or not any(map(len, sources)):
        raise ValueError(
            "links between words: there is no word on one side. Expected pairs of sentences."
        )

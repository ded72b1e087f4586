"""Whether attention looks at the words that belong together, beside chance and the diagonal.

Cite: och2003
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from memnets.tasks.word_links import Links


class Pointing(NamedTuple):
    """How one source word, chosen for every target word, agrees with links."""

    agreement: float
    """Of target words that have a sure link, the share whose chosen word is one of theirs."""
    error_rate: float
    """Alignment error rate (Och 2003): 1 - (|A & sure| + |A & possible|) / (|A| + |sure|), with
    the choices A of all target words, also of those that have no link."""


class Agreement(NamedTuple):
    """Attention's agreement with links, and that of two who cannot read."""

    attention: Pointing
    """The word of the largest weight is chosen."""
    diagonal: Pointing
    """Word j of T chooses the word of the same share of the S words of the source."""
    chance: Pointing
    """Any source word is chosen, each as likely: what is to be expected."""
    words: int
    """Target words that have a sure link."""


def agreement(weights: Sequence[Float[np.ndarray, "_ _"]], links: Sequence[Links]) -> Agreement:
    """Compare attention with the links of the same sentences.

    Args:
        weights: of each pair, one row for each word of the reference translation (forced
            decoding), without rows and columns of begin, end and padding.
        links: of the same words.

    Raises:
        ValueError: the weights of a pair are of other words than its links, or no word is linked.
    """
    if len(weights) != len(links):
        raise ValueError(
            f"agreement: weights of {len(weights):,} pairs and links of {len(links):,}; expected "
            f"as many."
        )
    totals = {name: _Counts() for name in ("attention", "diagonal", "chance")}
    for number, (matrix, linked) in enumerate(zip(weights, links, strict=True), start=1):
        if matrix.shape != linked.sure.shape:
            raise ValueError(
                f"agreement: the weights of pair {number} are {matrix.shape}, its links "
                f"{linked.sure.shape}; expected (target words, source words) for both. Leave out "
                f"begin, end and padding, and sum subwords by over_words."
            )
        if not matrix.size:
            continue
        rows, columns = matrix.shape
        diagonal = ((np.arange(rows) + 0.5) * columns / rows).astype(int)
        totals["attention"].add(_chosen(matrix.argmax(1), columns), linked)
        totals["diagonal"].add(_chosen(diagonal, columns), linked)
        totals["chance"].add(np.full(matrix.shape, 1 / columns), linked)
    words = totals["chance"].words
    if not words:
        raise ValueError("agreement: no word of these pairs has a link. Expected some that have.")
    return Agreement(words=words, **{name: one.pointing() for name, one in totals.items()})


def over_words(
    weights: Float[np.ndarray, "target source"], target: Sequence[int], source: Sequence[int]
) -> Float[np.ndarray, "word source_word"]:
    """Return weights between words from those between pieces of words.

    The weights of a source word's pieces are added; over a target word's pieces the mean is taken.

    Args:
        weights: between pieces.
        target: of which word each target piece is, from 0 without a gap.
        source: of which word each source piece is.
    """
    rows, columns = np.asarray(target, int), np.asarray(source, int)
    summed = np.zeros((rows.max(initial=-1) + 1, columns.max(initial=-1) + 1))
    np.add.at(summed, (rows[:, None], columns[None]), weights)
    return summed / np.bincount(rows)[:, None] if len(rows) else summed


class _Counts:
    """Adds up what the choices of some pairs have in common with their links."""

    def __init__(self) -> None:
        self.words = 0
        self._right = self._sure = self._possible = 0.0
        self._chosen = self._links = 0

    def add(self, chosen: Float[np.ndarray, "target source"], linked: Links) -> None:
        """Add a pair; a choice is a row of chances that sum to 1."""
        right = float((chosen * linked.sure).sum())
        self._sure += right
        self._possible += float((chosen * linked.possible).sum())
        self._chosen += len(chosen)
        self._links += int(linked.sure.sum())
        self._right += right
        self.words += int(linked.sure.any(1).sum())

    def pointing(self) -> Pointing:
        error = 1 - (self._sure + self._possible) / (self._chosen + self._links)
        return Pointing(self._right / self.words, error)


def _chosen(columns: Int[np.ndarray, " target"], number: int) -> Float[np.ndarray, "target source"]:
    return np.eye(number)[columns]

"""End-to-end memory networks as loops, one story at a time (Sukhbaatar et al., 2015)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from memnets.reference.attention import dot, read, softmax

Table = Float[np.ndarray, "vocab dim"]
Vector = Float[np.ndarray, " dim"]


class Weights(NamedTuple):
    """A^k and C^k of every hop, B, W and, where layers are tied layer-wise, H."""

    A: Sequence[Table]
    C: Sequence[Table]
    B: Table
    W: Table
    H: Float[np.ndarray, "dim dim"] | None = None


class Sizes(NamedTuple):
    """How sentences and stories are laid out.

    Args:
        words: the longest sentence J, time word included.
        said: how many of its places are left for other words.
        first_time_word: where the time words begin; None if there are none.
        slots: how many slots are read, empty ones included; 0 for those of the story.
    """

    words: int
    said: int
    first_time_word: int | None
    slots: int = 0


def position(j: int, k: int, J: int, d: int) -> float:  # noqa: N803, the paper's letters
    """Weight word j in dimension k as the paper prints it (section 4.1)."""
    return (1 - j / J) - (k / d) * (1 - 2 * j / J)


def centred_position(j: int, k: int, J: int, d: int) -> float:  # noqa: N803
    """Weight word j in dimension k as the authors' code does."""
    return 1 + 4 * (k - (d + 1) / 2) * (j - (J + 1) / 2) / (d * J)


def bag(j: int, k: int, J: int, d: int) -> float:  # noqa: N803
    """Weight all words alike."""
    return 1.0


Place = Callable[[int, int, int, int], float]
Align = Callable[
    [Float[np.ndarray, " slot"], Bool[np.ndarray, " slot"]], Float[np.ndarray, " slot"]
]


def sentence(
    words: Sequence[int], last: int | None, table: Table, sizes: Sizes, place: Place
) -> Vector:
    """Sum l_j * table[x_j], nil (0) in all places that are left.

    `last` is the word in place J, which is the time word's; None where there is no such place:
    in a question of a model with time words, say, or in all sentences of one without.
    """
    d = table.shape[1]
    vector = np.zeros(d)
    placed = [*words, *[0] * (sizes.said - len(words))]
    pairs = list(enumerate(placed, start=1))
    if last is not None:
        pairs.append((sizes.words, last))
    for j, word in pairs:
        for k in range(1, d + 1):
            vector[k - 1] += place(j, k, sizes.words, d) * table[word, k - 1]
    return vector


def answer(
    story: Sequence[Sequence[int]],
    times: Sequence[int],
    question: Sequence[int],
    weights: Weights,
    sizes: Sizes,
    place: Place = centred_position,
    align: Align = softmax,
    activation: Callable[[Vector], Vector] = lambda u: u,
) -> tuple[Float[np.ndarray, " vocab"], list[Float[np.ndarray, " slot"]]]:
    """Return the logits of all words, and the weights p^k of every hop.

    Args:
        story: the sentences as word numbers; nil is 0. An empty slot is one of nil words only.
        times: how long ago each sentence was written, 1 the newest; nil stands for the time of
            an empty slot.
        question: the words of the question; it has no time word.
        weights: the tables.
        sizes: of sentences and stories.
        place: the position weight l.
        align: from scores to weights; `identity` is the linear start.
        activation: what is applied after each hop.
    """
    slots: list[tuple[Sequence[int], int | None]] = []
    for x, i in zip(story, times, strict=True):
        slots.append((x, None if sizes.first_time_word is None else sizes.first_time_word + i - 1))
    while len(slots) < sizes.slots:
        slots.append(((), None if sizes.first_time_word is None else 0))
    everything = np.ones(len(slots), dtype=bool)
    u = sentence(question, None, weights.B, sizes, place)
    read_at = []
    for A, C in zip(weights.A, weights.C, strict=True):  # noqa: N806
        m = np.array([sentence(x, t, A, sizes, place) for x, t in slots]).reshape(-1, len(u))
        c = np.array([sentence(x, t, C, sizes, place) for x, t in slots]).reshape(-1, len(u))
        p = align(dot(u, m), everything)
        o = read(p, c)
        u = activation((u if weights.H is None else weights.H @ u) + o)
        read_at.append(p)
    return np.array([sum(w * x for w, x in zip(row, u, strict=True)) for row in weights.W]), read_at

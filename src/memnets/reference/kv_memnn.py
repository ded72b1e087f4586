"""Key-value memory networks as loops, one question at a time (Miller et al., 2016)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import dot, read, softmax

Table = Float[np.ndarray, "vocab dim"]
Vector = Float[np.ndarray, " dim"]


class Weights(NamedTuple):
    """A, B, and R_j and its bias for every hop."""

    A: Table
    B: Table
    R: Sequence[Float[np.ndarray, "dim dim"]]
    b: Sequence[Vector]


def bag(words: Sequence[int], table: Table, power: float) -> Vector:
    """Sum the words of a bag, and divide by a power of their number."""
    vector = np.zeros(table.shape[1])
    for word in words:
        vector += table[word]
    return vector / max(len(words), 1) ** power


def answer(
    question: Sequence[int],
    keys: Sequence[Sequence[int]],
    values: Sequence[Sequence[int]],
    answers: Sequence[Sequence[int]],
    weights: Weights,
    power: float = 0.5,
) -> tuple[Float[np.ndarray, " answer"], list[Float[np.ndarray, " slot"]]]:
    """Return the scores of all answers, and the weights p of every hop.

    Args:
        question: words by number.
        keys: the words of the key of each candidate; none for a question that finds no slot.
        values: the words of their values.
        answers: the words of each possible answer.
        weights: the tables and matrices.
        power: of the number of words that a bag is divided by.
    """
    if not keys:
        keys, values = [()], [()]  # one NULL slot, which holds nothing
    q = bag(question, weights.A, power)
    k = np.array([bag(key, weights.A, power) for key in keys])
    v = np.array([bag(value, weights.A, power) for value in values])
    read_at = []
    for R, b in zip(weights.R, weights.b, strict=True):  # noqa: N806, the paper's letter
        p = softmax(dot(q, k), np.ones(len(k), dtype=bool))
        o = read(p, v)
        q = R @ (q + o) + b
        read_at.append(p)
    return np.array([q @ bag(y, weights.B, power) for y in answers]), read_at


def loss(scores: Float[np.ndarray, " answer"], right: int, others: Sequence[int]) -> float:
    """Return the loss of a softmax over the right answer and others."""
    total = np.exp(scores[right]) + sum(np.exp(scores[c]) for c in others)
    return float(-np.log(np.exp(scores[right]) / total))

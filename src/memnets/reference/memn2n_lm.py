"""The end-to-end memory network as a language model, as loops, one word at a time.

Letters are those of Sukhbaatar et al. (2015), sections 2 and 5.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import dot, product, read, softmax

Table = Float[np.ndarray, "vocab dim"]
Times = Float[np.ndarray, "slot dim"]


class Weights(NamedTuple):
    """A and C of all hops, the times that go with them (row 0 the newest word), H and W."""

    A: Table
    C: Table
    T_A: Times
    T_C: Times
    H: Float[np.ndarray, "dim dim"]
    W: Table


def predict(
    words: Sequence[int], weights: Weights, hops: int, linear: int
) -> tuple[Float[np.ndarray, " vocab"], list[Float[np.ndarray, " slot"]]]:
    """Return the logits of the word that follows, and the weights p^k of every hop.

    Args:
        words: the text so far; of it the last N are remembered, as many as there are times.
        weights: the tables.
        hops: how often they are read, K.
        linear: how many units of the state have no ReLU.
    """
    A, C, T_A, T_C, H, W = weights  # noqa: N806
    remembered = list(words)[-len(T_A) :]
    ages = range(len(remembered), 0, -1)  # the newest word has time 1
    m = np.array([A[w] + T_A[i - 1] for w, i in zip(remembered, ages, strict=True)])
    c = np.array([C[w] + T_C[i - 1] for w, i in zip(remembered, ages, strict=True)])
    u = np.full(A.shape[1], 0.1)
    read_at = []
    for _ in range(hops):
        p = softmax(dot(u, m), np.ones(len(m), dtype=bool))
        u = product(H, u) + read(p, c)
        for unit in range(linear, len(u)):
            u[unit] = max(u[unit], 0.0)
        read_at.append(p)
    return product(W, u), read_at


def loss(words: Sequence[int], weights: Weights, hops: int, linear: int) -> float:
    """Sum -log p over every word of a text but the first, each from all that stands before it."""
    total = 0.0
    for place in range(1, len(words)):
        logits, _ = predict(words[:place], weights, hops, linear)
        highest = max(logits)
        total += highest + math.log(sum(math.exp(x - highest) for x in logits))
        total -= logits[words[place]]
    return total

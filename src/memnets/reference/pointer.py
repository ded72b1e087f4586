"""Pointer networks as loops, one set of points at a time, and the paper's two baselines.

The letters are the paper's: P points, C the indices that are said, e what the encoder makes of a
point, d the decoder's state, u how well a point matches it, d' what attention reads. Points are
numbered from 1; 0 is the stop, and e_0 its vector.

Cite: vinyals2015
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import product, read, softmax
from memnets.reference.cran import LSTM
from memnets.reference.seq2seq import lstm, stacked

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]


class Reads(NamedTuple):
    """What all three have: how a point is embedded, what stands before the first, both LSTMs."""

    W: Array | None
    b: Vector | None
    first: Vector
    encoder: LSTM
    decoder: LSTM


class Match(NamedTuple):
    """The matrices of u, or of attention's a."""

    W_1: Array
    W_2: Array
    v: Vector


def embedded(P: Array, r: Reads) -> Array:  # noqa: N803
    """Return what is given of every point: itself, or W p + b."""
    if r.W is None or r.b is None:
        return P
    return np.array([product(r.W, point) + r.b for point in P])


def matched(keys: Array, d: Vector, w: Match) -> Vector:
    """Return u_j = v tanh(W_1 e_j + W_2 d) (Eq. 3)."""
    u = []
    for key in keys:
        hidden = np.tanh(product(w.W_1, key) + product(w.W_2, d))
        u.append(sum(w.v[h] * hidden[h] for h in range(len(w.v))))
    return np.array(u)


def pointer(
    P: Array,  # noqa: N803
    C: Sequence[int],  # noqa: N803
    r: Reads,
    w: Match,
    e_0: Vector,
    at_points: bool = False,
) -> tuple[Vector, Array]:
    """Return log p of every index of C and of the stop, and p of all slots at every step.

    Args:
        P: the points.
        C: numbers of points, from 1.
        r, w: the weights.
        e_0: the stop's vector.
        at_points: whether W_1 is of the points themselves, as the study notes write it.
    """
    x = embedded(P, r)
    e, state = stacked(x, [r.encoder])
    keys = np.array([e_0, *(P if at_points else e)])
    p, given = [], r.first
    for c in [*C, 0]:
        d, state = lstm(given, state, [r.decoder])
        p.append(softmax(matched(keys, d, w), np.ones(len(keys), dtype=bool)))
        given = x[c - 1]
    return log_of_right(p, C), np.array(p)


def attentive(
    P: Array,  # noqa: N803
    C: Sequence[int],  # noqa: N803
    r: Reads,
    w: Match,
    W_o: Array,  # noqa: N803
    b_o: Vector,
) -> tuple[Vector, Array]:
    """Return log p of every index and of the stop, over a fixed vocabulary, and a at every step."""
    x = embedded(P, r)
    e, state = stacked(x, [r.encoder])
    there = np.arange(len(b_o)) <= len(P)
    p, weights, given, read_before = [], [], r.first, np.zeros(e.shape[1])
    for c in [*C, 0]:
        d, state = lstm(np.array([*given, *read_before]), state, [r.decoder])
        a = softmax(matched(e, d, w), np.ones(len(e), dtype=bool))
        read_before = read(a, e)
        p.append(softmax(product(W_o, np.array([*d, *read_before])) + b_o, there))
        weights.append(a)
        given = x[c - 1]
    return log_of_right(p, C), np.array(weights)


def plain(
    P: Array,  # noqa: N803
    C: Sequence[int],  # noqa: N803
    r: Reads,
    W_o: Array,  # noqa: N803
    b_o: Vector,
) -> Vector:
    """Return log p of every index and of the stop, over a fixed vocabulary, by d alone."""
    x = embedded(P, r)
    _, state = stacked(x, [r.encoder])
    there = np.arange(len(b_o)) <= len(P)
    p, given = [], r.first
    for c in [*C, 0]:
        d, state = lstm(given, state, [r.decoder])
        p.append(softmax(product(W_o, d) + b_o, there))
        given = x[c - 1]
    return log_of_right(p, C)


def log_of_right(p: Sequence[Vector], C: Sequence[int]) -> Vector:  # noqa: N803
    """Return log p of every index of C, and of the stop behind them."""
    return np.array([np.log(p[i][c]) for i, c in enumerate([*C, 0])])

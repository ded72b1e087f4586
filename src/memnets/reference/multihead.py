"""Several heads, and a sequence that reads itself, as loops over heads and queries.

A score and an align are functions of `memnets.reference.attention`; the letters are the papers'.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from memnets.reference.attention import product, read, scaled_dot, softmax

Array = Float[np.ndarray, "..."]
Mask = Bool[np.ndarray, "query slot"]
Score = Callable[[Array, Array], Array]
Align = Callable[[Array, Bool[np.ndarray, " slot"]], Array]


def attend(
    query: Array,
    keys: Array,
    values: Array,
    mask: Bool[np.ndarray, " slot"],
    score: Score = scaled_dot,
    align: Align = softmax,
) -> tuple[Array, Array]:
    """Read once; return the weights and the value."""
    weights = align(score(query, keys), mask)
    return weights, read(weights, values)


def query_heads(
    queries: Array,
    keys: Array,
    values: Array,
    mask: Mask,
    score: Score = scaled_dot,
    align: Align = softmax,
) -> tuple[Array, Array]:
    """Let every head ask for itself, and join what they read (Qiu, chapter 8).

    Returns:
        The weights, head by head; the values, `(query, head * dim)`.
    """
    heads, asked = queries.shape[:2]
    weights = np.zeros((heads, asked, len(keys)))
    joined = []
    for i in range(asked):
        row: list[float] = []
        for m in range(heads):
            weights[m, i], value = attend(queries[m, i], keys, values, mask[i], score, align)
            row += list(value)
        joined.append(row)
    return weights, np.array(joined)


class Heads(NamedTuple):
    """The matrices of every head, and the one that mixes what they read."""

    query: Array
    key: Array
    value: Array
    output: Array


def multi_head(
    queries: Array,
    keys: Array,
    values: Array,
    mask: Mask,
    heads: Heads,
    score: Score = scaled_dot,
    align: Align = softmax,
) -> tuple[Array, Array]:
    """Project, read and join, head by head (Vaswani et al., section 3.2.2).

    Returns:
        The weights, head by head; the values, `(query, dim)`.
    """
    weights = np.zeros((len(heads.query), len(queries), len(keys)))
    read_by_query = []
    for i, query in enumerate(queries):
        row: list[float] = []
        for m, (W_q, W_k, W_v) in enumerate(  # noqa: N806
            zip(heads.query, heads.key, heads.value, strict=True)
        ):
            weights[m, i], value = attend(
                product(W_q, query),
                np.array([product(W_k, key) for key in keys]),
                np.array([product(W_v, value) for value in values]),
                mask[i],
                score,
                align,
            )
            row += list(value)
        read_by_query.append(product(heads.output, np.array(row)))
    return weights, np.array(read_by_query)


def self_attention(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:  # noqa: N803
    """Let the items of a sequence read each other, in the notes' form: items are columns.

    `Q = W_q X`, `K = W_k X`, `V = W_v X`, `h_n = att((K, V), q_n)`; returns `H`, `D_v x N`.
    """
    Q, K, V = W_q @ X, W_k @ X, W_v @ X  # noqa: N806
    H = np.zeros((len(V), X.shape[1]))  # noqa: N806
    everything = np.ones(X.shape[1], dtype=bool)
    for n in range(X.shape[1]):
        _, H[:, n] = attend(Q[:, n], K.T, V.T, everything)
    return H

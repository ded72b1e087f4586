"""Dynamic memory networks as loops, one story at a time: DMN (Kumar) and DMN+ (Xiong).

The letters are the papers': c or f a fact, q the question, m the memory, g the gates, and T passes;
what a pass has read is e in the first paper and c in the second. The first paper's products of two
vectors are taken number by number, and the GRU in PyTorch's form, whose z is 1 - u of the second.

Cite: kumar2016, xiong2016
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import product, read, softmax
from memnets.reference.cran import affine, relu, sigma
from memnets.reference.encoders import Linear
from memnets.reference.memn2n import Align, position

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]
Facts = Float[np.ndarray, "fact _"]
Gates = Float[np.ndarray, " fact"]
Gate = Callable[[Facts, Vector, Vector], Gates]
Read = Callable[[Facts, Gates], Vector]
Update = Callable[[Vector, Vector, Vector], Vector]
Passes = tuple[Vector, list[Gates]]


class GRU(NamedTuple):
    """Rows of reset, update and candidate, in PyTorch's order; an attention GRU has no update."""

    W: Array
    U: Array
    b_x: Vector
    b_h: Vector


# The GRU (Xiong et al., section 2)


def gru(x: Vector, h: Vector, cell: GRU) -> Vector:
    """Return the next state; the reset gate multiplies U h, not h."""
    given, held = product(cell.W, x) + cell.b_x, product(cell.U, h) + cell.b_h
    n = len(h)
    r = sigma(given[:n] + held[:n])
    z = sigma(given[n : 2 * n] + held[n : 2 * n])
    candidate = np.tanh(given[2 * n :] + r * held[2 * n :])
    return (1 - z) * candidate + z * h


def states(x: Array, cell: GRU) -> Array:
    """Return the state behind every step; the first is zero."""
    h = np.zeros(cell.U.shape[1])
    found = []
    for step in x:
        h = gru(step, h, cell)
        found.append(h)
    return np.array(found)


# The input and the question (Kumar et al., sections 2.1 and 2.2; Xiong et al., section 3.1)


def bag(words: Sequence[int], table: Array) -> Vector:
    """Sum the vectors of a sentence's words."""
    return np.array([sum(table[word, d] for word in words) for d in range(table.shape[1])])


def placed(words: Sequence[int], table: Array) -> Vector:
    """Sum l_j * w_j over a sentence of M words of its own: l depends on no other sentence."""
    M, D = len(words), table.shape[1]  # noqa: N806
    f = np.zeros(D)
    for j, word in enumerate(words, start=1):
        for d in range(1, D + 1):
            f[d - 1] += position(j, d, M, D) * table[word, d - 1]
    return f


def word_facts(sentences: Sequence[Sequence[int]], table: Array, cell: GRU) -> Facts:
    """Run one GRU over all words of all sentences, and take its state at each sentence's end."""
    words = [word for sentence in sentences for word in sentence]
    h = states(table[words], cell)
    facts, end = [], 0
    for sentence in sentences:
        end += len(sentence)
        facts.append(h[end - 1])
    return np.array(facts)


def question(words: Sequence[int], table: Array, cell: GRU) -> Vector:
    """Return q, the last state of a GRU over the question's words."""
    return states(table[list(words)], cell)[-1]


def fused(f: Facts, forth: GRU, back: GRU) -> Facts:
    """Let facts hear their neighbours: the states of a GRU there and of one back, added."""
    return states(f, forth) + states(f[::-1], back)[::-1]


# The regions of a picture (Xiong et al., section 3.2)


def snaked(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the places of a grid, row by row, every other row from the right."""
    found = []
    for row in range(rows):
        across = range(columns) if row % 2 == 0 else range(columns - 1, -1, -1)
        found += [(row, column) for column in across]
    return found


def regions(seen: Array, W: Linear) -> Facts:  # noqa: N803
    """Return tanh(W v + b) of what was seen at each place of a grid, in snake order."""
    return np.array([np.tanh(affine(seen[place], W)) for place in snaked(*seen.shape[:2])])


# The gates (Kumar et al., section 2.3; Xiong et al., section 3.3)


def features(c: Vector, m: Vector, q: Vector, W_b: Array) -> Vector:  # noqa: N803
    """Return z(c, m, q) of DMN: 7 H + 2 numbers, W_b the same for q and m."""
    said = [sum(product(W_b, x) * c) for x in (q, m)]  # c^T W_b q and c^T W_b m
    return np.concatenate([c, m, q, c * q, c * m, abs(c - q), abs(c - m), said])


def features_plus(f: Vector, m: Vector, q: Vector) -> Vector:
    """Return z of DMN+: 4 H numbers."""
    return np.concatenate([f * q, f * m, abs(f - q), abs(f - m)])


def gates(z: Array, inner: Linear, outer: Linear, normalise: Align = softmax) -> Gates:
    """Return g of all facts from W_2 tanh(W_1 z + b_1) + b_2.

    The softmax of DMN+ is over facts; `normalise=sigmoid` is DMN's.
    """
    logits = [affine(np.tanh(affine(each, inner)), outer)[0] for each in z]
    return normalise(np.array(logits), np.ones(len(z), dtype=bool))


# What a pass reads (the same sections)


def soft(f: Facts, g: Gates) -> Vector:
    """Return sum_i g_i f_i, which does not hear the order of facts."""
    return read(g, f)


def gated_gru(f: Facts, g: Gates, cell: GRU) -> Array:
    """Return h_i = g_i GRU(f_i, h_i-1) + (1 - g_i) h_i-1 of all facts: e is the last (DMN)."""
    h = np.zeros(cell.U.shape[1])
    found = []
    for fact, gate in zip(f, g, strict=True):
        h = gate * gru(fact, h, cell) + (1 - gate) * h
        found.append(h)
    return np.array(found)


def attention_gru(f: Facts, g: Gates, cell: GRU) -> Array:
    """Return the states of a GRU whose update gate is g_i: c is the last (DMN+)."""
    n = cell.U.shape[1]
    h = np.zeros(n)
    found = []
    for fact, gate in zip(f, g, strict=True):
        given, held = product(cell.W, fact) + cell.b_x, product(cell.U, h) + cell.b_h
        r = sigma(given[:n] + held[:n])
        h = gate * np.tanh(given[n:] + r * held[n:]) + (1 - gate) * h
        found.append(h)
    return np.array(found)


# The memory (the same sections); the tied update is m^t = GRU(c^t, m^t-1)


def relu_update(m: Vector, c: Vector, q: Vector, layer: Linear) -> Vector:
    """Return m^t = ReLU(W^t [m^t-1; c^t; q] + b^t); each pass has a layer of its own."""
    return relu(affine(np.concatenate([m, c, q]), layer))


def added(m: Vector, c: Vector) -> Vector:
    """Return m^t-1 + c^t, as memory networks trained end to end do."""
    return m + c


def passes(f: Facts, q: Vector, gates: Gate, attend: Read, updates: Sequence[Update]) -> Passes:
    """Return m^T, from m^0 = q, and the gates of all passes; each has an update.

    The gates are from f, m and q, what is read from f and g, and m^t from m^t-1, that, and q.
    """
    m, seen = q, []
    for update in updates:
        g = gates(f, m, q)
        m = update(m, attend(f, g), q)
        seen.append(g)
    return m, seen


# The answer (Kumar et al., section 2.4; Xiong et al., section 2)


def answer(q: Vector, m: Vector, W_a: Linear) -> Vector:  # noqa: N803
    """Return the logits of all answers, W_a [q; m^T] + b_a."""
    return affine(np.concatenate([q, m]), W_a)


def said(q: Vector, m: Vector, y: Array, cell: GRU, W_a: Array) -> Array:  # noqa: N803
    """Return the logits of each word of an answer: a_0 = m, a_t = GRU([y_t-1; q], a_t-1).

    y has the vector of the word before each word, at first of none.
    """
    a, logits = m, []
    for before in y:
        a = gru(np.concatenate([before, q]), a, cell)
        logits.append(product(W_a, a))
    return np.array(logits)

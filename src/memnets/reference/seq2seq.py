"""Translation with attention as loops, one sentence at a time: RNNsearch, and Luong's decoders.

The letters are the papers'. Of Bahdanau et al.: h annotations, s the decoder's state, c what was
read, alpha the weights, E y a word before as its vector. Of Luong et al.: h_t the top state of the
decoder, h_s those of the source, h~ the attentional state. How a source is weighed is given, by a
function of the state that asks, the states of the source, and the number of the step.

Cite: bahdanau2015, luong2015
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import product, read
from memnets.reference.cran import LSTM, sigma

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]
Weigh = Callable[[Vector, Array, int], Vector]
"""`weigh(query, states, step)` returns one weight a source word."""
Layers = list[tuple[Vector, Vector]]


class Unit(NamedTuple):
    """The matrices of a gated unit, and its biases; the encoder's has no C."""

    W: Array
    W_z: Array
    W_r: Array
    U: Array
    U_z: Array
    U_r: Array
    C: Array | None
    C_z: Array | None
    C_r: Array | None
    b: Vector
    b_z: Vector
    b_r: Vector


# Bahdanau et al., appendix A


def gated(y: Vector, s: Vector, c: Vector | None, f: Unit) -> Vector:
    """Return s_i of A.2.2, or of A.1.1 without a context; the reset multiplies s, not U s."""

    def given(W: Array, C: Array | None, b: Vector) -> Vector:  # noqa: N803
        known = product(W, y) + b
        return known if c is None or C is None else known + product(C, c)

    z = sigma(given(f.W_z, f.C_z, f.b_z) + product(f.U_z, s))
    r = sigma(given(f.W_r, f.C_r, f.b_r) + product(f.U_r, s))
    candidate = np.tanh(given(f.W, f.C, f.b) + product(f.U, r * s))
    return (1 - z) * s + z * candidate


def annotations(x: Array, forth: Unit, back: Unit) -> Array:
    """Return h_j, the states there and back of every word, side by side (A.2.1)."""
    there, behind = [], []
    state = np.zeros(len(forth.b))
    for word in x:
        state = gated(word, state, None, forth)
        there.append(state)
    state = np.zeros(len(back.b))
    for word in x[::-1]:
        state = gated(word, state, None, back)
        behind.append(state)
    return np.array([[*h, *g] for h, g in zip(there, behind[::-1], strict=True)])


def max_of_pairs(t: Vector) -> Vector:
    """Return t_i = max of t~_2i-1 and t~_2i (A.2.2)."""
    return np.array([max(t[2 * k], t[2 * k + 1]) for k in range(len(t) // 2)])


class Search(NamedTuple):
    """The decoder's matrices beside its unit, with biases."""

    W_s: Array
    b_s: Vector
    U_o: Array
    V_o: Array
    C_o: Array
    b_o: Vector
    W_o: Array
    b: Vector


def rnnsearch(h: Array, y: Array, f: Unit, d: Search, weigh: Weigh) -> tuple[Array, Array]:
    """Return the logits of all words, and alpha: asked and read out with s_i-1 (A.2.2)."""
    half = h.shape[1] // 2
    s = np.tanh(product(d.W_s, h[0, half:]) + d.b_s)  # of the backward state at the first word
    logits, weights = [], []
    for i, word in enumerate(y):
        alpha = weigh(s, h, i)
        c = read(alpha, h)
        t = product(d.U_o, s) + product(d.V_o, word) + product(d.C_o, c) + d.b_o
        logits.append(product(d.W_o, max_of_pairs(t)) + d.b)
        weights.append(alpha)
        s = gated(word, s, c, f)
    return np.array(logits), np.array(weights)


# Luong et al., sections 2 and 3


def lstm(x: Vector, state: Layers, layers: Sequence[LSTM]) -> tuple[Vector, Layers]:
    """Take one step of all layers, each over the one below."""
    new = []
    for layer, (h, c) in zip(layers, state, strict=True):
        n = len(h)
        sums = product(layer.W, x) + product(layer.U, h) + layer.b
        i, forget, o = (sigma(sums[k * n : (k + 1) * n]) for k in (0, 1, 3))
        c = forget * c + i * np.tanh(sums[2 * n : 3 * n])
        x = o * np.tanh(c)
        new.append((x, c))
    return x, new


def stacked(x: Array, layers: Sequence[LSTM]) -> tuple[Array, Layers]:
    """Return the top states of a source, and the states of all layers behind its last word."""
    state = [(np.zeros(layer.U.shape[1]), np.zeros(layer.U.shape[1])) for layer in layers]
    found = []
    for word in x:
        top, state = lstm(word, state, layers)
        found.append(top)
    return np.array(found), state


def turned_round(x: Array, layers: Sequence[LSTM]) -> tuple[Array, Layers]:
    """Read a source from its end; the states stand where their words do (section 4.1)."""
    states, last = stacked(x[::-1], layers)
    return states[::-1], last


class Attentional(NamedTuple):
    """What makes a word of what was read and of the state."""

    W_c: Array
    W_s: Array
    b: Vector


def luong(
    h_s: Array, y: Array, start: Layers, layers: Sequence[LSTM], d: Attentional, weigh: Weigh
) -> tuple[Array, Array]:
    """Return the logits of all words, and a_t: asked with h_t, behind the step (Eq. 5, 6)."""
    state, logits, weights = start, [], []
    for t, word in enumerate(y):
        h_t, state = lstm(word, state, layers)
        a = weigh(h_t, h_s, t)
        attentional = np.tanh(product(d.W_c, np.array([*read(a, h_s), *h_t])))
        logits.append(product(d.W_s, attentional) + d.b)
        weights.append(a)
    return np.array(logits), np.array(weights)


def luong_fed(
    h_s: Array, y: Array, start: Layers, layers: Sequence[LSTM], d: Attentional, weigh: Weigh
) -> tuple[Array, Array]:
    """Do so with input feeding: a step is given [E y; h~], h~ of the step before (section 3.3)."""
    state, logits, weights = start, [], []
    attentional = np.zeros(len(d.W_c))
    for t, word in enumerate(y):
        h_t, state = lstm(np.array([*word, *attentional]), state, layers)
        a = weigh(h_t, h_s, t)
        attentional = np.tanh(product(d.W_c, np.array([*read(a, h_s), *h_t])))
        logits.append(product(d.W_s, attentional) + d.b)
        weights.append(a)
    return np.array(logits), np.array(weights)


def log_probability(logits: Array, words: Sequence[int]) -> Vector:
    """Return log p of every right word."""
    found = []
    for scores, word in zip(logits, words, strict=True):
        largest = max(scores)
        total = sum(np.exp(score - largest) for score in scores)
        found.append(scores[word] - largest - np.log(total))
    return np.array(found)

"""Show, Attend and Tell as loops, one picture and one caption at a time.

The letters are the paper's: a annotations, h and c the LSTM's state, alpha the weights, beta the
gate, z what was taken, E y a word before as its vector. How places are weighed is given, by a
function of the state and the number of the step: a softmax of scores, or a place that was drawn.

Cite: xu2015
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from memnets.reference.attention import product, read
from memnets.reference.cran import LSTM, sigma
from memnets.reference.seq2seq import log_probability

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]
Weigh = Callable[[Vector, int], Vector]
"""`weigh(state, step)` returns one weight a place, for the state before the step: of `additive` and
`softmax` in `memnets.reference.attention` by the paper, or all of it on a place that was drawn."""


class Start(NamedTuple):
    """The two networks of the first state; `shared` are matrix and bias of the layers below."""

    W_h: Array
    b_h: Vector
    W_c: Array
    b_c: Vector
    shared: Sequence[tuple[Array, Vector]] = ()


class Output(NamedTuple):
    """The matrices of Eq. 7, and biases where there are any."""

    L_h: Array
    L_z: Array
    L_o: Array
    b: Vector
    """Within: of both matrices together."""
    b_o: Vector
    tanh: bool = False
    """Whether there is a tanh before L_o, as in the authors' code."""


class Gate(NamedTuple):
    """The scalar gate of section 4.2.1."""

    w: Vector
    b: float


class Told(NamedTuple):
    """What comes of a caption: logits of all words, alpha, beta, and alpha's logarithms."""

    logits: Array
    alpha: Array
    beta: Vector


def first_state(a: Array, start: Start) -> tuple[Vector, Vector]:
    """Return h_0 and c_0, of the mean annotation."""
    mean = np.zeros(a.shape[1])
    for place in a:
        mean = mean + place / len(a)
    for W, b in start.shared:  # noqa: N806
        mean = np.array([max(0.0, x) for x in product(W, mean) + b])
    return np.tanh(product(start.W_h, mean) + start.b_h), np.tanh(
        product(start.W_c, mean) + start.b_c
    )


def lstm(
    word: Vector,
    h: Vector,
    c: Vector,
    z: Vector,
    T: LSTM,  # noqa: N803
) -> tuple[Vector, Vector]:
    """Return h_t and c_t: Eq. 1 to 3, the input [E y; z] in one matrix and h in another."""
    n = len(h)
    sums = product(T.W, np.array([*word, *z])) + product(T.U, h) + T.b
    i, f, o = (sigma(sums[k * n : (k + 1) * n]) for k in (0, 1, 3))
    c = f * c + i * np.tanh(sums[2 * n : 3 * n])
    return o * np.tanh(c), c


def tell(
    a: Array,
    y: Array,
    start: Start,
    T: LSTM,  # noqa: N803
    output: Output,
    weigh: Weigh,
    gate: Gate | None,
) -> Told:
    """Return what is said of a picture, given the vectors of the words before.

    Args:
        a: annotations.
        y: E y_{t-1} of each step; zeros before the first word.
        start: of the state.
        T: of the LSTM.
        output: of the words.
        weigh: alpha, by h_{t-1}.
        gate: none in the paper's section 3.
    """
    h, c = first_state(a, start)
    logits, weights, gates = [], [], []
    for t, word in enumerate(y):
        alpha = weigh(h, t)
        beta = 1.0 if gate is None else float(sigma(np.array([gate.w @ h + gate.b]))[0])
        z = beta * read(alpha, a)
        h, c = lstm(word, h, c, z, T)
        d = word + product(output.L_h, h) + product(output.L_z, z) + output.b
        logits.append(product(output.L_o, np.tanh(d) if output.tanh else d) + output.b_o)
        weights.append(alpha)
        gates.append(beta)
    return Told(np.array(logits), np.array(weights), np.array(gates))


def scores_as_run(
    h: Vector,
    a: Array,
    first: tuple[Array, Vector],
    second: tuple[Array, Vector],
    W_d: Array,  # noqa: N803
    v: Vector,
) -> Vector:
    """Return e_t of the authors' code: two layers over the annotation, the first without a tanh."""
    (W_1, b_1), (W_2, b_2) = first, second  # noqa: N806
    return np.array(
        [
            v @ np.tanh(np.tanh(product(W_2, product(W_1, place) + b_1) + b_2) + product(W_d, h))
            for place in a
        ]
    )


def uneven(alpha: Array) -> float:
    """Return the sum over places of (1 - sum over steps of alpha)^2 (Eq. 14)."""
    found = 0.0
    for place in range(alpha.shape[1]):
        taken = 0.0
        for step in range(alpha.shape[0]):
            taken += alpha[step, place]
        found += (1.0 - taken) ** 2
    return found


class Reinforced(NamedTuple):
    """Numbers of hard attention: the baseline, and the weights of reward and entropy."""

    b: float
    of_reward: float
    of_entropy: float


def reward(told: Told, words: Sequence[int]) -> float:
    """Return log p(y | s, a)."""
    return float(sum(log_probability(told.logits, words)))


def estimate(
    told: Told,
    alpha: Array,
    drawn: Int[np.ndarray, " step"],
    words: Sequence[int],
    weights: Reinforced,
    fixed: float,
    soft: bool = False,
) -> float:
    """Return what the estimator of section 4.1 is the gradient of.

    Args:
        told: what came of the draws.
        alpha: that they were drawn from.
        drawn: the places.
        words: the right ones.
        weights: of the parts.
        fixed: the reward, which passes no gradient where it weighs the draws.
        soft: whether the expectation was read in their place: nothing was drawn then.
    """
    total, entropy = 0.0, 0.0
    for t, place in enumerate(drawn):
        total += 0.0 if soft else float(np.log(alpha[t, place]))
        entropy -= float(sum(p * np.log(p) for p in alpha[t]))
    advantage = fixed - weights.b
    return (
        reward(told, words) + weights.of_reward * advantage * total + weights.of_entropy * entropy
    )

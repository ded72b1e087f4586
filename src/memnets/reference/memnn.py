r"""The first memory network as loops, one question at a time (Weston et al., 2014)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, " D"]
Embedding = Float[np.ndarray, " n"]
Matrix = Float[np.ndarray, "n D"]


def phi(blocks: Sequence[Sequence[int]], dictionary: int) -> Vector:
    """Count words into D features: block b of the dictionary counts the words `blocks[b]`.

    With the three blocks of the paper, Phi_y(y) is `phi([y, [], []])`, Phi_x(x) of a question
    `phi([[], x, []])` and Phi_x([x, m]) is `phi([[], x, m])`; the words of several supports are
    all counted into the last.
    """
    features = np.zeros(len(blocks) * dictionary)
    for number, block in enumerate(blocks):
        for word in block:
            features[number * dictionary + word] += 1
    return features


def embed(U: Matrix, features: Vector, W: Float[np.ndarray, "n n"] | None = None) -> Embedding:  # noqa: N803
    """E: U Phi, or of two layers tanh(W tanh(U Phi))."""
    embedded = np.array([sum(u * f for u, f in zip(row, features, strict=True)) for row in U])
    return embedded if W is None else np.tanh(W @ np.tanh(embedded))


def score(
    U: Matrix,  # noqa: N803
    phi_x: Vector,
    phi_y: Vector,
    W: Float[np.ndarray, "n n"] | None = None,  # noqa: N803
) -> float:
    """s(x, y) = Phi_x(x)^T U^T U Phi_y(y) (Eq. 7), or with E of two layers."""
    return float(embed(U, phi_x, W) @ embed(U, phi_y, W))


def phi_t(x: int, y: int, rival: int) -> Float[np.ndarray, " 3"]:
    """Is x older than y, x older than y', y older than y'? 1 for yes; -1, not 0, for no."""
    return np.array([1.0 if a < b else -1.0 for a, b in ((x, y), (x, rival), (y, rival))])


def preference(
    s: Sequence[float],
    time: Float[np.ndarray, " 3"],
    x: int,
    y: int,
    rival: int,
) -> float:
    """s_Ot(x, y, y'), from the scores s of all slots, and E(Phi_x(x))^T U_t (section 3.4)."""
    return float(s[y] - s[rival] + time @ phi_t(x, y, rival))


def tournament(s: Sequence[float], time: Float[np.ndarray, " 3"], x: int) -> int:
    """Algorithm 1: keep t while it is preferred to the next slot, else take that one."""
    t = 0
    for i in range(1, len(s)):
        if not preference(s, time, x, t, i) > 0:
            t = i
    return t


def ranking_loss(s: Sequence[float], right: int, gamma: float) -> float:
    """Sum max(0, gamma - s(x, right) + s(x, f)) over all others f (Eqs. 8-10)."""
    return sum(max(0.0, gamma - s[right] + s[f]) for f in range(len(s)) if f != right)


def timed_loss(
    s: Sequence[float], time: Float[np.ndarray, " 3"], x: int, right: int, gamma: float
) -> float:
    """Sum max(0, gamma - s_Ot(x, o, f)) + max(0, gamma + s_Ot(x, f, o)) over all others f."""
    loss = 0.0
    for f in range(len(s)):
        if f != right:
            loss += max(0.0, gamma - preference(s, time, x, right, f))
            loss += max(0.0, gamma + preference(s, time, x, f, right))
    return loss


class Weights(NamedTuple):
    """U of one score function, and, where it has them, W, U_t and lambda."""

    U: Matrix
    W: Float[np.ndarray, "n n"] | None = None
    U_t: Float[np.ndarray, "n 3"] | None = None
    exact: float = 0.0


def phi_x(
    question: Sequence[int],
    supports: Sequence[Sequence[int]],
    said: Sequence[int],
    dictionary: int,
    blocks: int,
) -> Vector:
    """Phi_x([x, m_1, m_2, ...]) in so many blocks: see `phi`.

    The fourth block counts the support found last, the fifth the words said before.
    """
    words = [word for support in supports for word in support]
    last = list(supports[-1]) if supports else []
    return phi([[], question, words, last, said][:blocks], dictionary)


def scores(
    x: Vector, candidates: Sequence[Sequence[int]], weights: Weights, dictionary: int
) -> list[float]:
    """s(x, y) of every candidate y, exact matches included (section 3.6)."""
    blocks = len(x) // dictionary
    # In the question and in all supports; the fourth block would count the last of them twice.
    words = x[dictionary : 2 * dictionary] + x[2 * dictionary : 3 * dictionary]
    found = []
    for y in candidates:
        of_y = phi([y, *[[]] * (blocks - 1)], dictionary)
        exact = words @ of_y[:dictionary]
        found.append(score(weights.U, x, of_y, weights.W) + weights.exact * float(exact))
    return found


def support(
    story: Sequence[Sequence[int]],
    question: Sequence[int],
    weights: Weights,
    hops: int,
    dictionary: int,
    stop: bool = False,
) -> list[int]:
    """Find slots one after another (Eqs. 2-4); where slot 0 is the stop fact, until it wins."""
    found: list[int] = []
    blocks = weights.U.shape[1] // dictionary
    for _ in range(hops):
        x = phi_x(question, [story[slot] for slot in found], [], dictionary, blocks)
        s = scores(x, story, weights, dictionary)
        if weights.U_t is None:
            slot = int(np.argmax(s))
        else:
            time = embed(weights.U, x, weights.W) @ weights.U_t
            slot = tournament(s, time, found[-1] if found else len(story))
        if stop and slot == 0:
            break
        found.append(slot)
    return found


def loss(
    story: Sequence[Sequence[int]],
    question: Sequence[int],
    supports: Sequence[int],
    answer: Sequence[int],
    output: Weights,
    response: Weights,
    gamma: float,
    dictionary: int,
    stop: bool = False,
) -> float:
    """The ranking losses of all supports and of all words of the answer, over all rivals.

    Words 0 of the dictionary is nil, and no rival. The stop, slot 0, is to win after the supports.
    """
    total, blocks = 0.0, output.U.shape[1] // dictionary
    for hop, right in enumerate([*supports, 0] if stop else supports):
        before = supports[:hop]
        x = phi_x(question, [story[slot] for slot in before], [], dictionary, blocks)
        s = scores(x, story, output, dictionary)
        if output.U_t is None:
            total += ranking_loss(s, right, gamma)
        else:
            time = embed(output.U, x, output.W) @ output.U_t
            latest = before[-1] if before else len(story)
            total += timed_loss(s, time, latest, right, gamma)
    evidence = [story[slot] for slot in supports]
    words = [[word] for word in range(1, dictionary)]
    for place, right in enumerate(answer):
        x = phi_x(question, evidence, answer[:place], dictionary, 5)
        total += ranking_loss(scores(x, words, response, dictionary), right - 1, gamma)
    return total


def segment_score(w_seg: Embedding, U_S: Matrix, words: Sequence[int]) -> float:  # noqa: N803
    """seg(c) = W_seg^T U_S Phi_seg(c) (section 3.2)."""
    return float(w_seg @ embed(U_S, phi([words], U_S.shape[1])))


def segments(
    w_seg: Embedding,
    U_S: Matrix,  # noqa: N803
    gamma: float,
    stream: Sequence[int],
) -> list[list[int]]:
    """Cut a stream where the words since the last cut score more than gamma."""
    found: list[list[int]] = []
    c: list[int] = []
    for word in stream:
        c.append(word)
        if segment_score(w_seg, U_S, c) > gamma:
            found.append(c)
            c = []
    return found

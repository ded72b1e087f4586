r"""The first memory network as loops, one question at a time (Weston et al., 2014)."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, " D"]
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


def embed(U: Matrix, features: Vector, W: Float[np.ndarray, "n n"] | None = None) -> Vector:  # noqa: N803
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


def segment_score(w_seg: Vector, U_S: Matrix, words: Sequence[int]) -> float:  # noqa: N803
    """seg(c) = W_seg^T U_S Phi_seg(c) (section 3.2)."""
    return float(w_seg @ embed(U_S, phi([words], U_S.shape[1])))


def segments(w_seg: Vector, U_S: Matrix, gamma: float, stream: Sequence[int]) -> list[list[int]]:  # noqa: N803
    """Cut a stream where the words since the last cut score more than gamma."""
    found: list[list[int]] = []
    c: list[int] = []
    for word in stream:
        c.append(word)
        if segment_score(w_seg, U_S, c) > gamma:
            found.append(c)
            c = []
    return found

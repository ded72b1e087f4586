"""The Neural Turing Machine as loops, one sequence and one step at a time.

The letters are the paper's: M the memory, N slots of it, w a weighting, k key, beta its strength,
g the gate, s the shift, gamma the sharpening, e what is erased, a what is added, r what is read.

Cite: graves2014
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import cosine, product, read, softmax
from memnets.reference.cran import LSTM, sigma
from memnets.reference.encoders import Linear

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]
Row = Float[np.ndarray, " slot"]
Memory = Float[np.ndarray, "slot dim"]


class Head(NamedTuple):
    """What a head is told, each from h: the last two are a write head's."""

    k: Linear
    beta: Linear
    g: Linear
    s: Linear
    gamma: Linear
    e: Linear | None = None
    a: Linear | None = None


class Machine(NamedTuple):
    """The controller and the heads."""

    controller: LSTM | Linear
    read: tuple[Head, ...]
    write: tuple[Head, ...]
    order: Literal["write first", "read first"] = "write first"
    tanh_key: bool = False
    tanh_add: bool = False
    clip: float = 20.0


class State(NamedTuple):
    """What is carried: M, the weightings of the read and write heads, r of each, h and c."""

    M: Memory
    w_read: tuple[Row, ...]
    w_write: tuple[Row, ...]
    r: tuple[Vector, ...]
    h: Vector
    c: Vector


class Step(NamedTuple):
    """What a step says: h and all r; and how its heads stood."""

    output: Vector
    w_read: tuple[Row, ...]
    w_write: tuple[Row, ...]


def run(x: Array, state: State, machine: Machine) -> tuple[list[Step], State]:
    """Take the steps of a sequence."""
    steps = []
    for one in x:
        said, state = step(one, state, machine)
        steps.append(said)
    return steps, state


def step(x: Vector, state: State, machine: Machine) -> tuple[Step, State]:
    """Ask the controller, then write and read in the order that the machine has."""
    h, c = control(np.concatenate([x, *state.r]), state, machine.controller)
    M = state.M  # noqa: N806
    if machine.order == "write first":
        w_write = look(h, M, state.w_write, machine.write, machine)
        M = write(h, M, w_write, machine)  # noqa: N806
        w_read = look(h, M, state.w_read, machine.read, machine)
        r = tuple(read(w, M) for w in w_read)
    else:
        w_read = look(h, M, state.w_read, machine.read, machine)
        r = tuple(read(w, M) for w in w_read)
        w_write = look(h, M, state.w_write, machine.write, machine)
        M = write(h, M, w_write, machine)  # noqa: N806
    after = State(M, w_read, w_write, r, h, c)
    return Step(np.concatenate([h, *r]), w_read, w_write), after


def control(x: Vector, state: State, controller: LSTM | Linear) -> tuple[Vector, Vector]:
    """Return the next h and c: of an LSTM, or of a layer that carries nothing."""
    if isinstance(controller, Linear):
        return np.tanh(product(controller.W, x) + controller.b), state.c
    sums = product(controller.W, x) + product(controller.U, state.h) + controller.b
    i, f, z, o = np.split(sums, 4)
    c = sigma(f) * state.c + sigma(i) * np.tanh(z)
    return sigma(o) * np.tanh(c), c


def look(
    h: Vector,
    M: Memory,  # noqa: N803
    before: tuple[Row, ...],
    heads: tuple[Head, ...],
    machine: Machine,
) -> tuple[Row, ...]:
    """Return the weightings of some heads, all of which address the same memory."""
    return tuple(address(h, M, w, head, machine) for w, head in zip(before, heads, strict=True))


def address(h: Vector, M: Memory, w: Row, head: Head, machine: Machine) -> Row:  # noqa: N803
    """Content, interpolation, shift, sharpening (Eq. 5 to 9)."""
    k = told(h, head.k, machine)
    k = np.tanh(k) if machine.tanh_key else k
    beta = softplus(told(h, head.beta, machine)[0])
    g = sigma(told(h, head.g, machine))[0]
    s = softmax(told(h, head.s, machine), np.ones(len(head.s.b), bool))
    gamma = 1 + softplus(told(h, head.gamma, machine)[0])
    content = softmax(cosine(k, M, beta), np.ones(len(M), bool))
    return sharpen(shift(g * content + (1 - g) * w, s), gamma)


def shift(w: Row, s: Vector) -> Row:
    """Sum over the ring (Eq. 8); s holds the moves from -r to r."""
    N, r = len(w), len(s) // 2  # noqa: N806
    moved = np.zeros(N)
    for i in range(N):
        for j in range(N):
            for place, share in enumerate(s):
                if (i - j - (place - r)) % N == 0:
                    moved[i] += w[j] * share
    return moved


def sharpen(w: Row, gamma: float, smallest: float = 1e-12) -> Row:
    """Raise to a power, and let it sum to one again (Eq. 9)."""
    powers = np.array([max(share, smallest) ** gamma for share in w])
    return powers / sum(powers)


def write(h: Vector, M: Memory, weights: tuple[Row, ...], machine: Machine) -> Memory:  # noqa: N803
    """Erase by every head, then add by every head (Eq. 3 and 4)."""
    found = np.array(M)
    for i in range(len(M)):
        for w, head in zip(weights, machine.write, strict=True):
            assert head.e is not None
            found[i] = found[i] * (1 - w[i] * sigma(told(h, head.e, machine)))
        for w, head in zip(weights, machine.write, strict=True):
            assert head.a is not None
            a = told(h, head.a, machine)
            found[i] = found[i] + w[i] * (np.tanh(a) if machine.tanh_add else a)
    return found


def told(h: Vector, layer: Linear, machine: Machine) -> Vector:
    """Return what a head is told, kept near zero."""
    said = product(layer.W, h) + layer.b
    return np.array([min(max(number, -machine.clip), machine.clip) for number in said])


def softplus(x: float) -> float:
    """Return log(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))

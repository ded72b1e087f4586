"""The cache-based recurrent attention network as loops, one row and one step at a time (CRAN).

The letters are the proposal's: N zones of L slots, of which k are read; x the input, h the hidden
state, u the query of the zones, y what was read. A variant is a function; where it has weights,
give them with `functools.partial`, and it is a part of a `Cell`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import dot, read, softmax
from memnets.reference.encoders import Linear, linear, normalised, sinusoids
from memnets.reference.multihead import Heads, multi_head

Array = Float[np.ndarray, "..."]
Vector = Float[np.ndarray, " _"]
Filled = Float[np.ndarray, "filled hidden"]
"""The states that a zone holds, oldest first."""


class Zone(NamedTuple):
    """Up to L hidden states, and the key by which they are found together."""

    states: Filled
    key: Vector


class State(NamedTuple):
    """What is carried from step to step: h, the zones from oldest to newest."""

    hidden: Vector
    zones: tuple[Zone, ...]
    written: int
    """How many states were ever written."""


class Evidence(NamedTuple):
    """What one step read, zone by zone of those it found: nothing of the zones not chosen."""

    zones: Vector
    """Alpha of every zone."""
    slots: tuple[Vector, ...]
    """a of every filled slot."""
    steps: tuple[tuple[int, ...], ...]
    """The number, from 0, of the step that wrote the slot."""


class Cell(NamedTuple):
    """The parts of a cell.

    Args:
        query: u, from x and h.
        read: Q, from x and h.
        project: W_K and b_K.
        update: the new h, from x and y.
        key: the key of a zone, from the states it holds.
        choose: alpha, from the logits of the zones.
        capacity: N.
        slots: L.
        zone_scale: what the logits of the zones are multiplied by.
        slot_scale: what those of the slots are.
    """

    query: Callable[[Vector, Vector], Vector]
    read: Callable[[Vector, Vector], Vector]
    project: Linear
    update: Callable[[Vector, Vector], Vector]
    key: Callable[[Filled], Vector]
    choose: Callable[[Vector], Vector]
    capacity: int
    slots: int
    zone_scale: float = 1.0
    slot_scale: float = 1.0


def relu(x: Array) -> Array:
    """Cut what is negative."""
    return np.maximum(x, 0.0)


def sigma(x: Vector) -> Vector:
    """Squeeze every number between 0 and 1."""
    return np.array([1 / (1 + math.exp(-number)) for number in x])


def affine(x: Vector, layer: Linear) -> Vector:
    """Project one vector."""
    return layer.W @ x + layer.b


def empty(hidden: int) -> State:
    """Begin with a hidden state of zeros and no zone."""
    return State(np.zeros(hidden), (), 0)


def run(
    inputs: Float[np.ndarray, "time dim"],
    state: State,
    cell: Cell,
    refresh: Literal["write", "window"] = "write",
) -> tuple[Float[np.ndarray, "time hidden"], State, list[Evidence]]:
    """Take the steps of one window.

    Args:
        inputs: x of every step.
        state: what the window before has left.
        cell: the parts.
        refresh: "window" makes the keys of all zones anew before the first step; "write" leaves
            them as they were made when their zone was last written.
    """
    if refresh == "window":
        zones = tuple(Zone(zone.states, cell.key(zone.states)) for zone in state.zones)
        state = state._replace(zones=zones)
    hidden, seen = np.zeros((len(inputs), len(state.hidden))), []
    for t, x in enumerate(inputs):
        state, evidence = step(x, state, cell)
        hidden[t] = state.hidden
        seen.append(evidence)
    return hidden, state, seen


def step(x: Vector, state: State, cell: Cell) -> tuple[State, Evidence]:
    """Read, update, renew: the memory is read as the step before has left it (Eq. 1 to 6)."""
    y, evidence = attend(x, state, cell)
    h = cell.update(x, y)
    return renew(h, state, cell), evidence


def attend(x: Vector, state: State, cell: Cell) -> tuple[Vector, Evidence]:
    """Choose zones by their keys, read inside each, add what was read (Eq. 1 to 4)."""
    h = state.hidden
    u, q = cell.query(x, h), cell.read(x, h)
    s = np.array([cell.zone_scale * sum(u * zone.key) for zone in state.zones])
    alpha = cell.choose(s)
    y, slots = np.zeros(len(h)), []
    for weight, zone in zip(alpha, state.zones, strict=True):
        a = np.zeros(len(zone.states))
        if weight != 0:
            k = relu(linear(zone.states, cell.project))
            a = softmax(cell.slot_scale * dot(q, k), np.ones(len(k), dtype=bool))
            y = y + weight * read(a, zone.states)
        slots.append(a)
    return y, Evidence(alpha, tuple(slots), written_at(state))


def written_at(state: State) -> tuple[tuple[int, ...], ...]:
    """Say which step wrote each slot: the zones hold the last states, in turn."""
    first = state.written - sum(len(zone.states) for zone in state.zones)
    steps = []
    for zone in state.zones:
        steps.append(tuple(range(first, first + len(zone.states))))
        first += len(zone.states)
    return tuple(steps)


def renew(h: Vector, state: State, cell: Cell) -> State:
    """Write h into the newest zone, and make the key of that zone anew (Eq. 6)."""
    zones = list(state.zones)
    states = np.zeros((0, len(h)))
    if state.written % cell.slots != 0:
        states = zones.pop().states
    elif len(zones) == cell.capacity:
        zones.pop(0)
    states = np.array([*states, h])
    return State(h, (*zones, Zone(states, cell.key(states))), state.written + 1)


# 1: which zones.


def input_query(x: Vector, h: Vector, P: Array | None = None) -> Vector:  # noqa: N803
    """Ask with the input (1.1), projected where a key has another width."""
    return x if P is None else P @ x


def joint_query(x: Vector, h: Vector, layer: Linear) -> Vector:
    """Ask with the input and the hidden state before it (1.2)."""
    return affine(np.array([*x, *h]), layer)


def highest(s: Vector, k: int) -> list[int]:
    """Name the zones of the k highest logits; of equal ones, the newer."""
    return sorted(range(len(s)), key=lambda i: (-s[i], -i))[:k]


def top_zones(s: Vector, k: int) -> Vector:
    """Take the softmax over all zones, then keep k."""
    return given_zones(s, highest(s, k))


def given_zones(s: Vector, chosen: Sequence[int]) -> Vector:
    """Take the softmax over all zones, then keep those that something else has chosen."""
    return softmax(s, np.ones(len(s), dtype=bool)) * _among(chosen, s)


def renormalised_zones(s: Vector, k: int) -> Vector:
    """Keep k zones, then take the softmax over those."""
    return softmax(s, _among(highest(s, k), s))


def twice_softmax_zones(s: Vector, k: int) -> Vector:
    """Take the softmax over all zones, keep k, and take the softmax of their probabilities."""
    p = softmax(s, np.ones(len(s), dtype=bool))
    return softmax(p, _among(highest(s, k), s))


def _among(chosen: Sequence[int], s: Vector) -> np.ndarray:
    return np.array([i in chosen for i in range(len(s))], dtype=bool)


# 2: how the slots of a zone are read.


def input_read(x: Vector, h: Vector, layer: Linear) -> Vector:
    """Ask with the input (2.1)."""
    return relu(affine(x, layer))


def joint_read(x: Vector, h: Vector, layer: Linear) -> Vector:
    """Ask with the input and the hidden state before it (2.2)."""
    return relu(affine(np.array([*x, *h]), layer))


# 3: the new hidden state.


def relu_update(x: Vector, y: Vector, layer: Linear) -> Vector:
    """Join the input and what was read (3.1)."""
    return relu(affine(np.array([*x, *y]), layer))


def gated_update(x: Vector, y: Vector, r: Linear, z: Linear, n: Linear, i: Linear) -> Vector:
    """Let gates blend what was read with something new (3.2)."""
    both = np.array([*x, *y])
    reset, keep = sigma(affine(both, r)), sigma(affine(both, z))
    new = np.tanh(reset * affine(x, n) + affine(y, i))
    return (1 - keep) * new + keep * y


# 4: the key of a zone.


def padded(states: Filled, slots: int) -> Vector:
    """Lay the slots end to end, zeros in the empty ones."""
    return np.array([*states.flatten(), *[0.0] * ((slots - len(states)) * states.shape[1])])


def linear_key(states: Filled, layer: Linear, slots: int, cut: bool = True) -> Vector:
    """Project all slots at once (4.1); the proposal cuts what is negative."""
    key = affine(padded(states, slots), layer)
    return relu(key) if cut else key


def mlp_key(states: Filled, layers: Sequence[Linear], slots: int, cut: bool = True) -> Vector:
    """Project again and again (4.2); the proposal cuts what is negative, every time."""
    x = padded(states, slots)
    for layer in layers[:-1]:
        x = relu(affine(x, layer))
    key = affine(x, layers[-1])
    return relu(key) if cut else key


class LSTM(NamedTuple):
    """One direction of a layer: W reads x, U reads h; input, forget, new, output, end to end."""

    W: Array
    U: Array
    b: Vector


def lstm(x: Array, weights: LSTM) -> Array:
    """Return the hidden state after every step, from zeros."""
    width = weights.U.shape[1]
    h, c, states = np.zeros(width), np.zeros(width), []
    for step in x:
        i, f, g, o = np.split(weights.W @ step + weights.U @ h + weights.b, 4)
        c = sigma(f) * c + sigma(i) * np.tanh(g)
        h = sigma(o) * np.tanh(c)
        states.append(h)
    return np.array(states)


def bilstm_key(states: Filled, layers: Sequence[tuple[LSTM, LSTM]], out: Linear) -> Vector:
    """Read the filled slots both ways, and project the two last states of the last layer (4.3)."""
    x = states
    for forwards, backwards in layers:
        there, back = lstm(x, forwards), lstm(x[::-1], backwards)
        x = np.concatenate([there, back[::-1]], axis=1)
    return affine(np.array([*there[-1], *back[-1]]), out)


class Block(NamedTuple):
    """The weights of a pre-norm block; a norm is its gain and its bias."""

    first_norm: tuple[Vector, Vector]
    heads: Heads
    second_norm: tuple[Vector, Vector]
    inner: Linear
    outer: Linear


def transformer_key(states: Filled, into: Linear, blocks: Sequence[Block], out: Linear) -> Vector:
    """Let the filled slots read each other; project their mean (4.4).

    The places of a zone are counted from 0, as those of a sentence are.
    """
    x = linear(states, into)
    x = x + sinusoids(*x.shape)
    everything = np.ones((len(x), len(x)), dtype=bool)
    for block in blocks:
        a = normalised(x, *block.first_norm)
        x = x + multi_head(a, a, a, everything, block.heads)[1]
        a = normalised(x, *block.second_norm)
        x = x + linear(relu(linear(a, block.inner)), block.outer)
    return mean_key(x, out)


def mean_key(states: Filled, out: Linear) -> Vector:
    """Project the mean of the filled slots (not in the proposal)."""
    return affine(sum(states) / len(states), out)


def last_key(states: Filled, out: Linear) -> Vector:
    """Project the newest state (not in the proposal)."""
    return affine(states[-1], out)

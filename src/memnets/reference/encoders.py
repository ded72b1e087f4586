"""Encoders of one sequence, as loops over its steps.

The letters are the papers': `F` and `c` filter, `W` and `b` project.
"""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from memnets.reference.attention import product
from memnets.reference.multihead import Heads, multi_head

Array = Float[np.ndarray, "..."]
SMALLEST_VARIANCE = 1e-5
"""Added to the variance by which a step is normalised."""


class Linear(NamedTuple):
    """A matrix and a bias."""

    W: Array
    b: Array


def linear(x: Array, layer: Linear) -> Array:
    """Project every step."""
    return np.array([product(layer.W, step) + layer.b for step in x])


def convolutional(h: Array, F: Array, c: Array) -> Array:  # noqa: N803
    """Add to every step what its neighbours say, by gates (Gehring et al., section 3.2).

    Args:
        h: the steps, `(time, hidden)`; zeros stand beyond both ends.
        F: filters, `(2 hidden, hidden, width)`; the second half are gates.
        c: their bias.
    """
    time, hidden = h.shape
    half = F.shape[2] // 2
    found = np.array(h)
    for t in range(time):
        for k in range(hidden):
            said, gate = c[k], c[hidden + k]
            for offset in range(-half, half + 1):
                if 0 <= t + offset < time:
                    for j in range(hidden):
                        said += F[k, j, offset + half] * h[t + offset, j]
                        gate += F[hidden + k, j, offset + half] * h[t + offset, j]
            found[t, k] += said / (1 + math.exp(-gate))
    return found * math.sqrt(0.5)


def sinusoids(time: int, width: int) -> Array:
    """Return a vector for every place (Vaswani et al., section 3.5)."""
    places = np.zeros((time, width))
    for t in range(time):
        for i in range(width):
            angle = t / 10000 ** (2 * (i // 2) / width)
            places[t, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return places


class Block(NamedTuple):
    """The weights of a block; a norm is its gain and its bias."""

    heads: Heads
    first_norm: tuple[Array, Array]
    inner: Linear
    outer: Linear
    second_norm: tuple[Array, Array]


def self_attention_block(h: Array, block: Block) -> Array:
    """Let the steps read each other, then think for themselves (Vaswani et al., section 3.1)."""
    everything = np.ones((len(h), len(h)), dtype=bool)
    _, found = multi_head(h, h, h, everything, block.heads)
    a = normalised(h + found, *block.first_norm)
    inner = linear(a, block.inner)
    thought = linear(np.maximum(inner, 0.0), block.outer)
    return normalised(a + thought, *block.second_norm)


def normalised(h: Array, gain: Array, bias: Array) -> Array:
    """Give every step mean 0 and variance 1, then a gain and a bias of each feature."""
    rows = []
    for step in h:
        mean = sum(step) / len(step)
        variance = sum((number - mean) ** 2 for number in step) / len(step)
        rows.append(gain * (step - mean) / math.sqrt(variance + SMALLEST_VARIANCE) + bias)
    return np.array(rows)

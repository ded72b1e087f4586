"""Scores, aligns and the read for one query, as loops over the slots."""

import math

import numpy as np
from jaxtyping import Bool, Float

Vector = Float[np.ndarray, " dim"]
Matrix = Float[np.ndarray, "slot dim"]
Row = Float[np.ndarray, " slot"]


def dot(query: Vector, keys: Matrix) -> Row:
    """Score by the inner product (Luong et al., Eq. 8)."""
    return np.array([sum(q * k for q, k in zip(query, key, strict=True)) for key in keys])


def scaled_dot(query: Vector, keys: Matrix) -> Row:
    """Score by the inner product over the root of the key's width (Vaswani et al., Eq. 1)."""
    return np.array([score / math.sqrt(keys.shape[1]) for score in dot(query, keys)])


def softmax(scores: Row, mask: Bool[np.ndarray, " slot"]) -> Row:
    """Normalise the exponentials over the readable slots."""
    weights = np.zeros(len(scores))
    readable = [j for j in range(len(scores)) if mask[j]]
    if not readable:
        return weights
    largest = max(scores[j] for j in readable)
    total = sum(math.exp(scores[j] - largest) for j in readable)
    for j in readable:
        weights[j] = math.exp(scores[j] - largest) / total
    return weights


def padded_softmax(scores: Row, mask: Bool[np.ndarray, " slot"], slots: int) -> Row:
    """Normalise over all slots of a memory, empty ones included: they hold zeros."""
    filled = [score for score, readable in zip(scores, mask, strict=True) if readable]
    memory = np.array([*filled, *[0.0] * max(0, slots - len(filled))])
    weights = iter(softmax(memory, np.ones(len(memory), dtype=bool)))
    return np.array([next(weights) if readable else 0.0 for readable in mask])


def identity(scores: Row, mask: Bool[np.ndarray, " slot"]) -> Row:
    """Take the scores themselves as weights, as in a linear start."""
    return np.array([score if here else 0.0 for score, here in zip(scores, mask, strict=True)])


def read(weights: Row, values: Matrix) -> Vector:
    """Sum the values, each times its weight."""
    value = np.zeros(values.shape[1])
    for weight, slot in zip(weights, values, strict=True):
        value += weight * slot
    return value

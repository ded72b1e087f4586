"""Scores, aligns and the read for one query, as loops over the slots.

Letters are the papers': `W` and `U` project query and key, `v` sums the hidden layer. What a
step before has read is `previous`.
"""

import math

import numpy as np
from jaxtyping import Bool, Float, Int

Vector = Float[np.ndarray, " dim"]
Matrix = Float[np.ndarray, "slot dim"]
Weight = Float[np.ndarray, "_ _"]
Row = Float[np.ndarray, " slot"]
Mask = Bool[np.ndarray, " slot"]
Places = Int[np.ndarray, " slot"]


def product(weight: Weight, vector: Float[np.ndarray, " _"]) -> Float[np.ndarray, " _"]:
    """Return a matrix times a vector."""
    return np.array([sum(w * x for w, x in zip(row, vector, strict=True)) for row in weight])


def dot(query: Vector, keys: Matrix) -> Row:
    """Score by the inner product (Luong et al., section 3.1)."""
    return np.array([sum(q * k for q, k in zip(query, key, strict=True)) for key in keys])


def scaled_dot(query: Vector, keys: Matrix) -> Row:
    """Score by the inner product over the root of the key's width (Vaswani et al., Eq. 1)."""
    return np.array([score / math.sqrt(keys.shape[1]) for score in dot(query, keys)])


def general(query: Float[np.ndarray, " _"], keys: Matrix, W: Weight) -> Row:  # noqa: N803
    """Score by a bilinear form (Luong et al., section 3.1)."""
    return np.array(
        [
            sum(query[i] * W[i, j] * key[j] for i in range(len(query)) for j in range(len(key)))
            for key in keys
        ]
    )


def projected_dot(
    query: Float[np.ndarray, " _"],
    keys: Matrix,
    W_Q: Weight,  # noqa: N803
    W_K: Weight,  # noqa: N803
) -> Row:
    """Score by the scaled inner product of projections (Vaswani et al., section 3.2.2)."""
    asked = [sum(row[i] * query[i] for i in range(len(query))) for row in W_Q]
    scores = []
    for key in keys:
        found = [sum(row[j] * key[j] for j in range(len(key))) for row in W_K]
        scores.append(sum(a * f for a, f in zip(asked, found, strict=True)) / math.sqrt(len(asked)))
    return np.array(scores)


def cosine(query: Vector, keys: Matrix, strength: float, smallest: float = 1e-6) -> Row:
    """Score by the cosine, times a strength (Graves et al., Eq. 5 and 6)."""

    def length(vector: Vector) -> float:
        return max(math.sqrt(sum(x * x for x in vector)), smallest)

    products = dot(query, keys)
    return np.array(
        [
            strength * product / (length(query) * length(key))
            for product, key in zip(products, keys, strict=True)
        ]
    )


def additive(
    query: Float[np.ndarray, " _"],
    keys: Matrix,
    W: Weight,  # noqa: N803
    U: Weight,  # noqa: N803
    v: Float[np.ndarray, " hidden"],
    b: Float[np.ndarray, " hidden"] | None = None,
    seen: Float[np.ndarray, "slot hidden"] | None = None,
) -> Row:
    """Score by one hidden layer (Bahdanau et al., A.1.2), which may also see what was read."""
    asked, scores = product(W, query), np.zeros(len(keys))
    for j, key in enumerate(keys):
        known = product(U, key)
        for h in range(len(v)):
            inside = asked[h] + known[h]
            inside += 0.0 if b is None else b[h]
            inside += 0.0 if seen is None else seen[j, h]
            scores[j] += v[h] * math.tanh(inside)
    return scores


def concat(
    query: Float[np.ndarray, " _"],
    keys: Matrix,
    W: Weight,  # noqa: N803
    v: Float[np.ndarray, " hidden"],
) -> Row:
    """Score by one hidden layer over query and key, joined (Luong et al., section 3.1)."""
    scores = np.zeros(len(keys))
    for j, key in enumerate(keys):
        layer = product(W, np.array([*query, *key]))
        scores[j] = sum(v[h] * math.tanh(layer[h]) for h in range(len(v)))
    return scores


def location(query: Float[np.ndarray, " _"], slots: int, W: Weight) -> Row:  # noqa: N803
    """Score by the place alone (Luong et al., Eq. 8, before its softmax)."""
    return product(W, query)[:slots]


def convolved(previous: Row, filters: Weight) -> Float[np.ndarray, "slot filter"]:
    """Slide every filter over the previous weights, zeros beyond (Chorowski et al., Eq. 8)."""
    slots, half = len(previous), filters.shape[1] // 2
    found = np.zeros((slots, len(filters)))
    for j in range(slots):
        for f, taps in enumerate(filters):
            for offset, tap in enumerate(taps, start=-half):
                if 0 <= j + offset < slots:
                    found[j, f] += tap * previous[j + offset]
    return found


def saliency(keys: Matrix, u: Vector, b: float) -> Row:
    """Score a slot by itself."""
    return np.array([score + b for score in dot(u, keys)])


def _readable(mask: Mask) -> list[int]:
    return [j for j in range(len(mask)) if mask[j]]


def softmax(scores: Row, mask: Mask) -> Row:
    """Normalise the exponentials over the readable slots."""
    weights, readable = np.zeros(len(scores)), _readable(mask)
    if not readable:
        return weights
    largest = max(scores[j] for j in readable)
    total = sum(math.exp(scores[j] - largest) for j in readable)
    for j in readable:
        weights[j] = math.exp(scores[j] - largest) / total
    return weights


def padded_softmax(scores: Row, mask: Mask, slots: int) -> Row:
    """Normalise over all slots of a memory, empty ones included: they hold zeros."""
    filled = [score for score, readable in zip(scores, mask, strict=True) if readable]
    memory = np.array([*filled, *[0.0] * max(0, slots - len(filled))])
    weights = iter(softmax(memory, np.ones(len(memory), dtype=bool)))
    return np.array([next(weights) if readable else 0.0 for readable in mask])


def identity(scores: Row, mask: Mask) -> Row:
    """Take the scores themselves as weights, as in a linear start."""
    return np.array([score if here else 0.0 for score, here in zip(scores, mask, strict=True)])


def _sigma(score: float) -> float:
    return 1 / (1 + math.exp(-score))


def sigmoid(scores: Row, mask: Mask) -> Row:
    """Let each readable slot through by a gate of its own."""
    return np.array([_sigma(e) if here else 0.0 for e, here in zip(scores, mask, strict=True)])


def smoothing(scores: Row, mask: Mask) -> Row:
    """Divide the gates by their sum (Chorowski et al., section 2.2)."""
    gates = sigmoid(scores, mask)
    return gates / sum(gates) if mask.any() else gates


def entmax(scores: Row, mask: Mask, alpha: float) -> Row:
    """Halve the interval of the threshold until the weights sum to one (Peters et al., Eq. 9).

    Sparsemax is `alpha=2`.
    """
    weights, readable = np.zeros(len(scores)), _readable(mask)
    if not readable:
        return weights

    def weight(j: int, threshold: float) -> float:
        above = (alpha - 1) * scores[j] - threshold
        return above ** (1 / (alpha - 1)) if above > 0 else 0.0

    high = max((alpha - 1) * scores[j] for j in readable)
    low = high - 1
    for _ in range(60):
        middle = (low + high) / 2
        if sum(weight(j, middle) for j in readable) >= 1:
            low = middle
        else:
            high = middle
    for j in readable:
        weights[j] = weight(j, low)
    return weights


def _one_hot(slot: int | None, slots: int) -> Row:
    return np.array([1.0 if j == slot else 0.0 for j in range(slots)])


def argmax(scores: Row, mask: Mask) -> Row:
    """Take the best readable slot, the lowest of equal ones."""
    best = None
    for j in _readable(mask):
        if best is None or scores[j] > scores[best]:
            best = j
    return _one_hot(best, len(scores))


def sampled(scores: Row, mask: Mask, drawn: float) -> Row:
    """Take the slot at which the running total of the softmax passes a number drawn in [0, 1)."""
    total = 0.0
    for j, weight in enumerate(softmax(scores, mask)):
        total += weight
        if total > drawn:
            return _one_hot(j, len(scores))
    return _one_hot(None, len(scores))


def log_probability(scores: Row, mask: Mask, taken: Row) -> float:
    """Return the log-probability of what was taken."""
    pairs = zip(softmax(scores, mask), taken, strict=True)
    return sum((math.log(p) for p, t in pairs if t), start=0.0)


def entropy(scores: Row, mask: Mask) -> float:
    """Return the entropy of the softmax."""
    return -sum((p * math.log(p) for p in softmax(scores, mask) if p > 0), start=0.0)


def local_m(scores: Row, mask: Mask, places: Places, step: int, window: int) -> Row:
    """Normalise inside a window about the step (Luong et al., section 3.2)."""
    near = [here and abs(s - step) <= window for s, here in zip(places, mask, strict=True)]
    return softmax(scores, np.array(near, dtype=bool))


def centre(
    query: Float[np.ndarray, " _"],
    length: int,
    W: Weight,  # noqa: N803
    v: Float[np.ndarray, " _"],
) -> float:
    """Predict where to look, between 0 and the length (Luong et al., Eq. 9)."""
    hidden = product(W, query)
    return length * _sigma(sum(v[h] * math.tanh(hidden[h]) for h in range(len(v))))


def local_p(scores: Row, mask: Mask, places: Places, centre: float, window: int) -> Row:
    """Normalise inside a window, then weigh by a Gaussian (Luong et al., Eq. 10)."""
    weights = local_m(scores, mask, places, math.floor(centre), window)
    return np.array(
        [
            w * math.exp(-((s - centre) ** 2) / (2 * (window / 2) ** 2))
            for w, s in zip(weights, places, strict=True)
        ]
    )


def normalised_local_p(scores: Row, mask: Mask, places: Places, centre: float, window: int) -> Row:
    """Divide the weights of local-p by their sum."""
    weights = local_p(scores, mask, places, centre, window)
    return weights / sum(weights) if weights.any() else weights


def monotonic(scores: Row, mask: Mask, previous: Row, bias: float) -> Row:
    """Walk from where the last step stopped, and stop by chance (Raffel et al., Eq. 9 to 11)."""
    weights, comes = np.zeros(len(scores)), 0.0
    for j in range(len(scores)):
        comes += previous[j]
        if mask[j]:
            stops = _sigma(scores[j] + bias)
            weights[j] = stops * comes
            comes *= 1 - stops
    return weights


def hard_monotonic(scores: Row, mask: Mask, previous: Row, bias: float) -> Row:
    """Walk from the last stop to the first slot that says stop (Raffel et al., Algorithm 1)."""
    came = False
    for j in range(len(scores)):
        came = came or previous[j] == max(previous)
        if came and any(previous) and mask[j] and scores[j] + bias > 0:
            return _one_hot(j, len(scores))
    return _one_hot(None, len(scores))


def _highest(scores: Row, mask: Mask, k: int) -> Mask:
    best = sorted(_readable(mask), key=lambda j: -scores[j])[:k]
    return np.array([j in best for j in range(len(scores))], dtype=bool)


def top_k(scores: Row, mask: Mask, k: int) -> Row:
    """Keep the highest scores, then normalise."""
    return softmax(scores, _highest(scores, mask, k))


def top_k_of_softmax(scores: Row, mask: Mask, k: int) -> Row:
    """Normalise, then keep the highest weights."""
    return softmax(scores, mask) * _highest(scores, mask, k)


def read(weights: Row, values: Matrix) -> Vector:
    """Sum the values, each times its weight."""
    value = np.zeros(values.shape[1])
    for weight, slot in zip(weights, values, strict=True):
        value += weight * slot
    return value


def max_pool(values: Matrix, mask: Mask) -> Vector:
    """Read the largest of every feature."""
    readable = _readable(mask)
    return np.array(
        [max((values[j, d] for j in readable), default=0.0) for d in range(values.shape[1])]
    )

"""Structures over slots and words, each by itself: all taggings, segmentations, subsets, trees.

What the fast sums of `memnets.ops` must equal. A structure is listed with its score; its chance is
the exponential of that over the sum of all.
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import numpy as np
from jaxtyping import Bool, Float, Int

Row = Float[np.ndarray, " slot"]
Mask = Bool[np.ndarray, " slot"]
Unary = Float[np.ndarray, "slot state"]
Pairwise = Float[np.ndarray, "*steps state state"]
Arcs = Float[np.ndarray, "word head"]
Heads = tuple[int, ...]
"""The head of each word, -1 for a root."""


def chances(scores: list[float]) -> tuple[float, list[float]]:
    """Return log Z and the chance of each structure."""
    largest = max(scores)
    total = sum(math.exp(score - largest) for score in scores)
    log_partition = largest + math.log(total)
    return log_partition, [math.exp(score - log_partition) for score in scores]


def tagging_score(unary: Unary, pairwise: Pairwise, states: tuple[int, ...], mask: Mask) -> float:
    """Add up the potentials of a tagging; `states` are those of the readable slots in order."""
    score, before = 0.0, None
    for slot, state in zip(_readable(mask), states, strict=True):
        score += unary[slot, state]
        if before is not None:
            score += (pairwise if pairwise.ndim == 2 else pairwise[slot - 1])[before, state]
        before = state
    return score


def chain(
    unary: Unary, pairwise: Pairwise, mask: Mask
) -> tuple[list[tuple[int, ...]], float, list[float]]:
    """Return all taggings of the readable slots, log Z and their chances (Kim et al., 3.2)."""
    every = list(product(range(unary.shape[1]), repeat=len(_readable(mask))))
    log_partition, found = chances([tagging_score(unary, pairwise, z, mask) for z in every])
    return every, log_partition, found


def linear_chain(scores: Row, mask: Mask, pairwise: Float[np.ndarray, "2 2"]) -> Row:
    """Return the chance that each slot is on, from all ways of being on and off."""
    slots = _readable(mask)
    on, chance = _on_and_off(scores[slots], pairwise)
    weights = np.zeros(len(scores))
    weights[slots] = chance @ on
    return weights


def hard_linear_chain(scores: Row, mask: Mask, pairwise: Float[np.ndarray, "2 2"]) -> Row:
    """Return the likeliest way of being on and off."""
    slots = _readable(mask)
    on, chance = _on_and_off(scores[slots], pairwise)
    weights = np.zeros(len(scores))
    weights[slots] = on[int(np.argmax(chance))]
    return weights


def _on_and_off(
    scores: Row, pairwise: Float[np.ndarray, "2 2"]
) -> tuple[Int[np.ndarray, "tagging slot"], Float[np.ndarray, " tagging"]]:
    count = len(scores)
    on = np.arange(2**count)[:, None] >> np.arange(count) & 1
    total = on @ scores + pairwise[on[:, :-1], on[:, 1:]].sum(1)
    chance = np.exp(total - total.max())
    return on, chance / chance.sum()


def segmentations(slots: int, longest: int) -> Iterator[list[tuple[int, int]]]:
    """List all ways to choose segments of a sequence, first and last slot of each."""
    if slots <= 0:
        yield []
        return
    for rest in segmentations(slots - 1, longest):
        yield rest
    for size in range(1, min(longest, slots) + 1):
        for rest in segmentations(slots - size, longest):
            yield [*rest, (slots - size, slots - 1)]


def segments(scores: Row, mask: Mask, lengths: Float[np.ndarray, " size"]) -> Row:
    """Return the chance of each slot to be in a segment, from the segments that hold it.

    A segment's chance is what may stand before it, times itself, times what may stand behind it.
    """
    slots = _readable(mask)
    e, count = scores[slots], len(slots)

    def itself(first: int, last: int) -> float:
        return math.exp(sum(e[first : last + 1]) + lengths[last - first])

    before, behind = np.ones(count + 1), np.ones(count + 1)
    for j in range(1, count + 1):
        sizes = range(1, min(len(lengths), j) + 1)
        before[j] = before[j - 1] + sum(before[j - s] * itself(j - s, j - 1) for s in sizes)
        behind[j] = behind[j - 1] + sum(
            behind[j - s] * itself(count - j, count - j + s - 1) for s in sizes
        )
    weights = np.zeros(len(scores))
    for first in range(count):
        for last in range(first, min(first + len(lengths), count)):
            held = before[first] * itself(first, last) * behind[count - 1 - last] / before[count]
            for j in range(first, last + 1):
                weights[slots[j]] += held
    return weights


def exactly_k(scores: Row, mask: Mask, k: int) -> Row:
    """Return the chance of each slot to be in a subset of `k`, from all subsets."""
    slots = _readable(mask)
    every = list(combinations(slots, min(k, len(slots))))
    _, found = chances([sum(scores[j] for j in subset) for subset in every])
    weights = np.zeros(len(scores))
    for subset, chance in zip(every, found, strict=True):
        for j in subset:
            weights[j] += chance
    return weights


@cache
def trees(words: int, single_root: bool, projective: bool) -> list[Heads]:
    """List all dependency trees of some words."""
    return [
        heads
        for heads in product(range(-1, words), repeat=words)
        if is_tree(heads)
        and not (words and single_root and heads.count(-1) != 1)
        and not (projective and crosses(heads))
    ]


def is_tree(heads: Heads) -> bool:
    """Return whether every word comes to a root by its heads."""
    for start in range(len(heads)):
        word, steps = start, 0
        while word >= 0 and steps < len(heads):
            word, steps = heads[word], steps + 1
        if word >= 0:
            return False
    return True


def crosses(heads: Heads) -> bool:
    """Return whether two arcs cross, that of a root from before the sentence."""
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(heads)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def tree_score(arcs: Arcs, roots: Float[np.ndarray, " word"], heads: Heads) -> float:
    """Add up the potentials of a tree."""
    return sum(
        (roots[word] if head < 0 else arcs[word, head] for word, head in enumerate(heads)),
        start=0.0,
    )


def tree_marginals(
    arcs: Arcs, roots: Float[np.ndarray, " word"], single_root: bool, projective: bool
) -> tuple[float, Arcs, Float[np.ndarray, " word"]]:
    """Return log Z, and the chances of arcs and roots, from all trees (Kim et al., 3.3)."""
    every = trees(len(roots), single_root, projective)
    log_partition, found = chances([tree_score(arcs, roots, heads) for heads in every])
    of_arcs, of_roots = np.zeros_like(arcs), np.zeros_like(roots)
    for heads, chance in zip(every, found, strict=True):
        for word, head in enumerate(heads):
            if head < 0:
                of_roots[word] += chance
            else:
                of_arcs[word, head] += chance
    return log_partition, of_arcs, of_roots


def _readable(mask: Mask) -> list[int]:
    return [j for j, here in enumerate(mask) if here]

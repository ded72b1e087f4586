"""How much a network can hold: measured by recall, and by the laws that are known."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import torch
from jaxtyping import Int8
from torch import Tensor

from memnets.memories.hopfield.dense import DenseMemory, Exponential, Interaction
from memnets.memories.hopfield.dynamics import Asynchronous, Dynamics
from memnets.memories.hopfield.likelihood import BoltzmannRule
from memnets.memories.hopfield.network import HopfieldNetwork
from memnets.memories.hopfield.rules import Hebb, LearningRule, PseudoInverse, Storkey
from memnets.memories.hopfield.states import flipped, random_patterns

RULES: dict[str, Callable[[], LearningRule | Interaction]] = {
    "hebb": Hebb,
    "storkey": Storkey,
    "pseudo-inverse": PseudoInverse,
    "boltzmann": BoltzmannRule,
    "exponential": Exponential,
}
"""By the names that users type; an interaction is that of a dense memory."""
CUES = 500
"""Stored patterns that are asked for at most, the first ones."""
AMIT = 0.138
"""Patterns a neuron above which nothing is recalled, in large networks (Amit et al., 1985)."""


def recalled(
    rule: LearningRule | Interaction,
    dim: int,
    loads: Sequence[float],
    *,
    noise: float = 0.0,
    overlap: float = 1.0,
    seed: int = 0,
    dynamics: Dynamics = Asynchronous(),
) -> Iterator[float]:
    """Yield the share of stored patterns that are recalled, load by load.

    The patterns are random, the same for every rule; a larger load has those of a smaller one and
    more.

    Args:
        rule: how they are stored.
        dim: neurons.
        loads: patterns stored, as shares of the neurons; from small to large.
        noise: share of a pattern's neurons that its cue has turned; 0 starts at the pattern.
        overlap: with the pattern, of where the cue ends, from which it counts; 1 is exactly there.
        seed: of the patterns and of what is turned.
        dynamics: what leads there; a dense memory has its own.
    """
    generator = torch.Generator().manual_seed(seed)
    counts = [max(1, round(load * dim)) for load in loads]
    patterns = random_patterns(max(counts), dim, generator)
    cues = flipped(patterns, noise, generator)
    if isinstance(rule, Interaction):
        memories = (DenseMemory(patterns[:count], rule).recall for count in counts)
    else:
        networks = _networks(rule, patterns, counts)
        memories = (partial(dynamics.recall, network) for network in networks)
    for count, recall in zip(counts, memories, strict=True):
        asked = min(count, CUES)
        overlaps = (recall(cues[:asked]).states.long() * patterns[:asked]).sum(1) / dim
        yield float((overlaps >= overlap - 1e-6).double().mean())


def _networks(
    rule: LearningRule, patterns: Int8[Tensor, "pattern dim"], counts: Sequence[int]
) -> Iterator[HopfieldNetwork]:
    """Yield a network for each number of patterns; a rule that adds them is not begun anew."""
    if not isinstance(rule, Hebb | Storkey):
        yield from (rule.learn(patterns[:count]) for count in counts)
        return
    network, stored = rule.learn(patterns[: counts[0]]), counts[0]
    for count in counts:
        if count > stored:
            network, stored = rule.store(network, patterns[stored:count]), count
        yield network


def capacity(loads: Sequence[float], shares: Sequence[float], share: float = 0.5) -> float:
    """Return the load at which a curve first falls to a share; an end of it where it does not.

    Between the loads that were measured the curve is taken for straight.
    """
    if shares[0] <= share:
        return loads[0]
    for place in range(1, len(loads)):
        high, low = shares[place - 1], shares[place]
        if low <= share:
            part = (high - share) / (high - low)
            return loads[place - 1] + part * (loads[place] - loads[place - 1])
    return loads[-1]


def most_stable(dim: int) -> float:
    r"""Return the load up to which most patterns are stable, $1 / (2 \ln N)$ (McEliece et al.)."""
    return 1 / (2 * math.log(dim))


def bit_error(load: float) -> float:
    r"""Return how likely a neuron leaves a stored pattern in one step.

    $$ \tfrac12 \mathrm{erfc}\bigl(1 / \sqrt{2 \alpha}\bigr) $$

    By Hebb's rule, of random patterns and many neurons; $\alpha$ is the load.
    """
    return 0.5 * math.erfc(1 / math.sqrt(2 * load)) if load > 0 else 0.0


def share_stable(load: float, dim: int) -> float:
    """Return the share of patterns that no neuron wants to leave, as if neurons erred alone."""
    return (1 - bit_error(load)) ** dim

"""What recipes have in common: rates by update, and weights by seed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from memnets.training.task import fold_in

Rate = Callable[[int], float]
"""From an update within its phase, 0 the first, to its learning rate."""


def constant(rate: float) -> Rate:
    """Return one rate for all updates."""
    return lambda update: rate


def linear_decay(rate: float, updates: int) -> Rate:
    """Return a rate that falls in a straight line, and would be 0 after so many updates."""
    return lambda update: rate * (1 - update / updates)


def seeded(seed: int, key: int = 0) -> torch.Generator:
    """Return a generator for a run's weights, or, with another key, for something else of it."""
    return fold_in(torch.Generator().manual_seed(seed), key)


@contextmanager
def globally_seeded(seed: int) -> Iterator[None]:
    """Let torch's global generator draw from a seed, for modules that take no other one."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield

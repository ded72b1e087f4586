"""Inputs at the edge: right answers, or words that say what to do."""

import math

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.memories.hopfield import (
    Asynchronous,
    BoltzmannChains,
    BoltzmannRule,
    Hebb,
    HopfieldNetwork,
    ModernHopfield,
    PseudoInverse,
    Storkey,
    flipped,
    random_patterns,
)

RULES = [Hebb(), Storkey(), PseudoInverse(), BoltzmannRule(30), BoltzmannChains(5)]


def seeded():
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_equal_patterns_are_one_pattern(rule):
    equal = random_patterns(1, 12, seeded()).expand(5, -1)
    found = Asynchronous().recall(rule.learn(equal), flipped(equal, 0.2, seeded()))
    assert torch.equal(found.states, equal)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_more_patterns_than_neurons_end_at_fixed_points_or_are_refused(rule):
    many = random_patterns(40, 12, seeded())
    if isinstance(rule, PseudoInverse):
        with pytest.raises(ValueError, match="40 patterns span all 12 neurons"):
            rule.learn(many)
        return
    network = rule.learn(many)
    found = Asynchronous().recall(network, many)
    assert (found.period == 1).all()
    assert network.is_stable(found.states).all()


@pytest.mark.usefixtures("shapes_unchecked")
def test_what_is_no_network_or_pattern_is_refused():
    couplings = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
    patterns = torch.ones(2, 3)
    for build, error, said in (
        (lambda: HopfieldNetwork(couplings), ValueError, "from 0 to 1 is 1.0, the one back is 2.0"),
        (lambda: HopfieldNetwork([[0, 1], [1, 0]]), TypeError, "a list came, expected a tensor"),
        (lambda: Hebb().learn(np.ones((2, 3))), TypeError, "a ndarray came, expected a tensor"),
        (lambda: Hebb().learn(patterns).energy([1, 1, 1]), TypeError, "a list came"),
        (lambda: Hebb().learn(torch.tensor([[0.5, 1.0]])), ValueError, "0.5 came, expected"),
        (lambda: random_patterns(-1, 5), ValueError, "patterns=-1"),
        (lambda: ModernHopfield(patterns * math.nan), ValueError, "NaN or infinity"),
        (lambda: ModernHopfield(torch.tensor([[1.0, math.inf]])), ValueError, "NaN or infinity"),
        (lambda: ModernHopfield(patterns.to(torch.int8)), ValueError, "Pass patterns.float"),
        (lambda: ModernHopfield(patterns.tolist()), TypeError, "a list came"),
        (lambda: ModernHopfield(patterns, math.inf), ValueError, r"Attention\(Dot\(\), Argmax\(\)"),
    ):
        with pytest.raises(error, match=said):
            build()


def test_no_strength_reads_the_mean_and_a_huge_one_the_nearest():
    patterns = random_patterns(3, 12, seeded()).float()
    mean = ModernHopfield(patterns, 0.0).recall(patterns).value
    assert_close(mean, patterns.mean(0).expand(3, -1))
    assert torch.equal(ModernHopfield(patterns, 1e30).recall(patterns).value, patterns)

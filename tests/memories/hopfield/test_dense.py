"""Dense and modern Hopfield networks: steeper energies, and recall by attention."""

import math

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import Argmax, Attention, Dot, ScaledDot, Softmax, StrengthDot
from memnets.layers import (
    HopfieldLookup,
    HopfieldPooling,
    HopfieldRetrieval,
    recalling_strength,
    separation,
)
from memnets.memories.hopfield import (
    Asynchronous,
    DenseMemory,
    Exponential,
    Hebb,
    ModernHopfield,
    Polynomial,
    RectifiedPolynomial,
    flipped,
    random_patterns,
)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=seeded(seed))


def test_the_square_is_hebbs_network():
    patterns, cues = random_patterns(6, 31, seeded()), random_patterns(9, 31, seeded(1))
    dense = DenseMemory(patterns, Polynomial(2)).recall(cues)
    hebb = Asynchronous().recall(Hebb().learn(patterns), cues)
    assert torch.equal(dense.states, hebb.states)
    assert torch.equal(dense.steps, hebb.steps)
    assert torch.equal(dense.flips, hebb.flips)
    # Twice as deep, and lower by what neurons would pull at themselves.
    assert torch.equal(dense.energies, 2 * hebb.energies - 6 * 31)


@pytest.mark.parametrize("interaction", [Polynomial(3), RectifiedPolynomial(4), Exponential()])
def test_steeper_energies_fall_and_hold_more(interaction):
    patterns = random_patterns(30, 31, seeded())
    memory = DenseMemory(patterns, interaction)
    found = memory.recall(flipped(patterns, 0.1, seeded(1)))
    assert (found.period == 1).all()
    assert (found.energies.diff(dim=1) <= 0).all()
    assert_close(found.energies[:, -1], memory.energy(found.states))
    assert (found.states == patterns).all(1).float().mean() > 0.8
    hebb = Asynchronous().recall(Hebb().learn(patterns), flipped(patterns, 0.1, seeded(1)))
    assert not (hebb.states == patterns).all(1).any()


def test_dense_updates_are_those_of_the_formula():
    patterns, cue = random_patterns(5, 7, seeded()), random_patterns(1, 7, seeded(1))
    state = cue[0].tolist()
    for i in range(7):
        total = 0
        for row in patterns.tolist():
            a = sum(row[j] * state[j] for j in range(7) if j != i)
            total += math.exp(row[i] + a) - math.exp(-row[i] + a)
        state[i] = 1 if total > 0 else -1
    assert DenseMemory(patterns).recall(cue, sweeps=1).states[0].tolist() == state


def test_what_a_dense_memory_cannot_be():
    patterns = random_patterns(3, 1000, seeded())
    with pytest.raises(ValueError, match=r"beyond what 64 bits hold\. Pass a smaller power"):
        DenseMemory(patterns, Polynomial(7))
    with pytest.raises(ValueError, match=r"Polynomial\(power=1\): expected at least 2"):
        Polynomial(1)
    with pytest.raises(ValueError, match="one pattern at least"):
        DenseMemory(torch.zeros(0, 5))


def test_defaults_recall_whole_patterns_from_halves():
    patterns = random_patterns(1000, 64, seeded()).float()
    cues = patterns.clone()
    cues[:, 32:] = 0
    memory = ModernHopfield(patterns)
    found = memory.recall(cues)
    assert found.settled.all()
    assert (found.value.sign() == patterns).all(1).float().mean() > 0.97
    kept = memory.recall(patterns)
    assert (kept.value - patterns).abs().max() < 1e-3
    assert torch.equal(kept.weights.argmax(-1), torch.arange(1000))


def test_the_energy_of_the_modern_network_never_rises():
    memory = ModernHopfield(normal(9, 5), beta=0.8)
    state = normal(20, 5, seed=1)
    step = HopfieldRetrieval(0.8, most=1)
    energies = []
    for _ in range(20):
        energies.append(memory.energy(state))
        state = step(state, memory.patterns).state
    energies = torch.stack(energies)
    assert (energies.diff(dim=0) <= 1e-12).all()
    assert (energies >= 0).all()


def test_one_read_is_attention():
    patterns, cues = normal(2, 13, 5), normal(2, 3, 5, seed=1)
    found = HopfieldRetrieval(5**-0.5, most=1)(cues, patterns)
    assert_close(found.state, Attention(ScaledDot(), Softmax())(cues, patterns).value)


def test_beta_0_is_the_mean_and_a_large_one_the_nearest():
    patterns, cues = normal(13, 5), normal(3, 5, seed=1)
    mean = ModernHopfield(patterns, 0.0)
    assert_close(mean.recall(cues).value, patterns.mean(0).expand(3, -1))
    close = 0.5 * (cues.square().sum(-1) + patterns.square().sum(-1).max())
    assert_close(mean.energy(cues), close - (cues @ patterns.mT).mean(-1))
    small = ModernHopfield(patterns, 1e-6)
    assert_close(small.energy(cues), mean.energy(cues), rtol=1e-4, atol=1e-4)
    nearest = Attention(Dot(), Argmax())(cues, patterns).value
    assert_close(HopfieldRetrieval(1e6, most=1)(cues, patterns).state, nearest)
    for build in (HopfieldRetrieval, StrengthDot):
        with pytest.raises(ValueError, match=r"=inf\): .*Argmax\(\)"):
            build(math.inf)


def test_one_pattern_and_equal_ones():
    pattern, cue = normal(1, 5), normal(2, 5, seed=1)
    for patterns in (pattern, pattern.expand(4, -1)):
        assert_close(ModernHopfield(patterns).recall(cue).value, pattern.expand(2, -1))


def test_patterns_that_no_beta_recalls_are_refused():
    patterns = torch.tensor([[1.0, 0.0], [2.0, 0.0]])
    assert separation(patterns) == -1.0
    with pytest.raises(ValueError, match=r"separation -1\), expected a separation above 0"):
        ModernHopfield(patterns)


def test_a_mask_takes_patterns_away_and_rows_stay_apart():
    patterns, cues = normal(2, 13, 5), normal(2, 3, 5, seed=1)
    patterns = patterns / patterns.norm(dim=-1, keepdim=True)
    mask = torch.ones(2, 13, dtype=torch.bool)
    mask[1, 7:] = False
    poisoned = patterns.masked_fill(~mask.unsqueeze(-1), torch.nan)
    layer = HopfieldRetrieval()
    found = layer(cues, poisoned, mask=mask)
    assert_close(recalling_strength(poisoned, mask)[1], recalling_strength(patterns[1, :7]))
    for row, count in ((0, 13), (1, 7)):
        alone = layer(cues[row], patterns[row, :count])
        assert_close(found.value[row], alone.value)
        assert torch.equal(found.steps[row], alone.steps)


def test_values_of_their_own_are_read_at_last():
    patterns, values = random_patterns(7, 31, seeded()).float(), normal(7, 3).float()
    cues = flipped(patterns, 0.2, seeded(1))
    assert_close(HopfieldRetrieval()(cues, patterns, values).value, values, rtol=0, atol=1e-2)


def test_layers_recall_before_they_learn_and_learn():
    patterns = random_patterns(20, 31, seeded()).float()
    torch.manual_seed(0)
    lookup = HopfieldLookup(patterns)
    found = lookup(flipped(patterns, 0.2, seeded(1)))
    assert (found.value.sign() == patterns).all()
    pooling = HopfieldPooling(31, queries=3)
    pooled = pooling(patterns.expand(2, -1, -1))
    nearest = (pooling.cues @ patterns.mT).argmax(-1)
    assert_close(pooled.value[1], patterns[nearest], rtol=0, atol=1e-2)
    for layer, inputs in ((lookup, patterns), (pooling, patterns)):
        layer(inputs).value.square().sum().backward()
        assert all(bool(p.grad.isfinite().all()) for p in layer.parameters())
    assert lookup.patterns.grad.abs().max() > 0

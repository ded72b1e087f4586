"""Hard reads: which slot, how likely, and how a choice learns."""

import math
from itertools import product

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import (
    AlignContext,
    Argmax,
    Attention,
    Baseline,
    Dot,
    GumbelStraightThrough,
    Sampled,
    Softmax,
    StraightThroughArgmax,
    attend,
    max_pool,
    reinforce,
)

SCORES = torch.tensor([[0.3, -1.0, 1.1]], dtype=torch.float64)
# The 99.9 % points of chi squared with 2 degrees of freedom.
CHI_SQUARED = 13.82


def generator(seed=20150917):
    return AlignContext(generator=torch.Generator().manual_seed(seed))


def chi_squared(taken, scores):
    expected = len(taken) * scores.softmax(-1)
    return (((taken.sum(0) - expected) ** 2) / expected).sum().item()


def test_argmax_takes_the_lowest_of_equals():
    """List 12: ties go to the lowest slot, straight-through or not."""
    scores = torch.tensor([[0.0, 2.0, 2.0, -1.0, 2.0], [1.0, 1.0, 1.0, 1.0, 1.0]])
    mask = torch.tensor([[True, False, True, True, True], [True, True, True, True, True]])
    for mask_or_none, slots in ((None, [1, 0]), (mask, [2, 0])):
        expected = torch.nn.functional.one_hot(torch.tensor(slots), 5).float()
        for align in (Argmax(), StraightThroughArgmax()):
            assert torch.equal(align(scores, mask_or_none), expected)


def test_straight_through_is_one_hot_with_the_gradient_of_softmax():
    """List 12: forward exactly one-hot, backward softmax's."""
    scores, outer = torch.randn(50, 13), torch.randn(50, 13)
    found, expected = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    weights = StraightThroughArgmax()(found)
    assert set(weights.flatten().tolist()) == {0.0, 1.0}
    (weights * outer).sum().backward()
    (expected.softmax(-1) * outer).sum().backward()
    assert torch.equal(found.grad, expected.grad)


def test_a_hard_read_gathers(monkeypatch):
    """No product of weights and a memory is made: `read` is not called at all."""
    monkeypatch.setattr(attend, "read", None)
    query, memory = torch.randn(2, 3, 5), torch.randn(2, 13, 5)
    for align in (Argmax(), Sampled()):
        readout = Attention(Dot(), align)(query, memory, context=generator())
        assert readout.weights.shape == readout.indices.shape == (2, 3, 1)
        for row, i in product(range(2), range(3)):
            assert torch.equal(readout.value[row, i], memory[row, readout.indices[row, i, 0]])


def test_draws_are_as_frequent_as_the_softmax_says():
    """List 11: chi squared of 20,000 draws, seeded, at the level of one in a thousand."""
    taken = Sampled()(SCORES.expand(20_000, 3), None, generator())
    assert chi_squared(taken, SCORES[0]) < CHI_SQUARED
    biased = SCORES[0] + torch.tensor([0.08, 0.0, 0.0])
    assert chi_squared(taken, biased) > CHI_SQUARED


def test_a_noisy_argmax_has_the_same_distribution():
    """List 11: Gumbel's argmax is an exact sample, at any temperature."""
    for temperature in (0.5, 5.0):
        align = GumbelStraightThrough(temperature)
        taken = align(SCORES.expand(20_000, 3), None, generator())
        assert chi_squared(taken, SCORES[0]) < CHI_SQUARED


@pytest.mark.parametrize("align", [Sampled(), GumbelStraightThrough()])
def test_the_same_generator_draws_the_same(align):
    """List 11: and the one after it draws anew."""
    scores, context = torch.randn(5, 7, 13), generator()
    first, second = align(scores, None, context), align(scores, None, context)
    assert torch.equal(first, align(scores, None, generator()))
    assert not torch.equal(first, second)


def test_the_length_of_the_memory_does_not_move_the_draws():
    scores, mask = torch.randn(5, 7, 13), torch.ones(1, 1, 13, dtype=torch.bool)
    room = torch.nn.functional.pad
    taken = Sampled().align(scores, mask, generator()).indices
    more = Sampled().align(room(scores, (0, 61)), room(mask, (0, 61)), generator()).indices
    assert torch.equal(taken, more)


def test_only_readable_slots_are_drawn_at_the_ends_of_the_interval(monkeypatch):
    """The lowest and the highest number that can be drawn, with slots of no weight all round.

    A one is never drawn; it stands for a running total that rounding has left too small.
    """
    scores = torch.tensor([[-200.0, 5.0, 0.0, -200.0, 1.0]])
    mask = torch.tensor([[True, False, True, True, False]])
    for drawn in (0.0, 1 - 2**-24, 1.0):
        monkeypatch.setattr(torch, "rand", lambda shape, drawn=drawn, **_: torch.full(shape, drawn))
        assert Sampled().align(scores, mask, generator()).indices.item() == 2


def test_a_temperature_of_zero_is_refused():
    message = r"GumbelStraightThrough\(temperature=0.0\): expected a number above 0"
    with pytest.raises(ValueError, match=message):
        GumbelStraightThrough(0.0)


def test_the_colder_the_harder_the_gradient():
    """A low temperature makes the relaxed weights nearly one-hot."""
    scores = torch.randn(50, 13)
    cold = GumbelStraightThrough(0.01)
    gap = cold.relaxed(scores, None, generator()) - cold(scores, None, generator())
    assert gap.abs().mean() < 0.01
    warm = GumbelStraightThrough(10.0)
    assert (warm.relaxed(scores, None, generator()) < 0.5).all()


def test_a_noisy_draw_learns_as_the_soft_one_at_its_temperature():
    """The gradient is that of softmax((e + g) / temperature)."""
    scores, outer, align = torch.randn(5, 13), torch.randn(5, 13), GumbelStraightThrough(0.5)
    found, expected = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    (align(found, None, generator()) * outer).sum().backward()
    (align.relaxed(expected, None, generator()) * outer).sum().backward()
    assert torch.equal(found.grad, expected.grad)


# REINFORCE on two steps over three slots: the reward of a path through both is a table.

LOGITS = torch.tensor([[0.3, -1.0, 1.1], [-0.2, 0.6, 0.1]], dtype=torch.float64)
REWARDS = torch.tensor([[-1.5, -0.2, -3.0], [-0.7, -2.2, -0.1], [-4.0, -1.0, -0.6]]).double()


def bound(logits):
    """Return the sum over all paths of their probability times their reward."""
    first, second = logits.softmax(-1)
    return (first[:, None] * second[None, :] * REWARDS).sum()


def exact_gradient():
    logits = LOGITS.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(bound(logits), logits)
    return gradient


@pytest.mark.parametrize("baseline", [0.0, -1.7])
def test_the_estimator_is_right_on_average_over_all_paths(baseline):
    """List 11: enumerated, the score-function gradient is that of the bound, for any baseline."""
    expected, total = exact_gradient(), torch.zeros(2, 3).double()
    for path in product(range(3), repeat=2):
        logits = LOGITS.clone().requires_grad_()
        log_prob = logits.log_softmax(-1)[torch.arange(2), torch.tensor(path)].sum()
        reward, nothing = REWARDS[path].clone(), torch.zeros(()).double()
        objective = reinforce(reward, log_prob, nothing, Baseline.start(baseline))
        (gradient,) = torch.autograd.grad(objective, logits)
        total += log_prob.detach().exp() * gradient
    assert_close(total, expected, rtol=1e-12, atol=1e-14)


def drawn_gradients(baseline, draws=4000):
    """Return the gradient of every one of many draws, made by the align."""
    logits = LOGITS.expand(draws, 2, 3).clone().requires_grad_()
    aligned = Sampled().align(logits, None, generator())
    first, second = aligned.indices.squeeze(-1).unbind(-1)
    log_prob, entropy = aligned.log_prob.sum(-1), aligned.entropy.sum(-1)
    objective = reinforce(REWARDS[first, second], log_prob, entropy, baseline)
    return torch.autograd.grad(objective.sum(), logits)[0]


def carried_baseline():
    """Return what a baseline is after 60 updates of 50 draws."""
    baseline, context = Baseline.start(), generator(1)
    for _ in range(60):
        aligned = Sampled().align(LOGITS.expand(50, 2, 3), None, context)
        first, second = aligned.indices.squeeze(-1).unbind(-1)
        baseline = baseline.update(REWARDS[first, second])
    return baseline


def test_the_mean_gradient_is_the_enumerated_one():
    """List 11: 4,000 draws, each number within four standard errors; a wrong sign is not."""
    for baseline in (Baseline.start(), carried_baseline()):
        gradients = drawn_gradients(baseline)
        error = gradients.std(0) / math.sqrt(len(gradients))
        apart = (gradients.mean(0) - exact_gradient()).abs() / error
        assert (apart < 4).all()
    assert ((gradients.mean(0) + exact_gradient()).abs() / error > 4).any()


def test_a_baseline_lessens_the_scatter():
    """List 11: the 99 % interval of the variance saved, by the bootstrap, excludes zero."""
    without, with_one = drawn_gradients(Baseline.start()), drawn_gradients(carried_baseline())
    source, saved = torch.Generator().manual_seed(1), []
    for _ in range(200):
        rows = torch.randint(len(without), (len(without),), generator=source)
        saved.append(float(without[rows].var(0).sum() - with_one[rows].var(0).sum()))
    low = sorted(saved)[1]
    assert low > 0
    assert with_one.var(0).sum() < 0.5 * without.var(0).sum()


def test_the_baseline_by_hand():
    baseline = Baseline.start(2.0).update(torch.tensor([1.0, 3.0, 5.0]))
    assert baseline.mean.item() == pytest.approx(2.1)  # 0.9 * 2 + 0.1 * 3
    assert baseline.update(torch.tensor(7.0), decay=0.0).mean.item() == 7.0
    reward = torch.ones(3, requires_grad=True)
    assert not baseline.update(reward).mean.requires_grad


@pytest.mark.parametrize("decay", [-0.1, 1.5, float("nan")])
def test_a_decay_outside_its_range_is_refused(decay):
    with pytest.raises(
        ValueError, match=rf"update\(decay={decay}\): expected a number from 0 to 1"
    ):
        Baseline.start().update(torch.zeros(3), decay)


def test_the_terms_of_the_estimator():
    """Each weight scales its own term; the reward's own gradient is always there."""
    reward, log_prob, entropy = (torch.tensor(x, requires_grad=True) for x in (-2.0, -1.0, 0.5))
    objective = reinforce(reward, log_prob, entropy, Baseline.start(-1.5), 0.1, 0.002)
    objective.backward()
    assert reward.grad.item() == 1.0
    assert log_prob.grad.item() == pytest.approx(0.1 * (-2.0 + 1.5))
    assert entropy.grad.item() == pytest.approx(0.002)


def test_max_pooling_reads_every_feature_by_itself():
    """The notes' other attention without a query: which slot gave what, in the weights."""
    values = torch.tensor([[[1.0, 5.0, 0.0], [4.0, 5.0, -1.0], [3.0, -2.0, 7.0]]])
    pooled = max_pool(values.requires_grad_())
    assert pooled.value.tolist() == [[4.0, 5.0, 7.0]]
    assert pooled.indices.tolist() == [[1, 0, 2]]  # of equals the lowest
    assert torch.equal(torch.einsum("bsd,bsd->bd", pooled.weights, values), pooled.value)
    assert pooled.weights.mean(-1).tolist() == [pytest.approx([1 / 3, 1 / 3, 1 / 3])]
    pooled.value.sum().backward()
    assert torch.equal(values.grad, pooled.weights)


def test_max_pooling_under_a_mask():
    """List 14: unreadable slots may hold NaN; nothing to read gives zeros and no gradient."""
    values = torch.randn(2, 13, 7)
    values[:, 5] = torch.nan
    mask = torch.ones(2, 13, dtype=torch.bool)
    mask[:, 5], mask[1] = False, False
    values.requires_grad_()
    with torch.autograd.set_detect_anomaly(True):
        pooled = max_pool(values, mask)
        pooled.value.sum().backward()
    assert torch.equal(pooled.value[0], values[0, mask[0]].amax(0))
    assert not pooled.value[1].any()
    assert not pooled.weights[1].any()
    assert torch.equal(values.grad, pooled.weights)


def test_the_largest_of_numbers_below_zero_is_not_that_of_an_unreadable_slot():
    values = torch.tensor([[[-3.0, -1.0], [-2.0, -5.0], [7.0, 0.0]]])
    pooled = max_pool(values, torch.tensor([[True, True, False]]))
    assert pooled.value.tolist() == [[-2.0, -1.0]]
    assert pooled.indices.tolist() == [[1, 0]]


def test_a_sampled_read_of_a_softmax():
    """Its log-probability is that of the weight which a soft read would have had."""
    query, keys = torch.randn(2, 3, 5, requires_grad=True), torch.randn(2, 13, 5)
    mask = torch.rand(2, 1, 13) < 0.7
    readout = Attention(Dot(), Sampled())(query, keys, None, mask, generator())
    weights = Attention(Dot(), Softmax())(query, keys, None, mask).weights
    chosen = weights.gather(-1, readout.indices).squeeze(-1)
    assert_close(readout.log_prob.exp(), chosen)
    assert (readout.entropy > 0).all()
    readout.log_prob.sum().backward()
    assert query.grad.any()

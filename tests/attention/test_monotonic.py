"""Monotonic aligns: by hand, by recursion, and what holds for every walk."""

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import (
    AlignContext,
    ClippedMonotonic,
    HardMonotonic,
    Monotonic,
    start_at_first,
)

SOFT = [Monotonic, ClippedMonotonic]


def after(previous, seed=None):
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    return AlignContext(previous=previous, generator=generator)


def recursion(stop, previous):
    """Walk over the slots one by one: the paper's definition, differentiable."""
    comes, weights = torch.zeros_like(stop[..., 0]), []
    for slot in range(stop.shape[-1]):
        comes = comes + previous[..., slot]
        weights.append(stop[..., slot] * comes)
        comes = comes - weights[-1]
    return torch.stack(weights, -1)


@pytest.mark.parametrize("align", SOFT)
def test_monotonic_by_hand(align):
    """List 6: two steps over three slots."""
    start = start_at_first(torch.ones(1, 3, dtype=torch.bool)).double()
    scores = torch.tensor([[0.2, 0.5, 0.9]]).double().logit()
    first = align().double()(scores, None, after(start))
    assert_close(first, torch.tensor([[0.2, 0.4, 0.36]]).double())
    second = align().double()(torch.zeros(1, 3).double(), None, after(first))
    assert_close(second, torch.tensor([[0.1, 0.25, 0.305]]).double())
    sums = first.sum().item(), second.sum().item()
    assert sums == (pytest.approx(0.96), pytest.approx(0.655))


@pytest.mark.parametrize("align", SOFT)
def test_recursive_and_parallel_forms_agree(align):
    """List 10: in value and gradient, where no clip is active; any number of slots."""
    for slots in (1, 2, 3, 13, 17):
        scores = torch.randn(2, 3, slots).double().requires_grad_()
        previous = torch.rand(2, 3, slots).double().requires_grad_()
        outer = torch.randn(2, 3, slots).double()
        found = align().double()(scores, None, after(previous))
        expected = recursion(scores.sigmoid(), previous)
        assert_close(found, expected, rtol=1e-10, atol=1e-14)
        gradients = torch.autograd.grad((found * outer).sum(), (scores, previous))
        exact = torch.autograd.grad((expected * outer).sum(), (scores, previous))
        assert_close(gradients, exact, rtol=1e-10, atol=1e-12)


def test_the_clip_loses_what_the_exact_form_keeps():
    """List 10: past thirty slots where the reader surely goes on, one of them is fallen short of.

    The running product is then below the clip, and what arrives later is divided by too much.
    """
    scores = torch.full((1, 53), 2.0).double()
    previous = torch.zeros(1, 53).double()
    previous[0, 40] = 1.0
    exact = Monotonic().double()(scores, None, after(previous))
    clipped = ClippedMonotonic().double()(scores, None, after(previous))
    assert_close(exact, recursion(scores.sigmoid(), previous), rtol=1e-10, atol=1e-14)
    assert exact.sum().item() == pytest.approx(1.0)
    assert clipped.sum().item() < 1e-3


@pytest.mark.parametrize("align", SOFT)
def test_clear_scores_are_finite(align):
    scores = torch.tensor([[500.0, -500.0, 500.0, 0.0]], requires_grad=True)
    weights = align()(scores, None, after(torch.tensor([[0.0, 1.0, 0.0, 0.0]])))
    weights.square().sum().backward()
    assert scores.grad.isfinite().all()
    if align is Monotonic:
        assert_close(weights, torch.tensor([[0.0, 0.0, 1.0, 0.0]]))


def test_the_walk_is_one_hot_and_never_goes_back():
    """List 10: one-hot or zero, and once it has run out it stays so."""
    align = HardMonotonic(Monotonic(bias=-0.5))
    generator = torch.Generator().manual_seed(1)
    mask = torch.rand(50, 1, 13, generator=generator) < 0.8
    previous, place = start_at_first(mask), torch.zeros(50, 1).long()
    ended = torch.zeros(50, 1, dtype=torch.bool)
    for _ in range(4):
        scores = torch.randn(50, 1, 13, generator=generator)
        previous = align(scores, mask, after(previous))
        assert set(previous.flatten().tolist()) <= {0.0, 1.0}
        stands = previous.any(-1)
        assert not (stands & ended).any()
        now = previous.argmax(-1)
        assert (now >= place)[stands].all()
        assert (scores.gather(-1, now.unsqueeze(-1)).squeeze(-1) > 0.5)[stands].all()
        place, ended = torch.where(stands, now, place), ended | ~stands
    assert ended.any()
    assert not ended.all()


def test_clear_scores_make_expectation_and_walk_agree():
    """List 10: where every chance is 0 or 1 the expectation is the walk."""
    soft = Monotonic()
    scores = 100.0 * torch.randn(50, 1, 13).sign()
    previous = start_at_first(torch.ones(50, 1, 13, dtype=torch.bool))
    for _ in range(3):
        walked = soft.hard()(scores, None, after(previous))
        assert_close(soft(scores, None, after(previous)), walked, rtol=0, atol=1e-6)
        scores, previous = scores.roll(3, -1), walked


def test_the_bias_is_learned_and_shared_with_the_walk():
    soft = Monotonic(bias=-4.0)
    assert soft.hard().bias is soft.bias
    previous = torch.eye(3)[:1]
    soft(torch.zeros(1, 3), None, after(previous))[0, 0].backward()
    assert soft.bias.grad > 0
    assert not soft.hard()(torch.full((1, 3), 3.9), None, after(previous)).any()
    assert soft.hard()(torch.full((1, 3), 4.1), None, after(previous)).any()


@pytest.mark.parametrize("align", SOFT)
def test_noise_is_for_training_only(align):
    scores, previous = torch.randn(2, 3, 13), torch.rand(2, 3, 13)
    noisy, plain = align(noise=1.0), align()
    first = noisy(scores, None, after(previous, seed=1))
    assert torch.equal(first, noisy(scores, None, after(previous, seed=1)))
    assert not torch.allclose(first, noisy(scores, None, after(previous, seed=2)))
    assert not torch.allclose(first, plain(scores, None, after(previous)))
    still = noisy.eval()(scores, None, after(previous))
    assert torch.equal(still, plain(scores, None, after(previous)))
    with pytest.raises(ValueError, match=rf"{align.__name__} needs the context's `generator`"):
        noisy.train()(scores, None, after(previous))


@pytest.mark.parametrize("align", SOFT)
def test_a_negative_noise_is_refused(align):
    message = rf"{align.__name__}\(noise=-1.0\): expected a number of at least 0"
    with pytest.raises(ValueError, match=message):
        align(noise=-1.0)


@pytest.mark.parametrize("align", SOFT)
def test_noise_is_added_with_its_deviation_and_before_the_sigmoid(align):
    """One number a pair, drawn from the generator that is given."""
    scores, previous = torch.randn(2, 3, 13), torch.rand(2, 3, 13)
    drawn = torch.randn(scores.shape, generator=torch.Generator().manual_seed(1))
    noisy, plain = align(bias=0.25, noise=0.3), align(bias=0.25)
    found = noisy(scores, None, after(previous, seed=1))
    assert_close(found, plain(scores + 0.3 * drawn, None, after(previous)))

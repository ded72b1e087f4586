"""Addressing stage by stage: weights stay weights, a shift is a rotation, nothing is ever NaN."""

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck
from torch.testing import assert_close

from memnets.ops.addressing import (
    SMALLEST_WEIGHT,
    erase_add,
    interpolate,
    sharpen,
    shift,
    shift_by,
)


def weights(*shape, slots=7, dtype=torch.float64):
    return torch.randn(*shape, slots, dtype=dtype).softmax(-1)


def double(*shape):
    return torch.randn(shape, dtype=torch.float64)


def one_hot(slot, slots=7):
    return torch.eye(slots, dtype=torch.float64)[slot]


@pytest.mark.usefixtures("shapes_unchecked")
def test_weights_sum_to_one_at_every_stage_over_many_steps():
    w = weights(3)
    for _ in range(200):
        stages = [interpolate(weights(3), w, double(3).sigmoid())]
        stages.append(shift(stages[-1], double(3, 5).softmax(-1)))
        stages.append(sharpen(stages[-1], 1 + 49 * double(3).sigmoid()))
        for stage in stages:
            assert_close(stage.sum(-1), torch.ones(3).double(), rtol=0, atol=1e-12)
            assert stage.min() >= 0
        w = stages[-1]


@pytest.mark.parametrize("reach", [0, 1, 3, 9])
def test_a_shift_is_a_rotation(reach):
    """Also beyond the whole ring; all of it on +1 moves from the last slot to the first."""
    w, moves = weights(2), 2 * reach + 1
    for move in range(-reach, reach + 1):
        by = one_hot(move + reach, moves).expand(2, -1)
        assert_close(shift(w, by), w.roll(move, -1), rtol=0, atol=0)
        for slot in range(7):
            assert shift(one_hot(slot), by[0]).argmax() == (slot + move) % 7


def test_a_shift_is_the_sum_over_the_ring():
    w, by = weights(), double(5).softmax(-1)
    expected = [sum(w[(i - k) % 7] * by[k + 2] for k in range(-2, 3)) for i in range(7)]
    assert_close(shift(w, by), torch.stack(expected))


def test_an_even_number_of_moves_is_refused():
    with pytest.raises(ValueError, match=r"shift\(\): 4 moves came, expected an odd number"):
        shift(weights(), double(4).softmax(-1))


@pytest.mark.parametrize(
    ("amount", "shares"), [(6.75, {6: 0.25, 0: 0.75}), (-1.5, {5: 0.5, 6: 0.5}), (7.0, {0: 1.0})]
)
def test_a_shift_by_a_number_is_shared_between_two(amount, shares):
    found = shift_by(one_hot(0), torch.tensor(amount).double())
    expected = sum(share * one_hot(slot) for slot, share in shares.items())
    assert_close(found, expected, rtol=0, atol=1e-12)


def test_sharpening():
    w = weights(4)
    assert_close(sharpen(w, torch.ones(4).double()), w)
    assert_close(sharpen(w, torch.full((4,), 3.0).double()), w**3 / (w**3).sum(-1, keepdim=True))
    assert_close(sharpen(w, torch.full((4,), 1e9).double()), torch.eye(7).double()[w.argmax(-1)])


def test_gates_shut_and_open():
    content, before = weights(2), weights(2)
    for gate, expected in ((0.0, before), (1.0, content)):
        found = interpolate(content, before, torch.full((2,), gate).double())
        assert_close(found, expected, rtol=0, atol=0)


@pytest.mark.parametrize("exponent", [1.0, 50.0, 1e6, 1e30, 3e38])
def test_extremes_in_single_precision_are_finite(exponent):
    """Exact zeros, one-hot rows, uniform ones: value and gradient."""
    rows = torch.stack(
        [torch.eye(128)[3], torch.full((128,), 1 / 128), torch.randn(128).softmax(-1)]
    )
    rows.requires_grad_()
    by = torch.tensor([0.0, 1.0, 0.0]).expand(3, -1).clone().requires_grad_()
    sharpness = torch.full((3,), exponent, requires_grad=True)
    found = sharpen(shift(rows, by), sharpness)
    (found * torch.randn(128)).sum().backward()
    assert_close(found.sum(-1), torch.ones(3))
    assert found.isfinite().all()
    # As large as the exponent itself the gradient may be, which a product by 128 / 1 overflows.
    if exponent <= 1e30:
        assert all(part.grad.isfinite().all() for part in (rows, by))
    assert sharpness.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_widened(dtype):
    w = weights(3, dtype=torch.float32).to(dtype)
    number = torch.full((3,), 2.0).to(dtype)
    by = torch.randn(3, 3).softmax(-1).to(dtype)
    for found in (
        interpolate(w, w, number / 4),
        shift(w, by),
        shift_by(w, number),
        sharpen(w, number),
    ):
        assert found.dtype is torch.float32
        assert_close(found.sum(-1), torch.ones(3), rtol=0, atol=0.02)


def inputs():
    return [part.requires_grad_() for part in (weights(2), weights(2), double(2).sigmoid())]


def test_gradients_equal_differences():
    content, before, gate = inputs()
    assert gradcheck(interpolate, (content, before, gate))
    assert gradcheck(shift, (content, double(2, 3).softmax(-1).requires_grad_()))
    assert gradcheck(shift_by, (content, (double(2) * 5).requires_grad_()))
    assert gradcheck(sharpen, (content, (1 + gate.detach()).requires_grad_()))
    memory, w = double(2, 5, 3).requires_grad_(), weights(2, 2, slots=5).requires_grad_()
    erase, add = double(2, 2, 3).sigmoid().requires_grad_(), double(2, 2, 3).requires_grad_()
    assert gradcheck(erase_add, (memory, w, erase, add))


def test_no_gradient_below_the_smallest_weight_but_none_is_nan():
    w = torch.tensor([1.0, 0.0, SMALLEST_WEIGHT / 2]).double().requires_grad_()
    sharpen(w, torch.tensor(2.0).double())[0].backward()
    assert w.grad[1:].tolist() == [0, 0]
    assert w.grad.isfinite().all()


def test_writing_on_one_slot():
    memory, w = double(5, 3), torch.eye(5).double()[2:3]
    replaced = erase_add(memory, w, torch.ones(1, 3).double(), torch.full((1, 3), 7.0).double())
    expected = memory.clone()
    expected[2] = 7
    assert_close(replaced, expected, rtol=0, atol=0)
    untouched = erase_add(memory, w, torch.zeros(1, 3).double(), torch.zeros(1, 3).double())
    assert_close(untouched, memory, rtol=0, atol=0)


def test_the_order_of_heads_does_not_matter_and_head_by_head_it_would():
    memory, w, erase, add = double(5, 3), weights(3, slots=5), double(3, 3).sigmoid(), double(3, 3)

    def one_by_one(order):
        found = memory
        for head in order:
            found = erase_add(found, w[[head]], erase[[head]], add[[head]])
        return found

    turned = [2, 0, 1]
    found = erase_add(memory, w, erase, add)
    assert_close(
        found, erase_add(memory, w[turned], erase[turned], add[turned]), atol=1e-12, rtol=0
    )
    assert not torch.allclose(one_by_one([0, 1, 2]), one_by_one(turned), atol=1e-3)
    assert not torch.allclose(found, one_by_one([0, 1, 2]), atol=1e-3)
    kept = np.prod([1 - np.outer(w[h], erase[h]) for h in range(3)], axis=0)
    assert_close(found, memory * torch.from_numpy(kept) + w.mT @ add)

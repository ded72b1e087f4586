"""Scores, aligns and the read against the paper's loops, and faults that must be caught."""

from functools import partial

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.attention import Attention, Dot, Identity, PaddedSoftmax, ScaledDot, Softmax, attend
from memnets.reference import attention as reference

SCORES = {Dot: reference.dot, ScaledDot: reference.scaled_dot}
ALIGNS = {
    Softmax: reference.softmax,
    PaddedSoftmax: partial(reference.padded_softmax, slots=PaddedSoftmax.example().slots),
    Identity: reference.identity,
}


def inputs():
    query, keys = torch.randn(2, 3, 5).double(), torch.randn(2, 13, 5).double()
    values, mask = torch.randn(2, 13, 7).double(), torch.rand(2, 3, 13) < 0.7
    mask[1, 2] = False
    return query, keys, values, mask


def by_loops(score, align, query, keys, values, mask):
    """Return weights and values, one query at a time."""
    weights, read = np.zeros(mask.shape), np.zeros((*mask.shape[:2], values.shape[-1]))
    for row, i in np.ndindex(*mask.shape[:2]):
        scores = SCORES[score](query[row, i].numpy(), keys[row].numpy())
        weights[row, i] = ALIGNS[align](scores, mask[row, i].numpy())
        read[row, i] = reference.read(weights[row, i], values[row].numpy())
    return weights, read


def compare(score, align, arrays):
    """Raise an AssertionError where attention and the loops differ."""
    weights, read = by_loops(score, align, *arrays)
    readout = Attention(score(), align.example())(*arrays)
    np.testing.assert_allclose(readout.weights.numpy(), weights, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(readout.value.numpy(), read, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("align", ALIGNS, ids=lambda part: part.__name__)
@pytest.mark.parametrize("score", SCORES, ids=lambda part: part.__name__)
def test_equals_the_loops(score, align):
    compare(score, align, inputs())


@pytest.mark.parametrize("align", ALIGNS, ids=lambda part: part.__name__)
@pytest.mark.parametrize("score", SCORES, ids=lambda part: part.__name__)
def test_gradients_equal_central_differences_of_the_loops(score, align):
    *leaves, mask = inputs()
    outer = torch.randn(2, 3, 7).double()
    moving = [leaf.clone().requires_grad_() for leaf in leaves]
    readout = Attention(score(), align.example())(*moving, mask)
    gradients = torch.autograd.grad((readout.value * outer).sum(), moving)

    def loss(step, direction):
        moved = [leaf + step * way for leaf, way in zip(leaves, direction, strict=True)]
        return (by_loops(score, align, *moved, mask)[1] * outer.numpy()).sum()

    for _ in range(3):
        direction = [torch.randn_like(leaf) for leaf in leaves]
        found = sum(float((g * way).sum()) for g, way in zip(gradients, direction, strict=True))
        expected = (loss(1e-5, direction) - loss(-1e-5, direction)) / 2e-5
        assert found == pytest.approx(expected, rel=1e-6)


def test_softmax_by_hand():
    weights = Softmax()(torch.tensor([[-2.0, 0.0, 0.5]]))
    torch.testing.assert_close(weights, torch.tensor([[0.0486, 0.3592, 0.5922]]), rtol=0, atol=5e-5)


def test_scaled_dot_by_hand():
    query, keys = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[1.0, 1.0, 1.0, 1.0]])
    assert ScaledDot()(query, keys).item() == 5.0  # 10 / sqrt(4)


@pytest.mark.parametrize("score", SCORES, ids=lambda part: part.__name__)
def test_unequal_widths_are_refused(score):
    message = rf"{score.__name__}\(\): the query has width 5 and the keys 7\. .*equal widths"
    with pytest.raises(ValueError, match=message):
        score()(torch.randn(3, 5), torch.randn(13, 7))


# Faults. Each changes one thing; the comparison above must then fail.


def flip_sign(patch):
    match = Dot.match
    patch.setattr(Dot, "match", lambda *arguments: -match(*arguments))


def scale_by_the_width(patch):
    patch.setattr(
        ScaledDot, "match", lambda self, query, remembered, context: query @ remembered.mT / 5
    )


def forget_the_scale(patch):
    patch.setattr(ScaledDot, "match", Dot.match)


def normalise_over_queries(patch):
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: scores.softmax(-2).masked_fill(~mask, 0.0),
    )


def ignore_mask(patch):
    patch.setattr(Softmax, "forward", lambda self, scores, mask, context: scores.softmax(-1))


def mask_after_normalising(patch):
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: scores.softmax(-1).masked_fill(~mask, 0.0),
    )


def invert_mask(patch):
    forward = Softmax.forward
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: forward(self, scores, ~mask, context),
    )


def read_one_slot_late(patch):
    read = attend.read
    patch.setattr(attend, "read", lambda weights, values: read(weights.roll(1, -1), values))


def read_with_the_sign_lost(patch):
    read = attend.read
    patch.setattr(attend, "read", lambda weights, values: read(weights, values.abs()))


FAULTS = [
    flip_sign,
    scale_by_the_width,
    forget_the_scale,
    normalise_over_queries,
    ignore_mask,
    mask_after_normalising,
    invert_mask,
    read_one_slot_late,
    read_with_the_sign_lost,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_caught(fault, monkeypatch):
    arrays = inputs()
    compare(ScaledDot, Softmax, arrays)
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(ScaledDot, Softmax, arrays)


def test_a_linear_start_without_its_mask_is_caught(monkeypatch):
    monkeypatch.setattr(Identity, "forward", lambda self, scores, mask, context: scores)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(Dot, Identity, inputs())


def test_padded_softmax_by_hand():
    weights = PaddedSoftmax(slots=5)(
        torch.tensor([[0.0, 0.0, 9.0]]), torch.tensor([[True, True, False]])
    )
    assert_close(weights, torch.tensor([[0.2, 0.2, 0.0]]))  # 1 / (2 + 3 empty)


def test_padded_softmax_without_room_is_softmax():
    scores = torch.randn(3, 7)
    assert_close(PaddedSoftmax(slots=7)(scores), Softmax()(scores))
    assert_close(PaddedSoftmax(slots=5)(scores), Softmax()(scores))


def test_a_memory_without_slots_is_refused():
    with pytest.raises(ValueError, match=r"PaddedSoftmax\(slots=0\): expected at least 1"):
        PaddedSoftmax(slots=0)

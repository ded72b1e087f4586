"""The evidence loss: its targets, its value by hand, its gradient, and where it does nothing."""

import math

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import Attention, Dot, Readout, Softmax
from memnets.tasks.evidence_loss import evidence_loss, in_any_order, in_order

LOST, NONE = -2, -1


def readouts(scores):
    """Return a readout a hop, of scores `(batch, hop, slot)`."""
    return tuple(
        Readout(one.unsqueeze(1), one.unsqueeze(1), scores=one.unsqueeze(1))
        for one in scores.unbind(1)
    )


def test_in_order_each_hop_reads_the_next_support():
    """List 14: and where there is none, the hop is free."""
    supports = torch.tensor([[2, 0], [1, NONE], [LOST, 3]])
    target = in_order(supports, hops=3, slots=4)
    assert target.argmax(-1).tolist()[0][:2] == [2, 0]
    read = [[place.nonzero().flatten().tolist() for place in row] for row in target]
    assert read == [[[2], [0], []], [[1], [], []], [[], [3], []]]


def test_a_hop_after_the_last_support_reads_the_end_and_a_lost_support_stays_free():
    supports = torch.tensor([[2, NONE], [LOST, 3]])
    target = in_order(supports, hops=3, slots=4, end=0)
    read = [[place.nonzero().flatten().tolist() for place in row] for row in target]
    assert read == [[[2], [0], [0]], [[], [3], [0]]]


def test_more_supports_than_hops():
    """List 14: the first ones by order, all of them by shares."""
    supports = torch.tensor([[3, 1, 2]])
    assert in_order(supports, hops=2, slots=4).nonzero()[:, 1:].tolist() == [[0, 3], [1, 1]]
    shared = in_any_order(supports, hops=2, slots=4)
    assert_close(shared, torch.tensor([[[0, 1 / 3, 1 / 3, 1 / 3]] * 2]))


def test_a_support_that_is_named_twice_counts_once():
    supports = torch.tensor([[1, 1, 0, LOST], [2, NONE, NONE, NONE], [NONE] * 4])
    shared = in_any_order(supports, hops=1, slots=3)
    assert shared.squeeze(1).tolist() == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [0.0] * 3]


def test_competing_slots_by_hand():
    """List 14: a softmax over what may be read."""
    scores = torch.tensor([[[0.0, math.log(3.0), 9.0], [0.0, 0.0, 9.0]]])
    mask = torch.tensor([[True, True, False]])
    target = in_order(torch.tensor([[1, 0]]), hops=2, slots=3)
    found = evidence_loss(readouts(scores), mask, target)
    assert_close(found, torch.tensor([-math.log(0.75) - math.log(0.5)]))


def test_slots_with_gates_of_their_own_by_hand():
    scores = torch.tensor([[[math.log(3.0), 0.0, 9.0]]])
    mask = torch.tensor([[True, True, False]])
    target = in_any_order(torch.tensor([[0]]), hops=1, slots=3)
    found = evidence_loss(readouts(scores), mask, target, compete=False)
    assert_close(found, torch.tensor([-math.log(0.75) - math.log(0.5)]))


@pytest.mark.parametrize("compete", [True, False])
def test_a_hop_without_a_target_has_no_gradient(compete):
    scores = torch.randn(2, 2, 3, requires_grad=True)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    target = in_order(torch.tensor([[1, NONE], [LOST, 0]]), hops=2, slots=3)
    evidence_loss(readouts(scores), mask, target, compete).sum().backward()
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert scores.grad[0, 0].any()
    assert not scores.grad[0, 1].any()
    assert not scores.grad[1, 0].any()
    assert not scores.grad[1, 1, 1:].any()  # what may not be read


def test_it_is_taken_of_the_scores_where_the_weights_are_zero():
    scores = torch.tensor([[[0.0, 300.0]]], requires_grad=True)
    target = in_order(torch.tensor([[0]]), hops=1, slots=2)
    loss = evidence_loss(readouts(scores), torch.ones(1, 2, dtype=torch.bool), target)
    loss.sum().backward()
    assert float(loss.detach()) == 300
    assert_close(scores.grad, torch.tensor([[[-1.0, 1.0]]]))


def test_an_attention_hands_on_its_scores():
    query, keys = torch.randn(2, 1, 3), torch.randn(2, 5, 3)
    mask = torch.tensor([[True] * 4 + [False], [True] * 2 + [False] * 3])
    readout = Attention(Dot(), Softmax())(query, keys, mask=mask.unsqueeze(1))
    target = in_order(torch.tensor([[3], [0]]), hops=1, slots=5)
    found = evidence_loss([readout], mask, target)
    likely = torch.stack([readout.weights[0, 0, 3], readout.weights[1, 0, 0]])
    assert_close(found, -likely.log())


def test_a_readout_without_scores_is_refused():
    plain = Readout(torch.zeros(1, 1, 2), torch.zeros(1, 1, 2))
    target = in_order(torch.tensor([[0]]), hops=1, slots=2)
    with pytest.raises(ValueError, match=r"without scores came.*MEMNETS_PLAIN=1"):
        evidence_loss([plain], torch.ones(1, 2, dtype=torch.bool), target)

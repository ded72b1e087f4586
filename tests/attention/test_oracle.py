"""Every score with every align against the papers' loops, and faults that must be caught."""

from functools import partial

import numpy as np
import pytest
import torch
from attention_oracles import ALIGNS, RELAXED, SCORES, Case, array, compare
from torch.testing import assert_close

from memnets.attention import (
    Align,
    Dot,
    Identity,
    PaddedSoftmax,
    Sampled,
    ScaledDot,
    Score,
    Softmax,
    attend,
    max_pool,
)
from memnets.reference import attention as reference
from memnets.testing import discover

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
by_align = pytest.mark.parametrize("align", ALIGNS, ids=lambda part: part.__name__)
by_score = pytest.mark.parametrize("score", SCORES, ids=lambda part: part.__name__)


def test_every_part_has_an_oracle():
    of_models = {
        score for score in discover(Score) if score.__module__.startswith("memnets.models")
    }
    assert set(discover(Score)) - of_models == set(SCORES)  # those stand beside their model's loops
    assert set(discover(Align)) == set(ALIGNS)


# A sixth of the grid is read always, every part with every sixth other.
GRID = [
    pytest.param(score, align, marks=() if (i + j) % 6 == 0 else pytest.mark.slow)
    for i, score in enumerate(SCORES)
    for j, align in enumerate(ALIGNS)
]


@pytest.mark.parametrize(("score", "align"), GRID, ids=lambda part: part.__name__)
def test_equals_the_loops(score, align):
    """List 1: every score with every align is what the naive loops say, and so are gradients.

    Values and gradients in float64; gradients by central differences of the loops, along one way
    through queries, keys and values at once, away from kinks.
    """
    case = Case(score, align)
    compare(case)
    outer = torch.randn(2, 3, 11).double()
    moving = [leaf.clone().requires_grad_() for leaf in case.leaves]
    loss = (case.read(*moving)[1] * outer).sum()
    gradients = torch.autograd.grad(loss, moving, allow_unused=True, materialize_grads=True)
    read = straight_through(case) if align in RELAXED else partial(by_loops, case)
    direction = [torch.randn_like(leaf) for leaf in case.leaves]

    def moved(step):
        leaves = [leaf + step * way for leaf, way in zip(case.leaves, direction, strict=True)]
        return (read(leaves) * outer.numpy()).sum()

    found = sum(float((g * way).sum()) for g, way in zip(gradients, direction, strict=True))
    expected = (moved(1e-5) - moved(-1e-5)) / 2e-5
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-8)


def by_loops(case, leaves):
    return case.by_loops(*leaves)[1]


def straight_through(case):
    """Return a read whose weights stay where they are, and move as the relaxed ones do."""
    hard, _ = case.by_loops(*case.leaves)
    here, _ = case.by_loops(*case.leaves, relaxed=True)

    def read(leaves):
        weights = hard + case.by_loops(*leaves, relaxed=True)[0] - here
        return weights @ array(leaves[2])

    return read


def test_a_sample_says_its_log_probability_and_entropy():
    case = Case(Dot, Sampled)
    query, keys, values = case.leaves
    readout = case.attention(query, keys, values, case.mask, case.inputs.context())
    taken, _ = case.by_loops(*case.leaves)
    for row, i in np.ndindex(2, 3):
        mask = array(case.mask[row, i])
        scores = reference.dot(array(query[row, i]), array(keys[row]))
        expected = reference.log_probability(scores, mask, taken[row, i])
        assert float(readout.log_prob[row, i]) == pytest.approx(expected, rel=1e-10, abs=1e-14)
        expected = reference.entropy(scores, mask)
        assert float(readout.entropy[row, i]) == pytest.approx(expected, rel=1e-10, abs=1e-14)


def test_max_pool_equals_the_loops():
    values, mask = torch.randn(2, 13, 7).double(), torch.rand(2, 13) < 0.5
    mask[1] = False
    for row in range(2):
        expected = reference.max_pool(array(values[row]), array(mask[row]))
        assert max_pool(values, mask).value[row].tolist() == expected.tolist()


def test_padded_softmax_by_hand():
    scores, mask = torch.tensor([[0.0, 0.0, 9.0]]), torch.tensor([[True, True, False]])
    weights = PaddedSoftmax(slots=5)(scores, mask)
    assert_close(weights, torch.tensor([[0.2, 0.2, 0.0]]))  # 1 / (2 + 3 empty)


def test_padded_softmax_without_room_is_softmax():
    scores = torch.randn(3, 7)
    assert_close(PaddedSoftmax(slots=7)(scores), Softmax()(scores))
    assert_close(PaddedSoftmax(slots=5)(scores), Softmax()(scores))


def test_a_memory_without_slots_is_refused():
    with pytest.raises(ValueError, match=r"PaddedSoftmax\(slots=0\): expected at least 1"):
        PaddedSoftmax(slots=0)


# Faults. Each changes one thing; the comparison above must then fail.


def caught(case):
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(case)


@by_score
def test_a_score_with_its_sign_lost_is_caught(score, monkeypatch):
    match = score.match
    monkeypatch.setattr(score, "match", lambda *arguments: -match(*arguments))
    caught(Case(score, Softmax))


@by_score
def test_a_score_of_the_slot_before_is_caught(score, monkeypatch):
    match = score.match
    monkeypatch.setattr(score, "match", lambda *arguments: match(*arguments).roll(1, -1))
    caught(Case(score, Softmax))


@by_align
def test_an_align_that_inverts_the_mask_is_caught(align, monkeypatch):
    forward = align.align
    monkeypatch.setattr(
        align,
        "align",
        lambda self, scores, mask, context: forward(self, scores, ~mask, context),
    )
    caught(Case(Dot, align))


@by_align
def test_an_align_that_counts_slots_from_one_is_caught(align, monkeypatch):
    forward = align.align

    def late(self, scores, mask, context):
        aligned = forward(self, scores, mask, context)
        if aligned.indices is None:
            return aligned._replace(weights=aligned.weights.roll(1, -1))
        return aligned._replace(indices=(aligned.indices + 1) % scores.shape[-1])

    monkeypatch.setattr(align, "align", late)
    caught(Case(Dot, align))


def scale_by_the_width(patch):
    patch.setattr(
        ScaledDot, "match", lambda self, query, remembered, context: query @ remembered.mT / 5
    )


def normalise_over_queries(patch):
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: scores.softmax(-2).masked_fill(~mask, 0.0),
    )


def mask_after_normalising(patch):
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: scores.softmax(-1).masked_fill(~mask, 0.0),
    )


def read_one_slot_late(patch):
    read = attend.read
    patch.setattr(attend, "read", lambda weights, values: read(weights.roll(1, -1), values))


def read_with_the_sign_lost(patch):
    read = attend.read
    patch.setattr(attend, "read", lambda weights, values: read(weights, values.abs()))


FAULTS = [
    scale_by_the_width,
    normalise_over_queries,
    mask_after_normalising,
    read_one_slot_late,
    read_with_the_sign_lost,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_caught(fault, monkeypatch):
    compare(Case(ScaledDot, Softmax))
    fault(monkeypatch)
    caught(Case(ScaledDot, Softmax))


def test_a_linear_start_without_its_mask_is_caught(monkeypatch):
    monkeypatch.setattr(Identity, "forward", lambda self, scores, mask, context: scores)
    caught(Case(Dot, Identity))

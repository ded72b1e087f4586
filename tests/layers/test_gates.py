"""Gates of episodic memories: conformance, the papers' formulas, and faults that must be caught."""

import pytest
import torch
from torch.testing import assert_close

from memnets.layers import Gate, KumarGate, XiongGate
from memnets.testing import check_gate, discover

HIDDEN = 5


@pytest.mark.parametrize("gate", discover(Gate), ids=lambda part: part.__name__)
def test_gate_conforms(gate):
    """List 11: among all else, the gradient where a slot is the question."""
    check_gate(gate)


def drawn(seed=3):
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(3, HIDDEN, generator=draw).double().unbind()


def printed(gate, z, order):
    """Score features that stand as printed: the columns of W_1 are put in their order."""
    first = gate.first.weight[:, order]
    return gate.second.weight[0] @ torch.tanh(first @ z + gate.first.bias) + gate.second.bias[0]


def columns(*blocks):
    return [column for start, width in blocks for column in range(start, start + width)]


def test_dmn_plus_has_four_features_a_dimension():
    """List 10: and the gate cut in two is the gate."""
    f, q, m = drawn()
    gate = XiongGate(HIDDEN).double()
    z = torch.cat([f * q, f * m, (f - q).abs(), (f - m).abs()])
    assert gate.first.in_features == len(z) == 4 * HIDDEN
    h = HIDDEN
    order = columns((0, h), (2 * h, h), (h, h), (3 * h, h))
    assert_close(gate(f, q, m), printed(gate, z, order))


def test_dmn_has_seven_features_a_dimension_and_two():
    """List 10: one matrix for both products."""
    f, q, m = drawn()
    gate = KumarGate(HIDDEN).double()
    w = gate.bilinear.weight
    both = (f @ w @ q).reshape(1), (f @ w @ m).reshape(1)
    z = torch.cat([f, m, q, f * q, f * m, (f - q).abs(), (f - m).abs(), *both])
    assert gate.first.in_features == len(z) == 7 * HIDDEN + 2
    h, second, alone = HIDDEN, 3 * HIDDEN + 1, 6 * HIDDEN + 2
    order = columns(
        (alone, h),  # f
        (second, h),  # m
        (0, h),  # q
        (h, h),
        (second + h, h),  # f * q, f * m
        (2 * h, h),
        (second + 2 * h, h),  # |f - q|, |f - m|
        (3 * h, 1),
        (second + 3 * h, 1),  # f W q, f W m
    )
    assert sorted(order) == list(range(7 * HIDDEN + 2))
    assert_close(gate(f, q, m), printed(gate, z, order))


class MixesSlots(XiongGate):
    def match(self, known, memory):
        scores = super().match(known, memory)
        return scores + scores.mean()


class ForgetsTheMemory(XiongGate):
    def match(self, known, memory):
        return super().match(known, known.question)


class HasAKink(XiongGate):
    def shared(self, slot, state):
        return torch.cat([slot * state, ((slot - state) ** 2).sqrt()], -1)


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        (MixesSlots, "by itself"),
        (ForgetsTheMemory, "another memory changes no score"),
        (HasAKink, "not finite where a slot is the question"),
    ],
)
def test_a_broken_gate_is_caught(gate, text):
    with pytest.raises(AssertionError, match=f"{gate.__name__}: .*({text})"):
        check_gate(gate)


def test_a_gate_needs_a_width():
    with pytest.raises(ValueError, match=r"XiongGate\(hidden=0"):
        XiongGate(0)

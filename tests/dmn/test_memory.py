"""Episodic memory: what its gates, its reads and its end do."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import Sigmoid, Softmax, Sparsemax, StraightThroughArgmax, TopK
from memnets.layers import KumarGate, SummedDirections, XiongGate
from memnets.memories import (
    AttentionGRU,
    EpisodicMemory,
    GatedGRU,
    GRUUpdate,
    MemoryUpdate,
    SoftSum,
    SumUpdate,
    UntiedReLU,
)

ROWS, SLOTS, HIDDEN, HOPS = 4, 7, 5, 3
LENGTHS = torch.tensor([7, 4, 1, 6])
MASK = torch.arange(SLOTS) < LENGTHS.unsqueeze(-1)


def build(read=None, align=None, gate=XiongGate, update=None, ends=False):
    memory = EpisodicMemory(
        gate(HIDDEN),
        align or Softmax(),
        read or AttentionGRU(HIDDEN),
        update or UntiedReLU(HIDDEN, HOPS),
        HOPS,
        ends,
    )
    with torch.no_grad():
        for parameter in memory.parameters():
            parameter.normal_()
    return memory.double().eval()


def given():
    return torch.randn(ROWS, SLOTS, HIDDEN).double(), MASK, torch.randn(ROWS, HIDDEN).double()


def test_gates_sum_to_1_over_the_slots_of_a_row():
    """List 5: and a batch in another order has its gates in that order."""
    memory, (slots, mask, question) = build(), given()
    order = torch.tensor([2, 0, 3, 1])
    found = memory(slots, mask, question)
    other = memory(slots[order], mask[order], question[order])
    for hop, moved in zip(found.hops, other.hops, strict=True):
        assert_close(hop.weights.sum(-1), torch.ones(ROWS, 1).double())
        assert not hop.weights[~mask.unsqueeze(1)].any()
        assert_close(moved.weights, hop.weights[order])
    assert_close(other.memory, found.memory[order])


def test_sigmoid_gates_do_not_compete():
    """List 5: each lies between 0 and 1, whatever the others are."""
    memory, (slots, mask, question) = build(align=Sigmoid()), given()
    weights = memory(slots, mask, question).hops[0].weights
    assert bool(((weights >= 0) & (weights <= 1)).all())
    assert not torch.allclose(weights.sum(-1), torch.ones(1).double())
    alone = memory(slots[:, :3], mask[:, :3], question).hops[0].weights
    assert_close(alone, weights[..., :3])


@pytest.mark.parametrize(
    ("read", "hears"),
    [(SoftSum(), False), (AttentionGRU(HIDDEN), True), (GatedGRU(HIDDEN), True)],
    ids=["sum", "attention GRU", "gated GRU"],
)
def test_only_a_recurrence_hears_the_order_of_slots(read, hears):
    """List 6: the slots of the first row change places, and no other row."""
    memory, (slots, mask, question) = build(read), given()
    shuffled = slots.clone()
    shuffled[0] = slots[0, torch.tensor([3, 1, 6, 0, 2, 5, 4])]
    one, other = (memory(part, mask, question).memory for part in (slots, shuffled))
    assert_close(one[1:], other[1:])
    assert torch.allclose(one[0], other[0]) is not hears


def test_fusion_is_the_sum_of_both_directions():
    """List 8: as wide as one of them, and every slot hears those before and after it."""
    gru = nn.GRU(HIDDEN, 3, bidirectional=True).double()
    fusion, (slots, mask, _) = SummedDirections(gru), given()
    forth, back = gru(slots[:1].transpose(0, 1))[0].transpose(0, 1).chunk(2, -1)
    assert_close(fusion(slots[:1]), forth + back)
    assert fusion(slots, mask).shape == (ROWS, SLOTS, 3)
    before = fusion(slots, mask)
    for place in (0, 6):
        changed = slots.clone()
        changed[0, place] += 1
        assert (fusion(changed, mask)[0] != before[0]).any(-1).all()
    with pytest.raises(ValueError, match="expected both directions"):
        SummedDirections(nn.GRU(HIDDEN, 3))


@pytest.mark.parametrize("read", [SoftSum(), AttentionGRU(HIDDEN), GatedGRU(HIDDEN)])
@pytest.mark.parametrize("align", [Sparsemax(), TopK(2), StraightThroughArgmax()])
def test_any_align_that_fits_reads(align, read):
    memory, (slots, mask, question) = build(read, align, KumarGate), given()
    found = memory(slots, mask, question)
    found.memory.sum().backward()
    assert found.memory.isfinite().all()
    dense = [hop.weights if hop.indices is None else None for hop in found.hops]
    assert all(part is None or not part[~mask.unsqueeze(1)].any() for part in dense)


def test_hops_know_what_the_ones_before_have_found():
    memory, (slots, mask, question) = build(update=SumUpdate(), read=SoftSum()), given()
    found = memory(slots, mask, question)
    state = question
    for hop in found.hops:
        scores = memory.gate(slots, question.unsqueeze(1), state.unsqueeze(1))
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        assert_close(hop.weights.squeeze(1), weights)
        assert_close(hop.scores.squeeze(1)[mask], scores[mask])
        state = state + hop.value.squeeze(1)
    assert_close(found.memory, state)


class Ends(XiongGate):
    """Score the end, a slot of zeros, highest from a given hop on."""

    def match(self, known, memory):
        self.hop = getattr(self, "hop", -1) + 1
        end = (known.slot == 0).all(-1)
        return torch.where(end & (self.hop >= 1), 9.0, super().match(known, memory))


def test_the_end_ends_a_row_and_no_other():
    """List 15: the memory stays as it was before the hop that reads the end most."""
    memory = build(ends=True, update=GRUUpdate(HIDDEN))
    with torch.no_grad():
        memory.end.zero_()
        memory.gate.second.bias.zero_()
        memory.gate.second.weight.zero_()  # all slots alike: the first, which is the end, is taken
    slots, mask, question = given()
    assert torch.equal(memory(slots, mask, question).memory, question)
    memory = build(ends=True, gate=Ends, update=GRUUpdate(HIDDEN))
    with torch.no_grad():
        memory.end.zero_()
    found = memory(slots, mask, question)
    hops = [hop.weights.squeeze(1) for hop in found.hops]
    assert all(weights.shape == (ROWS, SLOTS + 1) for weights in hops)
    begun = hops[0].argmax(-1) > 0  # rows that did not end at once
    first = memory.update(0, question, found.hops[0].value.squeeze(1), question)
    expected = torch.where(begun.unsqueeze(-1), first, question)
    assert begun.any()
    assert_close(found.memory, expected)


def test_one_hop_and_an_end_work_together():
    """List 15: there are never more hops than were asked for."""
    gate, update = XiongGate(HIDDEN), UntiedReLU(HIDDEN, 1)
    memory = EpisodicMemory(gate, Softmax(), AttentionGRU(HIDDEN), update, 1, ends=True)
    slots, mask, question = (part.float() if part.is_floating_point() else part for part in given())
    assert len(memory(slots, mask, question).hops) == 1


def test_the_end_is_taken_by_degrees_in_training():
    """List 15: so that a row that would end learns what else there is to read."""
    memory = build(ends=True)
    with torch.no_grad():
        memory.end.normal_()
    slots, mask, question = given()
    memory.train()
    memory(slots, mask, question).memory.sum().backward()
    assert all(part.grad.any() for part in memory.gate.parameters())
    assert memory.end.grad.any()


def test_a_story_of_nothing_leaves_the_question():
    """List 4: rows without slots have gates of zero, and nothing is NaN."""
    for read in (SoftSum(), AttentionGRU(HIDDEN), GatedGRU(HIDDEN)):
        memory, (slots, _, question) = build(read, update=SumUpdate()), given()
        empty = torch.zeros(ROWS, SLOTS, dtype=torch.bool)
        assert torch.equal(memory(slots, empty, question).memory, question)
        assert torch.equal(memory(slots[:, :0], empty[:, :0], question).memory, question)


class Counts(MemoryUpdate):
    """Leave 10, 20, 30 behind, whatever was read."""

    def forward(self, hop, memory, context, question):
        return torch.full_like(memory, 10.0 * (hop + 1))


def scripted(*script, training):
    """Return the memory of one row, whose end has the first score of each line."""
    gate = XiongGate(1)
    lines = iter(script)
    gate.match = lambda known, memory: torch.tensor(next(lines))
    memory = EpisodicMemory(gate, Sigmoid(), SoftSum(), Counts(), len(script), ends=True)
    memory.train(training)
    with torch.no_grad():
        found = memory(torch.ones(1, 1, 1), torch.ones(1, 1, dtype=torch.bool), torch.zeros(1, 1))
    return float(found.memory)


def test_a_row_that_has_ended_stays_so():
    """Although the end is not what a later hop reads most: 0 or 10 from there on."""
    assert scripted([1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], training=False) == 0.0
    assert scripted([-1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], training=False) == 10.0
    assert scripted([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0], training=False) == 30.0


def test_in_training_a_row_stays_by_the_most_that_its_end_was_taken():
    """By hand: e = 1/4, then 3/4, then still 3/4, where the gate of the end is 1/2."""
    quarter, half = math.log(1 / 3), 0.0
    found = scripted([quarter, 9.0], [-quarter, 9.0], [half, 9.0], training=True)
    first = 0.75 * 10
    second = 0.75 * first + 0.25 * 20
    assert found == pytest.approx(0.75 * second + 0.25 * 30)
    assert scripted([quarter, -9.0], training=True) == pytest.approx(first)


def test_an_align_is_told_the_memory_of_its_hop():
    asked, memory = [], build(align=Sigmoid())
    memory.align.register_forward_pre_hook(lambda _, given: asked.append(given[2].query))
    slots, mask, question = given()
    found = memory(slots, mask, question)
    value = found.hops[0].value.squeeze(1)
    assert torch.equal(asked[0], question.unsqueeze(1))
    assert_close(asked[1], memory.update(0, question, value, question).unsqueeze(1))

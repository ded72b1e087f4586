"""Heads under masks, read many times, without weights and in half precision."""

from dataclasses import replace

import pytest
import torch
from heads import BATCH, DIM, HEADS, SLOTS, WIDTH, Case, dense
from torch.nn.functional import pad
from torch.testing import assert_close

from memnets.attention import (
    Additive,
    AlignContext,
    Attention,
    Dot,
    General,
    HeadMemory,
    MultiHead,
    QueryHeads,
    Sampled,
    ScaledDot,
    SelfAttention,
    Softmax,
    TopK,
    attend,
)
from memnets.ops import native
from memnets.testing.conformance.inputs import draw


def with_gradients(case, inputs, queries=7):
    leaves = [x.clone().requires_grad_() for x in (inputs.query, inputs.keys, inputs.values)]
    readout = case.heads(*leaves, inputs.mask)
    weights = tuple(case.heads.parameters())
    return readout, torch.autograd.grad(readout.value.square().sum(), (*leaves, *weights))


@pytest.mark.parametrize("align", [Softmax, TopK])
@pytest.mark.parametrize("room", [0, 1, 61])
def test_spare_capacity_and_nan_change_no_bit(align, room):
    """List 14: values, weights and gradients, of the projections too."""
    case = Case(align=align, bias=True)
    small, gradients = with_gradients(case, case.inputs)
    large, grown = with_gradients(case, case.inputs.poison().grow(room))
    assert torch.equal(large.value, small.value)
    assert torch.equal(dense(large, SLOTS + room)[..., :SLOTS], dense(small))
    assert dense(large, SLOTS + room).shape == (BATCH, HEADS, 7, SLOTS + room)
    for before, after in zip(gradients, grown, strict=True):
        cut = after[..., :SLOTS, :] if after.ndim == 3 else after  # the memory has grown
        assert torch.equal(cut, before)


@pytest.mark.parametrize("align", [Softmax, TopK])
def test_a_row_with_nothing_to_read_is_zero(align):
    """List 14: with no gradient, under anomaly detection."""
    case = Case(align=align)
    mask = case.inputs.mask & torch.tensor([False, True])[:, None, None]
    with torch.autograd.set_detect_anomaly(True):
        readout, (query, keys, values, *_) = with_gradients(case, replace(case.inputs, mask=mask))
    for tensor in (readout.value, readout.weights, query, keys, values):
        assert not tensor[0].any()
        assert tensor[1].any()


def test_a_mask_is_the_same_for_all_heads():
    """List 14: broadcast over heads and queries, or given for each query."""
    case, inputs = Case(), draw(DIM, 7, 7)
    for mask in (inputs.mask[0], inputs.mask, torch.rand(BATCH, 7, SLOTS) < 0.5):
        wide = mask.expand(BATCH, 7, SLOTS)
        found = case.heads(inputs.query, inputs.keys, inputs.values, mask)
        expected = case.heads(inputs.query, inputs.keys, inputs.values, wide)
        assert_close(found, expected)
        hidden = ~wide.unsqueeze(1).expand_as(found.weights)
        assert not found.weights[hidden].any()
        queries, keys = torch.randn(BATCH, HEADS, 7, 7).double(), inputs.keys
        shared = QueryHeads(Attention(Dot(), Softmax()))(queries, keys, mask=mask)
        assert not shared.weights[hidden].any()
        assert_close(shared.weights.sum(-1)[:, 1], wide.any(-1).double())


@pytest.mark.parametrize("batch", [(), (2, 3)], ids=str)
def test_any_batch(batch):
    case = Case()
    query, keys = torch.randn(*batch, 7, DIM).double(), torch.randn(*batch, SLOTS, 7).double()
    values, mask = torch.randn(*batch, SLOTS, 11).double(), torch.rand(*batch, 1, SLOTS) < 0.7
    found = case.heads(query, keys, values, mask)
    assert found.weights.shape == (*batch, HEADS, 7, SLOTS)
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (query, keys, values, mask)]
    assert_close(found.value.reshape(-1, 7, DIM), case.heads(*flat).value)
    remembered = case.heads.remember(keys, values)
    assert_close(case.heads.read(query, remembered, mask), found.value)


@pytest.mark.parametrize("empty", ["rows", "queries"])
def test_nothing_is_read_for_nobody(empty):
    """List 18: no rows, no queries."""
    case = Case()
    none = slice(0, 0)
    inputs = case.inputs.rows(none) if empty == "rows" else case.inputs.ask(none)
    readout = case.heads(inputs.query, inputs.keys, inputs.values, inputs.mask)
    assert readout.value.shape == inputs.query.shape
    memory = case.heads.remember(inputs.keys, inputs.values)
    assert case.heads.read(inputs.query, memory, inputs.mask).shape == inputs.query.shape


# Remembered memories, and the fused kernel.


def test_two_memories_remembered_once_stay_apart():
    """List 21: read in turn, each gives what it gives alone."""
    case = Case(Additive)
    query, memories = case.inputs.query, []
    for inputs in (case.inputs, draw(DIM, 7, 11)):
        keys, values = inputs.keys, inputs.values
        memories.append((case.heads.remember(keys, values), case.heads(query, keys, values)))
    for _ in range(2):
        for remembered, expected in memories:
            assert isinstance(remembered, HeadMemory)
            assert_close(case.heads.attend(query, remembered), expected)
    inputs, heads = draw(WIDTH, WIDTH), QueryHeads(Attention(General(WIDTH, WIDTH), Softmax()))
    heads, queries = heads.double(), torch.randn(BATCH, HEADS, 2, WIDTH).double()
    expected = heads(queries, inputs.keys, inputs.values)
    remembered = heads.attention.score.remember(inputs.keys)
    assert_close(heads.attend(queries, remembered, inputs.values), expected)


@pytest.mark.parametrize("score", [Dot, ScaledDot, General])
def test_the_fused_kernel_gives_the_same(score, monkeypatch):
    """List 18: float32, value within 1e-5 and gradients within 1e-4; an empty row too."""
    monkeypatch.delenv(native.PLAIN, raising=False)
    case = Case(score)
    heads, inputs = case.heads.float(), case.inputs.to(torch.float32)
    mask = inputs.mask & torch.tensor([True, False])[:, None, None]
    called = []
    fused = attend.read_dot
    monkeypatch.setattr(attend, "read_dot", lambda *a, **n: called.append(a) or fused(*a, **n))
    outer, found = torch.randn(BATCH, 7, DIM), []
    for read in (heads.read, lambda *a: heads.attend(*a).value):
        leaves = [x.clone().requires_grad_() for x in (inputs.query, inputs.keys, inputs.values)]
        value = read(leaves[0], heads.remember(*leaves[1:]), mask)
        found.append((value, *torch.autograd.grad(value, leaves, outer)))
    assert len(called) == 1
    assert_close(found[0][0], found[1][0], rtol=1e-5, atol=1e-5)
    for one, other in zip(found[0][1:], found[1][1:], strict=True):
        assert_close(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("score", "align"), [(Additive, Softmax), (ScaledDot, TopK)])
def test_what_the_kernel_cannot_do_is_read_with_weights(score, align, monkeypatch):
    """List 18: nor what a derived class may do."""
    monkeypatch.setattr(attend, "read_dot", lambda *a, **n: pytest.fail("by the kernel"))
    case = Case(score, align)
    query, memory = case.inputs.query, case.heads.remember(case.inputs.keys, case.inputs.values)
    assert_close(case.heads.read(query, memory), case.heads.attend(query, memory).value)

    class Doubled(ScaledDot):
        def match(self, query, remembered, context=None):
            return 2 * super().match(query, remembered)

    case.heads.attention = Attention(Doubled(), Softmax())
    memory = case.heads.remember(case.inputs.keys, case.inputs.values)
    assert_close(case.heads.read(query, memory), case.heads.attend(query, memory).value)


def test_half_precision():
    """List 22: the weights are computed in float32 and sum to one."""
    case = Case()
    for dtype in (torch.float16, torch.bfloat16):
        inputs, heads = case.inputs.to(dtype), Case().heads.to(dtype)
        readout = heads(inputs.query, inputs.keys, inputs.values, inputs.mask)
        assert (readout.value.dtype, readout.weights.dtype) == (dtype, torch.float32)
        sums = readout.weights.sum(-1)
        assert_close(sums, torch.ones_like(sums), rtol=1e-3, atol=1e-3)
        assert_close(readout.value.double(), case.read().value, rtol=0.1, atol=0.1)


def test_a_sampled_read_says_how_likely_it_was_in_every_head():
    case = Case(align=Sampled)
    readout = case.read()
    assert readout.log_prob.shape == readout.entropy.shape == (BATCH, HEADS, 7)
    queries = torch.randn(BATCH, HEADS, 7, 7).double()
    context = AlignContext(generator=torch.Generator().manual_seed(0))
    shared = QueryHeads(case.attention)(queries, case.inputs.keys, context=context)
    assert shared.indices.shape == (BATCH, HEADS, 7, 1)
    chosen = torch.log_softmax(queries @ case.inputs.keys.mT.unsqueeze(1) / 7**0.5, -1)
    assert_close(shared.log_prob, chosen.gather(-1, shared.indices).squeeze(-1))


@pytest.mark.parametrize("align", [Softmax(), TopK(2)])
def test_scores_of_heads_and_of_steps_are_as_wide_as_the_memory(align):
    """Where its end is cut off: a line a query, a column a slot, zeros for what was cut."""
    x, mask = torch.randn(2, 9, 6), (torch.arange(9) < 4).expand(2, 1, 9)
    heads = MultiHead(Attention(Dot(), align), heads=2, dim=6)
    found = heads(x, x, mask=mask).scores
    asked, keys = (
        layer(x).unflatten(-1, (2, 3)).transpose(1, 2)
        for layer in (heads.query_weight, heads.key_weight)
    )
    assert_close(found, pad(asked @ keys[..., :4, :].mT, (0, 5)))
    layer = SelfAttention(Attention(Dot(), align), 6, 5, 3)
    found = layer(x, mask).scores
    expected = layer.query_weight(x[:, :4]) @ layer.key_weight(x[:, :4]).mT
    assert_close(found, pad(expected, (0, 5, 0, 5)))


def test_widths_that_are_left_out_are_those_of_what_stands_before():
    """A key is as wide as a query, a value as a key."""
    for sizes, expected in (
        ({}, (6, 6)),
        ({"key_dim": 4}, (4, 4)),
        ({"value_dim": 5}, (6, 5)),
        ({"key_dim": 4, "value_dim": 5}, (4, 5)),
    ):
        heads = MultiHead(Attention(Dot(), Softmax()), heads=2, dim=6, **sizes)
        assert (heads.key_weight.in_features, heads.value_weight.in_features) == expected
        layers = heads.query_weight, heads.key_weight, heads.value_weight, heads.output_weight
        assert {layer.out_features for layer in layers} == {6}
        assert heads.head_dim == 3

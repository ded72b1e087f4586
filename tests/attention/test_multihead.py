"""Heads against loops, against torch's own, and faults that must be caught."""

from dataclasses import replace

import jaxtyping
import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import (
    Additive,
    Align,
    AlignContext,
    Aligned,
    Attention,
    Dot,
    General,
    HeadMemory,
    LocalM,
    MultiHead,
    QueryHeads,
    Sampled,
    ScaledDot,
    Score,
    Softmax,
    TopK,
    attend,
    multihead,
)
from memnets.ops import native
from memnets.reference import multihead as reference
from memnets.testing import discover
from memnets.testing.conformance.aligns import draws
from memnets.testing.conformance.inputs import SEED, draw

BATCH, HEADS, WIDTH, SLOTS = 2, 3, 5, 13
DIM = HEADS * WIDTH


def is_drawn(align):
    """Return whether heads read in one go draw other slots than heads read one by one."""
    return draws(align.example().double(), torch.zeros(BATCH, 3, SLOTS).double(), draw())


PAIRS = [
    *((score, Softmax) for score in discover(Score)),
    *((ScaledDot, align) for align in discover(Align) if not is_drawn(align)),
]


def array(tensor):
    return tensor.detach().numpy()


def part_name(part):
    return part.__name__


@pytest.fixture
def unchecked():
    """Leave out the checks of shapes, which take longer than the reads: others make them."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


class Case:
    """Heads with a memory to read; rows of 11 and 6 slots with a hole each, two nobody can read."""

    def __init__(self, score=ScaledDot, align=Softmax, queries=7, **sizes):
        torch.manual_seed(SEED)
        self.attention = Attention(score.example(WIDTH, WIDTH), align.example())
        self.heads = MultiHead(self.attention, HEADS, DIM, 7, 11, **sizes).double()
        self.inputs = draw(DIM, 7, queries)
        self.each = [draw(WIDTH, WIDTH, queries) for _ in range(HEADS)]
        for head, inputs in enumerate(self.each):
            self.each[head] = replace(
                inputs,
                previous=inputs.previous.roll(head, 1),
                coverage=inputs.coverage.roll(head, 1),
                strength=inputs.strength + head,
            )

    def context(self, inputs=None, **others):
        """Return the context of all heads: what comes with a weight has a head axis."""
        stacked = {
            name: torch.stack([getattr(head, name) for head in self.each], 1)
            for name in ("previous", "coverage", "strength")
        }
        context = self.inputs.context() if inputs is None else inputs.context()
        return context._replace(**stacked, **others)

    def read(self, inputs=None, **context):
        inputs = inputs or self.inputs
        return self.heads(
            inputs.query, inputs.keys, inputs.values, inputs.mask, self.context(inputs, **context)
        )

    def projected(self, head):
        """Return query, keys and values in the space of one head."""
        share, inputs = slice(head * WIDTH, (head + 1) * WIDTH), self.inputs
        pairs = (
            (self.heads.query_weight, inputs.query),
            (self.heads.key_weight, inputs.keys),
            (self.heads.value_weight, inputs.values),
        )
        return [x @ layer.weight[share].mT for layer, x in pairs]


def dense(readout, slots=SLOTS):
    return Aligned(readout.weights, readout.indices).dense(slots)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(("score", "align"), PAIRS, ids=part_name)
def test_heads_are_a_loop_over_heads(score, align):
    """Any score and any align, with whatever context: each head by itself, joined and mixed."""
    case = Case(score, align)
    found, values = case.read(), []
    for head in range(HEADS):
        context = case.each[head].context()._replace(query=None)
        alone = case.attention(*case.projected(head), case.inputs.mask, context)
        values.append(alone.value)
        assert_close(dense(found)[:, head], dense(alone), rtol=1e-10, atol=1e-12)
    expected = torch.cat(values, -1) @ case.heads.output_weight.weight.mT
    assert_close(found.value, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(("score", "align"), PAIRS, ids=part_name)
def test_query_heads_are_a_loop_over_queries(score, align):
    """List 16: the seed's form equals a loop over its queries, for any pair and context."""
    case = Case(score, align)
    heads, inputs = QueryHeads(case.attention), draw(WIDTH, WIDTH, 7)
    queries = torch.randn(BATCH, HEADS, 7, WIDTH).double()
    arguments = inputs.keys, inputs.values, inputs.mask
    found, values = heads(queries, *arguments, case.context()), []
    for head in range(HEADS):
        context = case.each[head].context()._replace(query=None)
        alone = case.attention(queries[:, head], *arguments, context)
        values.append(alone.value)
        assert_close(dense(found)[:, head], dense(alone), rtol=1e-10, atol=1e-12)
    assert_close(found.value, torch.cat(values, -1), rtol=1e-10, atol=1e-12)


def test_steps_are_told_one_a_query_or_one_a_row():
    """A window moves with the step, whichever way it is told, in every head."""
    inputs, step = draw(DIM, 7, 7), torch.tensor([[5] * 7, [2] * 7])
    case = Case(align=LocalM)
    assert_close(case.read(step=step).value, case.read(step=step[:, 0]).value)
    assert not torch.allclose(case.read(step=step + 1).value, case.read(step=step).value)
    positions = inputs.positions.expand(BATCH, -1)
    assert_close(case.read(positions=positions).value, case.read().value)
    heads, queries = QueryHeads(case.attention), torch.randn(BATCH, HEADS, 7, 7).double()
    found = [
        heads(
            queries,
            inputs.keys,
            None,
            inputs.mask,
            inputs.context()._replace(step=told, previous=None, coverage=None, strength=None),
        ).weights
        for told in (step, step[:, 0])
    ]
    assert_close(*found)


# Against the loops of the papers.


def compare(case):
    """Raise an AssertionError where the heads and the loops differ."""
    weights, values = by_loops(case, case.inputs.query, case.inputs.keys, case.inputs.values)
    found = case.read()
    np.testing.assert_allclose(array(dense(found)), weights, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(array(found.value), values, rtol=1e-10, atol=1e-14)


def by_loops(case, query, keys, values):
    heads = case.heads
    projections = (
        array(layer.weight).reshape(HEADS, WIDTH, -1)
        for layer in (heads.query_weight, heads.key_weight, heads.value_weight)
    )
    weights = reference.Heads(*projections, array(heads.output_weight.weight))
    mask = case.inputs.mask.expand(BATCH, query.shape[1], SLOTS)
    rows = [
        reference.multi_head(*map(array, (query[row], keys[row], values[row], mask[row])), weights)
        for row in range(BATCH)
    ]
    return [np.stack(part) for part in zip(*rows, strict=True)]


def test_heads_equal_the_loops():
    """List 1: value at 1e-10, gradient by central differences of the loops at 1e-6."""
    case = Case(queries=2)
    compare(case)
    leaves = case.inputs.query, case.inputs.keys, case.inputs.values
    moving = [leaf.clone().requires_grad_() for leaf in leaves]
    way, outer = [torch.randn_like(leaf) for leaf in leaves], torch.randn(BATCH, 2, DIM).double()
    readout = case.heads(*moving, case.inputs.mask)
    gradients = torch.autograd.grad((readout.value * outer).sum(), moving)
    found = sum(float((g * step).sum()) for g, step in zip(gradients, way, strict=True))

    def moved(size):
        _, values = by_loops(case, *(x + size * step for x, step in zip(leaves, way, strict=True)))
        return (values * array(outer)).sum()

    assert found == pytest.approx((moved(1e-5) - moved(-1e-5)) / 2e-5, rel=1e-6)


def test_query_heads_equal_the_loops():
    """List 16: and two heads of which one asks what the other asks read the same twice."""
    inputs, queries = draw(WIDTH, WIDTH), torch.randn(BATCH, HEADS, 2, WIDTH).double()
    queries[:, 2] = queries[:, 0]
    heads = QueryHeads(Attention(ScaledDot(), Softmax()))
    found = heads(queries, inputs.keys, inputs.values, inputs.mask)
    mask = array(inputs.mask.expand(BATCH, 2, SLOTS))
    for row in range(BATCH):
        memory = array(inputs.keys[row]), array(inputs.values[row]), mask[row]
        weights, values = reference.query_heads(array(queries[row]), *memory)
        np.testing.assert_allclose(array(found.weights[row]), weights, rtol=1e-10)
        np.testing.assert_allclose(array(found.value[row]), values, rtol=1e-10)
    assert_close(found.value[..., :11], found.value[..., 22:])


def test_one_head_with_identities_is_the_single_attention():
    """List 16: also where the one query is a head of the seed's form."""
    inputs, attention = draw(7, 7), Attention(ScaledDot(), Softmax())
    heads = MultiHead(attention, 1, 7).double()
    with torch.no_grad():
        for weight in heads.parameters():
            weight.copy_(torch.eye(7))
    single = attention(inputs.query, inputs.keys, mask=inputs.mask)
    found = heads(inputs.query, inputs.keys, mask=inputs.mask)
    assert_close(found.value, single.value)
    assert_close(found.weights[:, 0], single.weights)
    one = QueryHeads(attention)(inputs.query.unsqueeze(1), inputs.keys, mask=inputs.mask)
    assert_close(one.value, single.value)
    assert_close(one.weights[:, 0], single.weights)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_equals_torch_with_the_same_weights(bias, causal):
    """List 16: nn.MultiheadAttention, in value, weights and gradient; no row is empty there."""
    case = Case(bias=bias)
    ours, inputs = case.heads, case.inputs
    theirs = nn.MultiheadAttention(DIM, HEADS, bias=bias, kdim=7, vdim=11, batch_first=True)
    theirs = theirs.double()
    layers = ours.query_weight, ours.key_weight, ours.value_weight
    with torch.no_grad():
        for name, layer in zip(("q", "k", "v"), layers, strict=True):
            getattr(theirs, f"{name}_proj_weight").copy_(layer.weight)
        theirs.out_proj.weight.copy_(ours.output_weight.weight)
        if bias:
            theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
            theirs.out_proj.bias.copy_(ours.output_weight.bias)
    readable = inputs.mask.squeeze(1)
    future = torch.ones(7, SLOTS, dtype=torch.bool).triu(1) if causal else None
    leaves = [
        [x.clone().requires_grad_() for x in (inputs.query, inputs.keys, inputs.values)]
        for _ in range(2)
    ]
    mask = inputs.mask if future is None else inputs.mask & ~future
    readout = ours(*leaves[0], mask)
    value, weights = theirs(
        *leaves[1], key_padding_mask=~readable, attn_mask=future, average_attn_weights=False
    )
    assert_close(readout.value, value, rtol=1e-10, atol=1e-12)
    assert_close(readout.weights, weights, rtol=1e-10, atol=1e-12)
    outer = torch.randn_like(value)
    pairs = zip(
        *(
            torch.autograd.grad(v, x, outer)
            for v, x in zip((readout.value, value), leaves, strict=True)
        ),
        strict=True,
    )
    for mine, other in pairs:
        assert_close(mine, other, rtol=1e-9, atol=1e-12)


# Masks.


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


# Faults. Each changes one thing; the comparison above must then fail.


def heads_interleaved(patch):
    patch.setattr(
        MultiHead, "_apart", lambda self, x: x.unflatten(-1, (WIDTH, HEADS)).movedim(-1, -3)
    )


def scaled_by_the_whole_width(patch):
    match = ScaledDot.match
    patch.setattr(ScaledDot, "match", lambda self, *a: match(self, *a) / HEADS**0.5)


def heads_joined_backwards(patch):
    joined = multihead._side_by_side
    patch.setattr(multihead, "_side_by_side", lambda values: joined(values.flip(-3)))


def keys_taken_for_values(patch):
    project = MultiHead._project

    def swapped(self, keys, values):
        projected = project(self, keys, values)
        return HeadMemory(projected.values, projected.keys)

    patch.setattr(MultiHead, "_project", swapped)


def mask_forgotten(patch):
    over = multihead._over_heads
    patch.setattr(multihead, "_over_heads", lambda *a: (None, over(*a)[1]))


FAULTS = [
    heads_interleaved,
    scaled_by_the_whole_width,
    heads_joined_backwards,
    keys_taken_for_values,
    mask_forgotten,
]


@pytest.mark.parametrize("fault", FAULTS, ids=part_name)
def test_a_planted_fault_is_caught(fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(Case(queries=2))


# What is refused.


@pytest.mark.parametrize("size", ["heads", "dim", "key_dim", "value_dim"])
def test_heads_of_no_size_are_refused(size):
    sizes = {"heads": HEADS, "dim": DIM} | {size: 0}
    with pytest.raises(ValueError, match=rf"MultiHead\({size}=0\): expected at least 1"):
        MultiHead(Attention(Dot(), Softmax()), **sizes)


def test_a_width_that_cannot_be_shared_is_refused():
    with pytest.raises(ValueError, match=r"MultiHead\(heads=3, dim=7\): .* Pass a multiple of 3"):
        MultiHead(Attention(Dot(), Softmax()), heads=3, dim=7)

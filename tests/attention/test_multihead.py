"""Heads against loops, against torch's own, and faults that must be caught."""

import jaxtyping
import numpy as np
import pytest
import torch
from heads import BATCH, DIM, HEADS, SLOTS, WIDTH, Case, array, dense
from torch import nn
from torch.testing import assert_close

from memnets.attention import (
    Align,
    Attention,
    Dot,
    HeadMemory,
    LocalM,
    MultiHead,
    QueryHeads,
    ScaledDot,
    Score,
    Softmax,
    multihead,
)
from memnets.reference import multihead as reference
from memnets.testing import discover
from memnets.testing.conformance.aligns import draws
from memnets.testing.conformance.inputs import draw


def is_drawn(align):
    """Return whether heads read in one go draw other slots than heads read one by one."""
    return draws(align.example().double(), torch.zeros(BATCH, 3, SLOTS).double(), draw())


PAIRS = [
    *((score, Softmax) for score in discover(Score)),
    *((ScaledDot, align) for align in discover(Align) if not is_drawn(align)),
]


def part_name(part):
    return part.__name__


@pytest.fixture
def unchecked():
    """Leave out the checks of shapes, which take longer than the reads: others make them."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


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
    """List 16: the notes' form equals a loop over its queries, for any pair and context."""
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


def test_values_are_as_wide_as_keys_where_nothing_is_said_and_these_as_queries():
    attention = Attention(ScaledDot(), Softmax())
    keys = torch.randn(2, 5, 6)
    assert MultiHead(attention, 2, dim=4, key_dim=6)(torch.randn(2, 3, 4), keys).value.shape[2] == 4
    widths = [
        (heads.key_weight.in_features, heads.value_weight.in_features)
        for heads in (
            MultiHead(attention, 2, 4),
            MultiHead(attention, 2, 4, 6),
            MultiHead(attention, 2, 4, value_dim=7),
            MultiHead(attention, 2, 4, 6, 7),
        )
    ]
    assert widths == [(4, 4), (6, 6), (4, 7), (6, 7)]


def test_one_head_with_identities_is_the_single_attention():
    """List 16: also where the one query is a head of the notes' form."""
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

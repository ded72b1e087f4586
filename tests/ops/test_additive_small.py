"""Additive scores of tiny projections keep their digits, and small calls take the quicker way."""

from functools import partial

import pytest
import torch
from torch.testing import assert_close

from memnets.ops import additive, native
from memnets.ops.additive import additive_scores

compiled = pytest.mark.skipif(not native.available(), reason="there is no compiler")
WAYS = [pytest.param(True, marks=compiled), False]


def parts(scale, queries, dtype=torch.float32, slots=33, hidden=71):
    shapes = (2, queries, hidden), (2, slots, hidden)
    halves = [(scale * torch.randn(shape).double()).to(dtype) for shape in shapes]
    return [part.requires_grad_() for part in (*halves, torch.randn(hidden, dtype=dtype))]


def exact(given):
    wide = [part.detach().double().requires_grad_() for part in given]
    scores = torch.tanh(wide[0].unsqueeze(-2) + wide[1].unsqueeze(-3)) @ wide[2]
    return scores, wide


@pytest.mark.parametrize("compiler", WAYS, ids=["native", "chunks"])
@pytest.mark.parametrize("queries", [1, 5])
@pytest.mark.parametrize("scale", [1e-8, 1e-6, 1e-3, 0.1, 0.2])
def test_tiny_projections_lose_nothing(compiler, queries, scale, monkeypatch):
    """Of 1 - 2 / (e^{2x} + 1) at 1e-6 only the last 3 % of the digits of a float32 are left."""
    monkeypatch.setattr(additive, "LAID_OUT", -1)
    monkeypatch.setattr(additive, "ALONE", -1)
    monkeypatch.setattr(native, "available", lambda: compiler)
    given = parts(scale, queries)
    found, (expected, wide) = additive_scores(*given), exact(given)
    assert (found - expected).abs().max() <= 1e-6 * expected.abs().max()
    outer = torch.randn(expected.shape)
    gradients = torch.autograd.grad(found, given, outer)
    for one, other in zip(gradients, torch.autograd.grad(expected, wide, outer), strict=True):
        assert (one - other).abs().max() <= 2e-6 * other.abs().max()


@pytest.mark.parametrize("compiler", WAYS, ids=["native", "chunks"])
@pytest.mark.parametrize("one", [0.5, 0.50001, 3.0, torch.nan, torch.inf, -torch.inf])
def test_the_rim_of_what_is_small(compiler, one, monkeypatch):
    """A single number beyond it sends the call along the other way, to the same scores."""
    monkeypatch.setattr(additive, "LAID_OUT", -1)
    monkeypatch.setattr(native, "available", lambda: compiler)
    given = [part.detach().clamp(-0.5, 0.5) for part in parts(0.2, 5)]
    for half in given[:2]:
        half[0, 0, 0] = one
        expected, _ = exact(given)
        assert_close(
            additive_scores(*given).double(), expected, rtol=2e-6, atol=5e-6, equal_nan=True
        )
        half[0, 0, 0] = 0.1


@pytest.mark.parametrize(
    ("sizes", "trains", "laid_out"),
    [
        ((1, 4, 20, 64), False, True),
        ((1, 300, 400, 64), True, True),
        ((2, 300, 400, 64), True, False),
        ((1, 300, 400, 64), False, False),
    ],
)
def test_without_a_compiler_the_hidden_layer_is_laid_out_where_that_is_quicker(
    sizes, trains, laid_out, monkeypatch
):
    """One query in training, and whatever is small: measured against the broadcast."""
    monkeypatch.setattr(native, "available", lambda: False)
    called, plain = [], additive._plain
    monkeypatch.setattr(additive, "_plain", lambda *given: called.append(1) or plain(*given))
    queries, batch, slots, hidden = sizes
    make = partial(torch.zeros, requires_grad=trains)
    additive_scores(make(batch, queries, hidden), make(batch, slots, hidden), make(hidden))
    assert bool(called) is laid_out


@pytest.mark.parametrize("budget", [1, 7, 30, 10_000])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (3, 5, 2), (2, 7, 3), (0, 5, 2), (3, 0, 2), (3, 5, 0)]
)
def test_chunks_hold_every_pair_once_and_no_more_than_they_may(shape, budget, monkeypatch):
    """But for one query of one row, which may be larger alone."""
    monkeypatch.setattr(additive, "CHUNK", budget)
    (batch, queries, slots), hidden = shape, 4
    met = torch.zeros(batch, queries)
    for b, q in additive._chunks(torch.zeros(batch, queries, hidden), torch.zeros(batch, slots, 4)):
        met[b, q] += 1
        assert met[b, q].numel() * slots * hidden <= max(budget, slots * hidden)
    assert (met == 1).all()


def test_projections_are_within_a_limit_up_to_it_on_either_side():
    for ends, within in (((-2.0, 2.0), True), ((-2.1, 0.0), False), ((0.0, 2.1), False)):
        assert additive._are_within(2.0, torch.tensor([*ends, 0.5])) is within
    assert not additive._are_within(2.0, torch.tensor([0.0, torch.nan]))
    assert additive._are_within(2.0, torch.zeros(0))

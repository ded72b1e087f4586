"""Reading through windows against a mask over all pairs."""

import pytest
import torch
from torch.autograd import gradcheck
from torch.testing import assert_close

from memnets.attention import Attention, ScaledDot, Softmax
from memnets.ops import native, windows
from memnets.ops.additive import additive_scores
from memnets.ops.dot import read_dot
from memnets.ops.masking import masked_softmax
from memnets.ops.windows import band, read_windows


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(windows, "BLOCK", 5)
    monkeypatch.setattr(windows, "FEW_SLABS", 0)


def arrays(batch=(3,), queries=23, slots=29, dim=7, wide=11):
    shapes = ((*batch, queries, dim), (*batch, slots, dim), (*batch, slots, wide))
    return [torch.randn(shape).double().requires_grad_() for shape in shapes]


def compare(parts, window, first=0, mask=None, attend=read_dot):
    """Raise an AssertionError where values or gradients differ, or the whole matrix was met."""
    met = []

    def watched(query, keys, values, near):
        met.append(near.shape[-2:])
        return attend(query, keys, values, near)

    found = read_windows(*parts, window, first, mask, watched)
    size = min(5, parts[0].shape[-2])
    assert met == [(size, size + 2 * window)]
    near = (torch.arange(29) - torch.arange(first, first + parts[0].shape[-2])[:, None]).abs()
    near = near <= window
    expected = attend(*parts, near if mask is None else near & mask)
    assert_close(found, expected)
    outer = torch.randn_like(found)
    for one, other in zip(
        torch.autograd.grad(found, parts, outer),
        torch.autograd.grad(expected, parts, outer),
        strict=True,
    ):
        assert_close(one, other)


@pytest.mark.parametrize("first", [0, 1, 7, 28, 31, 60, 1009])
@pytest.mark.parametrize("window", [0, 1, 3, 13, 31])
def test_equals_a_mask_over_all_pairs(window, first):
    compare(arrays(), window, first)


@pytest.mark.parametrize("queries", [1, 2, 4, 5, 6, 10, 29, 37])
def test_blocks_need_not_come_out_even(queries):
    compare(arrays(queries=queries), 3, 2)


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)], ids=str)
@pytest.mark.parametrize("rows", [1, 23])
def test_a_mask_of_the_callers_is_kept(batch, rows):
    for shape in ((rows, 29), (*batch, rows, 29), (*(1 for _ in batch), rows, 29)):
        mask = torch.rand(shape) > 0.5
        mask[..., 11:19] = False
        compare(arrays(batch), 2, 0, mask)


def test_a_window_with_nothing_in_it_is_zero_and_passes_no_gradient():
    parts = arrays(queries=7)
    found = read_windows(*parts, 2, 28)
    assert not found[:, 3:].any()
    assert found[:, :3].any()
    gradients = torch.autograd.grad(found.square().sum(), parts)
    assert not gradients[0][:, 3:].any()
    assert all(gradient.isfinite().all() for gradient in gradients)


def test_another_score_and_any_attention():
    vector = torch.randn(7).double()

    def additively(query, keys, values, mask):
        return masked_softmax(additive_scores(query, keys, vector), mask) @ values

    def composed(query, keys, values, mask):
        return Attention(ScaledDot(), Softmax()).attend(query, keys, values, mask).value

    for attend in (additively, composed):
        compare(arrays(), 3, 1, attend=attend)


def test_gradients_equal_differences():
    parts = arrays((2,), 7, 11, 2, 3)
    assert gradcheck(lambda *parts: read_windows(*parts, 2, 1), parts)


def test_slots_outside_of_all_windows_are_not_touched():
    query, keys, values = (part.detach() for part in arrays(queries=7))
    keys[:, 20:], values[:, 20:] = torch.nan, torch.nan
    assert read_windows(query, keys, values, 2).isfinite().all()


@pytest.mark.parametrize("empty", ["batch", "queries", "slots"])
def test_nothing_is_read_from_nothing(empty):
    found = read_windows(*arrays(**{empty: (0,) if empty == "batch" else 0}), 3)
    assert found.shape[-1] == 11
    assert not found.any()


def test_a_short_memory_and_the_plain_twin_are_read_under_the_band(monkeypatch):
    parts = arrays()
    masks = []

    def watched(query, keys, values, mask):
        masks.append(mask)
        return read_dot(query, keys, values, mask)

    monkeypatch.setattr(windows, "FEW_SLABS", 4)
    read_windows(*parts, 3, 2, None, watched)
    monkeypatch.setattr(windows, "FEW_SLABS", 0)
    monkeypatch.setenv(native.PLAIN, "1")
    read_windows(*parts, 3, 2, None, watched)
    for mask in masks:
        assert torch.equal(mask, band(parts[0], 29, 3, 2))
    assert len(masks) == 2

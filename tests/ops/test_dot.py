"""Reading without weights against softmax and sum in float64."""

import pytest
import torch
from torch.autograd import gradcheck
from torch.testing import assert_close

from memnets.ops import native
from memnets.ops.dot import read_dot

BATCHES = [(), (3,), (2, 3), (2, 2, 3), (2, 2, 1, 3)]


@pytest.fixture(params=["fused", "plain"])
def path(request, monkeypatch):
    monkeypatch.setenv(native.PLAIN, "1" if request.param == "plain" else "0")
    return request.param


def arrays(batch=(3,), queries=5, slots=13, dim=7, wide=7, dtype=torch.float64):
    shapes = ((*batch, queries, dim), (*batch, slots, dim), (*batch, slots, wide))
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


def oracle(query, keys, values, mask=None, scale=1.0):
    scores = scale * torch.einsum("...qd,...kd->...qk", query, keys)
    weights = scores.exp() if mask is None else scores.exp() * mask
    total = weights.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kd->...qd", weights / total.clamp(min=1e-30), values)


def compare(parts, mask=None, scale=0.5, tolerance=1e-10):
    exact = [part.detach().double().requires_grad_() for part in parts]
    found, expected = read_dot(*parts, mask, scale), oracle(*exact, mask, scale)
    assert found.dtype == parts[0].dtype
    assert_close(found.double(), expected, rtol=tolerance, atol=tolerance)
    outer = torch.randn_like(found)
    for one, other in zip(
        torch.autograd.grad(found, parts, outer),
        torch.autograd.grad(expected, exact, outer.double()),
        strict=True,
    ):
        assert_close(one.double(), other, rtol=10 * tolerance, atol=10 * tolerance)


@pytest.mark.parametrize("wide", [7, 11])
@pytest.mark.parametrize("queries", [1, 5])
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_equals_softmax_and_sum(path, batch, queries, wide):
    compare(arrays(batch, queries, wide=wide))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_masks_of_any_rank_broadcast(path, batch, dtype):
    tolerance = {torch.float32: 1e-5, torch.float64: 1e-10}[dtype]
    some = (*batch[:1], *(1 for _ in batch[1:]))
    for shape in ((5, 13), (1, 13), (*batch, 5, 13), (*batch, 1, 13), (*some, 5, 13)):
        mask = torch.rand(shape) > 0.4
        mask[..., 0, :] = False
        compare(arrays(batch, dtype=dtype), mask, tolerance=tolerance)


@pytest.mark.parametrize("batch", BATCHES[1:], ids=str)
def test_a_mask_of_one_row_serves_all(path, batch):
    compare(arrays(batch), torch.rand(*(1 for _ in batch), 1, 13) > 0.4)


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("queries", [1, 5])
def test_a_row_with_nothing_to_read_is_zero_and_passes_no_gradient(path, queries):
    parts = arrays(queries=queries)
    mask = torch.ones(3, queries, 13, dtype=torch.bool)
    mask[1] = False
    with torch.autograd.detect_anomaly(check_nan=True):
        found = read_dot(*parts, mask)
        gradients = torch.autograd.grad(found.square().sum(), parts)
    assert not found[1].any()
    for gradient in gradients:
        assert not gradient[1].any()
        assert gradient[[0, 2]].any()


def test_what_a_masked_slot_holds_does_not_matter(path):
    query, keys, values = arrays()
    mask = torch.ones(3, 1, 13, dtype=torch.bool)
    mask[..., 5] = False
    found = read_dot(query, keys, values, mask)
    with torch.no_grad():
        keys[:, 5], values[:, 5] = 1e9, -1e9
    assert torch.equal(read_dot(query, keys, values, mask), found)


def test_gradients_equal_differences(path):
    mask = torch.rand(2, 3, 5) > 0.3
    assert gradcheck(read_dot, (*arrays((2,), 3, 5, 2, 2), mask, 0.7))


@pytest.mark.parametrize("empty", ["batch", "queries", "slots"])
def test_nothing_is_read_from_nothing(path, empty):
    parts = arrays(**{empty: (0,) if empty == "batch" else 0})
    found = read_dot(*parts)
    assert found.shape == (*parts[0].shape[:-1], 7)
    assert not found.any()


def test_the_weights_are_never_held():
    node = read_dot(*arrays((2,))).grad_fn.next_functions[0][0]
    assert "ScaledDotProductFlash" in node.name()


def test_half_precision(path):
    parts = arrays(dtype=torch.bfloat16)
    exact = oracle(*(part.detach().double() for part in parts))
    assert_close(read_dot(*parts).double(), exact, rtol=0.03, atol=0.03)

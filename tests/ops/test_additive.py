"""Additive scores on every path against tanh in float64, laid out."""

import logging
import math
import os
import subprocess
import sys

import pytest
import torch
from torch.autograd import forward_ad, gradcheck
from torch.testing import assert_close

from memnets.ops import additive, native
from memnets.ops.additive import LIMITS, additive_scores

compiled = pytest.mark.skipif(not native.available(), reason="there is no compiler")
PATHS = [
    pytest.param("native", marks=compiled),
    pytest.param("native, pair by pair", marks=compiled),
    "chunks",
    "chunks of tanh",
    "plain",
]
TOLERANCE = {torch.float64: (1e-10, 1e-10), torch.float32: (1e-5, 1e-4)}


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Send all calls along one path, several chunks, tiles and blocks long."""
    take(request.param, monkeypatch)
    return request.param


def take(path, monkeypatch):
    if path == "plain":
        monkeypatch.setenv(native.PLAIN, "1")
        return
    many = {"native": 0, "native, pair by pair": 10**9}
    monkeypatch.setattr(additive, "SEVERAL", many.get(path, 0))
    monkeypatch.setattr(additive, "THREAD", 1)
    monkeypatch.setattr(additive, "CHUNK", 1009)
    monkeypatch.setattr(additive, "LAID_OUT", -1)
    monkeypatch.setattr(additive, "ALONE", -1)
    if path not in many:
        monkeypatch.setattr(native, "available", lambda: False)
    if path == "chunks of tanh":
        monkeypatch.setattr(additive, "_are_within", lambda *_: False)


def arrays(batch=(3,), queries=7, slots=67, hidden=71, scale=1.0, dtype=torch.float64):
    shapes = ((*batch, queries, hidden), (*batch, slots, hidden), (hidden,))
    parts = [(scale * torch.randn(shape, dtype=torch.float64)).to(dtype) for shape in shapes]
    return [part.requires_grad_() for part in parts]


def oracle(query, keys, vector):
    """Return the scores, summed in the order of the equation and in no other function's words."""
    return (torch.tanh(query[..., :, None, :] + keys[..., None, :, :]) * vector).sum(-1)


def compare(parts):
    """Raise an AssertionError where values or gradients differ from the oracle's in float64."""
    value, gradient = TOLERANCE.get(parts[0].dtype, (1e-2, 1e-2))
    exact = [part.detach().double().requires_grad_() for part in parts]
    found, expected = additive_scores(*parts), oracle(*exact)
    assert found.dtype == parts[0].dtype
    same(found, expected, value)
    outer = torch.randn(expected.shape, dtype=torch.float64)
    pairs = zip(
        torch.autograd.grad(found, parts, outer.to(found.dtype)),
        torch.autograd.grad(expected, exact, outer.to(found.dtype).double()),
        strict=True,
    )
    for one, other in pairs:
        same(one, other, gradient)


def same(found, expected, tolerance):
    largest = float(expected.detach().abs().max()) if expected.numel() else 0.0
    assert_close(found.double(), expected, rtol=tolerance, atol=tolerance * max(largest, 1e-3))


def is_fast(scores):
    """Return whether no hidden layer was kept."""
    node = scores.grad_fn
    while node is not None and "_Recomputed" not in node.name():
        node = node.next_functions[0][0] if node.next_functions else None
    return node is not None


# Half of all sizes, each with another one, are tried always.
SIZES = [
    pytest.param(queries, hidden, marks=() if (i + j) % 2 == 0 else pytest.mark.slow)
    for i, queries in enumerate([1, 2, 13])
    for j, hidden in enumerate([1, 2, 16, 61, 131])
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("queries", "hidden"), SIZES)
def test_equals_tanh_in_double_precision(path, dtype, hidden, queries):
    """List 18: in both precisions."""
    parts = arrays(queries=queries, hidden=hidden, dtype=dtype)
    assert is_fast(additive_scores(*parts)) is (path != "plain")
    compare(parts)


@pytest.mark.parametrize(
    ("query", "keys"),
    [((), ()), ((2, 3), (2, 3)), ((1,), (3,)), ((3,), ()), ((2, 1), (3,)), ((), (2, 3))],
    ids=str,
)
def test_batches_of_any_rank_broadcast(path, query, keys):
    one, other = arrays(query, slots=1, hidden=5), arrays(keys, queries=1, slots=11, hidden=5)
    compare([one[0], other[1], one[2]])


@pytest.mark.parametrize("empty", ["batch", "queries", "slots", "hidden"])
def test_nothing_is_as_good_as_something(path, empty):
    parts = arrays(**{empty: (0,) if empty == "batch" else 0})
    compare(parts)


@pytest.mark.parametrize("budget", [1, 71, 67 * 71, 2 * 67 * 71 + 1, 7 * 67 * 71 * 2, 10**9])
@pytest.mark.parametrize("path", ["chunks", "chunks of tanh"])
def test_chunks_of_any_size(path, budget, monkeypatch):
    take(path, monkeypatch)
    monkeypatch.setattr(additive, "CHUNK", budget)
    compare(arrays())


def test_gradients_equal_differences_of_its_own_values(path):
    assert gradcheck(additive_scores, arrays((2,), queries=3, slots=5, hidden=7))


def test_the_gradient_of_each_input_alone(path):
    parts = arrays()
    outer = torch.randn(3, 7, 67).double()
    expected = torch.autograd.grad(oracle(*parts), parts, outer)
    for place, gradient in enumerate(expected):
        alone = [part.detach().requires_grad_(at == place) for at, part in enumerate(parts)]
        additive_scores(*alone).backward(outer)
        same(alone[place].grad, gradient, 1e-10)
        assert [part.grad is None for part in alone].count(False) == 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("factor", [0.5, 0.999, 1.0, 1.001, 1.15, 2.0, 25.0])
def test_large_pairs_that_cancel(path, dtype, factor):
    """List 19: pairs a = -b + x at the limit and beyond it; tanh(x) is an ordinary number."""
    size = factor * LIMITS[dtype]
    query, keys, vector = arrays(slots=7, dtype=torch.float64)
    with torch.no_grad():
        sign = torch.randint(0, 2, query.shape) * 2 - 1
        query.copy_(sign * size)
        keys.copy_((keys.clamp(-3, 3) - query).clamp(-size, size))
    parts = [part.detach().to(dtype).requires_grad_() for part in (query, keys, vector)]
    compare(parts)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("scale", [30.0, 1e4])
def test_nothing_is_clamped(path, dtype, scale):
    """List 19: nor is anything beyond the limit cut to it."""
    parts = arrays(scale=scale, dtype=dtype)
    with torch.no_grad():
        parts[2] /= scale
    compare(parts)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_not_finite_goes_where_it_goes_in_the_twin(path, bad, place):
    parts = arrays(dtype=torch.float32)
    with torch.no_grad():
        parts[place][(0,) * parts[place].dim()] = bad
    found, expected = additive_scores(*parts), additive._plain(*parts)
    assert_close(found, expected, rtol=1e-5, atol=1e-5, equal_nan=True)
    outer = torch.randn(found.shape)
    for one, other in zip(
        torch.autograd.grad(found, parts, outer),
        torch.autograd.grad(expected, parts, outer),
        strict=True,
    ):
        assert torch.equal(one.isfinite(), other.isfinite())
        finite = one.isfinite()
        assert_close(one[finite], other[finite], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(path, dtype):
    parts = arrays(dtype=dtype, scale=3.0)
    compare(parts)
    exact = oracle(*(part.detach().double() for part in parts))
    assert_close(additive_scores(*parts), exact.to(dtype), rtol=1e-2, atol=1e-3)  # rounded once


def test_the_layout_does_not_matter(path):
    query, keys, vector = (part.detach() for part in arrays())
    odd = [
        query.mT.contiguous().mT,
        torch.stack([keys, keys], -1)[..., 0],
        torch.stack([vector, vector], -1)[:, 1],
    ]
    assert not any(part.is_contiguous() for part in odd)
    compare([part.requires_grad_() for part in odd])
    row = torch.randn(1, 1, 71).double().expand(3, 7, 71)
    compare([row.detach().requires_grad_(), keys.requires_grad_(), vector.requires_grad_()])


def test_the_layout_of_a_gradient_does_not_matter(path):
    parts = arrays()
    for outer in (
        torch.tensor(0.7).double().expand(3, 7, 67),
        torch.randn(67, 7, 3).double().permute(2, 1, 0),
    ):
        assert not outer.is_contiguous()
        expected = torch.autograd.grad(oracle(*parts), parts, outer.contiguous())
        found = torch.autograd.grad(additive_scores(*parts), parts, outer)
        for one, other in zip(found, expected, strict=True):
            same(one, other, 1e-10)


@pytest.mark.parametrize("threads", [2, 3, 5, 101])
@pytest.mark.parametrize("path", PATHS[:2])  # the others have torch's own threads
def test_the_same_bits_on_any_number_of_threads(threads, path, monkeypatch):
    take(path, monkeypatch)
    parts = arrays(dtype=torch.float32)

    def run(number):
        monkeypatch.setattr(torch, "get_num_threads", lambda: number)
        found = additive_scores(*parts)
        return [found, *torch.autograd.grad(found.square().sum(), parts)]

    for one, other in zip(run(1), run(threads), strict=True):
        assert torch.equal(one, other)


def test_the_same_inputs_give_the_same_bits(path):
    parts = arrays(dtype=torch.float32)

    def run():
        found = additive_scores(*parts)
        return [found, *torch.autograd.grad(found.square().sum(), parts)]

    for one, other in zip(run(), run(), strict=True):
        assert torch.equal(one, other)


def test_nothing_is_kept_but_the_inputs(path):
    parts = arrays(slots=67)
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda tensor: kept.append(tensor.numel()) or tensor, lambda tensor: tensor
    ):
        additive_scores(*parts)
    assert (max(kept) <= max(part.numel() for part in parts)) is (path != "plain")


GROWTH = """
import os, re, torch
from memnets.ops import native
from memnets.ops.additive import additive_scores

def peak():  # in MB; getrusage would begin with the peak of the process that started this one
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

def score(slots):
    shapes = ((4, 64, 256), (4, slots, 256), (256,))
    parts = [torch.randn(*shape, requires_grad=True) for shape in shapes]
    additive_scores(*parts).sum().backward()
    return peak()

# Each needs more than those before: a peak never falls.
os.environ[native.PLAIN] = "0"
print(score(8), score(512), score(1024))
os.environ[native.PLAIN] = "1"
print(score(512))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_memory_grows_with_the_scores_not_with_the_hidden_layer():
    """List 20: in a fresh process; the hidden layer of the plain twin shows the difference."""
    done = subprocess.run(
        [sys.executable, "-c", GROWTH],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    few, some, many, plain = map(float, done.stdout.split())
    hidden_layer = 4 * 64 * 512 * 256 * 4 / 2**20  # MB, of 512 slots
    assert few <= some <= many
    assert many - some < hidden_layer / 5
    assert plain - many > hidden_layer / 2


def test_without_gradients(path):
    parts = arrays()
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert_close(additive_scores(*parts), oracle(*parts))
    compare(parts)


def test_inputs_are_left_as_they_are(path):
    parts = arrays()
    before = [part.detach().clone() for part in parts]
    additive_scores(*parts).sum().backward()
    assert all(map(torch.equal, parts, before))


def test_slots_beyond_a_limit_are_said_once_where_they_slow_it_down(monkeypatch, caplog):
    monkeypatch.setattr(native, "available", lambda: False)
    monkeypatch.setattr(additive, "LAID_OUT", -1)
    additive._say_slower.cache_clear()
    parts = arrays(scale=1000.0)
    with caplog.at_level(logging.WARNING, "memnets"):
        additive_scores(*arrays())
        assert caplog.text == ""
        for _ in range(3):
            additive_scores(*parts)
    additive._say_slower.cache_clear()
    assert caplog.text.count("beyond 350, NaN, or infinite") == 1


def test_a_second_derivative_is_refused_but_by_the_plain_twin(path):
    parts = arrays()
    (first,) = torch.autograd.grad(
        additive_scores(*parts).square().sum(), parts[0], create_graph=True
    )
    if path == "plain":
        first.sum().backward()
        assert parts[1].grad.any()
    else:
        with pytest.raises(RuntimeError, match="differentiate twice"):
            first.sum().backward()


def test_changes_between_the_two_passes_are_told(path):
    parts = arrays()
    query = parts[0] * 1
    scores = additive_scores(query, *parts[1:])
    if path == "plain":
        return  # it keeps the hidden layer
    query.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        scores.sum().backward()


def test_transforms_take_the_plain_twin(path):
    query, keys, vector = (part.detach() for part in arrays())
    expected = oracle(query, keys, vector)
    assert_close(torch.vmap(additive_scores, (0, 0, None))(query, keys, vector), expected)
    grad = torch.func.grad(lambda v: additive_scores(query, keys, v).sum())(vector)
    assert_close(grad, torch.tanh(query[..., None, :] + keys[..., None, :, :]).sum((0, 1, 2)))
    with forward_ad.dual_level():
        dual = additive_scores(query, keys, forward_ad.make_dual(vector, vector))
        assert_close(forward_ad.unpack_dual(dual).tangent, expected)
    jacobian = torch.func.jacfwd(additive_scores, argnums=2)(query, keys, vector)
    assert_close(jacobian @ vector, expected)


def test_other_devices_take_the_plain_twin(path):
    found = additive_scores(*(part.detach().to("meta").requires_grad_() for part in arrays()))
    assert found.shape == (3, 7, 67)
    assert not is_fast(found)


def test_autocast_takes_the_plain_twin(path):
    parts = arrays(dtype=torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = additive_scores(*parts)
    assert not is_fast(scores)
    assert_close(scores.double(), oracle(*(part.double() for part in parts)), rtol=0.02, atol=0.1)


@pytest.mark.parametrize("place", [1, 2])
def test_other_precisions_and_widths_are_refused_as_the_twin_does(path, place):
    parts = [part.detach() for part in arrays()]
    parts[place] = parts[place][..., :-1]
    with pytest.raises(RuntimeError, match=r"size|shape"):
        additive.additive_scores.__wrapped__(*parts)
    parts = [part.detach() for part in arrays()]
    parts[2] = parts[2].float()
    with pytest.raises(RuntimeError, match="same dtype"):
        additive_scores(*parts)

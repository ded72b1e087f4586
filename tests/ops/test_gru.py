"""Gated recurrences on both paths: against formulas, `nn.GRU`, and what their gates must leave."""

import gc
import weakref
from itertools import product

import pytest
import torch
from torch import nn
from torch.autograd import forward_ad, gradcheck
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.testing import assert_close

from memnets.ops import gru, native
from memnets.ops.gru import Direction, both_directions, gated_gru, gru_over, last_of_gated_gru
from memnets.ops.ragged import Places

compiled = pytest.mark.skipif(not native.available(), reason="there is no compiler")
PATHS = [pytest.param("native", marks=compiled), "plain"]
NAMES = ("projected", "gates", "recurrent", "bias", "initial")
PARTS = pytest.mark.parametrize("parts", [2, 3], ids=["attention", "updated"])
ORDERS = pytest.mark.parametrize("backwards", [False, True], ids=["forth", "back"])


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Send all calls along one path, in as many threads as there may be."""
    take(request.param, monkeypatch)
    return request.param


def take(path, monkeypatch):
    monkeypatch.setattr(gru, "THREAD", 1)
    if path == "plain":
        monkeypatch.setenv(native.PLAIN, "1")


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def arrays(parts=2, batch=5, steps=7, hidden=6, dtype=torch.float64, gates=None):
    rows = parts * hidden
    shapes = ((batch, steps, rows), (batch, steps), (rows, hidden), (rows,), (batch, hidden))
    drawn = [torch.randn(shape, dtype=torch.float64) for shape in shapes]
    drawn[1] = drawn[1].sigmoid() if gates is None else gates.double()
    drawn[2] *= hidden**-0.5
    return [part.to(dtype).requires_grad_() for part in drawn]


def straight(projected, gates, recurrent, bias, initial, backwards=False, fault=""):
    """Return all states, by the equations alone and each product by itself."""
    hidden = initial.shape[1]
    parts = len(bias) // hidden
    places = range(parts) if fault != "rows swapped" else (1, 0, *range(2, parts))
    u, b, p = (
        part.split(hidden, axis) for part, axis in ((recurrent, 0), (bias, 0), (projected, 2))
    )
    u, b = [u[place] for place in places], [b[place] for place in places]
    h, states = initial, {}
    steps = range(projected.shape[1])
    backwards = backwards or fault == "order turned round"
    for t in reversed(steps) if backwards else steps:
        r = torch.sigmoid(p[0][:, t] + h @ u[0].mT + b[0])
        inside = r * (h @ u[-1].mT + b[-1])
        if fault == "reset before the product":
            inside = (r * h) @ u[-1].mT + b[-1]
        if fault == "bias beside the reset":
            inside = r * (h @ u[-1].mT) + b[-1]
        c = torch.tanh(p[-1][:, t] + inside)
        share = gates[:, t, None]
        if parts == 3:
            z = torch.sigmoid(p[1][:, t] + h @ u[1].mT + b[1])
            share = share * (z if fault == "update turned round" else 1 - z)
        if fault == "gate turned round":
            share = 1 - share
        h = share * c + (1 - share) * h
        states[t] = h
    return torch.stack([states[t] for t in sorted(states)], 1)


def compare(parts, tolerance=1e-12, backwards=False, fault=""):
    """Raise an AssertionError where values or gradients differ from the formulas in float64."""
    exact = [part.detach().double().requires_grad_() for part in parts]
    found = gated_gru(*parts, backwards=backwards)
    expected = straight(*exact, backwards=backwards, fault=fault)
    assert found.dtype == parts[0].dtype
    same(found, expected, tolerance, "states")
    outer = torch.randn(expected.shape, dtype=torch.float64).to(found.dtype)
    to_found = torch.autograd.grad(found, parts, outer)
    to_expected = torch.autograd.grad(expected, exact, outer.double())
    for name, one, other in zip(NAMES, to_found, to_expected, strict=True):
        same(one, other, tolerance, name)


def same(found, expected, tolerance, name=""):
    largest = float(expected.detach().abs().max()) if expected.numel() else 0.0
    assert_close(
        found.double(),
        expected.double(),
        rtol=tolerance,
        atol=tolerance * max(largest, 1e-3),
        msg=lambda m: f"{name}: {m}",
    )


def is_native(states):
    return "Recurrence" in states.grad_fn.name()


@PARTS
@ORDERS
@pytest.mark.parametrize(
    ("batch", "steps", "hidden"), [(1, 1, 1), (5, 7, 6), (19, 3, 37), (70, 40, 17)], ids=str
)
def test_equals_the_formulas(path, parts, backwards, batch, steps, hidden):
    given = arrays(parts, batch, steps, hidden)
    assert is_native(gated_gru(*given)) is (path == "native")
    compare(given, backwards=backwards)


@PARTS
def test_single_precision(path, parts):
    compare(arrays(parts, 33, 20, 40, torch.float32), 1e-6)


def test_more_rows_than_one_part_has_groups_for(path):
    compare(arrays(3, 64 * 32 + 5, 2, 3))


@PARTS
@ORDERS
def test_gradients_equal_differences_of_its_own_values(path, parts, backwards):
    gates = torch.tensor([[1.0, 0.0, 0.3], [0.0, 0.6, 0.0]])  # 0 has a gradient as well
    given = arrays(parts, 2, 3, 2, gates=gates)
    assert gradcheck(lambda *inputs: gated_gru(*inputs, backwards=backwards), given)


FAULTS = (
    "rows swapped",
    "reset before the product",
    "bias beside the reset",
    "gate turned round",
    "order turned round",
)


@pytest.mark.parametrize(("parts", "fault"), [*product((2, 3), FAULTS), (3, "update turned round")])
def test_a_fault_is_caught(path, parts, fault):
    given = arrays(parts)
    with pytest.raises(AssertionError):
        compare(given, 1e-6, fault=fault)


def test_zeros_come_first_by_default(path):
    *given, initial = arrays()
    assert_close(gated_gru(*given), gated_gru(*given, torch.zeros_like(initial)), rtol=0, atol=0)


def test_the_gradient_of_each_input_alone(path):
    parts = arrays(3)
    outer = torch.randn(5, 7, 6).double()
    expected = torch.autograd.grad(straight(*parts), parts, outer)
    for place, gradient in enumerate(expected):
        alone = [part.detach().requires_grad_(at == place) for at, part in enumerate(parts)]
        gated_gru(*alone).backward(outer)
        same(alone[place].grad, gradient, 1e-12)
        assert [part.grad is None for part in alone].count(False) == 1


@PARTS
def test_the_last_state_alone(path, parts):
    given = arrays(parts)
    outer = torch.randn(5, 6).double()
    last, states = last_of_gated_gru(*given), gated_gru(*given)
    assert_close(last, states[:, -1], rtol=0, atol=0)
    pairs = [torch.autograd.grad(end, given, outer) for end in (last, states[:, -1])]
    for one, other in zip(*pairs, strict=True):
        same(one, other, 1e-14)


# What gates say (reference, section 9, item 3).


def test_gates_of_0_leave_the_first_state(path):
    """List 3: bit for bit."""
    given = arrays(gates=torch.zeros(5, 7))
    assert_close(gated_gru(*given), given[4].unsqueeze(1).expand(5, 7, 6), rtol=0, atol=0)


def test_one_gate_of_1_shows_one_fact(path):
    """List 3: zeros before it, its candidate from there on."""
    i, hidden = 4, 6
    given = arrays(gates=torch.eye(7)[i].expand(5, 7))[:4]
    projected, _, _, bias = given
    p_r, p_c = projected[:, i].split(hidden, -1)
    b_r, b_c = bias.split(hidden)
    candidate = torch.tanh(p_c + torch.sigmoid(p_r + b_r) * b_c)
    states = gated_gru(*given)
    assert_close(states[:, :i], torch.zeros_like(states[:, :i]), rtol=0, atol=0)
    assert_close(states[:, i:], candidate.unsqueeze(1).expand(-1, 7 - i, -1))
    given[3] = torch.cat([b_r, torch.zeros_like(b_c)])
    assert_close(gated_gru(*given)[:, -1], torch.tanh(p_c))


def test_gates_of_1_are_a_gru_that_always_updates(path):
    """PyTorch's z is turned round: its rows far below zero mean that all is taken."""
    given = arrays(gates=torch.ones(5, 7))
    wide = [torch.cat([part[..., :6], part[..., 6:], part[..., 6:]], -1) for part in (given[0],)]
    bias = torch.cat([given[3][:6], torch.full((6,), -1e3).double(), given[3][6:]])
    recurrent = torch.cat([given[2][:6], given[2][6:], given[2][6:]])
    same(gated_gru(*given), gated_gru(wide[0], given[1], recurrent, bias, given[4]), 1e-12)


# PyTorch's GRU, with its own weights.


def project(x, layer, end=""):
    weights = (getattr(layer, f"{name}_l0{end}") for name in ("weight_ih", "bias_ih"))
    return nn.functional.linear(x, *weights)


def direction(x, layer, end=""):
    weights = (getattr(layer, f"{name}_l0{end}") for name in ("weight_hh", "bias_hh"))
    return Direction(project(x, layer, end), *weights)


def test_gates_of_1_are_pytorchs_gru(path):
    """List 1: with its weights unchanged."""
    layer, x = nn.GRU(4, 6, batch_first=True).double(), torch.randn(5, 7, 4).double()
    h = torch.randn(5, 6).double()
    ours = direction(x, layer)
    states = gated_gru(ours.projected, torch.ones(5, 7).double(), *ours[1:], h)
    expected, _ = layer(x, h.unsqueeze(0))
    same(states, expected, 1e-12)
    parameters = list(layer.parameters())
    pairs = [torch.autograd.grad(end.square().sum(), parameters) for end in (states, expected)]
    for one, other in zip(*pairs, strict=True):
        same(one, other, 1e-12)


def test_both_directions_pass_by_what_is_masked(path):
    layer = nn.GRU(4, 6, batch_first=True, bidirectional=True).double()
    lengths = torch.tensor([7, 1, 4, 6, 2])
    mask = torch.arange(7) < lengths.unsqueeze(1)
    x = torch.randn(5, 7, 4).double()
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(layer(packed)[0], batch_first=True)
    broken = x.masked_fill(~mask.unsqueeze(-1), torch.nan).requires_grad_()
    places = Places.of(mask)
    projected = [project(broken, layer, end) for end in ("", "_reverse")]
    given = [
        Direction(places.pick(part), *direction(x, layer, end)[1:])
        for part, end in zip(projected, ("", "_reverse"), strict=True)
    ]
    found = torch.cat(both_directions(*given, places), -1)
    assert_close(found[:, 6, :6], expected[range(5), lengths - 1, :6])  # carried to the end
    assert_close(found[1, 1:, 6:], torch.zeros(6, 6).double(), rtol=0, atol=0)  # nothing was met
    found = found.masked_fill(~mask.unsqueeze(-1), 0.0)
    same(found, expected, 1e-12)
    weights = [getattr(layer, f"weight_hh_l0{end}") for end in ("", "_reverse")]
    pairs = [
        torch.autograd.grad(end.square().sum(), weights, retain_graph=True)
        for end in (found, expected)
    ]
    for one, other in zip(*pairs, strict=True):
        same(one, other, 1e-12)
    for gradient in torch.autograd.grad(found.square().sum(), projected):
        assert_close(gradient[~mask], torch.zeros_like(gradient[~mask]), rtol=0, atol=0)
        assert gradient[mask].abs().min() > 0


@PARTS
@ORDERS
@pytest.mark.parametrize("share", [0.0, 0.6], ids=["no step", "some"])
def test_steps_among_holes_are_as_with_a_mask(path, parts, backwards, share):
    projected, _, recurrent, bias, _ = arrays(parts, 19, 6, 5)
    mask = torch.rand(19, 6) < share
    places = Places.of(mask)
    found = gru_over(Direction(places.pick(projected), recurrent, bias), places, backwards)
    ones = torch.ones(19, 6).double()
    expected = gated_gru(projected, ones, recurrent, bias, backwards=backwards, mask=mask)
    assert_close(found, expected, rtol=0, atol=0)
    if share:
        outer = torch.randn_like(found)
        pairs = (
            torch.autograd.grad(x, (projected, recurrent, bias), outer) for x in (found, expected)
        )
        for one, other in zip(*pairs, strict=True):
            assert_close(one, other, rtol=0, atol=0)


@PARTS
@pytest.mark.parametrize("gates_learn", [False, True])
def test_a_gate_of_0_keeps_nan_out(path, parts, gates_learn):
    given = arrays(parts)
    with torch.no_grad():
        given[1][2, 3:] = 0
        given[0][2, 3:] = torch.nan
    given[1].requires_grad_(gates_learn)
    clean = [part.detach().clone().requires_grad_(part.requires_grad) for part in given]
    clean[0].data.nan_to_num_()
    states, expected = gated_gru(*given), gated_gru(*clean)
    assert_close(states, expected, rtol=0, atol=0)
    assert_close(states[2, 3:], states[2, 2].expand(4, 6), rtol=0, atol=0)
    states.square().sum().backward()
    expected.square().sum().backward()
    for one, other in zip(given, clean, strict=True):
        assert (one.grad is None) is (other.grad is None)
        if one.grad is not None:
            assert_close(one.grad, other.grad, rtol=0, atol=0)
    assert given[0].grad[2, 3:].abs().max() == 0
    assert given[0].grad[2, :3].abs().min() > 0


@PARTS
def test_what_is_skipped_gives_the_same_as_what_is_computed(path, parts):
    """A gate without a gradient lets its steps be left out; nothing else changes."""
    gates = torch.rand(41, 9) * (torch.rand(41, 9) < 0.6)
    learned = arrays(parts, 41, 9, gates=gates)
    fixed = [part.detach().clone().requires_grad_(at != 1) for at, part in enumerate(learned)]
    outer = torch.randn(41, 9, 6).double()
    for given in (learned, fixed):
        gated_gru(*given).backward(outer)
    for place in (0, 2, 3, 4):
        same(fixed[place].grad, learned[place].grad, 1e-13, NAMES[place])
    with torch.no_grad():
        assert_close(gated_gru(*learned), gated_gru(*fixed), rtol=0, atol=0)


@PARTS
@pytest.mark.parametrize("scale", [-100.0, 100.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_far_out_all_is_finite(path, parts, scale, dtype):
    """List 2: at 100 on either side."""
    given = arrays(parts, dtype=dtype)
    with torch.no_grad():
        given[0].copy_(scale * given[0].sign())
    states = gated_gru(*given)
    states.sum().backward()
    assert states.abs().max() <= given[4].abs().max().clamp(min=1)
    assert all(part.grad.isfinite().all() for part in given)
    compare(given, 1e-12 if dtype is torch.float64 else 1e-6)


def test_a_nan_stays_one_and_in_its_row(path):
    given = arrays()
    with torch.no_grad():
        given[0][2, 3] = torch.nan
    states = gated_gru(*given)
    assert states[2, 3:].isnan().all()
    assert not states[2, :3].isnan().any()
    assert not states[[0, 1, 3, 4]].isnan().any()


# Bits.


@compiled
@PARTS
def test_the_bits_do_not_depend_on_the_threads(threads, parts, monkeypatch):
    take("native", monkeypatch)
    given = arrays(parts, 67, 9, 21, torch.float32)

    def everything():
        states = gated_gru(*given)
        return [states, *torch.autograd.grad(states.square().sum(), given)]

    threads(1)
    alone = everything()
    for number in (2, 3, 7):
        threads(number)
        for one, other in zip(alone, everything(), strict=True):
            assert_close(one, other, rtol=0, atol=0)


@compiled
@PARTS
def test_a_row_does_not_depend_on_the_others(parts):
    gates = torch.rand(19, 7) * (torch.rand(19, 7) < 0.5)
    projected, gates, recurrent, bias, initial = arrays(parts, 19, gates=gates)
    with torch.no_grad():
        together = gated_gru(projected, gates, recurrent, bias, initial)
        alone = gated_gru(projected[3:4], gates[3:4], recurrent, bias, initial[3:4])
    assert_close(together[3:4], alone, rtol=0, atol=0)


def test_the_layout_does_not_matter(path):
    given = arrays(3)
    others = [
        torch.cat([given[0].detach()] * 2, -1)[..., :18],  # half of a product of two
        given[1].detach().mT.contiguous().mT,
        given[2].detach().mT.contiguous().mT,
        torch.stack([given[3].detach()] * 2, -1)[:, 0],
        given[4].detach()[:1].expand(5, -1),
    ]
    given[4].data.copy_(others[4])
    others = [part.requires_grad_() for part in others]
    outer = torch.randn(6, 7, 5).double().permute(2, 1, 0)
    results = []
    for inputs in (given, others):
        states = gated_gru(*inputs)
        results.append([states, *torch.autograd.grad(states, inputs, outer)])
    for one, other in zip(*results, strict=True):
        same(one, other, 1e-14)
    turned = others[0].detach().transpose(0, 1).contiguous().transpose(0, 1)
    same(gated_gru(turned, *others[1:]), results[0][0], 1e-14)


# The frame: what is kept, told, and left to the plain twin.


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(path, dtype):
    given = arrays(3, dtype=dtype)
    states = gated_gru(*given)
    assert states.dtype is dtype
    expected = gated_gru(*(part.float() for part in given))
    assert_close(states, expected.to(dtype), rtol=0, atol=0)
    states.sum().backward()
    assert all(part.grad.dtype is dtype for part in given)


@pytest.mark.parametrize("empty", ["batch", "steps"])
def test_nothing_is_as_good_as_something(path, empty):
    given = arrays(**{empty: 0})
    states = gated_gru(*given)
    assert states.shape == (*given[1].shape, 6)
    states.sum().backward()
    last = last_of_gated_gru(*given)
    assert_close(last, given[4], rtol=0, atol=0)


@compiled
def test_nothing_is_kept_but_what_the_graph_holds():
    states = gated_gru(*arrays())
    gone = weakref.ref(states)
    gc.disable()
    try:
        del states
        assert gone() is None
    finally:
        gc.enable()


def test_without_gradients(path):
    given = arrays(3)
    with torch.no_grad():
        states = gated_gru(*given)
    assert not states.requires_grad
    assert_close(states, gated_gru(*given), rtol=0, atol=0)


def test_inputs_are_left_as_they_are(path):
    given = arrays(3)
    before = [part.detach().clone() for part in given]
    gated_gru(*given).sum().backward()
    for part, copy in zip(given, before, strict=True):
        assert_close(part.detach(), copy, rtol=0, atol=0)


@pytest.mark.parametrize("place", range(5))
def test_an_update_between_there_and_back_is_told(place):
    given = arrays(3)
    states = gated_gru(*given)
    with torch.no_grad():
        given[place].add_(1)
    if place == 3 and not is_native(states):
        return  # a sum does not need its bias again
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        states.sum().backward()


def test_a_second_derivative_is_refused_but_by_the_plain_twin(path):
    given = arrays()
    loss = gated_gru(*given).square().sum()
    (first,) = torch.autograd.grad(loss, given[0], create_graph=True)
    if path == "plain":
        first.square().sum().backward()
        return
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.square().sum().backward()


def test_transforms_and_autocast_take_the_plain_twin(path):
    given = arrays()
    together = torch.func.vmap(lambda p, g: gated_gru(p[None], g[None], *given[2:4])[0])
    same(together(*given[:2]), gated_gru(*given[:4]), 1e-14)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(given[0].detach(), torch.ones_like(given[0]))
        assert forward_ad.unpack_dual(gated_gru(dual, *given[1:])).tangent is not None
    with torch.autocast("cpu", torch.bfloat16):
        assert not is_native(gated_gru(*given))


def test_other_devices_take_the_plain_twin(path):
    given = [part.detach().to("meta") for part in arrays()]
    assert gated_gru(*given).device.type == "meta"


@pytest.mark.parametrize("wrong", ["precision", "rows"])
def test_what_does_not_fit_is_refused_as_the_twin_does(path, wrong, shapes_unchecked):
    given = arrays()
    given[2] = given[2].float() if wrong == "precision" else given[2][:-1]
    with pytest.raises(RuntimeError):
        gated_gru(*given)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("parts", [2, 3])
def test_a_mask_leaves_steps_out_whatever_their_gates(parts, backwards, path):
    batch, steps, hidden = 5, 7, 3
    mask = torch.rand(batch, steps) > 0.4
    mask[0], mask[1, 4:] = False, False
    shapes = ((batch, steps, parts * hidden), (batch, steps), (parts * hidden, hidden))
    given = [torch.randn(*shape).double() for shape in (*shapes, (parts * hidden,))]
    leaves = [part.clone().requires_grad_() for part in given]
    with torch.no_grad():
        leaves[0][~mask], leaves[1][~mask] = torch.nan, 2.0
    found = gated_gru(*leaves, backwards=backwards, mask=mask)
    found.cumsum(1).sum().backward()
    shut = [given[0], given[1] * mask, *given[2:]]
    others = [part.clone().requires_grad_() for part in shut]
    expected = gated_gru(*others, backwards=backwards)
    expected.cumsum(1).sum().backward()
    assert_close(found, expected)
    assert not leaves[0].grad[~mask].any()
    assert not leaves[1].grad[~mask].any()
    for one, other in zip(leaves, others, strict=True):
        kept = mask if one.ndim == 3 or one.shape == mask.shape else slice(None)
        assert_close(one.grad[kept], other.grad[kept])

"""CRAN's loops by hand, and their recurrent and self-reading keys against torch's own layers."""

from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from memnets.reference import cran
from memnets.reference.cran import Cell, Linear, Zone
from memnets.reference.encoders import sinusoids
from memnets.reference.multihead import Heads

ALL_ONE = np.ones((1, 1))
NO_BIAS = np.zeros(1)


def ones(inputs: int) -> Linear:
    return Linear(np.ones((1, inputs)), NO_BIAS)


def one_wide(capacity=2, slots=2, k=1, **parts) -> Cell:
    """Variants 1.1, 2.2, 3.1, 4.1; every width and every weight 1, every bias 0."""
    plain = Cell(
        query=cran.input_query,
        read=partial(cran.joint_read, layer=ones(2)),
        project=ones(1),
        update=partial(cran.relu_update, layer=ones(2)),
        key=partial(cran.linear_key, layer=ones(slots), slots=slots),
        choose=partial(cran.top_zones, k=k),
        capacity=capacity,
        slots=slots,
    )
    return plain._replace(**parts)


def column(*numbers: float) -> np.ndarray:
    return np.array([[float(number)] for number in numbers])


def test_the_trace_by_hand():
    """A partial zone is read (t = 4), eviction waits for the next write (t = 5), alpha < 1."""
    found, state, seen = cran.run(column(1, 0, 2, 1, -1, 1), cran.empty(1), one_wide())
    np.testing.assert_allclose(found[:, 0], [1, 1, 3, 3.193176, 0, 4.099555], atol=5e-7)
    alphas = [[], [1], [1], [0, 0.731059], [0.985126, 0], [0.997961, 0]]
    slots = [[], [[1]], [[0.5, 0.5]], [[0, 0], [1]], [[0.5, 0.5], [0, 0]]]
    slots.append([[0.451856, 0.548144], [0]])
    for evidence, alpha, a in zip(seen, alphas, slots, strict=True):
        np.testing.assert_allclose(evidence.zones, alpha, atol=5e-7)
        for weights, expected in zip(evidence.slots, a, strict=True):
            np.testing.assert_allclose(weights, expected, atol=5e-7)
    assert seen[4].steps == ((0, 1), (2, 3))
    assert seen[5].steps == ((2, 3), (4,))
    assert state.written == 6
    np.testing.assert_allclose(
        [zone.key[0] for zone in state.zones], [6.193176, 4.099555], atol=5e-7
    )
    np.testing.assert_allclose(state.zones[1].states, column(0, 4.099555), atol=5e-7)


def test_a_window_is_its_halves():
    inputs, cell = column(1, 0, 2, 1, -1, 1), one_wide()
    whole, end, _ = cran.run(inputs, cran.empty(1), cell)
    first, middle, _ = cran.run(inputs[:3], cran.empty(1), cell)
    second, last, _ = cran.run(inputs[3:], middle, cell)
    assert [*first, *second] == whole.tolist()
    assert (last.hidden, last.written) == (end.hidden, end.written)


def test_keys_are_made_anew_at_the_window_s_start_if_asked():
    """A zone keeps the key of its time: under other weights, only "window" makes it anew."""
    _, state, _ = cran.run(column(1, 1, 0), cran.empty(1), one_wide())
    newest = 1 + 1 / (1 + np.exp(-2.0))  # read from 1 and 2 by a query of 2
    np.testing.assert_allclose([zone.key[0] for zone in state.zones], [3, newest])
    twice = one_wide(key=lambda states: 2 * sum(states))
    for refresh, keys in (("write", [3, newest]), ("window", [6, 2 * newest])):
        _, after, seen = cran.run(column(1), state, twice, refresh)
        highest = 1 / (1 + np.exp(keys[1] - keys[0]))
        np.testing.assert_allclose(seen[0].zones, [highest, 0])
        assert after.zones[0].key[0] == keys[0]
        assert after.zones[1].key == 2 * sum(after.zones[1].states)  # written to: anew in both


def test_the_memory_is_empty_at_first():
    y, evidence = cran.attend(np.array([3.0]), cran.empty(1), one_wide())
    assert y.tolist() == [0]
    assert (evidence.zones.tolist(), evidence.slots, evidence.steps) == ([], (), ())


def test_scales():
    zones = (Zone(column(1, 3), np.array([2.0])), Zone(column(2), np.array([4.0])))
    state = cran.State(np.array([0.0]), zones, 3)
    cell = one_wide(k=2, zone_scale=0.5, slot_scale=0.25)
    _, evidence = cran.attend(np.array([1.0]), state, cell)
    np.testing.assert_allclose(evidence.zones[1], 1 / (1 + np.exp(-1)))  # (4 - 2) / 2
    np.testing.assert_allclose(evidence.slots[0][1], 1 / (1 + np.exp(-0.5)))  # (3 - 1) / 4


@pytest.mark.parametrize("capacity", [1, 2, 11])
@pytest.mark.parametrize("slots", [1, 2, 3])
def test_steps_are_those_of_a_list(capacity, slots):
    """The slots hold the last steps in turn, zone by zone, and the oldest zone goes as a whole."""
    state, kept = cran.empty(1), []
    cell = one_wide(capacity, slots)
    for t in range(2 * capacity * slots + 1):
        evidence = cran.attend(np.array([1.0]), state, cell)[1]
        assert [list(steps) for steps in evidence.steps] == kept
        if not kept or len(kept[-1]) == slots:
            kept = [*kept, []][-capacity:]
        kept[-1].append(t)
        state = cran.renew(np.array([float(t)]), state, cell)
        assert [zone.states[:, 0].tolist() for zone in state.zones] == kept


def test_queries():
    x, h = np.array([1.0, 2.0]), np.array([3.0])
    layer = Linear(np.array([[1.0, 10.0, 100.0], [-1.0, -1.0, -1.0]]), np.array([0.5, 0.25]))
    assert cran.input_query(x, h) is x
    assert cran.input_query(x, h, np.array([[2.0, 3.0]])).tolist() == [8]
    assert cran.joint_query(x, h, layer).tolist() == [321.5, -5.75]
    assert cran.joint_read(x, h, layer).tolist() == [321.5, 0]
    assert cran.input_read(x, h, Linear(layer.W[:, :2], layer.b)).tolist() == [21.5, 0]


def test_which_zones():
    s = np.array([2.0, 0.0, 2.0, 1.0])
    assert cran.highest(s, 1) == [2]  # the newer of equal ones
    assert cran.highest(s, 3) == [2, 0, 3]
    assert cran.highest(s, 7) == [2, 0, 3, 1]
    e = np.exp(s)
    both = np.array([0, 0, e[2], e[3]])
    p = e / e.sum()
    np.testing.assert_allclose(cran.top_zones(s[1:], 2), both[1:] / e[1:].sum())
    np.testing.assert_allclose(cran.renormalised_zones(s[1:], 2), both[1:] / both.sum())
    np.testing.assert_allclose(cran.given_zones(s, [1]), [0, p[1], 0, 0])
    again = np.array([np.exp(p[0]), 0, np.exp(p[2]), 0])
    np.testing.assert_allclose(cran.twice_softmax_zones(s, 2), again / again.sum())


def test_updates():
    x, y = np.array([1.0, 2.0]), np.array([3.0])
    layer = Linear(np.array([[1.0, 10.0, 100.0]]), np.array([0.5]))
    assert cran.relu_update(x, y, layer).tolist() == [321.5]
    assert cran.relu_update(x, y, Linear(-layer.W, layer.b)).tolist() == [0]
    shut, open_ = (Linear(np.zeros((1, 3)), np.array([bias])) for bias in (-700.0, 700.0))
    n, i = Linear(np.array([[0.25, 0.0]]), np.array([0.5])), Linear(ALL_ONE, np.array([-2.0]))
    for r, z, expected in (
        (open_, shut, np.tanh(0.75 + 1.0)),
        (shut, shut, np.tanh(1.0)),
        (open_, open_, 3.0),
    ):
        assert cran.gated_update(x, y, r, z, n, i).tolist() == [expected]
    half = Linear(np.zeros((1, 3)), NO_BIAS)
    blend = cran.gated_update(x, y, half, half, n, i)
    np.testing.assert_allclose(blend, [0.5 * np.tanh(0.375 + 1.0) + 1.5])


def test_keys():
    states = np.array([[1.0, 2.0], [3.0, 4.0]])
    layer = Linear(np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0, 0, 0, 0, -1.0, 0]]), np.zeros(2))
    assert cran.linear_key(states, layer, 3).tolist() == [30, 0]
    lower = Linear(layer.W, np.array([-31.0, -0.5]))
    assert cran.linear_key(states, lower, 3).tolist() == [0, 0]
    assert cran.linear_key(states, lower, 3, cut=False).tolist() == [-1, -0.5]
    second = Linear(np.array([[1.0, -1.0], [-1.0, 0.0]]), np.array([1.0, 1.0]))
    assert cran.mlp_key(states, [layer, second], 3).tolist() == [31, 0]
    out = Linear(np.array([[1.0, 10.0]]), np.array([0.5]))
    assert cran.mean_key(states, out).tolist() == [32.5]
    assert cran.last_key(states, out).tolist() == [43.5]


def layer_of(weight: torch.Tensor, bias: torch.Tensor) -> Linear:
    return Linear(weight.detach().numpy(), bias.detach().numpy())


@pytest.mark.parametrize("layers", [1, 2])
def test_the_bilstm_is_torch_s(layers):
    theirs = nn.LSTM(3, 5, layers, bidirectional=True, batch_first=True).double()
    out, states = nn.Linear(10, 7).double(), torch.randn(4, 3).double()
    weights = []
    for number in range(layers):
        pair = []
        for way in ("", "_reverse"):
            part = theirs.state_dict()
            W, U, b, c = (  # noqa: N806
                part[f"{name}_l{number}{way}"].numpy()
                for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            )
            pair.append(cran.LSTM(W, U, b + c))
        weights.append(tuple(pair))
    found = cran.bilstm_key(states.numpy(), weights, layer_of(out.weight, out.bias))
    _, (last, _) = theirs(states[None])
    expected = out(torch.cat([last[-2, 0], last[-1, 0]]))  # forwards, backwards, of the last layer
    np.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-12)


def test_the_transformer_is_torch_s():
    theirs = [
        nn.TransformerEncoderLayer(
            6, 2, 11, dropout=0.0, batch_first=True, norm_first=True, dtype=torch.float64
        )
        for _ in range(2)
    ]
    into, out = nn.Linear(5, 6).double(), nn.Linear(6, 7).double()
    states, blocks = torch.randn(4, 5).double(), []
    for layer in theirs:
        nn.init.normal_(layer.norm1.weight)
        nn.init.normal_(layer.norm2.bias)
        q, k, v = layer.self_attn.in_proj_weight.detach().unflatten(0, (3, 2, 3)).numpy()
        blocks.append(
            cran.Block(
                layer_of(layer.norm1.weight, layer.norm1.bias),
                Heads(q, k, v, layer.self_attn.out_proj.weight.detach().numpy()),
                layer_of(layer.norm2.weight, layer.norm2.bias),
                layer_of(layer.linear1.weight, layer.linear1.bias),
                layer_of(layer.linear2.weight, layer.linear2.bias),
            )
        )
    x = into(states) + torch.from_numpy(sinusoids(4, 6))
    for layer in theirs:
        x = layer(x[None])[0]
    ends = (layer_of(layer.weight, layer.bias) for layer in (into, out))
    found = cran.transformer_key(states.numpy(), next(ends), blocks, next(ends))
    np.testing.assert_allclose(found, out(x.mean(0)).detach().numpy(), rtol=1e-12)

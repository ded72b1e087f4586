"""Keys of zones: the loops, zones as they fill, slots that nobody filled, sizes refused."""

import numpy as np
import pytest
import torch
from cran_loops import array
from cran_loops import key as by_loops
from torch.testing import assert_close

from memnets.layers import (
    BiLSTMKey,
    LastKey,
    LinearKey,
    MeanKey,
    MLPKey,
    TransformerKey,
    ZoneKey,
    zone_keys,
)
from memnets.testing import discover

HIDDEN, SLOTS = 3, 5
FOUND = discover(ZoneKey)
KEYS = {
    **{part.__name__: lambda part=part: part.example(HIDDEN, SLOTS) for part in FOUND},
    "linear, uncut": lambda: LinearKey(HIDDEN, SLOTS, dim=7, relu=False),
    "MLP, uncut": lambda: MLPKey(HIDDEN, SLOTS, dim=7, depth=2, relu=False),
    "MLP of one layer": lambda: MLPKey(HIDDEN, SLOTS, dim=7, depth=1),
    "two heads, two layers": lambda: TransformerKey(HIDDEN, dim=10, heads=2, layers=2),
    "mean, not projected": lambda: MeanKey(HIDDEN, dim=HIDDEN),
    "last, not projected": lambda: LastKey(HIDDEN, dim=HIDDEN),
}


def build(name):
    """Return a key whose weights are large enough for what it does to show."""
    key = KEYS[name]().double()
    with torch.no_grad():
        for parameter in key.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return key


def zones():
    """Return a zone of every filling, NaN where it is empty."""
    values, filled = torch.randn(SLOTS + 1, SLOTS, HIDDEN).double(), torch.arange(SLOTS + 1)
    values[torch.arange(SLOTS) >= filled[:, None]] = torch.nan
    return values, filled


def compare(key, function):
    """Raise an AssertionError where a key and the loops' function differ."""
    values, filled = zones()
    for row, zone, states in zip(key(values, filled), values, filled.tolist(), strict=True):
        expected = function(array(zone[:states])) if states else np.zeros(key.dim)
        np.testing.assert_allclose(array(row), expected, rtol=1e-10, atol=1e-12)


def test_none_is_skipped():
    assert {LinearKey, MLPKey, BiLSTMKey, TransformerKey, MeanKey, LastKey} == set(FOUND)


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_that_of_the_loops(name):
    key = build(name)
    compare(key, by_loops(key, SLOTS))


@pytest.mark.parametrize("name", KEYS)
def test_a_key_kept_up_to_date_is_the_key_made_anew(name):
    """Whatever the zone held when it was taken up: nothing, some states, all but one."""
    key, values = build(name), torch.randn(2, SLOTS, HIDDEN).double()
    for start in (0, 2, SLOTS - 1):
        zone = key.begin(values[:, :start])
        assert zone.filled == start
        for slot in range(start, SLOTS):
            zone = key.extend(zone, values[:, slot])
            expected = key(values, torch.full((2,), slot + 1))
            assert zone.filled == slot + 1
            assert_close(key.finish(zone), expected, rtol=1e-10, atol=1e-12)
    assert_close(key.finish(key.begin(values)), key(values, torch.full((2,), SLOTS)))


@pytest.mark.parametrize("name", KEYS)
def test_a_key_depends_on_its_own_zone_alone(name):
    key, (values, filled) = build(name), zones()
    together = key(values, filled)
    for row in range(len(filled)):
        assert_close(key(values[row : row + 1], filled[row : row + 1])[0], together[row])


@pytest.mark.parametrize("name", KEYS)
def test_gradients_are_those_of_the_function(name):
    """Those of the states that are filled; the others, even of NaN, get none."""
    key, (values, filled) = build(name), zones()

    def of(states):
        told = (torch.arange(SLOTS) < filled[:, None]).unsqueeze(-1)
        return key(torch.where(told, states, torch.nan), filled)

    states = torch.randn_like(values).requires_grad_()
    assert torch.autograd.gradcheck(of, (states,), fast_mode=True)
    (gradient,) = torch.autograd.grad(key(values.requires_grad_(), filled).sum(), values)
    assert gradient.isfinite().all()
    assert not gradient[torch.arange(SLOTS) >= filled[:, None]].any()


@pytest.mark.parametrize("name", [name for name in KEYS if "not projected" not in name])
def test_every_weight_learns(name):
    key = KEYS[name]().double()
    key(torch.rand(7, SLOTS, HIDDEN).double(), torch.full((7,), SLOTS)).sum().backward()
    for weight, parameter in key.named_parameters():
        assert parameter.grad is not None, weight
        assert parameter.grad.any(), weight


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: LinearKey(0, 5, 7), r"LinearKey\(hidden=0\)"),
        (lambda: LinearKey(3, 0, 7), r"LinearKey\(slots=0\)"),
        (lambda: MLPKey(3, 5, 0, 2), r"MLPKey\(dim=0\)"),
        (lambda: MLPKey(3, 5, 7, 0), r"MLPKey\(depth=0\)"),
        (lambda: BiLSTMKey(0, 7), r"BiLSTMKey\(hidden=0\)"),
        (lambda: MeanKey(3, 0), r"MeanKey\(dim=0\)"),
        (lambda: LastKey(0, 7), r"LastKey\(hidden=0\)"),
    ],
)
def test_a_size_of_zero_is_refused(make, text):
    with pytest.raises(ValueError, match=f"{text}: expected at least 1"):
        make()


def test_a_key_is_cut_and_projected_where_it_is_said_and_nowhere_else():
    values, filled = torch.randn(50, SLOTS, HIDDEN), torch.full((50,), SLOTS)
    for part, depth in ((LinearKey, {}), (MLPKey, {"depth": 2})):
        assert part(HIDDEN, SLOTS, dim=7, **depth)(values, filled).min() == 0
        assert part(HIDDEN, SLOTS, dim=7, **depth, relu=False)(values, filled).min() < 0
    for part, plain in ((MeanKey, values.mean(1)), (LastKey, values[:, -1])):
        key = part(HIDDEN, dim=HIDDEN)
        assert not list(key.parameters())
        assert_close(key(values, filled), plain)
        assert [tuple(p.shape) for p in part(HIDDEN, dim=7).parameters()] == [(7, HIDDEN)]


def test_heads_that_cannot_share_are_refused():
    with pytest.raises(ValueError, match=r"heads=2, dim=5\): expected a width that the heads"):
        TransformerKey(HIDDEN, dim=5, heads=2)


# Faults. Each changes one thing; the comparison with the loops must then fail.


def turn_the_slots(patch, key):
    encode = type(key).encode
    patch.setattr(type(key), "encode", lambda self, v, f: encode(self, v.flip(1), f))


def read_one_slot_less(patch, key):
    encode = type(key).encode
    patch.setattr(
        type(key),
        "encode",
        lambda self, v, f: encode(self, v * (torch.arange(SLOTS) < f[:, None] - 1)[..., None], f),
    )


def count_one_state_more(patch, key):
    encode = type(key).encode
    patch.setattr(type(key), "encode", lambda self, v, f: encode(self, v, (f + 1).clamp(max=SLOTS)))


def forget_the_last_relu(patch, key):
    key.relu = not key.relu


def swap_the_directions(patch, key):
    key.forwards, key.backwards = key.backwards, key.forwards


def put_the_norm_after(patch, key):
    for part in key.encoder.blocks:
        part.norm = "after"


def forget_the_places(patch, key):
    patch.setattr("memnets.layers.encoders.sinusoids", lambda time, like: torch.zeros_like(like[0]))


def divide_by_all_slots(patch, key):
    patch.setattr(zone_keys, "_mean", lambda values, filled: values.mean(1))


FAULTS = [
    ("LinearKey", turn_the_slots),
    ("LinearKey", read_one_slot_less),
    ("LinearKey", forget_the_last_relu),
    ("MLPKey", turn_the_slots),
    ("MLPKey", forget_the_last_relu),
    ("BiLSTMKey", turn_the_slots),
    ("BiLSTMKey", count_one_state_more),
    ("BiLSTMKey", swap_the_directions),
    ("TransformerKey", turn_the_slots),
    ("TransformerKey", count_one_state_more),
    ("TransformerKey", put_the_norm_after),
    ("TransformerKey", forget_the_places),
    ("TransformerKey", divide_by_all_slots),
    ("MeanKey", count_one_state_more),
    ("MeanKey", divide_by_all_slots),
    ("LastKey", read_one_slot_less),
    ("LastKey", count_one_state_more),
]


@pytest.mark.parametrize(
    ("name", "fault"), FAULTS, ids=[f"{name}-{fault.__name__}" for name, fault in FAULTS]
)
def test_a_fault_is_caught(monkeypatch, name, fault):
    key = build(name)
    function = by_loops(key, SLOTS)
    fault(monkeypatch, key)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(key, function)


@pytest.mark.parametrize(
    ("key", "shapes"),
    [
        (MLPKey(3, 5, dim=7, depth=1), [(7, 15), (7,)]),
        (MLPKey(3, 5, dim=7, depth=3), [(7, 15), (7,), (7, 7), (7,), (7, 7), (7,)]),
        (LinearKey(3, 5, dim=7), [(7, 15), (7,)]),
        (
            BiLSTMKey(3, dim=7),
            [*[(28, 3), (28, 7), (28,), (28,)] * 2, (7, 14), (7,)],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_key_has_the_layers_of_its_formula(key, shapes):
    """Loops over the layers that there are would not miss one."""
    assert [tuple(parameter.shape) for parameter in key.parameters()] == shapes
    assert (key.hidden, key.dim) == (3, 7)


def test_a_transformer_has_the_heads_and_layers_that_are_asked_for():
    for given, heads, layers in (({"heads": 4, "layers": 2}, 4, 2), ({}, 1, 1)):
        key = TransformerKey(HIDDEN, dim=12, **given)
        assert len(key.encoder.blocks) == layers
        for block in key.encoder.blocks:
            assert (block.heads.heads, block.norm) == (heads, "before")
            assert block.inner_weight.weight.shape == (48, 12)
        assert key.encoder.input_weight.weight.shape == (12, HIDDEN)
        assert key.output.weight.shape == (12, 12)

"""The network of the proposal's author against loops of its equations, one row at a time."""

import numpy as np
import pytest
import torch
from cran_loops import array
from torch.testing import assert_close

from memnets.layers.zone_choice import TopZones, ZoneChoice
from memnets.memories import BlankZones, PaddedZones, ZoneMemory
from memnets.models.cran import longterm
from memnets.models.cran.window import Window

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
DIM, HIDDEN = 5, 7
SIZES = [(5, 1, 3), (3, 2, 2), (3, 5, 3), (1, 4, 1), (4, 3, 1)]
"""Zones, slots and how many are read."""


def softmax(x):
    raised = np.exp(x - x.max())
    return raised / raised.sum()


def relu(x):
    return np.maximum(x, 0)


def affine(layer, *parts):
    return array(layer.weight) @ np.concatenate(parts) + array(layer.bias)


def updated(update, x, y):
    """Return the new state of a part, by 3.1 or 3.2."""
    if not hasattr(update, "gates"):
        return relu(affine(update.linear, x, y))
    r, z = np.split(1 / (1 + np.exp(-affine(update.gates.linear, x, y))), 2)
    n = np.tanh(r * affine(update.candidate, x) + affine(update.read, y))
    return (1 - z) * n + z * y


def loops(network, row, zones, slots, k):
    """Return the states of a row: N zones of L slots, all of them zeros at first, all read."""
    cell, h = network.cell, np.zeros(HIDDEN)
    values = [np.zeros((slots, HIDDEN)) for _ in range(zones)]
    keys, newest, slot, states = [np.zeros(DIM) for _ in range(zones)], 0, 0, []
    for x in row:
        p = softmax(np.array([x @ key for key in keys]) / np.sqrt(DIM))
        best = sorted(range(zones), key=lambda i: -p[i])[:k]
        alpha = softmax(p[best])
        q, y = relu(affine(cell.read.query.linear, x, h)), np.zeros(HIDDEN)
        for weight, zone in zip(alpha, best, strict=True):
            logits = [q @ relu(affine(cell.read.key, z)) / np.sqrt(len(q)) for z in values[zone]]
            y = y + weight * softmax(np.array(logits)) @ values[zone]
        h = updated(cell.update, x, y)
        if slot == slots:
            newest, slot = newest + 1, 0
        if newest == zones:
            values, keys = [*values[1:], np.zeros((slots, HIDDEN))], [*keys[1:], np.zeros(DIM)]
            newest = zones - 1
        values[newest][slot] = h
        keys[newest] = relu(affine(cell.key.first, values[newest].flatten()))
        slot += 1
        states.append(h)
    return np.array(states)


def built(zones, slots, k, gated=False):
    torch.manual_seed(7)
    network = longterm(DIM, HIDDEN, zones, slots, k, gated=gated).double()
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(0.4 * torch.randn_like(parameter))
            if name == "cell.key.first.bias":
                parameter += 1.0  # a zone that was written to has a key of its own: no ties
    return network


def check(zones, slots, k, gated=False, by=None):
    network = built(zones, slots, k, gated)
    x = torch.randn(2, 2 * zones * slots + 3, DIM).double()
    with torch.no_grad():
        found = network(x)[0] if by is None else by(network, x)
    for row in range(2):  # several rows are each as alone
        expected = loops(network, array(x[row]), zones, slots, k)
        np.testing.assert_allclose(array(found[row]), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize(("zones", "slots", "k"), SIZES)
def test_equals_the_loops(zones, slots, k, gated):
    check(zones, slots, k, gated)
    check(zones, slots, k, gated, by=lambda network, x: network.trace(x).output)


def test_in_windows_it_is_the_same():
    network = built(3, 2, 2)
    x, carried, parts = torch.randn(2, 17, DIM).double(), None, []
    for part in x.split(3, 1):
        output, carried = network(part, carried)
        parts.append(output)
    assert_close(torch.cat(parts, 1), network(x)[0], rtol=1e-10, atol=1e-12)


def test_gradient_is_cut_at_every_step():
    """So the zones' keys learn nothing, and no step learns what to write for another."""
    network, x = built(3, 2, 2), torch.randn(1, 9, DIM).double().requires_grad_()
    network(x)[0][:, -1].sum().backward()
    assert x.grad[:, -1].any()
    assert not x.grad[:, :-1].any()
    learnt = {name for name, one in network.named_parameters() if one.grad is not None}
    assert "cell.read.key.weight" in learnt
    assert not any("cell.key" in name for name in learnt)


# Faults. Each makes another network of it.


def hide_the_empty_slots_of_the_open_zone(patch):
    patch.setattr(PaddedZones, "readable", ZoneMemory.readable)


def take_one_softmax(patch):
    patch.setattr("memnets.models.cran.author.TwiceSoftmaxZones", TopZones)


def read_the_oldest(patch):
    patch.setattr(ZoneChoice, "rank", lambda self, logits, live, count: -logits)


@pytest.mark.parametrize(
    "fault",
    [hide_the_empty_slots_of_the_open_zone, take_one_softmax, read_the_oldest],
)
def test_a_fault_is_caught(monkeypatch, fault):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        check(3, 2, 2, by=lambda network, x: network.trace(x).output)


def begin_empty(patch):
    patch.setattr(BlankZones, "age", ZoneMemory.age)


def leave_out_the_empty_slots(patch):
    patch.setattr(Window, "_as_read", lambda self, zone: zone)


@pytest.mark.parametrize("fault", [begin_empty, leave_out_the_empty_slots, take_one_softmax])
def test_a_fault_in_the_window_is_caught(monkeypatch, fault):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        check(3, 2, 2)


@pytest.mark.parametrize("gated", [False, True])
def test_it_is_made_of_the_parts_that_are_named(gated):
    """Loops that are as wide as the weights they are given would not see another width."""
    network = longterm(DIM, HIDDEN, zones=4, slots=3, k=2, gated=gated)
    cell = network.cell
    assert (network.refresh, network.detached) == ("write", True)
    parts = (cell.query, cell.read, cell.update, cell.key, cell.memory, cell.choice)
    names = ("InputQuery", "JointRead", "GatedUpdate" if gated else "ReluUpdate", "LinearKey")
    assert [type(part).__name__ for part in parts] == [*names, "PaddedZones", "TwiceSoftmaxZones"]
    assert not list(cell.query.parameters())
    assert cell.read.query.linear.weight.shape == (HIDDEN, DIM + HIDDEN)
    assert cell.read.key.weight.shape == (HIDDEN, HIDDEN)
    assert cell.key.first.weight.shape == (DIM, 3 * HIDDEN)
    assert cell.key.relu
    assert (cell.memory.zones, cell.memory.slots, cell.choice.k) == (4, 3, 2)

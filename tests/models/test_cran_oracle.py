"""CRAN's cell against the loops: every variant, every age of the memory, gradients, faults."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from cran_cases import AGES, GRID, SAMPLE, VARIANTS, Case, inputs, state
from cran_loops import array, compare, row, run
from cran_loops import cell as cell_by_loops
from torch import nn

from memnets.attention import Dot
from memnets.layers import LinearKey, MLPKey, ZoneKey
from memnets.layers.zone_choice import (
    NoZones,
    RandomZones,
    RenormalisedZones,
    TopZones,
    TwiceSoftmaxZones,
    ZoneChoice,
)
from memnets.memories import ZoneMemory
from memnets.models.cran import (
    CRAN,
    CRANCell,
    GatedUpdate,
    InputQuery,
    JointRead,
    ReluUpdate,
)
from memnets.models.cran.parts import Affine
from memnets.reference import cran as loops

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
SIZES = [
    (1, 1, 1), (1, 3, 1), (3, 1, 2), (3, 2, 3), (2, 5, 1), (11, 1, 2), (23, 1, 5), (2, 19, 2),
]  # fmt: skip
"""Zones, slots and how many are read: one zone, one slot, all read, a window inside one zone."""


def check(case, time=13, ages=AGES):
    model, x = case.build(), inputs(time, len(ages))
    start = state(model, ages)
    compare(model.trace(x, start), run(model, x, start))


def test_the_trace_by_hand():
    """List 1: variants 1.1, 2.2, 3.1, 4.1; every weight 1, every bias 0."""
    cell = CRANCell(
        InputQuery(1, 1),
        JointRead(1, 1, 1),
        ReluUpdate(1, 1),
        LinearKey(1, slots=2, dim=1),
        ZoneMemory(zones=2, slots=2),
        TopZones(1),
        Dot(),
        Dot(),
    )
    model = CRAN(cell).double()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.fill_(0.0 if name.endswith("bias") else 1.0)
    trace = model.trace(torch.tensor([[[1.0], [0], [2], [1], [-1], [1]]]).double())
    expected = [1, 1, 3, 3.193176, 0, 4.099555]
    np.testing.assert_allclose(array(trace.output)[0, :, 0], expected, atol=5e-7)
    alpha = [[0, 0], [1, 0], [1, 0], [0, 0.731059], [0.985126, 0], [0.997961, 0]]
    np.testing.assert_allclose(array(trace.zones)[0], alpha, atol=5e-7)
    read = [[0, 0], [1, 0], [0.5, 0.5], [1, 0], [0.5, 0.5], [0.451856, 0.548144]]
    zones = [0, 0, 0, 1, 0, 0]
    for t, (zone, slots) in enumerate(zip(zones, read, strict=True)):
        np.testing.assert_allclose(array(trace.slots)[0, t, zone], slots, atol=5e-7)
        assert not trace.slots[0, t, 1 - zone].any()
    assert trace.steps[0, 4].tolist() == [[0, 1], [2, 3]]
    assert trace.steps[0, 5].tolist() == [[2, 3], [4, -1]]
    np.testing.assert_allclose(array(trace.state.keys)[0, :, 0], [6.193176, 4.099555], atol=5e-7)
    assert trace.state.written.tolist() == [6]


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_equals_the_loops(case):
    """List 2, 33: any two choices meet somewhere; from a memory of every age until it is full."""
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in GRID if case not in SAMPLE], ids=str)
def test_equals_the_loops_in_all_combinations(case):
    """List 2: the others."""
    check(case)


@pytest.mark.parametrize(("zones", "slots", "kept"), SIZES)
def test_equals_the_loops_at_any_size(zones, slots, kept):
    """List 2, 26: N = 1, k = N, L = 1, T < L, T > N L; N above 10."""
    case = Case(zones=zones, slots=slots, k=kept)
    full = zones * slots
    check(case, time=min(2 * full + 3, 17), ages=(0, full - 1, full, 2 * full + 1))


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        (RenormalisedZones, 2),
        (RenormalisedZones, 3),
        (TwiceSoftmaxZones, 1),
        (TwiceSoftmaxZones, 2),
    ],
)
def test_other_weights_equal_the_loops(choice, kept):
    check(Case(choice=choice, k=kept, zone_scaled=True, slot_scaled=True))


def test_no_zones_equal_the_loops():
    model, x = Case(choice=lambda _: NoZones()).build(), inputs(13)
    trace, expected = model.trace(x), run(model, x, model.init_state(len(AGES)))
    np.testing.assert_allclose(array(trace.output), expected.output, rtol=1e-10)
    assert not trace.zones.any()


def test_random_zones_have_the_weights_of_the_softmax():
    """Which ones is drawn; how much of each is what `TopZones` would take."""
    model, x = Case(k=2, zones=5, slots=3).build(), inputs(29, 1)
    parts, model.cell.choice = cell_by_loops(model.cell), RandomZones(2)
    trace = model.trace(x)
    drawn = [np.flatnonzero(weights).tolist() for weights in array(trace.zones)[0]]
    assert [len(chosen) for chosen in drawn] == [0] + [1] * 3 + [2] * 25
    assert len({tuple(chosen) for chosen in drawn[20:]}) > 4
    steps = iter(drawn)
    parts = parts._replace(choose=lambda s: loops.given_zones(s, next(steps)))
    output, _, seen = loops.run(array(x[0]), row(model.init_state(1), 0, model.cell.memory), parts)
    np.testing.assert_allclose(array(trace.output)[0], output, rtol=1e-10)
    np.testing.assert_allclose(array(trace.zones)[0, -1], seen[-1].zones, rtol=1e-10)


def test_other_widths_of_key_and_input():
    """List 2: a key as wide as the input needs no projection."""
    for query in ("1.1", "1.2"):
        case = Case(query=query, key_dim=5)
        check(case)
    assert isinstance(Case(query="1.1", key_dim=5).build().cell.query.project, nn.Identity)


# Gradients.


def direct(model, x, start, forward, outer):
    """Return the gradient of all weights and inputs, by autograd."""
    wanted = [*model.parameters(), x]
    loss = (forward(model, x, start) * outer).sum()
    return torch.autograd.grad(loss, wanted, allow_unused=True)


def moved_loss(model, x, start, outer, by, direction):
    """Return the loss of the loops some way along a direction."""
    wanted = [*model.parameters(), x]
    with torch.no_grad():
        for tensor, way in zip(wanted, direction, strict=True):
            tensor += by * way
        loss = (run(model, x, start).output * array(outer)).sum()
        for tensor, way in zip(wanted, direction, strict=True):
            tensor -= by * way
    return loss


def by_steps(model, x, start):
    return model.trace(x, start).output


def by_window(model, x, start):
    return model(x, start)[0]


def check_gradient(case, forward, ages=(5,)):
    """Compare autograd with central differences of the loops along a direction."""
    model, x, step = case.build(), inputs(11, len(ages)).requires_grad_(), 1e-6
    start, outer = state(model, ages), torch.randn(len(ages), 11, 7).double()
    gradients = direct(model, x, start, forward, outer)
    direction = [torch.randn_like(tensor) for tensor in (*model.parameters(), x)]
    pairs = zip(gradients, direction, strict=True)
    found = sum(float((g * d).sum()) for g, d in pairs if g is not None)
    ahead, behind = (moved_loss(model, x, start, outer, by, direction) for by in (step, -step))
    assert found == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_gradients_equal_central_differences_of_the_loops(case):
    """List 10: at distinct prime sizes, from a memory that is partly filled."""
    check_gradient(case, by_steps)


@pytest.mark.slow
@pytest.mark.parametrize("ages", [(0,), (1,), (13,)])
@pytest.mark.parametrize("refresh", ["write", "window"])
@pytest.mark.parametrize("case", VARIANTS, ids=str)
def test_gradients_equal_central_differences_at_any_age(case, refresh, ages):
    """List 10: from an empty memory, from one state, from a full memory."""
    check_gradient(replace(case, refresh=refresh), by_window, ages)


@pytest.mark.parametrize("choice", [RenormalisedZones, TwiceSoftmaxZones])
def test_gradients_of_other_weights_equal_central_differences(choice):
    """List 10."""
    check_gradient(Case(choice=choice), by_window)


# Faults. Each changes one thing in the cell; the comparison with the loops must then fail.


def flip_the_sign_of_the_zones(patch):
    choose = ZoneChoice.forward
    patch.setattr(ZoneChoice, "forward", lambda self, s, live, count: choose(self, -s, live, count))


def read_zones_that_are_empty(patch):
    choose = ZoneChoice.forward
    patch.setattr(
        ZoneChoice,
        "forward",
        lambda self, s, live, count: choose(self, s, torch.ones_like(live), count),
    )


def read_slots_that_are_empty(patch):
    patch.setattr(
        "memnets.models.cran.cell.masked_softmax", lambda scores, mask: scores.softmax(-1)
    )


def normalise_over_the_zones(patch):
    patch.setattr(
        "memnets.models.cran.cell.masked_softmax",
        lambda scores, mask: scores.masked_fill(~mask, -1e30).softmax(-2),
    )


def forget_the_state_in_the_read(patch):
    complete = Affine.complete
    patch.setattr(Affine, "complete", lambda self, half, state: complete(self, half, 0 * state))


def swap_input_and_state(patch):
    patch.setattr(
        Affine, "state_weight", property(lambda self: self.linear.weight[:, : self.state])
    )


def forget_the_relu_of_the_slots(patch):
    patch.setattr(JointRead, "keys", lambda self, values: self.key(values))


def swap_the_gates(patch):
    complete = GatedUpdate.complete

    def swapped(self, half, state):
        order = torch.cat([torch.arange(7, 14), torch.arange(7), torch.arange(14, 21)])
        return complete(self, half[..., order], state)

    patch.setattr(GatedUpdate, "complete", swapped)


def keep_what_the_gate_lets_go(patch):
    complete = GatedUpdate.complete

    def turned(self, half, y):
        h, y_and_n = complete(self, half, y), complete(self, half, 0 * y)
        return y + y_and_n - h

    patch.setattr(GatedUpdate, "complete", turned)


def write_before_reading(patch):
    forward = CRANCell.forward

    def early(self, x, state):
        after, _ = forward(self, x, state)
        _, read = forward(self, x, after)
        return after, read

    patch.setattr(CRANCell, "forward", early)


def forget_one_write_early(patch):
    write = ZoneMemory.write

    def early(self, memory, value, key):
        after = write(self, memory, value, key)
        full = after.written % (self.zones * self.slots) == 0
        keys = torch.where(full[:, None, None], after.keys.roll(-1, 1), after.keys)
        values = torch.where(full[:, None, None, None], after.values.roll(-1, 1), after.values)
        return after._replace(values=values, keys=keys)

    patch.setattr(ZoneMemory, "write", early)


def lay_the_slots_out_the_other_way(patch):
    total = MLPKey._sum
    patch.setattr(MLPKey, "_sum", lambda self, values: total(self, values.flip(1)))


def make_no_key_anew(patch):
    forward = ZoneKey.forward
    patch.setattr(ZoneKey, "forward", lambda self, v, f: forward(self, v, f) * (f == 2)[:, None])


def count_steps_from_one(patch):
    steps = ZoneMemory.steps
    patch.setattr(ZoneMemory, "steps", lambda self, count: steps(self, count) + 1)


FAULTS = [
    (Case(), flip_the_sign_of_the_zones),
    (Case(k=3), read_zones_that_are_empty),
    (Case(), read_slots_that_are_empty),
    (Case(), normalise_over_the_zones),
    (Case(), forget_the_state_in_the_read),
    (Case(), swap_input_and_state),
    (Case(), forget_the_relu_of_the_slots),
    (Case(update="3.2"), swap_the_gates),
    (Case(update="3.2"), keep_what_the_gate_lets_go),
    (Case(), write_before_reading),
    (Case(), forget_one_write_early),
    (Case(), lay_the_slots_out_the_other_way),
    (Case(), make_no_key_anew),
    (Case(), count_steps_from_one),
]


@pytest.mark.parametrize(("case", "fault"), FAULTS, ids=[fault.__name__ for _, fault in FAULTS])
def test_a_fault_is_caught(monkeypatch, case, fault):
    """List 2."""
    model, x = case.build(), inputs(13)
    start = state(model, AGES)
    expected = run(model, x, start)
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(model.trace(x, start), expected)

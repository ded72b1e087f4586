"""CRAN over a window: the numbers and gradients of the cell, however the text is cut."""

import os
from dataclasses import replace

import pytest
import torch
from cran_cases import AGES, DIM, GRID, HIDDEN, KEYS, SAMPLE, VARIANTS, Case, inputs, state
from torch.testing import assert_close

from memnets.attention import Dot
from memnets.layers import MLPKey
from memnets.layers.zone_choice import (
    NoZones,
    RandomZones,
    RenormalisedZones,
    TopZones,
    TwiceSoftmaxZones,
)
from memnets.layers.zone_keys import Running
from memnets.memories import BlankZones, PaddedZones
from memnets.models.cran import CRAN, CRANState, native
from memnets.models.cran.window import Window, _Asked

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
SIZES = [
    (1, 1, 1), (1, 3, 1), (3, 1, 2), (3, 2, 3), (2, 5, 1), (11, 1, 2), (23, 1, 5), (2, 19, 2),
]  # fmt: skip
"""Zones, slots and how many are read."""
UNLIKE = [
    Case("1.1", "2.2", "3.1", zone_scaled=True, refresh="window"),
    Case("1.2", "2.1", "3.2", slot_scaled=True, key="4.1, uncut"),
    Case("1.1", "2.2", "3.2", slots=3, key="4.2", refresh="window"),
    Case("1.2", "2.2", "3.1", zone_scaled=True, key="4.2"),
    Case("1.2", "2.2", "3.2", zone_scaled=True, slot_scaled=True, refresh="window"),
]


def by_steps(model, x, start):
    trace = model.trace(x, start)
    return trace.output, trace.state


def gradients(model, x, start, forward, outer):
    """Return what a model gave, and the gradient of all that went in."""
    start = CRANState(*(field.clone() for field in start))
    wanted = [*model.parameters(), x, start.hidden, start.values, start.keys]
    for tensor in (x, start.hidden, start.keys):
        tensor.requires_grad_()
    # To the op the states in memory are constants: where it is to run, they get no gradient.
    start.values.requires_grad_(os.environ["MEMNETS_PLAIN"] == "1")
    output, end = forward(model, x, start)
    given = [output, *end]
    loss = sum((one * way).sum() for one, way in zip(given, outer, strict=True) if way is not None)
    asked = [tensor for tensor in wanted if tensor.requires_grad]
    slopes = iter(torch.autograd.grad(loss, asked, allow_unused=True))
    found = [next(slopes) if tensor.requires_grad else None for tensor in wanted]
    found = [torch.zeros_like(t) if g is None else g for t, g in zip(wanted, found, strict=True)]
    told = model.cell.memory.steps(start.written) >= 0  # what was empty is nobody's input
    found[-2:] = found[-2] * told.unsqueeze(-1), found[-1] * told.any(-1).unsqueeze(-1)
    return given, found


def check(case, ages, time=13, dtype=torch.float64, value=1e-10, slope=1e-10):
    """Compare a window with the cell's steps, and what gradient goes back through either."""
    model = case.build().to(dtype)
    x, start = inputs(time, len(ages)).to(dtype), state(model, ages)
    batch, memory = len(ages), model.cell.memory
    shape = (batch, memory.zones, memory.slots, HIDDEN)
    outer = [torch.randn(batch, time, HIDDEN), torch.randn(batch, HIDDEN), torch.randn(shape)]
    outer = [way.to(dtype) for way in (*outer, torch.randn(start.keys.shape))]
    ways = [*outer, None]
    given, found = gradients(model, x, start, CRAN.__call__, ways)
    expected, right = gradients(model, x, start, by_steps, ways)
    for one, other in zip(given, expected, strict=True):
        assert_close(one, other, rtol=value, atol=value)
    names = [name for name, _ in model.named_parameters()]
    for name, one, other in zip([*names, "x", *CRANState._fields[:3]], found, right, strict=True):
        bound = slope * max(1.0, float(other.abs().max()))
        assert_close(one, other, rtol=slope, atol=bound, msg=lambda text, at=name: f"{at}: {text}")


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_a_window_is_the_cell_step_by_step(case):
    """List 2: from an empty memory, and from a partial zone, until the memory is full."""
    check(case, (0,))
    check(case, (5, 5))


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("case", [*VARIANTS, *UNLIKE], ids=str)
def test_a_window_of_the_op_is_the_cell_step_by_step(case):
    """List 2: the C++ op knows the keys 4.1 and 4.2, and everything else of the proposal."""
    check(case, (0,))
    check(case, (5, 5))


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("key", KEYS)
def test_which_keys_the_op_knows(key):
    model = Case(key=key).build()
    ran = native.run(model.cell, inputs(3, 2), model.init_state(2), detached=False)
    assert (ran is not None) == (key in ("4.1", "4.1, uncut", "4.2"))


@pytest.mark.slow
@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("case", GRID, ids=str)
def test_a_window_is_the_cell_in_all_combinations(case):
    """List 2: from a memory that holds one state, one that is just full, one that has forgotten."""
    for age in (1, 6, 13):
        check(case, (age, age))


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(("zones", "slots", "kept"), SIZES)
def test_a_window_is_the_cell_at_any_size(zones, slots, kept):
    """List 2, 26: N = 1, k = N, L = 1, T < L, T > N L; N above 10."""
    case, full = Case(zones=zones, slots=slots, k=kept), zones * slots
    for age in {0, full - 1, full, 2 * full + 1}:
        check(case, (age,), time=min(2 * full + 3, 11))


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    "case",
    [
        Case(choice=RenormalisedZones),
        Case(choice=RenormalisedZones, k=3),
        Case(choice=TwiceSoftmaxZones),
        Case(choice=TwiceSoftmaxZones, k=1),
        Case(choice=RandomZones),
        Case(choice=lambda _: NoZones()),
        Case(detached=True),
        Case(detached=True, refresh="window", update="3.2"),
        Case(query="1.1", key_dim=DIM),
        Case(memory=BlankZones),
        Case(memory=PaddedZones, choice=RandomZones),
        Case(memory=BlankZones, choice=RandomZones),
    ],
    ids=["renormalised", "all renormalised", "twice", "one, twice", "random", "none", "detached",
         "detached, gated", "not projected", "blank", "padded", "blank, random"],
)  # fmt: skip
def test_a_window_is_the_cell_with_other_choices(case):
    check(case, (0, 0))
    check(case, (13, 13))


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("update", ["3.1", "3.2"])
def test_rows_of_different_ages_are_the_cell_step_by_step(update):
    """List 2, 4."""
    check(Case(update=update), AGES)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("case", [SAMPLE[0], UNLIKE[0], UNLIKE[1]], ids=str)
def test_a_window_is_the_cell_in_single_precision(case):
    """List 2: 1e-5 in value, 1e-4 in gradient."""
    check(case, (5, 5), dtype=torch.float32, value=1e-5, slope=1e-4)


# However the text is cut.


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("cut", [1, 2, 5, 16])
@pytest.mark.parametrize("key", ["4.1", "mean"])
def test_a_text_in_windows_is_the_text_whole(cut, key):
    """List 3: in outputs and in the state that is carried on."""
    model, x = Case(key=key, slots=3).build(), inputs(17, 2)
    for start in (None, state(model, (4, 4))):
        whole, end = model(x, start)
        carried, parts = start, []
        for part in x.split(cut, 1):
            output, carried = model(part, carried)
            parts.append(output)
            carried = carried.detach()
        assert_close(torch.cat(parts, 1), whole, rtol=1e-10, atol=1e-12)
        for one, other in zip(carried, end, strict=True):
            assert_close(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("cut", [2, 5])
def test_gradient_through_windows_that_are_not_cut_off_is_that_of_the_text(cut):
    """List 3: what is not detached passes gradient from window to window."""
    model, x = Case().build(), inputs(17, 2).requires_grad_()
    outer = torch.randn(2, 17, HIDDEN).double()
    wanted = [*model.parameters(), x]
    whole = torch.autograd.grad((model(x)[0] * outer).sum(), wanted)
    carried, parts = None, []
    for part in x.split(cut, 1):
        output, carried = model(part, carried)
        parts.append(output)
    found = torch.autograd.grad((torch.cat(parts, 1) * outer).sum(), wanted)
    for one, other in zip(found, whole, strict=True):
        assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.usefixtures("path")
def test_both_refreshes_give_the_same_while_the_weights_do():
    """List 3."""
    for key in ("4.1", "4.2", "last"):
        case = Case(key=key, slots=3)
        torch.manual_seed(7)
        write = case.build()
        window = CRAN(write.cell)
        x, one, other = inputs(17, 2), None, None
        for part in x.split(4, 1):
            (first, one), (second, other) = write(part, one), window(part, other)
            assert_close(first, second, rtol=1e-10, atol=1e-12)
        for field, twin in zip(one, other, strict=True):
            assert_close(field, twin, rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
def test_the_refreshes_differ_in_who_made_the_keys():
    """List 3: after an update of the weights, only "window" makes all keys with the new ones."""
    write = Case(slots=3, zones=5).build()
    window = CRAN(write.cell)  # its default: what the tables show to learn
    _, start = write(inputs(8, 1))  # two full zones, one of two states
    with torch.no_grad():
        write.cell.key.first.weight.mul_(-0.5)
        write.cell.key.first.bias.add_(1.0)
    x = inputs(1, 1)
    made = write.cell.key(start.values[0], torch.tensor([3, 3, 2, 0, 0]))
    _, kept = write(x, start)
    _, anew = window(x, start)
    assert torch.equal(kept.keys[0, :2], start.keys[0, :2])
    assert_close(anew.keys[0, :2], made[:2])
    for end in (kept, anew):  # both made it when they wrote to it
        assert_close(end.keys[:, 2], write.cell.key(end.values[:, 2], torch.tensor([3])))
    for model, keys in ((write, start.keys), (window, made[None])):
        trace = model.trace(x, start)
        logits = model.cell.query.complete(model.cell.query.from_input(x[:, 0]), start.hidden)
        expected = (logits @ keys[0, :3].mT).softmax(-1).topk(2)
        assert_close(trace.zones[0, 0][expected.indices[0]], expected.values[0])


@pytest.mark.usefixtures("path")
def test_the_encoder_s_gradient_at_the_border_of_a_window():
    """List 3: the first read of a window finds keys that are constants under "write" only."""
    write = Case(slots=3, zones=5).build()
    window, weight = CRAN(write.cell, "window"), write.cell.key.first.weight
    start = write(inputs(8, 1))[1].detach()
    x, slopes = inputs(2, 1), []
    for model in (write, window):
        output, _ = model(x, start)
        first, both = (
            torch.autograd.grad(loss, weight, retain_graph=True, allow_unused=True)[0]
            for loss in (output[:, 0].sum(), output.sum())
        )
        assert (first is not None and bool(first.any())) == (model is window)
        slopes.append(both)
    # After the first write the open zone's key has gradient for all its slots, old ones too.
    assert all(slope.unflatten(1, (3, HIDDEN)).any(2).any(0).all() for slope in slopes)
    assert not torch.allclose(*slopes)


# Details of a call.


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("age", [None, 0, 5])
def test_a_window_of_no_steps_changes_nothing(age):
    model = Case().build()
    start = None if age is None else state(model, (age, age))
    output, end = model(inputs(0, 2), start)
    assert output.shape == (2, 0, HIDDEN)
    assert all(map(torch.equal, end, model.init_state(2) if start is None else start))


@pytest.mark.usefixtures("path")
def test_nothing_is_written_in_place():
    model, x = Case().build(), inputs(13, 2).requires_grad_()
    start = state(model, (5, 5))
    before = [tensor.clone() for tensor in (x, *start, *model.parameters())]
    output, end = model(x, start)
    kept = [tensor.clone() for tensor in (output, *end)]
    model(inputs(13, 2), end)
    output.sum().backward()
    assert all(map(torch.equal, (output, *end), kept))
    assert all(map(torch.equal, (x, *start, *model.parameters()), before))


@pytest.mark.usefixtures("path")
def test_the_layout_of_the_inputs_does_not_matter():
    model, x = Case().build(), inputs(13, 2)
    start = state(model, (5, 5))
    laid = x.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    other = CRANState(*(field.mT.contiguous().mT if field.ndim > 1 else field for field in start))
    assert not laid.is_contiguous()
    assert_close(model(laid, other)[0], model(x, start)[0], rtol=1e-12, atol=1e-12)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("lay", [torch.Tensor.sum, lambda output: output.mT.sum(1).mT.sum()])
def test_the_layout_of_the_gradient_does_not_matter(lay):
    """A sum gives a gradient of one number, laid over all places; other losses turn the axes."""
    model, x = Case().build(), inputs(13, 2)
    start, parameters = state(model, (5, 5)), list(model.parameters())
    found = torch.autograd.grad(lay(model(x, start)[0]), parameters)
    expected = torch.autograd.grad(model.trace(x, start).output.sum(), parameters)
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.usefixtures("path")
def test_without_gradient_the_same_comes_out():
    model, x = Case().build(), inputs(13, 2)
    start, (expected, end) = None, model(x)
    with torch.no_grad():
        output, start = model(x)
    assert torch.equal(output, expected.detach())
    assert all(map(torch.equal, start, end.detach()))
    with torch.inference_mode():
        assert_close(model(x)[0], expected.detach())


@pytest.mark.usefixtures("path")
def test_the_same_call_twice_gives_the_same_bits():
    model, x = replace(Case(), zones=11).build(), inputs(29, 3)
    first, second = model(x), model(x)
    assert torch.equal(first[0], second[0])
    assert all(map(torch.equal, first[1], second[1]))


# Faults. Each changes one thing in the window; the comparison with the cell must then fail.


def forget_a_zone_too_early(patch):
    oldest = Window._oldest
    patch.setattr(Window, "_oldest", lambda self: oldest(self) + (self.count == 6))


def forget_no_zone(patch):
    patch.setattr(Window, "_oldest", lambda self: getattr(self, "first", 0))


def ask_for_the_step_before(patch):
    at = _Asked.at
    patch.setattr(_Asked, "at", lambda self, step, hidden: at(self, max(0, step - 1), hidden))


def leave_the_new_state_out_of_the_key(patch):
    extend = MLPKey.extend
    patch.setattr(MLPKey, "extend", lambda self, zone, value: extend(self, zone, 0 * value))


def put_the_new_state_into_the_first_slot_of_the_key(patch):
    extend = MLPKey.extend
    patch.setattr(
        MLPKey,
        "extend",
        lambda self, zone, value: Running(
            zone.filled + 1, extend(self, zone._replace(filled=0), value).parts
        ),
    )


def make_the_stored_key_anew(patch):
    """At the start of a window, where the refresh is at every write."""
    begin = Window._begin

    def early(self, values):
        opened = begin(self, values)
        made = self.cell.key.finish(opened.running) if len(opened.values) else None
        self.__dict__.setdefault("made", made)
        return opened

    patch.setattr(Window, "_begin", early)
    choose = Window._choose

    def chosen(self, step, zones, young, gone):
        if step == 0 and young and self.made is not None:
            young = [*young[:-1], young[-1]._replace(key=self.made)]
        return choose(self, step, zones, young, gone)

    patch.setattr(Window, "_choose", chosen)


def weigh_a_zone_without_its_slots(patch):
    take = Window._take
    patch.setattr(
        Window,
        "_take",
        lambda self, alpha, within, values: take(self, alpha, 0 * within + 0.5, values),
    )


def cut_the_gradient(patch):
    write = Window._write
    patch.setattr(Window, "_write", lambda self, value: write(self, value.detach()))


def carry_the_zones_on_in_the_wrong_order(patch):
    carried = Window._state

    def turned(self):
        hidden, values, keys, written = carried(self)
        return hidden, values.flip(1), keys.flip(1), written

    patch.setattr(Window, "_state", turned)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    "fault",
    [
        forget_a_zone_too_early,
        forget_no_zone,
        ask_for_the_step_before,
        leave_the_new_state_out_of_the_key,
        put_the_new_state_into_the_first_slot_of_the_key,
        make_the_stored_key_anew,
        weigh_a_zone_without_its_slots,
        cut_the_gradient,
        carry_the_zones_on_in_the_wrong_order,
    ],
)
def test_a_fault_is_caught(monkeypatch, fault):
    """List 2."""
    fault(monkeypatch)
    with pytest.raises((AssertionError, RuntimeError)):
        check(Case(), (5, 5))


class OwnKey(MLPKey):
    """A key that another class may make in its own way."""


class OwnScore(Dot):
    """A score that another class may make in its own way."""


class OwnChoice(TopZones):
    """A choice that another class may make in its own way."""


def changed(change):
    """Return a model and a state of which the op knows all but one thing."""
    model = Case(key="4.2").build()
    cell, start = model.cell, state(model, (5, 5))
    if change == "key":
        cell.key.__class__ = OwnKey
    elif change in ("zone_score", "slot_score"):
        setattr(cell, change, OwnScore())
    elif change == "choice":
        cell.choice = OwnChoice(2)
    elif change == "no zones":
        cell.choice = NoZones()
    elif change == "padded":
        cell.memory = PaddedZones(3, 2)
    elif change == "values":
        start.values.requires_grad_()
    elif change:
        getattr(cell, change.split()[0]).register_forward_hook(lambda *given: None)
    return model, start


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize(
    "change",
    ["key", "zone_score", "slot_score", "choice", "no zones", "padded", "values"]
    + [f"{part} watched" for part in ("query", "read", "update", "key", "choice", "slot_score")],
)
def test_what_the_op_does_not_know_is_left_to_the_window(change):
    model, start = changed(None)
    assert native.run(model.cell, inputs(3, 2), start, detached=False) is not None
    model, start = changed(change)
    assert native.run(model.cell, inputs(3, 2), start, detached=False) is None

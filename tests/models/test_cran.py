"""What CRAN keeps to, whatever its weights: rows, capacity, sums, gradient, state, refusals."""

from dataclasses import replace

import pytest
import torch
from cran_cases import AGES, DIM, HIDDEN, KEYS, SAMPLE, VARIANTS, Case, inputs, state
from safetensors.torch import load, save
from torch.testing import assert_close

from memnets.layers import LinearKey, MeanKey
from memnets.layers.zone_choice import (
    RandomZones,
    RenormalisedZones,
    TopZones,
    TwiceSoftmaxZones,
)
from memnets.memories import BlankZones, PaddedZones, ZoneMemory
from memnets.models.cran import (
    CRAN,
    CRANCell,
    CRANState,
    GatedUpdate,
    InputQuery,
    InputRead,
    JointQuery,
    JointRead,
    ReluUpdate,
)

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def same(one, other):
    return all(map(torch.equal, one, other))


# Rows.


@pytest.mark.parametrize("case", SAMPLE[:7], ids=str)
def test_a_row_is_a_batch_of_one(case):
    """List 4, 34: whatever the ages of its neighbours."""
    model, x = case.build(), inputs(11)
    start = state(model, AGES)
    together = model.trace(x, start)
    for row in range(len(AGES)):
        index = torch.tensor([row])
        alone = model.trace(x[index], start.index_select(index))
        for one, other in zip(alone, together, strict=True):
            fields = zip(one, other, strict=True) if isinstance(one, CRANState) else [(one, other)]
            for mine, theirs in fields:
                assert_close(mine[0], theirs[row], rtol=1e-12, atol=1e-12)
        output, end = model(x[index], start.index_select(index))
        assert_close(output[0], together.output[row], rtol=1e-10, atol=1e-12)
        assert_close(end.values[0], together.state.values[row], rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("key", ["4.1", "4.4"])
def test_a_row_that_is_reset_begins_anew(key):
    """List 4, 34: hidden state, memory and age; the others go on."""
    model, x = Case(key=key).build(), inputs(11)
    start, rows = state(model, AGES), torch.tensor([False, True, False, True])
    output, end = model(x, start.reset(rows))
    fresh, fresh_end = model(x)
    kept, kept_end = model(x, start)
    for found, new, old in zip((output, *end), (fresh, *fresh_end), (kept, *kept_end), strict=True):
        assert_close(found[rows], new[rows], rtol=1e-10, atol=1e-12)
        assert_close(found[~rows], old[~rows], rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
def test_rows_are_selected():
    """List 4: then a window, or a window and then selected."""
    model, x, index = Case().build(), inputs(11), torch.tensor([3, 0, 0, 2, 1])
    start = state(model, AGES)
    first = model(x[index], start.index_select(index))
    output, end = model(x, start)
    assert_close(first[0], output[index], rtol=1e-10, atol=1e-12)
    for one, other in zip(first[1], end.index_select(index), strict=True):
        assert_close(one, other, rtol=1e-10, atol=1e-12)


# Capacity.


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("key", KEYS)
def test_spare_zones_change_no_bit_before_the_first_is_forgotten(key):
    """List 5, 25: the step after the memory has become full still reads all of it."""
    torch.manual_seed(7)
    small = Case(key=key).build()
    cell = small.cell
    parts = (cell.query, cell.read, cell.update, cell.key, ZoneMemory(8, 2), cell.choice)
    large = CRAN(CRANCell(*parts, cell.zone_score, cell.slot_score))
    x, steps = inputs(13, 2), 3 * 2 + 1
    assert torch.equal(small(x[:, :steps])[0], large(x[:, :steps])[0])
    assert not torch.equal(small(x)[0][:, steps:], large(x)[0][:, steps:])
    one, other = small.trace(x[:, :steps]), large.trace(x[:, :steps])
    assert torch.equal(one.output, other.output)
    assert torch.equal(one.zones, other.zones[..., :3])
    assert torch.equal(one.slots, other.slots[..., :3, :])


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("ages", [(5, 5), (1, 1), AGES])
@pytest.mark.parametrize(
    "case", [Case(), Case(key="4.3"), Case(key="4.4", refresh="window")], ids=str
)
def test_what_an_empty_slot_holds_has_no_effect(case, ages):
    """List 5, 25: not even NaN, in values or in gradient."""
    model, x = case.build(), inputs(7, len(ages))
    start = state(model, ages)
    told = model.cell.memory.readable(start.written)
    poisoned = start._replace(
        values=start.values.masked_fill(~told.unsqueeze(-1), torch.nan),
        keys=start.keys.masked_fill(~told.any(-1).unsqueeze(-1), torch.nan),
    )
    clean, output = model(x, start)[0], model(x, poisoned)[0]
    assert torch.equal(output, clean)
    one, other = model.trace(x, start), model.trace(x, poisoned)
    assert same((one.output, *one[2:]), (other.output, *other[2:]))
    gradients = torch.autograd.grad(output.sum(), list(model.parameters()))
    for gradient, right in zip(
        gradients, torch.autograd.grad(clean.sum(), list(model.parameters())), strict=True
    ):
        assert torch.equal(gradient, right)


@pytest.mark.usefixtures("path")
def test_what_is_forgotten_has_no_effect_and_no_gradient():
    """List 5: a zone that the first step does not choose is gone at the second."""
    model, x = Case(query="1.1").build(), inputs(7, 1)
    start = state(model, (6,))
    asked = model.cell.query.from_input(x[:, 0])
    keys = torch.stack([-asked, asked, asked], 1)  # the oldest zone matches worst
    start = start._replace(keys=keys.detach())
    other = start._replace(values=start.values + torch.tensor([1.0, 0, 0])[:, None, None])
    assert torch.equal(model(x, other)[0], model(x, start)[0])
    asked = start._replace(values=start.values.clone().requires_grad_())
    output, end = model(x, asked)
    (gradient,) = torch.autograd.grad(output.sum() + end.values.sum(), asked.values)
    assert not gradient[:, 0].any()
    assert gradient[:, 1:].any()


# Which steps, and how much of each.


@pytest.mark.parametrize(("zones", "slots"), [(1, 1), (3, 2), (2, 5), (11, 1)])
def test_steps_are_those_of_a_list(zones, slots):
    """List 6: from window to window, whole zones go as a zone is opened."""
    model, carried, kept = Case(zones=zones, slots=slots, k=1).build(), None, []
    written = 0
    for time in (3, 5, 2 * zones * slots):
        trace = model.trace(inputs(time, 1), carried)
        carried = trace.state
        for t in range(time):
            padded = [[*zone, *[-1] * (slots - len(zone))] for zone in kept]
            padded += [[-1] * slots] * (zones - len(kept))
            assert trace.steps[0, t].tolist() == padded
            newest = -(-written // slots)
            law = range((max(1, newest - zones + 1) - 1) * slots, written)
            assert [step for zone in kept for step in zone] == list(law)
            read = trace.zones[0, t, :, None] * trace.slots[0, t]
            assert not read[trace.steps[0, t] < 0].any()
            if not kept or len(kept[-1]) == slots:
                kept = [*kept, []][-zones:]
            kept[-1] = [*kept[-1], written]
            written += 1


@pytest.mark.parametrize("kept", [1, 2, 3])
@pytest.mark.parametrize("choice", [TopZones, RenormalisedZones, TwiceSoftmaxZones, RandomZones])
def test_sums_of_weights(choice, kept):
    """List 7: inside a zone one; over the zones one or less, one where all live ones are read."""
    if choice is RenormalisedZones and kept == 1:
        pytest.skip("refused")
    trace = Case(choice=choice, k=kept).build().trace(inputs(17, 2))
    live = (trace.steps >= 0).any(-1).sum(-1)
    read = trace.zones > 0
    assert read.sum(-1).tolist() == live.clamp(max=kept).tolist()
    assert_close(trace.slots.sum(-1)[read], torch.ones(int(read.sum())).double())
    assert not trace.slots[~read].any()
    total = trace.zones.sum(-1)
    assert (total < 1 + 1e-12).all()
    whole = (
        (live > 0)
        if choice in (RenormalisedZones, TwiceSoftmaxZones)
        else (live > 0) & (live <= kept)
    )
    assert_close(total[whole], torch.ones(int(whole.sum())).double())
    assert (total[(live > 0) & ~whole] < 1).all()
    assert not total[live == 0].any()


def test_weights_are_the_top_of_the_softmax():
    """List 24: over the live zones, then the best of them, as they are."""
    model, x = Case(query="1.1", zones=5, k=3).build(), inputs(1, 1)
    start = state(model, (9,))  # five zones, the last half filled
    p = (model.cell.query.from_input(x[:, 0]) @ start.keys[0].mT).softmax(-1)[0]
    best = p.topk(3)
    assert_close(
        model.trace(x, start).zones[0, 0],
        torch.zeros(5).double().index_put((best.indices,), best.values),
    )
    few = state(model, (4,))
    p = (model.cell.query.from_input(x[:, 0]) @ few.keys[0, :2].mT).softmax(-1)[0]
    assert_close(model.trace(x, few).zones[0, 0, :2], p)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("bias", [-1.0, 0.5])
@pytest.mark.parametrize("choice", [TopZones, RenormalisedZones, TwiceSoftmaxZones])
def test_ties_go_to_the_newer_zone(choice, bias):
    """List 7: keys that are all dead, or all alike; whole numbers, so that no rounding decides."""
    model = Case(query="1.1", key_dim=DIM, zones=5, k=2, choice=choice).build()
    with torch.no_grad():
        model.cell.key.first.weight.zero_()
        model.cell.key.first.bias.fill_(bias)
    x = inputs(23, 1).round()
    trace = model.trace(x)
    live = (trace.steps >= 0).any(-1).sum(-1)[0]
    for t, count in enumerate(live.tolist()):
        newest = list(range(max(0, count - 2), count))
        assert trace.zones[0, t].nonzero().flatten().tolist() == newest
    assert_close(model(x)[0], trace.output, rtol=1e-10, atol=1e-12)
    middle = model(x[:, :14])[1]
    assert_close(model(x[:, 14:], middle)[0], trace.output[:, 14:], rtol=1e-10, atol=1e-12)


# Gradient.


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("variant", VARIANTS[::3], ids=str)
def test_every_weight_learns(variant, key):
    """List 8, 23, 28: in one window, the encoders of keys too."""
    every_weight_learns(replace(variant, key=key))


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_weight_learns_by_the_op(variant):
    """List 8, 23, 28."""
    every_weight_learns(variant)


def every_weight_learns(case):
    model, x = case.build(), inputs(13)
    output, _ = model(x)
    (output * torch.randn_like(output)).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("case", VARIANTS, ids=str)
def test_gradient_reaches_the_inputs_of_earlier_steps(case):
    """List 21, 22: one step before, and five; with 1.1 and 2.1 by memory alone."""
    model, x = replace(case, k=3).build(), inputs(7).requires_grad_()
    (gradient,) = torch.autograd.grad(model(x)[0][:, -1].sum(), x)
    assert gradient.isfinite().all()
    assert all(gradient[:, step].any() for step in range(7))


@pytest.mark.usefixtures("path")
def test_where_gradient_is_cut_at_every_step_none_goes_back():
    """List 34: it is the caller who asks for it."""
    model, x = Case(detached=True).build(), inputs(7).requires_grad_()
    (gradient,) = torch.autograd.grad(model(x)[0][:, -1].sum(), x)
    assert not gradient[:, :-1].any()
    assert gradient[:, -1].any()
    plain = CRAN(model.cell)
    assert_close(plain(x)[0], model(x)[0])


@pytest.mark.usefixtures("path")
def test_a_state_that_was_cut_passes_no_gradient():
    """List 34."""
    model, x = Case().build(), inputs(7).requires_grad_()
    _, end = model(x)
    assert end.hidden.requires_grad
    cut = end.detach()
    assert same(end, cut)
    assert not any(field.requires_grad for field in cut)
    (gradient,) = torch.autograd.grad(model(inputs(7), end)[0].sum(), x, retain_graph=True)
    assert gradient.any()


@pytest.mark.parametrize("key", KEYS)
def test_a_zone_s_key_depends_on_that_zone_alone(key):
    """List 29: not on the others, not on how many steps went by."""
    model = Case(key=key, zones=5, slots=3).build()
    start = state(model, (13,) * len(AGES))
    other = start._replace(
        values=torch.cat([torch.randn_like(start.values[:, :4]), start.values[:, 4:]], 1),
        written=start.written - 6,
    )
    other = other._replace(values=other.values.roll(-2, 1), keys=start.keys.roll(-2, 1))
    value = torch.randn(len(AGES), HIDDEN).double()
    memory = model.cell.memory
    one, two = (memory.write(each.memory, value, model.cell.key) for each in (start, other))
    assert torch.equal(one.keys[:, 4], two.keys[:, 2])
    assert torch.equal(one.keys[:, :4], start.keys[:, :4])


# Bounds.


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_states_stay_bounded(variant):
    """List 9: 5,000 random steps with weights as they are at first; gates keep within one."""
    stays_bounded(variant)


@pytest.mark.slow
@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_states_stay_bounded_with_every_key(variant, key):
    """List 9."""
    stays_bounded(replace(variant, key=key))


def stays_bounded(case):
    model, carried, largest = replace(case, slots=5).build(spread=None), None, 0.0
    with torch.no_grad():
        for part in inputs(5000, 1).split(250, 1):
            output, carried = model(part, carried)
            largest = max(largest, float(output.abs().max()))
    assert largest < (1 if case.update == "3.2" else 10)
    assert largest > 0.01


# State and checkpoints.


@pytest.mark.usefixtures("path")
def test_weights_know_no_batch_size():
    """List 13, 26: what is saved is weights alone, and runs any number of rows."""
    torch.manual_seed(7)
    model, x = Case(zones=11).build(), inputs(29, 20)
    output, end = model(x)
    saved = save(model.state_dict())
    assert set(model.state_dict()) == {name for name, _ in model.named_parameters()}
    other = Case(zones=11).build()
    assert not torch.equal(other(x)[0], output)
    other.load_state_dict(load(saved))
    alone, alone_end = other(x[3:4])
    assert_close(alone[0], output[3], rtol=1e-10, atol=1e-12)
    assert_close(alone_end.values[0], end.values[3], rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("key", ["4.1", "4.3"])
def test_a_state_saved_amid_a_text_goes_on_bit_by_bit(key):
    """List 13, 26: a state is plain tensors under their names."""
    model, x = Case(key=key, zones=11).build(), inputs(17, 2)
    middle = model(x)[1].detach()
    assert all(type(field) is torch.Tensor for field in middle)
    saved = save({name: field.contiguous() for name, field in middle._asdict().items()})
    loaded = CRANState(**load(saved))
    (one, end), (other, same_end) = model(x, middle), model(x, loaded)
    assert torch.equal(one, other)
    assert same(end, same_end)


@pytest.mark.usefixtures("path")
def test_a_model_remembers_nothing_between_calls():
    """List 26, 34: what is not passed in was never there."""
    model, x = Case().build(), inputs(11)
    first = model(x)[0]
    model(inputs(13))
    model.trace(inputs(5))
    assert torch.equal(model(x)[0], first)
    assert same(model.init_state(4), model.init_state(4))
    assert model.init_state(4).written.tolist() == [0] * 4
    assert not any(field.any() for field in model.init_state(4))


@pytest.mark.parametrize("memory", [BlankZones, PaddedZones])
@pytest.mark.parametrize("refresh", ["write", "window"])
def test_a_blank_memory_is_full_of_zeros_that_are_read_and_are_no_steps(memory, refresh):
    model = Case(query="1.1", k=3, key="4.1, uncut", memory=memory, refresh=refresh).build()
    assert not model.refreshed(model.init_state(1)).keys.any()  # nor of a key of their own
    trace = model.trace(inputs(9, 1))
    assert_close(trace.zones[0, 0], torch.full((3,), 1 / 3).double())
    assert_close(trace.slots[0, 0], torch.full((3, 2), 1 / 2).double())
    half = trace.slots[0, 3, 2]  # of the zone that is being filled
    assert bool(half[1] > 0) == (memory is PaddedZones)
    assert trace.steps[0, 0].tolist() == [[-1, -1]] * 3
    assert trace.steps[0, 3].tolist() == [[-1, -1], [0, 1], [2, -1]]
    assert trace.steps[0, 8].tolist() == [[2, 3], [4, 5], [6, 7]]
    assert trace.state.written.tolist() == [9]
    assert not Case(k=3).build().trace(inputs(1, 1)).zones.any()


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("memory", [BlankZones, PaddedZones])
def test_a_blank_row_that_is_reset_is_blank_again(memory):
    """List 34: it begins with the zones of zeros that it began with at first."""
    model, x = Case(k=3, memory=memory).build(), inputs(7, 2)
    _, middle = model(inputs(5, 2))
    again = middle.reset(torch.tensor([True, False]))
    assert same(again.index_select(torch.tensor([0])), model.init_state(1))
    assert_close(model(x, again)[0][0], model(x)[0][0], rtol=1e-10, atol=1e-12)
    assert_close(model(x, again)[0][1], model(x, middle)[0][1], rtol=1e-10, atol=1e-12)


def test_precision_is_the_weights():
    for dtype in (torch.float32, torch.float64):
        model = Case().build().to(dtype)
        output, end = model(inputs(7).to(dtype))
        assert {output.dtype, end.hidden.dtype, end.values.dtype, end.keys.dtype} == {dtype}


# Refusals.


def cell_with_a_key_for(slots):
    cell = Case().build().cell
    key = LinearKey(HIDDEN, slots, 3)
    return CRANCell(cell.query, cell.read, cell.update, key, cell.memory, cell.choice)


def cell_of(**parts):
    """Return a cell with some parts exchanged; the others are for inputs of 5, states of 7."""
    cell = Case().build().cell
    kept = {"query": cell.query, "read": cell.read, "update": cell.update, "key": cell.key}
    return CRANCell(**(kept | parts), memory=cell.memory, choice=cell.choice)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: InputQuery(0, 3), r"InputQuery\(dim=0\): expected at least 1"),
        (lambda: JointQuery(5, 0, 3), r"JointQuery\(hidden=0\): expected at least 1"),
        (lambda: JointQuery(5, 7, 0), r"JointQuery\(key_dim=0\): expected at least 1"),
        (lambda: InputRead(5, 7, 0), r"InputRead\(width=0\): expected at least 1"),
        (lambda: JointRead(0, 7, 3), r"JointRead\(dim=0\): expected at least 1"),
        (lambda: ReluUpdate(5, 0), r"ReluUpdate\(hidden=0\): expected at least 1"),
        (lambda: GatedUpdate(0, 7), r"GatedUpdate\(dim=0\): expected at least 1"),
        (lambda: TopZones(0), r"TopZones\(k=0\): expected at least 1"),
        (
            lambda: RenormalisedZones(1),
            r"RenormalisedZones\(k=1\): the weight of a single zone is always 1",
        ),
        (
            lambda: Case(k=5).build(),
            r"TopZones\(5\) of ZoneMemory\(zones=3\): expected no more than there are. Keep 3",
        ),
        (
            lambda: cell_with_a_key_for(5),
            r"LinearKey\(slots=5\) of ZoneMemory\(slots=2\): expected as many .* for 2 slots",
        ),
        (lambda: cell_with_a_key_for(1), r"LinearKey\(slots=1\) of ZoneMemory\(slots=2\)"),
        (
            lambda: cell_of(update=GatedUpdate(5, 11)),
            r"GatedUpdate\(hidden=11\) beside JointQuery\(hidden=7\): expected one .* hidden=7\.$",
        ),
        (
            lambda: cell_of(read=InputRead(3, 7, 7)),
            r"InputRead\(dim=3\) beside JointQuery\(dim=5\)",
        ),
        (
            lambda: cell_of(key=MeanKey(11, 3)),
            r"MeanKey\(hidden=11\) beside JointQuery\(hidden=7\)",
        ),
        (
            lambda: cell_of(key=MeanKey(7, 11)),
            r"MeanKey\(key_dim=11\) beside JointQuery\(key_dim=3\).* Make both with key_dim=3\.$",
        ),
        (
            lambda: cell_of(query=InputQuery(5, 3), update=ReluUpdate(5, 11)),
            r"ReluUpdate\(hidden=11\) beside JointRead\(hidden=7\)",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, text):
    """List 8, 28: where neither query nor keys could learn, or a part of the weights could not."""
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize(
    ("part", "shapes", "widths"),
    [
        (InputQuery(5, 5), [], {"dim": 5, "key_dim": 5}),
        (InputQuery(5, 3), [(3, 5)], {"dim": 5, "key_dim": 3}),
        (JointQuery(5, 7, 3), [(3, 12), (3,)], {"dim": 5, "hidden": 7, "key_dim": 3}),
        (InputRead(5, 7, 3), [(3, 5), (3,), (3, 7), (3,)], {"dim": 5, "hidden": 7}),
        (JointRead(5, 7, 3), [(3, 12), (3,), (3, 7), (3,)], {"dim": 5, "hidden": 7}),
        (ReluUpdate(5, 7), [(7, 12), (7,)], {"dim": 5, "hidden": 7}),
        (
            GatedUpdate(5, 7),
            [(14, 12), (14,), (7, 5), (7,), (7, 7), (7,)],
            {"dim": 5, "hidden": 7},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_part_has_the_weights_of_its_formula_and_no_others(part, shapes, widths):
    assert [tuple(parameter.shape) for parameter in part.parameters()] == shapes
    assert part.widths == widths


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("refresh", ["write", "window"])
@pytest.mark.parametrize("ages", [(5, 5), AGES])
def test_where_gradient_is_cut_at_every_step_keys_learn_nothing(refresh, ages):
    """Neither those made at the start of a window nor those of its writes."""
    model, x = Case(detached=True, refresh=refresh).build(), inputs(7, len(ages))
    before = state(model, ages)
    start = before._replace(hidden=before.hidden.requires_grad_())
    output, end = model(x, start)
    given = (*model.cell.key.parameters(), start.hidden)
    found = torch.autograd.grad(output.sum(), given, allow_unused=True, materialize_grads=True)
    assert not any(gradient.any() for gradient in found)
    assert not any(field.requires_grad for field in end)


@pytest.mark.parametrize("choice", [TopZones, RenormalisedZones, TwiceSoftmaxZones, RandomZones])
def test_half_precision_is_kept_in_cell_and_window(choice):
    """And what both say is near to what they say in single precision, where all zones are read."""
    model, x = Case(k=3, choice=choice).build().float(), inputs(5, 2).float()
    expected, narrow = model(x)[0], x.bfloat16()
    model = model.bfloat16()
    output, end = model(narrow)
    trace = model.trace(narrow)
    for found in (output, trace.output, *end[:3], *trace.state[:3], trace.zones):
        assert found.dtype == torch.bfloat16
    for found in (output, trace.output):
        assert_close(
            found.float(), expected, rtol=0.1, atol=0.1 * float(expected.detach().abs().max())
        )

"""The Neural Turing Machine against the paper's loops: values, gradients, faults to be caught."""

from typing import NamedTuple

import numpy as np
import pytest
import torch

from memnets.layers.recurrent import LSTMState
from memnets.memories.external import Beginning, ExternalState, Looked
from memnets.models.ntm import NTM, Conventions
from memnets.ops import addressing
from memnets.reference import ntm as loops
from memnets.reference.cran import LSTM
from memnets.reference.encoders import Linear

pytestmark = pytest.mark.usefixtures("shapes_unchecked")

DIM, HIDDEN, SLOTS, WIDTH, BATCH, TIME = 2, 3, 7, 5, 2, 4


class Case(NamedTuple):
    heads: tuple = (2, 3)
    controller: str = "lstm"
    reach: int = 1
    order: str = "write first"
    key: str = "none"
    add: str = "none"
    clip: float = 20.0

    def build(self):
        conventions = Conventions(
            Beginning("learned"), self.order, key=self.key, add=self.add, clip=self.clip
        )
        sizes = DIM, HIDDEN, SLOTS, WIDTH, self.heads, self.controller, self.reach
        model = NTM(*sizes, conventions=conventions).double()
        with torch.no_grad():
            for weight in model.parameters():
                weight.copy_(torch.randn_like(weight))
        return model


CASES = [
    Case(),
    Case((1, 1), reach=2, order="read first"),
    Case((1, 1), "feed-forward", key="tanh", add="tanh"),
    Case((3, 1), reach=0, clip=0.5),
]


def array(tensor):
    return tensor.detach().numpy()


def machine(model, case):
    """Lay the weights out as the paper names them."""
    if case.controller == "lstm":
        into, recurrent, bias, more = model.controller.cells.cells.all_weights[0]
        controller = LSTM(array(into), array(recurrent), array(bias + more))
    else:
        controller = Linear(
            array(model.controller.linear.weight), array(model.controller.linear.bias)
        )
    weight, bias = array(model.interface.weight), array(model.interface.bias)
    looking = [WIDTH, 1, 1, 2 * case.reach + 1, 1]
    place, heads = 0, []
    for number in range(sum(case.heads)):
        parts = []
        for size in looking if number < case.heads[0] else [*looking, WIDTH, WIDTH]:
            parts.append(Linear(weight[place : place + size], bias[place : place + size]))
            place += size
        k, beta, g, s, gamma, *written = parts
        heads.append(loops.Head(k, beta, g, s, gamma, *written))
    assert place == len(bias)
    read, write = heads[: case.heads[0]], heads[case.heads[0] :]
    tanh = case.key == "tanh", case.add == "tanh"
    return loops.Machine(controller, tuple(read), tuple(write), case.order, *tanh, case.clip)


def first_state(model, row):
    """Return the start as the loops have it."""
    start = model.start(model.init_state(BATCH))
    hidden = [array(part)[row, 0] for part in start.controller] or [np.zeros(0)] * 2
    return loops.State(
        array(start.memory)[row],
        tuple(array(start.reading.weights)[row]),
        tuple(array(start.writing.weights)[row]),
        tuple(array(start.reads)[row]),
        *hidden,
    )


def by_loops(model, case, x):
    """Return what the loops say, row by row, and what they carry."""
    ran = [
        loops.run(one, first_state(model, row), machine(model, case)) for row, one in enumerate(x)
    ]
    outputs = np.array([[step.output for step in steps] for steps, _ in ran])
    return outputs, ran


def compare(model, case, x):
    """Raise an AssertionError where the model and the loops differ."""
    expected, ran = by_loops(model, case, array(x))
    output, state = model(x)
    np.testing.assert_allclose(array(output), expected, rtol=1e-10, atol=1e-12)
    for row, (_, end) in enumerate(ran):
        close = {"rtol": 1e-10, "atol": 1e-12}
        np.testing.assert_allclose(array(state.memory)[row], end.M, **close)
        np.testing.assert_allclose(array(state.reading.weights)[row], end.w_read, **close)
        np.testing.assert_allclose(array(state.writing.weights)[row], end.w_write, **close)
        np.testing.assert_allclose(array(state.reads)[row], end.r, **close)
        if case.controller == "lstm":
            np.testing.assert_allclose(array(state.controller.cell)[row, 0], end.c, **close)
    watched = model.watch(x)
    for name in ("reading", "writing"):
        field = "w_read" if name == "reading" else "w_write"
        steps = [[getattr(step, field) for step in steps] for steps, _ in ran]
        np.testing.assert_allclose(array(getattr(watched, name)), steps, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(array(watched.output), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_loops(path, case):
    compare(case.build(), case, torch.randn(BATCH, TIME, DIM).double())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients_equal_central_differences_of_the_loops(path, case):
    """Along a direction in which every weight and every input moves."""
    model, x = case.build(), torch.randn(BATCH, TIME, DIM).double().requires_grad_()
    wanted = [*model.parameters(), x]
    outer = torch.randn(BATCH, TIME, model.hidden).double()
    gradients = torch.autograd.grad((model(x)[0] * outer).sum(), wanted)
    direction = [torch.randn_like(tensor) for tensor in wanted]
    found = sum(float((g * d).sum()) for g, d in zip(gradients, direction, strict=True))
    losses, step = [], 1e-6
    for by in (step, -step):
        with torch.no_grad():
            for tensor, way in zip(wanted, direction, strict=True):
                tensor += by * way
            losses.append((by_loops(model, case, array(x))[0] * array(outer)).sum())
            for tensor, way in zip(wanted, direction, strict=True):
                tensor -= by * way
    assert found == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-6)


# Faults. Each changes one thing; the comparison with the loops must then fail.


def shift_the_other_way(model, monkeypatch):
    turned = addressing.shift
    change(monkeypatch, "shift", lambda w, by: turned(w, by.flip(-1)))


def gate_turned_round(model, monkeypatch):
    mix = addressing.interpolate
    change(monkeypatch, "interpolate", lambda c, p, g: mix(p, c, g))


def not_sharpened(model, monkeypatch):
    change(monkeypatch, "sharpen", lambda w, exponent: w)


def change(monkeypatch, name, other):
    monkeypatch.setattr(f"memnets.memories.external.addresses.{name}", other)


def every_head_adds_before_the_next_erases(model, monkeypatch):
    def one_by_one(memory, w, erase, add):
        for head in range(w.shape[1]):
            at = slice(head, head + 1)
            memory = addressing.erase_add(memory, w[:, at], erase[:, at], add[:, at])
        return memory

    monkeypatch.setattr("memnets.memories.external.writes.erase_add", one_by_one)


def heads_in_another_order(model, monkeypatch):
    model.order = "read first"


@pytest.mark.parametrize(
    "fault",
    [
        shift_the_other_way,
        gate_turned_round,
        not_sharpened,
        every_head_adds_before_the_next_erases,
        heads_in_another_order,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_planted_fault_is_caught(fault, eager, monkeypatch):
    case = Case()
    model, x = case.build(), torch.randn(BATCH, TIME, DIM).double()
    fault(model, monkeypatch)
    with pytest.raises(AssertionError):
        compare(model, case, x)


# By hand.


def test_a_machine_set_by_hand_copies(path):
    """Its heads are set, not trained: it writes slot by slot, jumps back, and reads on.

    One slot too many, and the ring's first is written over.
    """
    slots, width = 5, 4
    model = NTM(width + 1, 2, slots, width, controller="feed-forward", conventions=Conventions(
        Beginning(weights="first", carried="zeros"), clip=100.0
    )).double()  # fmt: skip
    with torch.no_grad():
        for weight in model.parameters():
            weight.zero_()
    copied = copy_by_hand(model, torch.eye(width)[[2, 0, 1, 3, 3]].double())
    np.testing.assert_allclose(array(copied), np.eye(width)[[2, 0, 1, 3, 3]], atol=1e-9)
    too_many = copy_by_hand(model, torch.eye(width)[[2, 0, 1, 3, 3, 1]].double())
    np.testing.assert_allclose(array(too_many[0]), np.eye(width)[1], atol=1e-9)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [("uniform", [0.25, 0.25, 0.25, 0.25]), ("first", [1.0, 0.0, 0.0, 0.0])],
)
def test_heads_begin_where_they_are_told_to(weights, expected):
    core = NTM(2, 3, 4, 5, heads=(2, 1), conventions=Conventions(Beginning("learned", weights)))
    start = core.start(core.init_state(2))
    assert start.reading.weights.tolist() == [[expected] * 2] * 2
    assert start.writing.weights.tolist() == [[expected]] * 2


def copy_by_hand(model, items):
    """Tell the items through the heads' biases, step by step; return what is then read."""
    slots, width = model.slots, model.dim
    state, found, none = None, [], torch.zeros(1, 1, width + 1).double()
    for step in range(2 * len(items)):
        writes = step < len(items)
        read = heads_told(width, move=1 if step > len(items) else 0, gate=-100)
        write = heads_told(width, move=0 if step == 0 else 1, gate=-100)
        item = items[step] if writes else torch.zeros(width).double()
        erase = torch.full((width,), 100.0 if writes else -100.0).double()
        with torch.no_grad():
            model.interface.bias.copy_(torch.cat([read, write, erase, item]))
        output, state = model(none, state)
        if not writes:
            found.append(output[0, 0, -width:])
    assert slots == state.memory.shape[1]
    return torch.stack(found)


def heads_told(width, move, gate):
    """Return what a head is told: to stay where it is but for a move of one slot."""
    shift = torch.full((3,), -100.0)
    shift[move + 1] = 100.0
    return torch.cat(
        [torch.ones(width + 1), torch.tensor([float(gate)]), shift, torch.zeros(1)]
    ).double()


def test_a_state_of_zeros_is_a_start_that_is_not_learned():
    state = Case((1, 1)).build().init_state(3)
    assert isinstance(state, ExternalState)
    assert isinstance(state.reading, Looked)
    assert isinstance(state.controller, LSTMState)
    assert not any(part.any() for part in (state.memory, state.steps, state.reading.weights))


@pytest.mark.parametrize("strength", [0.5, 4.0, 60.0])
def test_before_anything_is_learnt_every_head_looks_as_sharply_as_it_is_told_to(strength):
    core = NTM(3, 5, SLOTS, WIDTH, heads=(2, 3), conventions=Conventions(strength=strength))
    heard = core.interface(torch.zeros(5)).split(list(core.said))
    for said, heads in zip(heard, core.heads, strict=True):
        told = torch.nn.functional.softplus(said.view(heads, -1)[:, WIDTH])
        torch.testing.assert_close(told, torch.full((heads,), strength))


@pytest.mark.parametrize("strength", [0.0, -1.0, float("nan")])
def test_a_strength_that_is_not_above_zero_is_refused(strength):
    with pytest.raises(ValueError, match="strength"):
        Conventions(strength=strength)


@pytest.mark.parametrize(("heads", "none"), [((0, 1), "read_heads=0"), ((1, 0), "write_heads=0")])
def test_a_machine_without_heads_is_refused(heads, none):
    with pytest.raises(ValueError, match=none):
        NTM(3, 5, SLOTS, WIDTH, heads=heads)

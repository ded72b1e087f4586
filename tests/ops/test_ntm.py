"""The op of a whole window against its plain twin: values, gradients, bits."""

import pytest
import torch
from torch.testing import assert_close

from memnets.memories.external import Beginning
from memnets.memories.external import native as bridge
from memnets.models.ntm import NTM, Conventions
from memnets.ops import native, ntm

pytestmark = [
    pytest.mark.usefixtures("shapes_unchecked"),
    pytest.mark.skipif(not native.available(), reason="there is no compiler"),
]
ORDERS = ("write first", "read first")


@pytest.fixture
def threads(monkeypatch):
    before = torch.get_num_threads()
    monkeypatch.setattr(ntm, "THREAD", 1)
    yield torch.set_num_threads
    torch.set_num_threads(before)


def machine(
    heads=(1, 1), controller="lstm", reach=1, order=ORDERS[0], dtype=torch.float64, **other
):
    sizes = {"hidden": 6, "slots": 11, "width": 3, **other}
    conventions = Conventions(Beginning("learned"), order)
    return NTM(
        4, **sizes, heads=heads, controller=controller, reach=reach, conventions=conventions
    ).to(dtype)


def everything(model, x, state=None):
    """Return what a window says and leaves behind, and the gradients of a loss of all of it."""
    model.zero_grad()
    x = x.detach().requires_grad_()
    output, end = model(x, state)
    ends = [end.memory, end.reading.weights, end.writing.weights, end.reads, *end.controller]
    draw = torch.Generator().manual_seed(7)
    loss = sum(
        (part * torch.randn(part.shape, generator=draw, dtype=torch.float64).to(part)).sum()
        for part in (output, *ends)
    )
    loss.backward()
    gradients = [part.grad for part in (x, *model.parameters())]
    return [output.detach(), *(part.detach() for part in ends)], gradients


def compare(model, x, monkeypatch, tolerance=1e-10, state=None):
    found = everything(model, x, state)
    with monkeypatch.context() as patch:
        patch.setenv(native.PLAIN, "1")
        expected = everything(model, x, state)
    for one, other in zip(found[0] + found[1], expected[0] + expected[1], strict=True):
        scale = float(other.abs().max()) if other.numel() else 0.0
        assert_close(one, other, rtol=tolerance, atol=tolerance * max(scale, 1e-3))


@pytest.mark.parametrize(
    ("batch", "steps", "heads", "controller", "reach", "order"),
    [
        (1, 1, (1, 1), "lstm", 1, ORDERS[0]),
        (5, 3, (2, 1), "lstm", 0, ORDERS[1]),
        (19, 4, (1, 3), "lstm", 2, ORDERS[0]),
        (9, 2, (3, 2), "feed-forward", 13, ORDERS[1]),
    ],
    ids=str,
)
def test_equals_its_twin(batch, steps, heads, controller, reach, order, monkeypatch):
    """Also further around than the ring; and gradients from the state that is carried on."""
    model = machine(heads, controller, reach, order)
    compare(model, torch.randn(batch, steps, 4).double(), monkeypatch)


@pytest.mark.parametrize("order", ORDERS)
def test_from_a_state_that_was_carried(order, monkeypatch):
    model, x = machine(order=order), torch.randn(3, 6, 4).double()
    _, state = model(x)
    compare(model, x, monkeypatch, state=state.detach().reset(torch.tensor([False, True, False])))


def test_single_precision_at_the_papers_size(monkeypatch):
    model = machine(dtype=torch.float32, hidden=100, slots=128, width=20)
    compare(model, torch.randn(9, 5, 4), monkeypatch, 1e-4)


def test_the_op_is_taken_and_left(monkeypatch):
    model, x = machine(), torch.randn(2, 3, 4).double()
    assert "Machine" in model(x)[1].memory.grad_fn.name()
    window = []
    monkeypatch.setattr(ntm, "run", lambda *given: window.append(given))
    plain, _ = model(x)
    assert len(window) == 1
    for change in (
        lambda: model.write.register_forward_hook(lambda *_: None),
        lambda: setattr(model.place.content, "activation", "tanh"),
        lambda: setattr(model, "place", None),
    ):
        undo = model.place, model.place.content.activation
        made = change()
        assert bridge.run(model._parts(), x, model.start(model.init_state(2))) is None
        model.place, model.place.content.activation = undo
        if made is not None:
            made.remove()
    assert len(window) == 1
    assert plain.shape == (2, 3, 9)


def test_without_gradients_the_same_bits(threads):
    threads(1)
    model, x = machine((2, 2)), torch.randn(21, 5, 4).double()
    kept, end = model(x)
    with torch.no_grad():
        other, same = model(x)
    assert torch.equal(kept, other)
    assert torch.equal(end.memory, same.memory)


def window_of(model, x):
    """Return what the op is given."""
    parts, state = model._parts(), model.start(model.init_state(len(x)))
    return bridge._plan(parts), ntm.NTMWindow(
        *(model.controller.given(x), bridge._fed(model.controller)),
        *(parts.interface.weight, parts.interface.bias),
        *(state.memory, state.reading.weights, state.writing.weights),
        torch.cat([state.controller.hidden[:, 0], state.reads.flatten(1)], 1),
        state.controller.cell[:, 0],
    )


def test_the_bits_do_not_depend_on_the_threads(threads):
    """Those of the op: the products before and behind it are PyTorch's."""
    plan, window = window_of(machine((2, 1), dtype=torch.float32), torch.randn(67, 4, 4))
    found = []
    for number in (1, 3):
        threads(number)
        ran = ntm.run(plan, window)
        wanted = window.given, window.memory, window.first
        found.append([*ran, *torch.autograd.grad(ran.output.square().sum(), wanted)])
    for one, other in zip(*found, strict=True):
        assert torch.equal(one, other)


def test_a_nan_stays_one_and_in_its_row():
    model, x = machine(), torch.randn(4, 5, 4).double()
    x[2, 3] = torch.nan
    output, end = model(x)
    assert output[2, 3:].isnan().all()
    assert end.memory[2].isnan().all()
    assert not output[[0, 1, 3]].isnan().any()
    assert not output[2, :3].isnan().any()


@pytest.mark.parametrize("scale", [30.0, 1e4])
def test_far_out_all_is_finite(scale, monkeypatch):
    """Every number that is told to a head lies at its clip, and memories are large."""
    model = machine(dtype=torch.float32)
    with torch.no_grad():
        model.interface.bias.copy_(scale * model.interface.bias.sign())
    values, gradients = everything(model, torch.randn(3, 40, 4))
    assert all(part.isfinite().all() for part in values + gradients)
    with monkeypatch.context() as patch:
        patch.setenv(native.PLAIN, "1")
        values, gradients = everything(model, torch.randn(3, 40, 4))
    assert all(part.isfinite().all() for part in values + gradients)


def test_it_is_differentiated_once():
    model, x = machine(), torch.randn(2, 3, 4).double().requires_grad_()
    (gradient,) = torch.autograd.grad(model(x)[0].square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()


def test_what_does_not_fit_together_is_left_to_the_twin():
    plan, window = window_of(machine(), torch.randn(2, 3, 4).double())
    assert ntm.run(plan, window) is not None
    for name in ntm.NTMWindow._fields[1:]:
        other = window._replace(**{name: getattr(window, name)[..., :-1]})
        assert ntm.run(plan, other) is None
    assert ntm.run(plan, window._replace(given=window.given[:, :0])) is None
    assert ntm.run(plan._replace(lstm=False), window) is None

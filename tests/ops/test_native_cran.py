"""CRAN's C++ op against straight formulas: values, gradients, bits, and what it must leave alone.

The formulas are section 1.2 of the proposal, a step at a time, under autograd.
"""

import gc
import weakref
from itertools import product
from pathlib import Path
from threading import Thread

import pytest
import torch
from torch.testing import assert_close

from memnets.ops import native
from memnets.ops.cran import CRANOutput, CRANPlan, CRANWeights, CRANWindow, run

pytestmark = pytest.mark.skipif(not native.available(), reason="there is no compiler")

BATCH, HIDDEN, KEY, WIDTH = 5, 7, 3, 11
DEFAULT = CRANPlan(
    zones=3,
    slots=2,
    k=2,
    rule="plain",
    zone_scale=0.7,
    slot_scale=0.4,
    gated=False,
    relu=True,
    detached=False,
)
TASKS = Path("/proc/self/task")
# How many states were written before: none, a part of a zone, whole zones, all; then evicting.
AGES = (0, 1, 2, 5, 6, 9, 16)


class Parts:
    """Inputs of a window, by chance."""

    def __init__(
        self,
        plan,
        written,
        steps=7,
        query=False,
        read=True,
        ranking=False,
        dtype=torch.float64,
        batch=BATCH,
        hidden=HIDDEN,
        key=KEY,
        width=WIDTH,
        layers=0,
        seed=0,
    ):
        generator = torch.Generator().manual_seed(seed)

        def draw(*shape, scale=1.0):
            return (scale * torch.randn(shape, generator=generator, dtype=torch.float64)).to(dtype)

        gates = 3 * hidden if plan.gated else hidden
        old = occupied(plan, written)
        matrix = hidden**-0.5
        self.plan = plan
        self.weights = CRANWeights(
            query=draw(key, hidden, scale=matrix) if query else None,
            read=draw(width, hidden, scale=matrix) if read else None,
            project=draw(width, hidden, scale=matrix),
            project_bias=draw(width),
            update=draw(gates, hidden, scale=matrix),
            update_bias=draw(hidden) if plan.gated else None,
            key=draw(key, plan.slots * hidden, scale=matrix),
            key_bias=draw(key),
            deeper=draw(layers, key, key, scale=key**-0.5) if layers else None,
            deeper_bias=draw(layers, key) if layers else None,
        )
        values = draw(batch, plan.zones * plan.slots, hidden)
        values[:, old:] = torch.nan  # nobody reads what is not filled
        keys = draw(batch, plan.zones, key)
        keys[:, -(-old // plan.slots) :] = torch.nan
        self.window = CRANWindow(
            query_x=draw(batch, steps, key),
            read_x=draw(batch, steps, width),
            update_x=draw(batch, steps, gates),
            hidden=draw(batch, hidden),
            values=values.unflatten(1, (plan.zones, plan.slots)),
            keys=keys,
            partial=draw(batch, key) if written % plan.slots else None,
            written=written,
            ranking=draw(batch, steps, plan.zones) if ranking else None,
        )
        self.outer = draw(batch, steps, hidden), draw(batch, plan.zones, key)

    def learned(self):
        """Return the inputs that get a gradient, by name."""
        given = {**self.weights._asdict(), **self.window._asdict()}
        left_out = ("values", "ranking", "written")
        names = [name for name, part in given.items() if part is not None and name not in left_out]
        return {name: given[name].requires_grad_() for name in names}


def occupied(plan, written):
    return written - max(0, -(-written // plan.slots) - plan.zones) * plan.slots


def straight(plan, weights, window):
    """Return what the op returns, by the formulas alone."""
    old = occupied(plan, window.written)
    values = list(window.values.flatten(1, 2)[:, :old].unbind(1))  # the timeline
    keys = list(window.keys.unbind(1)[: -(-old // plan.slots)])  # of all zones
    hidden, partial = window.hidden, window.partial
    states = []
    for t in range(window.query_x.shape[1]):
        if plan.detached and t:
            hidden, values = hidden.detach(), [value.detach() for value in values]
            keys = [key.detach() for key in keys]
        y = mixed(plan, weights, window, t, hidden, values, keys)
        hidden = updated(plan, weights, window.update_x[:, t], y)
        states.append(hidden)
        slot = len(values) % plan.slots
        pre = partial if slot else weights.key_bias
        matrix = weights.key.unflatten(1, (plan.slots, -1))[:, slot]
        partial = pre + hidden @ matrix.mT
        key = behind_the_first_layer(weights, partial)
        key = key.relu() if plan.relu else key
        keys = [*keys[:-1], key] if slot else [*keys, key]
        values = [*values, hidden]
    return CRANOutput(torch.stack(states, 1), *remembered(plan, values, keys, window))


def behind_the_first_layer(weights, x):
    for m in range(weights.layers):
        x = x.relu() @ weights.deeper[m].mT + weights.deeper_bias[m]
    return x


def mixed(plan, weights, window, t, hidden, values, keys):
    u = window.query_x[:, t]
    q = window.read_x[:, t]
    if weights.query is not None:
        u = u + hidden @ weights.query.mT
    if weights.read is not None:
        q = q + hidden @ weights.read.mT
    q = q.relu()
    first = max(0, len(keys) - plan.zones)
    live = keys[first:]
    if not live:
        return torch.zeros_like(hidden)
    logits = plan.zone_scale * torch.stack([(u * key).sum(-1) for key in live], 1)
    p = logits.softmax(-1)
    rank = logits if window.ranking is None else window.ranking[:, t, : len(live)]
    newest_first = rank.flip(1).sort(dim=1, descending=True, stable=True).indices
    chosen = len(live) - 1 - newest_first[:, : plan.k]
    shares = p.gather(1, chosen)
    if plan.rule == "renormalised":
        shares = shares / shares.sum(1, keepdim=True)
    if plan.rule == "twice":
        shares = shares.softmax(1)
    alpha = torch.zeros_like(p).scatter(1, chosen, shares)
    y = torch.zeros_like(hidden)
    for i in range(len(live)):
        here = slice((first + i) * plan.slots, (first + i + 1) * plan.slots)
        z = torch.stack(values[here], 1)
        k = (z @ weights.project.mT + weights.project_bias).relu()
        a = (plan.slot_scale * (k @ q.unsqueeze(-1))).softmax(1)
        y = y + alpha[:, i, None] * (a * z).sum(1)
    return y


def updated(plan, weights, x, y):
    if not plan.gated:
        return (x + y @ weights.update.mT).relu()
    (xr, xz, xn), (r, z, i) = x.chunk(3, 1), weights.update.chunk(3)
    r, z = torch.sigmoid(xr + y @ r.mT), torch.sigmoid(xz + y @ z.mT)
    n = torch.tanh(r * xn + y @ i.mT + weights.update_bias)
    return (1 - z) * n + z * y


def remembered(plan, values, keys, window):
    first = max(0, len(keys) - plan.zones)
    kept = torch.stack(values[first * plan.slots :], 1)
    room = kept.new_zeros(len(kept), plan.zones * plan.slots, kept.shape[2])
    room[:, : kept.shape[1]] = kept
    key = torch.stack(keys[first:], 1)
    all_keys = key.new_zeros(len(key), plan.zones, key.shape[2])
    all_keys[:, : key.shape[1]] = key
    if plan.detached:
        room, all_keys = room.detach(), all_keys.detach()
    return room.unflatten(1, (plan.zones, plan.slots)), all_keys


def gradients(ran, parts):
    """Return the gradients for random gradients of states and keys, by name."""
    learned = parts.learned()
    outputs = [(ran.hidden, parts.outer[0])]
    if ran.keys.requires_grad:
        outputs += [(ran.keys, parts.outer[1])]
    tensors, outer = zip(*outputs, strict=True)
    found = torch.autograd.grad(tensors, list(learned.values()), outer, allow_unused=True)
    pairs = zip(learned.items(), found, strict=True)
    return {
        name: torch.zeros_like(part) if gradient is None else gradient
        for (name, part), gradient in pairs
    }


def compare(parts, value=1e-10, gradient=1e-10):
    """Raise an AssertionError where op and formulas differ, by the largest number of each."""
    learned = parts.learned()
    assert learned
    fast, slow = run(parts.plan, parts.weights, parts.window), None
    assert fast is not None
    slow = straight(parts.plan, parts.weights, parts.window)
    for name in CRANOutput._fields:
        same(getattr(fast, name), getattr(slow, name), value, name)
    found, expected = gradients(fast, parts), gradients(slow, parts)
    for name in expected:
        same(found[name], expected[name], gradient, name)


def same(found, expected, tolerance, name):
    largest = float(expected.detach().nan_to_num().abs().max()) if expected.numel() else 0.0
    assert_close(
        found, expected, rtol=tolerance, atol=tolerance * largest, msg=lambda m: f"{name}: {m}"
    )


# Half of all, in which any two choices still meet, are tried always.
VARIANTS = [
    pytest.param(*parts, age, marks=() if (sum(parts) + i) % 2 == 0 else pytest.mark.slow)
    for parts in product((False, True), repeat=3)
    for i, age in enumerate(AGES)
]


@pytest.mark.parametrize(("gated", "query", "read", "written"), VARIANTS)
def test_every_variant_at_every_age(gated, query, read, written):
    compare(Parts(DEFAULT._replace(gated=gated), written, query=query, read=read))


@pytest.mark.parametrize("written", [0, 5, 6])
@pytest.mark.parametrize("rule", ["plain", "renormalised", "twice"])
@pytest.mark.parametrize("detached", [False, True], ids=["through time", "detached"])
@pytest.mark.parametrize("ranking", [False, True], ids=["by key", "ranked"])
def test_every_option(rule, detached, ranking, written):
    plan = DEFAULT._replace(rule=rule, detached=detached, relu=False)
    compare(Parts(plan, written, query=True, ranking=ranking))


@pytest.mark.parametrize("gated", [False, True], ids=["relu", "gated"])
@pytest.mark.parametrize("written", [0, 3, 7])
@pytest.mark.parametrize(
    ("zones", "slots", "kept", "steps"),
    [(1, 1, 1, 5), (1, 5, 1, 3), (3, 1, 2, 7), (2, 3, 5, 17), (5, 2, 5, 1), (4, 3, 1, 13)],
)
def test_every_shape_of_memory(zones, slots, kept, steps, written, gated):
    plan = DEFAULT._replace(zones=zones, slots=slots, k=kept, gated=gated)
    compare(Parts(plan, written, steps, query=True))


@pytest.mark.parametrize("written", [0, 5, 6, 9])
@pytest.mark.parametrize("layers", [1, 2, 4])
@pytest.mark.parametrize("relu", [False, True], ids=["uncut", "cut"])
def test_keys_of_several_layers(layers, relu, written):
    plan = DEFAULT._replace(slots=3, relu=relu)
    compare(Parts(plan, written, 11, query=True, layers=layers))


def test_keys_of_several_layers_at_other_sizes():
    compare(Parts(DEFAULT, 5, layers=2, batch=19, hidden=37, key=41))
    compare(Parts(DEFAULT._replace(detached=True), 5, query=True, layers=2))
    sizes = {"hidden": 37, "key": 32, "dtype": torch.float32}
    compare(Parts(DEFAULT, 5, layers=2, **sizes), 1e-5, 1e-4)


@pytest.mark.parametrize("gated", [False, True], ids=["relu", "gated"])
@pytest.mark.parametrize("batch", [1, 19])
def test_widths_of_several_panels_and_edges(gated, batch):
    sizes = {"batch": batch, "hidden": 37, "key": 32, "width": 67}
    compare(Parts(DEFAULT._replace(gated=gated), 5, query=True, **sizes))


@pytest.mark.parametrize("gated", [False, True], ids=["relu", "gated"])
def test_single_precision(gated):
    sizes = {"hidden": 37, "key": 32, "width": 67, "dtype": torch.float32}
    compare(Parts(DEFAULT._replace(gated=gated), 5, query=True, **sizes), 1e-5, 1e-4)


def test_more_weights_than_one_block_of_the_bulk_products():
    compare(Parts(DEFAULT, 6, steps=41, batch=13))


def test_a_memory_larger_than_the_cache():
    """Only a few rows go through the window together."""
    parts = Parts(DEFAULT._replace(zones=2, slots=500), 1000, 3, batch=17, hidden=13)
    compare(parts)


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.parametrize("written", [1, 16])
def test_the_bits_do_not_depend_on_the_threads(threads, written):
    sizes = {"batch": 19, "hidden": 37, "layers": 2, "dtype": torch.float32}
    parts = Parts(DEFAULT, written, query=True, **sizes)
    parts.learned()

    def everything():
        ran = run(parts.plan, parts.weights, parts.window)
        return [*ran, *gradients(ran, parts).values()]

    threads(1)
    alone = everything()
    for number in (2, 3, 7):
        threads(number)
        for one, other in zip(alone, everything(), strict=True):
            assert_close(one, other, rtol=0, atol=0)


@pytest.mark.skipif(not TASKS.is_dir(), reason="threads are counted in /proc")
def test_the_threads_are_those_of_pytorch(threads):
    """They stay beside the thread that they worked for; others would be gone after a call.

    What earlier tests left may end meanwhile, so that new threads are counted, not all.
    """
    parts, before, after = Parts(DEFAULT, 5), set(), set()
    threads(5)

    def work():
        before.update(TASKS.iterdir())
        assert run(parts.plan, parts.weights, parts.window) is not None
        after.update(TASKS.iterdir())

    worker = Thread(target=work)
    worker.start()
    worker.join()
    assert len(after - before) == 4


def test_a_row_does_not_depend_on_the_others():
    parts = Parts(DEFAULT, 5, query=True, batch=11, layers=2)
    together = run(parts.plan, parts.weights, parts.window)
    rows = [part[3:4] if isinstance(part, torch.Tensor) else part for part in parts.window]
    alone = run(parts.plan, parts.weights, CRANWindow(*rows))
    for one, other in zip(together, alone, strict=True):
        assert_close(one[3:4], other, rtol=0, atol=0)


def test_halves_of_a_matrix_need_not_be_copied():
    parts = Parts(DEFAULT, 5, query=True, layers=2)
    expected = run(parts.plan, parts.weights, parts.window)
    wider = [
        part if part is None or part.dim() == 1 else torch.cat([part + 1, part], -1)
        for part in parts.weights
    ]
    halves = [
        part if part is None or part.dim() == 1 else part[..., part.shape[-1] // 2 :]
        for part in wider
    ]
    assert not halves[1].is_contiguous()
    for one, other in zip(
        expected, run(parts.plan, CRANWeights(*halves), parts.window), strict=True
    ):
        assert_close(one, other, rtol=0, atol=0)


def test_inputs_may_lie_in_any_order():
    parts = Parts(DEFAULT, 5, query=False)
    expected = run(parts.plan, parts.weights, parts.window)
    turned = [
        part.mT.contiguous().mT if isinstance(part, torch.Tensor) else part for part in parts.window
    ]
    for one, other in zip(
        expected, run(parts.plan, parts.weights, CRANWindow(*turned)), strict=True
    ):
        assert_close(one, other, rtol=0, atol=0)


@pytest.mark.parametrize("ranked", [False, True])
def test_ties_go_to_the_newer_zone(ranked):
    plan = DEFAULT._replace(zones=5, k=2, slots=1)
    parts = Parts(plan, 5, steps=1, ranking=ranked)
    zones = torch.arange(1.0, 6.0, dtype=torch.float64).view(1, 5, 1, 1)
    window = parts.window._replace(values=zones.expand(BATCH, 5, 1, HIDDEN))
    if ranked:
        window = window._replace(ranking=torch.ones_like(window.ranking))
    window = window._replace(keys=window.keys[:, :1].expand(-1, 5, -1))
    weights = parts.weights._replace(update=torch.eye(HIDDEN, dtype=torch.float64))
    window = window._replace(update_x=torch.zeros_like(window.update_x))
    state = run(plan, weights, window).hidden  # a fifth of each of the two newest, 4 and 5
    assert_close(state, torch.full_like(state, (4 + 5) / 5))


def test_nothing_is_kept_but_what_the_graph_holds():
    parts = Parts(DEFAULT, 5)
    parts.learned()
    ran = run(parts.plan, parts.weights, parts.window)
    gone = [weakref.ref(part) for part in ran]
    gc.disable()
    try:
        del ran
        assert [ref() for ref in gone] == [None] * 3
    finally:
        gc.enable()


def test_values_without_a_graph():
    parts = Parts(DEFAULT, 5)
    parts.learned()
    with torch.no_grad():
        plain = run(parts.plan, parts.weights, parts.window)
    assert not plain.hidden.requires_grad
    assert_close(plain.hidden, straight(parts.plan, parts.weights, parts.window).hidden)


def test_a_nan_stays_one_and_in_its_row():
    parts = Parts(DEFAULT, 5)
    parts.window.read_x[2, 3] = torch.nan
    hidden = run(parts.plan, parts.weights, parts.window).hidden
    assert hidden[2, 3:].isnan().all()
    assert not hidden[2, :3].isnan().any()
    assert not hidden[[0, 1, 3, 4]].isnan().any()


def test_an_update_between_there_and_back_is_told():
    parts = Parts(DEFAULT, 5)
    learned = parts.learned()
    ran = run(parts.plan, parts.weights, parts.window)
    with torch.no_grad():
        learned["project"].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        ran.hidden.sum().backward()


def test_the_gradient_has_none():
    parts = Parts(DEFAULT, 5)
    learned = parts.learned()
    ran = run(parts.plan, parts.weights, parts.window)
    outer = parts.outer[0].requires_grad_()
    (first,) = torch.autograd.grad(ran.hidden, learned["read"], outer, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


def replace_window(**changes):
    return lambda parts: (parts.plan, parts.weights, parts.window._replace(**changes))


LEFT = {
    "values that learn": lambda parts: (
        parts.plan,
        parts.weights,
        parts.window._replace(values=parts.window.values.requires_grad_()),
    ),
    "half precision": lambda parts: (
        parts.plan,
        CRANWeights(*(part if part is None else part.half() for part in parts.weights)),
        parts.window,
    ),
    "two precisions": lambda parts: (
        parts.plan,
        parts.weights._replace(key=parts.weights.key.float()),
        parts.window,
    ),
    "no partial key": replace_window(partial=None),
    "no steps": replace_window(
        query_x=torch.zeros(BATCH, 0, KEY, dtype=torch.float64),
        read_x=torch.zeros(BATCH, 0, WIDTH, dtype=torch.float64),
        update_x=torch.zeros(BATCH, 0, HIDDEN, dtype=torch.float64),
    ),
    "keys of another width": replace_window(
        keys=torch.zeros(BATCH, DEFAULT.zones, KEY + 1, dtype=torch.float64)
    ),
    "less than nothing": replace_window(written=-1),
    "no bias of the deeper layers": lambda parts: (
        parts.plan,
        parts.weights._replace(deeper=torch.zeros(2, KEY, KEY, dtype=torch.float64)),
        parts.window,
    ),
    "no bias of the gates": lambda parts: (
        parts.plan._replace(gated=True),
        parts.weights._replace(update=parts.weights.update.repeat(3, 1)),
        parts.window._replace(update_x=parts.window.update_x.repeat(1, 1, 3)),
    ),
    "another device": replace_window(
        hidden=torch.zeros(BATCH, HIDDEN, dtype=torch.float64, device="meta")
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_what_is_left_to_the_plain_twin(case):
    parts = Parts(DEFAULT, 5)
    assert run(parts.plan, parts.weights, parts.window) is not None
    assert run(*LEFT[case](parts)) is None


def test_the_plain_twin_can_be_forced(monkeypatch):
    parts = Parts(DEFAULT, 5)
    monkeypatch.setenv(native.PLAIN, "1")
    assert run(parts.plan, parts.weights, parts.window) is None

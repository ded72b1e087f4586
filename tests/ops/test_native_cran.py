"""CRAN's C++ op against straight formulas: values, gradients, bits, and what it must leave alone.

The formulas are section 1.2 of the seed, a step at a time, under autograd.
"""

from itertools import product

import pytest
import torch
from torch.testing import assert_close

from memnets.ops import native
from memnets.ops.cran import Plan, Ran, Weights, Window, run

pytestmark = pytest.mark.skipif(not native.available(), reason="there is no compiler")

BATCH, HIDDEN, KEY, WIDTH = 5, 7, 3, 11
DEFAULT = Plan(
    zones=3,
    slots=2,
    kept=2,
    rule="plain",
    zone_scale=0.7,
    slot_scale=0.4,
    gated=False,
    relu=True,
    detached=False,
)
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
        seed=0,
    ):
        generator = torch.Generator().manual_seed(seed)

        def draw(*shape, scale=1.0):
            return (scale * torch.randn(shape, generator=generator, dtype=torch.float64)).to(dtype)

        gates = 3 * hidden if plan.gated else hidden
        old = occupied(plan, written)
        matrix = hidden**-0.5
        self.plan = plan
        self.weights = Weights(
            query=draw(key, hidden, scale=matrix) if query else None,
            read=draw(width, hidden, scale=matrix) if read else None,
            project=draw(width, hidden, scale=matrix),
            project_bias=draw(width),
            update=draw(gates, hidden, scale=matrix),
            update_bias=draw(hidden) if plan.gated else None,
            key=draw(key, plan.slots * hidden, scale=matrix),
            key_bias=draw(key),
        )
        values = draw(batch, plan.zones * plan.slots, hidden)
        values[:, old:] = torch.nan  # nobody reads what is not filled
        keys = draw(batch, plan.zones, key)
        keys[:, -(-old // plan.slots) :] = torch.nan
        self.window = Window(
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
        key = partial.relu() if plan.relu else partial
        keys = [*keys[:-1], key] if slot else [*keys, key]
        values = [*values, hidden]
    return Ran(torch.stack(states, 1), *remembered(plan, values, keys, window))


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
    chosen = len(live) - 1 - newest_first[:, : plan.kept]
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
    for name in Ran._fields:
        same(getattr(fast, name), getattr(slow, name), value, name)
    found, expected = gradients(fast, parts), gradients(slow, parts)
    for name in expected:
        same(found[name], expected[name], gradient, name)


def same(found, expected, tolerance, name):
    largest = float(expected.detach().nan_to_num().abs().max()) if expected.numel() else 0.0
    assert_close(
        found, expected, rtol=tolerance, atol=tolerance * largest, msg=lambda m: f"{name}: {m}"
    )


@pytest.mark.parametrize("written", AGES)
@pytest.mark.parametrize(("query", "read"), [*product((False, True), repeat=2)])
@pytest.mark.parametrize("gated", [False, True], ids=["relu", "gated"])
def test_every_variant_at_every_age(gated, query, read, written):
    compare(Parts(DEFAULT._replace(gated=gated), written, query=query, read=read))

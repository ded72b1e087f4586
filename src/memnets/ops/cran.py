"""CRAN's recurrence over a window in one C++ op (cran.cpp): what cannot be batched over time.

The halves of all products that see the input are PyTorch's and come as inputs. The plain twin is
`models/cran/window.py`, which says what is computed. All rows are of the same age.
"""

from ctypes import Structure, byref, c_double, c_int64
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.binding import Op, are_plain, by_precision, fields, pointers
from memnets.ops.twins import runs_eagerly

_FORWARD = by_precision("cran_forward", "sizes weights window steps")
_BACKWARD = by_precision("cran_backward", "sizes weights window steps gradients")

Rule = Literal["plain", "renormalised", "twice"]
"""How the chosen zones are weighted: by p; by p over its sum; by the softmax of p."""
_RULES: tuple[Rule, ...] = ("plain", "renormalised", "twice")


class CRANPlan(NamedTuple):
    """What a cell computes, besides its weights.

    Args:
        zones: N, how many zones are kept.
        slots: L, how many states a zone holds.
        k: how many zones are read.
        rule: how these are weighted.
        zone_scale: the factor of the zone logits.
        slot_scale: the factor of the slot logits.
        gated: whether the update is 3.2, not 3.1.
        relu: whether a zone's key goes through a ReLU.
        detached: whether the gradient is cut at every step.
    """

    zones: int
    slots: int
    k: int
    rule: Rule
    zone_scale: float
    slot_scale: float
    gated: bool
    relu: bool
    detached: bool


class CRANWeights(NamedTuple):
    """The halves of the weights that see a state, and what projects states.

    Args:
        query: $W_l^h$ of query 1.2.
        read: $W_Q^h$ of read 2.2.
        project: $W_K$.
        project_bias: $b_K$.
        update: $W_H^y$; of the gated update $W_r^y$, $W_z^y$ and $W_i$, one below the other.
        update_bias: $b_i$ of the gated update.
        key: $W_s$, the first layer of the zones' keys.
        key_bias: $b_s$.
        deeper: the layers behind it; None where it is the only one.
        deeper_bias: of these.
    """

    query: Float[Tensor, "key hidden"] | None
    read: Float[Tensor, "width hidden"] | None
    project: Float[Tensor, "width hidden"]
    project_bias: Float[Tensor, " width"]
    update: Float[Tensor, "gates hidden"]
    update_bias: Float[Tensor, " hidden"] | None
    key: Float[Tensor, "key zone_width"]
    key_bias: Float[Tensor, " key"]
    deeper: Float[Tensor, "layer key key"] | None = None
    deeper_bias: Float[Tensor, "layer key"] | None = None

    @property
    def layers(self) -> int:
        """How many layers of a zone's key stand behind the first."""
        return 0 if self.deeper is None else len(self.deeper)


class CRANWindow(NamedTuple):
    """What the recurrence runs over, and the state that it starts from.

    Args:
        query_x: $x$ of query 1.1, or $W_l^x x + b_l$ of 1.2.
        read_x: $W_Q^x x + b_Q$.
        update_x: $W_H^x x + b_H$; of the gated update the same of r and z, and $W_n x + b_n$.
        hidden: the state before the first step.
        values: the states in memory, constants; zones and slots in the order of their age.
        keys: the zones' keys.
        partial: the first layer of the newest zone's key before its ReLU, where that zone is not
            full.
        written: how many states were ever written.
        ranking: chooses the zones in place of their logits, the oldest first; the largest numbers
            are taken, of equal ones the newer zone's.
    """

    query_x: Float[Tensor, "batch time key"]
    read_x: Float[Tensor, "batch time width"]
    update_x: Float[Tensor, "batch time gates"]
    hidden: Float[Tensor, "batch hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone key"]
    partial: Float[Tensor, "batch key"] | None
    written: int
    ranking: Float[Tensor, "batch time zone"] | None = None


class CRANOutput(NamedTuple):
    """The states of all steps, and the memory behind the last."""

    hidden: Float[Tensor, "batch time hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone key"]


def run(plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> CRANOutput | None:
    """Run a window, or return None where only the plain twin will do.

    The gradient reaches all inputs but the values and the ranking. Where a plan is detached, only
    the first step gives the state that comes in a gradient, and the memory that goes out has none.

    Raises:
        RuntimeError: its gradient is differentiated again.
    """
    if not _can_run(plan, weights, window):
        return None
    call = _Call(plan, weights, window)
    call(_FORWARD)
    apply: Any = _Run.apply
    states, keys = apply(call, *_differentiable(weights, window))
    return CRANOutput(states, *_remembered(plan, window, states, keys))


def _differentiable(weights: CRANWeights, window: CRANWindow) -> tuple[Tensor | None, ...]:
    """Return what gets a gradient, in the order of `Gradients` of cran.cpp."""
    return (
        *(window.query_x, window.read_x, window.update_x, window.hidden),
        *(window.keys, window.partial),
        *weights,
    )


def _remembered(
    plan: CRANPlan, window: CRANWindow, states: Tensor, keys: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the memory after the last step.

    Args:
        plan: of what size it is.
        window: has the memory before the first step.
        states: of all steps.
        keys: that of its zone after each step.
    """
    if plan.detached:
        states, keys = states.detach(), keys.detach()
    old = _occupied(plan, window.written)
    end = old + states.shape[1]
    closed, opened = old // plan.slots, -(-end // plan.slots)  # before the first, after the last
    first = max(0, opened - plan.zones)
    begin = first * plan.slots
    kept = window.values.flatten(1, 2)[:, begin:old]
    values = _padded(kept, states[:, max(0, begin - old) :], plan.zones * plan.slots)
    written = range(max(first, closed), opened)
    last = [min((zone + 1) * plan.slots, end) - 1 - old for zone in written]
    return (
        values.unflatten(1, (plan.zones, plan.slots)),
        _padded(window.keys[:, first:closed], keys[:, last], plan.zones),
    )


def _padded(old: Tensor, new: Tensor, length: int) -> Tensor:
    missing = length - old.shape[1] - new.shape[1]
    return torch.cat([old, new, new.new_zeros(len(new), missing, new.shape[2])], dim=1)


def _occupied(plan: CRANPlan, written: int) -> int:
    """Return how many of the states that were ever written are in memory."""
    opened = -(-written // plan.slots)
    return written - max(0, opened - plan.zones) * plan.slots


class _Run(torch.autograd.Function):
    """Gives what was computed its way back."""

    @staticmethod
    def forward(ctx: Any, call: "_Call", *inputs: Tensor | None) -> tuple[Tensor, Tensor]:
        # What is returned gets a graph, which holds the call: that keeps tensors without one.
        states, keys = (part.detach() for part in call.steps[:2])
        ctx.call = call
        ctx.save_for_backward(*inputs, states, keys)  # an update in between is told by torch
        ctx.set_materialize_grads(False)
        if call.sizes.detached:
            ctx.mark_non_differentiable(keys)
        return states, keys

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, states: Tensor | None, keys: Tensor | None) -> tuple[Tensor | None, ...]:
        inputs = ctx.saved_tensors[:-2]
        gradients = tuple(
            None if part is None else torch.zeros_like(part, memory_format=torch.contiguous_format)
            for part in inputs
        )
        # Held by name: a copy that only its address stood for would be gone before the call.
        given = [None if part is None else part.contiguous() for part in (states, keys)]
        ctx.call(_BACKWARD, pointers(*given, *gradients))
        return None, *gradients


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(self, plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> None:
        dense = CRANWeights._make(map(_with_dense_rows, weights))
        whole = (part if part is None else part.contiguous() for part in dense[8:])
        self.weights = CRANWeights(*dense[:8], *whole)
        tensors = (*window[:7], window.ranking)
        self.window = [None if part is None else part.contiguous() for part in tensors]
        self.steps = _room(plan, weights, window)
        self.sizes = _sizes(plan, self.weights, window)
        self.dtype = window.hidden.dtype
        self.tuples = tuple(pointers(*part) for part in (self.weights, self.window, self.steps))

    def __call__(self, op: dict[torch.dtype, Op], *others: Any) -> None:
        op[self.dtype](byref(self.sizes), *self.tuples, *others)


def _room(plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> tuple[Tensor, ...]:
    """Return room for `Steps` of cran.cpp, the states and the zones' keys first."""
    batch, steps, key = window.query_x.shape
    hidden, width = window.hidden.shape[1], window.read_x.shape[2]

    def room(*shape: int, dtype: torch.dtype = window.hidden.dtype) -> Tensor:
        return torch.empty(batch, steps, *shape, dtype=dtype)

    return (
        *(room(hidden), room(key)),
        window.query_x.contiguous() if weights.query is None else room(key),
        *(room(width), room(hidden), room(3 * hidden if plan.gated else 0), room(width)),
        window.hidden.new_empty(batch, _occupied(plan, window.written), width),
        *(room(plan.zones), room(plan.k), room(plan.k, plan.slots)),
        room(weights.layers, key),
        room(plan.k, dtype=torch.int32),
    )


class _Sizes(Structure):
    """Mirrors `Sizes` of cran.cpp, field by field."""

    _fields_ = (
        *fields(c_int64, "batch steps zones slots k hidden key width deeper old"),
        *fields(c_int64, "query_stride read_stride project_stride update_stride key_stride"),
        *fields(c_int64, "rule gated relu detached threads"),
        *fields(c_double, "zone_scale slot_scale"),
    )


def _sizes(plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> _Sizes:
    matrices = (weights.query, weights.read, weights.project, weights.update, weights.key)
    return _Sizes(
        *window.query_x.shape[:2],
        *(plan.zones, plan.slots, plan.k),
        window.hidden.shape[1],
        window.query_x.shape[2],
        window.read_x.shape[2],
        weights.layers,
        _occupied(plan, window.written),
        *(0 if matrix is None else matrix.stride(0) for matrix in matrices),
        _RULES.index(plan.rule),
        *(plan.gated, plan.relu, plan.detached, torch.get_num_threads()),
        *(plan.zone_scale, plan.slot_scale),
    )


def _with_dense_rows(matrix: Tensor | None) -> Tensor | None:
    """Return a matrix whose rows may stand apart, but not their numbers: half of one is none."""
    return matrix if matrix is None or matrix.stride(-1) == 1 else matrix.contiguous()


def _can_run(plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> bool:
    return (
        runs_eagerly()
        and native.available()
        and are_plain(window.hidden, *weights, *window[:7], window.ranking)
        and not window.values.requires_grad
        and _fit_together(plan, weights, window)
    )


def _fit_together(plan: CRANPlan, weights: CRANWeights, window: CRANWindow) -> bool:
    """Return whether the op would read and write inside of all tensors, and has work to do."""
    batch, steps, key = window.query_x.shape
    hidden, width = window.hidden.shape[1], window.read_x.shape[2]
    gates = 3 * hidden if plan.gated else hidden
    shapes = {
        "read_x": (batch, steps, width),
        "update_x": (batch, steps, gates),
        "hidden": (batch, hidden),
        "values": (batch, plan.zones, plan.slots, hidden),
        "keys": (batch, plan.zones, key),
        "partial": (batch, key),
        "ranking": (batch, steps, plan.zones),
        "query": (key, hidden),
        "read": (width, hidden),
        "project": (width, hidden),
        "project_bias": (width,),
        "update": (gates, hidden),
        "update_bias": (hidden,),
        "key": (key, plan.slots * hidden),
        "key_bias": (key,),
        "deeper": (weights.layers, key, key),
        "deeper_bias": (weights.layers, key),
    }
    given = {**weights._asdict(), **window._asdict()}
    return (
        all(given[name] is None or given[name].shape == shape for name, shape in shapes.items())
        and min(window.query_x.numel(), plan.zones, plan.slots, plan.k, width) > 0
        and window.written >= 0
        and (window.partial is not None or window.written % plan.slots == 0)
        and (weights.update_bias is not None) == plan.gated
        and (weights.deeper_bias is None) == (weights.deeper is None)
    )

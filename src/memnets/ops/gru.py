r"""Recurrences whose steps a gate from outside holds back: attention GRUs, and GRUs over padding.

$$ h_i = h_{i-1} + g_i (c_i - h_{i-1}) $$

What the inputs give to all steps is projected before, in one product, and once for all passes over
the same facts. The C++ op (gru.cpp) takes each row of a batch through all steps in one thread, and
leaves out those whose gate is 0: padding need not be packed, and costs nothing.
"""

import math
from ctypes import Structure, byref, c_int64
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.binding import are_plain, by_precision, fields, pointers, threads_for
from memnets.ops.masking import widen
from memnets.ops.ragged import Places
from memnets.ops.twins import runs_eagerly

THREAD = 2**20
"""Multiplications with the recurrent weights for which a further thread is worth starting."""

Projected = Float[Tensor, "batch slot rows"]
Gates = Float[Tensor, "batch slot"]
Recurrent = Float[Tensor, "rows hidden"]
Bias = Float[Tensor, " rows"]
Mask = Bool[Tensor, "batch slot"]
State = Float[Tensor, "batch hidden"]
States = Float[Tensor, "batch slot hidden"]


def gated_gru(
    projected: Projected,
    gates: Gates,
    recurrent: Recurrent,
    bias: Bias,
    initial: State | None = None,
    backwards: bool = False,
    mask: Mask | None = None,
) -> States:
    r"""Return the states behind all steps of a GRU whose steps are held back by gates.

    With two rows of weights for each number of a state, reset and candidate, it is the attention
    GRU (Xiong et al., 2016), in which the gate stands for the update gate:

    $$ r = \sigma(p_r + U_r h + b_r), \quad c = \tanh(p_c + r \circ (U h + b_c)), \quad
       h' = h + g (c - h) $$

    With three, reset, update and candidate, it is PyTorch's GRU, gated (Kumar et al., 2016):

    $$ z = \sigma(p_z + U_z h + b_z), \quad h' = h + g (1 - z) \circ (c - h) $$

    With gates of 1 that is `nn.GRU` with its weights unchanged: `projected` is
    `F.linear(x, weight_ih, bias_ih)`, the others are `weight_hh` and `bias_hh`. With a mask for
    gates it passes by what is masked.

    A step whose gate is 0 copies the state, and gives no gradient to what is projected, not even
    where that is NaN. Half precision is computed in float32.

    Args:
        projected: p, what the inputs give, with their biases.
        gates: g.
        recurrent: U, all parts one below the other.
        bias: b.
        initial: the state before the first step; zeros by default.
        backwards: whether the last step comes first; states stand where their steps do.
        mask: True where a step is taken. Others cost nothing: as with a gate of 0, but that the
            gate needs no gradient.

    Raises:
        RuntimeError: its gradient is differentiated again; set MEMNETS_PLAIN=1 for that.
    """
    states, _ = _run(_inputs(projected, gates, recurrent, bias, initial), backwards, mask)
    return states.to(projected.dtype)


def last_of_gated_gru(
    projected: Projected,
    gates: Gates,
    recurrent: Recurrent,
    bias: Bias,
    initial: State | None = None,
    mask: Mask | None = None,
) -> State:
    """Return the state behind the last step alone, which is cheaper; else as `gated_gru`."""
    _, last = _run(_inputs(projected, gates, recurrent, bias, initial), False, mask)
    return last.to(projected.dtype)


class Direction(NamedTuple):
    """What a GRU computes its states from, in one direction.

    Attributes:
        projected: p of the steps that are taken, row after row; the others have none.
        recurrent: U, as in `gated_gru`.
        bias: b.
    """

    projected: Float[Tensor, "readable rows"]
    recurrent: Recurrent
    bias: Bias


def gru_over(direction: Direction, places: Places, backwards: bool = False) -> States:
    """Return the states of a GRU over some steps of each row, which passes by all others.

    A step that is not taken holds the state that passes it by: zeros before the first that is. It
    costs nothing, not even memory for what is projected.

    Args:
        direction: the weights, and what the steps are given.
        places: of the steps that are taken.
        backwards: whether the last step comes first; states stand where their steps do.
    """
    projected, recurrent, bias = (widen(part) for part in direction)
    initial = recurrent.new_zeros(places.shape[0], recurrent.shape[1])
    inputs = _Inputs(projected, None, recurrent, bias, initial)
    states, _ = _run(inputs, backwards, places=places)
    return states.to(direction.projected.dtype)


def both_directions(forth: Direction, back: Direction, places: Places) -> tuple[States, States]:
    """Return the states of a GRU in both directions, each as `gru_over` returns them."""
    return gru_over(forth, places), gru_over(back, places, backwards=True)


class _Inputs(NamedTuple):
    """All that a gradient reaches, in the order of `Inputs` of gru.cpp; no gates are all 1."""

    projected: Tensor
    gates: Tensor | None
    recurrent: Tensor
    bias: Tensor
    initial: Tensor


def _run(
    inputs: _Inputs, backwards: bool, mask: Tensor | None = None, places: Places | None = None
) -> tuple[Tensor, Tensor]:
    """Return all states, and the last again: it has a gradient of its own."""
    if not _can_run(inputs, mask, places):
        return _plain(_laid_out(inputs, places), backwards, mask)
    given = (part for part in inputs if part is not None)
    trains = torch.is_grad_enabled() and any(part.requires_grad for part in given)
    call = _Call(inputs, backwards, mask, places, trains)
    apply: Any = _Recurrence.apply
    states, last = apply(call, *inputs)
    return states, last


def _inputs(
    projected: Tensor, gates: Tensor, recurrent: Tensor, bias: Tensor, initial: Tensor | None
) -> _Inputs:
    """Return what is given, in float32 or wider, and zeros to start from where nothing is."""
    if initial is None:
        initial = projected.new_zeros(len(projected), recurrent.shape[1])
    flat = [widen(part.unsqueeze(0)).squeeze(0) for part in (gates, bias, initial)]
    return _Inputs(widen(projected), flat[0], widen(recurrent), *flat[1:])


def _laid_out(inputs: _Inputs, places: Places | None) -> _Inputs:
    """Return inputs whose steps stand in their places, with gates of 0 for all others."""
    if places is None:
        return inputs
    taken = places.lay_out(inputs.projected.new_ones(len(places.flat)))
    return inputs._replace(projected=places.lay_out(inputs.projected), gates=taken)


def _plain(inputs: _Inputs, backwards: bool, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    projected, gates, recurrent, bias, h = inputs
    assert gates is not None
    if mask is not None:
        gates = gates.masked_fill(~mask, 0.0)
    hidden, gates = h.shape[1], gates.unsqueeze(-1)
    projected = projected.masked_fill((gates == 0) & projected.isnan(), 0.0)
    steps = range(projected.shape[1])
    states = [h] * len(steps)
    for t in reversed(steps) if backwards else steps:
        p, g = projected[:, t], gates[:, t]
        sums = torch.addmm(bias, h, recurrent.mT)
        opened = torch.sigmoid(p[:, :-hidden] + sums[:, :-hidden])  # r, and z where there is one
        r, z = opened[:, :hidden], opened[:, hidden:]
        c = torch.tanh(p[:, -hidden:] + r * sums[:, -hidden:])
        h = h + (g * (1 - z) if z.shape[1] else g) * (c - h)
        states[t] = h
    return torch.stack(states, 1) if states else projected[..., :hidden], h


class _Recurrence(torch.autograd.Function):
    """All states and the last, whose gradients come apart: there need not be one of all."""

    @staticmethod
    def forward(ctx: Any, call: "_Call", *inputs: Tensor | None) -> tuple[Tensor, Tensor]:
        found = call.forward()
        ctx.call = call
        ctx.save_for_backward(*inputs, *found)  # an update in between is told by torch
        ctx.set_materialize_grads(False)
        return found[0], found[1]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *outer: Tensor | None) -> tuple[Tensor | None, ...]:
        saved = ctx.saved_tensors
        return None, *ctx.call.backward(saved[5:], outer, ctx.needs_input_grad[1:])


class _Sizes(Structure):
    """Mirrors `Sizes` of gru.cpp, field by field."""

    _fields_ = fields(c_int64, "batch steps hidden updated stride backwards skipping threads")


_FORWARD = by_precision("gru_forward", "sizes inputs found")
_BACKWARD = by_precision("gru_backward", "sizes inputs found gradients")


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(
        self,
        inputs: _Inputs,
        backwards: bool,
        mask: Tensor | None,
        places: Places | None,
        trains: bool,
    ) -> None:
        projected, gates, *others = inputs
        *steps, rows = projected.shape
        between = projected.stride(-2)
        if projected.stride(-1) != 1 or projected.stride(0) != math.prod(steps[1:]) * between:
            projected = projected.contiguous()
        rest = (part.contiguous() for part in others)
        self.inputs = _Inputs(projected, _contiguous(gates), *rest)
        self.mask, self.keeps = _contiguous(mask), trains
        self.places = None if places is None else places.numbered()
        self.shape = projected.shape[:2] if places is None else places.shape
        hidden = self.inputs.recurrent.shape[1]
        self.sizes = _Sizes(
            *(*self.shape, hidden, rows // hidden == 3, projected.stride(-2), backwards),
            not (trains and gates is not None and gates.requires_grad),
            threads_for(math.prod(steps) * rows * hidden, THREAD),
        )

    def forward(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return all states, the last, and what else the way back needs."""
        new, (*taken, rows) = self.inputs.recurrent.new_empty, self.inputs.projected.shape
        hidden = self.sizes.hidden
        kept = new(*taken, rows + hidden) if self.keeps else None
        found = new(*self.shape, hidden), new(self.shape[0], hidden), kept
        self._call(_FORWARD, found)
        return found

    def backward(
        self, found: tuple[Tensor, ...], outer: tuple[Tensor | None, ...], wanted: tuple[bool, ...]
    ) -> tuple[Tensor | None, ...]:
        """Return the gradients of all inputs from those of all states and of the last."""
        given = [None if part is None else part.contiguous() for part in outer]
        to = [
            # Those of weights and of the first state are always written.
            part.new_empty(part.shape) if part is not None and (want or place >= 2) else None
            for place, (part, want) in enumerate(zip(self.inputs, wanted, strict=True))
        ]
        self._call(_BACKWARD, found, (*given, *to))
        return tuple(to)

    def _call(self, op: Any, *tensors: Any) -> None:
        groups = (pointers(*group) for group in ((*self.inputs, self.mask, self.places), *tensors))
        op[self.inputs.recurrent.dtype](byref(self.sizes), *groups)


def _contiguous(part: Tensor | None) -> Tensor | None:
    return None if part is None else part.contiguous()


def _can_run(inputs: _Inputs, mask: Tensor | None, places: Places | None) -> bool:
    return (
        runs_eagerly()
        and not native.plain_is_forced()
        and native.available()
        and are_plain(*inputs, indices=() if mask is None else (mask,))
        and _fit_together(inputs, mask, places)
    )


def _fit_together(
    inputs: _Inputs, mask: Tensor | None = None, places: Places | None = None
) -> bool:
    """Return whether all sizes agree and there is work to do; else the plain twin says so."""
    projected, gates, recurrent, bias, initial = inputs
    taken, rows, hidden = projected.shape[:-1], *recurrent.shape
    if places is not None:
        agree = taken == places.flat.shape and len(initial) == places.shape[0]
    else:
        assert gates is not None
        agree = gates.shape == taken and len(initial) == taken[0]
    return (
        agree
        and projected.numel() > 0
        and (mask is None or mask.shape == taken)
        and rows in (2 * hidden, 3 * hidden)
        and (projected.shape[-1], initial.shape[1]) == (rows, hidden)
        and bias.shape == (rows,)
    )

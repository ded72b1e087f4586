r"""A Turing machine over a whole window in one C++ op, forward and backward (ntm.cpp).

A step of it in PyTorch is some fifty small calls, and as many on the way back. The op takes each
row of a batch through all steps in one thread; what the inputs give to all steps is projected
before, and the gradients of the weights are one product each, behind the last step.
"""

from ctypes import Structure, byref, c_double, c_int64
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.binding import are_plain, by_precision, fields, pointers, threads_for
from memnets.ops.twins import runs_eagerly

THREAD = 2**20
"""Multiplications for which a further thread is worth starting."""


class NTMPlan(NamedTuple):
    """What a machine is built of.

    Attributes:
        reads: heads that read.
        writes: heads that write.
        reach: the furthest that a head moves, either way.
        write_first: whether the read heads meet what the step has written.
        lstm: whether the controller is one; else it is a layer that carries nothing.
        key_tanh: whether a key is squeezed by tanh.
        add_tanh: whether what is added is.
        clip: how far from zero what is said to the heads may be.
    """

    reads: int
    writes: int
    reach: int
    write_first: bool
    lstm: bool
    key_tanh: bool
    add_tanh: bool
    clip: float


class NTMWindow(NamedTuple):
    """All that a gradient reaches, in the order of `Inputs` of ntm.cpp.

    Attributes:
        given: what the inputs give to the controller, with its biases.
        controller: its weights for what is fed to it: h, if it is an LSTM, and what was read.
        interface: what is said to the heads, from h.
        bias: of the interface.
        memory: before the first step, and so are the others.
        reading: where the read heads stood.
        writing: where the write heads stood.
        first: h and what was read.
        cell: what an LSTM carries beside h; of no width for a layer.
    """

    given: Float[Tensor, "batch time rows"]
    controller: Float[Tensor, "rows _"]
    interface: Float[Tensor, "said hidden"]
    bias: Float[Tensor, " said"]
    memory: Float[Tensor, "batch slot dim"]
    reading: Float[Tensor, "batch read slot"]
    writing: Float[Tensor, "batch write slot"]
    first: Float[Tensor, "batch output"]
    cell: Float[Tensor, "batch _"]


class NTMRan(NamedTuple):
    """What a window leaves behind.

    Attributes:
        output: h and what was read, of every step.
        memory: behind the last step, and so are the others.
        reading: where the read heads stand.
        writing: where the write heads stand.
        cell: what an LSTM carries beside h.
    """

    output: Float[Tensor, "batch time output"]
    memory: Float[Tensor, "batch slot dim"]
    reading: Float[Tensor, "batch read slot"]
    writing: Float[Tensor, "batch write slot"]
    cell: Float[Tensor, "batch _"]


def run(plan: NTMPlan, window: NTMWindow) -> NTMRan | None:
    """Take all steps of a window; None where only the plain twin will do.

    Raises:
        RuntimeError: its gradient is differentiated again; set MEMNETS_PLAIN=1 for that.
    """
    if not _can_run(plan, window):
        return None
    trains = torch.is_grad_enabled() and any(part.requires_grad for part in window)
    apply: Any = _Machine.apply
    return NTMRan(*apply(_Call(plan, window, trains), *window))


class _Machine(torch.autograd.Function):
    """A window, whose ends have gradients of their own: there need not be one of all."""

    @staticmethod
    def forward(ctx: Any, call: "_Call", *window: Tensor) -> tuple[Tensor, ...]:
        ran, frames = call.forward()
        ctx.call = call
        ctx.save_for_backward(*call.window, ran.output, frames)
        ctx.set_materialize_grads(False)
        return tuple(ran)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *outer: Tensor | None) -> tuple[Tensor | None, ...]:
        *window, output, frames = ctx.saved_tensors
        return None, *ctx.call.backward(NTMWindow(*window), output, frames, outer)


class _Sizes(Structure):
    """Mirrors `Sizes` of ntm.cpp, field by field."""

    _fields_ = (
        *fields(c_int64, "batch steps hidden slots width reads writes reach"),
        *fields(c_int64, "write_first lstm key_tanh add_tanh keeps threads"),
        ("clip", c_double),
    )


_FORWARD = by_precision("ntm_forward", "sizes inputs found")
_BACKWARD = by_precision("ntm_backward", "sizes inputs found gradients")


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(self, plan: NTMPlan, window: NTMWindow, trains: bool) -> None:
        self.plan = plan
        self.window = NTMWindow(*(part.detach().contiguous() for part in window))
        (batch, steps, rows), hidden = window.given.shape, window.interface.shape[1]
        (_, slots, width), said = window.memory.shape, len(window.bias)
        heads = plan.reads + plan.writes
        # What a step costs a row: its two products, and some passes over the memory for each head.
        once = rows * window.controller.shape[1] + said * hidden + 5 * heads * slots * width
        self.sizes = _Sizes(
            *(batch, steps, hidden, slots, width, plan.reads, plan.writes, plan.reach),
            *(plan.write_first, plan.lstm, plan.key_tanh, plan.add_tanh, trains),
            threads_for(batch * steps * once, THREAD),
            plan.clip,
        )
        gates = rows + hidden if plan.lstm else 0
        self.frame = slots * width + (4 * heads + 2) * slots + gates + said

    def forward(self) -> tuple[NTMRan, Tensor]:
        """Return what the window leaves behind, and what the way back needs."""
        window, new = self.window, self.window.given.new_empty
        batch, steps, _ = window.given.shape
        ran = NTMRan(
            new(batch, steps, window.first.shape[1]),
            torch.empty_like(window.memory),
            torch.empty_like(window.reading),
            torch.empty_like(window.writing),
            torch.empty_like(window.cell),
        )
        frames = new(batch, steps + 1 if self.sizes.keeps else 2, self.frame)
        self._call(_FORWARD, window, (*ran, frames))
        return ran, frames

    def backward(
        self,
        window: NTMWindow,
        output: Tensor,
        frames: Tensor,
        outer: tuple[Tensor | None, ...],
    ) -> tuple[Tensor, ...]:
        """Return the gradients of all that the window began with."""
        given = [None if part is None else part.contiguous() for part in outer]
        batch, steps, _ = window.given.shape
        hidden, new = window.interface.shape[1], window.given.new_empty
        to_given, to_said = torch.empty_like(window.given), new(batch, steps, len(window.bias))
        ends = [torch.empty_like(part) for part in window[4:]]
        self._call(
            _BACKWARD, window, (output, *[None] * 4, frames), (*given, to_given, to_said, *ends)
        )
        told = torch.cat([window.first.unsqueeze(1), output[:, :-1]], 1)
        fed = told if self.plan.lstm else told[..., hidden:]
        flat = to_given.flatten(0, 1), to_said.flatten(0, 1)
        to_controller = flat[0].mT @ fed.flatten(0, 1)
        to_interface = flat[1].mT @ output[..., :hidden].flatten(0, 1)
        return to_given, to_controller, to_interface, flat[1].sum(0), *ends

    def _call(self, op: Any, *tensors: Any) -> None:
        groups = (pointers(*group) for group in tensors)
        op[self.window.given.dtype](byref(self.sizes), *groups)


def _can_run(plan: NTMPlan, window: NTMWindow) -> bool:
    return (
        runs_eagerly()
        and not native.plain_is_forced()
        and native.available()
        and are_plain(*window)
        and window.given.numel() > 0
        and _fit_together(plan, window)
    )


def _fit_together(plan: NTMPlan, window: NTMWindow) -> bool:
    """Return whether all widths agree; else the plain twin says so."""
    (batch, _, rows), (_, slots, width) = window.given.shape, window.memory.shape
    said, hidden = window.interface.shape
    looking, reads = width + 4 + 2 * plan.reach, plan.reads * width
    return [tuple(part.shape) for part in window[1:]] == [
        (rows, hidden + reads if plan.lstm else reads),
        (plan.reads * looking + plan.writes * (looking + 2 * width), hidden),
        (said,),
        (batch, slots, width),
        (batch, plan.reads, slots),
        (batch, plan.writes, slots),
        (batch, hidden + reads),
        (batch, hidden if plan.lstm else 0),
    ] and rows == (4 if plan.lstm else 1) * hidden

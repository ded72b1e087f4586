"""Sums over dependency trees by a C++ op: what it takes and gives, and its derivatives.

The expected arcs are derivatives of log Z, and second derivatives have no order: the way back is
the derivative of the expected arcs along what reaches them, one more pass in and out without a
logarithm. Gradients that are to have gradients are those of the plain twin.
"""

from collections.abc import Callable
from ctypes import Structure, byref, c_int64
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from memnets.ops import native
from memnets.ops.binding import are_plain, by_precision, fields, pointers, threads_for
from memnets.ops.chain import THREAD
from memnets.ops.twins import gradients_of_twin, runs_eagerly

ROWS = 8
"""Sentences that an op takes at once, `ROWS` of trees.h."""

Arcs = Float[Tensor, "batch child head"]
Roots = Float[Tensor, "batch child"]
Lengths = Int[Tensor, " batch"]


class TreeSums(NamedTuple):
    """What is known of all trees together: log Z, and how likely arcs and roots are."""

    log_partition: Float[Tensor, " batch"]
    arcs: Arcs
    roots: Roots


class TreeOp:
    """The sums over all trees, by a C++ op where it can run.

    Args:
        name: of the op; its functions are `name_forward` and `name_backward`.
        kept: how many numbers a sentence's way back needs, by words and whether there is just one
            root.
        twin: computes the same in PyTorch, from arcs, roots, lengths and that.
    """

    def __init__(
        self,
        name: str,
        kept: Callable[[int, bool], int],
        twin: Callable[[Tensor, Tensor, Tensor, bool], TreeSums],
    ) -> None:
        self.kept, self.twin = kept, twin
        self.forth = by_precision(f"{name}_forward", "sizes inputs found")
        self.back = by_precision(f"{name}_backward", "sizes inputs found gradients")

    def __call__(self, arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool) -> TreeSums:
        """Return log Z and expected arcs of all trees over the first words of each row."""
        if not _can_run(arcs, roots, lengths):
            return self.twin(arcs, roots, lengths, single_root)
        apply: Any = _Sums.apply
        return TreeSums(*apply(self, arcs, roots, lengths, single_root))


class _Sums(torch.autograd.Function):
    """All sums, whose gradients come apart: there need not be one of each."""

    @staticmethod
    def forward(
        ctx: Any, op: TreeOp, arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool
    ) -> tuple[Tensor, ...]:
        found, kept = _Call(op, arcs, roots, lengths, single_root).forward()
        ctx.op, ctx.single_root = op, single_root
        ctx.save_for_backward(arcs, roots, lengths, found.arcs, found.roots, kept)
        ctx.set_materialize_grads(False)
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *outer: Tensor | None) -> tuple[Tensor | None, ...]:
        arcs, roots, lengths, *found = ctx.saved_tensors
        if torch.is_grad_enabled():  # to be differentiated again: the plain twin can

            def twin(arcs: Tensor, roots: Tensor) -> TreeSums:
                return ctx.op.twin(arcs, roots, lengths, ctx.single_root)

            made = gradients_of_twin(twin, (arcs, roots), outer, ctx.needs_input_grad[1:3])
        else:
            made = _Call(ctx.op, arcs, roots, lengths, ctx.single_root).backward(found, outer)
        return None, *made, None, None


class _Sizes(Structure):
    """Mirrors `Sizes` of trees.h, field by field."""

    _fields_ = fields(c_int64, "rows words single threads")


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(
        self, op: TreeOp, arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool
    ) -> None:
        self.op, (rows, words) = op, roots.shape
        self.inputs = arcs.contiguous(), roots.contiguous(), lengths.long().contiguous()
        threads = threads_for(rows * words**3, THREAD)
        self.sizes = _Sizes(rows, words, single_root, threads)
        self.numbers = -(-rows // ROWS) * ROWS * op.kept(words, single_root)

    def forward(self) -> tuple[TreeSums, Tensor]:
        """Return what is found, and what the way back needs besides."""
        arcs, roots, _ = self.inputs
        new = arcs.new_empty
        found, kept = TreeSums(new(len(arcs)), new(arcs.shape), new(roots.shape)), new(self.numbers)
        self._call(self.op.forth, (*found, kept))
        return found, kept

    def backward(
        self, found: list[Tensor], outer: tuple[Tensor | None, ...]
    ) -> tuple[Tensor, Tensor]:
        """Return the gradients of arcs and roots from those of what was found."""
        given = [None if part is None else part.contiguous() for part in outer]
        made = torch.empty_like(self.inputs[0]), torch.empty_like(self.inputs[1])
        self._call(self.op.back, (None, *found), (*given, *made))
        return made

    def _call(self, function: Any, *tensors: Any) -> None:
        groups = (pointers(*group) for group in (self.inputs, *tensors))
        function[self.inputs[0].dtype](byref(self.sizes), *groups)


def _can_run(arcs: Tensor, roots: Tensor, lengths: Tensor) -> bool:
    return (
        runs_eagerly()
        and native.available()
        and are_plain(arcs, roots, indices=(lengths,))
        and arcs.numel() > 0
        and arcs.shape == (*roots.shape, roots.shape[-1])
        and lengths.shape == roots.shape[:1]
    )

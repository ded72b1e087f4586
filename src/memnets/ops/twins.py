"""Fast paths and their plain twins: where only the plain one will do."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.autograd import forward_ad


def runs_eagerly() -> bool:
    """Return whether tensors are computed here and now: not traced, transformed or narrowed.

    Where it is False, only the plain twin will do.
    """
    return not (
        torch.compiler.is_compiling()
        or torch._C._get_tracing_state() is not None
        or torch.is_autocast_enabled("cpu")
        or forward_ad._current_level >= 0
        or torch._C._are_functorch_transforms_active()
        or torch._C._len_torch_dispatch_stack() > 0
    )


def is_watched(part: nn.Module) -> bool:
    """Return whether somebody's hook would not be called by a fast path."""
    return bool(
        part._forward_hooks
        or part._forward_pre_hooks
        or part._backward_hooks
        or part._backward_pre_hooks
    )


def gradients_of_twin(
    twin: Callable[..., Sequence[Tensor]],
    inputs: Sequence[Tensor],
    outer: Sequence[Tensor | None],
    wanted: Sequence[bool],
) -> tuple[Tensor | None, ...]:
    """Return the gradients of inputs as the plain twin's, which have gradients too.

    Args:
        twin: computes from the inputs what the op found.
        inputs: those of the op.
        outer: the gradients of what was found; there need not be one of each.
        wanted: whether there is to be a gradient of each input.
    """
    pairs = [
        (one, grad) for one, grad in zip(twin(*inputs), outer, strict=True) if grad is not None
    ]
    if not pairs:
        return (None,) * len(inputs)
    leaves = [part for part, want in zip(inputs, wanted, strict=True) if want]
    outputs, grads = zip(*pairs, strict=True)
    made = iter(torch.autograd.grad(outputs, leaves, grads, create_graph=True, allow_unused=True))
    return tuple(next(made) if want else None for want in wanted)

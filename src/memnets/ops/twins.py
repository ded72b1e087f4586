"""Fast paths and their plain twins: where only the plain one will do."""

import torch
from torch import nn
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

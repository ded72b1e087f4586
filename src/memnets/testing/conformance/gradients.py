"""Autograd's gradients against finite differences, for inputs and weights alike."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from memnets.testing.conformance.claims import claim


def gradients_hold(
    module: nn.Module,
    function: Callable[..., Tensor | tuple[Tensor, ...]],
    inputs: tuple[Tensor, ...],
    text: str,
) -> None:
    """Claim that the gradients of inputs and weights are those of finite differences.

    Args:
        module: whose weights are to be moved; in float64.
        function: what to differentiate; it calls the module.
        inputs: its arguments, in float64.
        text: what is claimed.
    """
    leaves = tuple(tensor.detach().clone().requires_grad_() for tensor in inputs)
    weights = tuple(module.parameters())

    # gradcheck moves the weights in place, so that the module sees them without being told.
    def with_weights(*arguments: Tensor) -> Tensor | tuple[Tensor, ...]:
        return function(*arguments[: len(leaves)])

    try:  # along random directions: two calls for each tensor in place of two for each number
        torch.autograd.gradcheck(
            with_weights, (*leaves, *weights), rtol=1e-5, atol=1e-7, fast_mode=True
        )
    except RuntimeError as error:
        claim(False, f"{text}: autograd and finite differences differ. {error}")

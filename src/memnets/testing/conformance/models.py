"""What every model must do."""

from collections.abc import Iterator
from copy import deepcopy
from types import ModuleType
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor, nn

from memnets.testing.conformance.claims import claim, identical


def check_model(module: ModuleType, padded: tuple[Tensor, ...] | None = None) -> None:
    """Check the model that a module's `example()` returns.

    Args:
        module: has `example() -> (model, inputs)`.
        padded: the example's inputs once more, with padding and spare capacity that must not
            change the first tensor of the output.

    Raises:
        AssertionError: the model breaks a rule; the text says which, where and by how much.
    """
    torch.manual_seed(0)
    model, inputs = module.example()
    name = type(model).__name__
    model.eval()
    outputs = _tensors(model(*inputs))
    claim(bool(outputs), f"{name}: forward returned no tensor.")
    for output in outputs:
        finite = not output.is_floating_point() or bool(output.isfinite().all())
        claim(finite, f"{name}: an output is not finite.")
    _same(model(*inputs), outputs, f"{name}: a second call")
    _every_parameter_learns(model, outputs, name)
    _copy_is_apart(model, inputs, outputs, name)
    _state_is_whole(module, model, inputs, outputs, name)
    if padded is not None:
        found = _tensors(model(*padded))[0]
        identical(found, outputs[0], f"{name}: padding changes the output")


def _tensors(tree: Any) -> list[Tensor]:
    """Return the tensors of nested tuples, in order."""
    return list(_walk(tree))


def _walk(tree: Any) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, tuple | list):
        for branch in tree:
            yield from _walk(branch)


def _same(found: Any, outputs: list[Tensor], text: str) -> None:
    for number, (one, other) in enumerate(zip(_tensors(found), outputs, strict=True)):
        identical(one, other, f"{text}, output {number}")


def _every_parameter_learns(model: nn.Module, outputs: list[Tensor], name: str) -> None:
    loss = sum(
        (output * torch.linspace(-1, 2, output.shape[-1])).sum()
        for output in outputs
        if output.requires_grad
    )
    claim(isinstance(loss, Tensor), f"{name}: no output has a gradient.")
    assert isinstance(loss, Tensor)
    parameters = dict(model.named_parameters())
    gradients = torch.autograd.grad(loss, list(parameters.values()), allow_unused=True)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        reached = gradient is not None and bool(gradient.isfinite().all() and gradient.any())
        claim(reached, f"{name}: parameter {parameter} has no gradient, or one that is not finite.")


def _copy_is_apart(
    model: nn.Module, inputs: tuple[Any, ...], outputs: list[Tensor], name: str
) -> None:
    copy = deepcopy(model)
    _same(copy(*inputs), outputs, f"{name}: a deep copy")
    with torch.no_grad():
        for parameter in copy.parameters():
            parameter.add_(1.0)
    _same(model(*inputs), outputs, f"{name}: changing a copy's weights changed it")


def _state_is_whole(
    module: ModuleType,
    model: nn.Module,
    inputs: tuple[Any, ...],
    outputs: list[Tensor],
    name: str,
) -> None:
    """Load the weights into another example, drawn anew: all that counts must be among them."""
    saved = save({key: tensor.contiguous() for key, tensor in model.state_dict().items()})
    other, _ = module.example()
    other.eval()
    other.load_state_dict(load(saved))
    _same(other(*inputs), outputs, f"{name}: saved as safetensors and loaded")

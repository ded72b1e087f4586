"""Claims: assertions that say what was expected, where it failed and by how much."""

import torch
from torch import Tensor


def claim(holds: bool, text: str) -> None:
    """Raise an `AssertionError` that says `text`, also under `python -O`."""
    if not holds:
        raise AssertionError(text)


def identical(found: Tensor, expected: Tensor, text: str) -> None:
    """Claim that two tensors are equal bit for bit."""
    _same_shape(found, expected, text)
    if not torch.equal(found, expected):
        raise AssertionError(f"{text}: {_worst(found, expected)}, none is allowed.")


def agree(
    found: Tensor, expected: Tensor, text: str, rtol: float = 1e-10, atol: float = 1e-12
) -> None:
    """Claim that two tensors are equal but for rounding."""
    _same_shape(found, expected, text)
    if not torch.allclose(found.double(), expected.double(), rtol=rtol, atol=atol):
        allowed = f"allowed {atol:g} + {rtol:g} of the number"
        raise AssertionError(f"{text}: {_worst(found, expected)}, {allowed}.")


def _same_shape(found: Tensor, expected: Tensor, text: str) -> None:
    shapes = tuple(found.shape), tuple(expected.shape)
    claim(shapes[0] == shapes[1], f"{text}: shape {shapes[0]} came, expected {shapes[1]}.")


def _worst(found: Tensor, expected: Tensor) -> str:
    """Say where two tensors of one shape differ most."""
    found, expected = found.detach(), expected.detach()
    difference = (found.double() - expected.double()).abs().nan_to_num(nan=torch.inf)
    if not difference.numel():
        return "nothing to compare"
    place = int(difference.argmax())
    where = tuple(int(axis) for axis in torch.unravel_index(torch.tensor(place), found.shape))
    values = float(found.flatten()[place]), float(expected.flatten()[place])
    gap = float(difference.flatten()[place])
    return f"at {where} came {values[0]:.9g}, expected {values[1]:.9g}, a difference of {gap:.3g}"

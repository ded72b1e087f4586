"""Keeping gradients small: each number, each weight matrix by itself, or all of them together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import nn


def _check(limit: float, name: str) -> None:
    if not limit > 0:
        raise ValueError(f"{name}(limit={limit}): expected a positive norm. Pass 40.0, say.")


@dataclass(frozen=True)
class PerMatrix:
    r"""Rescale the gradient of each weight matrix whose spectral norm is above the limit.

    $$ g \leftarrow g \, \min(1, \mathrm{limit} / \sigma_1(g)) $$
    (Sukhbaatar et al., section 4.2, with a limit of 40)

    $\sigma_1$ is the largest singular value; the length of a vector. The root of the sum of all
    squares is never below it, and cheaper: only where it is above the limit is more computed.

    Deviations: none. The paper says "norm" and no more; the released code takes Matlab's `norm`
    of a matrix, which is this one.
    Cite: sukhbaatar2015

    Args:
        limit: the largest norm.
        stacks: parameters that hold several matrices, and the axis that counts these.

    Raises:
        ValueError: the limit is not positive; a stack is no parameter of the model, or has no such
            axis.
    """

    limit: float
    stacks: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check(self.limit, "PerMatrix")

    def __call__(self, model: nn.Module) -> None:
        """Rescale the gradients in place."""
        parameters = dict(model.named_parameters())
        for name, axis in self.stacks.items():
            if name not in parameters or not 0 <= axis < parameters[name].dim():
                shapes = ", ".join(f"{key} {tuple(p.shape)}" for key, p in parameters.items())
                raise ValueError(
                    f"PerMatrix(stacks={{{name!r}: {axis}}}): {type(model).__name__} has no such "
                    f"parameter and axis. It has {shapes}."
                )
        for name, parameter in parameters.items():
            if parameter.grad is not None:
                _rescale(parameter.grad, self.limit, self.stacks.get(name))


def _rescale(gradient: torch.Tensor, limit: float, stack: int | None) -> None:
    within = [axis for axis in range(gradient.dim()) if axis != stack]
    # In double precision: before the clipping a gradient may be too large for its squares.
    lengths = (
        torch.linalg.vector_norm(gradient, dim=within, dtype=torch.float64).reshape(-1).tolist()
    )
    matrices = (gradient,) if stack is None else gradient.unbind(stack)
    for matrix, length in zip(matrices, lengths, strict=True):
        if length > limit:
            finite = math.isfinite(length)  # what is not is told as such by the loop
            norm = _norm_above(limit, matrix, length) if finite and matrix.dim() == 2 else length
            if norm > limit:
                matrix.mul_(limit / norm)


def _norm_above(limit: float, matrix: torch.Tensor, length: float) -> float:
    """Return the largest singular value, or a bound of it that is not above the limit.

    The singular values are the roots of the eigenvalues of the matrix's product with itself, and
    the largest eigenvalue is at most the root of the sum of their squares.
    """
    unit = matrix / length
    rows, columns = matrix.shape
    product = unit.mT @ unit if columns <= rows else unit @ unit.mT
    bound = length * math.sqrt(torch.linalg.vector_norm(product).item())
    if bound <= limit:
        return bound
    # In double precision: in single LAPACK may find no eigenvalues at all.
    return length * math.sqrt(torch.linalg.eigvalsh(product.double())[-1].item())


@dataclass(frozen=True)
class GlobalNorm:
    r"""Rescale all gradients together if their joint norm is above the limit.

    $$ g \leftarrow g \, \min(1, \mathrm{limit} / \lVert (g_1, \dots, g_n) \rVert_2) $$

    Deviations: the norm is taken 1e-6 larger, as PyTorch does.
    Cite: pascanu2013

    Args:
        limit: the largest joint norm.

    Raises:
        ValueError: the limit is not positive.
    """

    limit: float

    def __post_init__(self) -> None:
        _check(self.limit, "GlobalNorm")

    def __call__(self, model: nn.Module) -> None:
        """Rescale the gradients in place."""
        nn.utils.clip_grad_norm_(model.parameters(), self.limit)


@dataclass(frozen=True)
class EachNumber:
    r"""Cut every number of the gradient to an interval around zero.

    $$ g_i \leftarrow \max(-\mathrm{limit}, \min(g_i, \mathrm{limit})) $$
    (Graves et al., section 4.6, with a limit of 10)

    Deviations: none.
    Cite: graves2014

    Args:
        limit: the furthest from zero.

    Raises:
        ValueError: the limit is not positive.
    """

    limit: float

    def __post_init__(self) -> None:
        _check(self.limit, "EachNumber")

    def __call__(self, model: nn.Module) -> None:
        """Cut the gradients in place; what is NaN stays so, and is told by the loop."""
        nn.utils.clip_grad_value_(model.parameters(), self.limit)

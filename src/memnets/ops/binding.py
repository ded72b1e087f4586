"""Calls of the C++ ops: what a function takes, which tensors will do, and where they lie."""

from ctypes import Array, c_void_p
from typing import Any

import torch
from torch import Tensor, nn

from memnets.native import Function
from memnets.ops.native import OPS

PRECISIONS = {torch.float32: "float", torch.float64: "double"}
"""Of the functions that there are several of, by what their names end with."""


class Op(Function):
    """A function of the C++ sources of this folder, called with tensors that are contiguous.

    Args:
        name: in the source.
        arguments: as in `Function`. Where an address is wanted, give a tensor, `byref` of a
            structure, an array of `pointers`, or None.
        returns: whether it returns a number.
    """

    def __init__(self, name: str, arguments: str, returns: bool = False) -> None:
        super().__init__(OPS, name, arguments, returns)

    def __call__(self, *parts: Any) -> Any:
        given = []  # a loop: small models call it more often than all else
        for part in parts:
            if isinstance(part, Tensor):
                assert part.is_contiguous()
                part = part.data_ptr()
            given.append(part)
        return (OPS.functions.get(self.name) or self._declare())(*given)


def by_precision(name: str, arguments: str, returns: bool = False) -> dict[torch.dtype, Op]:
    """Declare a function for each precision, `name_float` and `name_double`."""
    return {dtype: Op(f"{name}_{end}", arguments, returns) for dtype, end in PRECISIONS.items()}


def pointers(*tensors: Tensor | None) -> "Array[c_void_p]":
    """Return the addresses of tensors, as a structure of pointers has them.

    Whoever calls keeps the tensors, and says how far apart rows are that do not touch.
    """
    return (c_void_p * len(tensors))(
        *(None if tensor is None else tensor.data_ptr() for tensor in tensors)
    )


def fields(kind: Any, names: str) -> tuple[tuple[str, Any], ...]:
    """Return fields of one kind for a structure that mirrors one in C++."""
    return tuple((name, kind) for name in names.split())


def are_plain(*floats: Tensor | None, indices: tuple[Tensor, ...] = ()) -> bool:
    """Return whether all are ordinary tensors on the CPU, the floats of one of `PRECISIONS`.

    Args:
        floats: those that must be of one precision; None is passed over, but for the first.
        indices: those that must be whole numbers, of any width.
    """
    dtype = None if floats[0] is None else floats[0].dtype
    for part in floats:
        if part is not None and (part.dtype is not dtype or not _is_ordinary(part)):
            return False
    for index in indices:
        if index.is_floating_point() or index.is_complex() or not _is_ordinary(index):
            return False
    return dtype in PRECISIONS


def _is_ordinary(part: Tensor) -> bool:
    return type(part) in (Tensor, nn.Parameter) and part.is_cpu


def threads_for(numbers: int, each: int) -> int:
    """Return how many threads are worth starting: one, and one more for `each` numbers."""
    return min(torch.get_num_threads(), 1 + numbers // each)

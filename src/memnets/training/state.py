"""Tensors in tuples, named tuples and dicts: a task's data, and what updates carry on."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

Change = Callable[[str, Tensor], Tensor]


def map_state(change: Change, state: Any, name: str = "state") -> Any:
    """Return the state with every tensor changed, given its name (`state.hidden.0`).

    Raises:
        ValueError: something else than tensors in tuples, named tuples and dicts is in it.
    """
    if isinstance(state, Tensor):
        return change(name, state)
    if isinstance(state, dict):
        return {key: map_state(change, item, f"{name}.{key}") for key, item in state.items()}
    if isinstance(state, tuple):
        fields = getattr(state, "_fields", range(len(state)))
        items = [
            map_state(change, item, f"{name}.{f}") for f, item in zip(fields, state, strict=True)
        ]
        return type(state)(*items) if hasattr(state, "_fields") else tuple(items)
    raise ValueError(
        f"the carried {name} is {state!r}: expected tensors in tuples, named tuples or dicts. "
        f"Make it a tensor, so that a checkpoint can hold it."
    )


def moved(data: Any, device: torch.device) -> Any:
    """Return data with their tensors on a device; what is something else stays as it is."""
    if isinstance(data, Tensor):
        return data.to(device)
    if isinstance(data, Mapping):
        return {key: moved(item, device) for key, item in data.items()}
    if isinstance(data, tuple):
        items = [moved(item, device) for item in data]
        return type(data)(*items) if hasattr(data, "_fields") else tuple(items)
    return data


def detached(state: Any) -> Any:
    """Return the state as an update may carry it: without its graph, in memory of its own.

    A view could be added up in another order than the same numbers read from a checkpoint.
    """
    return map_state(lambda _, tensor: tensor.detach().clone(memory_format=_DENSE), state)


_DENSE = torch.contiguous_format


def flatten(state: Any) -> dict[str, Tensor]:
    """Return the tensors of a state by name."""
    tensors: dict[str, Tensor] = {}

    def keep(name: str, tensor: Tensor) -> Tensor:
        tensors[name] = tensor
        return tensor

    map_state(keep, state)
    return tensors


def rebuild(like: Any, tensors: dict[str, Tensor], where: str) -> Any:
    """Return a state of the structure of `like`, filled with named tensors.

    Raises:
        ValueError: the names are not those of the structure.
    """
    expected = flatten(like).keys()
    if expected != tensors.keys():
        raise ValueError(
            f"{where}: it holds the carried tensors {sorted(tensors)}, the task starts with "
            f"{sorted(expected)}. Train anew, or use the version of the task that wrote it."
        )
    return map_state(lambda name, tensor: tensors[name].to(tensor.device), like)

"""Weights as arrays, for those that are asked without torch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from memnets.mapped import tensors_of

Read = TypeVar("Read")


def read_arrays(path: Path, mend: str) -> dict[str, "np.ndarray[Any, Any]"]:
    """Read named arrays; as `training.checkpoints.read_tensors` and `check_finite` do tensors.

    Args:
        path: the file.
        mend: a sentence that says what to do where it is damaged.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a safetensors file, damaged, or holds numbers that are not finite.
    """
    try:
        arrays, _ = tensors_of(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file. {mend}") from None
    except ValueError as error:
        raise ValueError(f"{error}. {mend}") from None
    for name, array in arrays.items():
        expect_finite(bool(np.isfinite(array).all()), name, path, mend)
    return arrays


def read_whole(path: Path, mend: str, load: Callable[[bytes], Read]) -> Read:
    """Return what a library reads from a safetensors file; see `read_arrays`."""
    import safetensors

    try:
        return load(path.read_bytes())
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file. {mend}") from None
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path}: not a whole safetensors file ({error}). {mend}") from None


def expect_finite(finite: bool, name: str, path: Path, mend: str) -> None:
    """Refuse weights that are not finite: no run writes them."""
    if not finite:
        raise ValueError(f"{path}: {name} holds numbers that are not finite. {mend}")

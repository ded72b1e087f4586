"""Weights, optimizer, carried state and random numbers as safetensors and JSON: no pickle."""

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor, nn

from memnets.files import read_json, write_bytes
from memnets.training.arrays import expect_finite, read_whole
from memnets.training.checksums import check_unchanged

BEST = "best.safetensors"
"""The weights of the best line of the log, in a run that keeps them."""

_ANEW = "Use the model that wrote it, or train anew."


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write named tensors, atomically."""
    own = {  # safetensors refuses tensors that share memory, as tied weights do
        name: tensor.detach().cpu().clone(memory_format=torch.contiguous_format)
        for name, tensor in tensors.items()
    }
    write_bytes(path, safetensors.torch.save(own))


_RESTORE = "Restore it from a copy, or delete its folder to go back to an earlier checkpoint."


def read_tensors(
    path: Path, needed: tuple[str, ...] = (), mend: str = _RESTORE
) -> dict[str, Tensor]:
    """Read named tensors.

    Args:
        path: the file.
        needed: names without which it is of no use.
        mend: a sentence that says what to do where it is damaged; by default in a checkpoint.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a safetensors file, damaged, or lacks a name.
    """
    tensors: dict[str, Tensor] = read_whole(path, mend, safetensors.torch.load)
    for name in needed:
        if name not in tensors:
            raise ValueError(f"{path}: it lacks {name}. {mend}")
    return tensors


def check_finite(tensors: Mapping[str, Tensor], path: Path, mend: str) -> None:
    """Refuse weights that are not finite: no run writes them.

    Raises:
        ValueError: one holds NaN or an infinity.
    """
    for name, tensor in tensors.items():
        expect_finite(bool(tensor.isfinite().all()), name, path, mend)


def digest(tensors: Mapping[str, Tensor]) -> str:
    """Return the SHA-256 of named tensors: names, types, shapes and bytes."""
    sha256 = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        sha256.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        sha256.update(
            tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes()
        )
    return sha256.hexdigest()


def norm(tensors: Mapping[str, Tensor]) -> float:
    """Return the root of the sum of all squares, added in float64."""
    return math.sqrt(
        sum(float(tensor.detach().double().square().sum()) for tensor in tensors.values())
    )


def load_model(model: nn.Module, path: Path, mend: str = _RESTORE) -> None:
    """Load weights into a model of the same names and shapes.

    Args:
        model: whose weights are changed.
        path: the file.
        mend: a sentence that says what to do where it is damaged; by default in a checkpoint.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, or a name or a shape differs.
    """
    came, expected = read_tensors(path, mend=mend), model.state_dict()
    for name in sorted(came.keys() | expected.keys()):
        if name not in came:
            raise ValueError(f"{path}: it lacks {name}, which the model has. {_ANEW}")
        if name not in expected:
            raise ValueError(f"{path}: it holds {name}, which the model has not. {_ANEW}")
        if came[name].shape != expected[name].shape:
            raise ValueError(
                f"{path}: {name} is {tuple(came[name].shape)}, the model's is "
                f"{tuple(expected[name].shape)}. {_ANEW}"
            )
    check_finite(came, path, mend)
    model.load_state_dict(came)


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the optimizer's state by name, `3.exp_avg` that of its fourth parameter.

    Raises:
        ValueError: it keeps something else than tensors.
    """
    tensors: dict[str, Tensor] = {}
    for index, entries in optimizer.state_dict()["state"].items():
        for key, value in entries.items():
            if isinstance(value, Tensor):
                tensors[f"{index}.{key}"] = value
            elif value is not None:
                raise ValueError(
                    f"{type(optimizer).__name__} keeps {key}={value!r}: a checkpoint holds tensors "
                    f"only. Use another optimizer."
                )
    return tensors


def place_optimizer(optimizer: torch.optim.Optimizer) -> None:
    """Move what an optimizer keeps to its parameters; Adagrad keeps sums from its making on."""
    optimizer.load_state_dict(optimizer.state_dict())


def load_optimizer(optimizer: torch.optim.Optimizer, path: Path) -> None:
    """Load an optimizer's state; its settings are the recipe's.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, or belongs to other parameters.
    """
    groups = optimizer.state_dict()["param_groups"]
    sizes = [p.shape for group in optimizer.param_groups for p in group["params"]]
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in sorted(read_tensors(path).items()):
        index, _, key = name.partition(".")
        if not index.isdigit() or int(index) >= len(sizes):
            raise ValueError(f"{path}: {name} belongs to none of {len(sizes)} parameters. {_ANEW}")
        if tensor.dim() and tensor.shape != sizes[int(index)]:
            raise ValueError(
                f"{path}: {name} is {tuple(tensor.shape)}, the parameter is "
                f"{tuple(sizes[int(index)])}. {_ANEW}"
            )
        state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def global_random(device: torch.device) -> dict[str, Tensor]:
    """Return the states of torch's global generators, as bytes."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_global_random(states: Mapping[str, Tensor], device: torch.device) -> None:
    """Set torch's global generators; one that was not saved stays as it is."""
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)


def check_files(path: Path, processes: int) -> None:
    """Refuse a checkpoint with files of another kind, a pickle above all, or with changed ones.

    Raises:
        ValueError: there is one.
    """
    record = read_json(path / "progress.json")
    known = {"model.safetensors", "optimizer.safetensors", "progress.json", BEST}
    known |= {state_name(rank) for rank in range(processes)}
    for file in sorted(path.iterdir()):
        if file.name not in known:
            raise ValueError(
                f"{file}: not a file of a checkpoint, and it was not opened. "
                f"Delete it, and ask who put it there."
            )
        check_unchanged(file, record, _RESTORE)


def state_name(rank: int) -> str:
    """Return the name of the file with what one process carries."""
    return "state.safetensors" if rank == 0 else f"state-rank{rank}.safetensors"


def named(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors with a prefix to their names, so that several kinds share a file."""
    return {f"{prefix}/{name}": tensor for name, tensor in tensors.items()}


def under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors that `named` gave the prefix."""
    return {
        name.removeprefix(f"{prefix}/"): tensor
        for name, tensor in tensors.items()
        if name.startswith(f"{prefix}/")
    }

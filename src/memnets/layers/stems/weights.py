"""Published weights from a file: safetensors, or torch's own without what could run code."""

import os
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from memnets.layers.stems.published import PublishedStem

COUNTED = "num_batches_tracked"
"""How names end that older files lack, and that change nothing."""


def load_weights(stem: PublishedStem, path: str | os.PathLike[str]) -> None:
    """Load published weights into a stem, by their names.

    Those of layers behind the stem's are passed over.

    Args:
        stem: that takes them.
        path: a file of safetensors, or one of torch (.pth), which is read as plain tensors.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it cannot be read, or names or shapes are not those of the network; the text
            names them.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"{file}: there is no such file. Name a file of weights.")
    found = {
        name: tensor for name, tensor in _read(file).items() if not name.startswith(stem.unused)
    }
    wanted = stem.state_dict()
    missing = [name for name in wanted if name not in found and not name.endswith(COUNTED)]
    unknown = sorted(found.keys() - wanted.keys())
    for names, what in ((missing, "lacks"), (unknown, "has, and the network has not,")):
        if names:
            others = f" and {len(names) - 1:,} others" if len(names) > 1 else ""
            raise ValueError(
                f"{file}: it {what} {names[0]}{others}; expected the weights of {stem.network} as "
                f"torchvision names them. Give the file of that network."
            )
    for name, tensor in found.items():
        if tensor.shape != wanted[name].shape:
            raise ValueError(
                f"{file}: {name} has the shape {tuple(tensor.shape)}; expected "
                f"{tuple(wanted[name].shape)} in {stem.network}. Give the file of that network."
            )
    stem.load_state_dict(wanted | found)


def _read(file: Path) -> dict[str, Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if file.suffix == ".safetensors":
            return load_file(file)
        # Nothing but tensors in plain containers is made of it: no code of the file can run.
        record: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (SafetensorError, zipfile.BadZipFile, EOFError, OSError, RuntimeError) as error:
        raise _unreadable(file, str(error).splitlines()[0]) from None
    except Exception as error:  # an unpickler may raise anything at what it does not know
        raise _unreadable(file, type(error).__name__) from None
    if not isinstance(record, dict) or not all(isinstance(x, Tensor) for x in record.values()):
        raise _unreadable(file, "it is no dictionary of tensors")
    return record


def _unreadable(file: Path, why: str) -> ValueError:
    return ValueError(
        f"{file}: the weights cannot be read ({why}). Expected safetensors, or a .pth file that "
        f"holds tensors by name and nothing else. Fetch it anew, or save it as safetensors."
    )

"""Arrays in files, mapped into memory: nothing is read before it is used, and nothing copied.

The libraries that write these files read them too, and take longer to do so than many an answer.
"""

import json
import math
import struct
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
DTYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "?"},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "<u1"},
}
"""NumPy's types by those of safetensors."""


def array_of(path: Path) -> Array | None:
    """Return the array of a file of NumPy's; None where it holds none, or not the whole of one.

    `np.load` takes more than twice the time, and what it maps is ten times slower to index.
    """
    with path.open("rb") as file:
        try:
            kept = mmap(file.fileno(), 0, access=ACCESS_READ)
            if np.lib.format.read_magic(file) != (1, 0):
                return None
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            array = np.frombuffer(kept, dtype, math.prod(shape), file.tell())
        except (ValueError, SyntaxError, TokenError):  # the last two of a damaged header
            return None
        return array.reshape(shape) if file.tell() + array.nbytes == len(kept) else None


def tensors_of(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the tensors of a safetensors file by their names, and what is said of them all.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a safetensors file, or not a whole one.
    """
    with path.open("rb") as file:
        try:
            kept = mmap(file.fileno(), 0, access=ACCESS_READ)
            (size,) = struct.unpack_from("<Q", kept)
            header = json.loads(kept[8 : 8 + size])
            said = header.pop("__metadata__", {})
            found = {name: _tensor(kept, 8 + size, of) for name, of in header.items()}
            end = max((of["data_offsets"][1] for of in header.values()), default=0)
            if 8 + size + end != len(kept):
                raise ValueError("more or less than its tensors")
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, struct.error):
            raise ValueError(f"{path}: not a whole safetensors file") from None
        return found, said


def _tensor(kept: mmap, begin: int, of: dict[str, Any]) -> Array:
    dtype, (first, end) = np.dtype(DTYPES[of["dtype"]]), of["data_offsets"]
    array = np.frombuffer(kept, dtype, math.prod(of["shape"]), begin + first)
    if first + array.nbytes != end or min(of["shape"], default=0) < 0:
        raise ValueError("of another size than its type and shape say")
    return array.reshape(of["shape"])

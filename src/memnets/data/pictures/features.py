"""Files of features: what a network saw of each picture, computed once and kept (safetensors).

A file says of itself which network and layer made it and of how many pixels; where another is
expected it is refused. Cells stand row after row.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memnets.data.rows import existing
from memnets.files import write_bytes

FIELDS = ("network", "layer", "side", "grid", "dim")
"""What a file says of itself: the last are its rows and columns, and the width of a vector."""


@dataclass(frozen=True)
class Features:
    """Features of pictures.

    Attributes:
        path: of the file.
        names: of the pictures.
        values: `(picture, slot, dim)`.
        described: the network and layer that made them, the pixels of a picture's side, the rows
            and columns that it was seen as, and the width of a vector.
    """

    path: Path
    names: tuple[str, ...]
    values: np.ndarray
    described: dict[str, Any]

    def of(self, names: Sequence[str]) -> np.ndarray:
        """Return the features of some pictures, in float32.

        Raises:
            ValueError: the file has none of a picture.
        """
        at = {name: n for n, name in enumerate(self.names)}
        lacking = [name for name in names if name not in at]
        if lacking:
            raise ValueError(
                f"{self.path}: it has no features of {lacking[0]} and {len(lacking) - 1:,} others. "
                f"Compute them of all pictures."
            )
        return self.values[[at[name] for name in names]].astype(np.float32)


def write_features(
    path: str | os.PathLike[str],
    values: Mapping[str, np.ndarray],
    *,
    network: str,
    layer: str,
    side: int,
    grid: tuple[int, int],
) -> Path:
    """Write the features of pictures.

    Args:
        path: of the new file.
        values: `(slot, dim)` of each picture by its name, row after row.
        network: that made them, "vgg19" say.
        layer: of it.
        side: pixels of a picture's side.
        grid: rows and columns.

    Raises:
        ValueError: there are none, or they are not of the grid.
    """
    from safetensors.numpy import save

    shapes = {array.shape for array in values.values()}
    slots = grid[0] * grid[1]
    if len(shapes) != 1 or next(iter(shapes))[0] != slots:
        raise ValueError(
            f"{path}: features of the shapes {sorted(shapes)} came; expected ({slots}, dim) of "
            f"every picture, for a grid of {grid[0]} x {grid[1]}. Give those of one layer."
        )
    stacked = np.stack(list(values.values()))
    told = {
        "network": network,
        "layer": layer,
        "side": side,
        "grid": list(grid),
        "dim": stacked.shape[-1],
        "names": list(values),
    }
    data = save({"features": stacked}, {"memnets": json.dumps(told)})
    path = Path(path)
    write_bytes(path, data)
    return path


def read_features(path: str | os.PathLike[str], **expected: Any) -> Features:
    """Read the features of pictures.

    Args:
        path: of the file.
        expected: what they must be of, such as `layer="conv5_4"`, `side=224` or `dim=512`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no file of features, or one of another network, layer or size.
    """
    from safetensors import SafetensorError, safe_open

    path = existing(path)
    try:
        with safe_open(path, framework="numpy") as file:
            told = json.loads((file.metadata() or {})["memnets"])
            values = file.get_tensor("features")
        described = {name: told[name] for name in FIELDS}
        names = tuple(told["names"])
        slots = described["grid"][0] * described["grid"][1]
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path}: it is no file of features as write_features writes it ({error}). "
            f"Compute the features anew."
        ) from None
    if values.shape != (len(names), slots, described["dim"]):
        raise ValueError(
            f"{path}: its features have the shape {values.shape}; expected {len(names)} pictures "
            f"of {slots} places, each of width {described['dim']}. Compute the features anew."
        )
    for name, wanted in expected.items():
        if described[name] != wanted:
            raise ValueError(
                f"{path}: the {name} of its features is {described[name]}; expected {wanted}. Give "
                f"the file that was made so, or compute the features anew."
            )
    return Features(path, names, values, described)

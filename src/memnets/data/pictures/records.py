"""Pictures and what is said of them, as arrays and words. No tensors."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NOBODY = -1
"""Owner of a word that names no object."""


@dataclass(frozen=True)
class Scenes:
    """Generated pictures of objects, each with its one right caption.

    Attributes:
        images: `(scene, height, width, 3)`, whole numbers from 0 to 255.
        captions: the words of each.
        owners: which object each word names, counted from 0; `NOBODY` for words that name none.
        centres: `(scene, object, 2)`, across and down in pixels; where a scene has fewer objects
            than another, NaN.
        radii: `(scene, object)` in pixels; NaN likewise.
    """

    images: np.ndarray
    captions: tuple[tuple[str, ...], ...]
    owners: tuple[tuple[int, ...], ...]
    centres: np.ndarray
    radii: np.ndarray

    def __len__(self) -> int:
        return len(self.images)

    @property
    def texts(self) -> tuple[str, ...]:
        """The captions as text."""
        return tuple(" ".join(words) for words in self.captions)

    def take(self, rows: Sequence[int] | np.ndarray) -> "Scenes":
        """Return some of the scenes, in another order or number."""
        rows = np.asarray(rows, dtype=np.int64)
        return Scenes(
            self.images[rows],
            tuple(self.captions[row] for row in rows),
            tuple(self.owners[row] for row in rows),
            self.centres[rows],
            self.radii[rows],
        )

    @property
    def sha256(self) -> str:
        """The checksum of pictures, words, and places."""
        found = hashlib.sha256(np.ascontiguousarray(self.images).tobytes())
        found.update(repr((self.captions, self.owners)).encode())
        found.update(np.round(np.nan_to_num(self.centres), 3).tobytes())
        return found.hexdigest()

"""Many texts on disk, mapped into memory and read one by one."""

import shutil
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

KINDS: dict[str, type] = {"letters": np.uint8, "offsets": np.int64}
"""The arrays of texts."""
SPOOL = "letters.spool"
AT_ONCE = 2**20
"""Bytes that are written at once."""


class Texts(Sequence[str]):
    """Texts in the order in which they were written.

    Args:
        arrays: those of `KINDS`; text n is letters[offsets[n]:offsets[n + 1]] in UTF-8.
    """

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self._letters = arrays["letters"].data
        self._offsets = arrays["offsets"].data

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, number: int) -> str:  # type: ignore[override]
        if not 0 <= number < len(self):
            raise IndexError(number)
        letters = self._letters[self._offsets[number] : self._offsets[number + 1]]
        return bytes(letters).decode()


class TextWriter:
    """Writes texts as they come; what stays in memory is their offsets.

    Args:
        folder: where the arrays go.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._offsets = array("q", [0])
        self._waiting = bytearray()
        folder.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def add(self, text: str) -> None:
        letters = text.encode()
        self._waiting += letters
        self._offsets.append(self._offsets[-1] + len(letters))
        if len(self._waiting) >= AT_ONCE:
            self._spool()

    def finish(self) -> None:
        """Save the arrays."""
        self._spool()
        header = {"descr": "|u1", "fortran_order": False, "shape": (self._offsets[-1],)}
        with (self._folder / "letters.npy").open("wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            with (self._folder / SPOOL).open("rb") as spool:
                shutil.copyfileobj(spool, file)
        np.save(self._folder / "offsets.npy", np.array(self._offsets, np.int64))

    def _spool(self) -> None:
        # Opened for a moment only: a builder that fails leaves nothing to be closed.
        with (self._folder / SPOOL).open("ab") as spool:
            spool.write(self._waiting)
        self._waiting.clear()

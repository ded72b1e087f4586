"""Patterns of 1 and -1 from a user's own files: pictures, and rows of a CSV. Imports no torch."""

import csv
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memnets.data.pictures.images import read_image

PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"}
SIGNS = {"0": -1, "1": 1, "-1": -1, "+1": 1}
"""What may stand in a CSV; 0 is -1."""
LUMA = (0.299, 0.587, 0.114)
"""Of red, green and blue, for grey."""


class Patterns(NamedTuple):
    """Rows of 1 and -1.

    Attributes:
        rows: (pattern, neuron).
        names: where each was read.
        shape: in which a pattern is drawn; dark is 1.
    """

    rows: np.ndarray
    names: tuple[str, ...]
    shape: tuple[int, int]


def read_patterns(path: Path, side: int) -> Patterns:
    """Read what is stored: a CSV, one picture, or all pictures of a folder, by name.

    Args:
        path: of a file or folder.
        side: pixels of a side to which pictures are brought, their middle cut out.

    Raises:
        FileNotFoundError: there is nothing.
        ValueError: a row of the CSV has other numbers or another length, or a picture cannot be
            read, or there is none.
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
        if not files:
            raise ValueError(
                f"{path}: no picture in this folder; expected files such as one.png. Name a folder "
                f"that holds some, or a CSV."
            )
        return _pictures(files, side)
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: there is no such file. Name a CSV, a picture, or a folder of pictures."
        )
    return _pictures([path], side) if path.suffix.lower() in PICTURES else _rows(path)


def _pictures(files: list[Path], side: int) -> Patterns:
    rows = np.stack([_signs(read_image(file, side), file) for file in files])
    return Patterns(rows, tuple(file.name for file in files), (side, side))


def _signs(image: np.ndarray, file: Path) -> np.ndarray:
    """Return a picture as a row: dark pixels are 1, those of its middle grey and above -1."""
    if (image == image[0, 0]).all():
        raise ValueError(
            f"{file}: the picture is of one colour, so that no middle grey parts dark from light; "
            f"expected both (at its sides it was cut to a square). Give another one."
        )
    grey = image @ np.array(LUMA)
    middle = (float(grey.min()) + float(grey.max())) / 2
    return np.where(grey < middle, 1, -1).astype(np.int8).reshape(-1)


def _rows(path: Path) -> Patterns:
    rows: list[list[int]] = []
    low: set[float] = set()  # how the lower of both numbers is written
    with path.open(newline="", encoding="utf-8-sig") as file:
        try:
            for number, words in enumerate(csv.reader(file), start=1):
                if words:
                    place = f"{path}:{number}"
                    rows.append(_row(words, place, len(rows[0]) if rows else 0))
                    low.update(float(word) for word in words if float(word) < 1)
                    _expect_one_kind(place, low)
        except (UnicodeDecodeError, csv.Error) as error:
            raise ValueError(
                f"{path}: this is no CSV of text ({error}). Save it as a CSV, or give a picture "
                f"its own ending, such as .png."
            ) from None
    if not rows:
        raise ValueError(f"{path}: the file is empty; expected a pattern a line, 0,1,1,0, say.")
    names = tuple(f"row {number}" for number in range(1, len(rows) + 1))
    return Patterns(np.array(rows, dtype=np.int8), names, _shape(len(rows[0])))


def _row(words: list[str], place: str, width: int) -> list[int]:
    if width and len(words) != width:
        raise ValueError(
            f"{place}: {len(words)} numbers, but the first line has {width}; expected as many. "
            f"Fill the line up."
        )
    row = []
    for column, word in enumerate(words, start=1):
        try:
            sign = SIGNS.get(word.strip()) or SIGNS[f"{float(word):g}"]
        except (ValueError, KeyError):
            mend = "Turn each number into one of two, and leave a line of names out."
            if len(words) == 1 and any(mark in word.strip() for mark in "; \t"):
                mend = "Part the numbers by commas."
            raise ValueError(
                f"{place}: column {column} holds {word[:40]!r}, expected 0 or 1, or -1 or 1. {mend}"
            ) from None
        row.append(sign)
    return row


def _expect_one_kind(place: str, low: set[float]) -> None:
    if len(low) > 1:
        raise ValueError(
            f"{place}: 0 and -1 both came in this file by now, expected 0 and 1, or else -1 and 1. "
            f"Write one of them for the other."
        )


def _shape(width: int) -> tuple[int, int]:
    """Return the most nearly square shape of so many numbers."""
    high = next(one for one in range(math.isqrt(width), 0, -1) if width % one == 0)
    return high, width // high

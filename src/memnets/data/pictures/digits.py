"""Grids of real handwritten digits, and the captions that read them from left to right.

The digits are the 1,797 of 8 x 8 pixels that scikit-learn ships (UCI, optical recognition of
handwritten digits, test part). Splits have digits of their own: what is learnt from one writer's
stroke is not what is measured.

Cite: alpaydin1998
"""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from memnets.data.pictures.records import Scenes
from memnets.data.rows import records

NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SIDE, ENLARGED = 8, 2
"""Pixels of a digit's side, and how often each is laid out in both directions."""
CELL = SIDE * ENLARGED
GRID = 4
"""Rows and columns of a grid."""
FEWEST, MOST = 2, 4
"""Digits in a grid."""
INK = 16
"""The largest number of a pixel in the files."""
NOISE = 64
JITTER = 2
"""Pixels by which a digit may stand beside the middle of its cell, in both directions."""
FILE = "digits.csv.gz"
COUNT = 1797


def load_digits(path: str | os.PathLike[str] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the digits, `(digit, 8, 8)` from 0 to 16, and what each of them is.

    Args:
        path: the file, or a folder with it; by default MEMNETS_DATA, or an installed scikit-learn.

    Raises:
        FileNotFoundError: it is nowhere.
        ValueError: it is damaged.
    """
    file = _find(path)
    rows = np.array(list(records(file, _digit)), dtype=np.int64)
    if not len(rows):
        raise ValueError(f"{file}: it holds no digit; expected {COUNT:,}. Fetch it anew.")
    return rows[:, :-1].reshape(-1, SIDE, SIDE), rows[:, -1]


def digit_grids(
    number: int,
    seed: int | Sequence[int],
    digits: tuple[np.ndarray, np.ndarray],
) -> Scenes:
    """Draw grids of two to four digits, each in a column of its own.

    Args:
        number: how many.
        seed: decides all of them.
        digits: that are drawn, and what they are, as `load_digits` returns them.

    Raises:
        ValueError: the number is negative, or there is no digit.
    """
    pictures, labels = digits
    if number < 0 or not len(labels):
        raise ValueError(
            f"digit_grids(number={number}) of {len(labels):,} digits: expected 0 grids or more, "
            f"of one digit at least."
        )
    dice = np.random.default_rng(seed)
    side = GRID * CELL
    many = dice.integers(FEWEST, MOST + 1, number)
    columns = _columns(dice, many)
    rows = dice.integers(GRID, size=(number, MOST))
    drawn = dice.integers(len(labels), size=(number, MOST))
    moved = dice.integers(-JITTER, JITTER + 1, (number, MOST, 2))
    images = dice.integers(0, NOISE + 1, (number, side, side), dtype=np.uint8)
    top = np.clip(rows * CELL + moved[..., 1], 0, side - CELL)
    left = np.clip(columns * CELL + moved[..., 0], 0, side - CELL)
    ink = np.kron(pictures * 255 // INK, np.ones((ENLARGED, ENLARGED), int)).astype(np.uint8)
    for grid in range(number):
        for n in range(many[grid]):
            y, x = top[grid, n], left[grid, n]
            there = images[grid, y : y + CELL, x : x + CELL]
            np.maximum(there, ink[drawn[grid, n]], out=there)
    present = np.arange(MOST) < many[:, None]
    centres = np.stack([left, top], -1) + CELL / 2
    said = labels[drawn]
    return Scenes(
        np.repeat(images[..., None], 3, axis=-1),
        tuple(
            tuple(NAMES[digit] for digit in row[:count])
            for row, count in zip(said, many, strict=True)
        ),
        tuple(tuple(range(count)) for count in many.tolist()),
        np.where(present[..., None], centres, np.nan),
        np.where(present, CELL / 2, np.nan),
    )


def split_digits(
    digits: tuple[np.ndarray, np.ndarray], seed: int = 0
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return disjoint digits to learn from, to choose by and to report: 70, 10 and 20 per cent.

    Args:
        digits: all of them.
        seed: decides which is where.
    """
    order = np.random.default_rng(seed).permutation(len(digits[1]))
    first, second = round(0.7 * len(order)), round(0.8 * len(order))
    parts = zip(("train", "valid", "test"), np.split(order, [first, second]), strict=True)
    return {name: (digits[0][rows], digits[1][rows]) for name, rows in parts}


def _columns(dice: np.random.Generator, many: np.ndarray) -> np.ndarray:
    """Return rising columns of each grid, of which the first so many are taken."""
    found = np.zeros((len(many), MOST), dtype=np.int64)
    order = dice.permuted(np.tile(np.arange(GRID), (len(many), 1)), axis=1)
    for row, count in enumerate(many):
        found[row, :count] = np.sort(order[row, :count])
    return found


def _digit(line: str) -> list[int]:
    numbers = [float(part) for part in line.split(",")]
    if len(numbers) != SIDE**2 + 1 or not all(0 <= n <= INK for n in numbers) or numbers[-1] > 9:
        raise ValueError(
            f"{len(numbers)} numbers came; expected {SIDE**2} pixels from 0 to {INK} and a digit. "
            f"Fetch the file anew."
        )
    return [int(number) for number in numbers]


def _find(path: str | os.PathLike[str] | None) -> Path:
    places = []
    if path is not None:
        places += [Path(path), Path(path) / FILE, Path(path) / "digits" / FILE]
    elif "MEMNETS_DATA" in os.environ:
        places += [Path(os.environ["MEMNETS_DATA"], "digits", FILE)]
    spec = find_spec("sklearn") if path is None else None
    if spec is not None and spec.origin is not None:
        places.append(Path(spec.origin).parent / "datasets" / "data" / FILE)
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(
        f"{path or 'digits'}: the handwritten digits ({FILE}, of scikit-learn) are not there. "
        f"Run: pip install scikit-learn, or put that file into digits/ below MEMNETS_DATA."
    )

"""easy-VQA: pictures of one shape in one colour, and simple questions. MIT licence.

A part is a folder with `questions.json`, rows of question, answer and number of a picture, and
`images` with the pictures by their numbers.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memnets.data.pictures.asked import AskedPictures
from memnets.data.pictures.images import read_image
from memnets.data.pictures.questions import read_json
from memnets.data.rows import existing

SIDE = 64
"""Pixels of a picture's side."""
SHAPES = ("circle", "rectangle", "triangle")
GROUPS = {"yes_no": ("yes_no",), "open": ("shape", "colour")}
PLACES = ("", "data", "easy_vqa", "easy_vqa/data")
"""Where the parts are looked for, below the folder that was named."""


def load_easy_vqa(
    folder: str | os.PathLike[str] | None, part: str, side: int = SIDE
) -> AskedPictures:
    """Load the questions of a part.

    Args:
        folder: of the set; by default MEMNETS_DATA.
        part: "train" or "test".
        side: pixels that pictures are resized to.

    Raises:
        FileNotFoundError: the set, or a picture, is not there.
        ValueError: a file cannot be read.
    """
    path = _found(folder, part)
    rows = read_json(existing(path / "questions.json"))
    if not isinstance(rows, list) or not rows:
        raise ValueError(
            f"{path / 'questions.json'}: it holds no list of questions; expected rows such as "
            f'["what color is the shape?", "blue", 0]. Fetch the file anew.'
        )
    asked = [_row(path, number, row) for number, row in enumerate(rows, 1)]
    pictures = sorted({picture for _, _, picture in asked})
    at = {picture: n for n, picture in enumerate(pictures)}
    return AskedPictures(
        np.stack([read_image(path / "images" / f"{n}.png", side) for n in pictures]),
        np.array([at[picture] for _, _, picture in asked]),
        tuple(question for question, _, _ in asked),
        tuple(answer for _, answer, _ in asked),
        tuple(_kind(answer) for _, answer, _ in asked),
        GROUPS,
    )


def _row(path: Path, number: int, row: Any) -> tuple[str, str, int]:
    kinds = (str, str, int)
    right = isinstance(row, Sequence) and len(row) == 3
    if not right or not all(isinstance(one, kind) for one, kind in zip(row, kinds, strict=True)):
        raise ValueError(
            f"{path / 'questions.json'}: row {number} is {str(row)[:80]}; expected a question, an "
            f"answer and the number of a picture. Fetch the file anew."
        )
    return row[0], row[1], row[2]


def _kind(answer: str) -> str:
    if answer in ("yes", "no"):
        return "yes_no"
    return "shape" if answer in SHAPES else "colour"


def _found(folder: str | os.PathLike[str] | None, part: str) -> Path:
    named = folder if folder is not None else os.environ.get("MEMNETS_DATA")
    places = [] if named is None else [Path(named, place, part) for place in PLACES]
    for place in places:
        if (place / "questions.json").is_file():
            return place
    raise FileNotFoundError(
        f"{named or 'easy-VQA'}: easy-VQA is not there ({part}/questions.json and {part}/images). "
        f"Fetch the folder data of github.com/vzhou842/easy-VQA, and name it with --data.path."
    )

"""SHAPES: nine cells with shapes, and whether a description holds (Andreas et al., 2016).

A part is three files: `train.tiny.input.npy`, pictures of 30 x 30 pixels whose colours stand in the
order blue, green, red; `.query_str.txt`, a question a line; `.output`, "true" or "false" a line.
The parts for training are tiny, small, med and large; those that have pictures are taken together.

Cite: andreas2016
"""

import os
from pathlib import Path

import numpy as np

from memnets.data.pictures.asked import AskedPictures
from memnets.data.rows import decoded, existing, numbered

SIZES = ("train.tiny", "train.small", "train.med", "train.large")
ANSWERS = {"true": "yes", "false": "no"}


def load_shapes(folder: str | os.PathLike[str] | None, part: str) -> AskedPictures:
    """Load the questions of a part; each has a picture of its own.

    Args:
        folder: of the set; by default `shapes` below MEMNETS_DATA.
        part: "train", "val" or "test".

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: one cannot be read, or they do not fit together.
    """
    named = folder if folder is not None else os.environ.get("MEMNETS_DATA")
    root = Path(named or ".")
    root = root / "shapes" if (root / "shapes").is_dir() else root
    names = [name for name in SIZES if _input(root, name).is_file()] if part == "train" else [part]
    if not names or not _input(root, names[0]).is_file():
        raise FileNotFoundError(
            f"{root}: SHAPES is not there ({(names or SIZES)[0]}.input.npy). Fetch the folder "
            f"exp_shapes/shapes_dataset of github.com/ronghanghu/n2nmn, and name it with "
            f"--data.path."
        )
    images, questions, answers = zip(*(_part(root, name) for name in names), strict=True)
    texts = tuple(text for part_of in questions for text in part_of)
    said = tuple(text for part_of in answers for text in part_of)
    return AskedPictures(
        np.concatenate(images), np.arange(len(texts)), texts, said, ("yes_no",) * len(texts)
    )


def _input(root: Path, name: str) -> Path:
    return root / f"{name}.input.npy"


def _part(root: Path, name: str) -> tuple[np.ndarray, list[str], list[str]]:
    path = _input(root, name)
    try:
        images = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(
            f"{path}: it is no array of NumPy that can be read to its end ({error}). Fetch it anew."
        ) from None
    if images.ndim != 4 or images.shape[3] != 3 or images.dtype != np.uint8:
        raise ValueError(
            f"{path}: it holds {images.shape} of type {images.dtype}; expected pictures as "
            f"(picture, height, width, 3) of type uint8. Fetch it anew."
        )
    questions = _lines(root / f"{name}.query_str.txt")
    said = _lines(root / f"{name}.output")
    if not len(images) == len(questions) == len(said):
        raise ValueError(
            f"{path}: {len(images)} pictures, {len(questions)} questions and {len(said)} answers "
            f"came; expected as many of each. Fetch the files anew."
        )
    for row, answer in enumerate(said, 1):
        if answer not in ANSWERS:
            raise ValueError(
                f"{root / f'{name}.output'}:{row}: {answer[:80]!r} came; expected true or false. "
                f"Fetch the file anew."
            )
    return images[..., ::-1].copy(), questions, [ANSWERS[answer] for answer in said]


def _lines(path: Path) -> list[str]:
    lines = (decoded(data).strip() for _, data in numbered(existing(path)))
    return [line for line in lines if line]

"""sort-of-CLEVR: six objects of six colours, and what is asked of one, or of one and the others.

The data of Santoro et al. (2017), made anew. In a generator that is often copied an object may be
its own closest one, in nearly seven of a hundred such questions; here it never is. Pictures in
which two objects are as close, or as far, are left out: nobody could say which is meant.

Cite: santoro2017
"""

from collections.abc import Sequence

import numpy as np

from memnets.data.pictures.asked import AskedPictures, Objects
from memnets.data.pictures.records import NOBODY

SIDE = 75
"""Pixels of a picture's side."""
SIZE = 5
"""Pixels from an object's centre to its edge."""
APART = 10
"""Pixels between two centres, at least."""
COLOURS = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "orange": (255, 156, 0),
    "gray": (128, 128, 128),
    "yellow": (255, 255, 0),
}
SHAPES = ("circle", "rectangle")
QUESTIONS = {
    "shape": "what is the shape of the {} object?",
    "left": "is the {} object on the left?",
    "top": "is the {} object on the top?",
    "closest": "what is the shape of the object closest to the {} object?",
    "furthest": "what is the shape of the object furthest from the {} object?",
    "count": "how many other objects have the shape of the {} object?",
}
GROUPS = {
    "non_relational": ("shape", "left", "top"),
    "relational": ("closest", "furthest", "count"),
}
EACH = 10
"""Questions of either group about a picture."""
_CHUNK = 500


def sort_of_clevr(number: int, seed: int | Sequence[int]) -> AskedPictures:
    """Draw pictures, and ask twenty questions about each.

    Args:
        number: of pictures.
        seed: decides all of it.

    Raises:
        ValueError: the number is negative.
    """
    if number < 0:
        raise ValueError(f"sort_of_clevr(number={number}): expected 0 pictures or more.")
    dice = np.random.default_rng(seed)
    centres = _drawn(dice, number)
    shapes = dice.integers(len(SHAPES), size=(number, len(COLOURS)))
    kinds = np.concatenate(
        [dice.integers(3, size=(number, EACH)), 3 + dice.integers(3, size=(number, EACH))], 1
    ).flatten()
    named = dice.integers(len(COLOURS), size=len(kinds))
    of = np.repeat(np.arange(number), 2 * EACH)
    said, meant = _answers(centres, shapes, of, named, kinds)
    names, colours = list(QUESTIONS), list(COLOURS)
    images = [
        _painted(centres[n : n + _CHUNK], shapes[n : n + _CHUNK]) for n in range(0, number, _CHUNK)
    ]
    return AskedPictures(
        np.concatenate(images) if images else np.zeros((0, SIDE, SIDE, 3), np.uint8),
        of,
        tuple(
            QUESTIONS[names[kind]].format(colours[colour])
            for kind, colour in zip(kinds, named, strict=True)
        ),
        said,
        tuple(names[kind] for kind in kinds),
        GROUPS,
        objects=Objects(centres + 0.5, float(SIZE), named, meant),
    )


def _drawn(dice: np.random.Generator, number: int) -> np.ndarray:
    """Return the centres of objects, those of a picture apart and at distances that differ."""
    found = np.zeros((0, len(COLOURS), 2), np.int64)
    while len(found) < number:
        missing = number - len(found)
        more = _apart(dice, missing + missing // 16 + 8)
        found = np.concatenate([found, more[~_tied(more)][:missing]])
    return found


def _apart(dice: np.random.Generator, number: int) -> np.ndarray:
    centres = np.zeros((number, len(COLOURS), 2), np.int64)
    for item in range(len(COLOURS)):
        rows = np.arange(number)
        while len(rows):
            drawn = dice.integers(SIZE, SIDE - SIZE, (len(rows), 2))
            away = ((centres[rows, :item] - drawn[:, None]) ** 2).sum(-1)
            fits = (away >= APART**2).all(1)
            centres[rows[fits], item] = drawn[fits]
            rows = rows[~fits]
    return centres


def _distances(centres: np.ndarray) -> np.ndarray:
    """Return the squared distances of all objects from all."""
    return np.asarray(((centres[:, :, None] - centres[:, None]) ** 2).sum(-1))


def _tied(centres: np.ndarray) -> np.ndarray:
    """Return in which pictures an object has two closest, or two furthest ones."""
    ordered = np.sort(_distances(centres), axis=-1)  # the first is the object itself, 0 away
    tied = (ordered[..., 1] == ordered[..., 2]) | (ordered[..., -1] == ordered[..., -2])
    return np.asarray(tied.any(1))


def _answers(
    centres: np.ndarray, shapes: np.ndarray, of: np.ndarray, named: np.ndarray, kinds: np.ndarray
) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the answer to each question, and which other object it asks for."""
    away = _distances(centres).astype(float)
    furthest = away.argmax(-1)
    own = np.arange(len(COLOURS))
    away[:, own, own] = np.inf  # nothing is closest to itself
    closest = away.argmin(-1)
    x, y = centres[of, named].T
    alike = (shapes[of] == shapes[of, named][:, None]).sum(1) - 1
    names = list(QUESTIONS)
    meant = np.full(len(of), NOBODY)
    for name, others in (("closest", closest), ("furthest", furthest)):
        asked = kinds == names.index(name)
        meant[asked] = others[of[asked], named[asked]]
    told = np.array(SHAPES)[shapes[of, np.where(meant == NOBODY, named, meant)]].astype("U9")
    for name, here in (("left", x < SIDE / 2), ("top", y < SIDE / 2)):
        told = np.where(kinds == names.index(name), np.where(here, "yes", "no"), told)
    told = np.where(kinds == names.index("count"), alike.astype(str), told)
    return tuple(told.tolist()), meant


def _painted(centres: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    images = np.full((len(centres), SIDE, SIDE, 3), 255, np.uint8)
    place = np.arange(SIDE)
    for item, colour in enumerate(COLOURS.values()):
        dx = place[None, None, :] - centres[:, item, 0, None, None]
        dy = place[None, :, None] - centres[:, item, 1, None, None]
        circle = dx**2 + dy**2 <= SIZE**2
        square = (np.abs(dx) <= SIZE) & (np.abs(dy) <= SIZE)
        covered = np.where(shapes[:, item, None, None] == SHAPES.index("circle"), circle, square)
        images[covered] = colour
    return images

"""ShapeScenes: two coloured shapes, and the one caption that says how they stand.

"a red circle left of a blue square": a picture has exactly one right caption, and it is known which
object each word names, so that it can be measured whether an attention looks there. The object that
is named first is the first by colour, then by shape, then from the left: not by its place alone, or
two of the four relations could never be said.
"""

from collections.abc import Callable, Sequence

import numpy as np

from memnets.data.pictures.records import NOBODY, Scenes

SIDE = 56
"""Pixels of a picture's side."""
COLOURS = {
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.2, 0.2, 1.0),
    "yellow": (1.0, 1.0, 0.0),
}
SHAPES = ("circle", "square", "triangle", "cross")
RELATIONS = (("left", "of"), ("right", "of"), ("above",), ("below",))
RADII = (6.0, 8.0)
APART = 3.0
"""Pixels between two shapes, at least."""
CLEAR = 4.0
"""Where one shape stands as far beside the other as above it, nobody can say which: scenes whose
two distances differ by less are left out."""
DARKEST, NOISE = 0.75, 64
"""The least brightness of a colour, and the most of the background, of 255."""
_CHUNK = 500
_PAIRS = len(COLOURS) * len(SHAPES)


def shape_scenes(
    number: int, seed: int | Sequence[int], pairs: Sequence[tuple[str, str]] | None = None
) -> Scenes:
    """Draw scenes of two shapes.

    Args:
        number: how many.
        seed: decides all of them.
        pairs: the (colour, shape) pairs that may occur; by default all sixteen. A split of its own
            pairs tests what was never seen together.

    Raises:
        ValueError: the number is negative, or a pair is of no colour or shape that there is.
    """
    if number < 0:
        raise ValueError(f"shape_scenes(number={number}): expected 0 scenes or more.")
    allowed = np.array(_numbers(pairs))
    dice = np.random.default_rng(seed)
    parts: list[tuple[np.ndarray, ...]] = []
    missing = number
    while missing > 0:
        drawn = _drawn(dice, 3 * missing + 64, allowed)
        kept = tuple(part[:missing] for part in drawn)
        parts.append(kept)
        missing -= len(kept[0])
    if not parts:
        empty = np.zeros((0, SIDE, SIDE, 3), np.uint8)
        return Scenes(empty, (), (), np.zeros((0, 2, 2)), np.zeros((0, 2)))
    centres, radii, kinds = (np.concatenate(part) for part in zip(*parts, strict=True))
    said = [_caption(*scene) for scene in zip(centres, kinds, strict=True)]
    images = [
        _painted(dice, centres[n : n + _CHUNK], radii[n : n + _CHUNK], kinds[n : n + _CHUNK])
        for n in range(0, number, _CHUNK)
    ]
    return Scenes(
        np.concatenate(images),
        tuple(words for words, _ in said),
        tuple(owners for _, owners in said),
        centres,
        radii,
    )


def relation(first: np.ndarray, second: np.ndarray) -> tuple[str, ...]:
    """Return how the first of two places stands to the second, in words.

    Args:
        first, second: across and down.
    """
    dx, dy = first - second
    if abs(dx) > abs(dy):
        return RELATIONS[0] if dx < 0 else RELATIONS[1]
    return RELATIONS[2] if dy < 0 else RELATIONS[3]


def held_out_pairs(number: int = 3) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the pairs of colour and shape to learn from, and those that are held out.

    Of each colour and of each shape some remain to be learnt from.

    Args:
        number: how many are held out, 4 at most.
    """
    colours = list(COLOURS)
    out = tuple((colours[n], SHAPES[n]) for n in range(min(number, len(colours))))
    whole = tuple((colour, shape) for colour in colours for shape in SHAPES)
    return tuple(pair for pair in whole if pair not in out), out


def _numbers(pairs: Sequence[tuple[str, str]] | None) -> list[int]:
    """Return the numbers of pairs, which order them by colour, then by shape."""
    if pairs is None:
        return list(range(_PAIRS))
    colours, found = list(COLOURS), []
    for colour, shape in pairs:
        if colour not in COLOURS or shape not in SHAPES:
            raise ValueError(
                f"shape_scenes: there is no {colour!r} {shape!r}. Expected a colour of "
                f"{', '.join(COLOURS)} and a shape of {', '.join(SHAPES)}."
            )
        found.append(colours.index(colour) * len(SHAPES) + SHAPES.index(shape))
    if not found:
        raise ValueError("shape_scenes: no pair of colour and shape came. Give one at least.")
    return found


def _drawn(dice: np.random.Generator, number: int, allowed: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return places, radii and kinds of those of `number` draws that are fit to be told."""
    radii = dice.uniform(*RADII, (number, 2))
    centres = radii[..., None] + dice.uniform(size=(number, 2, 2)) * (SIDE - 2 * radii)[..., None]
    kinds = allowed[dice.integers(len(allowed), size=(number, 2))]
    away = np.abs(centres[:, 0] - centres[:, 1])
    apart = np.hypot(*away.T) > radii.sum(1) + APART
    clear = np.abs(away[:, 0] - away[:, 1]) >= CLEAR
    fit = apart & clear
    centres, radii, kinds = centres[fit], radii[fit], kinds[fit]
    order = np.lexsort((centres[..., 0], kinds), axis=1)
    by_name = order[..., None]
    return (
        np.take_along_axis(centres, by_name, 1),
        np.take_along_axis(radii, order, 1),
        np.take_along_axis(kinds, order, 1),
    )


def _caption(centres: np.ndarray, kinds: np.ndarray) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the words of a scene, and which object each of them names."""
    names = [(list(COLOURS)[kind // len(SHAPES)], SHAPES[kind % len(SHAPES)]) for kind in kinds]
    between = relation(*centres)
    words = ("a", *names[0], *between, "a", *names[1])
    owners = (NOBODY, 0, 0, *[NOBODY] * len(between), NOBODY, 1, 1)
    return words, owners


def _painted(
    dice: np.random.Generator, centres: np.ndarray, radii: np.ndarray, kinds: np.ndarray
) -> np.ndarray:
    """Paint scenes: noise, and two shapes upon it."""
    images = dice.integers(0, NOISE + 1, (len(centres), SIDE, SIDE, 3), dtype=np.uint8)
    bright = dice.uniform(DARKEST, 1.0, (len(centres), 2, 1))
    palette = 255 * np.array(list(COLOURS.values()))
    colours = np.round(palette[kinds // len(SHAPES)] * bright).astype(np.uint8)
    place = np.arange(SIDE, dtype=np.float32) + 0.5
    for item in range(2):
        for shape, name in enumerate(SHAPES):
            rows = np.flatnonzero(kinds[:, item] % len(SHAPES) == shape)
            across, down = centres[rows, item].astype(np.float32).T[..., None, None]
            dx, dy = place[:, None].T - across, place[:, None] - down
            r = radii[rows, item, None, None].astype(np.float32)
            row, y, x = np.nonzero(_COVERS[name](dx, dy, r))
            images[rows[row], y, x] = colours[rows[row], item]
    return images


def _circle(dx: np.ndarray, dy: np.ndarray, r: np.ndarray) -> np.ndarray:
    return dx**2 + dy**2 <= r**2


def _square(dx: np.ndarray, dy: np.ndarray, r: np.ndarray) -> np.ndarray:
    return (np.abs(dx) <= 0.85 * r) & (np.abs(dy) <= 0.85 * r)


def _triangle(dx: np.ndarray, dy: np.ndarray, r: np.ndarray) -> np.ndarray:
    return (dy >= -r) & (dy <= 0.8 * r) & (np.abs(dx) <= (dy + r) / 2)  # it points up


def _cross(dx: np.ndarray, dy: np.ndarray, r: np.ndarray) -> np.ndarray:
    wide, high, bar = np.abs(dx), np.abs(dy), 0.3 * r
    return ((wide <= bar) & (high <= r)) | ((high <= bar) & (wide <= r))


_COVERS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "cross": _cross,
}
"""Which pixels a shape covers: those so far across and down from its centre (`dy` grows
downwards), of a shape of such a radius."""

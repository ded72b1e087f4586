"""Whether an attention looks at what a word names: on pictures whose objects are known.

A place is on an object where its centre lies within the object's radius and some pixels. Uniform
weights, and a random place, are right by chance only: `chance` is beside every figure.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

MARGIN = 4.0
"""Pixels around an object that count as it."""


class Objects(NamedTuple):
    """What is in each picture, and which words name it.

    Attributes:
        centres: of every object, across and down in pixels; NaN where a picture has fewer.
        radii: in pixels.
        owners: the object that each word of a caption names; negative where it names none.
    """

    centres: Float[Tensor, "image object 2"]
    radii: Float[Tensor, "image object"]
    owners: Int[Tensor, "image word"]

    def take(self, rows: Int[Tensor, " row"]) -> "Objects":
        """Return those of some pictures."""
        return Objects(*(part[rows] for part in self))


class Pointing(NamedTuple):
    """Sums over words that name an object; each is to be divided by `words`.

    Attributes:
        words: how many there are.
        right: whose place of highest weight is on the object.
        other: whose place of highest weight is on another object.
        mass: weight on the object.
        chance: share of places on the object: what a random place, and uniform weights, get.
    """

    words: int
    right: float
    other: float
    mass: float
    chance: float


def on_objects(
    objects: Objects, grid: tuple[int, int], side: tuple[int, int], margin: float = MARGIN
) -> Bool[Tensor, "image object slot"]:
    """Return which places lie on each object.

    Args:
        objects: of the pictures.
        grid: rows and columns of places.
        side: height and width of a picture in pixels.
        margin: pixels around an object that count as it.
    """
    rows, columns = grid
    device = objects.centres.device
    down = (torch.arange(rows, device=device) + 0.5) * side[0] / rows
    across = (torch.arange(columns, device=device) + 0.5) * side[1] / columns
    places = torch.stack([across.repeat(rows), down.repeat_interleave(columns)], -1)
    away = (objects.centres.unsqueeze(2) - places).norm(dim=-1)
    return away <= objects.radii.unsqueeze(-1) + margin  # NaN is on nothing


def pointed(
    weights: Float[Tensor, "image word slot"],
    owners: Int[Tensor, "image _"],
    there: Bool[Tensor, "image object slot"],
) -> Pointing:
    """Measure where words looked.

    Args:
        weights: how much each word took of each place.
        owners: the object of each word.
        there: which places lie on each object.
    """
    owners = owners[:, : weights.shape[1]]
    image, word = (owners >= 0).nonzero(as_tuple=True)
    if not len(image):
        return Pointing(0, 0.0, 0.0, 0.0, 0.0)
    named = owners[image, word]
    taken, on = weights[image, word], there[image, named]
    most = taken.argmax(-1, keepdim=True)
    others = there[image].any(1) & ~on
    return Pointing(
        len(image),
        float(on.gather(1, most).sum()),
        float(others.gather(1, most).sum()),
        float((taken * on).sum()),
        float(on.double().mean(-1).sum()),
    )

"""Pictures about their own mean colour, before a stem sees them."""

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.layers.stems.base import Stem

MIDDLE = 0.5
"""What stems take for the middle between black and white."""


class Centred(Stem):
    r"""Take the mean colour of each picture for the middle, so that what is even says nothing.

    $$ a = \mathrm{stem}(x - \bar x + \tfrac12) $$

    On a white ground a few small objects are a small part of what a network sees; about the mean
    colour, they are nearly all of it.

    Deviations: no paper's; a stem of this package.

    Args:
        stem: that sees the pictures then.
    """

    def __init__(self, stem: Stem) -> None:
        super().__init__()
        self.stem, self.dim = stem, stem.dim

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights of the stem."""
        self.stem.reset_parameters(generator)

    def grid(self, height: int, width: int) -> tuple[int, int]:
        return self.stem.grid(height, width)

    def forward(
        self, images: Float[Tensor, "image channel height width"]
    ) -> Float[Tensor, "image slot dim"]:
        seen: Tensor = self.stem(images - images.mean((2, 3), keepdim=True) + MIDDLE)
        return seen

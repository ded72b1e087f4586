"""What every stem does: turn pictures into vectors of their places, row after row."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Stem(nn.Module, ABC):
    """Turn pictures into annotations: a vector for every place of a grid, row after row."""

    dim: int
    """Width of a vector."""

    @abstractmethod
    def forward(
        self, images: Float[Tensor, "image channel height width"]
    ) -> Float[Tensor, "image slot dim"]:
        """See pictures; the places of a row stand together, from left to right."""

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights; weights that were published stay as they are."""

    @abstractmethod
    def grid(self, height: int, width: int) -> tuple[int, int]:
        """Return how many rows and columns a picture of so many pixels is seen as."""


def in_rows(
    seen: Float[Tensor, "image dim row column"],
) -> Float[Tensor, "image slot dim"]:
    """Return what a convolution has seen, a vector a place, row after row."""
    return seen.flatten(2).mT.contiguous()

"""Vectors of places that were computed before: nothing is left to be seen."""

from jaxtyping import Float
from torch import Tensor

from memnets.layers.stems.base import Stem
from memnets.ops.sizes import at_least_one


class Given(Stem):
    """Pass on what was seen before, refusing what is of another width or grid.

    Args:
        dim: width of a vector.
        grid: rows and columns.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, grid: tuple[int, int]) -> None:
        super().__init__()
        at_least_one("Given", dim=dim, rows=grid[0], columns=grid[1])
        self.dim, self.cells = dim, tuple(grid)

    def grid(self, height: int, width: int) -> tuple[int, int]:
        return self.cells[0], self.cells[1]

    def forward(self, images: Float[Tensor, "image slot dim"]) -> Float[Tensor, "image slot dim"]:
        slots = self.cells[0] * self.cells[1]
        if images.shape[1:] != (slots, self.dim):
            raise ValueError(
                f"Given: features of shape {tuple(images.shape[1:])} came, expected ({slots}, "
                f"{self.dim}). Compute them with the network and layer of the run."
            )
        return images

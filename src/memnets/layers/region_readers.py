"""Region readers: from what a stem sees of a picture to slots, in an order that can be fused."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.encoders import Encoder
from memnets.ops.sizes import at_least_one, share_of_it

Order = Callable[[int, int], Int[Tensor, " slot"]]
"""From rows and columns to the places of a grid, as they are read one after the other."""


def snake(rows: int, columns: int) -> Int[Tensor, " slot"]:
    """Return the places of a grid in snake order: one row from the left, the next from the right.

    Neighbours in the order are neighbours in the picture. The order is its own inverse: what stands
    in it is brought back to the grid by the same numbers.

    Args:
        rows: of the grid.
        columns: of the grid.
    """
    places = row_by_row(rows, columns).view(rows, columns)
    places[1::2] = places[1::2].flip(1)
    return places.flatten()


def row_by_row(rows: int, columns: int) -> Int[Tensor, " slot"]:
    """Return the places of a grid row after row, each from the left: the control of `snake`."""
    return torch.arange(rows * columns)


class RegionReader(nn.Module):
    r"""Make slots of a picture's regions, and let them know of each other.

    $$ r_i = \tanh(W v_i + b), \qquad
       f_1, \dots, f_N = \mathrm{fusion}(r_{\pi(1)}, \dots, r_{\pi(N)}) $$
    (Xiong et al., section 3.2)

    $v_i$ is what a stem sees at a place, $\pi$ the order in which places are read.

    Deviations: where the snake begins the paper leaves to a figure: here at the upper left.
    Cite: xiong2016

    Args:
        dim: width of what the stem sees at a place.
        grid: rows and columns.
        hidden: width of a region, and of a slot without fusion.
        fusion: over the regions in their order; without it each stands by itself.
        dropout: share of the numbers of $v_i$ that is set to zero in training.
        order: of the places.

    Raises:
        ValueError: a size is below 1, or the dropout is no share.
    """

    order: Tensor

    def __init__(
        self,
        dim: int,
        grid: tuple[int, int],
        hidden: int,
        fusion: Encoder | None = None,
        dropout: float = 0.0,
        order: Order = snake,
    ) -> None:
        super().__init__()
        at_least_one("RegionReader", dim=dim, rows=grid[0], columns=grid[1], hidden=hidden)
        share_of_it("RegionReader", dropout=dropout)
        self.grid = grid
        self.hidden = hidden if fusion is None else fusion.hidden
        self.dropout = nn.Dropout(dropout)
        self.project, self.fusion = nn.Linear(dim, hidden), fusion
        self.register_buffer("order", order(*grid), persistent=False)

    def forward(
        self, places: Float[Tensor, "image slot dim"]
    ) -> Float[Tensor, "image slot hidden"]:
        """Return the slots of pictures, in the order of reading.

        Args:
            places: what a stem saw, row after row.

        Raises:
            ValueError: there are not as many places as in the grid.
        """
        if places.shape[1] != len(self.order):
            raise ValueError(
                f"RegionReader: {places.shape[1]} places came, expected {len(self.order)}, a grid "
                f"of {self.grid[0]} x {self.grid[1]}. Build the reader for the grid of the stem."
            )
        regions = torch.tanh(self.project(self.dropout(places)))[:, self.order]
        return regions if self.fusion is None else self.fusion(regions)

    def on_grid(self, weights: Float[Tensor, "*batch slot"]) -> Float[Tensor, "*batch row column"]:
        """Return weights of the slots where their places stand in the picture."""
        laid = torch.empty_like(weights)
        laid[..., self.order] = weights
        return laid.unflatten(-1, self.grid)

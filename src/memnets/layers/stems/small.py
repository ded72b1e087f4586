"""A small convolutional network, to be trained together with what reads it."""

from collections.abc import Sequence
from itertools import pairwise

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.stems.base import Stem, in_rows
from memnets.ops.sizes import at_least, at_least_one

SPREAD = 0.1
"""Standard deviation of the vectors that tell a place, at first."""


class SmallCNN(Stem):
    r"""See pictures by convolutions of 4 x 4, each of which halves both sides.

    $$ a_i = \mathrm{ReLU}(W * x)_i + p_i $$

    $p_i$ is learned, one vector a place: what is seen does not tell where, and a caption may have
    to say it. What a place sees lies evenly around its centre, as four pixels lie around the middle
    of two; of 3 x 3 that halve, a place of the third layer sees 3.5 pixels beside it.

    With `batch_norm`, what a layer computes is brought to mean 0 and variance 1 over a batch before
    its ReLU (Ioffe and Szegedy, 2015).

    Deviations: no paper's; a stem of this package.
    Cite: ioffe2015

    Args:
        channels: width of each layer; the last is that of an annotation.
        side: pixels of a picture's side, as (height, width).
        deep: further layers of 3 x 3 behind the last, which keep its size.
        colours: of a picture.
        batch_norm: whether layers are normalised over a batch.

    Raises:
        ValueError: a size is below 1, or the picture has fewer pixels than would be halved.
    """

    def __init__(
        self,
        channels: Sequence[int],
        side: tuple[int, int],
        deep: int = 0,
        colours: int = 3,
        batch_norm: bool = False,
    ) -> None:
        super().__init__()
        at_least_one(
            "SmallCNN", colours=colours, **{f"channels_{n}": c for n, c in enumerate(channels)}
        )
        at_least(0, "SmallCNN", "Pass 0 for none.", deep=deep)
        self.halved = len(channels)
        at_least(
            2**self.halved, "SmallCNN", "Pass a larger picture.", height=side[0], width=side[1]
        )
        widths = [colours, *channels, *[channels[-1]] * deep]
        self.layers = nn.ModuleList(
            nn.Conv2d(before, after, 4, stride=2, padding=1)
            if n < self.halved
            else nn.Conv2d(before, after, 3, padding=1)
            for n, (before, after) in enumerate(pairwise(widths))
        )
        norm: type[nn.Module] = nn.BatchNorm2d if batch_norm else nn.Identity
        self.norms = nn.ModuleList(norm(width) for width in widths[1:])
        self.side, self.dim = tuple(side), widths[-1]
        rows, columns = self.grid(*side)
        self.places = nn.Parameter(torch.empty(rows * columns, self.dim))
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw weights that keep the size of what is seen (He et al., 2015); biases are 0."""
        with torch.no_grad():
            for layer in self.layers:
                assert isinstance(layer, nn.Conv2d)
                assert layer.bias is not None
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu", generator=generator)
                nn.init.zeros_(layer.bias)
            self.places.normal_(std=SPREAD, generator=generator)
        for norm in self.norms:
            if isinstance(norm, nn.BatchNorm2d):
                norm.reset_parameters()

    def grid(self, height: int, width: int) -> tuple[int, int]:
        for _ in range(self.halved):
            height, width = height // 2, width // 2
        return height, width

    def forward(
        self, images: Float[Tensor, "image channel height width"]
    ) -> Float[Tensor, "image slot dim"]:
        if tuple(images.shape[2:]) != self.side:
            raise ValueError(
                f"SmallCNN: pictures of {images.shape[2]} x {images.shape[3]} pixels came, "
                f"expected {self.side[0]} x {self.side[1]}. Resize them."
            )
        x = images - 0.5
        for layer, norm in zip(self.layers, self.norms, strict=True):
            x = F.relu(norm(layer(x)))
        return in_rows(x) + self.places

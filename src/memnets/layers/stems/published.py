"""What stems with published weights share: names of layers, normalised colours, frozen weights."""

from abc import abstractmethod
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.stems.base import Stem, in_rows

MEAN, SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of the colours of ImageNet: what published weights were trained on."""


class PublishedStem(Stem):
    """A network that was trained on ImageNet, up to a named layer.

    Its names and shapes are those of torchvision's weights, which `load_weights` reads. Pictures
    are red, green and blue from 0 to 1.

    Args:
        layer: the last one that is computed, a key of `layers_of`.

    Raises:
        ValueError: there is no such layer.
    """

    unused: tuple[str, ...] = ()
    """How names of published weights begin that lie behind the layer."""
    network: str
    layers_of: ClassVar[dict[str, int]]
    """Every layer that can be named, and how many times smaller than the picture its grid is."""

    def __init__(self, layer: str) -> None:
        super().__init__()
        if layer not in self.layers_of:
            raise ValueError(
                f"{type(self).__name__}(layer={layer!r}): there is no such layer. Choose one of "
                f"{', '.join(self.layers_of)}."
            )
        self.layer = layer
        shape = (1, 3, 1, 1)
        self.register_buffer("mean", torch.tensor(MEAN).reshape(shape), persistent=False)
        self.register_buffer("spread", torch.tensor(SPREAD).reshape(shape), persistent=False)

    def frozen(self) -> "PublishedStem":
        """Return it with weights that learn nothing."""
        self.requires_grad_(False)
        return self

    def train(self, mode: bool = True) -> "PublishedStem":
        """Train what follows: the means of its own layers stay as they were published."""
        super().train(mode)
        for part in self.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()
        return self

    def grid(self, height: int, width: int) -> tuple[int, int]:
        smaller = self.layers_of[self.layer]
        return height // smaller, width // smaller

    def forward(
        self, images: Float[Tensor, "image channel height width"]
    ) -> Float[Tensor, "image slot dim"]:
        smaller = self.layers_of[self.layer]
        height, width = images.shape[2:]
        if images.shape[1] != 3 or height % smaller or width % smaller or not height * width:
            raise ValueError(
                f"{type(self).__name__}: pictures of {images.shape[1]} colours and {height} x "
                f"{width} pixels came; layer {self.layer} expects 3 colours and sides that "
                f"{smaller} divides. Resize them."
            )
        assert isinstance(self.mean, Tensor)
        assert isinstance(self.spread, Tensor)
        return in_rows(self.seen((images - self.mean) / self.spread))

    @abstractmethod
    def seen(
        self, images: Float[Tensor, "image 3 height width"]
    ) -> Float[Tensor, "image dim row column"]:
        """Compute the layer, of pictures whose colours are normalised."""

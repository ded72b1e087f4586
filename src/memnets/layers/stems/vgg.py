"""VGG-19 (Simonyan and Zisserman, 2015), up to its last pooling."""

from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.stems.published import PublishedStem

BLOCKS = ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4))
"""Width and number of the convolutions before each pooling."""


class VGG19(PublishedStem):
    r"""See pictures by the sixteen convolutions of VGG-19.

    `conv5_4` is the last of them, behind its ReLU: $14 \times 14 \times 512$ of 224 pixels, the
    annotations of Xu et al. `pool5` stands behind the last pooling: as much of 448 pixels, the
    regions of Xiong et al. Weights are named as torchvision has them.

    Deviations: none.
    Cite: simonyan2015, xu2015, xiong2016

    Args:
        layer: the last one that is computed.

    Raises:
        ValueError: there is no such layer.
    """

    network = "vgg19"
    layers_of: ClassVar = {"conv5_4": 16, "pool5": 32}
    unused = ("classifier.",)

    def __init__(self, layer: str = "conv5_4") -> None:
        super().__init__(layer)
        parts: list[nn.Module] = []
        width = 3
        for wider, number in BLOCKS:
            for _ in range(number):
                parts += [nn.Conv2d(width, wider, 3, padding=1), nn.ReLU()]
                width = wider
            parts.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*(parts if layer == "pool5" else parts[:-1]))
        self.dim = width

    def seen(
        self, images: Float[Tensor, "image 3 height width"]
    ) -> Float[Tensor, "image dim row column"]:
        found: torch.Tensor = self.features(images)
        return found

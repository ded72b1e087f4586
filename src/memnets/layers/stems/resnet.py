"""ResNet-50, 101 and 152 (He et al., 2016), up to one of their four stages."""

from typing import ClassVar

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.stems.published import PublishedStem

DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
"""Blocks of each stage."""
WIDTHS = (64, 128, 256, 512)
EXPANDED = 4
"""How much wider a block ends than it is in its middle."""


class _Bottleneck(nn.Module):
    """A block: narrow, look around, widen, and add what came in.

    Deviations: the stride stands at the 3 x 3 convolution, as in the published weights, and not at
    the first.
    Cite: he2016

    Args:
        before: width of what comes in.
        width: in the middle.
        stride: of the block.
    """

    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        after = EXPANDED * width
        self.conv1 = nn.Conv2d(before, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, after, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(after)
        self.downsample = (
            nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))
            if stride != 1 or before != after
            else None
        )

    def forward(
        self, x: Float[Tensor, "image before height width"]
    ) -> Float[Tensor, "image after row column"]:
        kept = x if self.downsample is None else self.downsample(x)
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        return F.relu(self.bn3(self.conv3(x)) + kept)


class ResNet(PublishedStem):
    r"""See pictures by a residual network.

    `layer4` of 224 pixels is $7 \times 7 \times 2048$, of 448 pixels $14 \times 14$; `layer3` of
    224 is $14 \times 14 \times 1024$. Weights are named as torchvision has them.

    Deviations: a block has its stride at the 3 x 3 convolution, as in the published weights.
    Cite: he2016

    Args:
        depth: 50, 101 or 152.
        layer: the last stage that is computed.

    Raises:
        ValueError: there is no such network or layer.
    """

    layers_of: ClassVar = {"layer1": 4, "layer2": 8, "layer3": 16, "layer4": 32}

    def __init__(self, depth: int = 101, layer: str = "layer4") -> None:
        super().__init__(layer)
        if isinstance(depth, bool) or depth not in DEPTHS:
            raise ValueError(
                f"ResNet(depth={depth!r}): there is no such network; expected one of "
                f"{', '.join(map(str, DEPTHS))}. Choose the one whose weights you have."
            )
        self.network = f"resnet{depth}"
        stages = int(layer.removeprefix("layer"))
        self.unused = ("fc.", *(f"layer{n}." for n in range(stages + 1, 5)))
        self.conv1 = nn.Conv2d(3, WIDTHS[0], 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(WIDTHS[0])
        before = WIDTHS[0]
        for stage in range(stages):
            width, blocks = WIDTHS[stage], []
            for block in range(DEPTHS[depth][stage]):
                stride = 2 if stage and not block else 1
                blocks.append(_Bottleneck(before, width, stride))
                before = EXPANDED * width
            self.add_module(f"layer{stage + 1}", nn.Sequential(*blocks))
        self.stages, self.dim = stages, before
        self.train(self.training)

    def seen(
        self, images: Float[Tensor, "image 3 height width"]
    ) -> Float[Tensor, "image dim row column"]:
        x: Tensor = F.relu(self.bn1(self.conv1(images)))
        x = F.max_pool2d(x, 3, stride=2, padding=1)
        for stage in range(self.stages):
            x = self.get_submodule(f"layer{stage + 1}")(x)
        return x

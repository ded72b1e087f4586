"""Stems: pictures as vectors of their places.

`small.py` is trained from scratch, and `centred.py` before it takes the mean colour of a picture
for the middle; `vgg.py` and `resnet.py` take published weights, which `weights.py` reads;
`given.py` passes on vectors that were computed before.
"""

from memnets.layers.stems.base import Stem, in_rows
from memnets.layers.stems.centred import Centred
from memnets.layers.stems.given import Given
from memnets.layers.stems.published import PublishedStem
from memnets.layers.stems.resnet import ResNet
from memnets.layers.stems.small import SmallCNN
from memnets.layers.stems.vgg import VGG19
from memnets.layers.stems.weights import load_weights

__all__ = [
    "VGG19",
    "Centred",
    "Given",
    "PublishedStem",
    "ResNet",
    "SmallCNN",
    "Stem",
    "in_rows",
    "load_weights",
]

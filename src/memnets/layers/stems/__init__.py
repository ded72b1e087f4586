"""Stems: pictures as vectors of their places.

`small.py` is trained from scratch; `vgg.py` and `resnet.py` take published weights, which
`weights.py` reads; `given.py` passes on vectors that were computed before, which `features.py`
keeps on disk with the name of their layer.
"""

from memnets.layers.stems.base import Stem, in_rows
from memnets.layers.stems.given import Given
from memnets.layers.stems.small import SmallCNN

__all__ = ["Given", "SmallCNN", "Stem", "in_rows"]

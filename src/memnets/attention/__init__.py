"""Attention: how well a slot matches (score), how much of it is taken (align), the read.

`Attention(score=ScaledDot(), align=Softmax())` composes any score with any align.
"""

from memnets.attention.aligns import Align, Aligned, Identity, PaddedSoftmax, Softmax
from memnets.attention.attend import Attention, Readout
from memnets.attention.context import AlignContext
from memnets.attention.scores import Dot, ScaledDot, Score

__all__ = [
    "Align",
    "AlignContext",
    "Aligned",
    "Attention",
    "Dot",
    "Identity",
    "PaddedSoftmax",
    "Readout",
    "ScaledDot",
    "Score",
    "Softmax",
]

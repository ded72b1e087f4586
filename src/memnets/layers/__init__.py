"""Parts that models share."""

from memnets.layers.encoders import (
    ConvolutionalEncoder,
    Encoder,
    Reach,
    RecurrentEncoder,
    SelfAttentionEncoder,
    sinusoids,
)
from memnets.layers.sentences import (
    BagOfWords,
    CentredPositionEncoding,
    PositionEncoding,
    SentenceReader,
)

__all__ = [
    "BagOfWords",
    "CentredPositionEncoding",
    "ConvolutionalEncoder",
    "Encoder",
    "PositionEncoding",
    "Reach",
    "RecurrentEncoder",
    "SelfAttentionEncoder",
    "SentenceReader",
    "sinusoids",
]

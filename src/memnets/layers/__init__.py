"""Parts that models share."""

from memnets.layers.sentences import (
    BagOfWords,
    CentredPositionEncoding,
    PositionEncoding,
    SentenceReader,
)

__all__ = ["BagOfWords", "CentredPositionEncoding", "PositionEncoding", "SentenceReader"]

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
from memnets.layers.zone_choice import (
    NoZones,
    RandomZones,
    RenormalisedZones,
    TopZones,
    TwiceSoftmaxZones,
    ZoneChoice,
)
from memnets.layers.zone_keys import (
    BiLSTMKey,
    LastKey,
    LinearKey,
    MeanKey,
    MLPKey,
    TransformerKey,
    ZoneKey,
)

__all__ = [
    "BagOfWords",
    "BiLSTMKey",
    "CentredPositionEncoding",
    "ConvolutionalEncoder",
    "Encoder",
    "LastKey",
    "LinearKey",
    "MLPKey",
    "MeanKey",
    "NoZones",
    "PositionEncoding",
    "RandomZones",
    "Reach",
    "RecurrentEncoder",
    "RenormalisedZones",
    "SelfAttentionEncoder",
    "SentenceReader",
    "TopZones",
    "TransformerKey",
    "TwiceSoftmaxZones",
    "ZoneChoice",
    "ZoneKey",
    "sinusoids",
]

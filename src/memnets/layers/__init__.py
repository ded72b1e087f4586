"""Parts that models share."""

from memnets.layers.encoders import (
    ConvolutionalEncoder,
    Encoder,
    Reach,
    RecurrentEncoder,
    SelfAttentionEncoder,
    SummedDirections,
    sinusoids,
)
from memnets.layers.gates import Gate, KumarGate, XiongGate
from memnets.layers.sentences import (
    BagOfWords,
    CentredPositionEncoding,
    OwnLengthPositionEncoding,
    PlacedWords,
    PositionEncoding,
    RecurrentReader,
    SentenceReader,
)
from memnets.layers.story_readers import SentencesOfStory, StoryReader, WordsOfStory
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
    "Gate",
    "KumarGate",
    "LastKey",
    "LinearKey",
    "MLPKey",
    "MeanKey",
    "NoZones",
    "OwnLengthPositionEncoding",
    "PlacedWords",
    "PositionEncoding",
    "RandomZones",
    "Reach",
    "RecurrentEncoder",
    "RecurrentReader",
    "RenormalisedZones",
    "SelfAttentionEncoder",
    "SentenceReader",
    "SentencesOfStory",
    "StoryReader",
    "SummedDirections",
    "TopZones",
    "TransformerKey",
    "TwiceSoftmaxZones",
    "WordsOfStory",
    "XiongGate",
    "ZoneChoice",
    "ZoneKey",
    "sinusoids",
]

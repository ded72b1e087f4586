"""Parts that models share."""

from memnets.layers.decoding import Hypotheses, beam_search, by_length, by_log_prob, greedy, never
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
from memnets.layers.reset_first import (
    ContextCell,
    ResetFirstCell,
    ResetFirstEncoder,
    ResetLastCell,
)
from memnets.layers.sentences import (
    BagOfWords,
    CentredPositionEncoding,
    OwnLengthPositionEncoding,
    PlacedWords,
    PositionEncoding,
    RecurrentReader,
    SentenceReader,
)
from memnets.layers.stepwise import Annotations, LastState, Past, StepReader, Stepwise
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
    "Annotations",
    "BagOfWords",
    "BiLSTMKey",
    "CentredPositionEncoding",
    "ContextCell",
    "ConvolutionalEncoder",
    "Encoder",
    "Gate",
    "Hypotheses",
    "KumarGate",
    "LastKey",
    "LastState",
    "LinearKey",
    "MLPKey",
    "MeanKey",
    "NoZones",
    "OwnLengthPositionEncoding",
    "Past",
    "PlacedWords",
    "PositionEncoding",
    "RandomZones",
    "Reach",
    "RecurrentEncoder",
    "RecurrentReader",
    "RenormalisedZones",
    "ResetFirstCell",
    "ResetFirstEncoder",
    "ResetLastCell",
    "SelfAttentionEncoder",
    "SentenceReader",
    "SentencesOfStory",
    "StepReader",
    "Stepwise",
    "StoryReader",
    "SummedDirections",
    "TopZones",
    "TransformerKey",
    "TwiceSoftmaxZones",
    "WordsOfStory",
    "XiongGate",
    "ZoneChoice",
    "ZoneKey",
    "beam_search",
    "by_length",
    "by_log_prob",
    "greedy",
    "never",
    "sinusoids",
]

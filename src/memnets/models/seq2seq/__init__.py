"""Translation with attention (Bahdanau et al., 2015; Luong et al., 2015).

`network.py` is what all models share: a source is read, a decoder says the target word by word.
`sources.py` has the readers of the source. `rnnsearch.py` and `luong.py` are the decoders of the
two papers, each on one screen; `presets.py` composes the papers' models, `initial.py` draws their
first weights. `alignment.py` puts words in the place of unknown ones.
"""

from memnets.models.seq2seq.alignment import replace_unknown
from memnets.models.seq2seq.initial import bahdanau_initial, luong_initial, modern_initial
from memnets.models.seq2seq.luong import FedLuongDecoder, LuongDecoder
from memnets.models.seq2seq.network import Decoder, NextWord, Said, Seq2Seq, State, Taught
from memnets.models.seq2seq.presets import example, luong, luong_fed, rnnsearch, rnnsearch_torch
from memnets.models.seq2seq.rnnsearch import SearchDecoder, maxout
from memnets.models.seq2seq.sources import (
    Backwards,
    BothWays,
    Source,
    SourceReader,
    Stacked,
    WithHeads,
)

__all__ = [
    "Backwards",
    "BothWays",
    "Decoder",
    "FedLuongDecoder",
    "LuongDecoder",
    "NextWord",
    "Said",
    "SearchDecoder",
    "Seq2Seq",
    "Source",
    "SourceReader",
    "Stacked",
    "State",
    "Taught",
    "WithHeads",
    "bahdanau_initial",
    "example",
    "luong",
    "luong_fed",
    "luong_initial",
    "maxout",
    "modern_initial",
    "replace_unknown",
    "rnnsearch",
    "rnnsearch_torch",
]

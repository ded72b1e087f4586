"""Treebanks: sentences with labelled words or phrases, and text cut into words as they cut it."""

from memnets.data.treebanks.sentiment import (
    LABELS,
    SENTIMENT_SPLITS,
    LabelledPhrase,
    SentimentTree,
    load_sentiment,
    read_sentiment,
    read_tree,
)
from memnets.data.treebanks.tagged import (
    COLUMNS,
    TAGGED_SPLITS,
    TaggedSentence,
    TaggedWord,
    load_tagged,
    read_tagged,
)
from memnets.data.treebanks.tokens import treebank_words

__all__ = [
    "COLUMNS",
    "LABELS",
    "SENTIMENT_SPLITS",
    "TAGGED_SPLITS",
    "LabelledPhrase",
    "SentimentTree",
    "TaggedSentence",
    "TaggedWord",
    "load_sentiment",
    "load_tagged",
    "read_sentiment",
    "read_tagged",
    "read_tree",
    "treebank_words",
]

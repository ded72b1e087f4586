"""Treebanks: sentences with labelled words or phrases, and text cut into words as they cut it."""

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
    "TAGGED_SPLITS",
    "TaggedSentence",
    "TaggedWord",
    "load_tagged",
    "read_tagged",
    "treebank_words",
]

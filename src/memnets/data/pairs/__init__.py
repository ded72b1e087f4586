"""Sentences and their translations: files, vocabularies of words and subwords, BLEU.

>>> pairs = load_multi30k("train")
>>> words = Words.of(pair.source for pair in pairs)
>>> words.text(words.numbers(pairs[0].source))
"""

from memnets.data.pairs.bleu import EDGES, Bleu, LengthBin, bleu, bleu_by_length
from memnets.data.pairs.files import (
    MOST_WORDS,
    SentencePair,
    load_pairs,
    read_pairs,
    read_sentences,
)
from memnets.data.pairs.kept import vocabulary_from_json
from memnets.data.pairs.multi30k import FILES, LANGUAGES, PAIRS, load_multi30k
from memnets.data.pairs.subwords import Subwords
from memnets.data.pairs.vocabulary import (
    BEGIN,
    END,
    PADDING,
    SPECIAL,
    UNKNOWN,
    SentenceVocabulary,
)
from memnets.data.pairs.words import Words, join_words, split_words

__all__ = [
    "BEGIN",
    "EDGES",
    "END",
    "FILES",
    "LANGUAGES",
    "MOST_WORDS",
    "PADDING",
    "PAIRS",
    "SPECIAL",
    "UNKNOWN",
    "Bleu",
    "LengthBin",
    "SentencePair",
    "SentenceVocabulary",
    "Subwords",
    "Words",
    "bleu",
    "bleu_by_length",
    "join_words",
    "load_multi30k",
    "load_pairs",
    "read_pairs",
    "read_sentences",
    "split_words",
    "vocabulary_from_json",
]

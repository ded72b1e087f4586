"""Texts for language models: read from a folder that the user names, each file known by digest.

>>> text = load_text("shakespeare", "my/texts")
>>> text.splits["train"], text.vocabulary.symbols[:3]
"""

from memnets.data.text.files import SETS, Part, TextSet, find_parts
from memnets.data.text.texts import TEXTS, Text, load_text, make_text
from memnets.data.text.units import (
    END,
    UNITS,
    UNKNOWN,
    SymbolVocabulary,
    characters,
    letters,
    words,
)

__all__ = [
    "END",
    "SETS",
    "TEXTS",
    "UNITS",
    "UNKNOWN",
    "Part",
    "SymbolVocabulary",
    "Text",
    "TextSet",
    "characters",
    "find_parts",
    "letters",
    "load_text",
    "make_text",
    "words",
]

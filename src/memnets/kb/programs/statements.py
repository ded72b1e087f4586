"""What is typed and asks for nothing: "we had a lovely day at the Summit, thank you!"."""

import re

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.linking.words import question_words
from memnets.kb.programs.forms import word_set
from memnets.kb.programs.lexicon import TELL, YES_OR_NO

_SEEKING = TELL | word_set(
    "want wants wanted need needs like know looking look wonder wondering curious please "
    "everything anything something names list count number"
)
"""They ask for something, wherever they stand."""
_TOLD = re.compile(
    r"(what an? (?!\w+ (is|are|was|were|does|do|did)\b)|never ?mind\b|may (all|you) |"
    r"(i|we) (left|had|stayed|was|were|went|saw|loved|liked|met|think|believe|hope|forgot)\b|"
    r"(you|he|she|they) (are|is|was|were)\b|"
    r"my \w+ (loved|loves|liked|likes|says|said|was|is|thinks)\b)"
)
"""Begins what is told."""


def is_told(question: str, names_end: int) -> bool:
    """Whether a text is told and asks for nothing.

    So it is where it begins as what is told does, or with a name and its verb and ends in a stop;
    and no word of it asks.

    Args:
        question: as it was typed.
        names_end: where the name ends that it begins with, in words; 0 where it begins with none.
    """
    words, text = question_words(question), question.strip()
    if "?" in text or not words:
        return False
    exclaims = words[0] == "what"
    if not INTERROGATIVES.isdisjoint(words[exclaims:]) or not _SEEKING.isdisjoint(words):
        return False
    if _TOLD.match(" ".join(words)):
        return True
    behind = words[names_end : names_end + 1]
    acts = behind != [] and (behind[0] in YES_OR_NO or re.fullmatch(r"\w{3,}[^su]s", behind[0]))
    return names_end > 0 and text[-1] in ".!" and bool(acts) and len(words) > names_end + 2

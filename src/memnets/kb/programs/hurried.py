"""What is typed in a hurry: "hwo meny", "whomade", "room 3o9", "mgr"."""

import re
from collections.abc import Callable, Collection

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.linking.parts import distance
from memnets.kb.linking.sounds import nearly_alike
from memnets.kb.programs.everyday import is_everyday
from memnets.kb.programs.forms import word_set
from memnets.kb.questions.english import ABBREVIATED

SHORTEST = 4
"""Letters of a word that is run together with one of questions."""
TOGETHER = INTERROGATIVES | word_set("is are was were does did has in of by for from to the many")
"""Words that are run together with others."""
SHORTENED = {word: ABBREVIATED[word] for word in ("yr", "mgr", "qty", "num", "hrs")} | {
    **{"yrs": "years", "fav": "favourite", "ppl": "people"},
}
"""Words that are written short in questions, whatever a relation is called."""
_DIGITS = re.compile(r"\b(?=[a-z]*\d)(?=\d*[ol])[\dol]+\b", re.IGNORECASE)
_AS_DIGITS = str.maketrans("oOlL", "0011")
HOW_MUCH = word_set("many much old long far big tall high deep large heavy wide fast often")
"""What may stand behind "how"."""
_HOW = re.compile(r"\b(how|hwo|hou|haw|hw|ho)(\s+)([^\W\d_]{3,})", re.IGNORECASE)


def how_many(question: str, changed: dict[str, str]) -> str:
    """Return a question with "how" and the word behind it spelt right: "hwo meny", "how mutch".

    Args:
        question: as it was typed.
        changed: gets what was spelt otherwise.
    """

    def right(found: re.Match[str]) -> str:
        how, word = found[1].casefold(), found[3].casefold()
        meant = word if word in HOW_MUCH else _nearest(word, HOW_MUCH)
        if meant is None:
            return found[0]
        changed.update({one: of for one, of in ((how, "how"), (word, meant)) if one != of})
        return f"{as_typed(found[1], 'how')}{found[2]}{as_typed(found[3], meant)}"

    return _HOW.sub(right, question)


def _nearest(word: str, known: Collection[str]) -> str | None:
    """Return the one of some words that another is but for an error, or vowels; None if known."""
    near = {one for one in known if distance(word, one) == 1 or nearly_alike(word, one)}
    return near.pop() if len(near) == 1 and not is_everyday(word) else None


def in_digits(question: str, is_name: Callable[[str], bool], changed: dict[str, str]) -> str:
    """Return a question with numbers that are names, where letters stood for digits: "room 3o9".

    Args:
        question: as it was typed.
        is_name: whether words are a name.
        changed: gets what was spelt otherwise.
    """

    def right(found: re.Match[str]) -> str:
        number = found[0].translate(_AS_DIGITS)
        if is_name(found[0].casefold()) or not is_name(number):
            return found[0]
        changed[found[0].casefold()] = number
        return number

    return _DIGITS.sub(right, question)


def parted(word: str, is_word: Callable[[str], bool]) -> str | None:
    """Return two words that were run together, one of them a word of questions: "whomade".

    Args:
        word: that is unknown.
        is_word: whether another is known.
    """

    def is_telling(word: str) -> bool:
        return word in TOGETHER or (len(word) >= SHORTEST and is_word(word))

    pieces = [(word[:at], word[at:]) for at in range(2, len(word) - 1)]
    found = [
        f"{one} {other}"
        for one, other in pieces
        if (one in TOGETHER and is_telling(other)) or (other in TOGETHER and is_telling(one))
    ]
    return found[0] if len(found) == 1 else None


def as_typed(typed: str, meant: str) -> str:
    """Return what is meant with a capital where there was one, or in capitals."""
    if typed == typed.upper() != typed.lower() and len(typed) > 1:
        return meant.upper()
    return meant[:1].upper() + meant[1:] if typed[0].isupper() else meant

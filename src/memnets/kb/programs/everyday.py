"""The English words by which questions are understood, as they are spelt and as they sound."""

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.common import COMMON
from memnets.kb.linking.parts import distance
from memnets.kb.linking.sounds import sound
from memnets.kb.programs.associations import all_told
from memnets.kb.programs.forms import BASES
from memnets.kb.programs.lexicon import DEGREES, FILLING, NOT, PEOPLE
from memnets.kb.programs.wordings import groups, phrases
from memnets.kb.questions.english import PREPOSITIONS, stem
from memnets.kb.questions.ranking import ranker

COMMONEST = frozenset(
    STOP_WORDS | INTERROGATIVES | COMMON | FILLING | PEOPLE | NOT | DEGREES.keys() | PREPOSITIONS
)
MOST_ERRORS = 2
"""Letters that are wrong of a word that sounds like another."""
SHORTEST = 4
"""Letters of a word that is looked for by its sound."""
FIRST = {
    **{"k": "ckq", "f": "fp", "s": "scpxz", "n": "nkgp", "r": "rw", "j": "jg", "S": "sc"},
    **{"C": "ct", **dict.fromkeys("AEIOU", "aeiouy"), "h": "hw"},
}
"""The letters by which words are spelt that begin with a sound, where these are several."""
_COMPOUND = re.compile(
    r"(some|any|every|no)(where|how|what|one|body|things?|times?|more)"
    r"|(who|what|where|when|how|which|why)(so)?ever"
)


@cache
def _asking_words() -> frozenset[str]:
    """Return the words by which relations are said, whatever a knowledge base calls them."""
    return COMMONEST.union(*groups(), *map(str.split, phrases()), BASES.keys(), BASES.values())


@cache
def _told() -> str:
    """Return the words that bring relations to mind, each between spaces."""
    return all_told().replace("+", " ")


@lru_cache(2**16)
def is_everyday(word: str) -> bool:
    """Whether it is an English word by which questions are understood."""
    told = word in _asking_words() or f" {word} " in _told()
    return told or _COMPOUND.fullmatch(word) is not None


def is_written(word: str) -> bool:
    """Whether a word is often written, by those whose texts the ranker's pieces are from.

    It may be English that questions are hardly ever understood by, or a name: "carrot", "Tobias".
    """
    return word in ranker().encoder.pieces


@cache
def everyday_stems(letters: str) -> frozenset[str]:
    """Return the stems of those that begin with some letters: of all would take too long."""
    told = re.findall(rf" ({letters}\S*)", _told())
    return frozenset(
        map(stem, {*told, *(one for one in _asking_words() if one.startswith(letters))})
    )


def everyday_sounding(word: str) -> str | None:
    """Return the English word of questions that sounds like one; of several the likest, if one is.

    Args:
        word: that is unknown.
    """
    if len(word) < SHORTEST:
        return None
    heard = _sounds(FIRST.get(sound(word)[0], word[0])).get(sound(word), ())
    near = ((distance(word, one), one) for one in heard)
    errors = sorted(one for one in near if one[0] <= MOST_ERRORS)
    sure = len(errors) == 1 or (errors and errors[0][0] < errors[1][0])
    return errors[0][1] if sure else None


@cache
def _sounds(letters: str) -> Mapping[str, Collection[str]]:
    """Return the words that begin with one of some letters, by what they sound like."""
    found: dict[str, set[str]] = {}
    told = re.findall(rf" ([{letters}]\S*)", _told())
    for word in (*told, *(one for one in _asking_words() if one[:1] in letters)):
        if len(word) >= SHORTEST:
            found.setdefault(sound(word), set()).add(word)
    return found

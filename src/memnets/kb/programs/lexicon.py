"""Words of English that say what is to be done with facts, and words for what relations say.

They are few, written by hand and general: of counting, of order, of time, of leaving out.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.programs.operators import How


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


COUNT = (("how", "many"), ("number", "of"), ("count",), ("how", "often"))
"""Ask for a number of things."""
COMPARISONS: dict[tuple[str, ...], How] = {
    **dict.fromkeys((("more", "than"), ("over",), ("above",), ("after",)), "more than"),
    **dict.fromkeys((("later", "than"), ("higher", "than"), ("greater", "than")), "more than"),
    **dict.fromkeys((("larger", "than"), ("bigger", "than"), ("exceeding",)), "more than"),
    **dict.fromkeys((("longer", "than"), ("taller", "than"), ("newer", "than")), "more than"),
    **dict.fromkeys((("less", "than"), ("under",), ("below",), ("before",)), "less than"),
    **dict.fromkeys((("earlier", "than"), ("lower", "than"), ("smaller", "than")), "less than"),
    **dict.fromkeys((("fewer", "than"), ("shorter", "than"), ("cheaper", "than")), "less than"),
    **dict.fromkeys((("at", "least"), ("since",), ("from",)), "at least"),
    **dict.fromkeys((("at", "most"), ("until",), ("till",), ("up", "to")), "at most"),
}
"""Stand before a value, or before another entity whose value is meant."""
BEHIND: dict[tuple[str, ...], How] = {
    **dict.fromkeys((("or", "later"), ("or", "more"), ("or", "after")), "at least"),
    **dict.fromkeys((("or", "earlier"), ("or", "less"), ("or", "before")), "at most"),
    **dict.fromkeys((("or", "over"), ("and", "later"), ("and", "above")), "at least"),
}  # fmt: skip
"""Stand behind a value."""
NOT = _set("not no without outside neither nor never isn aren don doesn didn wasn weren hasn haven")
"""What is named next is denied; the "t" of "isn't" is a word of its own."""
EXCEPT = (
    *(("except",), ("besides",), ("excluding",), ("other", "than"), ("apart", "from")),
    *(("not", "counting"), ("but", "not"), ("aside", "from"), ("not", "including")),
)
"""What is named next is left out."""
YES_OR_NO = _set("is are was were does do did has have had")
"""A question that begins so is answered by yes or no, unless it asks for names as well."""
PEOPLE = _set(
    "people person persons somebody someone anybody anyone everybody everyone staff ones one "
    "things thing entries us company whole names name"
)
"""Say nothing of which are meant."""
FILLING = _set(
    "please tell show list give find look looking want like know knows need named called there "
    "different exactly direct directly all every each both work works working everybody many much "
    "possible current currently right got gets get well kind t re ve ll d m s"
)
"""Ask, and say nothing of what is asked."""


class Degree(NamedTuple):
    """What a superlative or comparative asks for."""

    least: bool
    """Of numbers."""
    least_of_dates: bool
    hints: str = ""
    """Words of the relations that it is likely to be about."""


_DEGREES = {
    "most highest largest biggest greatest maximum top more": Degree(False, False),
    "latest newest recent recently later": Degree(False, False, "date"),
    "last": Degree(False, False, "date start"),
    "least lowest smallest fewest minimum less fewer lower smaller": Degree(True, True),
    "earliest first earlier": Degree(True, True, "date start born"),
    "oldest older eldest": Degree(False, True, "born age founded built"),
    "youngest younger": Degree(True, False, "born age"),
    "longest longer": Degree(False, True, "start length duration"),
    "shortest shorter": Degree(True, False, "length height duration"),
    "tallest taller highest": Degree(False, False, "height"),
    "heaviest heavier": Degree(False, False, "weight"),
    "lightest lighter": Degree(True, True, "weight"),
    "deepest": Degree(False, False, "depth"),
    "widest": Degree(False, False, "width"),
    "dearest priciest": Degree(False, False, "price"),
    "cheapest cheaper": Degree(True, True, "price"),
    "richest": Degree(False, False, "salary"),
    "poorest": Degree(True, True, "salary"),
}
DEGREES = {word: degree for words, degree in _DEGREES.items() for word in words.split()}
"""By the words that ask for the most or the least of something."""

GROUPS = tuple(
    map(
        _set,
        (
            "manager boss supervisor superior manage supervise report chief under",
            "mentor coach tutor",
            "salary earn pay paid wage income money",
            "birthday birth born dob bday",
            "start started join joined hire hired begin began since",
            "language languages tongue tongues speak spoken speaks talks talk fluent",
            "based located location town city place lives live sit sits reside where seat",
            "job title occupation profession role position",
            "department division section team unit",
            "price cost costs worth expensive value",
            "height tall high", "length long", "weight heavy weigh weighs", "depth deep",
            "population inhabitants inhabited", "area size",
            "author writer write wrote written", "director direct directed",
            "maker make made artist painter painted created creator by",
            "founded founded established built erected opened year",
            "extension phone telephone dial ring rings", "capital seat", "currency money coin",
        ),
    )
)  # fmt: skip
"""Words that are said for the same relation, in both directions alike."""
SAID, ASKED = 0.6, 0.4
"""How surely a word of its group says a relation, and how surely "where" does."""
INVERSE = _set("report reports reported reporting under")
"""Verbs whose subject is the subject of the relation: who reports to Ada has her as a manager."""


def same_stem(one: str, other: str) -> bool:
    """Whether two words differ by an ending alone: "managed" and "manager"."""
    if one == other:
        return True
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    rests = one[common:], other[common:]
    if min(map(len, rests)) == 0 and max(rests) in ("s", "es"):
        return common > 1
    return common >= 4 and max(map(len, rests)) <= 3 and common > max(map(len, rests))


@lru_cache(2**16)
def likeness(word: str, relation: tuple[str, ...]) -> float:
    """Return how much a word of a question says a relation: 1 by its name, less by another word.

    Args:
        word: of the question, in lower case.
        relation: the words of its name.
    """
    telling = [part for part in relation if part not in STOP_WORDS]
    if word in STOP_WORDS - {"under"} or not telling:
        return 0.0
    if any(same_stem(word, part) for part in telling):
        return 1.0
    for group in GROUPS:
        says = word in group or any(len(one) > 3 and same_stem(word, one) for one in group)
        if says and any(same_stem(part, one) for part in telling for one in group):
            return ASKED if word in INTERROGATIVES else SAID
    return 0.0


def singulars(word: str) -> tuple[str, ...]:
    """Return what a word may be the plural of: "duties" of "duty"."""
    found = []
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    if re.search(r"(s|sh|ch|x|z|o)es$", word):
        found.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        found.append(word[:-1])
    if word.endswith("men"):
        found.append(word[:-3] + "man")
    return tuple(found)


def phrase_at(words: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands at a place."""
    return tuple(words[at : at + len(phrase)]) == phrase

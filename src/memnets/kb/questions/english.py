"""As much English grammar as the name of a relation needs to be asked after.

It is crude on purpose. A wrong form is read by nobody but the model, which learns it beside the
right ones; words that matter are matched by their beginning too.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

WEEKDAY = re.compile(r"(mon|tues?|wed(nes)?|thu(rs?)?|fri|sat(ur)?|sun)(day)?s?\b", re.IGNORECASE)
"""Begins a cell of days of the week: "Mon", "Tuesdays"."""
PREPOSITIONS = frozenset(
    re.findall(r"\S+", "of in at on by to from for with near under through into over about as")
)
AUXILIARIES = frozenset(re.findall(r"\S+", "has have had is was are were be been"))
KINDS = tuple(
    re.findall(
        r"\S+",
        "thing things one ones person people man woman film films movie movies picture book books "
        "song songs album work works place places town towns city cities country countries river "
        "rivers company companies team teams group product items item entry actor actors writer "
        "artist band author states village area name names",
    )
)
"""General nouns, which may stand before a name or for it."""
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "genre": ("kind", "type", "sort", "category"),
    "tags": ("keywords", "topics"),
    "actor": ("star", "performer", "cast member", "cast"),
    "actors": ("stars", "performers", "cast members", "cast"),
    "director": ("filmmaker",),
    "writer": ("author", "screenwriter"),
    "author": ("writer",),
    "manager": ("boss",),
    "spouse": ("husband", "wife", "partner"),
    "employer": ("workplace",),
    "population": ("number of inhabitants", "number of people"),
    "birthplace": ("place of birth", "hometown"),
    "language": ("tongue",),
    "mayor": ("head",),
    "price": ("cost",),
    "profession": ("job", "occupation"),
    "occupation": ("job", "profession"),
    "nationality": ("citizenship",),
}
"""Of nouns in the names of relations, by which these are asked after too."""
ABBREVIATED = {
    **{"acct": "account", "addr": "address", "amt": "amount", "avg": "average"},
    **{"cust": "customer", "dept": "department", "desc": "description", "elev": "elevation"},
    **{"emp": "employee", "hrs": "hours", "ht": "height", "lang": "language", "lat": "latitude"},
    **{"lng": "longitude", "loc": "location", "lon": "longitude", "mgr": "manager"},
    **{"nr": "number", "num": "number", "org": "organisation", "pct": "percent", "pos": "position"},
    **{"pop": "population", "qty": "quantity", "sal": "salary", "tel": "telephone"},
    **{"temp": "temperature", "univ": "university", "wt": "weight", "yr": "year"},
}
"""Words of relations' names as they are often written short; so is "no" behind others, a number."""
ENDINGS = ("ing", "ed", "er", "or", "e")
"""Of words without an s at their end; what is left is the stem, as far as that goes."""
SHORTEST = 3
"""Letters of a stem, at least."""


class Verb(NamedTuple):
    """The forms of a verb."""

    base: str
    third: str
    did: str
    """Its past tense."""
    past: str
    """Its participle."""
    gerund: str
    agent: str
    """Who does it."""


def relation_words(relation: str) -> list[str]:
    """Return the words of a relation's name, in lower case and without its namespace.

    `directed_by`, `directedBy`, `film/directed-by` and `http://a.org/ns#directed_by` are all
    "directed by"; what is written short is written out, `desk_no` as "desk number".
    """
    name = re.split(r"[/#:.]", relation.rstrip("/#:."))[-1]
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = re.findall(r"[^\W_]+", name.casefold())
    if len(words) > 1 and words[-1] == "no":
        words[-1] = "number"
    return [ABBREVIATED.get(word, word) for word in words]


@lru_cache(2**14)
def stem(word: str) -> str:
    """Return "direct" of "director", "directs" and "directed"."""
    one = word.removesuffix("s")
    ends = (one.removesuffix(end) for end in ENDINGS if one.endswith(end))
    return next((left for left in ends if len(left) >= SHORTEST), one)


def verb(participle: str, irregular: Mapping[str, list[str]]) -> Verb | None:
    """Return the verb of a participle, or None of a word that is none.

    Args:
        participle: "directed", "written".
        irregular: base, past tense and agent of participles that need to be told.
    """
    if participle in irregular:
        base, did, agent = irregular[participle]
    elif participle.endswith("ed") and len(participle) > 4:
        base, did = _base(participle), participle
        agent = _agent(base)
    else:
        return None
    return Verb(base, third(base), did, participle, gerund(base), agent)


def of_base(base: str) -> Verb:
    """Return the verb of a regular base."""
    stem = base.removesuffix("e")
    did = re.sub(r"(?<=[^aeiou])y$", "i", _doubled(stem)) + "ed"
    return Verb(base, third(base), did, did, gerund(base), _agent(base))


def third(base: str) -> str:
    """Return "directs" of "direct"."""
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ies"
    return base + ("es" if re.search(r"(s|sh|ch|x|z|o)$", base) else "s")


def base_of_third(word: str) -> str:
    """Return "flow" of "flows"."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return re.sub(r"(?<=(?:ss|sh|ch|.x|zz))es$|s$", "", word)


def gerund(base: str) -> str:
    """Return "directing" of "direct"."""
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


@lru_cache(2**14)
def numbers(noun: str) -> tuple[str, ...]:
    """Return a noun in the singular and the plural, whichever of them came."""
    if re.search(r"[^s]s$", noun) and len(noun) > 3:
        return base_of_third(noun), noun
    return noun, third(noun)


def _doubled(base: str) -> str:
    """Return "starr" of "star": as a short word of one syllable stands before an ending."""
    return base + base[-1] if re.fullmatch(r"[^aeiou]+[aeiou][bdgmnprt]", base) else base


def _base(participle: str) -> str:
    stem = participle.removesuffix("ed")
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if re.search(r"([bdgmnprt])\1$", stem):
        return stem[:-1]
    # An e was there after these endings: release, produce, create, change, settle, value.
    silent = re.search(r"(ea|[^s])s$|[cvzu]$|[^aeo]at$|[ie]at$|[nd]g$|[^aeioul]l$|[iu]r$", stem)
    return stem + "e" if silent else stem


def _agent(base: str) -> str:
    if base.endswith("ate"):
        return base[:-1] + "or"
    if base.endswith("ct"):
        return base + "or"
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ier"
    return _doubled(base) + ("r" if base.endswith("e") else "er")

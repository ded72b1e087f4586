"""What a sentence looks like when its names are taken out, and which names those are."""

import re
from functools import lru_cache

SLOTS = {
    "P": "Mary John Sandra Daniel Fred Bill Jeff Julie Gertrude Winona Jessica Emily Lily Bernhard "
    "Brian Julius Greg Jason Antoine Sumit Yann",
    "L": "bedroom bathroom kitchen garden hallway office school park cinema",
    "O": "apple football milk pajamas",
    "F": "triangle blue_square pink_rectangle red_square red_sphere yellow_square",
    "S": "mouse sheep wolf cat mice wolves cats swan lion frog rhino",
    "C": "gray white yellow green",
    "B": "chocolate box_of_chocolates box chest suitcase container",
    "M": "tired bored hungry thirsty",
}
"""P person, L place, O object, F shape, S species, C colour, B box, M motive."""

KINDS = {
    "go": "went back to|went to|journeyed to|travelled to|moved to",
    "get": "picked up|got|grabbed|took",
    "drop": "left|discarded|dropped|put down",
    "give": "gave|passed|handed",
}
"""Verbs that mean the same."""
BESIDE = re.compile(
    r"\b(then|after that|following that|afterwards|yesterday|this \w+|there)\b", re.IGNORECASE
)
"""Words that do not change what happens."""

_SLOT = {name.replace("_", " ").lower(): slot for slot, w in SLOTS.items() for name in w.split()}
# The longest first: "box of chocolates" before "box".
_NAME = re.compile(
    rf"\b({'|'.join(sorted(_SLOT, key=lambda name: (-len(name), name)))})\b", re.IGNORECASE
)
_VERB = re.compile("|".join(f"(?P<{kind}>\\b(?:{verbs})\\b)" for kind, verbs in KINDS.items()))


@lru_cache(maxsize=2**16)
def form(text: str) -> str:
    """The sentence with a slot for each name: "P got the O there."."""
    return _NAME.sub(lambda found: _SLOT[found[0].lower()], text)


@lru_cache(maxsize=2**16)
def kind(text: str) -> str:
    """What a statement tells of, however it says so: "P get the O"."""
    said = _VERB.sub(lambda found: str(found.lastgroup), form(text))
    return " ".join(BESIDE.sub("", said).strip(".").split())


@lru_cache(maxsize=2**16)
def verb(text: str) -> str:
    """One of `KINDS`, or "" where nothing like it is told."""
    found = _VERB.search(text)
    return str(found.lastgroup) if found else ""


@lru_cache(maxsize=2**16)
def named(text: str, slots: str = "".join(SLOTS)) -> tuple[str, ...]:
    """The names in a sentence, small, in their order; those of some slots only."""
    names = (found.lower() for found in _NAME.findall(text))
    return tuple(name for name in names if _SLOT[name] in slots)

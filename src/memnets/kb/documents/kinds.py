"""What kind of answer a question asks for, and whether a sentence holds one of that kind.

"When", and a day or an hour; "who", and a name; "may I", and what is allowed. English, and crude on
purpose: a kind is one clue among others, and how much it counts is learnt.
"""

import re
from collections.abc import Collection
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of answer."""

    name: str
    asked: re.Pattern[str]
    """Questions that ask for one."""
    told: re.Pattern[str]
    """Sentences that hold one."""


def kinds_of(question: str) -> tuple[Kind, ...]:
    """Return the kinds of answers that a question asks for; none of many."""
    return tuple(kind for kind in KINDS if kind.asked.search(question))


def fits(kinds: Collection[Kind], sentence: str) -> bool:
    """Whether a sentence holds an answer of one of some kinds."""
    return any(kind.told.search(sentence) for kind in kinds)


def _kind(name: str, asked: str, told: str, case: bool = False) -> Kind:
    return Kind(name, re.compile(asked, re.I), re.compile(told, 0 if case else re.I))


_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = rf"\b(\d[\d.,:]*|{_SMALL}|fifteen|twenty|thirty|forty|fifty|sixty|hundred|half|dozen)\b"
_HOUR = (
    r"\b\d{1,2}[:.]\d\d\b|\bo'clock\b|\b(noon|midnight|morning|evening|afternoon|night)s?\b|"
    rf"\b(at|from|until|till|to|by|before|after|past) (half past )?(\d{{1,2}}|{_SMALL})\b"
)
_DAY = (
    r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(spring|summer|autumn|winter|easter)\b|"
    r"\b(january|february|march|april|june|july|august|september|october|november|december)\b"
)
_YEAR = r"\b1\d{3}\b|\b20\d\d\b"
_MONEY = (
    r"\b(pays?|paid|costs?|prices?|fees?|free|charged?|deposit|nothing|money|crowns?|euros?|"
    r"dollars?|pounds?|cents?|pence)\b|[$€£]"
)
_SPAN = r"\b(seconds?|minutes?|hours?|days?|weeks?|months?|years?|fortnight)\b"
_UNIT = (
    r"\b((kilo|centi|milli)?met(re|er)s?|feet|foot|inch|inches|miles?|lit(re|er)s?|(kilo)?grams?|"
    r"tonnes?|tons?|degrees|watts?|volts?|percent|per cent|square|cubic)\b|%"
)
_ALLOWED = (
    r"\b(may|must|can|cannot|should|allowed|forbidden|prohibited|permitted|permission|needs?|"
    r"needed|required|compulsory|welcome|nobody|never|only|not|no|have to|has to|fine)\b"
)

KINDS = (
    _kind("hour or day",
          r"\bwhen\b|what (time|hour)|"
          r"\b(opening|closing|hours|until|date|deadline|year|months?|day)\b",
          f"{_HOUR}|{_DAY}|{_YEAR}"),
    _kind("who", r"\b(who|whose|whom)\b", r"(?<=[\w,;’'] )[A-Z][a-z]+", case=True),
    _kind("where", r"\bwhere\b",
          r"\b(at|in|on|behind|beside|under|near|above|below|along|into) (the|an?|our|any|[A-Z])",
          case=True),
    _kind("why", r"\b(why|reason|causes?|caused)\b",
          r"\b(because|since|as|for|so|due|therefore|thus|to)\b"),
    _kind("price",
          r"\b(costs?|prices?|pay|fees?|fine|rent|tickets?|charges?)\b|"
          r"how much (is|are|does|do|for|if)\b",
          f"{_MONEY}|{_NUMBER}"),
    _kind("number", r"\bhow (many|much)\b|\b(number of|maximum|minimum)\b", _NUMBER),
    _kind("how long", r"\bhow (long|quick|quickly|soon)\b", f"{_SPAN}|{_NUMBER}"),
    _kind("size",
          r"\bhow (long|far|high|tall|deep|big|large|heavy|warm|hot|old|fast|wide)\b|"
          r"\b(weight|length|height|size|depth)\b",
          f"{_UNIT}|{_NUMBER}"),
    _kind("how often", r"\bhow (often|frequently)\b",
          r"\b(every|each|once|twice|weekly|daily|hourly|monthly|times|fortnightly)\b"),
    _kind("may I",
          r"^\W*(can|may|am|is|are|do|does|must|should)\b|\b(allowed|permitted|need|have to)\b",
          _ALLOWED),
    _kind("what if", r"\bif\b|what (happens|now)", r"\b(if|when|whoever|who|in case|should)\b"),
)  # fmt: skip
"""Of answers."""

"""The numbers and dates of a question, as columns are typed."""

import re
from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import NamedTuple

from memnets.kb.values.typed import KNOWN_UNITS, MONTHS, Value, read, unit_of

LONGEST = 4
"""Pieces of the longest value that is looked for."""
SPAN = re.compile(r".+( to |[\u2013\u2014]).+|\d{4}-\d{4}")
"""A value that is read with both its ends, as in "from 1999 to 2001"."""
EDGES = "?!.,;:()\"'\u201c\u201d"
"""What may stand around a piece."""
_ORDINALS = {
    **{"ground": 0, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6},
    **{"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12},
}


_OFTEN = frozenset({"every", "each", "in", "within"})
"""Before "seven days" they say that something comes round, or how soon."""
_NUMBERS = {
    **{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7"},
    **{"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15"},
    **{"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60"},
    **{"seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100"},
}
"""Numbers in words, before a unit or behind what compares."""
EXACTLY = frozenset({"exactly", "just", "only"})
_COMPARED = EXACTLY | {"than", "over", "under", "least", "most", "to", "above", "below"}
"""Before "an hour" they say that it is measured by that."""
_MAY_BEGIN = re.compile(rf"[\d$€£-]|{'|'.join(MONTHS)}")
"""Any number or date begins so."""


class Amount(NamedTuple):
    """A number or a date."""

    begin: int
    end: int
    """The pieces between spaces from `begin` to `end`, not included."""
    text: str
    """As it can be read."""
    value: Value


def values_in(
    pieces: list[str], units: Collection[str], nouns: Collection[str] = ()
) -> Iterator[Amount]:
    """Yield the numbers and dates, the longest first at every place.

    Args:
        pieces: of a question, between its spaces.
        units: that a number may have.
        nouns: of what is counted, so that a number before them may be in words: "three stars".
    """
    pieces = _in_digits(pieces, nouns)
    at = 0
    waiting: tuple[int, int, str] | None = None
    while at < len(pieces):
        text = " ".join(_counted(pieces, at, LONGEST))
        if not _MAY_BEGIN.match(text.lstrip(EDGES).casefold()):
            at += 1
            continue
        for size in range(min(LONGEST, len(pieces) - at), 0, -1):
            text = " ".join(_counted(pieces, at, size)).strip(EDGES)
            if (size == 2 and _is_day(text)) or (size == 1 and _is_day_alone(pieces, at)):
                waiting = (at, at + size, text)
                at += size - 1
                break
            inches = text.endswith(" in") and at + size < len(pieces)  # "Inkwell 400 in our house"
            value = None if inches else _value(text, units)
            if value:
                if waiting:  # "1 May" of "between 1 May and 30 June 2009"
                    begin, end, day = waiting
                    rest = text.split()[1:] if day.isdigit() else text.split()[-1:]
                    whole = " ".join([day, *rest])
                    first = read(whole, "date")
                    if first:
                        yield Amount(begin, end, whole, first)
                waiting = None
                yield Amount(at, at + size, _decade(text), value)
                at += size - 1
                break
        at += 1


def _in_digits(pieces: list[str], nouns: Collection[str]) -> list[str]:
    """Return pieces with the numbers of what is counted in digits; "one star" may be any."""
    return [
        _NUMBERS[one] if one != "one" and one in _NUMBERS and after.strip(EDGES) in nouns else one
        for one, after in zip_longest(pieces, pieces[1:], fillvalue="")
    ]


def _counted(pieces: list[str], at: int, size: int) -> list[str]:
    """Return pieces with their first in digits: "more than an hour", "under two kilos"."""
    some = pieces[at : at + size]
    compared = at > 0 and pieces[at - 1] in _COMPARED
    is_unit = len(some) > 1 and unit_of(some[1].strip(EDGES)) in KNOWN_UNITS
    if some[:1] == ["zero"]:
        return ["0", *some[1:]]
    if compared and is_unit and some[0] in ("a", "an"):
        return ["1", *some[1:]]
    number = _NUMBERS.get(some[0].casefold().strip(EDGES))
    is_unit = is_unit and number != "1" and not (at and pieces[at - 1] in _OFTEN)
    return [number, *some[1:]] if number and (is_unit or compared) else some


def _value(text: str, units: Collection[str]) -> Value | None:
    if not re.match(r"[\d$€£-]", text) and text.split(" ")[0].casefold() not in MONTHS:
        return None
    date = read(_decade(text), "date")
    number = read(text, "number")
    if number and not date and (not number.unit or number.unit in units):
        return number
    return date


def _is_day(text: str) -> bool:
    """Whether a text is a day and a month, without a year."""
    return bool(read(f"{text} 2000", "date")) and not read(text, "date") and len(text.split()) == 2


def _is_day_alone(pieces: list[str], at: int) -> bool:
    """Whether a number is the day of a month that follows: "20 and 24 March 2031"."""
    joined = pieces[at + 1 : at + 2] in (["and"], ["to"], ["or"])
    behind = " ".join(pieces[at + 2 : at + 5]).strip(EDGES)
    is_number = pieces[at].isdigit() and len(pieces[at]) <= 2
    return joined and is_number and len(behind.split()) == 3 and bool(read(behind, "date"))


def _decade(text: str) -> str:
    """Return the years of a decade or a century, and any other text as it is."""
    found = re.fullmatch(r"(\d{3})0s", text)
    if found:
        return f"{found[1]}0-{found[1]}9"
    found = re.fullmatch(r"(\d\d)th century", text.casefold())
    return f"{int(found[1]) - 1}01-{found[1]}00" if found else text


def ordinal(word: str) -> int | None:
    """Return the number of "third" or "3rd"; None of another word."""
    if found := re.fullmatch(r"(\d{1,3})(st|nd|rd|th)", word):
        return int(found[1])
    return _ORDINALS.get(word)

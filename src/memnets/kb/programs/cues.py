"""Where a question says what is to be done: count, compare, deny, leave out, the most of."""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.programs.amounts import SPAN
from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.denials import NO_MORE, NOBODY, comes_out, denied, following, of_others
from memnets.kb.programs.lexicon import (
    BEHIND,
    COMPARISONS,
    COUNT,
    DEGREES,
    EXCEPT,
    FILLING,
    NOT,
    PRONOUNS,
    TELL,
    YES_OR_NO,
    Degree,
    phrase_at,
)
from memnets.kb.programs.operators import How
from memnets.kb.programs.reading import Reading
from memnets.kb.values.columns import YEARS

OF_VALUES = (("under",), ("over",), ("from",), ("above",), ("below",))
"""Compare with a value that is written, and not with that of another."""
OF_NUMBERS = frozenset(["most", "more", "fewest", "fewer", "least", "less"])
GREETINGS = frozenset({"hey", "hi", "hello", "so", "ok", "okay", "and", "please", "well", "but"})
"""Before a question whose verb comes first."""
REACH = 4
"""Words between a cue and what it is said of, at most."""
_ENDING: dict[str, list[tuple[tuple[str, ...], How]]] = {}
"""What compares, by its last word."""
for _phrase, _how in COMPARISONS.items():
    _ENDING.setdefault(_phrase[-1], []).append((_phrase, _how))


class Cues(NamedTuple):
    """What a question asks to be done, and the words that say so."""

    counts: bool
    yes_or_no: bool
    degree: Degree | None
    degree_at: int
    of_numbers: bool
    """Whether it may be said of how many there are: "most", but not "highest"."""
    compared: dict[int, How]
    """By the number of an argument."""
    adjectives: dict[int, Degree]
    """What it is compared by, where that is an adjective: "taller than"."""
    between: tuple[int, int] | None
    denied: frozenset[int]
    """Arguments that are not to hold."""
    left_out: frozenset[int]
    """Arguments that are not to be among the answers."""
    denies: frozenset[int]
    """The places of words that deny."""
    nobody: bool
    """Whether it is asked if there is none: "is nobody", "is there no"."""
    either: bool
    """Whether two arguments stand beside each other with "or"."""
    words: frozenset[int]
    """The places of all words that are cues."""


def cues_of(reading: Reading, names: Collection[str] = ()) -> Cues:
    """Return what a question asks to be done.

    Args:
        reading: what was recognised.
        names: words of the relations that are said for certain; they are no cues.
    """
    words, arguments = reading.words, reading.arguments
    within = {  # "number of inhabitants", "contract until"
        at for one in reading.asked if one.end - one.begin > 1 for at in range(one.begin, one.end)
    }
    free = [at for at in range(len(words)) if at not in reading.said | within]
    free = [
        at
        for at in free
        if words[at] not in names or words[at] in ("by", "from", "of", "in") or not at
    ]
    used: set[int] = set()
    counting = [at for at in free if not _named_number(words, at) and words[at - 1 : at] != ["no"]]
    counts = _phrases(words, counting, COUNT, used)
    left_out_at = _phrases(words, free, EXCEPT, used)
    otherwise = of_others(reading, left_out_at)
    left_out_at = [at for at in left_out_at if at not in otherwise]
    compared, between = _comparisons(words, arguments, free, used)
    adjectives = dict(_adjectives(words, arguments, free, used))
    compared |= {n: "less than" if one.least else "more than" for n, one in adjectives.items()}
    nobody = _nobody(words, free, used)
    unused = [at for at in free if at not in used]
    no_longer = _phrases(words, [at for at in unused if not comes_out(words, at)], NO_MORE, used)
    nobody_at = frozenset() if words[:1] and words[0] in YES_OR_NO else NOBODY
    denying = (at for at in unused if words[at] in NOT | nobody_at and at not in used)
    denies = sorted([*denying, *no_longer, *otherwise])
    used.update(denies)
    degrees = [at for at in _degree_places(reading, free) if at not in used]
    used.update(degrees)
    sign = words[degrees[0]] if degrees else ""
    if (
        len(degrees) > 1
        and degrees[1] == degrees[0] + 1
        and sign in ("most", "least", "more", "less")
    ):
        degrees = degrees[1:]  # "the most expensive"
    else:
        sign = ""
    if counts and degrees and degrees[0] + 3 > counts[0] > degrees[0]:  # the largest number of
        counts = []
    free_words = {words[at] for at in free}
    asks_names = free_words & ((INTERROGATIVES - {"how", "why", "when"}) | {"names"})
    return Cues(
        counts=bool(counts),
        yes_or_no=bool(words)
        and not asks_names
        and not counts
        and (_is_confirmed(words, arguments, free) or _is_tagged(words)),
        degree=_degree(words[degrees[0]], sign) if degrees else None,
        degree_at=degrees[0] if degrees else -1,
        of_numbers=bool(degrees)
        and (words[degrees[0]] in OF_NUMBERS or words[degrees[0] + 1 :][:1] == ["number"]),
        compared=compared,
        adjectives=adjectives,
        between=between,
        denied=denied(reading, denies),
        left_out=frozenset(following(arguments, left_out_at)),
        denies=frozenset(denies),
        nobody=nobody,
        either=_either(words, arguments),
        words=frozenset(used),
    )


def is_compared(asked: Asked, argument: Argument, cues: Cues) -> bool:
    """Whether only words that compare stand between a word and a value."""
    between = range(asked.end, argument.begin)
    return len(between) > 0 and cues.words.issuperset(between)


def plainly(cues: Cues, words: list[str]) -> Cues:
    """Return what asks for a number, or yes or no, without all that is to be done besides."""
    nothing: frozenset[int] = frozenset()
    return cues._replace(
        counts=cues.counts and words[0] not in YES_OR_NO,
        yes_or_no=cues.yes_or_no or (cues.counts and words[0] in YES_OR_NO),
        degree=None,
        degree_at=-1,
        of_numbers=False,
        compared={},
        adjectives={},
        between=None,
        denied=nothing,
        left_out=nothing,
        denies=nothing,
        nobody=False,
        either=False,
    )


def _degree_places(reading: Reading, free: list[int]) -> list[int]:
    """Return where words of order stand; of a set they are also those that name a relation."""
    # "The steepest gradient of Ada" is asked for, "which has the steepest gradient" ordered by.
    among = [at for at in range(len(reading.words)) if at not in reading.said]
    places = free if reading.arguments else among
    words = reading.words
    return [
        at
        for at in places
        if words[at] in DEGREES
        and words[at : at + 2] not in (["first", "time"], ["last", "time"])
        and words[at - 1 : at + 1] != ["any", "more"]
        and at not in reading.flags
        and not (words[at] == "last" and _is_verb(words, at))
    ]


def _is_verb(words: list[str], at: int) -> bool:
    """Whether a word is what some do, and for how long: "projects that last 9 months"."""
    before, behind = words[at - 1 : at], words[at + 1 : at + 2]
    does = before and before[0] in ("that", "which", "who", "to", "not", "does", "do")
    return bool(does and behind and (behind[0][0].isdigit() or behind[0] in ("more", "less")))


def _is_confirmed(words: list[str], arguments: tuple[Argument, ...], free: list[int]) -> bool:
    """Whether a question begins with its verb, or does so behind the name that it is about."""
    greeted = words[0] in GREETINGS and 0 in free
    if words[greeted : greeted + 1] and words[greeted] in YES_OR_NO and greeted in free:
        if words[greeted : greeted + 2] == ["do", "you"]:
            return words[greeted + 2 : greeted + 3] not in (["know"], ["happen"], ["remember"])
        asks = words[greeted] in ("can", "could", "will", "would")
        return not asks or TELL.isdisjoint(words[:8])
    first = arguments[0].end if arguments and arguments[0].begin == 0 else 0
    behind = words[first : first + 2]
    return first > 0 and len(behind) == 2 and behind[0] in YES_OR_NO and behind[1] in PRONOUNS


def _named_number(words: list[str], at: int) -> bool:
    """Whether "number of" is a number by which something goes: "the telephone number of Ada"."""
    before = words[at - 1 : at]
    asks = STOP_WORDS | INTERROGATIVES | FILLING
    return words[at] == "number" and bool(before) and not asks.issuperset(before)


def _nobody(words: list[str], free: list[int], used: set[int]) -> bool:
    """Whether it is asked if there is none, and mark the words that ask so."""
    if not words or words[0] not in YES_OR_NO:
        return False
    for at in (1, 2):
        if at in free and (words[at] in NOBODY or words[at - 1 : at + 1] == ["there", "no"]):
            used.update((at,))
            return True
        if words[at : at + 2] == ["no", "one"] and at in free:
            used.update((at, at + 1))
            return True
    return False


def _degree(word: str, sign: str) -> Degree:
    """Return what a word asks for, the other end of it after "least"."""
    degree = DEGREES[word]
    if sign in ("least", "less"):
        return degree._replace(least=not degree.least, least_of_dates=not degree.least_of_dates)
    return degree


def _phrases(
    words: list[str], free: list[int], phrases: tuple[tuple[str, ...], ...], used: set[int]
) -> list[int]:
    """Return where phrases end, and mark their words."""
    found = []
    for at in free:
        for phrase in phrases:
            if phrase_at(words, at, phrase):
                used.update(range(at, at + len(phrase)))
                found.append(at + len(phrase) - 1)
    return found


def _comparisons(
    words: list[str], arguments: tuple[Argument, ...], free: list[int], used: set[int]
) -> tuple[dict[int, How], tuple[int, int] | None]:
    compared: dict[int, How] = {}
    values = [n for n, one in enumerate(arguments) if one.value]
    for n in range(len(arguments) - 1):
        two = arguments[n : n + 2]
        joined = words[two[0].end : two[1].begin]
        before = words[two[0].begin - 1] if two[0].begin else ""
        if {n, n + 1} <= {*values} and (before, joined) in (("between", ["and"]), ("from", ["to"])):
            used.update((two[0].begin - 1, two[0].end))
            return compared, (n, n + 1)
    for n, one in enumerate(arguments):
        last = _before(words, one.begin)
        for phrase, how in _ENDING.get(words[last] if last >= 0 else "", ()):
            at = last - len(phrase) + 1
            # Somebody is under another one; something costs less than another, and under 5 EUR.
            fits = one.value or (one.out_of and phrase not in OF_VALUES)
            if at in free and fits and phrase_at(words, at, phrase):
                spans = phrase == ("from",) and (SPAN.fullmatch(one.text) or _is_number(one))
                compared[n] = "in" if spans else how
                used.update(range(at, at + len(phrase)))
                if at and words[at - 1] in ("not", "no"):  # no more than
                    opposite: dict[How, How] = {
                        "more than": "at most", "less than": "at least",
                    }  # fmt: skip
                    compared[n] = opposite.get(how, how)
                    used.add(at - 1)
                break
        more = _apart(words, last, free)
        if n not in compared and more is not None and (one.value or one.out_of):
            compared[n] = "less than" if DEGREES[words[more]].least else "more than"
            used.update((more, last))
        for phrase, how in BEHIND.items():
            for end in (one.end, one.end + 1):  # "20 or more", "20 goals or more"
                if one.value and phrase_at(words, end, phrase):
                    compared[n] = how
                    used.update(range(end, end + len(phrase)))
    return compared, None


def _is_number(one: Argument) -> bool:
    """Whether a value has no unit and is no year: nobody counts "from 4491" on."""
    return one.text.isdecimal() and int(one.text) not in YEARS


def _apart(words: list[str], than: int, free: list[int]) -> int | None:
    """Return where "more" of "more seats than", or "bigger" of "a bigger disk than", stands."""
    if than < 0 or words[than] != "than" or than not in free:
        return None
    near = range(than - 2, max(-1, than - 2 - REACH), -1)
    comparing = {word for word in DEGREES if word.endswith("er")} | {"more", "less"}
    return next((at for at in near if at in free and words[at] in comparing), None)


def _adjectives(
    words: list[str], arguments: tuple[Argument, ...], free: list[int], used: set[int]
) -> Iterator[tuple[int, Degree]]:
    """Yield what is compared by an adjective: "taller than Ada", "older than 40"."""
    for n, one in enumerate(arguments):
        at = _before(words, one.begin)
        than = at > 0 and words[at] == "than"
        if than and at in free and at - 1 in free and words[at - 1] in DEGREES:
            degree = DEGREES[words[at - 1]]
            if degree.hints and (one.value or one.out_of):
                used.update((at - 1, at))
                yield n, degree


def _before(words: list[str], begin: int) -> int:
    """Return where the word stands before an argument, articles left out; -1 where none does."""
    at = begin - 1
    while at >= 0 and words[at] in ("the", "a", "of", "year", "about", "beginning", "start"):
        at -= 1
    return at


def _is_tagged(words: list[str]) -> bool:
    """Whether a statement is asked to be confirmed: "..., right", "..., isn't he"."""
    return words[-1:] in (["right"], ["correct"], ["true"]) or bool(
        re.search(
            r" (is|are|was|were|do|does|did|has|have|had)n? ?t (he|she|it|they|there)$",
            " ".join(words),
        )
    )


def _either(words: list[str], arguments: tuple[Argument, ...]) -> bool:
    return any(
        "or" in words[one.end : other.begin] and other.begin - one.end <= REACH
        for one, other in pairwise(arguments)
    )

"""What of a question stays uncertain, or is not understood at all."""

import math
import re
from collections.abc import Collection

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.words import question_words
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.heads import asked_words
from memnets.kb.programs.lexicon import FILLING, PEOPLE, QUALIFYING, is_here
from memnets.kb.programs.operators import Program, relations_of
from memnets.kb.programs.reading import Reading
from memnets.kb.programs.understood import Doubts
from memnets.kb.programs.wordings import says

STRANGE = 0.4
"""What a program loses for every word of the question that nothing explains; twice for one that
says some relation, but none of the knowledge base."""
STRANGER = 1.5
"""What it loses for one that is written as a name is, within a sentence."""
BROUGHT = 0.2
"""What it loses for one where the words only bring to mind what is meant."""
_MEASURED = frozenset({"fast", "tall", "deep", "wide", "heavy", "hot", "cold", "thick", "strong"})
_RECORDED = frozenset({"written", "down", "recorded", "record", "listed", "noted", "entered"})
"""So is nothing of what one has not."""
_ADJECTIVE = re.compile(r"(ous|ful|ive|[ai]ble|ic|ical|less|ish|ing|ant|ent)$")
_CAPITAL = re.compile(r"(?<=[\w,;:] )[^\W\d_a-z]\w+")


def doubts_of(reading: Reading, program: Program | None, kind: int | None) -> Doubts:
    """Return what is not certain; the noun at a place is known to say what the answers are."""
    read = {*relations_of(program)}
    said = [asked for asked in reading.asked if not asked.hints]
    said = [asked for asked in said if kind is None or not asked.begin <= kind < asked.end]
    rivals = (asked.options.best - 1 for asked in said)
    return Doubts(
        1 - min((asked.options[0][1] for asked in said), default=1.0),
        max(rivals, default=0),
        not all(one.surely for one in reading.arguments),
        max((len(one.names) - 1 for one in reading.arguments if one.names), default=0),
        math.fsum(one.options[0][1] for one in said if one.options.weights.keys().isdisjoint(read)),
        max((one.guessed[0] for one in said if one.guessed), default=0.0),
        max((1 / (1 + one.guessed[1]) for one in said if one.guessed), default=0.0),
        _unheard(reading) if reading.brought else 0.0,
        bool(reading.brought) and _strays(reading),
    )


def _unheard(reading: Reading) -> float:
    """Return which share of the words that tell something do not bring to mind what is meant."""
    common = STOP_WORDS | INTERROGATIVES | PEOPLE | FILLING | {"'s"}
    telling = [
        at
        for at, word in enumerate(reading.words)
        if at not in reading.said and (word not in common or at in reading.brought)
    ]
    return 1 - len(reading.brought) / max(1, len(telling))


def _strays(reading: Reading) -> bool:
    """Whether a noun is asked for that has no part in what the question brings to mind."""
    nouns = asked_words(reading.words, reading.said)
    telling = [at for at in nouns if reading.words[at] not in PEOPLE | FILLING]
    return bool(telling) and reading.brought.isdisjoint(telling)


def words_of(reading: Reading, cues: Cues) -> tuple[str, ...]:
    """Return the words of a question that were understood."""
    places = _places(reading, cues)
    return tuple(word for at, word in enumerate(reading.words) if at in places)


def strange_of(reading: Reading, cues: Cues, question: str, rows: Collection[str]) -> float:
    """Return what words cost that say something, but nothing that was understood.

    What may be a name that the knowledge base lacks costs most; what a row is called, nothing.
    """
    said = _places(reading, cues)
    places = said | reading.heads
    common = STOP_WORDS | INTERROGATIVES | PEOPLE | FILLING | {"'s", "behind", *rows}
    capitals = set(question_words(" ".join(_CAPITAL.findall(question))))
    if question == question.upper() or question == question.title():
        capitals = set()
    cost = 0.0
    for at, word in enumerate(reading.words):
        most = at - 1 == cues.degree_at and reading.words[at - 1 : at] in (["most"], ["least"])
        if most and at not in said and _ADJECTIVE.search(word):
            cost += STRANGER  # "the most luxurious": of what that is the most, nobody knows
            continue
        if (cues.denies and word in _RECORDED) or is_here(reading.words, at):
            continue
        if word in _MEASURED and reading.words[at - 1 : at] == ["how"] and at not in places:
            cost += STRANGER  # "how fast" asks for what nothing tells
            continue
        if at not in places and word not in common:
            beside = {*reading.words[max(0, at - 1) : at]} & {"in", "of", "by", "from", "for", "at"}
            strange = BROUGHT if reading.brought else STRANGE * (1 + bool(beside or says(word)))
            owned = reading.words[at - 1 : at] == ["'s"] and at - 2 in reading.said
            owned = owned and word not in QUALIFYING
            owned = owned and not reading.brought  # "Ada's pupil"
            cost += STRANGER if word in capitals or owned else strange
    return cost


def says_nothing(reading: Reading, at: int) -> bool:
    """Whether nothing is known of what a noun asks for: "how many submarines"."""
    said = any(asked.begin <= at < asked.end for asked in reading.asked)
    return not said and reading.words[at] not in PEOPLE | FILLING


def _places(reading: Reading, cues: Cues) -> set[int]:
    places = {*reading.said, *cues.words, *reading.brought, *reading.idle}
    for asked in reading.asked:
        places.update(range(asked.begin, asked.end))
    return places

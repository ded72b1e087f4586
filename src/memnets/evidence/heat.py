"""What a heat map of one answer shows: sentences down, reads across, weights in the cells."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memnets.evidence.records import Step
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS

SHORT = 20
"""A memory of up to this many slots is shown whole."""
LEAST = 0.005
"""In a longer one, a slot that no step read by more than this is left out unless it is gold."""
MOST = 50
"""The most slots that are shown, those read most and the gold ones."""


_WORD = re.compile(r"[^\W_]+")


class HeatRow(NamedTuple):
    """One slot, and how much of it every step read."""

    slot: int
    text: str
    gold: bool
    weights: tuple[float, ...]


class HeatMap(NamedTuple):
    """The slots worth showing, in the order of the memory."""

    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    left_out: int


def heat_map(steps: Sequence[Step]) -> HeatMap:
    """Return the heat map of an answer, without the slots that play no part in a long memory."""
    texts: dict[int, str] = {}
    gold: dict[int, bool] = {}
    weights: dict[int, list[float]] = {}
    for column, step in enumerate(steps):
        for support in step.supports:
            row = weights.setdefault(support.slot, [0.0] * len(steps))
            row[column] = support.weight
            texts[support.slot] = visible(support.text)
            gold[support.slot] = gold.get(support.slot, False) or bool(support.gold)
    rows = [HeatRow(slot, texts[slot], gold[slot], tuple(weights[slot])) for slot in sorted(texts)]
    kept = _worth_showing(rows) if len(rows) > SHORT else rows
    columns = tuple(step.name for step in steps)
    return HeatMap(columns, tuple(kept), len(rows) - len(kept))


def _worth_showing(rows: list[HeatRow]) -> list[HeatRow]:
    def rank(row: HeatRow) -> tuple[bool, float]:
        return row.gold, max(map(abs, row.weights))

    read = [row for row in rows if row.gold or rank(row)[1] > LEAST]
    return sorted(sorted(read, key=rank, reverse=True)[:MOST])


def matched(text: str, question: str) -> list[tuple[str, bool]]:
    """Cut a text into pieces, and say of each whether it is a word that the question holds too.

    Words that are in every question do not count.
    """
    telling = set(map(str.casefold, _WORD.findall(question))) - STOP_WORDS - INTERROGATIVES
    pieces, end = [], 0
    for word in _WORD.finditer(text):
        if word[0].casefold() in telling:
            pieces += [(text[end : word.start()], False), (word[0], True)]
            end = word.end()
    return [piece for piece in (*pieces, (text[end:], False)) if piece[0]]


def left_out(count: int) -> str:
    """Say how many slots a heat map does not show."""
    if count == 1:
        return "1 slot that was hardly read is left out"
    return f"{count} slots that were hardly read are left out"


def visible(text: str) -> str:
    """Return a text with signs for what would act instead of being seen.

    Those are control characters, which steer a terminal, and marks of direction, which turn what
    stands around them; spaces and line breaks only where the text is nothing else.
    """
    text = _ACTING.sub(_sign, text)
    return text.replace(" ", "␣").replace("\n", "⏎") if text.isspace() else text


MOST_SAID = 1500
"""So many characters of a complaint are shown."""


def brief(complaint: str) -> str:
    """Return a complaint as it is shown: visible, and where it repeats a long text without most.

    What came stands at its beginning, how to mend it at its end: both stay.
    """
    if len(complaint) > MOST_SAID:
        begin, end = complaint[: MOST_SAID // 2], complaint[-MOST_SAID // 3 :]
        skipped = len(complaint) - len(begin) - len(end)
        complaint = f"{begin} [... {skipped:,} characters ...] {end}"
    return visible(complaint)


_ACTING = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but for TAB and line feed, marks of direction, halves of characters."""


def _sign(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"

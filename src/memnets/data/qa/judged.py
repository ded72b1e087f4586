"""Answers beside the right ones: judged one by one, counted by kind, written as a table."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from memnets.data.qa.asked import PARTS, AskedQuestion

SURE = 0.9
"""The probability above which a wrong answer misleads."""
ALL = "all"
COLUMNS = ("kind", "verdict", "probability", "question", "answered", "right answers")
"""Of a table of judged answers."""

Verdict = Literal["right", "declined", "wrong"]


class Judged(NamedTuple):
    """A question with the answer that it was given."""

    asked: AskedQuestion
    given: tuple[str, ...]
    """All that was answered; nothing where it was declined."""
    probability: float
    is_right: bool

    @property
    def verdict(self) -> Verdict:
        if self.is_right:
            return "right"
        return "wrong" if self.given else "declined"


class Tally(NamedTuple):
    """How many questions of a kind were answered how."""

    kind: str
    asked: int
    right: int
    declined: int
    """Of those that have an answer."""
    wrong: int
    sure: int
    """Wrong with a probability above `SURE`."""


def tallies(judged: Sequence[Judged]) -> list[Tally]:
    """Count by kind, in the order in which kinds first come; all together come last."""
    kinds = dict.fromkeys(one.asked.kind for one in judged)
    rows = [_tally(kind, [one for one in judged if one.asked.kind == kind]) for kind in kinds]
    return rows if len(rows) == 1 else [*rows, _tally(ALL, judged)]


def _tally(kind: str, judged: Sequence[Judged]) -> Tally:
    verdicts = [one.verdict for one in judged]
    sure = sum(one.verdict == "wrong" and one.probability > SURE for one in judged)
    return Tally(
        kind,
        asked=len(judged),
        right=verdicts.count("right"),
        declined=verdicts.count("declined"),
        wrong=verdicts.count("wrong"),
        sure=sure,
    )


def misses_of(judged: Iterable[Judged]) -> list[Judged]:
    """Return those that were not answered rightly."""
    return [one for one in judged if not one.is_right]


def as_table(judged: Iterable[Judged]) -> str:
    """Return a line for each, its cells parted by TABs, below a line of `COLUMNS`.

    A TAB or a line end within a text is written as a space, so that a line stays one.
    """
    rows = [COLUMNS]
    rows += [
        (
            *(one.asked.kind, one.verdict, f"{one.probability:.3f}", one.asked.text),
            *(PARTS.join(one.given), PARTS.join(one.asked.answers)),
        )
        for one in judged
    ]
    return "".join("\t".join(map(_in_a_cell, row)) + "\n" for row in rows)


def _in_a_cell(text: str) -> str:
    return " ".join(text.replace("\t", "\n").splitlines()) if text else text

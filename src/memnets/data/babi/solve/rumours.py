"""Tasks 6, 9 and 10: is someone in a place? Yes, no or maybe, by what was told of him last."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.places import MOVE
from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

IS_IN = re.compile(r"(\w+) is in the (\w+)\.")
IS_NOT_IN = re.compile(r"(\w+) is (?:not|no longer) in the (\w+)\.")
IS_EITHER_IN = re.compile(r"(\w+) is either in the (\w+) or the (\w+)\.")
QUESTION = re.compile(r"Is (\w+) in the (\w+)\?")


def is_in(told: Sequence[Statement], question: str) -> Solved:
    """Is P in the L? Proof: what was told last of where P is."""
    actor, place = matched(QUESTION, question).groups()
    for statement in reversed(told):
        answer = _answer(statement.text, actor, place)
        if answer:
            return Solved(answer, (statement.line,))
    raise ValueError(f"nobody said where {actor} is. Expected it to be told before {question!r}.")


def _answer(text: str, actor: str, place: str) -> str | None:
    """What a sentence says about the actor and the place; None if it says nothing of him.

    Not to be in another place is taken for no: the official files never ask that.
    """
    known = MOVE.fullmatch(text) or IS_IN.fullmatch(text)
    if known and known[1] == actor:
        return "yes" if known[2] == place else "no"
    either = IS_EITHER_IN.fullmatch(text)
    if either and either[1] == actor:
        return "maybe" if place in either.groups()[1:] else "no"
    left = IS_NOT_IN.fullmatch(text)
    return "no" if left and left[1] == actor else None

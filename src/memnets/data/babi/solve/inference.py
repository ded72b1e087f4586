"""Tasks 15, 16 and 20: what someone fears, which colour he is, and why he does something."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

IS_A = re.compile(r"(\w+) is a (\w+)\.")
IS = re.compile(r"(\w+) is (\w+)\.")
FEARS = re.compile(r"(\w+) are afraid of (\w+)\.")
WHAT_IS_FEARED = re.compile(r"What is (\w+) afraid of\?")
WHICH_COLOUR = re.compile(r"What color is (\w+)\?")
WHERE_TO = re.compile(r"Where will (\w+) go\?")
WHY = re.compile(r"Why did (\w+) (?:go to|get) the (\w+)\?")

SINGULAR = {"mice": "mouse", "sheep": "sheep", "wolves": "wolf", "cats": "cat"}
# Where a motive leads is nowhere told: it is known from other stories.
PLACE = {"tired": "bedroom", "bored": "garden", "hungry": "kitchen", "thirsty": "kitchen"}


def what_is_feared(told: Sequence[Statement], question: str) -> Solved:
    """What is p afraid of? What p's species is."""
    name = matched(WHAT_IS_FEARED, question)[1]
    line, species = _said(IS_A, told, name)
    for statement in told:
        fear = FEARS.fullmatch(statement.text)
        if fear and SINGULAR[fear[1].lower()] == species:
            return Solved(SINGULAR[fear[2]], (line, statement.line))
    raise ValueError(f"nobody said what a {species} fears. Expected a line on it before.")


def which_colour(told: Sequence[Statement], question: str) -> Solved:
    """What color is P? The colour of the last told of P's species, but for P."""
    name = matched(WHICH_COLOUR, question)[1]
    line, species = _said(IS_A, told, name)
    for statement in reversed(told):
        other = IS_A.fullmatch(statement.text)
        if other and other[2] == species and other[1] != name:
            proof, colour = _said(IS, told, other[1])
            return Solved(colour, (line, statement.line, proof))
    raise ValueError(f"{name} is the only {species} told of. Expected another before.")


def why_it_is_done(told: Sequence[Statement], question: str) -> Solved:
    """Where will p go? Why did p? Both follow from p's motive."""
    where = WHERE_TO.fullmatch(question)
    line, motive = _said(IS, told, (where or matched(WHY, question))[1])
    if where and motive not in PLACE:
        raise ValueError(
            f"nobody knows where one goes who is {motive}. Expected {', '.join(PLACE)}."
        )
    return Solved(PLACE[motive] if where else motive, (line,))


def _said(pattern: re.Pattern[str], told: Sequence[Statement], name: str) -> tuple[int, str]:
    """The line on someone of this form, and what it says; names are small in some questions."""
    for statement in told:
        found = pattern.fullmatch(statement.text)
        if found and found[1].lower() == name.lower():
            return statement.line, found[2]
    raise ValueError(f"nobody said what {name} is. Expected {pattern.pattern!r} of {name} before.")

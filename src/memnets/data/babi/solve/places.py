"""Tasks 1 to 3: where someone is, where an object is, and where it was."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

MOVE = re.compile(r"(\w+) (?:went|journeyed|travelled|went back|moved) to the (\w+)\.")
GET = re.compile(r"(\w+) (?:picked up|got|grabbed|took) the (\w+)(?: there)?\.")
DROP = re.compile(r"(\w+) (?:left|discarded|dropped|put down) the (\w+)(?: there)?\.")
WHERE_IS_ACTOR = re.compile(r"Where is (\w+)\?")
WHERE_IS_THING = re.compile(r"Where is the (\w+)\?")
WHERE_WAS_THING = re.compile(r"Where was the (\w+) before the (\w+)\?")


def where_is_actor(told: Sequence[Statement], question: str) -> Solved:
    """Where is P? Proof: the last move of P."""
    place, line = last_move(told, matched(WHERE_IS_ACTOR, question)[1])
    return Solved(place, (line,))


def where_is_thing(told: Sequence[Statement], question: str) -> Solved:
    """Where is the O? Where it was dropped, or where its holder is."""
    thing = matched(WHERE_IS_THING, question)[1]
    index, (actor, dropped) = _last_handled(told, thing)
    place, line = last_move(told[:index] if dropped else told, actor)
    return Solved(place, (told[index].line, line))


def where_was_thing(told: Sequence[Statement], question: str) -> Solved:
    """Where was the O before the L? The place before its last visit of L."""
    thing, place = matched(WHERE_WAS_THING, question).groups()
    end, (holder, dropped) = _last_handled(told, thing)
    start = end
    while not ((taken := GET.fullmatch(told[start].text)) and taken[2] == thing):
        start -= 1
    carried = [
        (move[2], statement.line)
        for statement in told[start : end if dropped else None]
        if (move := MOVE.fullmatch(statement.text)) and move[1] == holder
    ]
    here = max(index for index, (visited, _) in enumerate(carried) if visited == place)
    before, line = carried[here - 1]
    return Solved(before, (told[end].line, carried[here][1], line))


def last_move(told: Sequence[Statement], actor: str) -> tuple[str, int]:
    """Where the actor went last, and the line that tells it."""
    for statement in reversed(told):
        move = MOVE.fullmatch(statement.text)
        if move and move[1] == actor:
            return move[2], statement.line
    raise ValueError(f"nobody said where {actor} went. Expected a move of {actor} before it.")


def _last_handled(told: Sequence[Statement], thing: str) -> tuple[int, tuple[str, bool]]:
    """The last get or drop of an object: its index, who did it, and whether it was a drop."""
    for index in range(len(told) - 1, -1, -1):
        drop = DROP.fullmatch(told[index].text)
        found = drop or GET.fullmatch(told[index].text)
        if found and found[2] == thing:
            return index, (found[1], drop is not None)
    raise ValueError(f"nobody handled the {thing}. Expected a get or a drop of it before.")

"""Task 14: where someone was before, by the time of day and not by the order told."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.places import MOVE
from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

TIMES = ("yesterday", "this morning", "this afternoon", "this evening")
TIME = re.compile(rf" ?\b({'|'.join(TIMES)})\b ?", re.IGNORECASE)
QUESTION = re.compile(r"Where was (\w+) before the (\w+)\?")


def where_before(told: Sequence[Statement], question: str) -> Solved:
    """Where was P before the L? The place before the latest visit of L that has one."""
    actor, place = matched(QUESTION, question).groups()
    visits = []
    for statement in told:
        move = MOVE.fullmatch(TIME.sub("", statement.text))
        time = TIME.search(statement.text)
        if move and time and move[1] == actor:
            visits.append((TIMES.index(time[1].lower()), move[2], statement.line))
    visits.sort()
    fits = [index for index, visit in enumerate(visits) if index and visit[1] == place]
    if not fits:
        raise ValueError(
            f"{question!r}: nobody said it. Expected {actor} to go somewhere, then to the {place}."
        )
    (_, before, earlier), (_, _, later) = visits[fits[-1] - 1], visits[fits[-1]]
    return Solved(before, (later, earlier))

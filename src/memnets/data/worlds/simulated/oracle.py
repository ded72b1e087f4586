"""A reader that knows only the text answers every question and names what proves it.

It searches the sentences from the end, where the simulation keeps books.
"""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.places import DROP, GET, MOVE, last_move
from memnets.data.babi.solve.solved import Solved
from memnets.data.babi.stories import Statement

WHERE_IS_ACTOR = re.compile(r"Where is (?!the )(\w+)(?: now)?\?")
WHERE_IS_THING = re.compile(r"Where is the (\w+)(?: now)?\?")
WHERE_WAS_ACTOR = re.compile(r"Where was (\w+) before the (\w+)\?")


def solve(told: Sequence[Statement], question: str) -> Solved:
    """Answer a question from the statements told before it; others than it knows are no matter.

    Args:
        told: the memory of the question, as `Story.asked` gives it.
        question: its text with the question mark.

    Raises:
        ValueError: the question is none of this world, or the text does not answer it.
    """
    if actor := WHERE_IS_ACTOR.fullmatch(question):
        place, line = last_move(told, actor[1])
        return Solved(place, (line,))
    if thing := WHERE_IS_THING.fullmatch(question):
        return _where_is_thing(told, thing[1])
    if asked := WHERE_WAS_ACTOR.fullmatch(question):
        return _where_was_actor(told, *asked.groups())
    raise ValueError(
        f"{question!r}: nobody asks this in the simulated world. Expected, for example, "
        f'"Where is Joe?", "Where is the milk now?" or "Where was Joe before the office?".'
    )


def _where_is_thing(told: Sequence[Statement], thing: str) -> Solved:
    """Where it was dropped, or where its holder went last, before or after he took it up."""
    for index in range(len(told) - 1, -1, -1):
        dropped = DROP.fullmatch(told[index].text)
        handled = dropped or GET.fullmatch(told[index].text)
        if handled and handled[2] == thing:
            place, line = last_move(told[:index] if dropped else told, handled[1])
            return Solved(place, (told[index].line, line))
    raise ValueError(f"nobody handled the {thing}. Expected a get or a drop of it before.")


def _where_was_actor(told: Sequence[Statement], actor: str, place: str) -> Solved:
    """Where he went before he went there last."""
    for index in range(len(told) - 1, -1, -1):
        move = MOVE.fullmatch(told[index].text)
        if move and move.groups() == (actor, place):
            before, line = last_move(told[:index], actor)
            return Solved(before, (told[index].line, line))
    raise ValueError(f"{actor} did not go to the {place}. Expected a move to it before.")

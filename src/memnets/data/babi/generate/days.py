"""Task 14: moves over a day, told out of order.

Each actor moves yesterday, this morning, this afternoon and this evening, in that order. What
happened since the last question is told in an order in which nothing keeps its turn: a pair is
always told backwards. Found in the official files: in 2,380 of 2,380 pairs about one actor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memnets.data.babi.generate.actions import MOVED
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.telling import LATELY, QUESTIONS_A_STORY
from memnets.data.babi.generate.world import Actor, Setting, World, expect_enough
from memnets.data.babi.stories import Question, Statement

TIMES = ("yesterday", "this morning", "this afternoon", "this evening")

Item = TypeVar("Item")


@dataclass(slots=True)
class Move:
    """Someone moved; `line` is where it is told, 0 as long as it is not."""

    text: str
    actor: Actor
    place: str
    line: int = 0


def where_before(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """Where was P before the L? Proof: the visit of L, and the one before it that day."""
    # A question may have to wait until all have moved once, and so for one more pair each two.
    expect_enough(14, "actors", len(setting.actors), -(-10 * setting.length // 3), setting)
    world = World(dice, setting)
    moves: list[Move] = []  # as they happened
    line = 0
    for _question in range(QUESTIONS_A_STORY):
        untold = len(moves)
        # Four actors and five late moves: after the first question someone has moved twice.
        while not moves[untold:] or not (askable := _later_moves(moves, setting)):
            for _ in range(2 * setting.length):
                moves.append(_move(world, moves, dice))
        for move in displaced(moves[untold:], dice):
            line += 1
            move.line = line
            yield Statement(line, move.text)
        drawn = dice.pick(askable)
        visits = _moves_of(drawn.actor, moves)
        here = max(index for index, visit in enumerate(visits) if visit.place == drawn.place)
        before = visits[here - 1]
        line += 1
        text = f"Where was {drawn.actor.name} before the {drawn.place}?"
        yield Question(line, text, before.place, (visits[here].line, before.line))


def displaced(items: Sequence[Item], dice: Dice) -> list[Item]:
    """The items in an order that is one cycle: none stays where it was (Sattolo's algorithm)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = dice.pick(range(last))
        order[last], order[other] = order[other], order[last]
    return order


def _moves_of(actor: Actor, moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.actor is actor]


def _later_moves(moves: Sequence[Move], setting: Setting) -> list[Move]:
    """The late moves of those who had moved before."""
    late = moves[-LATELY * setting.length :]
    return [move for move in late if _moves_of(move.actor, moves)[0] is not move]


def _move(world: World, moves: Sequence[Move], dice: Dice) -> Move:
    """Someone whose day is not over goes to another place."""
    free = [actor for actor in world.actors if len(_moves_of(actor, moves)) < len(TIMES)]
    actor = dice.pick(free)
    time = TIMES[len(_moves_of(actor, moves))]
    actor.place = dice.pick([place for place in world.places if place != actor.place])
    text = f"{actor.name} {dice.pick(MOVED)} the {actor.place}"
    text = f"{time.capitalize()} {text}." if dice.chance(0.5) else f"{text} {time}."
    return Move(text, actor, actor.place)

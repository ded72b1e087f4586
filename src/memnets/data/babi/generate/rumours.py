"""Tasks 9 and 10: somebody goes somewhere; the text tells it, or only something about it.

Each step one actor moves. Half of the sentences tell the move, a quarter where he is now. In the
last quarter task 9 tells where he no longer is, and task 10 two places, one of which is right.
The second place is drawn freely, so both can be the same: "either in the park or the park".
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memnets.data.babi.generate.actions import MOVED
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.questions import ProvedQuestion, is_in, place_to_ask
from memnets.data.babi.generate.telling import Happen
from memnets.data.babi.generate.world import Actor, World


class Rumour(NamedTuple):
    """What was told of an actor.

    Args:
        text: the sentence.
        actor: whom it tells of.
        line: its number.
        left: the place where he is said not to be, if that is all.
        either: the places where he may be, if that is all.
    """

    text: str
    actor: Actor
    line: int
    left: str | None = None
    either: tuple[str, ...] = ()


Vague = Callable[[World, Actor, str, Dice], Rumour]


def rumours(vague: Vague) -> tuple[Happen[Rumour], Happen[Rumour]]:
    """Twice somebody moves; it is told plainly, as where he is now, or vaguely."""

    def rumour(world: World, told: Sequence[Rumour], dice: Dice) -> Rumour:
        actor = dice.pick(world.actors)
        left = actor.place
        world.move(actor, dice.pick([place for place in world.places if place != left]))
        if dice.chance(0.5):
            text = f"{actor.name} {dice.pick(MOVED)} the {actor.place}."
        elif dice.chance(0.5):
            text = f"{actor.name} is in the {actor.place}."
        else:
            return vague(world, actor, left, dice)
        return Rumour(text, actor, world.line)

    return rumour, rumour


def no_longer_there(world: World, actor: Actor, left: str, dice: Dice) -> Rumour:
    """He is not in the park. He is no longer in the park."""
    text = f"{actor.name} is {dice.pick(('not', 'no longer'))} in the {left}."
    return Rumour(text, actor, world.line, left=left)


def here_or_there(world: World, actor: Actor, left: str, dice: Dice) -> Rumour:
    """He is either in the park or the school."""
    other = dice.pick(world.places)
    either = (actor.place, other) if dice.chance(0.5) else (other, actor.place)
    text = f"{actor.name} is either in the {either[0]} or the {either[1]}."
    return Rumour(text, actor, world.line, either=either)


def is_still_in(world: World, told: Sequence[Rumour], dice: Dice) -> ProvedQuestion:
    """Is P in the L? After a negation L is the place negated. Proof: what was told of P last."""
    last = _last(told, dice)
    actor = last.actor
    place = last.left or place_to_ask(actor, world.places, dice)
    return is_in(actor, place, "yes" if place == actor.place else "no", last.line)


def is_perhaps_in(world: World, told: Sequence[Rumour], dice: Dice) -> ProvedQuestion:
    """Is P in the L? Yes, no, or maybe if L is one of two. Proof: what was told of P last."""
    last = _last(told, dice)
    actor = last.actor
    place = place_to_ask(actor, world.places, dice)
    known = "yes" if place == actor.place else "no"
    return is_in(actor, place, "maybe" if place in last.either else known, last.line)


def _last(told: Sequence[Rumour], dice: Dice) -> Rumour:
    """The last thing told of one who was told of lately."""
    actor = dice.pick(told).actor
    return next(rumour for rumour in reversed(told) if rumour.actor is actor)

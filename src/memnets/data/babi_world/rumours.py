"""Tasks 9 and 10: somebody goes somewhere; the text tells it, or only something about it.

Each step one actor moves. Half of the sentences tell the move, a quarter where he is now. In the
last quarter task 9 tells where he no longer is, and task 10 two places, one of which is right.
The second place is drawn freely, so both can be the same: "either in the park or the park".
"""

from collections.abc import Sequence
from typing import NamedTuple

from memnets.data.babi_world.actions import MOVED
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.questions import LATELY, Asked, yes_or_no
from memnets.data.babi_world.world import HOME, TOWN, Actor, World


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


def gone_or_there(world: World, told: Sequence[Rumour], dice: Dice) -> Rumour:
    """He went to the park. He is in the park. He is not in the park. He is no longer there."""
    actor, left = _moved(world, dice)
    if dice.chance(0.5):
        return _went(world, actor, dice)
    if dice.chance(0.5):
        return _is_in(world, actor)
    text = f"{actor.name} is {dice.pick(('not', 'no longer'))} in the {left}."
    return Rumour(text, actor, world.line, left=left)


def there_or_maybe(world: World, told: Sequence[Rumour], dice: Dice) -> Rumour:
    """He went to the park. He is in the park. He is either in the park or the school."""
    actor, _ = _moved(world, dice)
    if dice.chance(0.5):
        return _went(world, actor, dice)
    if dice.chance(0.5):
        return _is_in(world, actor)
    other = dice.pick(world.places)
    either = (actor.place, other) if dice.chance(0.5) else (other, actor.place)
    text = f"{actor.name} is either in the {either[0]} or the {either[1]}."
    return Rumour(text, actor, world.line, either=either)


def is_still_in(told: Sequence[Rumour], dice: Dice) -> Asked:
    """Is P in the L? After a negation L is the place negated. Proof: what was told of P last."""
    last = _last(told, dice)
    if last.left:
        return Asked(f"Is {last.actor.name} in the {last.left}?", "no", (last.line,))
    return yes_or_no(last.actor, last.line, HOME.places, dice)


def is_perhaps_in(told: Sequence[Rumour], dice: Dice) -> Asked:
    """Is P in the L? Yes, no, or maybe if L is one of two. Proof: what was told of P last."""
    last = _last(told, dice)
    asked = yes_or_no(last.actor, last.line, TOWN.places, dice)
    if any(f" {place}?" in asked.text for place in last.either):
        return asked._replace(answer="maybe")
    return asked


def _moved(world: World, dice: Dice) -> tuple[Actor, str]:
    """Someone goes to another place: who, and what he left."""
    actor = dice.pick(world.actors)
    left = actor.place
    world.move(actor, dice.pick([place for place in world.places if place != left]))
    return actor, left


def _went(world: World, actor: Actor, dice: Dice) -> Rumour:
    return Rumour(f"{actor.name} {dice.pick(MOVED)} the {actor.place}.", actor, world.line)


def _is_in(world: World, actor: Actor) -> Rumour:
    return Rumour(f"{actor.name} is in the {actor.place}.", actor, world.line)


def _last(told: Sequence[Rumour], dice: Dice) -> Rumour:
    """The last thing told of one who was told of lately."""
    actor = dice.pick(told[-LATELY:]).actor
    return next(rumour for rumour in reversed(told) if rumour.actor is actor)

"""What can happen. An action is tried with an actor; None says that it cannot happen to him.

The rules, each exact in the official files:
a move never leads to the place where the actor is; an object is taken only where it lies and
by someone who is there, told or not; only its holder drops it, or gives it to someone who is in
the same place.
"""

from collections.abc import Callable
from typing import NamedTuple

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.world import Actor, Thing, World

MOVED = ("went to", "journeyed to", "travelled to", "went back to", "moved to")
GOT = ("picked up", "got", "grabbed", "took")
DROPPED = ("left", "discarded", "dropped", "put down")
GAVE = ("gave", "passed", "handed")


class Event(NamedTuple):
    """Something that happened: the line and the sentence, who did it, with what, and to whom."""

    line: int
    text: str
    actor: Actor
    thing: Thing | None = None
    receiver: Actor | None = None


Action = Callable[[World, Actor, Dice], Event | None]


def move(world: World, actor: Actor, dice: Dice) -> Event | None:
    """He goes to one of the places; not to where he is."""
    place = dice.pick(world.places)
    if place == actor.place:
        return None
    world.move(actor, place)
    return Event(world.line, f"{actor.name} {dice.pick(MOVED)} the {place}.", actor)


def get(there: float) -> Action:
    """He takes up an object that lies where he is; " there" ends this share of the sentences."""

    def action(world: World, actor: Actor, dice: Dice) -> Event | None:
        near = world.lying_at(actor.place)
        if not near:
            return None
        thing = dice.pick(near)
        world.get(actor, thing)
        text = _handled(actor, dice.pick(GOT), thing, dice.chance(there))
        return Event(world.line, text, actor, thing)

    return action


def drop(there: float) -> Action:
    """He drops an object that he holds; " there" ends this share of the sentences."""

    def action(world: World, actor: Actor, dice: Dice) -> Event | None:
        held = world.held_by(actor)
        if not held:
            return None
        thing = dice.pick(held)
        world.drop(actor, thing)
        text = _handled(actor, dice.pick(DROPPED), thing, dice.chance(there))
        return Event(world.line, text, actor, thing)

    return action


def give(world: World, actor: Actor, dice: Dice) -> Event | None:
    """The first object that can be given goes to the first who is with its holder.

    Where there is a choice, the official files leave nothing to chance: 1,272 of 1,272 objects
    and 871 of 871 receivers are the first. Any holder gives, not only the actor drawn.
    """
    for thing in world.things:
        giver = thing.holder
        others = world.others_with(giver) if giver else []
        if giver and others:
            world.give(giver, thing, others[0])
            text = f"{giver.name} {dice.pick(GAVE)} the {thing.name} to {others[0].name}."
            return Event(world.line, text, giver, thing, others[0])
    return None


def happen(world: World, actions: tuple[Action, ...], dice: Dice) -> Event:
    """Draw actor and action until the action can happen.

    Both are drawn anew each time, so an actor who can do more acts more often, as in the
    official files, where whoever has just taken something acts again in 38 % of the cases.
    """
    while True:
        event = dice.pick(actions)(world, dice.pick(world.actors), dice)
        if event is not None:
            return event


def _handled(actor: Actor, verb: str, thing: Thing, there: bool) -> str:
    return f"{actor.name} {verb} the {thing.name}{' there' if there else ''}."

"""Tasks 11 to 13: people go together, and are spoken of as he, she and they."""

from collections.abc import Sequence
from typing import NamedTuple

from memnets.data.babi.generate.actions import MOVED
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.questions import ProvedQuestion
from memnets.data.babi.generate.telling import LATELY
from memnets.data.babi.generate.words import MEN, WOMEN
from memnets.data.babi.generate.world import Actor, World

NEXT = ("Then", "After that", "Following that", "Afterwards")
PRONOUNS = dict.fromkeys(("Mary", "Sandra", *WOMEN), "she") | dict.fromkeys(
    ("John", "Daniel", *MEN), "he"
)


class Trip(NamedTuple):
    """Some people went to a place: the sentence, and who went."""

    text: str
    actors: tuple[Actor, ...]


def one_goes(world: World, told: Sequence[Trip], dice: Dice) -> Trip:
    """Mary went to the garden."""
    actor = dice.pick(world.actors)
    return _go(world, (actor,), actor.name, dice)


def one_goes_on(world: World, told: Sequence[Trip], dice: Dice) -> Trip:
    """Then she moved to the office."""
    (actor,) = told[-1].actors
    return _go(world, (actor,), f"{dice.pick(NEXT)} {PRONOUNS[actor.name]}", dice)


def two_go(world: World, told: Sequence[Trip], dice: Dice) -> Trip:
    """Mary and Daniel went to the garden.

    Two who are in one place can go to five others, two who are not to four; so the former go
    together more often.
    """
    while True:
        one, other = dice.pick(world.actors), dice.pick(world.actors)
        there = dice.pick(world.places)
        if one is not other and there not in (one.place, other.place):
            return _arrive(world, (one, other), f"{one.name} and {other.name}", there, dice)


def two_go_on(world: World, told: Sequence[Trip], dice: Dice) -> Trip:
    """Then they moved to the office."""
    return _go(world, told[-1].actors, f"{dice.pick(NEXT)} they", dice)


def where_is_one(world: World, told: Sequence[Trip], dice: Dice) -> ProvedQuestion:
    """Where is P? Proof: the last trip of P."""
    actor = _last_to_go(told, dice)
    return ProvedQuestion(f"Where is {actor.name}?", actor.place, (actor.moved,))


def where_is_one_by_now(world: World, told: Sequence[Trip], dice: Dice) -> ProvedQuestion:
    """Where is P? Proof: the last two trips of P; the second says only he, she or they."""
    actor = _last_to_go(told, dice)
    return ProvedQuestion(f"Where is {actor.name}?", actor.place, (actor.moved - 1, actor.moved))


def _go(world: World, actors: tuple[Actor, ...], who: str, dice: Dice) -> Trip:
    """They go from where they are, all together, to any other place."""
    places = [place for place in world.places if place != actors[0].place]
    return _arrive(world, actors, who, dice.pick(places), dice)


def _arrive(world: World, actors: tuple[Actor, ...], who: str, place: str, dice: Dice) -> Trip:
    for actor in actors:
        world.move(actor, place)
    return Trip(f"{who} {dice.pick(MOVED)} the {place}.", actors)


def _last_to_go(told: Sequence[Trip], dice: Dice) -> Actor:
    """One of the last five to go, or as many as trips; two who go together count as two."""
    gone = [actor for trip in told for actor in trip.actors]
    return dice.pick(gone[-max(LATELY, len(told)) :])

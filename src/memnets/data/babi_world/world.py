"""The world that stories are told of: who is where, who holds what, and what proves it.

Every fact keeps the number of the line that told it, so evidence never has to be searched for.
Where actors and objects are at first is not told; an actor's place counts as told once he moves.
"""

from dataclasses import dataclass, field

from memnets.data.babi_world.dice import Dice

ACTORS = ("Mary", "John", "Sandra", "Daniel")
PLACES = ("bedroom", "bathroom", "kitchen", "garden", "hallway", "office")
OBJECTS = ("apple", "football", "milk")


@dataclass(slots=True)
class Actor:
    """Someone who moves and handles objects; `moved` is the line of the last move, 0 if none."""

    name: str
    place: str
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Visit:
    """An object came to a place in someone's hands; `line` told the move."""

    place: str
    line: int


@dataclass(slots=True)
class Thing:
    """An object.

    Args:
        name: of the object.
        place: where it lies; where it was taken up while someone holds it.
        holder: who holds it, or None.
        handled: the line of the last get or drop, 0 if none.
        brought: the line that told where the last holder had gone to drop it, 0 if untold.
        visits: the places it was carried to since it was last taken up.
    """

    name: str
    place: str
    holder: Actor | None = None
    handled: int = 0
    brought: int = 0
    visits: list[Visit] = field(default_factory=list)


class World:
    """Four actors and three objects, each somewhere in six places.

    `line` is the number of the line being told.
    """

    def __init__(self, dice: Dice) -> None:
        self.actors = [Actor(name, dice.pick(PLACES)) for name in ACTORS]
        self.things = [Thing(name, dice.pick(PLACES)) for name in OBJECTS]
        self.line = 0

    def held_by(self, actor: Actor) -> list[Thing]:
        return [thing for thing in self.things if thing.holder is actor]

    def lying_at(self, place: str) -> list[Thing]:
        return [thing for thing in self.things if thing.holder is None and thing.place == place]

    def move(self, actor: Actor, place: str) -> None:
        actor.place, actor.moved = place, self.line
        for thing in self.held_by(actor):
            thing.visits.append(Visit(place, self.line))

    def get(self, actor: Actor, thing: Thing) -> None:
        thing.holder, thing.handled, thing.visits = actor, self.line, []

    def drop(self, actor: Actor, thing: Thing) -> None:
        thing.holder, thing.handled = None, self.line
        thing.place, thing.brought = actor.place, actor.moved

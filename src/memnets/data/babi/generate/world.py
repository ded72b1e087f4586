"""The world that stories are told of: who is where, who holds what, and what proves it.

Every fact keeps the number of the line that told it, so evidence never has to be searched for.
Where actors and objects are at first is not told; an actor's place counts as told once he moves.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from memnets.data.babi.generate.dice import Dice


class Setting(NamedTuple):
    """Who and what there is in a story; and how many times as much is told before a question."""

    actors: tuple[str, ...] = ()
    places: tuple[str, ...] = ("bedroom", "bathroom", "kitchen", "garden", "hallway", "office")
    objects: tuple[str, ...] = ("apple", "football", "milk")
    length: int = 1


HOME = Setting(("Mary", "John", "Sandra", "Daniel"))
# Who is named first receives first.
CARRIERS = Setting(("John", "Mary", "Sandra", "Daniel"))
GIVERS = Setting(("Mary", "Fred", "Bill", "Jeff"))
TOWN = Setting(
    ("Fred", "Bill", "Mary", "Julie"),
    ("school", "park", "cinema", "office", "bedroom", "kitchen"),
)


@dataclass(slots=True)
class Actor:
    """Someone who moves and handles objects.

    Args:
        name: of the actor.
        place: where he is, told or not.
        moved: the line of the last move, 0 if none.
        handled: the lines that tell of him and each object, by the object first handled.
        carried: the names of the objects that he holds.
    """

    name: str
    place: str
    moved: int = 0
    handled: dict[str, list[int]] = field(default_factory=dict)
    carried: set[str] = field(default_factory=set)


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
        handled: the line of the last get, give or drop, 0 if none.
        brought: the line that told where the last holder had gone to drop it, 0 if untold.
        visits: the places it was carried to since it was last taken up.
    """

    name: str
    place: str
    holder: Actor | None = None
    handled: int = 0
    brought: int = 0
    visits: list[Visit] = field(default_factory=list)


def expect_enough(task: int, what: str, there: int, needed: int, setting: Setting) -> None:
    """Refuse a setting too small for the stories of a task.

    Raises:
        ValueError: fewer are there than needed.
    """
    if there < needed:
        raise ValueError(
            f"{what}={there}: too few for task {task} with length={setting.length}. "
            f"Expected at least {needed}. Pass {what}={needed}, or shorter stories."
        )


class World:
    """Some actors and objects, each somewhere; `line` is the number of the line being told."""

    def __init__(self, dice: Dice, setting: Setting) -> None:
        self.places = setting.places
        self.actors = [Actor(name, dice.pick(self.places)) for name in setting.actors]
        self.things = [Thing(name, dice.pick(self.places)) for name in setting.objects]
        self.line = 0

    def held_by(self, actor: Actor) -> list[Thing]:
        return [thing for thing in self.things if thing.holder is actor]

    def lying_at(self, place: str) -> list[Thing]:
        return [thing for thing in self.things if thing.holder is None and thing.place == place]

    def others_with(self, actor: Actor) -> list[Actor]:
        return [other for other in self.actors if other is not actor and other.place == actor.place]

    def move(self, actor: Actor, place: str) -> None:
        actor.place, actor.moved = place, self.line
        for thing in self.held_by(actor):
            thing.visits.append(Visit(place, self.line))

    def get(self, actor: Actor, thing: Thing) -> None:
        self._handle(actor, thing)
        actor.carried.add(thing.name)
        thing.holder, thing.handled, thing.visits = actor, self.line, []

    def drop(self, actor: Actor, thing: Thing) -> None:
        self._handle(actor, thing)
        actor.carried.remove(thing.name)
        thing.holder, thing.handled = None, self.line
        thing.place, thing.brought = actor.place, actor.moved

    def give(self, giver: Actor, thing: Thing, receiver: Actor) -> None:
        self._handle(giver, thing)
        giver.carried.remove(thing.name)
        self.get(receiver, thing)

    def _handle(self, actor: Actor, thing: Thing) -> None:
        actor.handled.setdefault(thing.name, []).append(self.line)

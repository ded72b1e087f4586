"""Four people go between five rooms, take up three objects and drop them; and are asked about.

The world and what can happen in it are those of the generated bAbI stories. What is asked, and how
long ago it was told, is set by a `Simulation`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import cycle, islice
from typing import Literal, NamedTuple, get_args

from memnets.data.babi.generate.actions import Event, drop, get, happen, move
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.questions import ProvedQuestion
from memnets.data.babi.generate.world import Actor, Setting, Thing, Visit, World
from memnets.data.babi.stories import Question, Statement, Story

Kind = Literal["actor without before", "actor", "actor and object"]
Names = Literal["actors", "places", "objects"]

KNOWN = Setting(
    actors=("Joe", "Fred", "Dan", "Mike"),
    places=("kitchen", "office", "bathroom", "garden", "bedroom"),
    objects=("milk", "apple", "football"),
)
UNSEEN = Setting(
    actors=("Bilbo", "Frodo", "Gollum", "Sam"),
    places=("shire", "cave", "tower", "forest", "harbour"),
    objects=("ring", "sword", "cloak"),
)
"""The names that no training story has, after the paper's example of unknown words."""

ACTIONS = (move, get(there=0.5), drop(there=0.5))


@dataclass(frozen=True)
class Simulation:
    """What is simulated, and what is asked of it."""

    asks: Kind = "actor and object"
    """Where is Joe?; that and where was Joe before the office?; those and where is the milk?"""
    difficulty: int = 5
    """What is asked about was mentioned in one of so many statements told last."""
    unseen: tuple[Names, ...] = ()
    """Whose names in the test stories are in no training story: actors, places, objects."""
    stories: int = 100
    """How many stories; each is a world of its own."""
    statements: int = 70
    """Told in a story."""
    questions: int = 30
    """Asked in a story."""

    def __post_init__(self) -> None:
        for name in ("difficulty", "stories", "statements", "questions"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name}={getattr(self, name)}: expected a whole number from 1. "
                    f"Pass {name}={getattr(type(self), name)}, say."
                )
        for name, words, known in (
            ("asks", (self.asks,), get_args(Kind)),
            ("unseen", self.unseen, get_args(Names)),
        ):
            for word in words:
                if word not in known:
                    raise ValueError(
                        f"{name}={word!r}: there is no such thing in the simulated world. "
                        f"Expected one of {', '.join(map(repr, known))}."
                    )

    def __str__(self) -> str:
        """What differs from the default, e.g. "difficulty=1"; nothing where nothing does."""
        return ", ".join(
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )

    def setting(self, split: str) -> Setting:
        """The names of a split: those held back stand in test stories, and nowhere else."""
        if split != "test":
            return KNOWN
        return KNOWN._replace(**{kind: getattr(UNSEEN, kind) for kind in self.unseen})


def simulate(simulation: Simulation, seed: int, split: str = "train") -> list[Story]:
    """Simulate stories with questions; the same arguments give the same stories everywhere.

    A question about an actor takes one supporting statement, one with "before" and one about an
    object take two: they are named in the order in which they are to be found.

    Deviations: the paper's simulator was never published. Its 7,000 statements and 3,000 questions
    a split are 100 stories of 70 and 30 here; the paper does not say how long a story is. The
    grammar is ours, after its figures.
    Cite: weston2014

    Args:
        simulation: what is simulated and asked.
        seed: of the random stream.
        split: any name; each has a stream of its own.
    """
    source = f"generated:simulated-world:seed={seed}:{split}" + f":{simulation}".rstrip(":")
    dice = Dice("simulated-world", split, seed)
    stories, line = [], 1
    for _ in range(simulation.stories):
        items = _story(simulation, simulation.setting(split), dice)
        stories.append(Story(items, 0, source, line))
        line += len(items)
    return stories


class Moment(NamedTuple):
    """What can be asked after so many statements; its proof is numbered by statements too."""

    told: int
    asked: ProvedQuestion


def _story(
    simulation: Simulation, setting: Setting, dice: Dice
) -> tuple[Statement | Question, ...]:
    told, moments = _tell(simulation, setting, dice)
    # Each moment has one question; where there are too few, some come twice.
    drawn = sorted(islice(cycle(_shuffled(moments, dice)), simulation.questions))
    items: list[Statement | Question] = []
    line: list[int] = []
    for number, event in enumerate(told, start=1):
        line.append(len(items) + 1)
        items.append(Statement(line[-1], event.text))
        for _, asked in (moment for moment in drawn if moment.told == number):
            proof = tuple(line[support - 1] for support in asked.supports)
            items.append(Question(len(items) + 1, asked.text, asked.answer, proof))
    return tuple(items)


def _tell(simulation: Simulation, setting: Setting, dice: Dice) -> tuple[list[Event], list[Moment]]:
    """Let things happen, and draw a question after each that can be asked about."""
    world = World(dice, setting)
    visits: dict[str, list[Visit]] = {actor.name: [] for actor in world.actors}
    told: list[Event] = []
    moments = []
    for number in range(1, simulation.statements + 1):
        world.line = number
        # Someone goes first, so that there is always something to ask.
        told.append(happen(world, ACTIONS if told else (move,), dice))
        actor = told[-1].actor
        if told[-1].thing is None:
            visits[actor.name].append(Visit(actor.place, number))
        asked = _ask(simulation.asks, told[-simulation.difficulty :], visits, dice)
        moments += [Moment(number, asked)] if asked else []
    return told, moments


def _ask(
    asks: Kind, lately: Sequence[Event], visits: dict[str, list[Visit]], dice: Dice
) -> ProvedQuestion | None:
    """A question about one of these statements: who went is asked for, or what was handled."""
    able = [
        event
        for event in lately
        if event.thing is None or (asks == "actor and object" and _where(event.thing))
    ]
    if not able:
        return None
    event = dice.pick(able)
    now = dice.pick(("", " now"))
    if event.thing is not None:
        place, proof = _where(event.thing) or ("", ())
        return ProvedQuestion(f"Where is the {event.thing.name}{now}?", place, proof)
    before = asks != "actor without before" and dice.chance(0.5)
    return (_before(event, visits[event.actor.name]) if before else None) or ProvedQuestion(
        f"Where is {event.actor.name}{now}?", event.actor.place, (event.actor.moved,)
    )


def _before(event: Event, visits: list[Visit]) -> ProvedQuestion | None:
    """Where was P before the L? L is where this statement says that he went; his last visit.

    Proof: (the move to L, the move before it).
    """
    place = next(visit.place for visit in visits if visit.line == event.line)
    here = max(index for index, visit in enumerate(visits) if visit.place == place)
    if here == 0:
        return None
    there, before = visits[here], visits[here - 1]
    text = f"Where was {event.actor.name} before the {place}?"
    return ProvedQuestion(text, before.place, (there.line, before.line))


def _where(thing: Thing) -> tuple[str, tuple[int, int]] | None:
    """Where it is, and the proof: how it was handled last, and where that one went.

    None where nobody said where he is.
    """
    holder: Actor | None = thing.holder
    place, moved = (holder.place, holder.moved) if holder else (thing.place, thing.brought)
    return (place, (thing.handled, moved)) if moved else None


def _shuffled(moments: list[Moment], dice: Dice) -> list[Moment]:
    left = list(range(len(moments)))
    order = []
    while left:
        order.append(dice.pick(left))
        left.remove(order[-1])
    return [moments[index] for index in order]

"""Task 20: why people go somewhere and take something."""

from collections.abc import Iterator
from typing import NamedTuple

from memnets.data.babi.generate.actions import GOT, MOVED
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.world import Setting
from memnets.data.babi.stories import Question, Statement

HOUSEMATES = Setting(("Jason", "Antoine", "Sumit", "Yann"))


class Aim(NamedTuple):
    """Where a motive leads, and what is taken there."""

    place: str
    thing: str


AIMS = {
    "tired": Aim("bedroom", "pajamas"),
    "bored": Aim("garden", "football"),
    "hungry": Aim("kitchen", "apple"),
    "thirsty": Aim("kitchen", "milk"),
}


class MotiveStep(NamedTuple):
    """One step of a person's: what is told of it, what is asked after it, and the answer."""

    told: str
    asked: str
    answer: str


def why_it_is_done(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """Where will p go? Why did p go to the L? Why did p get the O? Proof: p's motive.

    All of them feel their motive, then go, then take, in turns at random; each thing is there once,
    so who comes too late for it has done. The story ends when nobody can do anything.
    """
    people = setting.actors
    motives = {person: dice.pick(tuple(AIMS)) for person in people}
    done = dict.fromkeys(people, 0)
    felt: dict[str, int] = {}
    taken: set[str] = set()
    line = 0
    busy = list(people)
    while busy:
        person = dice.pick(busy)
        motive = motives[person]
        step = _steps(person, motive, dice)[done[person]]
        done[person] += 1
        if done[person] == 1:
            felt[person] = line + 1
        elif done[person] == 3:
            taken.add(motive)
        yield Statement(line + 1, step.told)
        yield Question(line + 2, step.asked, step.answer, (felt[person],), before_tab="")
        line += 2
        busy = [name for name in people if done[name] < (2 if motives[name] in taken else 3)]


def _steps(person: str, motive: str, dice: Dice) -> tuple[MotiveStep, MotiveStep, MotiveStep]:
    place, thing = AIMS[motive]
    name = person.lower()
    return (
        MotiveStep(f"{person} is {motive}.", f"Where will {name} go?", place),
        MotiveStep(
            f"{person} {dice.pick(MOVED)} the {place}.",
            f"Why did {name} go to the {place}?",
            motive,
        ),
        MotiveStep(
            f"{person} {dice.pick(GOT)} the {thing} there.",
            f"Why did {name} get the {thing}?",
            motive,
        ),
    )

"""How a story is told: things in pairs, a question after a pair if one can be asked."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from memnets.data.babi.generate.actions import Action, Event, happen
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.questions import ProvedQuestion
from memnets.data.babi.generate.world import Setting, World
from memnets.data.babi.stories import Question, Statement

QUESTIONS_A_STORY = 5
LATELY = 5
"""A question is about one of so many things told last."""

Tell = Callable[[Dice, Setting], Iterator[Statement | Question]]
"""Tell one story of a setting; it ends with its last question."""


class ToldSentence(Protocol):
    """Something told; what else is known of it is between those who tell and ask."""

    @property
    def text(self) -> str: ...


Said = TypeVar("Said", bound=ToldSentence)
Happen = Callable[[World, Sequence[Said], Dice], Said]
"""The next thing happens, after all that was told."""
Ask = Callable[[World, Sequence[Said], Dice], ProvedQuestion | None]
"""A question about what was told lately, if one can be asked."""


def in_pairs(pair: tuple[Happen[Said], Happen[Said]], ask: Ask[Said]) -> Tell:
    """Two things happen, then a question is asked, if one can be; five a story.

    In longer stories one out of so many is asked, and of so many more of the things told.
    """

    def tell(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
        world = World(dice, setting)
        told: list[Said] = []
        questions, chances = QUESTIONS_A_STORY, 0
        while questions:
            for next_thing in pair:
                world.line += 1
                told.append(next_thing(world, told, dice))
                yield Statement(world.line, told[-1].text)
            asked = ask(world, told[-LATELY:], dice)
            chances += asked is not None
            if asked is None or chances % setting.length:
                continue
            if setting.length > 1:
                asked = ask(world, told[-LATELY * setting.length :], dice) or asked
            world.line += 1
            questions -= 1
            yield Question(world.line, *asked)

    return tell


def twice(*actions: Action) -> tuple[Happen[Event], Happen[Event]]:
    """Twice one of the actions, by anyone."""

    def anything(world: World, told: Sequence[Event], dice: Dice) -> Event:
        return happen(world, actions, dice)

    return anything, anything

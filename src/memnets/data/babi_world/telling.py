"""How a story is told: things in pairs, a question after a pair if one can be asked."""

from collections import deque
from collections.abc import Callable, Iterator

from memnets.data.babi.stories import Question, Statement
from memnets.data.babi_world.actions import Action, Event, happen
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.questions import LATELY, Ask
from memnets.data.babi_world.world import World

QUESTIONS_A_STORY = 5

Tell = Callable[[Dice, int], Iterator[Statement | Question]]
"""Tell one story with at most so many questions; it ends with its last question."""


def in_pairs(*actions: Action, ask: Ask) -> Tell:
    """Two of the actions happen, then a question is asked, if one can be; five a story."""

    def tell(dice: Dice, at_most: int) -> Iterator[Statement | Question]:
        world = World(dice)
        lately: deque[Event] = deque(maxlen=LATELY)
        questions = min(at_most, QUESTIONS_A_STORY)
        while questions:
            for _ in range(2):
                world.line += 1
                event = happen(world, actions, dice)
                lately.append(event)
                yield Statement(world.line, event.text)
            asked = ask(lately, dice)
            if asked:
                world.line += 1
                questions -= 1
                yield Question(world.line, *asked)

    return tell

"""The tasks that can be generated, one entry each, and how their stories are told.

Things are told in pairs. After each pair a question is asked, if one can be; a story ends with
its fifth question.
"""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memnets.data.babi.stories import Question, Statement, Story
from memnets.data.babi.writer import format_stories
from memnets.data.babi_world.actions import Action, Event, drop, get, happen, move
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.questions import (
    LATELY,
    Ask,
    where_is_actor,
    where_is_thing,
    where_was_thing,
)
from memnets.data.babi_world.world import World

QUESTIONS_A_STORY = 5


class Chapter(NamedTuple):
    """A task: what can happen in its stories, and what is asked."""

    actions: tuple[Action, ...]
    ask: Ask


CHAPTERS: dict[int, Chapter] = {
    1: Chapter((move,), where_is_actor),
    2: Chapter((move, get(there=1.0), drop(there=0.2)), where_is_thing),
    3: Chapter((move, get(there=0.2), drop(there=0.2)), where_was_thing),
}


def make_stories(task: int, questions: int, seed: int, split: str = "train") -> list[Story]:
    """Generate stories of a task; the same arguments give the same stories everywhere.

    Deviations: the rules are fitted to the official files, not taken from their generator, which
    was never published; the stories are others.

    Args:
        task: one of `CHAPTERS`.
        questions: how many in all; the last story is cut short if five does not divide them.
        seed: of the random stream. Fewer questions of one seed are the head of more.
        split: any name; each has a stream of its own.

    Raises:
        ValueError: the task cannot be generated, or there is less than one question.
    """
    if task not in CHAPTERS:
        raise ValueError(
            f"task={task!r}: stories of this task cannot be generated. "
            f"Choose one of {', '.join(map(str, CHAPTERS))}."
        )
    if questions < 1:
        raise ValueError(f"questions={questions}: expected at least one. Ask for 1,000, say.")
    source = f"generated:qa{task}:seed={seed}" + (f":{split}" if split != "train" else "")
    dice = Dice(f"qa{task}", split, seed)
    stories, line = [], 1
    for left in range(questions, 0, -QUESTIONS_A_STORY):
        asked = min(left, QUESTIONS_A_STORY)
        items = tuple(_tell(CHAPTERS[task], asked, dice))
        stories.append(Story(items, task, source, line))
        line += len(items)
    return stories


def story_fingerprint(stories: Iterable[Story]) -> str:
    """The SHA-256 of the file that these stories make."""
    return hashlib.sha256(format_stories(stories).encode()).hexdigest()


def _tell(chapter: Chapter, questions: int, dice: Dice) -> Iterator[Statement | Question]:
    world = World(dice)
    lately: deque[Event] = deque(maxlen=LATELY)
    while questions:
        for _ in range(2):
            world.line += 1
            event = happen(world, chapter.actions, dice)
            lately.append(event)
            yield Statement(world.line, event.text)
        asked = chapter.ask(lately, dice)
        if asked:
            world.line += 1
            questions -= 1
            yield Question(world.line, *asked)

"""The tasks that can be generated, one entry each."""

import hashlib
from collections.abc import Iterable

from memnets.data.babi.stories import Question, Story
from memnets.data.babi.writer import format_stories
from memnets.data.babi_world.actions import drop, get, move
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.questions import where_is_actor, where_is_thing, where_was_thing
from memnets.data.babi_world.telling import Tell, in_pairs

CHAPTERS: dict[int, Tell] = {
    1: in_pairs(move, ask=where_is_actor),
    2: in_pairs(move, get(there=1.0), drop(there=0.2), ask=where_is_thing),
    3: in_pairs(move, get(there=0.2), drop(there=0.2), ask=where_was_thing),
}


def make_stories(task: int, questions: int, seed: int, split: str = "train") -> list[Story]:
    """Generate stories of a task; the same arguments give the same stories everywhere.

    Deviations: the rules are fitted to the official files, not taken from their generator, which
    was never published; the stories are others.

    Args:
        task: one of `CHAPTERS`.
        questions: how many in all; the last story is cut short where the questions run out.
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
    stories, line, left = [], 1, questions
    while left:
        items = tuple(CHAPTERS[task](dice, left))
        stories.append(Story(items, task, source, line))
        line += len(items)
        left -= sum(isinstance(item, Question) for item in items)
    return stories


def story_fingerprint(stories: Iterable[Story]) -> str:
    """The SHA-256 of the file that these stories make."""
    return hashlib.sha256(format_stories(stories).encode()).hexdigest()

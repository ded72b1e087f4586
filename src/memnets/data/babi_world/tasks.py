"""The tasks that can be generated, one entry each."""

import hashlib
from collections.abc import Iterable

from memnets.data.babi.stories import Question, Story
from memnets.data.babi.writer import format_stories
from memnets.data.babi_world.actions import drop, get, give, move
from memnets.data.babi_world.companions import (
    one_goes,
    one_goes_on,
    two_go,
    two_go_on,
    where_is_one,
    where_is_one_by_now,
)
from memnets.data.babi_world.days import where_before
from memnets.data.babi_world.deduction import what_is_feared
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.directions import what_lies_where
from memnets.data.babi_world.induction import which_colour
from memnets.data.babi_world.motives import why_it_is_done
from memnets.data.babi_world.paths import how_to_go
from memnets.data.babi_world.positions import how_shapes_lie
from memnets.data.babi_world.possessions import how_many, what_is_carried, who_gave_what
from memnets.data.babi_world.questions import (
    is_actor_in,
    where_is_actor,
    where_is_thing,
    where_was_thing,
)
from memnets.data.babi_world.rumours import (
    here_or_there,
    is_perhaps_in,
    is_still_in,
    no_longer_there,
    rumours,
)
from memnets.data.babi_world.sizes import what_fits_where
from memnets.data.babi_world.telling import Tell, in_pairs, twice
from memnets.data.babi_world.world import CARRIERS, GIVERS, TOWN

HANDLING = (move, get(there=1.0), drop(there=0.2))

CHAPTERS: dict[int, Tell] = {
    1: in_pairs(twice(move), where_is_actor),
    2: in_pairs(twice(*HANDLING), where_is_thing),
    3: in_pairs(twice(move, get(there=0.2), drop(there=0.2)), where_was_thing),
    4: what_lies_where,
    5: in_pairs(twice(*HANDLING, give), who_gave_what, GIVERS),
    6: in_pairs(twice(*HANDLING), is_actor_in),
    7: in_pairs(twice(*HANDLING, give), how_many, CARRIERS),
    8: in_pairs(twice(*HANDLING), what_is_carried),
    9: in_pairs(rumours(no_longer_there), is_still_in),
    10: in_pairs(rumours(here_or_there), is_perhaps_in, TOWN),
    11: in_pairs((one_goes, one_goes_on), where_is_one_by_now),
    12: in_pairs((two_go, two_go), where_is_one),
    13: in_pairs((two_go, two_go_on), where_is_one_by_now),
    14: where_before,
    15: what_is_feared,
    16: which_colour,
    17: how_shapes_lie,
    18: what_fits_where,
    19: how_to_go,
    20: why_it_is_done,
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

"""The tasks that can be generated, one entry each."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memnets.data.babi.generate.actions import drop, get, give, move
from memnets.data.babi.generate.balance import Scales
from memnets.data.babi.generate.companions import (
    one_goes,
    one_goes_on,
    two_go,
    two_go_on,
    where_is_one,
    where_is_one_by_now,
)
from memnets.data.babi.generate.days import where_before
from memnets.data.babi.generate.deduction import PREY, what_is_feared
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.directions import what_lies_where
from memnets.data.babi.generate.induction import ZOO, which_colour
from memnets.data.babi.generate.language import ENGLISH, language
from memnets.data.babi.generate.links import ROOMS
from memnets.data.babi.generate.motives import HOUSEMATES, why_it_is_done
from memnets.data.babi.generate.paths import how_to_go
from memnets.data.babi.generate.positions import how_shapes_lie
from memnets.data.babi.generate.possessions import how_many, what_is_carried, who_gave_what
from memnets.data.babi.generate.questions import (
    is_actor_in,
    where_is_actor,
    where_is_thing,
    where_was_thing,
)
from memnets.data.babi.generate.rumours import (
    here_or_there,
    is_perhaps_in,
    is_still_in,
    no_longer_there,
    rumours,
)
from memnets.data.babi.generate.sizes import what_fits_where
from memnets.data.babi.generate.telling import Tell, in_pairs, twice
from memnets.data.babi.generate.variants import OFFICIAL, POOLS, Variant
from memnets.data.babi.generate.world import CARRIERS, GIVERS, HOME, TOWN, Setting
from memnets.data.babi.stories import Question, Statement, Story
from memnets.data.babi.writer import format_stories

MOVING = ("actors", "places", "length")
HANDLING = ("actors", "places", "objects", "length")


class Chapter(NamedTuple):
    """How the stories of a task are told, where they are set, and what of it can be changed.

    Args:
        tell: tells one story.
        setting: the official one.
        takes: which of actors, places, objects and longer.
    """

    tell: Tell
    setting: Setting
    takes: tuple[str, ...] = ()


handle = twice(move, get(there=1.0), drop(there=0.2))
handle_or_give = twice(move, get(there=1.0), drop(there=0.2), give)

CHAPTERS: dict[int, Chapter] = {
    1: Chapter(in_pairs(twice(move), where_is_actor), HOME, MOVING),
    2: Chapter(in_pairs(handle, where_is_thing), HOME, HANDLING),
    3: Chapter(
        in_pairs(twice(move, get(there=0.2), drop(there=0.2)), where_was_thing), HOME, HANDLING
    ),
    4: Chapter(what_lies_where, Setting(places=ROOMS), ("places", "length")),
    5: Chapter(in_pairs(handle_or_give, who_gave_what), GIVERS, HANDLING),
    6: Chapter(in_pairs(handle, is_actor_in), HOME, HANDLING),
    7: Chapter(in_pairs(handle_or_give, how_many), CARRIERS, HANDLING),
    8: Chapter(in_pairs(handle, what_is_carried), HOME, HANDLING),
    9: Chapter(in_pairs(rumours(no_longer_there), is_still_in), HOME, MOVING),
    10: Chapter(in_pairs(rumours(here_or_there), is_perhaps_in), TOWN, MOVING),
    11: Chapter(in_pairs((one_goes, one_goes_on), where_is_one_by_now), HOME, MOVING),
    12: Chapter(in_pairs((two_go, two_go), where_is_one), HOME, MOVING),
    13: Chapter(in_pairs((two_go, two_go_on), where_is_one_by_now), HOME, MOVING),
    14: Chapter(where_before, TOWN, MOVING),
    15: Chapter(what_is_feared, PREY, ("actors",)),
    16: Chapter(which_colour, ZOO, ("actors",)),
    17: Chapter(how_shapes_lie, Setting()),
    18: Chapter(what_fits_where, Setting(), ("length",)),
    19: Chapter(how_to_go, Setting(places=ROOMS), ("places", "length")),
    20: Chapter(why_it_is_done, HOUSEMATES, ("actors",)),
}


def make_stories(
    task: int, questions: int, seed: int, split: str = "train", variant: Variant = OFFICIAL
) -> list[Story]:
    """Generate stories of a task; the same arguments give the same stories everywhere.

    Deviations: the rules are fitted to the official files, not taken from their generator, which
    was never published; the stories are others.

    Args:
        task: one of `CHAPTERS`.
        questions: how many in all; the last story is cut short where the questions run out.
        seed: of the random stream. Fewer questions of one seed are the head of more.
        split: any name; each has a stream of its own.
        variant: how the stories differ from the official ones.

    Raises:
        ValueError: the task cannot be generated, there is less than one question, or the task
            cannot take the variant.
    """
    if task not in CHAPTERS:
        raise ValueError(
            f"task={task!r}: stories of this task cannot be generated. "
            f"Choose one of {', '.join(map(str, CHAPTERS))}."
        )
    if questions < 1:
        raise ValueError(f"questions={questions}: expected at least one. Ask for 1,000, say.")
    tell, setting = CHAPTERS[task].tell, _setting(task, split, variant)
    source = f"generated:qa{task}:seed={seed}" + (f":{split}" if split != "train" else "")
    source += f":{variant}" if variant != OFFICIAL else ""
    dice = Dice(f"qa{task}", split, seed)
    scales = Scales()
    stories, line, left = [], 1, questions
    while left:
        told = tell(dice, setting)
        items = tuple(_cut(scales.thin(told) if variant.balanced else told, left))
        if variant.language != ENGLISH:
            items = tuple(map(language(variant.language).tell, items))
        if items:
            stories.append(Story(items, task, source, line))
        line += len(items)
        left -= sum(isinstance(item, Question) for item in items)
    return stories


def _setting(task: int, split: str, variant: Variant) -> Setting:
    """Where the stories of a task are set in this variant."""
    takes = {number: _taken(chapter) for number, chapter in CHAPTERS.items()}
    for option in variant.asked():
        if option not in takes[task]:
            able = (str(number) for number, taken in takes.items() if option in taken)
            raise ValueError(
                f"{option}={getattr(variant, option)}: task {task} has nothing that this could "
                f"change. Leave it out, or choose among the tasks that take it: {', '.join(able)}."
            )
    kinds = [option for option in takes[task] if option in POOLS]
    return variant.setting(CHAPTERS[task].setting, kinds, split)


def _taken(chapter: Chapter) -> tuple[str, ...]:
    """The options of a chapter: words can be held out where there are words to choose."""
    held_out = ("held_out",) if set(chapter.takes) & set(POOLS) else ()
    return *chapter.takes, *held_out, "balanced", "language"


def _cut(items: Iterator[Statement | Question], questions: int) -> Iterator[Statement | Question]:
    """The story up to so many questions."""
    for item in items:
        yield item
        questions -= isinstance(item, Question)
        if not questions:
            return


def story_fingerprint(stories: Iterable[Story]) -> str:
    """The SHA-256 of the file that these stories make."""
    return hashlib.sha256(format_stories(stories).encode()).hexdigest()

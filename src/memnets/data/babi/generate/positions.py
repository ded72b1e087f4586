"""Task 17: three shapes, two facts, and how the two shapes lie that no fact compares."""

from collections.abc import Iterator

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.links import Links, deal, link, pairs_told
from memnets.data.babi.generate.world import Setting
from memnets.data.babi.stories import Question, Statement

SHAPES = ("triangle", "blue square", "pink rectangle", "red square", "red sphere", "yellow square")
SAID = {
    "north": "above",
    "south": "below",
    "west": "to the left of",
    "east": "to the right of",
}
STEP = {"north": (0, 1), "south": (0, -1), "west": (-1, 0), "east": (1, 0)}
QUESTIONS_A_STORY = 8


def how_shapes_lie(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """Is the A above the B? Proof: the fact on A, then the fact on B.

    A and B lie on different sides of the third shape. Yes and no are equally likely, then the
    relations of which it is true.
    """
    ends = deal(SHAPES, 3, dice)
    middle = ends.pop()
    ways = deal(tuple(STEP), 2, dice)
    links: Links = {}
    line: dict[str, int] = {}
    for end, way in zip(ends, ways, strict=True):
        link(links, middle, way, end)
    for number, (drawn, other) in enumerate(pairs_told(links, dice), 1):
        # Here the neighbour is spoken of: the middle shape in 2/3 of the facts.
        line[drawn if other == middle else other] = number
        yield Statement(number, f"The {other} is {SAID[links[drawn][other]]} the {drawn}.")
    sides = {end: STEP[way] for end, way in zip(ends, ways, strict=True)}
    for number in range(len(line) + 1, len(line) + 1 + QUESTIONS_A_STORY):
        one, other = deal(ends, 2, dice)
        true = [way for way in STEP if _lies(sides[one], sides[other], STEP[way])]
        answer = dice.pick(("yes", "no"))
        asked = dice.pick([way for way in STEP if (way in true) == (answer == "yes")])
        text = f"Is the {one} {SAID[asked]} the {other}?"
        yield Question(number, text, answer, (line[one], line[other]), before_tab="")


def _lies(one: tuple[int, int], other: tuple[int, int], step: tuple[int, int]) -> bool:
    """Whether one spot lies in this direction of the other."""
    return (one[0] - other[0]) * step[0] + (one[1] - other[1]) * step[1] > 0

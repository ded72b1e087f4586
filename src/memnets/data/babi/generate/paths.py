"""Task 19: six rooms joined by five facts, and the way from one to another in two steps."""

from collections.abc import Iterator

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.links import OPPOSITE, Links, deal, link, pairs_told
from memnets.data.babi.generate.world import Setting, expect_enough
from memnets.data.babi.stories import Question, Statement

DIRECTIONS = tuple(OPPOSITE)
FACTS = 5
BESIDE = 3


def how_to_go(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """How do you go from the A to the B? Proof: the two steps, in their order.

    The way never turns back. Three more rooms lie beside rooms of the way, each in a direction
    that is free there; two of them can share a spot, as in 7 % of the official stories. In longer
    stories three more lie beside any of these, and so on.
    """
    facts = FACTS * setting.length
    expect_enough(19, "places", len(setting.places), facts + 1, setting)
    start, middle, end, *others = deal(setting.places, facts + 1, dice)
    first = dice.pick(DIRECTIONS)
    second = dice.pick([way for way in DIRECTIONS if way != OPPOSITE[first]])
    links: Links = {}
    link(links, start, first, middle)
    link(links, middle, second, end)
    for count in range(0, len(others), BESIDE):
        more = others[count : count + BESIDE]
        free = [
            (room, way)
            for room, near in links.items()
            for way in DIRECTIONS
            if way not in near.values()
        ]
        for other, (room, way) in zip(more, deal(free, len(more), dice), strict=True):
            link(links, room, way, other)
    line: dict[frozenset[str], int] = {}
    for number, (room, other) in enumerate(pairs_told(links, dice), 1):
        line[frozenset((room, other))] = number
        yield Statement(number, f"The {room} is {links[other][room]} of the {other}.")
    yield Question(
        len(line) + 1,
        f"How do you go from the {start} to the {end}?",
        f"{first[0]},{second[0]}",
        (line[frozenset((start, middle))], line[frozenset((middle, end))]),
        before_tab="",
    )

"""Task 19: six rooms joined by five facts, and the way from one to another in two steps."""

from collections.abc import Iterator

from memnets.data.babi.stories import Question, Statement
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.links import OPPOSITE, ROOMS, Links, deal, link, pairs_told

DIRECTIONS = tuple(OPPOSITE)


def how_to_go(dice: Dice, at_most: int) -> Iterator[Statement | Question]:
    """How do you go from the A to the B? Proof: the two steps, in their order.

    The way never turns back. Each of the other three rooms lies beside one of the way's rooms, in
    a direction that is free there; two of them can share a spot, as in 7 % of the official stories.
    """
    start, middle, end, *others = deal(ROOMS, len(ROOMS), dice)
    first = dice.pick(DIRECTIONS)
    second = dice.pick([way for way in DIRECTIONS if way != OPPOSITE[first]])
    links: Links = {}
    link(links, start, first, middle)
    link(links, middle, second, end)
    free = [
        (room, way)
        for room in (start, middle, end)
        for way in DIRECTIONS
        if way not in links[room].values()
    ]
    for other, (room, way) in zip(others, deal(free, len(others), dice), strict=True):
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

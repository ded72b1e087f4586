"""Things that lie next to each other, and how it is told; shared by tasks 4, 17 and 19.

One of the things is drawn, then one of its neighbours; how the two lie is told, if it has not
been. So a thing with few neighbours is oftener the one drawn: where a room of one neighbour meets
a room of two, it is drawn in 2/3 of the official files, against a room of three in 3/4.
"""

from collections.abc import Sequence

from memnets.data.babi.generate.dice import Dice, Option

ROOMS = ("office", "bathroom", "hallway", "garden", "kitchen", "bedroom")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}

Links = dict[str, dict[str, str]]
"""``links["garden"]["office"]`` is "north" where the office is north of the garden."""


def link(links: Links, here: str, direction: str, there: str) -> None:
    """Put `there` in a direction of `here`."""
    links.setdefault(here, {})[there] = direction
    links.setdefault(there, {})[here] = OPPOSITE[direction]


def pairs_told(links: Links, dice: Dice) -> list[tuple[str, str]]:
    """Each pair of neighbours once, in the order of telling: the one drawn, and its neighbour."""
    names = list(links)
    neighbours = {name: list(near) for name, near in links.items()}
    count = sum(map(len, neighbours.values())) // 2
    told: dict[frozenset[str], tuple[str, str]] = {}
    while len(told) < count:
        drawn = dice.pick(names)
        other = dice.pick(neighbours[drawn])
        told.setdefault(frozenset((drawn, other)), (drawn, other))
    return list(told.values())


def deal(options: Sequence[Option], count: int, dice: Dice) -> list[Option]:
    """Some of the options in random order, none twice."""
    left = list(options)
    dealt = []
    for _ in range(count):
        dealt.append(dice.pick(left))
        left.remove(dealt[-1])
    return dealt

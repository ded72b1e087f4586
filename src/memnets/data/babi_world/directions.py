"""Task 4: three rooms in a row, two facts, one question about one of them."""

from collections.abc import Iterator

from memnets.data.babi.stories import Question, Statement
from memnets.data.babi_world.dice import Dice
from memnets.data.babi_world.links import OPPOSITE, ROOMS, Links, deal, link, pairs_told


def what_lies_where(dice: Dice, at_most: int) -> Iterator[Statement | Question]:
    """What is north of the B? What is the B north of? Proof: the fact that says so.

    The answer is always the room that the fact speaks of, "The A is ..."; the question uses the
    fact's direction, or the opposite one.
    """
    direction = dice.pick(tuple(OPPOSITE))
    first, middle, last = deal(ROOMS, 3, dice)
    links: Links = {}
    link(links, first, direction, middle)
    link(links, middle, direction, last)
    told = pairs_told(links, dice)
    for line, (room, other) in enumerate(told, 1):
        yield Statement(line, f"The {room} is {links[other][room]} of the {other}.")
    room, other = dice.pick(told)
    asked = (
        f"What is {links[other][room]} of the {other}?",
        f"What is the {other} {links[room][other]} of?",
    )
    proof = told.index((room, other)) + 1
    yield Question(len(told) + 1, dice.pick(asked), room, (proof,), before_tab="")

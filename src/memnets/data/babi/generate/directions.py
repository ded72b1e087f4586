"""Task 4: three rooms in a row, two facts, one question about one of them."""

from collections.abc import Iterator
from itertools import pairwise

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.links import OPPOSITE, Links, deal, link, pairs_told
from memnets.data.babi.generate.world import Setting, expect_enough
from memnets.data.babi.stories import Question, Statement

FACTS = 2


def what_lies_where(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """What is north of the B? What is the B north of? Proof: the fact that says so.

    The answer is always the room that the fact speaks of, "The A is ..."; the question uses the
    fact's direction, or the opposite one.
    """
    facts = FACTS * setting.length
    expect_enough(4, "places", len(setting.places), facts + 1, setting)
    direction = dice.pick(tuple(OPPOSITE))
    links: Links = {}
    for room, other in pairwise(deal(setting.places, facts + 1, dice)):
        link(links, room, direction, other)
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

"""Task 18: which boxes fit inside which, told pair by pair."""

from collections.abc import Iterator
from typing import NamedTuple

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.links import deal
from memnets.data.babi.generate.world import Setting
from memnets.data.babi.stories import Question, Statement

SMALLEST = ("chocolate", "box of chocolates")
OTHERS = ("box", "chest", "suitcase", "container")
FACTS_AT_A_TIME = 5
QUESTIONS_AT_A_TIME = 5
TRIES = 100
"""At questions; the official files stop early as often as with 100 tries at up to five."""
TOLD_LAST = 0.6
"""How often the last of several equal facts is taken for the one drawn."""


class SizeFact(NamedTuple):
    """The line that tells it, what is smaller, what is bigger."""

    line: int
    small: str
    big: str


def what_fits_where(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """Is the A bigger than the B? Does the A fit in the B? Proof: two facts that share a thing.

    The order of the four big things is drawn anew for each story. Five facts are told, then up to
    five questions asked; until five have been asked of what was told, five more facts follow.
    """
    order = [*SMALLEST, *deal(OTHERS, len(OTHERS), dice)]
    facts: list[SizeFact] = []
    line = asked = 0
    while asked < QUESTIONS_AT_A_TIME:
        for _ in range(FACTS_AT_A_TIME * setting.length):
            line += 1
            pair = deal(range(len(order)), 2, dice)
            facts.append(SizeFact(line, order[min(pair)], order[max(pair)]))
            yield Statement(line, _fact(facts[-1], dice))
        asked = tries = 0
        while tries < TRIES and asked < QUESTIONS_AT_A_TIME:
            tries += 1
            chain = _chain(facts, dice)
            if chain:
                line += 1
                asked += 1
                yield _question(line, *chain, dice)


def _fact(fact: SizeFact, dice: Dice) -> str:
    if dice.chance(0.5):
        return f"The {fact.small} fits inside the {fact.big}."
    return f"The {fact.big} is bigger than the {fact.small}."


def _chain(facts: list[SizeFact], dice: Dice) -> tuple[SizeFact, SizeFact] | None:
    """Draw a fact and one of its things; take the first other fact on that thing, if it leads on.

    So what was told twice before leads nowhere, as in the official files.
    """
    first = dice.pick(facts)
    if dice.chance(TOLD_LAST):
        first = [fact for fact in facts if fact[1:] == first[1:]][-1]
    shared = dice.pick((first.small, first.big))
    for fact in facts:
        if fact is not first and shared in fact[1:]:
            leads_on = fact.small == first.big or fact.big == first.small
            return (first, fact) if leads_on else None
    return None


def _question(line: int, first: SizeFact, second: SizeFact, dice: Dice) -> Question:
    """Asked against the order of sizes where the first fact is on the smaller thing: answer no."""
    upwards = first.big == second.small
    small, big = (first.small, second.big) if upwards else (second.small, first.big)
    if dice.chance(0.5):
        one, other = (small, big) if upwards else (big, small)
        text = f"Is the {one} bigger than the {other}?"
    else:
        one, other = (big, small) if upwards else (small, big)
        text = f"Does the {one} fit in the {other}?"
    answer = "no" if upwards else "yes"
    return Question(line, text, answer, (first.line, second.line), before_tab="")

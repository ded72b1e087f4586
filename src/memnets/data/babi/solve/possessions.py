"""Tasks 5, 7 and 8: who gave what to whom, and what someone carries."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.places import DROP, GET
from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

GIVE = re.compile(
    r"(?P<giver>\w+) (?:gave|passed|handed) the (?P<thing>\w+) to (?P<receiver>\w+)\."
)
GIVEN = {
    "thing": re.compile(r"What did (?P<giver>\w+) give to (?P<receiver>\w+)\?"),
    "giver": re.compile(r"Who gave the (?P<thing>\w+)(?: to (?P<receiver>\w+))?\?"),
    "receiver": re.compile(
        r"Who (?:received the|did (?P<giver>\w+) give the) (?P<thing>\w+)(?: to)?\?"
    ),
}
CARRYING = re.compile(r"(?:How many objects|What) is (\w+) carrying\?")
# How an object is handled: by which name of the sentence, and whether he has it then.
HANDLED = ((GET, 1, True), (DROP, 1, False), (GIVE, 1, False), (GIVE, 3, True))
NUMERALS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


def who_gave_what(told: Sequence[Statement], question: str) -> Solved:
    """The last give that fits what the question says. Proof: that give."""
    wanted, said = _gift(question)
    for statement in reversed(told):
        gift = GIVE.fullmatch(statement.text)
        if gift and all(gift[role] == name for role, name in said.items()):
            return Solved(gift[wanted], (statement.line,))
    raise ValueError(f"{question!r}: nobody did. Expected a give that fits before it.")


def how_many(told: Sequence[Statement], question: str) -> Solved:
    """How many objects is P carrying? Proof: all that tells of P and an object, as told."""
    handled, carried = _possessions(told, matched(CARRYING, question)[1])
    proof = sorted(line for lines in handled.values() for line in lines)
    return Solved(NUMERALS[len(carried)], tuple(proof))


def what_is_carried(told: Sequence[Statement], question: str) -> Solved:
    """What is P carrying? Answer and proof go by the object that P took up first, ever."""
    handled, carried = _possessions(told, matched(CARRYING, question)[1])
    names = ",".join(thing for thing in handled if thing in carried)
    return Solved(names or "nothing", tuple(line for lines in handled.values() for line in lines))


def _gift(question: str) -> tuple[str, dict[str, str]]:
    """Which role of a give is asked for, and who or what has the others, as far as said."""
    for wanted, pattern in GIVEN.items():
        found = pattern.fullmatch(question)
        if found:
            return wanted, {role: name for role, name in found.groupdict().items() if name}
    raise ValueError(
        f"{question!r}: the solver does not understand this. Expected a question about a give, "
        f'e.g. "Who gave the milk?". Was it asked of another task?'
    )


def _possessions(told: Sequence[Statement], actor: str) -> tuple[dict[str, list[int]], set[str]]:
    """The lines that tell of the actor and each object, and the objects that he has by now."""
    handled: dict[str, list[int]] = {}
    carried: set[str] = set()
    for statement in told:
        for pattern, who, has in HANDLED:
            found = pattern.fullmatch(statement.text)
            if found and found[who] == actor:
                handled.setdefault(found[2], []).append(statement.line)
                (carried.add if has else carried.discard)(found[2])
    return handled, carried

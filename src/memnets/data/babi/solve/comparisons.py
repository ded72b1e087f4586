"""Task 18: which of two things is bigger, by way of a third."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

FITS = re.compile(r"The (.+) fits inside the (.+)\.")
BIGGER = re.compile(r"The (.+) is bigger than the (.+)\.")
ASKED = re.compile(r"(?:Is the (.+) bigger than|Does the (.+) fit in) the (.+)\?")


def what_fits_where(told: Sequence[Statement], question: str) -> Solved:
    """Is the A bigger than the B? Does the A fit in the B? Two facts share a third thing."""
    return proofs(told, question)[0]


def proofs(told: Sequence[Statement], question: str) -> list[Solved]:
    """Every pair of facts that proves the answer: a thing told twice gives more than one.

    A "no" is proved from the smaller thing up, a "yes" from the bigger down.
    """
    bigger, smaller, other = matched(ASKED, question).groups()
    pair = {bigger or smaller, other}
    found = []
    facts = [(statement.line, *_small_and_big(statement)) for statement in told]
    for low, smallest, middle in facts:
        for high, again, biggest in facts:
            if middle == again and {smallest, biggest} == pair:
                yes = bigger == biggest or smaller == smallest
                found.append(Solved("yes", (high, low)) if yes else Solved("no", (low, high)))
    if not found:
        raise ValueError(
            f"{question} No two facts lead from one to the other. Expected them before."
        )
    return found


def _small_and_big(statement: Statement) -> tuple[str, str]:
    fits = FITS.fullmatch(statement.text)
    if fits:
        return fits[1], fits[2]
    big, small = matched(BIGGER, statement.text).groups()
    return small, big

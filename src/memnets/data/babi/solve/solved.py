"""What a solver gives, and how it reads."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memnets.data.babi.stories import Statement


class Solved(NamedTuple):
    """An answer, and the lines that prove it in the official order."""

    answer: str
    supports: tuple[int, ...]


Solver = Callable[[Sequence[Statement], str], Solved]


def matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """The whole text read by the pattern.

    Raises:
        ValueError: it does not fit.
    """
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r}: the solver does not understand this. Expected {pattern.pattern!r}. "
            f"Was it asked of another task?"
        )
    return found

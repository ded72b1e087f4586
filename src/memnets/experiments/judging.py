"""What a trained run makes of a file of questions. Imports no torch."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memnets.data.qa.judged import Judged

if TYPE_CHECKING:
    from memnets.training.task import Ratio

ASKED = "asked"
"""What the split is called that a file of questions makes."""

Asked = TypeVar("Asked")
StrPath = str | os.PathLike[str]


class JudgedFile(NamedTuple):
    """The questions of a file, all of them answered and judged."""

    metrics: dict[str, float]
    """By name; the same that a split of the run's own data has."""
    judged: list[Judged]
    """A question each, in the order of the file."""

    @classmethod
    def of(cls, ratios: "Mapping[str, Ratio]", judged: list[Judged]) -> "JudgedFile":
        """Return what was measured; a figure of no question at all is left out."""
        found = {name: ratio.mean for name, ratio in ratios.items() if ratio.weight}
        return cls(found, judged)


def some(asked: Sequence[Asked], path: StrPath, expected: str) -> Sequence[Asked]:
    """Return what a file asks.

    Args:
        asked: the questions.
        path: of the file, for the complaint.
        expected: what a file holds, for the complaint.

    Raises:
        ValueError: it asks nothing.
    """
    if not asked:
        raise ValueError(f"{path}: nothing is asked here; expected {expected}. Write some.")
    return asked

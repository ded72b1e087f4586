"""Answers that are equally frequent, by leaving questions out.

The stories are told as ever. A question whose answer is ahead of another's is not asked, and the
lines after it move up. Answers that are rare in the world stay rare: one that has less than a
tenth of an even share is not waited for. So about one question in ten is kept at the least.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from memnets.data.babi.stories import Question, Statement

AHEAD = 10
"""By how many questions an answer may be ahead; with none, the next answer could be foreseen."""
RARE = 0.1


class Scales:
    """How often each answer came up, and how often it was kept."""

    def __init__(self) -> None:
        self._came: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()

    def accept(self, answer: str) -> bool:
        """Whether a question with this answer is kept; it counts from now on."""
        self._came[answer] += 1
        even = self._came.total() / len(self._came)
        waited_for = (self._kept[known] for known, n in self._came.items() if n >= RARE * even)
        accepted = self._kept[answer] <= min(waited_for) + AHEAD
        self._kept[answer] += accepted
        return accepted

    def thin(self, items: Iterator[Statement | Question]) -> Iterator[Statement | Question]:
        """The story with the accepted questions only; it ends with the last of them."""
        moved: dict[int, int] = {}
        waiting: list[Statement] = []
        for item in items:
            if isinstance(item, Question) and not self.accept(item.answer):
                continue
            moved[item.line] = line = len(moved) + 1
            if isinstance(item, Statement):
                waiting.append(replace(item, line=line))
                continue
            yield from waiting
            waiting.clear()
            yield replace(item, line=line, supports=tuple(moved[told] for told in item.supports))

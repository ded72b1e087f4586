"""What a check found, task by task, and what of it is a reason to reject."""

from typing import Any, NamedTuple

from tools.babi_check.chance import Difference, Drift
from tools.babi_check.seen import Broken

LEVEL = 0.01
"""A statistic is rejected where its corrected p is below this."""
MOST_VARIATION = 0.02
"""Total variation that is allowed in any case, where there are as many observations as here:"""
MANY = 1000
CHANCES = 4
"""Where chance alone makes more, so many times what it makes on average is allowed. Of two cells
that is 3.2 standard deviations, which chance exceeds once in 700 times."""
MOST_DRIFT = 0.02
"""The mean size of a memory may differ by this share, or by three standard deviations."""
DEVIATIONS = 3


class Tested(NamedTuple):
    """A statistic that was compared.

    Args:
        name: of the statistic.
        observations: how many the checked stories gave.
        difference: p and total variation.
        corrected: p, corrected for all that was tested in all tasks.
    """

    name: str
    observations: int
    difference: Difference
    corrected: float

    @property
    def limit(self) -> float:
        """The largest total variation that is allowed."""
        if self.observations < MANY:
            return 1.0
        return max(MOST_VARIATION, CHANCES * self.difference.by_chance)

    @property
    def reasons(self) -> list[str]:
        """Why it is rejected, if it is."""
        found = []
        if self.corrected < LEVEL:
            found.append(f"{self.name}: corrected p = {self.corrected:.2g}, below {LEVEL}")
        if self.difference.variation > self.limit:
            found.append(
                f"{self.name}: total variation {self.difference.variation:.3f}, "
                f"above {self.limit:.3f}"
            )
        return found


class Memory(NamedTuple):
    """The mean size of a memory, and its p corrected for all that was tested."""

    drift: Drift
    corrected: float

    @property
    def reasons(self) -> list[str]:
        """Why it is rejected, if it is."""
        found = []
        if self.corrected < LEVEL:
            found.append(f"memory mean: corrected p = {self.corrected:.2g}, below {LEVEL}")
        limit = max(MOST_DRIFT, DEVIATIONS * self.drift.deviation)
        if abs(self.drift.relative) > limit:
            found.append(f"memory mean: {self.drift.relative:+.1%}, beyond {limit:.1%}")
        return found


class TaskVerdict(NamedTuple):
    """What was found of a task.

    Args:
        task: its number.
        stories: how many were compared.
        questions: how many those ask.
        tested: the statistics that were compared.
        too_few: the statistics with too few observations to compare.
        memory: the mean size of a memory; None if nothing could be compared.
        broken: where rules do not hold.
        unknown: words that the reference does not have.
        missing: words that it has, and that should have come up.
    """

    task: int
    stories: int
    questions: int
    tested: list[Tested]
    too_few: list[str]
    memory: Memory | None
    broken: list[Broken]
    unknown: list[str]
    missing: list[str]

    @property
    def reasons(self) -> list[str]:
        """Why the task is rejected; none if it is not."""
        found = [reason for tested in self.tested for reason in tested.reasons]
        found += self.memory.reasons if self.memory else ["no story of it could be compared"]
        for rule in dict.fromkeys(broken.rule for broken in self.broken):
            places = [broken.where for broken in self.broken if broken.rule == rule]
            more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
            found.append(f"{rule}: not so at {places[0]}{more}")
        for what, words in (("unknown", self.unknown), ("missing", self.missing)):
            if words:
                found.append(f"{what} words: {', '.join(words)}")
        return found


class Verdict(NamedTuple):
    """What a check found: the tasks, and how many tests were made."""

    tasks: list[TaskVerdict]
    tests: int

    def plain(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        tasks = {str(found.task): _plain(found) for found in self.tasks}
        return {"level": LEVEL, "tests": self.tests, "rejected": self.rejected, "tasks": tasks}

    @property
    def rejected(self) -> list[int]:
        """The tasks that are not like the reference."""
        return [found.task for found in self.tasks if found.reasons]


def _plain(found: TaskVerdict) -> dict[str, Any]:
    return {
        "stories": found.stories,
        "questions": found.questions,
        "reasons": found.reasons,
        "tested": {
            one.name: {
                "observations": one.observations,
                "p": one.difference.p,
                "corrected_p": one.corrected,
                "variation": one.difference.variation,
                "variation_by_chance": one.difference.by_chance,
                "variation_limit": one.limit,
            }
            for one in found.tested
        },
        "too_few": found.too_few,
        "memory": {
            "reference": found.memory.drift.one,
            "mean": found.memory.drift.other,
            "relative": found.memory.drift.relative,
            "deviation": found.memory.drift.deviation,
            "p": found.memory.drift.p,
            "corrected_p": found.memory.corrected,
        }
        if found.memory
        else None,
        "broken": [one._asdict() for one in found.broken],
        "unknown_words": found.unknown,
        "missing_words": found.missing,
    }

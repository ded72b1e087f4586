"""How often each task is answered rightly, and how often on the right evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TaskScore:
    """One task of a run. Shares lie between 0 and 1."""

    task: str
    accuracy: float
    """Share of questions answered rightly."""
    gold_read: float | None = None
    """Share of questions whose most-read sentence is gold evidence."""
    published: float | None = None
    """The accuracy that a paper reports."""

    @property
    def missed(self) -> bool:
        return self.published is not None and self.accuracy < self.published


def task_scores(
    metrics: Mapping[str, Any], published: Mapping[str, float] | None = None
) -> list[TaskScore]:
    """Return the scores of every task in metrics named `accuracy/TASK` and `gold_read/TASK`."""
    names = [name.partition("/")[2] for name in metrics if name.startswith("accuracy/")]
    return [
        TaskScore(
            task,
            metrics[f"accuracy/{task}"],
            metrics.get(f"gold_read/{task}"),
            (published or {}).get(task),
        )
        for task in sorted(names, key=_number_first)
    ]


def _number_first(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (10**9, name)

"""How often each task is answered rightly, and how often on the right evidence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, takewhile


@dataclass(frozen=True)
class TaskScore:
    """One task of a run. Shares lie between 0 and 1."""

    task: str
    accuracy: float
    """Share of questions answered rightly."""
    supports_read: float | None = None
    """Share of questions each of whose supports is read most at some hop."""
    chance: float | None = None
    """The share that reading at random would find."""
    gold_read: float | None = None
    """Share of questions with any support read most at any hop."""
    published: float | None = None
    """The accuracy that a paper reports."""
    hops: tuple[float, ...] = ()
    """The share of supports among the sentences read most, hop by hop."""

    @property
    def missed(self) -> bool:
        return self.published is not None and self.accuracy < self.published


def task_scores(metrics: Mapping[str, float], published: Mapping[str, float]) -> list[TaskScore]:
    """Return the scores of every task, from metrics such as `accuracy/TASK`.

    Args:
        metrics: shares between 0 and 1.
        published: test errors in per cent, as papers print them, by metric.
    """
    tasks = [name.partition("/")[2] for name in metrics if name.startswith("accuracy/")]
    return [
        TaskScore(
            task,
            accuracy=metrics[f"accuracy/{task}"],
            supports_read=metrics.get(f"supports_read/{task}"),
            chance=metrics.get(f"supports_chance/{task}"),
            gold_read=metrics.get(f"gold_read/{task}"),
            published=_accuracy(published.get(f"accuracy/{task}")),
            hops=tuple(metrics[name] for name in _hops(metrics, task)),
        )
        for task in sorted(tasks, key=_number_first)
    ]


def _hops(metrics: Mapping[str, float], task: str) -> list[str]:
    names = (f"gold_read_{hop}/{task}" for hop in count(1))
    return list(takewhile(metrics.__contains__, names))


def _accuracy(error: float | None) -> float | None:
    # Rounded, or 1 - 6.1 / 100 would lie above an accuracy of 0.939.
    return None if error is None else round(1 - error / 100, 6)


def _number_first(name: str) -> tuple[float, str]:
    return (float(name), "") if name.isdecimal() else (math.inf, name)

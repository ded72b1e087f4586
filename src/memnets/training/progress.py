"""What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

MEDIAN = "loss_median"
"""The training loss of the middle update, in a line of the log whose mean is that of a few."""


class Show(ABC):
    """Somebody to tell."""

    def begin(self, updates: int, done: int, unit: str) -> None:
        """A run begins, or goes on.

        Args:
            updates: of the whole run.
            done: those made before.
            unit: what a rate counts, in the plural.
        """
        return

    def tick(self, update: int, phase: str, train: Mapping[str, float], rate: float) -> None:
        """Some time has passed.

        Args:
            update: updates made.
            phase: its name.
            train: means since the last line of the log.
            rate: units a second, over the same stretch.
        """
        return

    @abstractmethod
    def line(self, record: Mapping[str, Any]) -> None:
        """A line was added to the log."""

    @abstractmethod
    def note(self, text: str) -> None:
        """There is something to know."""

    def end(self) -> None:
        """The run ends, or stops."""
        return


class Silent(Show):
    """Say nothing."""

    def line(self, record: Mapping[str, Any]) -> None:
        return

    def note(self, text: str) -> None:
        return


class Lines(Show):
    """One line of text for each line of the log."""

    def __init__(self, stream: Any = None) -> None:
        self.stream = stream
        self.unit = ""

    def begin(self, updates: int, done: int, unit: str) -> None:
        self.unit = unit

    def line(self, record: Mapping[str, Any]) -> None:
        self.note(in_words(record, self.unit))

    def note(self, text: str) -> None:
        print(text, file=self.stream or sys.stdout, flush=True)


class Bar(Show):
    """A progress bar, with the lines of the log above it."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()
        self.unit = ""
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=8),  # all of it fits into 80 columns
            TextColumn("{task.completed}/{task.total}"),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(compact=True),
            console=self.console,
        )

    def begin(self, updates: int, done: int, unit: str) -> None:
        self.unit = unit
        self.task = self.bar.add_task("", total=updates, completed=done, figures="")
        self.bar.start()

    def tick(self, update: int, phase: str, train: Mapping[str, float], rate: float) -> None:
        figures = f"{_figures(train, digits=2)} {rate:,.0f} {self.unit}/s"
        self.bar.update(self.task, completed=update, description=phase, figures=figures)

    def line(self, record: Mapping[str, Any]) -> None:
        self.note(in_words(record, self.unit))
        self.bar.update(self.task, completed=record["update"])

    def note(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        self.bar.stop()


def show_on(stream: Any) -> Show:
    """Return a bar for a terminal, and plain lines for anything else."""
    return Bar(Console(file=stream)) if stream.isatty() else Lines(stream)


def in_words(record: Mapping[str, Any], unit: str) -> str:
    """Return a line of the log as a person reads it."""
    splits = (f"{name}: {_figures(of)}" for name, of in record.items() if isinstance(of, dict))
    parts = [
        f"update {record['update']:,}",
        str(record["phase"]),
        f"rate {record['learning_rate']:.3g}",
        *splits,
        f"{record['per_second']:,.0f} {unit}/s",
        *([f"{record['skipped']:,} updates skipped"] if "skipped" in record else []),
    ]
    return "  ".join(parts)


def _figures(means: Mapping[str, float | None], digits: int = 4) -> str:
    """Return the figures of a whole split; those of its parts (`accuracy/7`) are left out."""
    shown = [
        f"{name} {'-' if mean is None else format(mean, f'.{digits}f')}"
        for name, mean in means.items()
        if "/" not in name and name != MEDIAN
    ]
    if (middle := means.get(MEDIAN)) is not None:
        mean = f" (median; mean {means['loss']:.3g})" if digits > 2 else ""  # a bar has no room
        shown[0] = f"loss {middle:.{digits}f}{mean}"
    return " ".join(shown)

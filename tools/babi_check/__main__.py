"""Is a folder of bAbI-format files official in distribution? Run from the checkout's root.

python -m tools.babi_check FOLDER
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from memnets.files import write_json
from tools.babi_check import TaskVerdict, Verdict, check_folder, statistics_of, write_reference

REJECTED = 1
"""Exit status where a task is not like the reference."""
USAGE = 2
"""Exit status where nothing could be checked."""


@dataclass(frozen=True)
class Check:
    """Check whether files in bAbI's format are like the official ones, and say where they are not.

    Compared are the words, the rules that always hold, the mean size of a memory, and hundreds of
    histograms, each by a permutation test of whole stories, corrected for the number of tests.
    The exit status is 1 where something is rejected.
    """

    folder: tyro.conf.Positional[Path]
    """A folder with files qaN_....txt, or one that holds such a folder."""
    against: Path | None = None
    """A folder, or a file of statistics, to compare with; by default the official statistics."""
    verbose: bool = False
    """Show every statistic and every line where a rule is broken."""
    json: Path | None = None
    """Write all that was found to this file."""
    write_reference: Path | None = None
    """Write the statistics of the folder to this file, for --against; nothing is checked."""

    def run(self) -> int:
        if self.write_reference:
            return self._write(self.write_reference)
        with _Tasks() as progress:
            verdict = check_folder(self.folder, self.against, progress)
        _show(verdict, self.verbose)
        if self.json:
            write_json(self.json, {"folder": str(self.folder), **verdict.plain()})
        return REJECTED if verdict.rejected else 0

    def _write(self, file: Path) -> int:
        for name in ("against", "json"):
            if getattr(self, name):
                raise ValueError(
                    f"--{name}: it would be ignored, since --write-reference only measures. "
                    f"Leave one of the two out."
                )
        with _Tasks() as progress:
            standards = statistics_of(self.folder, progress=progress)
        write_reference(file, standards)
        print(f"{file} (statistics of {len(standards)} tasks)")
        return 0


def _show(verdict: Verdict, verbose: bool) -> None:
    console = Console()
    console.print(_summary(verdict))
    if verbose:
        for found in verdict.tasks:
            console.print(_statistics(found))
            _say(f"  {one.where}: not so: {one.rule}: {one.text}" for one in found.broken)
            _say([f"  too few to compare: {', '.join(found.too_few)}"] if found.too_few else [])
    for found in verdict.tasks:
        _say(f"task {found.task}: {reason}" for reason in found.reasons)
    rejected = ", ".join(map(str, verdict.rejected))
    questions = sum(found.questions for found in verdict.tasks)
    result = f"Rejected: {rejected}." if rejected else "Nothing is rejected."
    _say([f"{questions:,} questions, {verdict.tests} tests. {result}"])


def _summary(verdict: Verdict) -> Table:
    """One row a task; of its total variations the one nearest to what is allowed."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    numbers = ("task", "tests", "least p", "corrected", "variation", "limit", "memory", "broken")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("words", ""):
        table.add_column(column, no_wrap=True)
    for found in verdict.tasks:
        table.add_row(
            str(found.task),
            str(len(found.tested) + bool(found.memory)),
            *_worst(found),
            f"{len(found.broken):,}",
            "differ" if found.unknown or found.missing else "equal",
            "[red]rejected[/red]" if found.reasons else "alike",
        )
    return table


def _worst(found: TaskVerdict) -> list[str]:
    """Smallest p, also corrected; the variation nearest to its limit, and that; mean memory."""
    if found.memory is None:
        return [""] * 5
    drift = found.memory.drift
    p = min([drift.p, *(one.difference.p for one in found.tested)])
    corrected = min([found.memory.corrected, *(one.corrected for one in found.tested)])
    shares = {one.difference.variation / one.limit: one for one in found.tested}
    nearest = shares[max(shares)] if shares else None
    variations = [nearest.difference.variation, nearest.limit] if nearest else []
    return [
        f"{p:.2g}",
        f"{corrected:.2g}",
        *([f"{value:.3f}" for value in variations] or ["", ""]),
        f"{drift.other:.2f} {drift.relative:+.1%}",
    ]


def _statistics(found: TaskVerdict) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"task {found.task}")
    table.add_column("statistic")
    for column in ("observations", "p", "corrected", "variation", "by chance", "limit"):
        table.add_column(column, justify="right")
    for one in sorted(found.tested, key=lambda one: one.difference.p):
        difference = one.difference
        shown = (difference.variation, difference.by_chance, one.limit)
        table.add_row(
            one.name,
            f"{one.observations:,}",
            f"{difference.p:.2g}",
            f"{one.corrected:.2g}",
            *(f"{value:.4f}" for value in shown),
        )
    return table


def _say(lines: Iterable[str]) -> None:
    # Paths must stay whole, for those who copy them or read them by program.
    for line in lines:
        Console().print(line, highlight=False, soft_wrap=True, markup=False)


class _Tasks:
    """A progress bar over tasks, on the error stream."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("tasks"),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> "_Tasks":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, done: int, tasks: int) -> None:
        self._bar.update(self._task, completed=done, total=tasks)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a folder, or write its statistics; return the exit status."""
    return tyro.cli(Check, args=arguments, prog="python -m tools.babi_check").run()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, OSError) as error:
        print(f"memnets: {error}", file=sys.stderr)
        sys.exit(USAGE)

"""Check stories against the statistics of others."""

import os
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import NamedTuple

from memnets.data.babi import read_stories
from memnets.data.babi.stories import Story
from tools.babi_check.chance import Difference, Drift, compare_means, compare_shares, holm
from tools.babi_check.folders import files_by_task
from tools.babi_check.moments import Moments, sum_up
from tools.babi_check.reference import (
    Standard,
    measure,
    memory_moments,
    official_statistics,
    read_reference,
)
from tools.babi_check.seen import Seen, look
from tools.babi_check.verdict import Memory, TaskVerdict, Tested, Verdict

LEAST_EXPECTED = 5
"""A histogram is compared where every cell is expected to hold at least so many."""
SURELY = 100
"""A word is missing where at least so many were expected."""

Told = Callable[[int, int], None]
"""Called before each task: how many are done, and how many there are."""


class Compared(NamedTuple):
    """A task before p is corrected: the observations and the difference of each statistic."""

    task: int
    seen: Seen
    standard: Standard
    differences: dict[str, tuple[int, Difference]]
    drift: Drift | None

    @property
    def ps(self) -> list[float]:
        """The p of all that was tested; that of the mean memory last."""
        drift = [self.drift.p] if self.drift else []
        return [difference.p for _, difference in self.differences.values()] + drift


def check_folder(
    path: str | os.PathLike[str],
    against: str | os.PathLike[str] | None = None,
    progress: Told = lambda done, tasks: None,
) -> Verdict:
    """Check whether the files of a folder are like the official ones.

    Args:
        path: a folder with files qaN_....txt; tasks that it lacks are not checked.
        against: a folder to compare with, or a file of statistics; by default those of the official
            files, which the package keeps.
        progress: called before each task.

    Raises:
        FileNotFoundError: there is no such folder or file.
        ValueError: the folder has no file of bAbI stories, or one cannot be read; or there is
            nothing to compare a task with.
    """
    files = files_by_task(path)
    standards = statistics_of(against, files) if against else official_statistics()
    for task in files:
        if task not in standards:
            raise ValueError(
                f"{files[task][0]}: there is nothing to compare task {task} with. "
                f"Expected it in {against}. Leave --against out to compare with the official files."
            )
    compared = []
    for done, (task, names) in enumerate(files.items()):
        progress(done, len(files))
        stories = [read_stories(file, task) for file in names]
        compared.append(compare(task, stories, standards[task]))
    progress(len(files), len(files))
    return conclude(compared)


def statistics_of(
    path: str | os.PathLike[str],
    tasks: Container[int] = range(1, 21),
    progress: Told = lambda done, tasks: None,
) -> dict[int, Standard]:
    """The statistics of a folder, or those that a file holds.

    Raises:
        FileNotFoundError: there is no such folder or file.
        ValueError: nothing in it can be used.
    """
    if Path(path).is_file():
        return read_reference(Path(path))
    wanted = {task: files for task, files in files_by_task(path).items() if task in tasks}
    standards = {}
    for done, (task, files) in enumerate(wanted.items()):
        progress(done, len(wanted))
        standards[task] = measure(look(task, [read_stories(file, task) for file in files]))
    progress(len(wanted), len(wanted))
    return standards


def compare(task: int, files: Sequence[Sequence[Story]], standard: Standard) -> Compared:
    """Compare the stories of a task, file by file, with the statistics of others."""
    seen = look(task, files, standard.forms, standard.constants)
    if not seen.stories:
        return Compared(task, seen, standard, {}, None)
    differences = {}
    for name, (cells, expected) in standard.histograms.items():
        found = sum_up(seen.cells[name], cells)
        if _enough(found, expected):
            differences[name] = int(found.total.sum()), compare_shares(expected, found)
    drift = compare_means(standard.memory, memory_moments(seen))
    return Compared(task, seen, standard, differences, drift)


def conclude(compared: Sequence[Compared]) -> Verdict:
    """Correct p for all that was tested in all tasks."""
    corrected = iter(holm([p for one in compared for p in one.ps]))
    tasks = [_verdict(one, [next(corrected) for _ in one.ps]) for one in compared]
    return Verdict(tasks, sum(len(one.ps) for one in compared))


def _verdict(one: Compared, corrected: list[float]) -> TaskVerdict:
    # Without strict: where there is a drift, its p is left over.
    tested = [
        Tested(name, count, difference, p)
        for (name, (count, difference)), p in zip(one.differences.items(), corrected, strict=False)
    ]
    words, expected = one.seen.words, one.standard.words
    share = words.total() / sum(expected.values())
    return TaskVerdict(
        one.task,
        one.seen.stories,
        one.seen.questions,
        tested,
        [name for name in one.standard.histograms if name not in one.differences],
        Memory(one.drift, corrected[-1]) if one.drift else None,
        one.seen.broken,
        sorted(words.keys() - expected.keys()),
        [word for word in expected if expected[word] * share >= SURELY and word not in words],
    )


def _enough(found: Moments, expected: Moments) -> bool:
    rarest = expected.total.min() / expected.total.sum()
    return bool(found.total.sum() * rarest >= LEAST_EXPECTED)

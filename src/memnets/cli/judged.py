"""Judged answers as `memnets eval`, `kb eval` and `kb train` show and write them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from memnets.cli.terminal import say
from memnets.data.qa.asked import AskedQuestion
from memnets.data.qa.judged import SURE, Judged, Tally, as_table, misses_of
from memnets.evidence.heat import visible
from memnets.files import check_new, write_bytes
from memnets.kb.questions.judged import Given, judge


def ask_all(asked: Sequence[AskedQuestion], ask: Callable[[str], Given]) -> list[Judged]:
    """Ask questions and judge the answers, with a bar on stderr while it takes."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("asking", total=len(asked))
        return judge(asked, ask, lambda done: progress.update(task, completed=done))


def tally_table(rows: Sequence[Tally]) -> Table:
    """Show how many questions of every kind were answered how."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind", overflow="fold")
    for column in ("asked", "right", "declined", "wrong", f"wrong, above {SURE:.0%}"):
        table.add_column(column, justify="right", overflow="fold")
    for row in rows:
        shares = (f"{row.right / row.asked:.1%}", *map(str, row[3:]))
        table.add_row(visible(row.kind), str(row.asked), *shares)
    return table


def check_files(answers: Path | None, misses: Path | None, overwrite: bool) -> None:
    """Refuse files that are there already, before anything is asked.

    Args:
        answers: the file for all questions; None for no such file.
        misses: the file for those that were not answered rightly.
        overwrite: whether files that are there are replaced.

    Raises:
        ValueError: one is there and is to stay, or both are the same.
    """
    for path in (answers, misses):
        if path is not None:
            check_new(path, overwrite)
    if answers is not None and misses is not None and answers.resolve() == misses.resolve():
        raise ValueError(
            f"--answers and --misses are both {answers}: one would replace the other. "
            f"Name two files."
        )


def write_files(
    judged: Sequence[Judged], answers: Path | None, misses: Path | None, error: bool = False
) -> None:
    """Write the files that are wanted, each whole or not at all, and say their names.

    Args:
        judged: all questions with their answers.
        answers: the file for all of them; None for no such file.
        misses: the file for those that were not answered rightly.
        error: whether the names are said on stderr.
    """
    for path, rows in ((answers, judged), (misses, misses_of(judged))):
        if path is not None:
            write_bytes(path, as_table(rows).encode())
            say(f"{path}: {len(rows):,} of {len(judged):,} questions", error=error)

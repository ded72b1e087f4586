"""Files of judged answers, which `memnets eval` and `memnets kb eval` write."""

from collections.abc import Sequence
from pathlib import Path

from memnets.cli.terminal import say
from memnets.data.qa.judged import Judged, as_table, misses_of
from memnets.files import check_new, write_bytes


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

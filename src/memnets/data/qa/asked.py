"""Questions that people typed, with the answers that are right: a file of one's own.

The first line names the columns, `question`, `answers` and perhaps `kind`, in any order and parted
by TABs; further columns are passed over. Several answers are parted by " | "; a question without
any cannot be answered.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memnets.data.rows import decoded, numbered, wrong

PARTS = " | "
"""Stands between the answers of a question."""
NEEDED = ("question", "answers")
ANY_KIND = "question"
"""The kind of all questions of a file that names none."""


class AskedQuestion(NamedTuple):
    """A question as somebody typed it."""

    text: str
    answers: tuple[str, ...]
    """All that are right; none where it cannot be answered."""
    kind: str = ANY_KIND


def read_asked(path: str | os.PathLike[str]) -> list[AskedQuestion]:
    """Read a file of questions with their answers.

    Args:
        path: of the file, in UTF-8, also gzipped.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is bad, or there are no questions; the text names file and line.
    """
    questions = list(_rows(Path(path)))
    if not questions:
        raise ValueError(
            f"{path}: this holds no questions; expected a line of columns' names, "
            f"question<TAB>answers, and a question a line below it. Write some."
        )
    return questions


def _rows(path: Path) -> Iterator[AskedQuestion]:
    columns: list[str] = []
    for row, data in numbered(path):
        try:
            cells = decoded(data).split("\t")
            if not any(cells):
                continue
            if columns:
                yield _question(columns, cells)
                continue
            columns = cells
            if not set(NEEDED) <= set(columns):
                raise wrong("\t".join(cells), "a first line with question\tanswers")
        except ValueError as error:
            raise ValueError(f"{path}:{row}: {error}") from None


def _question(columns: list[str], cells: list[str]) -> AskedQuestion:
    named = dict(zip(columns, cells, strict=False))
    if len(cells) != len(columns) or not named["question"].strip():
        raise wrong("\t".join(cells), "\t".join(columns))
    answers = (answer.strip() for answer in named["answers"].split(PARTS.strip()))
    return AskedQuestion(
        named["question"], tuple(filter(None, answers)), named.get("kind") or ANY_KIND
    )

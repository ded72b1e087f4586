"""Questions whose answers are sentences of files: which file, and on which line one begins."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memnets.data.rows import decoded, numbered, wrong

COLUMNS = ("question", "file", "line", "kind")


class PlacedQuestion(NamedTuple):
    """A question, and where the sentence stands that answers it."""

    text: str
    file: str
    """Its path in the folder of the documents."""
    line: int
    """Where the sentence begins, from 1."""
    kind: str
    """What is hard about it."""


def read_placed(path: str | os.PathLike[str]) -> list[PlacedQuestion]:
    """Read a file of questions: columns' names, then question, file, line and kind, with TABs.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is bad, or there are no questions; the text names file and line.
    """
    questions = list(_rows(Path(path)))
    if not questions:
        raise ValueError(
            f"{path}: this holds no questions; expected the line {'<TAB>'.join(COLUMNS)}, and a "
            f"question a line below it. Write some."
        )
    return questions


def _rows(path: Path) -> Iterator[PlacedQuestion]:
    for row, data in numbered(path):
        try:
            cells = decoded(data).split("\t")
            if row == 1:
                if cells != list(COLUMNS):
                    raise wrong("\t".join(cells), "\t".join(COLUMNS))
            elif any(cells):
                yield _question(cells)
        except ValueError as error:
            raise ValueError(f"{path}:{row}: {error}") from None


def _question(cells: list[str]) -> PlacedQuestion:
    said = "\t".join(cells)
    if len(cells) != len(COLUMNS) or not all(cell.strip() for cell in cells):
        raise wrong(said, "\t".join(COLUMNS))
    if not cells[2].isdecimal() or int(cells[2]) < 1:
        raise wrong(said, "a line's number from 1 in the third column")
    return PlacedQuestion(cells[0], cells[1], int(cells[2]), cells[3])

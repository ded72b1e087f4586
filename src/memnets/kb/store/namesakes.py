"""Rows of a table that are of one name and yet contradict each other: perhaps two of one name.

A table has a row an entity, and an entity is its name. Where few names come again, their rows are
told apart by a cell that differs, as "Ada (Rome)" and "Ada (Oslo)", which are both called "Ada".
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.data.rows import existing
from memnets.kb.store.tables import (
    MANY,
    TableRow,
    objects_of,
    table_rows,
)

SHOWN = 3
"""So many of the rows that contradict each other are named."""
TELLING = 40
"""Letters of the longest cell that tells an entity from its namesakes."""
SURE = 3
"""A column names so many with a cell at least, and none with another's: then the first is meant."""

Cells = Mapping[str, str]
"""Of a row, by their columns."""


class Namesakes(NamedTuple):
    """Rows of one name that contradict each other in a column which holds one object."""

    name: str
    rows: tuple[int, ...]
    """Lines of the file, of all rows of the name."""
    column: str
    """The first in which two rows hold another object each."""
    objects: tuple[str, str]

    def in_words(self, file: str) -> str:
        """Return where the rows stand, and what they contradict each other in."""
        rows = ", ".join(f"{file}:{row}" for row in self.rows[:SHOWN])
        more = len(self.rows) - SHOWN
        rows += f" and {more:,} more" if more > 0 else ""
        one, other = self.objects
        return f"{self.name!r} ({rows}): {self.column} is {one!r} and {other!r}"


def namesakes(source: str | os.PathLike[str], subject: str | None = None) -> list[Namesakes]:
    """Find the names of a table that stand in several rows which contradict each other.

    Rows that only add something are no contradiction: a cell that was empty before, or a further
    object in a column some cell of which holds several. The file is read once for the names, and
    once more where any comes again.

    Args:
        source, subject: as of `table_facts`.

    Raises:
        FileNotFoundError, ValueError: as of `table_facts`.
    """
    path = existing(source)
    met: set[str] = set()
    again: set[str] = set()
    several: set[str] = set()
    for row in table_rows(path, subject):
        (again if row.about in met else met).add(row.about)
        several.update(column for column, cell in row.cells.items() if MANY in cell)
    if not again:
        return []
    rows: dict[str, list[int]] = {}
    said: dict[tuple[str, str], str] = {}
    found: dict[str, tuple[str, tuple[str, str]]] = {}
    for row in table_rows(path, subject):
        if row.about not in again:
            continue
        rows.setdefault(row.about, []).append(row.line)
        for column, cell in row.cells.items():
            if not cell or column in several:
                continue
            before = said.setdefault((row.about, column), cell)
            if before != cell:
                found.setdefault(row.about, (column, (before, cell)))
    return [Namesakes(name, tuple(rows[name]), *found[name]) for name in rows if name in found]


class ToldApart(NamedTuple):
    """Which entity each row of a name is, where several rows have it."""

    rows: Mapping[int, str] = {}
    """By the line of the file."""
    meant: Mapping[tuple[str, str], tuple[str, ...]] = {}
    """By a column and the name in its cells: those that it may mean."""
    labels: Mapping[str, str] = {}
    """What the table calls each."""


def told_apart(
    source: str | os.PathLike[str],
    found: Sequence[Namesakes],
    subject: str | None = None,
    key: str | None = None,
) -> ToldApart:
    """Tell the rows of one name apart by a cell that differs: "Ada (Rome)", "Ada (Oslo)".

    Args:
        source, subject: as of `table_facts`.
        found: the names that stand in several rows.
        key: the column by which rows of one name are told apart, such as an id; by default the
            first in which all of them differ, and the lines of the file where there is none.
    """
    lines = {line for one in found for line in one.rows}
    rows = {row.line: row for row in table_rows(source, subject) if row.line in lines}
    entities: dict[int, str] = {}
    of_name: dict[str, dict[str, Cells]] = {}
    for name, of, *_ in found:
        column = key or _telling([rows[line] for line in of])
        for line in of:
            told = rows[line].cells[column] if column else f"row {line}"
            entities[line] = f"{name} ({told})" if told else name
            of_name.setdefault(name, {})[entities[line]] = rows[line].cells
    labels = {entity: name for name, of in of_name.items() for entity in of if entity != name}
    return ToldApart(entities, dict(_meant(source, subject, of_name)), labels)


def _telling(rows: Sequence[TableRow]) -> str:
    """Return the first column that tells rows apart; nothing where none does."""
    for column in rows[0].cells:
        cells = {row.cells[column] for row in rows}
        if len(cells) == len(rows) and all(0 < len(one) <= TELLING for one in cells):
            return column
    return ""


def _meant(
    source: str | os.PathLike[str], subject: str | None, of_name: Mapping[str, Mapping[str, Cells]]
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Yield for every column, and name in its cells, the entities that are meant."""
    naming: dict[str, set[str]] = {}
    for row in table_rows(source, subject):
        for column, cell in row.cells.items():
            naming.setdefault(column, set()).update(objects_of(cell, row.separator))
    naming = {column: names for column, names in naming.items() if names & of_name.keys()}
    alike: Counter[tuple[str, str, str]] = Counter()
    for row in table_rows(source, subject):
        for column, names in naming.items():
            if row.about in names and row.about not in of_name:
                alike.update((column, *cell) for cell in row.cells.items())
    for column, names in naming.items():
        for name in names & of_name.keys():
            yield (column, name), _likest(column, of_name[name], alike)


def _likest(
    column: str, of: Mapping[str, Cells], alike: Mapping[tuple[str, str, str], int]
) -> tuple[str, ...]:
    """Return those of one name that are like the others a column names: traders, and no farm.

    They are all of the name where nothing tells.

    Args:
        column: that names them.
        of: the cells of each.
        alike: of a column, another and a cell in that, how many that it names have it.
    """
    for other in next(iter(of.values())):
        if not all(cells[other] for cells in of.values()):
            continue
        times = {
            entity: alike.get((column, other, cells[other]), 0) for entity, cells in of.items()
        }
        if min(times.values()) == 0 and max(times.values()) >= SURE:
            return tuple(entity for entity, some in times.items() if some)
    return tuple(of)

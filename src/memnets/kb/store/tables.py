"""Facts in a table as people keep them: a row an entity, a column a relation, a cell its objects.

    title,directed_by,release_year,starred_actors
    Alien,Ridley Scott,1979,Sigourney Weaver; Tom Skerritt

says `Alien directed_by Ridley Scott`, `Alien starred_actors Tom Skerritt` and two more. An empty
cell says nothing.
"""

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memnets.data.facts import Triple
from memnets.data.rows import SHOWN, BadRows, decoded, existing, expect_no_json, numbered
from memnets.kb.store.quoted import whole

SEPARATORS = "\t;|,"
"""What may part the columns, the likeliest where several stand in the first row first."""
MANY = ";"
"""Parts the objects of a cell, unless it parts the columns."""


def table_facts(
    source: str | os.PathLike[str], bad: BadRows, subject: str | None = None, many: str = MANY
) -> Iterator[Triple]:
    """Stream the facts of a table.

    Args:
        source: a file in UTF-8, also gzipped, whose first row names the columns; TABs, semicolons,
            bars or commas part them, and quotes hold a cell together; its lines become spaces.
        bad: counts the rows that are none, and keeps the first.
        subject: the column that names what a row is about; by default the first.
        many: parts the objects of a cell; "" for one object a cell.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the first row does not name columns, or there is no such one.
    """
    return (
        Triple(row.about, name, part)
        for row in table_rows(source, subject, bad)
        for name, cell in row.cells.items()
        for part in objects_of(cell, row.separator, many)
    )


class TableRow(NamedTuple):
    """A row: what it is about, and its other cells by their columns."""

    line: int
    about: str
    cells: dict[str, str]
    separator: str
    """Of the columns."""


def table_rows(
    source: str | os.PathLike[str], subject: str | None = None, bad: BadRows | None = None
) -> Iterator[TableRow]:
    """Stream the rows of a table; see `table_facts`.

    Args:
        source, subject: as there.
        bad: counts the rows that are none; without it they are passed over.
    """
    path = existing(source)
    rows, names, separator = _begun(path)
    if subject is not None and subject not in names:
        raise ValueError(
            f"{path}:1: no column {subject!r}; expected one of {', '.join(names)}. "
            f"Correct the name."
        )
    about = names[0] if subject is None else subject
    return _rows(path, rows, names, separator, about, BadRows() if bad is None else bad)


def first_column(source: str | os.PathLike[str]) -> str:
    """Return what the first column of a table is called; see `table_facts`."""
    return _begun(existing(source))[1][0]


def _begun(path: Path) -> tuple[Iterator[tuple[int, bytes]], list[str], str]:
    """Return the rows behind the first, the names of the columns, and what parts them."""
    rows = numbered(path)
    first = next(rows, (1, b""))[1]
    expect_no_json(path, first)
    try:
        return rows, *_header(decoded(first))
    except ValueError as error:
        raise ValueError(f"{path}:1: {error}") from None


def _rows(
    path: Path,
    rows: Iterator[tuple[int, bytes]],
    names: list[str],
    separator: str,
    about: str,
    bad: BadRows,
) -> Iterator[TableRow]:
    for number, data in whole(rows, separator):
        try:
            line = decoded(data)
            if not line.strip():
                continue
            cells = _cells(line, separator)
            if not any(cells[len(names) :]):  # a spreadsheet ends rows with empty cells
                cells = cells[: len(names)]
            found = dict(zip(names, cells, strict=False))
            if len(cells) != len(names) or not found[about]:
                raise ValueError(
                    f"came {len(cells)} cells, {line[:SHOWN]!r}; expected {len(names)}, that of "
                    f"{about!r} not empty. Correct the row; a cell with {separator!r} in it "
                    f"stands in quotes."
                )
        except ValueError as error:
            bad.add(f"{path}:{number}: {error}")
            continue
        yield TableRow(number, found.pop(about), found, separator)


def objects_of(cell: str, separator: str, many: str = MANY) -> list[str]:
    """Return the objects of a cell.

    Args:
        separator: of the columns, which parts no objects.
        many: as of `table_facts`.
    """
    parts = cell.split(many) if many not in ("", separator) else [cell]
    return [part for part in map(str.strip, parts) if part]


def _header(line: str) -> tuple[list[str], str]:
    separator = max(SEPARATORS, key=line.count)
    names = _cells(line, separator) if line.strip() else []
    while names and not names[-1]:  # a spreadsheet ends rows with empty cells
        names.pop()
    if len(names) < 2 or not all(names) or len(set(names)) < len(names):
        raise ValueError(
            f"came {line[:SHOWN]!r}; expected the names of two columns or more, each "
            f"another one, parted by TABs, semicolons, bars or commas. Name the columns there."
        )
    return names, separator


def _cells(line: str, separator: str) -> list[str]:
    try:
        (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True)
    except csv.Error:
        raise ValueError(
            f"came {line[:SHOWN]!r}; expected quotes in pairs. Correct the row."
        ) from None
    return [cell.strip() for cell in cells]

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
    path = existing(source)
    rows = numbered(path)
    first = next(rows, (1, b""))[1]
    expect_no_json(path, first)
    try:
        names, separator = _header(decoded(first))
    except ValueError as error:
        raise ValueError(f"{path}:1: {error}") from None
    if subject is not None and subject not in names:
        raise ValueError(
            f"{path}:1: no column {subject!r}; expected one of {', '.join(names)}. "
            f"Correct the name."
        )
    about = 0 if subject is None else names.index(subject)
    return _facts(path, rows, names, separator, about, "" if many == separator else many, bad)


def _facts(
    path: Path,
    rows: Iterator[tuple[int, bytes]],
    names: list[str],
    separator: str,
    about: int,
    many: str,
    bad: BadRows,
) -> Iterator[Triple]:
    for number, data in whole(rows, separator):
        try:
            line = decoded(data)
            if not line.strip():
                continue
            cells = _cells(line, separator)
            if not any(cells[len(names) :]):  # a spreadsheet ends rows with empty cells
                cells = cells[: len(names)]
            if len(cells) != len(names) or not cells[about]:
                raise ValueError(
                    f"came {len(cells)} cells, {line[:SHOWN]!r}; expected {len(names)}, that of "
                    f"{names[about]!r} not empty. Correct the row; a cell with {separator!r} in it "
                    f"stands in quotes."
                )
        except ValueError as error:
            bad.add(f"{path}:{number}: {error}")
            continue
        for name, cell in zip(names, cells, strict=True):
            if name != names[about]:
                parts = cell.split(many) if many else [cell]
                yield from (
                    Triple(cells[about], name, part) for part in map(str.strip, parts) if part
                )


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

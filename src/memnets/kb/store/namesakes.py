"""Names that stand in several rows of a table which contradict each other: perhaps two of one name.

A table has a row an entity, and an entity is its name. Two people of one name become one, with the
facts of both. What a table says of one name is compared row by row, so that this is not done in
silence; the outcome is kept beside the KB, for those who ask it.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memnets.data.rows import existing
from memnets.files import read_json, write_json
from memnets.kb.store.tables import MANY, table_rows

FILE = "table.json"
"""In the folder of a KB: what the table that it was built from says beside its facts."""
SHOWN = 3
"""So many of the rows that contradict each other are named."""


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


class FromTable(NamedTuple):
    """What a table says of a KB beside its facts."""

    called: str = ""
    """The column that names what a row is about, such as "dish"; "" of a KB from no table."""
    names: Mapping[str, str] = {}
    """Names that stand in several rows which contradict each other, and where these stand."""


def keep(said: FromTable, generation: str, folder: Path) -> None:
    """Write what a table says beside a KB, or remove what an earlier one said.

    Args:
        said: by the table.
        generation: of the KB that was built from it.
        folder: of the KB.
    """
    if not said.called:
        (folder / FILE).unlink(missing_ok=True)
        return
    write_json(folder / FILE, {"generation": generation, **said._asdict()})


def kept(folder: Path, generation: str) -> FromTable:
    """Return what the table of a KB says beside its facts.

    Nothing is known of a KB that was not built from a table, or was built anew since.

    Raises:
        ValueError: the file is damaged.
    """
    try:
        record = read_json(folder / FILE, needed=("generation", *FromTable._fields))
    except FileNotFoundError:
        return FromTable()
    if record["generation"] != generation:
        return FromTable()
    return FromTable(str(record["called"]), dict(record["names"]))

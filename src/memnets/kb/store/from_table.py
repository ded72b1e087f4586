"""A knowledge base built from a table, and what the table says beside its facts.

A table has a row an entity, and an entity is its name. Where few names come again, each of their
rows is an entity of its own that shares its name with the others. Where many do, a row says
something else than one thing, and the facts of all rows of a name are put together; that is said,
and kept beside the KB for those who ask it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from memnets.data.facts import Triple
from memnets.data.rows import BadRows, existing
from memnets.files import read_json, write_json
from memnets.kb.store.namesakes import ToldApart, namesakes, told_apart
from memnets.kb.store.store import BuiltStore, Store, StoreProgress, build
from memnets.kb.store.tables import first_column, objects_of, table_facts, table_rows

FILE = "table.json"
"""In the folder of a KB: what the table that it was built from says beside its facts."""
RARE = 0.25
"""Rows of names that come again are namesakes where they are no more of all rows than this."""


class FromTable(NamedTuple):
    """What a table says of a KB beside its facts."""

    called: str = ""
    """The column that names what a row is about, such as "dish"; "" of a KB from no table."""
    names: Mapping[str, str] = {}
    """Names that stand in several rows which contradict each other, and where these stand."""
    labels: Mapping[str, str] = {}
    """What the table calls entities that were told apart from their namesakes."""
    file: str = ""
    """The name of its file, such as "mills" of mills.csv."""


def build_table(
    source: str | os.PathLike[str],
    folder: Path,
    subject: str | None = None,
    key: str | None = None,
    *,
    names: Iterable[tuple[str, str]] = (),
    tell: Callable[[StoreProgress], None] = lambda _: None,
    named: Callable[[str], str] = str,
) -> BuiltStore:
    """Build a knowledge base from a table.

    Args:
        source, subject: as of `table_facts`.
        folder, names, tell: as of `build`.
        named: says of a place in the source where that is for a user.
        key: the column by which rows of one name are told apart, such as an id, however many names
            come again; by default they are if these are few, by the first column that differs.

    Raises:
        FileNotFoundError, ValueError: as of `table_facts` and `build`; or there is no such column
            as `key`.
    """
    bad = BadRows()
    table = _read(existing(source), bad, subject, key, named)
    built = build(_some(table.facts, source, bad), folder, names=names, tell=tell)
    keep(table.said, Store.open(folder).generation, folder)
    merged, apart = tuple(table.said.names.values()), tuple(table.said.labels)
    return built._replace(bad=bad, merged=merged, apart=apart, table=True)


class _Table(NamedTuple):
    """What a KB is built from."""

    facts: Iterator[Triple]
    said: FromTable


def _read(
    path: Path, bad: BadRows, subject: str | None, key: str | None, named: Callable[[str], str]
) -> _Table:
    called = subject or first_column(path)
    columns = {name for row in islice(table_rows(path, subject), 1) for name in row.cells}
    if key is not None and columns and key not in columns:
        raise ValueError(
            f"{path}:1: no column {key!r} beside {called!r} to tell rows of one name apart; "
            f"expected one of {', '.join(sorted(columns))}. Correct the name."
        )
    found = namesakes(path, subject)
    rows = sum(1 for _ in table_rows(path, subject)) if found else 0
    if key is None and sum(len(one.rows) for one in found) > RARE * rows:
        together = {one.name: named(one.in_words(path.name)) for one in found}
        return _Table(table_facts(path, bad, subject), FromTable(called, together, file=path.stem))
    apart = told_apart(path, found, subject, key) if found else ToldApart()
    return _Table(
        _facts(path, bad, subject, apart), FromTable(called, labels=apart.labels, file=path.stem)
    )


def _facts(path: Path, bad: BadRows, subject: str | None, apart: ToldApart) -> Iterator[Triple]:
    """Yield the facts of a table between entities that were told apart."""
    for row in table_rows(path, subject, bad):
        about = apart.rows.get(row.line, row.about)
        for column, cell in row.cells.items():
            for name in objects_of(cell, row.separator):
                for meant in apart.meant.get((column, name), (name,)):
                    yield Triple(about, column, meant)


def _some(
    facts: Iterable[Triple], source: str | os.PathLike[str], bad: BadRows
) -> Iterator[Triple]:
    """Stream the facts of a table; one that has none is refused with what was wrong with it."""
    facts = iter(facts)
    first = next(facts, None)
    if first is None:
        wrong = f" The first bad row: {bad.first[0]}" if bad.count else ""
        raise ValueError(
            f"{source}: no facts in this table, and {bad.count:,} bad rows; expected a row of "
            f"columns' names, and a row an entity. Correct the file, or build it without "
            f"--table.{wrong}"
        )
    return chain([first], facts)


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
        record = read_json(folder / FILE, needed=("generation", "called", "names"))
    except FileNotFoundError:
        return FromTable()
    if record["generation"] != generation:
        return FromTable()
    labels, file = record.get("labels", {}), record.get("file", "")  # older KBs have neither
    return FromTable(str(record["called"]), dict(record["names"]), dict(labels), str(file))

"""Where facts come from besides text files: standard input, workbooks, and records of JSON.

    [{"title": "Alien", "directed_by": "Ridley Scott", "starred": ["Weaver", "Skerritt"]}]

is a table with a row a record, a column a key, and a cell with as many objects as the list has.
All become a text file first, a row a line, so that whatever reads facts and tables reads them too.
"""

import csv
import gzip
import json
import os
import re
import shutil
import sys
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memnets.data.rows import GZIP, LOOKED_AT, SHOWN, looks_like_json
from memnets.kb.store.facts import HEADERS
from memnets.kb.store.tables import MANY

STDIN = "-"
"""Names standard input in the place of a file."""
ZIP = b"PK\x03\x04"
WORKBOOK = "xl/workbook.xml"
"""The part of a ZIP archive by which it is a workbook of Excel."""
MIDNIGHT = " 00:00:00"
Rows = list[list[str]]


@dataclass(frozen=True)
class TextSource:
    """Facts in a text file, and what was named, which may be something else."""

    path: Path
    name: str
    """Of what was named."""
    table: bool | None = None
    """Whether it is a table, where its form tells."""
    record: str = ""
    """What is said before the number of a place in what was named: ", record "; ":" of a line."""
    shift: int = 0
    """What is added to the number of a line to have that of its place."""

    def named(self, text: str) -> str:
        """Return a complaint about the text file as one about what was named."""
        if self.name == str(self.path):
            return text

        def place(found: re.Match[str]) -> str:
            number = int(found[1]) + self.shift
            return f"{self.name}{self.record or ':'}{number}" if number > 0 else self.name

        file = f"(?:{re.escape(str(self.path))}|{re.escape(self.path.name)})"
        return re.sub(rf"{file}:(\d+)", place, text).replace(str(self.path), self.name)


@contextmanager
def as_text(source: str | os.PathLike[str]) -> Iterator[TextSource]:
    """Give facts as a text file, which is there until the end of the block.

    Args:
        source: a file; or "-" for standard input.

    Raises:
        ModuleNotFoundError: a workbook is to be read, and openpyxl is not installed.
        ValueError: no rows can be made of it. What the block complains of in the text file, it
            complains of in the source.
    """
    with TemporaryDirectory(prefix="memnets-") as folder:
        text = _as_text(source, Path(folder))
        try:
            yield text
        except ValueError as error:
            if text.path == Path(source):
                raise
            raise ValueError(text.named(str(error))) from error


def _as_text(source: str | os.PathLike[str], folder: Path) -> TextSource:
    path, name = Path(source), str(source)
    if name == STDIN:
        path, name = folder / "standard-input.txt", "standard input"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    if not path.is_file():
        return TextSource(path, name)
    begin, to = _begin(path), folder / "rows.tsv"
    if begin.startswith(ZIP) and _is_workbook(path):
        rows = _of_workbook(path, name)
        titles = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
        table = not _are_facts(rows[titles:])
        _write(rows[titles:], to, quoted=table)
        return TextSource(to, name, table, shift=titles)
    if looks_like_json(begin):
        columns, rows = _of_json(path, name)
        table = bool(columns)
        _write([columns, *rows] if table else rows, to, quoted=table)
        return TextSource(to, name, table, ", record ", -table)
    return TextSource(path, name)


def _begin(path: Path) -> bytes:
    """Return the first bytes, of a file of gzip those that are packed in it."""
    try:
        with _opened(path) as file:
            return file.read(LOOKED_AT)
    except (OSError, EOFError, zlib.error):  # whoever reads it says what is wrong
        return b""


def _opened(path: Path) -> Any:
    with path.open("rb") as file:
        zipped = file.read(len(GZIP)) == GZIP
    return gzip.open(path) if zipped else path.open("rb")


def _write(rows: Iterable[Sequence[str]], path: Path, quoted: bool) -> None:
    """Write rows parted by TABs; in those of facts no cell is quoted."""
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        if quoted:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)
        else:
            file.writelines("\t".join(row) + "\n" for row in rows)


def _are_facts(rows: Rows) -> bool:
    """Whether the first row says that each is a fact: subject, relation, object."""
    first = [cell.casefold() for cell in rows[0]] if rows else []
    return len(first) == 3 and all(one in usual for one, usual in zip(first, HEADERS, strict=True))


def _is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return WORKBOOK in archive.namelist()
    except zipfile.BadZipFile:
        return False


def _of_workbook(path: Path, name: str) -> Rows:
    """Return the rows of the first sheet; of formulas what they came to when it was saved."""
    try:
        import openpyxl
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"{name} is a workbook, and reading it needs openpyxl, which is not installed; or save "
            f"its sheet as CSV in UTF-8. Install it: pip install 'memnets[sheets]'"
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and rules that are not read
        try:
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # some programs write wrong ones
            rows = [[_of_cell(cell) for cell in row] for row in sheet.iter_rows()]
            book.close()
        except Exception as error:  # openpyxl lets out whatever a damaged part gives rise to
            raise ValueError(
                f"{name}: this workbook cannot be read ({type(error).__name__}: {error}). Open it, "
                f"save it anew, or save its sheet as CSV in UTF-8."
            ) from error
    width = max((at for row in rows for at, cell in enumerate(row, start=1) if cell), default=0)
    return [[*row[:width], *[""] * (width - len(row))] for row in rows]


def _of_cell(cell: Any) -> str:
    """Return a cell as it is shown: a date without a time, a share in percent."""
    value = cell.value
    if isinstance(value, datetime):
        return str(value).removesuffix(MIDNIGHT)
    if isinstance(value, float | int) and "%" in (cell.number_format or ""):
        return f"{100 * value:.10g} %"
    return _in_text(value)


def _in_text(value: Any) -> str:
    """Return one object in the text of a cell, whose line it does not break."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    return " ".join(str(value).split())


def _of_json(path: Path, name: str) -> tuple[list[str], Rows]:
    """Return the columns of the table that records make, and their rows; facts have no columns."""
    found = _records(_loaded(path, name))
    if found and all(isinstance(one, list) and len(one) == 3 for one in found):
        return [], [[_in_text(part) for part in one] for one in found]
    rows: list[dict[str, str]] = []
    for number, one in enumerate(found, start=1):
        if not isinstance(one, dict):
            raise ValueError(
                f"{name}, record {number}: came {json.dumps(one)[:SHOWN]}; expected records, such "
                f'as [{{"name": "Ada", "town": "Rome"}}], or facts, such as '
                f'[["Ada", "town", "Rome"]]. Correct the file.'
            )
        rows.append(dict(_cells(one, f"{name}, record {number}")))
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if len(columns) == 3 and _are_facts([columns]):
        return [], [[row.get(column, "") for column in columns] for row in rows]
    return columns, [[row.get(column, "") for column in columns] for row in rows]


def _loaded(path: Path, name: str) -> Any:
    """Return what a file of JSON holds; a list, if it holds a value a line."""
    with _opened(path) as file:
        data = file.read()
    try:
        text = data.decode("utf-8-sig")
        try:
            return json.loads(text)
        except json.JSONDecodeError as whole:
            lines = [line for line in text.split("\n") if line.strip()]
            if len(lines) < 2 or (whole.lineno == 1 and whole.colno <= len(lines[0].rstrip())):
                raise
            return [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{name}: this begins as JSON, and cannot be read as such: {error}. Expected a list of "
            f"records, or a record a line. Correct the file."
        ) from None


def _records(found: Any) -> list[Any]:
    """Return the records of a list, or of an object that holds just one, or one by its name."""
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        if len(found) == len(lists) == 1:
            return list(lists[0])
        if found and all(isinstance(value, dict) for value in found.values()):
            return [{"name": name, **record} for name, record in found.items()]
    return [found]


def _cells(record: Mapping[str, Any], place: str, within: str = "") -> Iterator[tuple[str, str]]:
    """Yield column and cell of every value; those of a record within have its key before theirs."""
    for key, value in record.items():
        column = _in_text(f"{within} {key}")
        if isinstance(value, dict):
            yield from _cells(value, place, column)
            continue
        objects = value if isinstance(value, list) else [value]
        if any(isinstance(one, dict | list) for one in objects):
            raise ValueError(
                f"{place}: {column!r} holds a list of {type(objects[0]).__name__}s; expected "
                f"texts, numbers, yes or no. Give them records of their own, or texts."
            )
        yield column, f"{MANY} ".join(map(_in_text, objects))

"""Text files of one record a line: streamed, gzip or plain, with every bad row named.

A line ends with LF or CRLF, the last one with or without it. A byte order mark and blank lines are
passed over. Nothing else is trimmed: WikiMovies has an entity that is one no-break space.
"""

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import TypeVar

Record = TypeVar("Record")

GZIP = b"\x1f\x8b"
"""How a gzip file begins, whatever its name."""

SHOWN = 80
"""So many characters of a bad line are shown."""

LOOKED_AT = 2**12
"""So many bytes tell whether a file is text."""

_TABLE = "Export it as CSV in UTF-8, and name that file."
_UNPACK = "Unpack it, and name the file in it."
_WIDE = "Save it as UTF-8; on a command line: iconv -f UTF-16 -t UTF-8 FILE > NEW"
_NO_TEXT = (
    (
        b"PK\x03\x04",
        "a ZIP archive, or a spreadsheet (.xlsx, .ods)",
        "Export a spreadsheet as CSV in UTF-8, unpack an archive, and name that file.",
    ),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet or document of an office program", _TABLE),
    (b"PAR1", "a Parquet file", _TABLE),
    (b"SQLite format 3", "an SQLite database", _TABLE),
    (b"%PDF-", "a PDF file", "Save its text in UTF-8, and name that file."),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (b"\xff\xfe", "text in UTF-16", _WIDE),
    (b"\xfe\xff", "text in UTF-16", _WIDE),
    (GZIP, "a gzip archive", _UNPACK),
)
"""How files begin that are often taken for text, what they are, and how to go on."""
_JSON = re.compile(rb"\s*(?:\{\s*(?:[\"}]|\Z)|\[\s*(?:[\[{\"\]]|\Z))")


@dataclass(slots=True)
class BadRows:
    """Counts rows that cannot be read, and keeps the first complaints.

    A reader without one stops at the first bad row; given one, it passes over them.

    Args:
        keep: how many complaints are kept.
    """

    keep: int = 20
    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, complaint: str) -> None:
        self.count += 1
        if len(self.first) < self.keep:
            self.first.append(complaint)


def records(
    path: str | os.PathLike[str], read: Callable[[str], Record], bad: BadRows | None = None
) -> Iterator[Record]:
    """Stream the records of a file, one a line.

    Args:
        path: a text file, also gzipped.
        read: makes a record of a line; its ValueError says what is wrong with the line.
        bad: counts bad rows; without it the first one is an error.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is bad, the file is no text, or the gzip data is damaged; the text names
            file and line.
    """
    path = existing(path)

    def stream() -> Iterator[Record]:
        for row, data in numbered(path):
            try:
                line = decoded(data)
                if not line.strip(" \t"):
                    continue
                record = read(line)
            except ValueError as error:
                complaint = f"{path}:{row}: {error}"
                if bad is None:
                    raise ValueError(complaint) from None
                bad.add(complaint)
            else:
                yield record

    return stream()


def numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """Stream the lines of a file as bytes, without their ends, numbered from 1."""
    row = 0
    try:
        with _opened(path) as file:
            expect_text(path, file.peek(LOOKED_AT)[:LOOKED_AT])
            for row, data in enumerate(file, start=1):
                yield row, data.removeprefix(b"\xef\xbb\xbf") if row == 1 else data
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path}:{row + 1}: the gzip data cannot be read on from here ({error}). "
            f"Expected a whole file. Fetch it anew."
        ) from None


def expect_text(path: Path, begin: bytes) -> None:
    """Refuse a file that is no text in UTF-8, as far as its beginning tells.

    Args:
        path: of the file, for the complaint.
        begin: its first bytes; of a file of gzip, those that are packed in it.

    Raises:
        ValueError: it is something else; the text says what, and how to go on.
    """
    for magic, what, advice in _NO_TEXT:
        if begin.startswith(magic):
            raise ValueError(f"{path}: this is {what}; expected text in UTF-8. {advice}")
    if b"\0" in begin:
        # Of most letters in UTF-16 one of two bytes is 0.
        wide = 3 * begin.count(0) > len(begin)
        what, advice = (
            ("text in UTF-16", _WIDE)
            if wide
            else ("no text", "Name another file, or save its text.")
        )
        raise ValueError(
            f"{path}: this is {what} (byte {begin.index(0)} is 0); expected text in UTF-8. {advice}"
        )


def looks_like_json(begin: bytes) -> bool:
    """Whether a file that begins so is JSON: a list, or an object."""
    return bool(_JSON.match(begin.removeprefix(b"\xef\xbb\xbf")))


def expect_no_json(path: Path, begin: bytes) -> None:
    """Refuse JSON where a table or facts are wanted.

    Raises:
        ValueError: the file looks like JSON.
    """
    if looks_like_json(begin):
        raise ValueError(
            f"{path}:1: this looks like JSON; expected rows of cells, parted by TABs, commas, "
            f"semicolons or bars. {_TABLE}"
        )


def decoded(data: bytes) -> str:
    """Decode one line, without its end.

    Raises:
        ValueError: it is not UTF-8, or holds a byte 0, which no text has.
    """
    if b"\0" in data:
        raise ValueError(
            f"byte {data.index(0) + 1} of the line is 0, which no text has. Save it as UTF-8."
        )
    try:
        return data.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text. Expected a text file. Save it as "
            f"UTF-8 (it may be in Latin-1 or Windows-1252), or fetch it anew."
        ) from None


def fields(line: str, separator: str, expected: str) -> list[str]:
    """Split a line into as many fields as the expected form has.

    Args:
        line: the line.
        separator: what stands between the fields.
        expected: the form, in the same separators, for the count and the complaint.

    Raises:
        ValueError: their number is another one, or one is empty.
    """
    parts = line.split(separator)
    if len(parts) != expected.count(separator) + 1 or not all(parts):
        raise wrong(line, expected)
    return parts


def wrong(line: str, expected: str) -> ValueError:
    """Return the complaint about a line that has another form."""
    form = expected.replace("\t", "<TAB>")
    return ValueError(
        f"came {line[:SHOWN]!r}; expected {form}, no field empty. "
        f"Correct the line, or fetch the file anew."
    )


def existing(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file that is there.

    Raises:
        FileNotFoundError: it is not, or is a folder.
    """
    path = Path(path)
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise FileNotFoundError(f"{path}: this {what}; expected a file. Correct the path.")
    return path


def _opened(path: Path) -> BufferedReader | gzip.GzipFile:
    with path.open("rb") as file:
        zipped = file.read(len(GZIP)) == GZIP
    return gzip.open(path) if zipped else path.open("rb")

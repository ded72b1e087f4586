"""Text files of one record a line: streamed, gzip or plain, with every bad row named.

A line ends with LF or CRLF, the last one with or without it. A byte order mark and blank lines are
passed over. Nothing else is trimmed: WikiMovies has an entity that is one no-break space.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path
from typing import TypeVar

Record = TypeVar("Record")

GZIP = b"\x1f\x8b"
"""How a gzip file begins, whatever its name."""

SHOWN = 80
"""So many characters of a bad line are shown."""


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
        ValueError: a row is bad, or the gzip data is damaged; the text names file and line.
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
            for row, data in enumerate(file, start=1):
                yield row, data.removeprefix(b"\xef\xbb\xbf") if row == 1 else data
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path}:{row + 1}: the gzip data cannot be read on from here ({error}). "
            f"Expected a whole file. Fetch it anew."
        ) from None


def decoded(data: bytes) -> str:
    """Decode one line, without its end.

    Raises:
        ValueError: it is not UTF-8.
    """
    try:
        return data.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text. "
            f"Expected a text file. Save it as UTF-8, or fetch it anew."
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


def _opened(path: Path) -> BufferedIOBase:
    with path.open("rb") as file:
        zipped = file.read(len(GZIP)) == GZIP
    return gzip.open(path) if zipped else path.open("rb")

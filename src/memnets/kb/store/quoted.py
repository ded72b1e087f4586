"""Rows of CSV as whole records: a cell in quotes may run over several lines."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator

MOST_LINES = 100
"""A quote that is not closed within so many lines is a slip, not the beginning of a long cell."""
QUOTE = b'"'


def whole(rows: Iterable[tuple[int, bytes]], separator: str) -> Iterator[tuple[int, bytes]]:
    """Stream records: lines, those of one cell in quotes joined by a space.

    A line whose quote is never closed is given as it is, to be complained of.

    Args:
        rows: numbered lines.
        separator: what stands between cells.

    Yields:
        The number of each record's first line, and the record.
    """
    coming, ahead = iter(rows), deque[tuple[int, bytes]]()
    while row := _next(coming, ahead):
        if _odd(row[1]) and _is_open(row[1], separator):
            row = row[0], _closed(row[1], coming, ahead, separator)
        yield row


def last_whole(text: bytes) -> int:
    """Return where some lines may be cut: before a cell in quotes that goes on after them.

    Args:
        text: whole lines.
    """
    end = len(text)
    for _ in range(MOST_LINES):
        start = text.rfind(b"\n", 0, max(end - 1, 0)) + 1
        line = text[start:end]
        if _odd(line):
            return start if _is_open(line, ",") or _is_open(line, ";") else len(text)
        end = start
    return len(text)


def _next(
    coming: Iterator[tuple[int, bytes]], ahead: deque[tuple[int, bytes]]
) -> tuple[int, bytes] | None:
    return ahead.popleft() if ahead else next(coming, None)


def _closed(
    record: bytes,
    coming: Iterator[tuple[int, bytes]],
    ahead: deque[tuple[int, bytes]],
    separator: str,
) -> bytes:
    """Return a record with the lines that its open cell runs over, which are taken from `ahead`."""
    lines = [record]
    for place in range(MOST_LINES):
        if place == len(ahead) and (row := next(coming, None)):
            ahead.append(row)
        if place == len(ahead):
            break
        lines.append(ahead[place][1])
        if _odd(lines[-1]):
            joined = b" ".join(line.rstrip(b"\r\n") for line in lines)
            if _is_whole(joined, separator):
                for _ in range(place + 1):
                    ahead.popleft()
                return joined
            break
    return record


def _odd(text: bytes) -> bool:
    return text.count(QUOTE) % 2 == 1


def _is_open(line: bytes, separator: str) -> bool:
    """Whether a cell begins with a quote that is not closed; a stray quote within one is none."""
    text = line.rstrip(b"\r\n").decode("utf-8", "replace")
    return not _parses(text, separator) and _parses(f'{text}"', separator)


def _is_whole(record: bytes, separator: str) -> bool:
    return _parses(record.decode("utf-8", "replace"), separator)


def _parses(text: str, separator: str) -> bool:
    try:
        list(csv.reader([text], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        return False
    return True

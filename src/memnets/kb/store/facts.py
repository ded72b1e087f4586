"""Facts in files: streamed block by block, whatever parts their fields; every bad row named.

A block in which every line is plain (three fields, none empty, no quotes) is taken apart with
all others at once; any other line by line, so that the bad ones can be named.
"""

import csv
import gzip
import os
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from itertools import chain, count, islice
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from memnets.data.facts import Triple
from memnets.data.rows import (
    GZIP,
    LOOKED_AT,
    SHOWN,
    BadRows,
    decoded,
    existing,
    expect_no_json,
    expect_text,
    fields,
    wrong,
)
from memnets.kb.index.strings import Strings, distinct, fields_of
from memnets.kb.index.vocabulary import encoded
from memnets.kb.store.quoted import last_whole, whole

Form = Literal["tsv", "csv", "semicolons", "pipes", "ntriples"]
"""TABs, commas, semicolons or bars between the fields, or N-Triples."""
FORMS: tuple[Form, ...] = get_args(Form)
SEPARATORS: dict[Form, str] = {"tsv": "\t", "csv": ",", "semicolons": ";", "pipes": "|"}
QUOTED: tuple[Form, ...] = ("csv", "semicolons")
"""In these a cell may stand in quotes, and run over several lines in them."""
BLOCK = 2**24
"""Bytes that are read at once."""
ROWS = 2**18
"""Facts that are taken at once from a stream of triples."""
HEADERS = (
    {"subject", "s", "head", "entity", "source"},
    {"relation", "predicate", "property", "p", "r"},
    {"object", "o", "tail", "value", "target"},
)
"""A first row of such words names the columns."""
NAMES, RELATIONS = slice(0, 3, 2), slice(1, 2)
"""The columns of subjects and objects, and of relations."""
BOM = b"\xef\xbb\xbf"

_TERM = r"<([^<>]*)>|(_:\S+)"
_ESCAPE = r"""\\(?:[tbnrf"'\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"""
_NTRIPLE = re.compile(
    rf'(?:{_TERM})\s*<([^<>]*)>\s*(?:{_TERM}|"((?:[^"\\]|{_ESCAPE})*)"(?:@[\w-]+|\^\^<[^<>]*>)?)\s*\.'
    r"(?:\s*#.*)?"
)
_EXPECTED = '<subject> <relation> <object> . or <subject> <relation> "text" .'


class FactBlock(NamedTuple):
    """Some facts, one after the other."""

    names: Strings
    """Subjects and objects, each once."""
    relations: Strings
    """Each once."""
    facts: NDArray[np.int32]
    """A row a fact: the places of its subject, relation and object among these."""
    read: int
    """Bytes of the file that are behind it."""


def blocks(
    source: str | os.PathLike[str] | Iterable[tuple[str, str, str]],
    bad: BadRows,
    form: Form | None = None,
    header: bool | None = None,
) -> Iterator[FactBlock]:
    """Stream facts.

    Args:
        source: a text file in UTF-8, also gzipped, of one fact a line: subject, relation, object;
            or triples. A cell in quotes may run over lines, which become spaces.
        bad: counts the rows that are none, and keeps the first.
        form: of the file; by default as its first line looks.
        header: whether the first row names the columns; by default if it does so in usual words.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no text, its form cannot be told, or its gzip data is damaged.
    """
    if isinstance(source, str | os.PathLike):
        return _of_file(existing(source), bad, form, header)
    return _of_triples(iter(source))


def _of_triples(triples: Iterator[tuple[str, str, str]]) -> Iterator[FactBlock]:
    while len((block := _numbered(islice(triples, ROWS), 0)).facts):
        yield block


def _of_file(
    path: Path, bad: BadRows, form: Form | None, header: bool | None
) -> Iterator[FactBlock]:
    texts = _texts(path)
    first, begun = next(texts, (b"", 0))
    first, line = first.removeprefix(BOM), 1
    if not first.strip():
        return
    form = form or _form(path, first)
    if _has_header(first, form) if header is None else header:
        first, line = first.partition(b"\n")[2], 2
    for text, read in chain([(first, begun)], texts):
        plain = None if form == "ntriples" else _plain(text, SEPARATORS[form], read)
        yield plain or _numbered(_line_by_line(text, form, f"{path}:", line, bad), read)
        line += text.count(b"\n")


def _texts(path: Path) -> Iterator[tuple[bytes, int]]:
    """Stream whole lines, many at once, and how many bytes of the file are read."""
    with path.open("rb") as raw:
        zipped = raw.read(len(GZIP)) == GZIP
        raw.seek(0)
        file: BufferedReader | gzip.GzipFile = gzip.GzipFile(fileobj=raw) if zipped else raw
        rest, before = b"", 0
        try:
            expect_text(path, file.peek(LOOKED_AT)[:LOOKED_AT])
            while data := file.read(BLOCK):
                data = rest + data
                end = data.rfind(b"\n") + 1
                end = last_whole(data[:end])
                text, rest = data[:end], data[end:]
                before += text.count(b"\n")
                if text:
                    yield _without_returns(text), raw.tell()
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"{path}:{before + 1}: the gzip data cannot be read on from about here ({error}). "
                f"Expected a whole file. Fetch it anew."
            ) from None
        if rest:
            yield _without_returns(rest + b"\n"), raw.tell()


def _without_returns(text: bytes) -> bytes:
    return re.sub(rb"\r+\n", b"\n", text) if b"\r\n" in text else text


def _form(path: Path, text: bytes) -> Form:
    expect_no_json(path, text)
    line = text.lstrip().partition(b"\n")[0].decode(errors="replace").strip()
    if re.match(r"#|(?:<|_:).*\.(?:\s*#.*)?$", line):
        return "ntriples"
    for form, separator in SEPARATORS.items():
        if separator in line:
            return form
    raise ValueError(
        f"{path}:1: came {line[:SHOWN]!r}; expected subject, relation and object, parted by a TAB, "
        f"comma, semicolon or bar, or N-Triples. Correct the file, or say which form it has "
        f"({', '.join(FORMS)})."
    )


def _has_header(text: bytes, form: Form) -> bool:
    if form == "ntriples":
        return False
    line = text.partition(b"\n")[0].decode(errors="replace")
    cells = [cell.strip(' "').casefold() for cell in line.split(SEPARATORS[form])]
    return len(cells) == 3 and all(map(set.__contains__, HEADERS, cells))


def _plain(text: bytes, separator: str, read: int) -> FactBlock | None:
    """Take a block apart if every line is plain."""
    if separator in ",;" and _is_quoted_or_spaced(text, separator.encode()):
        return None
    if b"\0" in text or not (text.isascii() or _is_utf8(text)):
        return None
    letters = np.frombuffer(text, np.uint8)
    fields = fields_of(letters, text.count(b"\n"), separator)
    if fields is None:
        return None
    numbers = np.empty((len(fields[0]) // 3, 3), np.int32)
    words = []
    for columns in (NAMES, RELATIONS):
        starts, ends = (places.reshape(-1, 3)[:, columns].ravel() for places in fields)
        found = distinct(letters, starts, ends)
        numbers[:, columns] = found.numbers.reshape(len(numbers), -1)
        words.append(Strings.cut(letters, found.starts, found.ends))
    return FactBlock(words[0], words[1], numbers, read)


def _is_quoted_or_spaced(text: bytes, separator: bytes) -> bool:
    """Whether a cell is in quotes, or has a space before or behind it, which is none of it."""
    marks = b'"', separator + b" ", b" " + separator, b" \n", b"\n "
    return text.startswith(b" ") or any(mark in text for mark in marks)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _line_by_line(
    text: bytes, form: Form, where: str, first: int, bad: BadRows
) -> Iterator[Triple]:
    read = _reader(form)
    lines: Iterable[tuple[int, bytes]] = enumerate(text.split(b"\n")[:-1], start=first)
    if form in QUOTED:
        lines = whole(lines, SEPARATORS[form])
    for number, data in lines:
        try:
            line = decoded(data)
            if line.strip(" \t") and not (form == "ntriples" and line.startswith("#")):
                yield read(line)
        except ValueError as error:
            bad.add(f"{where}{number}: {error}")


def _reader(form: Form) -> Callable[[str], Triple]:
    if form == "ntriples":
        return _read_ntriple
    separator = SEPARATORS[form]
    expected = separator.join(Triple._fields)
    if form in ("tsv", "pipes"):
        return lambda line: Triple(*fields(line, separator, expected))

    def read(line: str) -> Triple:
        try:
            (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True)
        except csv.Error:
            raise wrong(line, f"{expected}, with quotes in pairs") from None
        cells = [cell.strip(" ") for cell in cells]
        if len(cells) != len(Triple._fields) or not all(cells):
            raise wrong(line, expected)
        return Triple(*cells)

    return read


def _read_ntriple(line: str) -> Triple:
    found = _NTRIPLE.fullmatch(line.strip())
    if not found:
        raise wrong(line, _EXPECTED)
    address, blank, relation, item, other, text = found.groups()
    try:
        # The escapes of N-Triples are some of Python's; half of a character is no text.
        said = (text or "").encode("latin-1", "backslashreplace").decode("unicode_escape")
        said.encode()
    except UnicodeError:
        raise wrong(line, _EXPECTED) from None
    thing = item or other or said
    if not (address or blank) or not relation or not thing:
        raise wrong(line, _EXPECTED)
    return Triple(address or blank, relation, thing)


def _numbered(triples: Iterable[tuple[str, str, str]], read: int) -> FactBlock:
    names = defaultdict[str, int](count().__next__)
    relations = defaultdict[str, int](count().__next__)
    rows = [(names[s], relations[r], names[o]) for s, r, o in triples]
    facts = np.array(rows, np.int32).reshape(-1, 3)
    of_names, of_relations = (Strings.of(map(encoded, each)) for each in (names, relations))
    return FactBlock(of_names, of_relations, facts, read)

"""Results on disk: written atomically, read strictly, and refused with their place."""

import json
import re
import types
from collections.abc import Callable
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from memnets.files import write_bytes
from memnets.results.records import BENCHMARK, Benchmark, Data, Table

DIGITS = 6
"""Significant digits of a figure on disk."""

Result = Table | Benchmark
Record = TypeVar("Record")


def write(result: Result, folder: Path) -> Path:
    """Write a result to its file, atomically, and return the path.

    Raises:
        ValueError: a figure is NaN or infinite.
    """
    path = folder / result.file_name
    record = asdict(result)
    for part in ("rows", "series"):
        if part in record:
            record[part] = [_rounded(item) for item in record[part]]
    try:
        text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise ValueError(
            f"{path}: the result holds NaN or infinity; expected numbers. "
            f"Write what did not converge as results.not_run(), with a note."
        ) from None
    write_bytes(path, f"{_lists_on_one_line(text)}\n".encode())
    return path


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def _lists_on_one_line(text: str) -> str:
    # A raw line break never stands in a JSON string, so only lists of plain numbers match.
    def joined(match: re.Match[str]) -> str:
        return f"[{' '.join(match[1].split())}]"

    return re.sub(r"\[\n([^\[\]{}\"]*)\]", joined, text)


def read_all(folder: Path) -> dict[str, Result]:
    """Return every result of a folder, by the name of its file without `.json`.

    Raises:
        ValueError: there is no such folder, or a file does not fit.
    """
    if not folder.is_dir():
        raise ValueError(
            f"{folder}: no such folder. Name the one that holds the results' JSON files "
            f"with --results."
        )
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def read(path: Path) -> Result:
    """Read a result.

    Raises:
        ValueError: the file does not hold exactly the fields of its kind, each of its type.
        FileNotFoundError: there is no such file.
    """
    record = _load(path)
    kind: Any = Benchmark if path.name.startswith(BENCHMARK) else Table
    hints = _hints(kind)
    for part in ("rows", "series"):
        if part in hints and isinstance(record.get(part), list):
            row_kind = get_args(hints[part])[0]
            record[part] = [
                _structure(row_kind, item, f"{path}: {part}[{index}]")
                for index, item in enumerate(record[part])
            ]
    if isinstance(record.get("data"), dict):
        record["data"] = _structure(Data, record["data"], f"{path}: data")
    result: Result = _structure(kind, record, f"{path}")
    if result.file_name != path.name:
        raise ValueError(
            f"{path}: the name inside is {result.name!r}, which belongs into "
            f"{result.file_name}. Rename the file, or correct the name."
        )
    return result


def _load(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{error.lineno}: not JSON ({error.msg}). {_WRITE_ANEW}") from None
    except _NoNumberError as error:
        raise ValueError(
            f"{path}: holds {error}; expected numbers or null. {_WRITE_ANEW}"
        ) from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8. {_WRITE_ANEW}") from None
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, 1,000 brackets
        raise ValueError(f"{path}: not JSON ({error}). {_WRITE_ANEW}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{path}: expected an object, found {record!r:.40}. {_WRITE_ANEW}")
    return record


class _NoNumberError(Exception):
    pass


def _no_number(text: str) -> None:
    raise _NoNumberError(text)


_WRITE_ANEW = "Let the command that measured it write it anew."


def _structure(kind: type[Record], record: Any, where: str) -> Record:
    if not isinstance(record, dict):
        raise ValueError(f"{where}: expected an object, found {record!r:.40}. {_WRITE_ANEW}")
    if "row" in record:
        where = f"{where} ({record['row']!r})"
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    missing = [name for name in known if name not in record]
    unknown = [name for name in record if name not in known]
    for problem, names in (("lacks", missing), ("has the unknown field", unknown)):
        if names:
            raise ValueError(
                f"{where} {problem} {', '.join(names)}; expected the fields {', '.join(known)}. "
                f"{_WRITE_ANEW}"
            )
    hints = _hints(cast(Any, kind))
    for name, hint in hints.items():
        if not _fitting(hint)(record[name]):
            raise ValueError(
                f"{where}: {name} is {record[name]!r:.60}; expected {_words(hint)}. {_WRITE_ANEW}"
            )
    try:
        return kind(**{name: _typing(hint)(record[name]) for name, hint in hints.items()})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _fitting(hint: Any) -> Callable[[Any], bool]:
    """Return what tells whether a value fits: a type is taken apart once, not for every row."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        choices = [_fitting(choice) for choice in inner]
        return lambda value: any(fits(value) for fits in choices)
    if kind is Literal:
        return lambda value: value in inner
    if kind is tuple:
        item_fits = _fitting(inner[0])
        return lambda value: isinstance(value, list) and all(map(item_fits, value))
    if hint is float:
        return lambda value: type(value) in (int, float)
    return lambda value: type(value) is (kind or hint)


@cache
def _typing(hint: Any) -> Callable[[Any], Any]:
    """Return what makes a value that fits one of the type: tuples of lists, 2.0 of a 2 on disk."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        choices = [(_fitting(choice), _typing(choice)) for choice in inner]
        return lambda value: next(typed for fits, typed in choices if fits(value))(value)
    if kind is tuple:
        item_typed = _typing(inner[0])
        return lambda value: tuple(map(item_typed, value))
    return float if hint is float else lambda value: value


def _words(hint: Any) -> str:
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        return " or ".join(_words(choice) for choice in inner)
    if kind is Literal:
        return " or ".join(repr(choice) for choice in inner)
    if kind is tuple:
        return f"a list, each item {_words(inner[0])}"
    if is_dataclass(hint):
        return "an object"
    names = {float: "a number", int: "a whole number", str: "text", dict: "an object"}
    return "null" if hint is types.NoneType else names[kind or hint]

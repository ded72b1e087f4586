"""Fill the tables of Markdown files from `results/`, so that no figure is typed by hand.

A table stands between two comments, which this writes anew and `--check` compares:

    <!-- results: NAME -->
    <!-- /results -->

NAME is the name of the file without `.json`. `rows="task 1*"` keeps the rows that fit a pattern,
`columns="row, measured, published"` the named columns in that order. `across="rows"` puts what was
measured of all rows side by side, a line a metric.

    python -m tools.render docs README.md --check
"""

import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path

import tyro

from memnets.files import write_bytes
from memnets.lookup import named
from memnets.report.tables import BAD, NOTHING, NUMERIC, Cells, cells, origin
from memnets.results import Result, read_all, results_folder

OPEN = re.compile(r"<!--\s*results:(?P<wanted>.*?)-->\s*")
CLOSE = re.compile(r"<!--\s*/results\s*-->\s*")
PIVOT, TARGET = ("row", "metric", "measured", "target"), "target"
FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True)
class Render:
    """Fill the tables of Markdown files from the results."""

    paths: tyro.conf.Positional[tuple[Path, ...]]
    """Markdown files, and folders that hold some."""
    check: bool = False
    """Change nothing; fail where a file differs from the results."""
    results: Path = field(default_factory=results_folder)
    """Folder of the results' JSON files."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill or check the files; return 1 where a check fails."""
    options = tyro.cli(Render, args=arguments, prog="python -m tools.render")
    known = read_all(options.results)
    stale = 0
    for path in markdown_files(options.paths):
        old = path.read_text("utf-8")
        new = render(old, known, str(path))
        if new == old:
            continue
        stale += 1
        if options.check:
            print(first_difference(old, new, str(path)), file=sys.stderr)
        else:
            write_bytes(path, new.encode())
            print(f"{path}: filled anew")
    return 1 if options.check and stale else 0


def markdown_files(paths: Sequence[Path]) -> list[Path]:
    """Return the Markdown files among paths and below folders.

    Raises:
        ValueError: a path does not exist, or none is given.
    """
    if not paths:
        raise ValueError("no paths: nothing would be filled or checked. Pass docs README.md.")
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise ValueError(f"{path}: no such file or folder. Name Markdown files or folders.")
        found += sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return found


def render(text: str, known: Mapping[str, Result], name: str) -> str:
    """Return a Markdown text with all its tables filled; text in code fences is left alone.

    Args:
        text: the Markdown.
        known: results by name.
        name: of the file, for messages.

    Raises:
        ValueError: a table is not closed, or names an unknown result, row, column or option.
    """
    done: list[str] = []
    lines = iter(enumerate(text.splitlines(), start=1))
    fenced = False
    for number, line in lines:
        done.append(line)
        fenced ^= bool(FENCE.match(line))
        marker = None if fenced else OPEN.fullmatch(line)
        if marker is None:
            continue
        place = f"{name}:{number}"
        for _, old in lines:
            if OPEN.fullmatch(old):
                raise ValueError(_unclosed(place))
            if CLOSE.fullmatch(old):
                break
        else:
            raise ValueError(_unclosed(place))
        done += ["", _fill(marker["wanted"], known, place), "", old]
    return "\n".join(done) + ("\n" if text.endswith("\n") else "")


def _fill(wanted: str, known: Mapping[str, Result], place: str) -> str:
    try:
        name, options = _wanted(wanted)
        result = named(name, dict(known), "result", "memnets results")
        if "rows" in options:
            result = only_rows(result, options["rows"])
        if options.get("across") == "rows":
            return _lines(across(result), result, {"metric"})
        columns = [column.strip() for column in options.get("columns", "").split(",")]
        return markdown(result, columns if columns != [""] else [])
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _wanted(text: str) -> tuple[str, dict[str, str]]:
    name, *rest = shlex.split(text) or [""]
    options = dict(word.partition("=")[::2] for word in rest)
    unknown = [word for word in options if word not in ("rows", "columns", "across")]
    if unknown or options.get("across", "rows") != "rows":
        raise ValueError(
            f'unknown option {(unknown or ["across"])[0]!r}. Write rows="PATTERN", '
            f'columns="NAME, NAME" or across="rows".'
        )
    return name, options


def only_rows(result: Result, pattern: str) -> Result:
    """Return the result with the rows whose name fits a pattern such as `task 1*`.

    Raises:
        ValueError: no row fits.
    """
    kept = [row for row in result.rows if fnmatchcase(row.row, pattern)]
    if not kept:
        names = ", ".join(repr(row.row) for row in result.rows)
        raise ValueError(f"{result.name} has no row like {pattern!r}. Its rows are {names}.")
    return replace(result, rows=tuple(kept))  # type: ignore[arg-type]


def markdown(result: Result, columns: Sequence[str] = ()) -> str:
    """Return a result as a Markdown table with its origin below; misses are bold."""
    table = cells(result, columns)
    return _lines(table, result, {*table.columns} - NUMERIC)


def across(result: Result) -> Cells:
    """Return what was measured of all rows side by side, a line a metric, with its target."""
    names, lines = dict[str, None](), dict[str, dict[str, str]]()
    for row, metric, measured, target in cells(result, PIVOT).rows:
        names[row] = None
        line = lines.setdefault(metric, {TARGET: target})
        line[row] = measured
        if line[TARGET] == NOTHING:
            line[TARGET] = target
    columns = (*names, TARGET)
    rows = (
        (metric, *(line.get(name, NOTHING) for name in columns)) for metric, line in lines.items()
    )
    return Cells(("metric", *columns), tuple(rows))


def _lines(table: Cells, result: Result, words: Collection[str]) -> str:
    """Return a table in Markdown with its origin below; columns of words are set flush left."""
    rules = ["---" if name in words else "---:" for name in table.columns]
    lines = [_markdown_line(table.columns), _markdown_line(rules)]
    for row in table.rows:
        bold = [f"**{cell}**" if cell.startswith(BAD) else cell for cell in map(_plain, row)]
        lines.append(_markdown_line(bold))
    below = [f"Written by `{result.command}`.", *map(_plain, origin(result))]
    return "\n".join([*lines, "", *(f"{line}\\" for line in below[:-1]), below[-1]])


def _markdown_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(cell: str) -> str:
    for mark in "\\`*_<|[":
        cell = cell.replace(mark, f"\\{mark}")
    return " ".join(cell.split())


def _unclosed(place: str) -> str:
    return f"{place}: this table is not closed. Put <!-- /results --> on a line below it."


def first_difference(old: str, new: str, name: str) -> str:
    """Say where a file first differs from the results, and how to mend it."""
    pairs = zip_longest(old.splitlines(), new.splitlines())
    number, was, now = next(
        (number, was, now) for number, (was, now) in enumerate(pairs, start=1) if was != now
    )
    return (
        f"{name}:{number}: differs from the results.\n  has      {was}\n  expected {now}\n"
        f"Run `python -m tools.render {name}`."
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"memnets: {error}")

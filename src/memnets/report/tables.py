"""Measured figures next to published ones, for a terminal; `cells` decides what a reader sees."""

import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from memnets.results import Benchmark, BenchRow, Data, Result, Row, Table

NOTHING = "–"
SHORT = 36
"""A note of more characters stands below a table on a terminal."""
MEAN = "mean of all"
"""Beside the figure of a run that was chosen: of all runs, with their standard deviation."""
NUMERIC = {
    "measured",
    MEAN,
    "seeds",
    "published",
    "difference",
    "target",
    "baseline",
    "faster",
    "pairs",
}
"""Columns that are set flush right."""
MISSED, SLOWER = "missed", "slower"
GOOD = ("reached", "within", "target met", "faster")
BAD = (MISSED, SLOWER)
"""How the cells begin that nobody may overlook."""


class Cells(NamedTuple):
    """A table as text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def cells(result: Result, columns: Sequence[str] = ()) -> Cells:
    """Return the text of a result's cells, without columns that would be empty throughout.

    Args:
        result: a table or a benchmark.
        columns: which columns, in this order; all of them by default.

    Raises:
        ValueError: there is no such column.
    """
    show = _bench_row if isinstance(result, Benchmark) else _row
    records = [show(row) for row in result.rows]  # type: ignore[arg-type]
    known = list(records[0]) if records else ["row"]
    for column in columns:
        if column not in known:
            raise ValueError(
                f"{result.name} has no column {column!r}. Choose among {', '.join(known)}."
            )
    filled = [name for name in known if any(record.get(name, "") for record in records)]
    chosen = tuple(columns) or tuple(filled)
    return Cells(
        chosen, tuple(tuple(record[name] or NOTHING for name in chosen) for record in records)
    )


class Terminal(NamedTuple):
    """A result as rich draws it; misses are red, reached goals green.

    What is long or the same in every row (metrics, long notes) stands below the table; where the
    terminal is narrow, so does every note, and where that is not enough, words are broken.
    """

    result: Result

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RichTable | Text]:
        table, notes = cells(self.result), [row.note for row in self.result.rows if row.note]
        left_out = {"metric", "seeds", "pairs"}
        if any(len(note) > SHORT for note in notes) or not _fits(table, left_out, options):
            left_out |= {"note"} if notes else set()
        yield _drawn(self.result, table, left_out, options)
        below = [f"Written by {self.result.command}.", *_metrics(self.result)]
        below += origin(self.result)
        if "note" in left_out:
            below += [f"{row.row}: {row.note}" for row in self.result.rows if row.note]
        yield Text("\n".join(below), "table.caption")


def _fits(table: Cells, left_out: Collection[str], options: ConsoleOptions) -> bool:
    """Return whether a table has room, its words whole."""
    texts = _texts(table, left_out)
    return sum(map(_longest_word, texts.values())) <= _room(options, len(texts))


def _room(options: ConsoleOptions, columns: int) -> int:
    """Return what padding and the lines between leave to the texts."""
    return options.max_width - 3 * columns + 1


def _texts(table: Cells, left_out: Collection[str]) -> dict[str, list[str]]:
    """Return all that stands in each column, its name too."""
    columns = zip(table.columns, *table.rows, strict=True)
    return {name: [name, *below] for name, *below in columns if name not in left_out}


def _longest_word(texts: Sequence[str]) -> int:
    return max(cell_len(word) for text in texts for word in text.split())


def _widths(texts: Sequence[Sequence[str]], room: int) -> list[int]:
    """Give every column its longest word, and what is left to those that want most.

    Where there is no room for the longest words, the widest columns break theirs.
    """
    wanted = [max(map(cell_len, column)) for column in texts]
    widths = [_longest_word(column) for column in texts]
    while sum(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    while sum(widths) < room and widths != wanted:
        missing = [want - width for want, width in zip(wanted, widths, strict=True)]
        widths[missing.index(max(missing))] += 1
    return widths


def _drawn(
    result: Result, table: Cells, left_out: Collection[str], options: ConsoleOptions
) -> RichTable:
    shown = RichTable(
        box=box.SIMPLE_HEAD,
        title=f"[bold]{escape(result.file_name.removesuffix('.json'))}[/bold]",
        title_justify="left",
        pad_edge=False,
    )
    texts = _texts(table, left_out)
    widths = _widths(list(texts.values()), _room(options, len(texts)))
    for name, width in zip(texts, widths, strict=True):
        justify: Literal["left", "right"] = "right" if name in NUMERIC else "left"
        shown.add_column(name, justify=justify, overflow="fold", width=width)
    for row in list(zip(*texts.values(), strict=True))[1:]:
        shown.add_row(*map(_coloured, row))
    return shown


def _metrics(result: Result) -> list[str]:
    metrics = _distinct(row.metric for row in result.rows)
    return [f"Measured: {'; '.join(metrics)}."] if metrics else []


def origin(result: Result) -> list[str]:
    """Return the lines that say where the figures come from: data, sources, commits, machines."""
    lines = []
    if isinstance(result, Table) and result.data is not None:
        lines.append(f"Data: {_data(result.data)}.")
    if isinstance(result, Table):
        selections = _distinct(row.selection for row in result.rows)
        lines += [f"Reported: {'; '.join(selections)}."] if selections else []
        sources = _distinct(row.source for row in result.rows)
        lines += [f"Published: {'; '.join(sources)}."] if sources else []
    ran = [row for row in result.rows if row.created]
    if ran:
        days = sorted({(row.created or "")[:10] for row in ran})
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        commits = _few([name for row in ran for name in (row.commit or "none").split(", ")])
        machines = "; ".join(_distinct(row.machine for row in ran))
        lines.append(f"Commit {commits}, {when}, {machines}{_wall(ran)}.")
    return lines


def _few(names: Sequence[str], most: int = 3) -> str:
    distinct = list(dict.fromkeys(names))
    if len(distinct) <= most:
        return ", ".join(distinct)
    return f"{distinct[0]} and {len(distinct) - 1} others"


def number(value: float, unit: str = "") -> str:
    """Return a figure as it is printed: per cents to a tenth, others to four digits."""
    return f"{value:.1f}" if unit == "%" else f"{value:.4g}"


def verdict(row: Row) -> str:
    """Say whether a row has reached its goal, or why that is not known."""
    if row.status == "not run":
        return "not run"
    words = "" if row.reached is None else _judged(row)
    partial = "partial" if row.status == "partial" else ""
    return ", ".join(word for word in (words, partial) if word) or "done"


def _judged(row: Row) -> str:
    """Say what was reached: the published figure, or a goal of our own and how far from it."""
    if not row.reached:
        return MISSED
    if row.published is None:
        return "target met"
    if row.target is None or replace(row, target=None).reached:
        return "reached"
    return f"within {number(abs(row.target - row.published))}"


def _row(row: Row) -> dict[str, str]:
    measured = "" if row.measured is None else number(row.measured, row.unit)
    every = ""
    if row.measured is not None and row.spread is not None:
        mean, spread = statistics.fmean(row.values), f" ± {number(row.spread, row.unit)}"
        if math.isclose(mean, row.measured, rel_tol=1e-4, abs_tol=1e-9):
            measured += spread
        else:
            every = number(mean, row.unit) + spread
    difference = ""
    if row.measured is not None and row.published is not None:
        difference = _difference(row.measured - row.published, row.unit)
    return {
        "row": row.row,
        "metric": f"{row.metric} ({row.unit})" if row.unit else row.metric,
        "measured": measured,
        MEAN: every,
        "seeds": str(len(row.seeds)) if row.seeds else "",
        "published": "" if row.published is None else number(row.published, row.unit),
        "difference": difference,
        "target": _target(row),
        "status": verdict(row),
        "note": row.note,
    }


def _difference(difference: float, unit: str) -> str:
    if difference == 0:
        return "0"
    away = number(abs(difference), unit)
    return ("+" if difference > 0 else "−") + (away if float(away) else "<0.1")


def _target(row: Row) -> str:
    if row.target is None:
        return ""
    return f"{'≥' if row.better == 'higher' else '≤'} {number(row.target, row.unit)}"


def _bench_row(row: BenchRow) -> dict[str, str]:
    faster = ""
    if row.ratio is not None and row.ratio_interval is not None:
        low, high = row.ratio_interval
        faster = f"{row.ratio:.3g}× ({low:.3g} to {high:.3g})"
    return {
        "row": row.row,
        "metric": row.metric,
        "measured": "" if row.measured is None else number(row.measured),
        "baseline": "" if row.baseline is None else number(row.baseline),
        "compared with": row.baseline_name,
        "faster": faster,
        "pairs": str(row.repeats) if row.repeats else "",
        "status": "not run" if row.ratio is None else SLOWER if row.ratio < 1 else "faster",
        "note": row.note,
    }


def _coloured(cell: str) -> str:
    text = escape(cell)
    if cell.startswith(BAD):
        return f"[bold red]{text}[/bold red]"
    if cell.startswith(GOOD):
        return f"[green]{text}[/green]"
    styles = {"not run": "dim"}
    return f"[{styles[cell]}]{text}[/{styles[cell]}]" if cell in styles else text


def _data(data: Data) -> str:
    checksum = f", sha256 {data.sha256[:12]}" if data.sha256 else ""
    return f"{data.name}, {data.split}{checksum}"


def _wall(rows: Sequence[Row | BenchRow]) -> str:
    seconds = [row.wall_s for row in rows if isinstance(row, Row) and row.wall_s is not None]
    if not seconds:
        return ""
    total = sum(seconds)
    return f", {total:.0f} s in all" if total < 600 else f", {total / 60:.0f} min in all"


def _distinct(texts: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))

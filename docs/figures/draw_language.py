"""Pictures of comparisons: every row beside its baselines, and how the rows learnt.

    python docs/figures/draw_language.py

Draws language-*.png beside itself from results/language-*.json.
"""

import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from memnets.experiments.comparison import LOOKS
from memnets.experiments.tables import MINUS
from memnets.report import plots
from memnets.results import Row, Table, read, results_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREEN, PURPLE, SKY, BLACK = "#009E73", "#CC79A7", "#56B4E9", "#000000"
COLOURS = (plots.BLUE, plots.RED, plots.ORANGE, GREEN, PURPLE, SKY, BLACK)
DASHES: tuple[tuple[int, tuple[int, ...]], ...] = (
    (0, ()),
    (0, (6, 2)),
    (0, (2, 2)),
    (0, (6, 2, 1, 2)),
    (0, (1, 1)),
    (0, (9, 3)),
    (0, (3, 1, 1, 1)),
)
"""Colour and dashes of each curve, in order."""
MILLION = 1e6


def compared(table: Table) -> list[Row]:
    """Return the rows that were measured, without those that are differences of two.

    Raises:
        ValueError: nothing was run yet.
    """
    rows = [row for row in table.rows if MINUS not in row.row and row.measured is not None]
    if not rows:
        raise ValueError(f"{table.file_name}: no row was run yet. Let {table.command!r} run.")
    return rows


def baselines(table: Table) -> list[str]:
    """Return the names of the rows that others are compared with."""
    return list(
        dict.fromkeys(row.row.partition(MINUS)[2] for row in table.rows if MINUS in row.row)
    )


def rows_with_seeds(table: Table) -> "Figure":
    """Draw the mean of every row, its seeds as rings, and a line down from each baseline.

    Raises:
        ValueError: nothing was run yet.
    """
    from matplotlib.figure import Figure

    rows = compared(table)
    figure = Figure(figsize=(6.5, plots.LINE * len(rows) + 0.6))
    axes = figure.subplots()
    plots.plain_axes(axes, grid="x")
    means = {row.row: statistics.fmean(row.values) for row in rows}
    for place, row in enumerate(rows):
        axes.plot(row.values, [place] * len(row.values), "o", color=plots.BLUE, fillstyle="none")
        axes.plot(means[row.row], place, "|", color=plots.BLUE, markersize=13, markeredgewidth=2.5)
    known = [name for name in baselines(table) if name in means]
    for name, colour, dashes in zip(known, (plots.GREY, plots.RED), DASHES[1:], strict=False):
        axes.axvline(means[name], color=colour, linewidth=1, linestyle=dashes, label=name)
    if known:
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=len(known), frameon=False, fontsize=9
        )
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels([_name(row) for row in rows], fontsize=9, parse_math=False)
    axes.set_xlabel(f"{rows[0].metric}   ← better", fontsize=9)
    return figure


def _name(row: Row) -> str:
    return row.row if row.status == "done" else f"{row.row} ({row.status})"


def training(table: Table) -> "Figure":
    """Draw the quick looks of every row over the symbols learnt from.

    Raises:
        ValueError: the table has no such curve.
    """
    from matplotlib.figure import Figure

    curves = [series for series in table.series if series.name.endswith(LOOKS)]
    if not curves:
        raise ValueError(
            f"{table.file_name}: it has no curve named 'ROW{LOOKS}'. Let {table.command!r} write "
            f"it anew, with the run folders at hand."
        )
    figure = Figure(figsize=(5.0, 3.4))
    axes = figure.subplots()
    plots.plain_axes(axes)
    for curve, colour, dashes in zip(curves, COLOURS, DASHES, strict=False):
        symbols = [x / MILLION for x in curve.x]
        label = curve.name.removesuffix(LOOKS)
        axes.plot(symbols, curve.y, color=colour, linestyle=dashes, linewidth=1.6, label=label)
    axes.set_xlim(left=0)
    axes.set_xlabel("symbols learnt from (millions)")
    axes.set_ylabel("bits, quick look at valid")
    # Beside the curves, which leave no corner free.
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9)
    return figure


@dataclass(frozen=True)
class Draw:
    """Draw the pictures of comparisons of language models from the results."""

    results: Path = field(default_factory=results_folder)
    """Folder of the results' JSON files."""
    out: Path = Path(__file__).parent
    """Folder of the pictures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw what was run of every table that is there, and print where it is."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_language.py")
    for path in sorted(options.results.glob("language-*.json")):
        table = read(path)
        assert isinstance(table, Table)
        for name, figure in _pictures(table):
            plots.save(figure, options.out / f"{name}.png")
            print(options.out / f"{name}.png")
    return 0


def _pictures(table: Table) -> "Iterator[tuple[str, Figure]]":
    if any(row.measured is not None for row in table.rows):
        yield table.name, rows_with_seeds(table)
    if table.series:
        yield f"{table.name}-training", training(table)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"memnets: {error}")

"""Pictures of recall: how far back a memory of zones reaches, and what choosing zones costs.

    python docs/figures/draw_recall.py

Draws recall-*.png beside itself from results/recall-*.json.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import tyro

from memnets.report import plots
from memnets.results import Series, Table, read, results_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREEN, PURPLE = "#009E73", "#CC79A7"
LOOKS = (
    (plots.BLUE, "-", "o"),
    (plots.RED, "--", "s"),
    (plots.ORANGE, "-.", "^"),
    (GREEN, ":", "D"),
    (PURPLE, (0, (5, 1)), "v"),
)
"""Colour, line and marker of each curve, in order."""


class Reach(NamedTuple):
    """How far back a memory of zones and a window of training go."""

    zones: int
    slots: int
    window: int

    @property
    def surely(self) -> int:
        """What was told so many steps ago is always readable, (N - 1) L."""
        return (self.zones - 1) * self.slots

    @property
    def at_most(self) -> int:
        """What was told longer ago never is, N L."""
        return self.zones * self.slots


def reach(table: Table, row: str) -> Reach:
    """Return how far back the run of a row goes.

    Raises:
        ValueError: it has no memory of zones.
    """
    config = table.config.get(row, {})
    core = config.get("core", {})
    if "zones" not in core:
        raise ValueError(
            f"{table.file_name}: {row!r} has no memory of zones; its config has {sorted(config)}. "
            f"Name a row of CRAN first."
        )
    return Reach(core["zones"], core["slots"], config["data"]["window"])


def by_lag(table: Table, kind: str, rows: Sequence[str]) -> "Figure":
    """Draw accuracy over the lag, with the interval of every mean.

    Args:
        table: whose series are named `ROW, KIND`.
        kind: "recall", as in training, or "cliff", where each write is asked for once.
        rows: which; the memory of the first is drawn in.

    Raises:
        ValueError: the table has no such curve, or the first row has no memory of zones.
    """
    from matplotlib.figure import Figure

    curves = [_curve(table, f"{row}, {kind}") for row in rows]
    chance = 100 / table.config[rows[0]]["data"]["values"]
    figure = Figure(figsize=(6.5, 3.2))
    axes = figure.subplots()
    for row, curve, look in zip(rows, curves, LOOKS, strict=False):
        _draw(axes, row, curve, look)
    longest = max(curve.x[-1] for curve in curves)
    _limits(axes, reach(table, rows[0]), longest)
    _chance(axes, chance)
    axes.set(ylim=(0, 103), xlim=(0, longest))
    axes.set_xlabel("steps from the write to the question")
    _finish(axes)
    return figure


def by_age(table: Table, rows: Sequence[str]) -> "Figure":
    """Draw accuracy over the steps since the memory was empty.

    Raises:
        ValueError: the table has no such curve.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 3.2))
    axes = figure.subplots()
    for row, look in zip(rows, LOOKS, strict=False):
        _draw(axes, row, _curve(table, f"{row}, young"), look)
    _chance(axes, 100 / table.config[rows[0]]["data"]["values"])
    axes.set(ylim=(0, 103), xlim=(0, None))
    axes.set_xlabel("steps since the memory was empty")
    _finish(axes)
    return figure


def _curve(table: Table, name: str) -> Series:
    for series in table.series:
        if series.name == name:
            return series
    known = ", ".join(repr(series.name) for series in table.series) or "none"
    raise ValueError(
        f"{table.file_name}: there is no curve {name!r}; it has {known}. "
        f"Let the table's command run that row."
    )


def _draw(axes: "Axes", label: str, curve: Series, look: tuple[str, object, str]) -> None:
    colour, line, _ = look
    axes.plot(curve.x, curve.y, linestyle=line, color=colour, linewidth=1.8, label=label)
    if curve.spread is not None:
        pairs = list(zip(curve.y, curve.spread, strict=True))
        low = [max(0.0, y - half) for y, half in pairs]
        high = [min(100.0, y + half) for y, half in pairs]
        axes.fill_between(curve.x, low, high, color=colour, alpha=0.15, linewidth=0)


def _limits(axes: "Axes", reach: Reach, longest: float) -> None:
    places = (
        (reach.window, "window ", "right"),
        (reach.surely, "(N − 1) L ", "right"),
        (reach.at_most, " N L", "left"),
    )
    for place, words, side in places:
        if place > longest:
            continue
        axes.axvline(place, color=plots.GREY, linewidth=0.8, linestyle=":")
        axes.annotate(
            words,
            (place, 1),
            (0, 2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha=side,
            fontsize=8,
            color=plots.GREY,
        )


def _chance(axes: "Axes", chance: float) -> None:
    axes.axhline(chance, color=plots.GREY, linewidth=0.8, linestyle=":")
    axes.annotate(
        "chance",
        (1, chance),
        (4, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=plots.GREY,
    )


def _finish(axes: "Axes") -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylabel("questions right (%)")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.08), ncols=3, frameon=False, fontsize=9)


CHOICE = re.compile(
    r"(?P<kept>\d+) of (?P<zones>\d+) zones of (?P<slots>\d+)(?P<random>, at random)?"
)


def choosing(table: Table) -> "Figure":
    """Draw accuracy over the share of the zones that is read, chosen by key or at random.

    Raises:
        ValueError: no row is named `K of N zones of L` and was run.
    """
    from matplotlib.figure import Figure

    lines: dict[str, list[tuple[int, float, float]]] = {}
    for row in table.rows:
        found = CHOICE.fullmatch(row.row)
        if found is not None and row.measured is not None:
            words = f"N = {found['zones']}, L = {found['slots']}{found['random'] or ''}"
            lines.setdefault(words, []).append((int(found["kept"]), row.measured, row.spread or 0))
    if not lines:
        raise ValueError(
            f"{table.file_name}: no row that was run is named 'K of N zones of L'. "
            f"Let the table's command run."
        )
    figure = Figure(figsize=(6.5, 3.2))
    axes = figure.subplots()
    for (words, points), (colour, line, marker) in zip(lines.items(), LOOKS, strict=False):
        kept, right, spread = zip(*sorted(points), strict=True)
        axes.errorbar(
            kept, right, spread, linestyle=line, color=colour, marker=marker, capsize=2, label=words
        )
    axes.set_xscale("log", base=2)
    ticks = sorted({kept for points in lines.values() for kept, *_ in points})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_ylim(0, 103)
    axes.set_xlabel("zones read at a step, k")
    _finish(axes)
    return figure


DRAWN = ("CRAN", "CRAN, query 1.1, keys as written", "LSTM")
"""The rows whose curves stand in one picture, as far as they were run."""


def _drawn(table: Table, kind: str) -> list[str]:
    known = {series.name for series in table.series}
    return [row for row in DRAWN if f"{row}, {kind}" in known]


@dataclass(frozen=True)
class Draw:
    """Draw the pictures of recall from the results."""

    results: Path = field(default_factory=results_folder)
    """Folder of the results' JSON files."""
    out: Path = Path(__file__).parent
    """Folder of the pictures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw every picture whose result is there, and print where it is."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_recall.py")
    stream, long, choices = (
        read(path) if (path := options.results / f"recall-{name}.json").exists() else None
        for name in ("stream", "long", "choosing")
    )
    pictures: dict[str, Figure] = {}
    for table, name in ((stream, "recall"), (long, "recall-long")):
        for kind, picture in (("recall", "lags"), ("cliff", "cliff")):
            if isinstance(table, Table) and (rows := _drawn(table, kind)):
                pictures[f"{name}-{picture}"] = by_lag(table, kind, rows)
        if isinstance(table, Table) and (rows := _drawn(table, "young")):
            pictures[f"{name}-young"] = by_age(table, rows)
    if isinstance(choices, Table) and any(row.measured is not None for row in choices.rows):
        pictures["recall-choosing"] = choosing(choices)
    for name, figure in pictures.items():
        plots.save(figure, options.out / f"{name}.png")
        print(options.out / f"{name}.png")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"memnets: {error}")

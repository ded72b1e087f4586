"""Pictures for papers and pages. Needs memnets[plot]; no global state of matplotlib is touched.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; no picture says anything
by colour alone. Texts are shown as they are: a `$` in a story starts no formula.
"""

import io
import statistics
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memnets.evidence import Answer
from memnets.evidence.heat import HeatMap, heat_map, left_out, visible
from memnets.files import write_bytes
from memnets.report.logs import METRICS, SPLITS, called, curve, is_wide, phases
from memnets.report.tables import number, verdict
from memnets.report.tasks import TaskScore
from memnets.results import Row, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, RED, GREY = "#0072B2", "#E69F00", "#D55E00", "#767676"
RED_TEXT = "#C04A00"
"""Of texts, which are thinner than lines and marks."""
DARK = 0.755
"""From this weight on a cell is so dark that its figure is set in white."""
LINES = ((BLUE, "-"), (ORANGE, "--"), (RED, "-."))
"""Colour and line of each split of a log."""
DPI = 160
LINE = 0.26
"""Height of a line of text in inches."""
WRAP = 64
"""Characters of a sentence in a line."""


def save(figure: "Figure", path: Path) -> None:
    """Write a picture, atomically, with all its text inside; the suffix names the format."""
    buffer = io.BytesIO()
    figure.savefig(
        buffer,
        format=path.suffix[1:],
        dpi=DPI,
        bbox_inches="tight",
        pad_inches=0.15,
        facecolor="white",
    )
    write_bytes(path, buffer.getvalue())


def evidence(answer: Answer) -> "Figure":
    """Draw which sentences every step read, and how much of each."""
    heat = heat_map(answer.steps)
    labels = [textwrap.wrap(f"{'★ ' if row.gold else ''}{row.text}", WRAP) for row in heat.rows]
    heights = [max(1, len(lines)) for lines in labels]
    width = 0.9 * max(1, len(heat.columns))
    figure = _figure(width, LINE * (sum(heights) + 1))
    axes = figure.add_axes((0, 0, 1, 1))
    top = 0
    for row, lines, height in zip(heat.rows, labels, heights, strict=True):
        _draw_row(axes, row.weights, top, height)
        weight = "bold" if row.gold else "normal"
        axes.text(
            -0.1,
            top + height / 2,
            "\n".join(lines),
            ha="right",
            va="center",
            fontsize=9,
            fontweight=weight,
            parse_math=False,
        )
        top += height
    axes.set(xlim=(0, max(1, len(heat.columns))), ylim=(max(1, top), 0))
    axes.set_yticks([])
    axes.set_xticks([column + 0.5 for column in range(len(heat.columns))])
    axes.set_xticklabels(heat.columns, fontsize=9, parse_math=False)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    _title_evidence(axes, answer, heat)
    return figure


def _draw_row(axes: "Axes", weights: Sequence[float], top: int, height: int) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    for column, weight in enumerate(weights):
        depth = min(1.0, abs(weight))
        axes.add_patch(
            Rectangle(
                (column, top),
                1,
                height,
                facecolor=colormaps["Blues"](0.95 * depth),
                edgecolor="white",
                linewidth=1.5,
            )
        )
        axes.text(
            column + 0.5,
            top + height / 2,
            f"{weight:.2f}",
            ha="center",
            va="center",
            fontsize=9,
            color="white" if depth > DARK else "black",
        )


def _title_evidence(axes: "Axes", answer: Answer, heat: HeatMap) -> None:
    colour = {True: BLUE, False: RED_TEXT, None: "black"}[answer.correct]
    lines = textwrap.wrap(visible(answer.question), WRAP)
    axes.annotate(
        "\n".join(lines),
        (0, 1),
        (-4, 44),
        xycoords="axes fraction",
        ha="center",
        textcoords="offset points",
        fontsize=11,
        fontweight="bold",
        parse_math=False,
    )
    axes.annotate(
        answer.in_words,
        (0, 1),
        (-4, 26),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="center",
        fontsize=10,
        color=colour,
        parse_math=False,
    )
    notes = ["★ gold evidence"] if any(row.gold for row in heat.rows) else []
    notes += [left_out(heat.left_out)] if heat.left_out else []
    axes.annotate(
        "; ".join(notes),
        (0, 0),
        (-4, -14),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=GREY,
    )


def learning_curves(log: Sequence[Mapping[str, Any]]) -> "Figure":
    """Draw what the log tells over the updates, split by split, phase by phase; a panel a metric.

    The panel of the loss is drawn even where the log is empty.
    """
    told = [metric for metric in METRICS if any(curve(log, split, metric)[0] for split in SPLITS)]
    metrics = told or METRICS[:1]
    figure = _figure(4.5 * len(metrics), 3.4)
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    figure.subplots_adjust(wspace=0.25)
    for axes, metric in zip(panels, metrics, strict=True):
        plain_axes(axes)
        for split, (colour, style) in zip(SPLITS, LINES, strict=True):
            x, y = curve(log, split, metric)
            if x:
                axes.plot(
                    x,
                    y,
                    style,
                    color=colour,
                    linewidth=1.8,
                    label=called(log, split, metric),
                    marker="o" if len(x) < 20 else None,
                    markersize=4,
                )
        for place, (update, phase) in enumerate(phases(log)):
            axes.axvline(update, color=GREY, linewidth=0.8, linestyle=":")
            axes.annotate(
                phase,
                (update, 1),
                (2, 3 + 11 * (place % 2)),  # on two lines, so that none covers its neighbour
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                fontsize=8,
                color=GREY,
                parse_math=False,
            )
        axes.set_xlabel("update")
        axes.set_xlim(left=0)
        axes.set_ylabel(metric)
        if is_wide([y for split in SPLITS for y in curve(log, split, metric)[1]]):
            axes.set_yscale("log")
        if axes.lines and any(not line.get_label().startswith("_") for line in axes.lines):
            axes.legend(frameon=False)
    return figure


def published_against_measured(table: Table) -> "Figure":
    """Draw every measured figure beside the published one, a panel a unit; misses stand out."""
    units = list(dict.fromkeys((row.unit, row.better) for row in table.rows))
    groups = [[row for row in table.rows if (row.unit, row.better) == unit] for unit in units]
    heights = [LINE * len(group) + 0.2 for group in groups]
    between = 0.65
    figure = _figure(6.5, sum(heights) + between * (len(groups) - 1))
    panels = figure.subplots(len(groups), 1, squeeze=False, height_ratios=heights)[:, 0]
    mean = sum(heights) / len(heights)
    figure.subplots_adjust(left=0, right=1, top=1, bottom=0, hspace=between / mean)
    for axes, group in zip(panels, groups, strict=True):
        _draw_group(axes, group)
    _legend_of_pairs(panels[0], table.name)
    return figure


def _draw_group(axes: "Axes", rows: Sequence[Row]) -> None:
    plain_axes(axes, grid="x")
    for place, row in enumerate(rows):
        _draw_pair(axes, row, place)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    if axes.get_xlim()[0] > 0:
        axes.set_xlim(left=0)  # or the smallest gap would fill the panel
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels([row.row for row in rows], fontsize=9, parse_math=False)
    better = "← better" if rows[0].better == "lower" else "better →"
    metrics = ", ".join(dict.fromkeys(row.metric for row in rows))
    unit = f" ({rows[0].unit})" if rows[0].unit else ""
    axes.set_xlabel(f"{metrics}{unit}   {better}", fontsize=9, parse_math=False)


def _draw_pair(axes: "Axes", row: Row, place: int) -> None:
    colour = RED if row.reached is False else BLUE
    if row.published is not None and row.measured is not None:
        axes.plot([row.published, row.measured], [place, place], color=colour, linewidth=1.5)
    if row.published is not None:
        axes.plot(
            row.published,
            place,
            "o",
            markersize=8,
            markerfacecolor="white",
            markeredgecolor="black",
        )
    if row.measured is not None:
        marker = "X" if row.reached is False else "o"
        axes.plot(row.measured, place, marker, markersize=6, color=colour)
        # The spread is that of all runs: where one was chosen it lies about their mean.
        mean = statistics.fmean(row.values)
        axes.errorbar(
            mean, place, xerr=row.spread, fmt="none", ecolor=colour, elinewidth=1, capsize=2
        )
    word = verdict(row)
    if word.startswith(("missed", "not run", "partial")):
        words = f"{number(row.measured, row.unit)} {word}" if row.measured is not None else word
        axes.annotate(
            words,
            (1, place),
            (6, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=GREY if row.measured is None else RED_TEXT if colour == RED else colour,
        )


def _legend_of_pairs(axes: "Axes", name: str) -> None:
    for label, marker, face, edge in (
        ("published", "o", "white", "black"),
        ("measured", "o", BLUE, BLUE),
        ("measured, missed", "X", RED, RED),
    ):
        axes.plot([], [], marker, markerfacecolor=face, markeredgecolor=edge, label=label)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, fontsize=9)
    axes.annotate(
        name,
        (0, 1),
        (0, 30),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=11,
        fontweight="bold",
        parse_math=False,
    )


def accuracy_and_evidence(scores: Sequence[TaskScore]) -> "Figure":
    """Draw, for every task, how often the answer is right and all its supports are read."""
    figure = _figure(6.5, 0.42 * len(scores) + 0.5)
    axes = figure.subplots()
    plain_axes(axes, grid="x")
    bars = (
        ("answered rightly", -0.2, BLUE, "", [score.accuracy for score in scores]),
        ("all supports read", 0.2, ORANGE, "///", [s.supports_read for s in scores]),
    )
    for label, shift, colour, hatch, shares in bars:
        axes.barh(
            [place + shift for place in range(len(scores))],
            [100 * (share or 0) for share in shares],
            height=0.38,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            label=label,
        )
        for place, share in enumerate(shares):
            words = "unknown" if share is None else f"{share:.1%}"
            axes.annotate(
                words,
                (100 * (share or 0), place + shift),
                (3, 0),
                va="center",
                textcoords="offset points",
                fontsize=7.5,
            )
    axes.set(xlim=(0, 100), ylim=(len(scores) - 0.4, -0.6))
    axes.set_yticks(range(len(scores)))
    axes.set_yticklabels([score.task for score in scores], fontsize=9, parse_math=False)
    axes.set_xlabel("share of questions (%)")
    axes.set_ylabel("task")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, frameon=False, fontsize=9)
    return figure


def plain_axes(axes: "Axes", grid: Literal["x", "y"] = "y") -> None:
    """Leave an axis system two of its sides, and draw faint lines across one axis."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def _figure(width: float, height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ImportError(
            "pictures need matplotlib, which is not installed. Run: pip install 'memnets[plot]'"
        ) from None
    return Figure(figsize=(width, height))

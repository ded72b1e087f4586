"""Pictures of answers about points, for papers and slides. Needs memnets[plot]."""

from typing import TYPE_CHECKING

from memnets.evidence import PointsAnswer
from memnets.report.plots import BLUE, GREY, ORANGE, RED_TEXT, _figure, plain_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def points_plot(answer: PointsAnswer) -> "Figure":
    """Draw what was chosen, and faintly what was weighed beside it; numbers are the points'."""
    figure = _figure(4.2, 4.2)
    draw_points(figure.subplots(), answer)
    return figure


def draw_points(axes: "Axes", answer: PointsAnswer) -> None:
    """Draw an answer about points into a panel."""
    plain_axes(axes)
    places = answer.drawn
    for line in answer.lines:
        (x1, y1), (x2, y2) = places[line.start], places[line.end]
        opacity = 0.25 + 0.75 * line.weight if line.chosen else line.weight
        axes.plot(
            [x1, x2],
            [y1, y2],
            "-" if line.chosen else "--",
            color=BLUE if line.chosen else ORANGE,
            linewidth=2 if line.chosen else 1,
            alpha=min(1.0, opacity),
        )
    axes.plot(*zip(*places, strict=True), "o", color="black", markersize=4)
    for number, place in enumerate(places, start=1):
        axes.annotate(str(number), place, (4, 4), textcoords="offset points", fontsize=8)
    if answer.shape == "order":
        axes.set(xlabel="number", ylabel="place that it was given")
    else:
        axes.set_aspect("equal")
    colour = {True: BLUE, False: RED_TEXT, None: "black"}[answer.correct]
    axes.set_title(answer.question, fontsize=10, parse_math=False)
    axes.annotate(
        answer.in_words,
        (0.5, 0),
        (0, -34),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=colour,
        parse_math=False,
        wrap=True,
    )
    axes.tick_params(labelsize=8, colors=GREY)

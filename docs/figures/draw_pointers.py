"""A picture of trained pointer networks: a hull, a triangulation and a tour of points never seen.

    memnets reproduce pointers-hull --runs RUNS
    memnets reproduce pointers-tasks --runs RUNS
    python docs/figures/draw_pointers.py RUNS

Draws pointers.png beside itself: what the first run of three rows says of the first test set of
its size. Lines are the fainter the less sure a choice was; broken ones were weighed and not chosen.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from matplotlib.figure import Figure

from memnets import load
from memnets.evidence import PointsAnswer
from memnets.report import plots
from memnets.report.points import draw_points
from memnets.studies.pointers.recipes import PointsAnswerer

ROWS = (
    "pointers-hull/pointer-n-10/0",
    "pointers-tasks/delaunay-n-5/0",
    "pointers-tasks/tour-n-10/0",
)


@dataclass(frozen=True)
class Draw:
    """Draw what trained pointer networks say."""

    runs: tyro.conf.Positional[Path]
    """Folder with the folders of both tables' runs."""
    pictures: Path = Path(__file__).parent
    """Where the picture goes."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the picture."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_pointers.py")
    found = []
    for row in ROWS:
        if not (options.runs / row / "result.json").is_file():
            sys.exit(f"{options.runs / row}: no finished run. Run both tables first.")
        answerer = load(options.runs / row)
        assert isinstance(answerer, PointsAnswerer)
        answer = next(answerer.examples("test", 1))
        assert isinstance(answer, PointsAnswer)
        found.append(answer)
    figure = Figure(figsize=(12, 4.6))
    for axes, answer in zip(figure.subplots(1, len(found)), found, strict=True):
        draw_points(axes, answer)
    figure.subplots_adjust(left=0.04, right=0.98, bottom=0.16, top=0.92, wspace=0.16)
    plots.save(figure, options.pictures / "pointers.png")


if __name__ == "__main__":
    main()

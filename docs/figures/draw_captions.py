"""Pictures of trained tellers: where each word of a caption looked.

    memnets reproduce captions --runs RUNS
    python docs/figures/draw_captions.py RUNS/captions

Draws captions-shapes.png and captions-digits.png beside itself: one picture of the test split for
all rows of the table, a row of the drawing for each, a column for each word. It is the first
picture that all of them tell right.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from memnets import load
from memnets.evidence import Answer
from memnets.experiments.jobs import slug
from memnets.report import plots
from memnets.report.gallery import draw_region

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = {
    "captions-shapes": ("soft", "soft, no gate", "soft, penalty", "hard"),
    "captions-digits": ("digits, soft", "digits, soft, penalty"),
}
LOOKED_AT = 200
"""Pictures among which one is sought that all tell right."""
CELL = 1.15
"""Inches of a picture's side."""


@dataclass(frozen=True)
class Draw:
    """Draw where trained tellers of pictures looked."""

    runs: tyro.conf.Positional[Path]
    """Folder with the runs of the table."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures whose rows have their first run."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_captions.py")
    for name, rows in SHOWN.items():
        folders = {row: options.runs / slug(row) / "0" for row in rows}
        missing = [path for path in folders.values() if not (path / "result.json").is_file()]
        if missing:
            sys.exit(f"{missing[0]}: no finished run. Run: memnets reproduce captions")
        told = {row: list(islice(_test(path), LOOKED_AT)) for row, path in folders.items()}
        plots.save(picture(first_right(told)), options.pictures / f"{name}.png")


def _test(folder: Path) -> "Sequence[Answer]":
    answerer = load(folder)
    return answerer.examples("test", 1)  # type: ignore[union-attr, return-value]


def first_right(told: Mapping[str, Sequence[Answer]]) -> dict[str, Answer]:
    """Return what each row said of the first picture that all tell right; else of the first."""
    for answers in zip(*told.values(), strict=True):
        if all(answer.correct for answer in answers):
            return dict(zip(told, answers, strict=True))
    return {row: answers[0] for row, answers in told.items()}


def picture(told: Mapping[str, Answer]) -> "Figure":
    """Draw a row for each teller: the picture, and once more for each word."""
    from matplotlib.figure import Figure

    words = max(len(answer.regions.names) for answer in told.values() if answer.regions)
    figure = Figure(figsize=(CELL * (words + 1), (CELL + 0.28) * len(told)))
    panels = figure.subplots(len(told), words + 1, squeeze=False)
    for row, (name, answer) in zip(panels, told.items(), strict=True):
        assert answer.regions is not None
        for number, axes in enumerate(row):
            axes.set_axis_off()
            if number <= len(answer.regions.names):
                draw_region(axes, answer.regions, number - 1)
        row[0].set_title(name, fontsize=9, pad=3)
    figure.subplots_adjust(0.005, 0.005, 0.995, 0.94, 0.04, 0.2)
    return figure


if __name__ == "__main__":
    main()

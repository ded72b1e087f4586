"""Pictures of trained translators: what each reads for the words of one translation.

    memnets reproduce translation-attention --runs RUNS
    python docs/figures/draw_translation.py RUNS/translation-attention

Draws translation-aligns.png beside itself: a matrix for each row of the table that reads, the
target's words down, the source's across, dark where a word was read. The right translation was
given, so that all matrices are of the same words. And translation-length.png, from the results of
the table: BLEU by the length of the source, of the rows with several runs.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from memnets import load
from memnets.evidence import Alignment
from memnets.experiments.jobs import slug
from memnets.experiments.seeds import SeedsTable
from memnets.report import plots
from memnets.report.recall import STYLES
from memnets.results import Series, Table, read, results_folder
from memnets.studies import table
from memnets.studies.translation.recipes import TranslationAnswerer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE = "translation-attention"
SOURCE = "Ein kleiner Junge, der ein rotes Hemd trägt, wirft einen Ball."
TARGET = "A little boy wearing a red shirt throws a ball."
"""The verb goes from the end of a clause to its middle: off the diagonal."""
ACROSS = 4


@dataclass(frozen=True)
class Draw:
    """Draw what trained translators read."""

    runs: tyro.conf.Positional[Path]
    """Folder with the runs of the table."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""
    results: Path = field(default_factory=results_folder)
    """Where the results of the table are."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the picture of all rows whose first run is finished."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_translation.py")
    planned, found = table(TABLE), {}
    assert isinstance(planned, SeedsTable)
    for entry in planned.entries:
        folder = options.runs / slug(entry.row) / "0"
        if entry.run.model.reads and (folder / "result.json").is_file():
            answerer = load(folder)
            assert isinstance(answerer, TranslationAnswerer)
            found[entry.row] = answerer.align(SOURCE, TARGET)
    if not found:
        sys.exit(f"{options.runs}: no finished run. Run: memnets reproduce {TABLE}")
    plots.save(picture(found), options.pictures / "translation-aligns.png")
    measured = read(options.results / f"{TABLE}.json")
    assert isinstance(measured, Table)
    plots.save(by_length(measured.series), options.pictures / "translation-length.png")


def picture(found: Mapping[str, Alignment]) -> "Figure":
    """Draw a matrix for each model, as many beside each other as fit a page."""
    from matplotlib.figure import Figure

    down = -(-len(found) // ACROSS)
    figure = Figure(figsize=(3.1 * ACROSS, 2.9 * down))
    panels = figure.subplots(down, ACROSS, squeeze=False)
    for place, (axes, name) in enumerate(zip(panels.flat, found, strict=False)):
        one = found[name]
        axes.imshow(one.weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
        axes.set_title(name, fontsize=10, loc="left")
        axes.set_xticks(range(len(one.source)), one.source, fontsize=7, rotation=90)
        first = place % ACROSS == 0
        axes.set_yticks(range(len(one.said)), one.said if first else [""] * len(one.said))
        axes.tick_params(labelsize=7, length=0)
    for axes in panels.flat[len(found) :]:
        axes.set_visible(False)
    figure.subplots_adjust(wspace=0.08, hspace=0.62)
    return figure


def by_length(curves: Sequence[Series]) -> "Figure":
    """Draw BLEU over the words of the source, with the interval of several runs."""
    figure = plots._figure(6.4, 3.2)
    axes = figure.subplots()
    several = [curve for curve in curves if curve.spread and all(curve.spread)]
    for curve, (colour, style) in zip(several, STYLES, strict=False):
        axes.plot(curve.x, curve.y, style, color=colour, markersize=4, label=curve.name)
        pairs = list(zip(curve.y, curve.spread or (), strict=True))
        low, high = ([y + sign * half for y, half in pairs] for sign in (-1, 1))
        axes.fill_between(curve.x, low, high, color=colour, alpha=0.18, linewidth=0)
    plots.plain_axes(axes)
    axes.set(ylim=0, xlabel="words of the source, at least", ylabel="BLEU")
    axes.legend(frameon=False, fontsize=8)
    return figure


if __name__ == "__main__":
    main()

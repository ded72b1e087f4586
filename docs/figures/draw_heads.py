"""A picture of trained transducers: the soft parents of the words of one expression.

    memnets reproduce structured-attention --runs RUNS
    python docs/figures/draw_heads.py RUNS/structured-attention

Draws heads-learnt.png beside itself: a matrix for each kind of heads, of the run that validation
would choose, words down, what they read across, dark where it was read. Framed: the operator that a
word belongs to.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import tyro
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from memnets import load
from memnets.experiments.jobs import slug
from memnets.files import read_json
from memnets.report import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXPRESSION = "( * ( + 8 7 14 ) ( * ( + 11 3 ) 5 ) 8 )"
ROWS = ("trees, simple", "trees, non-projective", "trees, projective")


@dataclass(frozen=True)
class Draw:
    """Draw what words read of each other."""

    runs: tyro.conf.Positional[Path]
    """Folder with the runs of the table."""
    pictures: Path = Path(__file__).parent
    """Where the picture goes."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the picture."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_heads.py")
    figure = Figure(figsize=(13, 4.9), layout="constrained")
    for axes, row in zip(figure.subplots(1, len(ROWS)), ROWS, strict=True):
        answer = load(_chosen(options.runs / slug(row))).ask(EXPRESSION)
        steps = [step for step in answer.steps if step.name.startswith("head of ")]
        weights = [[support.weight for support in step.supports] for step in steps]
        _draw(axes, torch.tensor(weights), row.removeprefix("trees, "))
    plots.save(figure, options.pictures / "heads-learnt.png")


def _chosen(row: Path) -> Path:
    """Return the run of a row with the lowest validation loss."""
    results = {read_json(one)["metrics"]["valid"]["loss"]: one for one in row.glob("*/result.json")}
    if not results:
        sys.exit(f"{row}: no finished run. Run: memnets reproduce structured-attention")
    return results[min(results)].parent


def parents(words: Sequence[str]) -> list[int]:
    """Return for each word the place of the operator that it belongs to, -1 for the outermost."""
    found, open_ones = [], [-1]
    for place, word in enumerate(words):
        if word == "(":
            found.append(open_ones[-1])
            open_ones.append(place + 1)
        elif word == ")":
            found.append(open_ones.pop())
        else:
            found.append(open_ones[-2] if place == open_ones[-1] else open_ones[-1])
    return found


def _draw(axes: "Axes", weights: torch.Tensor, name: str) -> None:
    words = EXPRESSION.split()
    places = range(len(words))
    axes.imshow(weights, cmap="Blues", vmin=0.0, vmax=1.0)
    for word, parent in enumerate(parents(words)):
        if parent >= 0:
            axes.add_patch(Rectangle((parent - 0.5, word - 0.5), 1, 1, fill=False, linewidth=1))
    axes.set_title(name, fontsize=11, loc="left")
    axes.set_xticks(places, words, fontsize=8)
    axes.set_yticks(places, words, fontsize=8)
    axes.tick_params(length=0)


if __name__ == "__main__":
    main()

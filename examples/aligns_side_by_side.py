"""Every align over the same scores: what each takes of each slot, in one picture.

    python examples/aligns_side_by_side.py

draws docs/figures/aligns.png. Twelve slots stand in a row; one of them may not be read. What an
align needs besides the scores is in `CONTEXT`.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
import tyro
from torch import Tensor

from memnets.attention import (
    Align,
    AlignContext,
    Argmax,
    ClippedMonotonic,
    Entmax,
    Entmax15,
    ExactlyK,
    GumbelStraightThrough,
    HardMonotonic,
    Identity,
    LinearChain,
    LocalM,
    LocalP,
    Monotonic,
    NormalisedLocalP,
    PaddedSoftmax,
    Sampled,
    Segments,
    Sigmoid,
    Smoothing,
    Softmax,
    Sparsemax,
    StraightThroughArgmax,
    TopK,
    TopKOfSoftmax,
)
from memnets.report.plots import BLUE, GREY, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCORES = torch.tensor([[0.5, 1.2, 2.4, 1.4, -0.6, 2.6, 1.8, 3.0, 3.6, 0.9, 2.0, -1.5]])
SLOTS = SCORES.shape[-1]
HIDDEN = 8
"""The slot that may not be read."""
MASK = torch.arange(SLOTS).unsqueeze(0) != HIDDEN
STEP, STOPPED, CENTRE = 4, 1, 5.3
"""The step of local-m, where the step before stopped, and the place that local-p predicts."""
CONTEXT = AlignContext(
    query=torch.ones(1, 1),
    positions=torch.arange(SLOTS),
    length=SLOTS,
    step=STEP,
    previous=(torch.arange(SLOTS) == STOPPED).float().unsqueeze(0),
)
DRAW = 4
"""Seed of what is drawn."""
LABELS = -0.7
"""Where the labels end, in slots."""
HEADING = 0.9
"""Height of a group's heading, in lines."""


@dataclass(frozen=True)
class Options:
    """Draw what every align takes of the same slots."""

    picture: Path = Path(__file__).parents[1] / "docs" / "figures" / "aligns.png"


class Line(NamedTuple):
    """One align of the picture."""

    label: str
    align: Align


def main() -> None:
    """Draw the picture."""
    options = tyro.cli(Options, description=__doc__)
    save(picture(groups()), options.picture)
    print(options.picture)


def groups() -> dict[str, list[Line]]:
    """Return every align of the package, those that are alike together."""
    stop_or_go, together = Monotonic(bias=-1.5), LinearChain(stay=1.0)
    return {
        "all, in proportion": [
            Line("Softmax()", Softmax()),
            Line("PaddedSoftmax(slots=30)", PaddedSoftmax(slots=30)),
            Line("Smoothing()", Smoothing()),
            Line("Sigmoid()", Sigmoid()),
            Line("Identity()", Identity()),
        ],
        "nothing of the low": [
            Line("Entmax(alpha=1.2)", Entmax(alpha=1.2)),
            Line("Entmax15()", Entmax15()),
            Line("Sparsemax()", Sparsemax()),
            Line("TopK(k=3)", TopK(k=3)),
            Line("TopKOfSoftmax(k=3)", TopKOfSoftmax(k=3)),
        ],
        "one": [
            Line("Argmax()", Argmax()),
            Line("StraightThroughArgmax()", StraightThroughArgmax()),
            Line("Sampled(), one draw", Sampled()),
            Line("GumbelStraightThrough(), one draw", GumbelStraightThrough()),
        ],
        "near a place": [
            Line(f"LocalM(window=2), step {STEP}", LocalM(window=2)),
            Line(f"LocalP(window=3), centre {CENTRE}", centred(LocalP)),
            Line(f"NormalisedLocalP(window=3), {CENTRE}", centred(NormalisedLocalP)),
        ],
        "from the last stop on": [
            Line(f"Monotonic(bias=-1.5), from {STOPPED}", stop_or_go),
            Line("ClippedMonotonic(bias=-1.5)", ClippedMonotonic(bias=-1.5)),
            Line("HardMonotonic(…)", HardMonotonic(stop_or_go)),
        ],
        "chosen together": [
            Line("LinearChain(stay=1.0)", together),
            Line("Segments(longest=3, length=-4.0)", Segments(longest=3, length=-4.0)),
            Line("ExactlyK(k=3)", ExactlyK(k=3)),
            Line("HardStructure(LinearChain…)", together.hard()),
        ],
    }


def centred(kind: type[LocalP]) -> LocalP:
    """Return a local-p whose weights predict `CENTRE` for the query of `CONTEXT`."""
    align = kind(query_dim=1, window=3)
    share = CENTRE / SLOTS
    with torch.no_grad():
        align.hidden_weight.weight.fill_(1.0)
        align.centre_weight.weight.fill_(math.log(share / (1 - share)) / math.tanh(1.0))
    return align


def taken(line: Line) -> list[float]:
    """Return what an align takes of each slot."""
    generator = torch.Generator().manual_seed(DRAW)
    with torch.no_grad():
        weights: Tensor = line.align(SCORES, MASK, CONTEXT._replace(generator=generator))
    return weights[0].tolist()


def picture(grouped: dict[str, list[Line]]) -> "Figure":
    """Draw the scores as bars, and below them a row of weights for every align."""
    from matplotlib.figure import Figure

    lines = sum(map(len, grouped.values()))
    heights = 1.5, 0.31 * (lines + HEADING * len(grouped))
    figure = Figure(figsize=(9.2, sum(heights)))
    bars, table = figure.subplots(2, 1, sharex=True, height_ratios=heights)
    figure.subplots_adjust(left=0.28, right=0.92, top=1, bottom=0, hspace=0)
    _draw_scores(bars)
    top = 0.0
    for group, members in grouped.items():
        top += HEADING
        table.text(LABELS, top - 0.3, group, fontsize=9, fontweight="bold", ha="right")
        for line in members:
            _draw_line(table, line, top)
            top += 1
    table.set(xlim=(-0.5, SLOTS - 0.5), ylim=(top, -0.1))
    table.axis("off")
    return figure


def _draw_scores(axes: "Axes") -> None:
    scores = SCORES[0].tolist()
    colours = [GREY if slot == HIDDEN else BLUE for slot in range(SLOTS)]
    bars = axes.bar(range(SLOTS), scores, width=0.9, color=colours)
    bars[HIDDEN].set(hatch="///", edgecolor="white")
    axes.bar_label(bars, fmt="%.1f", fontsize=8, padding=2)
    axes.axhline(0, color="black", linewidth=0.7)
    axes.set(ylim=(min(scores) - 0.9, max(scores) + 1.2))
    axes.set_yticks([])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.set_xticks(range(SLOTS))
    axes.set_xticklabels(
        [f"slot {slot}" + ("\nmasked" if slot == HIDDEN else "") for slot in range(SLOTS)],
        fontsize=8,
    )
    axes.spines[:].set_visible(False)
    axes.text(LABELS, 0, "scores", fontsize=9, fontweight="bold", ha="right", va="center")


def _draw_line(axes: "Axes", line: Line, top: float) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    weights = taken(line)
    axes.text(LABELS, top + 0.5, line.label, fontsize=9, ha="right", va="center")
    for slot, weight in enumerate(weights):
        depth = min(1.0, abs(weight))
        shades = colormaps["Blues" if weight > 0 else "Oranges"]
        axes.add_patch(
            Rectangle(
                (slot - 0.5, top),
                1,
                1,
                facecolor=shades(0.95 * depth) if weight else "white",
                edgecolor="white" if weight else "#dddddd",
                hatch="///" if slot == HIDDEN else None,
                linewidth=0.8,
            )
        )
        colour = GREY if weight == 0 else "white" if depth > 0.55 else "black"
        axes.text(
            slot, top + 0.5, in_digits(weight), fontsize=8, ha="center", va="center", color=colour
        )
    axes.text(SLOTS - 0.3, top + 0.5, f"Σ {sum(weights):.2f}", fontsize=8.5, va="center")


def in_digits(weight: float) -> str:
    """Return a weight to two digits; a bare 0 is exactly nothing, what is nearly so is not."""
    if weight == 0:
        return "0"
    return f"{weight:.2f}" if abs(weight) >= 0.005 else "<.01"


if __name__ == "__main__":
    main()

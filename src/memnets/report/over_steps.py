"""Where heads stood, step by step: for sequences whose steps are too many for a column each."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memnets.evidence import Answer, Step
from memnets.evidence.heat import visible
from memnets.report.plots import WRAP, _figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 12
"""Up to so many steps have a column with figures each (`plots.evidence`)."""
MOST_LABELS = 12
"""Steps that are named below a map; of more, every second, third or so."""
CELL = 0.09
"""Inches of a slot's side and a step's, where the map gets no larger than it may be."""
WIDTHS, HEIGHTS = (3.0, 11.0), (1.0, 4.0)
"""Inches of a map, at least and at most."""
WIDEST = 24
"""Letters of a slot's text."""


def over_steps(answer: Answer) -> "Figure":
    """Draw a map for each head, the steps across and the slots down, dark where it stood.

    A step is named `3: write`, and belongs to the map of `write`; slots that no head took are left
    out. All maps have the same slots and the same shades, from 0 to 1.
    """
    texts = {one.slot: one.text for step in answer.steps for one in step.supports}
    heads: dict[str, list[Step]] = {}
    for step in answer.steps:
        head = step.name.rpartition(": ")[2] if ": " in step.name else "read"
        heads.setdefault(head, []).append(step)
    longest = max(map(len, heads.values()))
    width, height = np.clip(CELL * longest, *WIDTHS), np.clip(CELL * len(texts), *HEIGHTS)
    figure = _figure(width, (height + 0.6) * len(heads))
    drawn = figure.subplots(len(heads), 1, squeeze=False)[:, 0]
    for axes, (name, steps) in zip(drawn, heads.items(), strict=True):
        _draw(axes, steps, dict(sorted(texts.items())))
        axes.set_title(visible(name), fontsize=9, loc="left", parse_math=False)
    title = [*textwrap.wrap(visible(answer.question), WRAP), *textwrap.wrap(answer.in_words, WRAP)]
    figure.suptitle("\n".join(title[:6]), fontsize=10, parse_math=False)
    figure.tight_layout()
    return figure


def _draw(axes: "Axes", steps: Sequence[Step], texts: Mapping[int, str]) -> None:
    rows = {slot: row for row, slot in enumerate(texts)}
    taken = np.zeros((len(rows), len(steps)))
    for column, step in enumerate(steps):
        for support in step.supports:
            taken[rows[support.slot], column] = abs(support.weight)
    axes.imshow(taken, cmap="Greys", vmin=0, vmax=1, aspect="auto", interpolation="none")
    every = -(-len(steps) // MOST_LABELS)
    names = [visible(step.name.rpartition(": ")[0] or step.name) for step in steps[::every]]
    axes.set_xticks(range(0, len(steps), every), names, fontsize=7, rotation=90, parse_math=False)
    every = -(-len(rows) // MOST_LABELS)
    slots = [textwrap.shorten(visible(text), WIDEST) for text in list(texts.values())[::every]]
    axes.set_yticks(range(0, len(rows), every), slots, fontsize=7, parse_math=False)

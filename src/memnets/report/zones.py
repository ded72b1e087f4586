"""What a memory of zones read at each word of a text: as a picture, and as a page to point at.

Neither knows a model: both show a `ReadText`, plain words and numbers. A page is complete in
itself; its script and style are its own.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Float, Int

from memnets.files import write_bytes
from memnets.report.html import STYLE as PAGE_STYLE
from memnets.report.plots import BLUE, GREY, _figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE, SCRIPT = (Path(__file__).with_name(name) for name in ("zones.css", "zones.js"))
LEAST = 0.005
"""A page leaves out reads of less than this: they would be shown as 0 per cent."""
CELL = 0.22
"""Width and height of a word's cell in inches."""
LEGIBLE = 80
"""Words up to which a picture names each of them."""


@dataclass(frozen=True)
class ReadText:
    r"""A text, and what was read of its earlier words at each word.

    Args:
        words: the text, one word a step.
        zones: $\alpha$ of each zone at each step, 0 where it was not chosen.
        slots: $a$ of each slot in its zone.
        steps: the step whose state the slot held, counted from 0 at the first word; negative
            where it was written before the text, or where it was empty.
        first: how many states were written before the text: zones are counted from there.

    Raises:
        ValueError: words and numbers are not of as many steps, or zones and slots not as many.
    """

    words: Sequence[str]
    zones: Float[np.ndarray, "_ _"]
    slots: Float[np.ndarray, "_ _ _"]
    steps: Int[np.ndarray, "_ _ _"]
    first: int = 0

    def __post_init__(self) -> None:
        shape = (len(self.words), *self.slots.shape[1:])
        found = (*self.zones.shape, self.slots.shape[-1]), self.slots.shape, self.steps.shape
        if any(part != shape for part in found):
            raise ValueError(
                f"ReadText of {len(self.words)} words: zones {self.zones.shape}, slots "
                f"{self.slots.shape} and steps {self.steps.shape} came; expected the words' number "
                f"first and as many zones and slots in all. Pass the numbers of one row."
            )

    @property
    def weights(self) -> Float[np.ndarray, "time time"]:
        """How much of each earlier word was taken at each word: the product of both weights."""
        return self._spread(self.zones[..., None] * self.slots)

    @property
    def readable(self) -> Bool[np.ndarray, "time time"]:
        """Which earlier words could be read at each word."""
        return self._spread(np.ones_like(self.slots)) > 0

    @property
    def before(self) -> Float[np.ndarray, " time"]:
        """How much was taken at each word of what was written before the text."""
        told = self.zones[..., None] * self.slots
        return (told * (self.steps < 0)).sum((1, 2))

    def zone_of(self, step: int) -> int:
        """Return the number, from 0, of the zone that a word's state was written to."""
        return (step + self.first) // self.slots.shape[-1]

    @property
    def borders(self) -> list[int]:
        """The words that opened a zone."""
        return [t for t in range(len(self.words)) if (t + self.first) % self.slots.shape[-1] == 0]

    def chosen(self, step: int) -> dict[int, float]:
        """Return the zones that were read at a word, by number, and how much of each."""
        found = {}
        for alpha, steps in zip(self.zones[step], self.steps[step], strict=True):
            if alpha > 0 and (steps >= 0).any():
                found[self.zone_of(int(steps.max()))] = float(alpha)
        return found

    def _spread(self, numbers: Float[np.ndarray, "time zone slot"]) -> Float[np.ndarray, "t t"]:
        spread = np.zeros((len(self.words), len(self.words)))
        step, zone, slot = np.nonzero(self.steps >= 0)
        np.add.at(spread, (step, self.steps[step, zone, slot]), numbers[step, zone, slot])
        return spread


def heat_map(text: ReadText) -> "Figure":
    """Draw a row for every word read and a column for every earlier word, the darker the more.

    Zones are set apart by lines, those that were chosen are framed. Grey words could not be read:
    not written yet, or forgotten. The shade goes by the root, for many weights are small.
    """
    from matplotlib import colormaps
    from matplotlib.colors import PowerNorm

    count = len(text.words)
    figure = _figure(CELL * count, CELL * count)
    axes = figure.add_axes((0, 0, 1, 1))
    shown = np.ma.masked_where(~text.readable, text.weights)
    colours = colormaps["Blues"].with_extremes(bad="#ededed")
    shade = PowerNorm(0.5, vmin=0, vmax=1)
    image = axes.imshow(shown, cmap=colours, norm=shade, aspect="equal", interpolation="nearest")
    for border in text.borders:
        axes.axvline(border - 0.5, color=GREY, linewidth=0.8)
    _frame_the_chosen(axes, text)
    _name_the_words(axes, text.words)
    bar = figure.colorbar(image, ax=axes, fraction=0.025, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label("how much was read", fontsize=9)
    axes.set_xlabel("word remembered; a line begins a zone", fontsize=9)
    axes.set_ylabel("word read", fontsize=9)
    return figure


def _frame_the_chosen(axes: "Axes", text: ReadText) -> None:
    from matplotlib.patches import Rectangle

    slots = text.slots.shape[-1]
    for t in range(len(text.words)):
        for zone in text.chosen(t):
            begin = max(0, zone * slots - text.first)
            end = min(t, (zone + 1) * slots - text.first)
            frame = Rectangle((begin - 0.5, t - 0.5), end - begin, 1, fill=False)
            frame.set(edgecolor=BLUE, linewidth=0.8)
            axes.add_patch(frame)


def _name_the_words(axes: "Axes", words: Sequence[str]) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    if len(words) > LEGIBLE:
        return
    places = range(len(words))
    axes.set_xticks(places, words, fontsize=8, rotation=90, parse_math=False)
    axes.set_yticks(places, words, fontsize=8, parse_math=False)


def write_page(path: Path, text: ReadText, title: str) -> Path:
    """Write the text as a page: point at a word to see what was read of the words before it.

    Args:
        path: the page.
        text: what is shown.
        title: heading of the page.
    """
    style = PAGE_STYLE.read_text("utf-8") + STYLE.read_text("utf-8")
    # In a script "</" would end it, whatever stands in quotes.
    reads = json.dumps([_read(text, t) for t in range(len(text.words))]).replace("</", "<\\/")
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>"
        "<p>Point at a word, or step to it with the tab key, to see which earlier words were read "
        "when it came, and how much of each, in per cent. A line begins a zone; its number is "
        "raised. What is pale could not be read.</p>"
        '<p id="said" class="remark" aria-live="polite">&nbsp;</p>'
        f'<div id="text">{"".join(_zones(text)) if text.words else ""}</div></main>'
        f'<script type="application/json" id="reads">{reads}</script>'
        f"<script>{SCRIPT.read_text('utf-8')}</script></body></html>\n"
    )
    write_bytes(path, page.encode())
    return path


def _read(text: ReadText, step: int) -> dict[str, Any]:
    """Return what the page needs to know of a word."""
    weights, readable = text.weights[step], np.flatnonzero(text.readable[step])
    return {
        "words": {int(s): round(float(weights[s]), 4) for s in readable if weights[s] >= LEAST},
        "zones": {zone: round(alpha, 4) for zone, alpha in text.chosen(step).items()},
        "readable": [int(readable[0]), int(readable[-1])] if len(readable) else [],
        "before": round(float(text.before[step]), 4),
    }


def _zones(text: ReadText) -> Iterator[str]:
    begins = sorted({0, *text.borders})
    for begin, end in zip(begins, [*begins[1:], len(text.words)], strict=True):
        zone = text.zone_of(begin)
        words = " ".join(
            f'<span class="word" tabindex="0" data-step="{t}">{escape(text.words[t])}</span>'
            for t in range(begin, end)
        )
        yield f'<span class="zone" data-zone="{zone}"><sup>{zone + 1}</sup>{words}</span> '

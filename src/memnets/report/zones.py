"""What a memory of zones read at each word of a text: as a picture, and as a page to point at.

Neither knows a model: both show a `ReadText`, plain words and numbers. A page is complete in
itself; its script and style are its own.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memnets.evidence import ReadText
from memnets.files import write_bytes
from memnets.report.html import STYLE as PAGE_STYLE
from memnets.report.plots import BLUE, GREY, _figure, save

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
    axes.set_xlabel(f"{text.unit} remembered; a line begins a zone", fontsize=9)
    axes.set_ylabel(f"{text.unit} read", fontsize=9)
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
    unit = escape(text.unit)
    # In a script "</" would end it, whatever stands in quotes.
    reads = json.dumps([_read(text, t) for t in range(len(text.words))]).replace("</", "<\\/")
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>"
        f"<p>Point at a {unit}, or go to it with the tab key, to see which earlier {unit}s were "
        "read when it came, and how much of each, in per cent. A line begins a zone; its number is "
        "raised. What is pale could not be read.</p>"
        '<p id="said" class="remark" aria-live="polite">&nbsp;</p>'
        f'<div id="text" data-unit="{unit}">'
        f"{''.join(_zones(text)) if text.words else ''}</div></main>"
        f'<script type="application/json" id="reads">{reads}</script>'
        f"<script>{SCRIPT.read_text('utf-8')}</script></body></html>\n"
    )
    write_bytes(path, page.encode())
    return path


def write_texts(folder: Path, texts: Iterable[ReadText], title: str) -> Iterator[Path]:
    """Write a page about each text, and a picture where matplotlib is installed."""
    for number, text in enumerate(texts, start=1):
        yield write_page(folder / f"read-{number}.html", text, f"{title}: what was read")
        with suppress(ImportError):  # the page of the run says what to install
            save(heat_map(text), folder / f"read-{number}.png")


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

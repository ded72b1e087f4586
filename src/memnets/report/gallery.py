"""Pictures with where each word looked, as one drawing: for papers, pages and `memnets caption`."""

import textwrap
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from memnets.evidence import Answer, Regions
from memnets.evidence.heat import visible
from memnets.evidence.html import STYLE as HEAT_STYLE
from memnets.files import write_bytes
from memnets.report.plots import _figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE_STYLE = Path(__file__).with_name("page.css")
ACROSS = 6
"""Pictures in a row."""
CELL = 1.6
"""Inches of a picture's side."""


def seen_regions(answer: Answer) -> "Figure":
    """Draw a picture, and beside it once for each word, dark where the word did not look.

    A word is followed by its gate; a dashed circle is the object that it names, where that is
    known. What was asked and answered stands above: a picture is passed on without its page.

    Args:
        answer: with its regions.
    """
    regions = answer.regions
    assert regions is not None
    shown = 1 + len(regions.names)
    rows = -(-shown // ACROSS)
    height, width = regions.image.shape[:2]
    tall = CELL * height / width + 0.3
    figure = _figure(CELL * min(shown, ACROSS), tall * rows)
    for number in range(shown):
        row, column = divmod(number, ACROSS)
        axes = figure.add_axes(
            (
                column / min(shown, ACROSS),
                1 - (row + 1) / rows,
                0.96 / min(shown, ACROSS),
                (tall - 0.3) / tall / rows,
            )
        )
        draw_region(axes, regions, number - 1)
    lines = (visible(answer.question), answer.in_words)
    title = "\n".join(line for text in lines for line in textwrap.wrap(text, 100))
    figure.suptitle(title, fontsize=10, y=1 + 0.1 / (tall * rows), va="bottom", parse_math=False)
    return figure


def draw_region(axes: "Axes", regions: Regions, read: int) -> None:
    """Draw a picture as one word looked at it, or as it is where the number is below 0.

    Args:
        axes: where.
        regions: of an answer.
        read: which word.
    """
    from matplotlib.patches import Circle

    height, width = regions.image.shape[:2]
    extent = (0, width, height, 0)
    axes.imshow(regions.image, extent=extent, interpolation="nearest")
    axes.set_axis_off()
    if read < 0:
        return
    axes.imshow(regions.veil(read), extent=extent, interpolation="bilinear")
    name = f"{visible(regions.names[read])}  {regions.gates[read]:.2f}"
    axes.set_title(name, fontsize=9, pad=3, parse_math=False)
    circle = regions.circle(read)
    if circle is not None:
        ring = Circle(circle[:2], circle[2], fill=False, edgecolor="white", linestyle="--")
        axes.add_patch(ring)
    axes.set(xlim=(0, width), ylim=(height, 0))


def write_gallery(folder: Path, name: str, answer: Answer) -> tuple[Path, Path]:
    """Write what was seen of a picture: a page that is complete in itself, and a PNG.

    Args:
        folder: of both.
        name: of both, without a suffix.
        answer: with its regions.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    page, picture = folder / f"{name}.html", folder / f"{name}.png"
    save(seen_regions(answer), picture)
    style = PAGE_STYLE.read_text("utf-8") + HEAT_STYLE.read_text("utf-8")
    title = escape(visible(answer.question))
    text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head>"
        f'<body class="memnets"><main><h1>{title}</h1>{answer.to_html()}</main></body></html>\n'
    )
    write_bytes(page, text.encode())
    return page, picture

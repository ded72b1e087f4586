"""A picture, and how much of each of its places was taken at each read. No tensors."""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from jaxtyping import Float, UInt8

from memnets.evidence.heat import visible

VEIL = 0.8
"""How dark a picture is where nothing was taken."""


@dataclass(frozen=True, eq=False)
class Regions:
    r"""A picture, and what was seen of it: for each word of a caption, say, or at each pass.

    Args:
        image: the picture, red, green and blue from 0 to 255.
        names: of the reads, such as the words.
        weights: how much each read took of each place of a grid.
        gates: $\beta$, how much of what it read was taken; 1 where there is no gate.
        circles: the object that each read should have looked at, where that is known: its centre,
            across and down, and its radius, in pixels.

    Raises:
        ValueError: names, weights and gates are not as many.
    """

    image: UInt8[np.ndarray, "height width 3"]
    names: Sequence[str]
    weights: Float[np.ndarray, "read row column"]
    gates: Float[np.ndarray, " read"]
    circles: Sequence[tuple[float, float, float] | None] = ()

    def __post_init__(self) -> None:
        counts = len(self.names), len(self.weights), len(self.gates)
        if len({*counts, len(self.circles) or counts[0]}) != 1:
            raise ValueError(
                f"Regions: {counts[0]} names, {counts[1]} maps, {counts[2]} gates and "
                f"{len(self.circles)} circles came; expected as many of each, circles may be "
                f"missing. Pass those of one picture."
            )

    def circle(self, read: int) -> tuple[float, float, float] | None:
        """Return the object that a read should have looked at, where it is known."""
        return self.circles[read] if self.circles else None

    def most(self, read: int) -> tuple[float, float]:
        """Return the middle of the place that a read took most of, across and down in pixels."""
        height, width = self.image.shape[:2]
        rows, columns = self.weights.shape[1:]
        row, column = np.unravel_index(int(self.weights[read].argmax()), (rows, columns))
        return float((column + 0.5) * width / columns), float((row + 0.5) * height / rows)

    def veil(self, read: int) -> UInt8[np.ndarray, "row column 4"]:
        """Return black that hides what a read did not take, one pixel a place, with its opacity."""
        taken = self.weights[read] / max(float(self.weights[read].max()), 1e-12)
        black = np.zeros((*taken.shape, 4), np.uint8)
        black[..., 3] = np.round(255 * VEIL * (1 - taken.clip(0, 1)))
        return black

    def to_json(self) -> dict[str, Any]:
        """Return what was seen, without the picture."""
        return {
            "names": list(self.names),
            "weights": np.round(self.weights, 6).tolist(),
            "gates": np.round(self.gates, 6).tolist(),
            "circles": [None if one is None else list(one) for one in self.circles],
            "side": list(self.image.shape[:2]),
        }

    def to_html(self) -> str:
        """Return the picture once for each read, dark where nothing was taken; all is escaped."""
        figures = "".join(self._figure(read) for read in range(len(self.names)))
        height, width = self.image.shape[:2]
        return (
            f'<div class="regions" style="--picture:url({_address(self.image)});'
            f'--shape:{width}/{height}"><figure><div class="seen"></div>'
            f"<figcaption>&nbsp;</figcaption></figure>{figures}</div>"
        )

    def _figure(self, read: int) -> str:
        height, width = self.image.shape[:2]
        ring, circle = "", self.circle(read)
        if circle is not None:
            x, y, r = circle
            ring = (
                f'<svg viewBox="0 0 {width} {height}"><circle cx="{x:.1f}" cy="{y:.1f}" '
                f'r="{r:.1f}"/></svg>'
            )
        name, gate = escape(visible(self.names[read])), float(self.gates[read])
        return (
            f'<figure><div class="seen"><img alt="where {name} looked" '
            f'src="{_address(self.veil(read))}">{ring}</div>'
            f"<figcaption>{name} <small>{gate:.2f}</small></figcaption></figure>"
        )


def png(image: UInt8[np.ndarray, "height width colour"]) -> bytes:
    """Return a picture of three colours, or of four numbers with their opacity, as a PNG file."""
    height, width, colours = image.shape
    lines = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(image))
    header = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[colours], 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _address(image: UInt8[np.ndarray, "height width colour"]) -> str:
    return f"data:image/png;base64,{base64.b64encode(png(image)).decode()}"

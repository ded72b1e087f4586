"""Learning curves as inline SVG, for pages that load nothing."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from memnets.report.logs import curve, is_wide, phases

WIDTH, HEIGHT = 420, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 10, 30, 36
TICKS = 5
"""About how many ticks an axis has."""


def curves(log: Sequence[Mapping[str, Any]], metric: str, splits: Sequence[str]) -> str:
    """Draw one metric over the updates, a line a split; empty where the log lacks the metric.

    The line of the n-th split has the class `line-n`, which the page colours.
    """
    lines = {split: curve(log, split, metric) for split in splits}
    every_x = [x for xs, _ in lines.values() for x in xs]
    every_y = [y for _, ys in lines.values() for y in ys]
    if not every_x:
        return ""
    across = _Scale(0.0, max(every_x), LEFT, WIDTH - RIGHT)
    up = _upwards(every_y)
    parts = [
        f'<svg class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(metric)} over the updates">'
    ]
    parts += [_horizontal(up.place(y), f"{y:g}") for y in up.ticks()]
    parts += [_tick(across.place(x), f"{x:g}") for x in across.ticks()]
    for number, (x, name) in enumerate(phases(log)):
        parts.append(_phase(across.place(x), name, line=number % 2))
    for number, (split, (xs, ys)) in enumerate(lines.items()):
        points = [(across.place(x), up.place(y)) for x, y in zip(xs, ys, strict=True)]
        parts.append(_line(split, number, points))
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">update</text></svg>'
    )
    return "".join(parts)


class _Scale:
    """A linear map from values to pixels, with ticks at round values."""

    def __init__(self, low: float, high: float, start: int, end: int) -> None:
        self.low, self.high = low, high if high > low else low + 1.0
        self.start, self.end = start, end
        rough = (self.high - self.low) / TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        self.step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        # Rounded, or 0.3 / 0.1 would lie below 3.
        low, high = (round(end / self.step, 9) for end in (self.low, self.high))
        first, last = math.ceil(low), math.floor(high)
        return [float(f"{count * self.step:.10g}") for count in range(first, last + 1)]


class _Logarithmic:
    """A logarithmic map from values to pixels, with ticks at powers of ten."""

    def __init__(self, low: float, high: float, start: int, end: int) -> None:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        self.powers = range(first, last + 1, max(1, round((last - first) / TICKS)))
        self.logs = _Scale(first, last, start, end)

    def place(self, value: float) -> float:
        return self.logs.place(math.log10(value))

    def ticks(self) -> list[float]:
        return [10.0**power for power in self.powers]


def _upwards(values: Sequence[float]) -> _Scale | _Logarithmic:
    if is_wide(values):
        return _Logarithmic(min(values), max(values), HEIGHT - BOTTOM, TOP)
    return _Scale(min(0.0, *values), max(values), HEIGHT - BOTTOM, TOP)


def _horizontal(y: float, label: str) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>'
    )


def _tick(x: float, label: str) -> str:
    return f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{label}</text>'


def _phase(x: float, name: str, line: int) -> str:
    """Mark where a phase begins; neighbours stand on two lines, so that none covers another."""
    return (
        f'<line class="phase" x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        f'<text x="{x + 2}" y="{TOP - 6 - 12 * line}">{escape(name)}</text>'
    )


def _line(split: str, number: int, points: list[tuple[float, float]]) -> str:
    if not points:
        return ""
    path = " ".join(f"{x},{y}" for x, y in points)
    dot = f'<circle class="dot-{number}" cx="{points[-1][0]}" cy="{points[-1][1]}" r="3"/>'
    line = f'<polyline class="line-{number}" points="{path}"/>'
    return f"<g><title>{escape(split)}</title>{line}{dot}</g>"

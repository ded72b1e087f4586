"""An answer about points: which were chosen, and how surely each; it draws itself as a picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple

from memnets.evidence.answer import Answer
from memnets.evidence.html import article

FAINT = 0.05
"""A point that was weighed less than this, and not chosen, is not drawn as one."""
SIZE, EDGE = 320, 24
"""Of the picture, and of the room about the points."""


class Line(NamedTuple):
    """A line of the picture, between two points by their places from 0."""

    start: int
    end: int
    weight: float
    """How sure the choice of its end was; of a triangle's side, of the least sure corner."""
    chosen: bool
    """Whether it is of the answer, or of what was weighed beside it."""


@dataclass(frozen=True)
class PointsAnswer(Answer):
    """An answer about points; its steps are its choices, whose first slot is the stop."""

    points: tuple[tuple[float, ...], ...] = ()
    """As they came."""
    chosen: tuple[int, ...] = ()
    """Their numbers, from 1, as they were said."""
    shape: str = "polygon"
    """What is drawn: "polygon", "triangles", "tour" or "order"."""

    @property
    def drawn(self) -> tuple[tuple[float, float], ...]:
        """Where the points stand in the picture; numbers as high as the place they were given."""
        if self.shape != "order":
            return tuple((point[0], point[1]) for point in self.points)
        rank = {number: place for place, number in enumerate(self.chosen, start=1)}
        return tuple((one[0], float(rank.get(n, 0))) for n, one in enumerate(self.points, start=1))

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is drawn: what was weighed beside the choices first, then the answer."""
        if self.shape == "triangles":
            return tuple(self._triangles())
        weights = [[support.weight for support in step.supports] for step in self.steps]
        places = [number - 1 for number in self.chosen]
        said = [
            Line(start, end, weights[step][end + 1], True)
            for step, (start, end) in enumerate(pairwise(places), start=1)
        ]
        if self.shape == "tour" and len(places) > 2:
            said.append(Line(places[-1], places[0], 1.0, True))
        beside = [
            Line(start, other, weight, False)
            for step, start in enumerate(places[: len(weights) - 1], start=1)
            for other, weight in enumerate(weights[step][1:])
            if weight > FAINT and other != start and places[step : step + 1] != [other]
        ]
        return (*beside, *said)

    def _triangles(self) -> Iterator[Line]:
        for first in range(0, len(self.chosen) - 2, 3):
            three = [number - 1 for number in self.chosen[first : first + 3]]
            sure = min(
                self.steps[first + place].supports[point + 1].weight
                for place, point in enumerate(three)
            )
            for start, end in zip(three, (*three[1:], three[0]), strict=True):
                yield Line(start, end, sure, True)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is right, where it is known: it was computed, and not learnt."""
        if self.correct is None:
            return super().remarks
        right = "right, as computed" if self.correct else f"wrong: computed was {self.gold}"
        return (*super().remarks, right)

    def to_html(self) -> str:
        """Return the picture, the answer and the heat map of all choices."""
        rivals = ", ".join(f"{text} {share:.1%}" for text, share in self.runners_up)
        remarks = (f"then {rivals}" if rivals else "", *super().remarks)
        kind = {True: "good", False: "bad", None: ""}[self.correct]
        picture = f"<figure>{picture_of(self)}</figure>" if self.points else ""
        return article(self.question, self.in_words, kind, self.steps, remarks, picture=picture)


def picture_of(answer: PointsAnswer) -> str:
    """Draw an answer about points as inline SVG; a line is the fainter the less sure its choice."""
    places = list(_placed(answer.drawn))
    parts = [
        f'<svg class="points" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" role="img" '
        f'aria-label="{escape(answer.question)}">'
    ]
    for line in answer.lines:
        (x1, y1), (x2, y2) = places[line.start], places[line.end]
        told = f"{line.start + 1} to {line.end + 1}: {line.weight:.6f}"
        parts.append(
            f'<line class="{"said" if line.chosen else "beside"}" x1="{x1}" y1="{y1}" x2="{x2}" '
            f'y2="{y2}" style="--sure:{line.weight:.3f}"><title>{told}</title></line>'
        )
    for number, (x, y) in enumerate(places, start=1):
        parts.append(f'<circle cx="{x}" cy="{y}" r="3"/>')
        parts.append(f'<text x="{x + 5}" y="{y - 5}">{number}</text>')
    return "".join((*parts, "</svg>"))


def _placed(points: tuple[tuple[float, float], ...]) -> Iterator[tuple[float, float]]:
    """Yield where points stand in the picture, whose second axis points down."""
    if not points:
        return
    across, up = zip(*points, strict=True)
    widths = max(across) - min(across), max(up) - min(up)
    whole = max(widths) or 1.0
    room = SIZE - 2 * EDGE
    for x, y in points:
        right = EDGE + room * (x - min(across)) / whole
        above = SIZE - EDGE - room * (y - min(up)) / whole
        yield round(right, 1), round(above, 1)

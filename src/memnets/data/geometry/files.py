"""Points as lines of a text: numbers with a comma between them, a point a line."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from memnets.data.geometry.arrays import Floats
from memnets.data.geometry.problems import Problem

Points = Floats

MOST_POINTS = 1000
"""Of a set that is asked about: larger ones are refused."""
LARGEST = 1e100
"""Of a number: the squares of larger ones are none."""
_BETWEEN = re.compile(r"\s*[,;\t]\s*|\s+")
_WORD = re.compile(r"[^\W\d]\w*")


def load_points(path: Path, problem: Problem) -> Points:
    """Read a file of points.

    Args:
        path: of the file; its first line may name the columns.
        problem: what is asked of the points, which says how many numbers a point has, and how many
            points it takes.

    Raises:
        FileNotFoundError: there is no such file.
        OSError: it cannot be read.
        ValueError: it is no text, a line is no point, or nothing can be asked of the points; the
            text names file and line.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return parse_points(lines, problem, str(path))
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{path}: no such file. Name a text file with a point a line: {_shape(problem)}."
        ) from None
    except IsADirectoryError:
        raise OSError(f"{path}: a folder. Name a text file with a point a line.") from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: byte {error.start} is not UTF-8. Save the points as a plain text, a point a "
            f"line: {_shape(problem)}."
        ) from None


def parse_points(lines: Iterable[str], problem: Problem, source: str = "points") -> Points:
    """Read points from lines.

    Args:
        lines: of the text; empty ones are passed over.
        problem: as in `load_points`.
        source: names the text where it is refused.

    Raises:
        ValueError: a line is no point, or nothing can be asked of the points.
    """
    places: dict[tuple[float, ...], int] = {}
    for number, fields in _fields(lines):
        if not places and all(map(_WORD.fullmatch, fields)) and not _are_numbers(fields):
            continue  # the names of the columns
        point = tuple(_number(field, f"{source}:{number}", problem) for field in fields)
        if len(point) != problem.dim:
            raise ValueError(
                f"{source}:{number}: {_count(len(point), 'number')} came, expected "
                f"{problem.dim} a line: {_shape(problem)}. Correct the line."
            )
        if point in places:
            raise ValueError(
                f"{source}:{number}: the point of line {places[point]} comes again, expected every "
                f"point once. Take one of the two lines out."
            )
        if len(places) == MOST_POINTS:
            raise ValueError(
                f"{source}:{number}: more than {MOST_POINTS:,} points. The network learnt from far "
                f"fewer, and its time grows with their square: pass at most {MOST_POINTS:,}."
            )
        places[point] = number
    points = np.array(list(places), dtype=np.float64).reshape(len(places), problem.dim)
    expect_askable(points, problem, source)
    return points


def expect_askable(points: Points, problem: Problem, source: str = "points") -> None:
    """Refuse points that the problem has no answer for.

    Raises:
        ValueError: they are too few, or all in one line.
    """
    if len(points) < problem.fewest:
        raise ValueError(
            f"{source}: {_count(len(points), 'point')}, expected {problem.fewest} at least for a "
            f"{problem.name}. Add points, a line each: {_shape(problem)}."
        )
    if problem.fewest >= 3 and not problem.spans(points):
        raise ValueError(
            f"{source}: all {len(points)} points lie in one line, so that there is no "
            f"{problem.name}. Add a point beside it."
        )


def listed_points(points: Sequence[Sequence[float]], problem: Problem) -> Points:
    """Return points that came as numbers, checked as those of a file are; lines count from 1.

    Raises:
        ValueError: a point is none, or nothing can be asked of them.
    """
    try:
        lines = (",".join(repr(float(one)) for one in np.atleast_1d(point)) for point in points)
        return parse_points(lines, problem)
    except TypeError:
        raise ValueError(
            f"points came as {points!r:.60}, expected a list of points such as "
            f"[{_shape(problem)}], each {_count(problem.dim, 'number')}."
        ) from None


def _fields(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        if text := line.strip():
            yield number, [field.strip("\"'") for field in _BETWEEN.split(text)]


def _are_numbers(fields: Sequence[str]) -> bool:
    try:
        [float(field) for field in fields]
    except ValueError:
        return False
    return True


def _number(field: str, place: str, problem: Problem) -> float:
    try:
        number = float(field)
    except ValueError:
        raise ValueError(
            f"{place}: {field[:40]!r} is no number, expected a point a line: {_shape(problem)}. "
            f"Correct the line, or take it out."
        ) from None
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise ValueError(
            f"{place}: {field[:40]} is no place of a point, expected a number of at most "
            f"{LARGEST:g}. Correct the line, or take it out."
        )
    return number + 0.0  # -0.0 is 0.0


def _shape(problem: Problem) -> str:
    return ",".join(("0.25", "0.75")[: problem.dim])


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")

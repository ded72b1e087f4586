"""Ask a network about points, and see what every choice pointed at."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float

from memnets.data.geometry import Problem
from memnets.evidence import PointsAnswer, Step, Support
from memnets.models.pointer import PointNetwork
from memnets.studies.pointers.task import ASKED_UNDER, BEAM

Points = Float[np.ndarray, "points dim"]
STOP = "stop"
ENDED = "end"
MOST_SOLVED = 200
"""The right answer is told beside an answer up to so many points; a triangulation's check grows
with their square."""


def answer(
    model: PointNetwork, problem: Problem, points: Points, name: str = "", beam: int = BEAM
) -> PointsAnswer:
    """Return what a network says of points, with the weights of every choice.

    Points are numbered from 1 in the order in which they came. They are moved and scaled together
    into the unit square, where the network learnt, unless they lie in it. What has no right
    answer, or several, has no gold.

    Args:
        model: a trained network.
        problem: what it was trained for.
        points: as they came.
        name: of their file, where they have one.
        beam: hypotheses that are gone on with.
    """
    given = torch.from_numpy(within_unit(points)).float().unsqueeze(0)
    given = given.to(next(model.parameters()).device)
    length = torch.tensor([len(points)])
    found = model.choose(
        given, length, problem.longest(len(points)), beam, ASKED_UNDER[problem.name]
    )
    number, ended = int(found.lengths[0, 0]), bool(found.ended[0, 0])
    words = found.words[0, 0, :number].tolist()
    said = [word for word in words if word]
    labels = [STOP, *(_label(place, point) for place, point in enumerate(points.tolist(), start=1))]
    weights = found.evidence[0, 0, :number].tolist()
    rivals = zip(found.words[0, 1:].tolist(), found.log_prob[0, 1:].tolist(), strict=True)
    right = _right(problem, points)
    same = right is not None and problem.is_right(said, right)
    return PointsAnswer(
        question=f"{problem.name} of {len(points)} points" + (f" ({name})" if name else ""),
        text=_text(said),
        probability=math.exp(float(found.log_prob[0, 0])),
        runners_up=tuple((_text(other), math.exp(log)) for other, log in rivals if any(other)),
        steps=tuple(
            Step(
                str(word) if word else ENDED,
                tuple(
                    Support(place, labels[place], weight)
                    for place, weight in enumerate(row[: len(points) + 1])
                ),
            )
            for word, row in zip(words, weights, strict=True)
        ),
        gold=None if right is None else _text(said if same else right),
        caution="" if ended else f"cut off after {number} choices",
        points=tuple(tuple(point) for point in points.tolist()),
        chosen=tuple(said),
        shape=problem.shape,
    )


def within_unit(points: Points) -> Points:
    """Return points in the unit square, moved and scaled alike; as they are if they lie there."""
    low, high = points.min(0), points.max(0)
    if (low >= 0).all() and (high <= 1).all():
        return points
    size = float((high - low).max())
    return (points - low) / size if size else points - low


def _right(problem: Problem, points: Points) -> list[int] | None:
    """Return the right answer; None where there is none, several, or where it takes long.

    Of a tour the shortest is not known beyond few cities.
    """
    if len(points) > MOST_SOLVED or not problem.is_solved(len(points)):
        return None
    try:
        targets, decided = problem.solve(points[None])
    except ImportError:  # scipy is not installed: nothing else needs it here
        return None
    return [number for number in targets[0].tolist() if number] if decided[0] else None


def _label(place: int, point: Sequence[float]) -> str:
    return f"{place} ({', '.join(f'{number:.3g}' for number in point)})"


def _text(said: Sequence[int]) -> str:
    return " ".join(str(number) for number in said if number)

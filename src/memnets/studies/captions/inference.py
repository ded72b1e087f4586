"""Tell what a picture shows, and where each word looked."""

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from memnets.data.pairs import END, SPECIAL, UNKNOWN
from memnets.data.pictures import Scenes
from memnets.data.pictures.images import read_image, resized
from memnets.data.pictures.photos import CaptionedPhotos
from memnets.evidence import Answer, Regions, Step, Support
from memnets.layers.decoding import Hypotheses, by_length
from memnets.models.show_attend_tell import Captioner
from memnets.studies.captions.data import Kept
from memnets.studies.captions.encoding import as_channels
from memnets.training.schedules import seeded

LONGEST = 50
"""Words of a caption, at most."""
TOGETHER = 50
"""Pictures of a split that are told of at once."""

Circle = tuple[float, float, float] | None


def caption(model: Captioner, kept: Kept, pictures: Sequence[Any], beam: int = 5) -> list[Answer]:
    """Tell of pictures, many at once.

    A step of the evidence is a word: how much of each place was taken. Hypotheses are ranked by the
    mean log-probability of their words, those of the beam that are not best are the runners-up.

    Args:
        model: a trained model.
        kept: what is kept beside it.
        pictures: files of pictures, or arrays `(height, width, 3)` from 0 to 255.
        beam: hypotheses of a caption that are gone on with.

    Raises:
        ValueError: a picture cannot be read, the beam is below 1, or the run takes features.
    """
    if kept.features is not None:
        told = kept.features
        raise ValueError(
            f"this run reads features of {told['network']}, layer {told['layer']}, and no "
            f"pictures. Compute those of your pictures with compute_features, and evaluate it on "
            f"them with --data."
        )
    names = [_name(picture, n) for n, picture in enumerate(pictures)]
    images = [_fitted(picture, kept.side) for picture in pictures]
    answers = []
    for first in range(0, len(images), TOGETHER):
        some = slice(first, first + TOGETHER)
        answers += _tell(model, kept, np.stack(images[some]), names[some], beam)
    return answers


def examples(
    model: Captioner, kept: Kept, part: Scenes | CaptionedPhotos, split: str
) -> Iterator[Answer]:
    """Tell of the pictures of a split, each beside its right caption.

    Of generated pictures the evidence names the object that each word should have looked at.
    """
    for first in range(0, len(part), TOGETHER):
        rows = range(first, min(first + TOGETHER, len(part)))
        names = [f"picture {row + 1} of {split}" for row in rows]
        if isinstance(part, Scenes):
            golds, circles = (
                [part.texts[row] for row in rows],
                [_circles(part, row) for row in rows],
            )
        else:
            golds, circles = [part.captions[row][0] for row in rows], [{} for _ in rows]
        images = part.images[first : first + TOGETHER]
        yield from _tell(model, kept, images, names, 1, golds, circles)


def _tell(
    model: Captioner,
    kept: Kept,
    images: np.ndarray,
    names: Sequence[str],
    beam: int,
    golds: Sequence[str | None] = (),
    circles: Sequence[dict[int, Circle]] = (),
) -> list[Answer]:
    weight = next(model.parameters())
    seen = images if kept.features else as_channels(images)
    given = torch.as_tensor(seen).to(weight.device)
    given = given.float() / 255 if given.dtype == torch.uint8 else given
    found = model.caption(given, END, LONGEST, beam, by_length(1.0), seeded(0))
    grid = model.stem.grid(*kept.side)
    return [
        _answer(
            kept,
            found.index_select(torch.tensor([row], device=weight.device)),
            images[row],
            name,
            grid,
            golds[row] if golds else None,
            circles[row] if circles else {},
        )
        for row, name in enumerate(names)
    ]


def _answer(
    kept: Kept,
    found: Hypotheses,
    image: np.ndarray,
    name: str,
    grid: tuple[int, int],
    gold: str | None,
    circles: dict[int, Circle],
) -> Answer:
    texts = [
        (kept.words.text(words[:length].tolist()), math.exp(float(log_prob)))
        for words, length, log_prob in zip(
            found.words[0], found.lengths[0], found.log_prob[0], strict=True
        )
        if length
    ]
    said = found.words[0, 0, : int(found.lengths[0, 0])].tolist()
    told = [n for n, word in enumerate(said) if word == UNKNOWN or word >= len(SPECIAL)]
    words = kept.words.pieces([said[n] for n in told])
    weights = found.evidence.weights[0, 0, told].double().cpu()
    gates = found.evidence.gate[0, 0, told].double().cpu().numpy()
    regions = None
    if kept.features is None and weights.any():
        maps = weights.numpy().reshape(len(words), *grid)
        known = (gold or "").split()
        rings = [  # of words that are said where the right caption has them
            circles.get(n) if n < len(known) and word == known[n] else None
            for n, word in zip(told, words, strict=True)
        ]
        regions = Regions(image, words, maps, gates, rings if circles else ())
    return Answer(
        name,
        *(texts[0] if texts else ("", 1.0)),
        tuple(texts[1:]),
        tuple(_step(word, row, grid) for word, row in zip(words, weights, strict=True)),
        gold=gold,
        unit="word",
        caution="" if found.ended[0, 0] else f"cut off after {len(said)} words",
        regions=regions,
    )


def _step(word: str, weights: Tensor, grid: tuple[int, int]) -> Step:
    return Step(
        word,
        tuple(
            Support(slot, f"row {slot // grid[1] + 1}, column {slot % grid[1] + 1}", weight)
            for slot, weight in enumerate(weights.tolist())
        ),
    )


def _circles(scenes: Scenes, row: int) -> dict[int, Circle]:
    """Return the object that each word of the right caption names, by its place."""
    return {
        word: (*map(float, scenes.centres[row, owner]), float(scenes.radii[row, owner]))  # type: ignore[misc]
        for word, owner in enumerate(scenes.owners[row])
        if owner >= 0
    }


def _fitted(picture: Any, side: tuple[int, int]) -> np.ndarray:
    if isinstance(picture, str | os.PathLike):
        return read_image(picture, side[0])
    return resized(np.asarray(picture), side[0])


def _name(picture: Any, number: int) -> str:
    return Path(picture).name if isinstance(picture, str | os.PathLike) else f"picture {number + 1}"

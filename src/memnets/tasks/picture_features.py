"""What a published network sees of pictures, computed once and kept in a file."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from memnets.data.pictures.features import write_features
from memnets.data.pictures.images import read_image
from memnets.layers.stems import PublishedStem

TOGETHER = 16
"""Pictures that are seen at once."""


def compute_features(
    stem: PublishedStem,
    pictures: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    side: int = 224,
) -> Path:
    """See pictures by a network, and write what it saw, once for all captions and questions.

    Args:
        stem: with its weights; the file records its name and layer.
        pictures: files; the features are found by the names of these.
        out: the new file.
        side: pixels that the shorter side is resized to; the middle is cut out.

    Raises:
        FileNotFoundError: a picture is not there.
        ValueError: one cannot be read, two have the same name, or there is none.
    """
    names = [Path(picture).name for picture in pictures]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or not names:
        came = f"two pictures are called {twice}" if twice else "no picture came"
        raise ValueError(f"{out}: {came}; expected pictures, each with a name of its own.")
    stem.eval()
    weight = next(stem.parameters())
    found: dict[str, np.ndarray] = {}
    for first in range(0, len(names), TOGETHER):
        some = slice(first, first + TOGETHER)
        images = np.stack([read_image(picture, side) for picture in pictures[some]])
        given = torch.from_numpy(images.transpose(0, 3, 1, 2).copy()).to(weight).div(255)
        with torch.no_grad():
            seen = stem(given).cpu().float().numpy()
        found |= dict(zip(names[some], seen, strict=True))
    return write_features(
        out,
        found,
        network=stem.network,
        layer=stem.layer,
        side=side,
        grid=stem.grid(side, side),
    )

"""Which pictures and captions are learnt from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from memnets.data.pairs import Words
from memnets.data.pictures import (
    Scenes,
    digit_grids,
    held_out_pairs,
    load_digits,
    shape_scenes,
    split_digits,
)
from memnets.data.pictures.photos import CaptionedPhotos, flickr8k, load_photos
from memnets.training.config import expect_at_least, expect_at_most, expect_used

GENERATED = ("shape-scenes", "digits")
PHOTOS = ("photos", "flickr8k")
USERS = {
    **dict.fromkeys(("train", "held_out"), GENERATED),
    "unseen_pairs": ("shape-scenes",),
    **dict.fromkeys(("captions", "splits", "features"), ("photos",)),
    **dict.fromkeys(("side", "least", "most"), PHOTOS),
}
"""Which pictures a field is for."""
SEEDS = {"train": 1, "valid": 2, "test": 3, "composed": 4}
"""Of the generated splits, beside the seed of the data."""

Splits = Mapping[str, Scenes] | Mapping[str, CaptionedPhotos]


@dataclass(frozen=True)
class CaptionData:
    """Pictures with captions.

    Generated ones have one right caption each, and it is known which object each word names. Of
    photos, the part "valid" chooses and "test" is reported; neither is learnt from.
    """

    pictures: Literal["shape-scenes", "digits", "photos", "flickr8k"] = "shape-scenes"
    """Two coloured shapes, a grid of handwritten digits, photos of your own, or Flickr8k's."""
    train: int = 12_000
    """Generated pictures to learn from."""
    held_out: int = 1000
    """Generated pictures that choose, and as many that are reported."""
    unseen_pairs: int = 0
    """Pairs of colour and shape, up to 4, that are reported and never learnt from."""
    path: Path | None = None
    """Photos: the folder with captions and pictures. Digits: the file, or its folder. Flickr8k: the
    folder of captions.txt and Images, or one that contains it as flickr8k."""
    captions: Path | None = None
    """Photos: the file of captions: CSV `image,caption`, the token file of Flickr8k, JSON of COCO
    or of Karpathy and Li."""
    splits: Path | None = None
    """Photos: a folder with train, valid and test as lists of names, one a line; without one, the
    captions say it, or the last photos are held back."""
    features: Path | None = None
    """Photos: a file of features in place of the pictures."""
    side: int = 64
    """Photos: pixels of the side that they are resized to."""
    least: int = 2
    """Photos: words that occur less often are unknown."""
    most: int = 10_000
    """Photos: words, at most."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, train=1, held_out=1, unseen_pairs=0, side=8, least=1, most=1)
        expect_at_most("data", self, unseen_pairs=4, side=1024)
        expect_used("data", self, "pictures", USERS)
        if self.pictures == "photos" and self.captions is None:
            raise ValueError(
                'data.pictures is "photos", and data.captions names no file. '
                "Pass --data.captions FILE."
            )

    @property
    def generated(self) -> bool:
        """Whether the pictures are made, and it is known what is where."""
        return self.pictures in GENERATED

    def load(self) -> Splits:
        """Read or make the pictures.

        Raises:
            FileNotFoundError: a file is not at hand.
            ValueError: a file cannot be read, or has too few pictures.
        """
        if self.pictures == "flickr8k":
            return load_photos(*flickr8k(self.path), side=self.side)
        if self.pictures == "photos":
            assert self.captions is not None
            return load_photos(self.captions, self.path, self.splits, self.features, self.side)
        sizes = {"train": self.train, "valid": self.held_out, "test": self.held_out}
        if self.pictures == "digits":
            parts = split_digits(load_digits(self.path))
            return {
                name: digit_grids(size, (0, SEEDS[name]), parts[name])
                for name, size in sizes.items()
            }
        if not self.unseen_pairs:
            return {name: shape_scenes(size, (0, SEEDS[name])) for name, size in sizes.items()}
        known, unseen = held_out_pairs(self.unseen_pairs)
        return {
            "train": shape_scenes(self.train, (0, SEEDS["train"]), known),
            "valid": shape_scenes(self.held_out, (0, SEEDS["valid"]), known),
            "test": shape_scenes(self.held_out, (0, SEEDS["composed"]), unseen),
        }

    def vocabulary(self, texts: Sequence[str]) -> Words:
        """Return the words of the captions to learn from."""
        if self.generated:
            return Words.of(texts, least=1)
        return Words.of(texts, least=self.least, most=self.most)


@dataclass(frozen=True)
class Kept:
    """What is kept beside the weights: the words, and what pictures are like.

    Attributes:
        words: of captions.
        side: height and width of a picture.
        features: what the file of features says of itself, where there is one.
    """

    words: Words
    side: tuple[int, int]
    features: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {"words": self.words.to_json(), "side": list(self.side), "features": self.features}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Kept":
        height, width = record["side"]
        return cls(Words.from_json(record["words"]), (height, width), record["features"])


def digest(splits: Splits) -> str:
    """Return the SHA-256 of all pictures and captions, split by split."""
    parts = "".join(f"{name}\t{part.sha256}\n" for name, part in splits.items())
    return hashlib.sha256(parts.encode()).hexdigest()

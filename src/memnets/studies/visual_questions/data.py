"""Which pictures and questions are learnt from."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from memnets.data.pairs import Words
from memnets.data.pictures.asked import AskedPictures
from memnets.data.pictures.easy_vqa import load_easy_vqa
from memnets.data.pictures.questions import HELD_OUT, load_questions
from memnets.data.pictures.shapes import load_shapes
from memnets.data.pictures.sort_of_clevr import sort_of_clevr
from memnets.training.config import expect_at_least, expect_at_most, expect_used

USERS = {
    **dict.fromkeys(("train", "held_out"), ("sort-of-clevr",)),
    **dict.fromkeys(("questions", "annotations", "splits", "features"), ("files",)),
    "side": ("easy-vqa", "files"),
}
"""Which pictures a field is for."""
SEEDS = {"train": 1, "valid": 2, "test": 3}
"""Of the generated splits, beside the seed of the data."""

Splits = Mapping[str, AskedPictures]


@dataclass(frozen=True)
class VisualData:
    """Pictures with questions.

    The part "valid" chooses and "test" is reported; neither is learnt from, and no two parts share
    a picture.
    """

    pictures: Literal["sort-of-clevr", "easy-vqa", "shapes", "files"] = "sort-of-clevr"
    """Six coloured objects, which are generated; easy-VQA, SHAPES, or files of your own."""
    train: int = 9800
    """Generated pictures to learn from; each is asked twenty questions."""
    held_out: int = 200
    """Generated pictures that choose, and as many that are reported."""
    path: Path | None = None
    """The folder of easy-VQA or SHAPES, or of the pictures of your own questions."""
    questions: Path | None = None
    """Of your own: the JSON of VQA, or the text of DAQUAR."""
    annotations: Path | None = None
    """Of your own: the JSON of VQA with the answers."""
    splits: Path | None = None
    """Of your own: a folder with train.txt and test.txt, and valid.txt if you like, which name
    pictures; without one, the last pictures are held back."""
    features: Path | None = None
    """Of your own: a file of features in place of the pictures."""
    side: int = 64
    """Pixels of the side that pictures of files are resized to."""
    least: int = 1
    """Words of questions that occur less often are unknown."""
    answers: int = 1000
    """Answers that can be given: the most frequent ones, at most so many."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, train=1, held_out=1, side=8, least=1, answers=1)
        expect_at_most("data", self, side=1024)
        expect_used("data", self, "pictures", USERS)
        if self.pictures == "files" and self.questions is None:
            raise ValueError(
                'data.pictures is "files", and data.questions names no file. '
                "Pass --data.questions FILE."
            )

    def load(self) -> Splits:
        """Read or make the pictures with their questions.

        Raises:
            FileNotFoundError: a file is not at hand.
            ValueError: a file cannot be read, or a part has no question.
        """
        if self.pictures == "sort-of-clevr":
            sizes = {"train": self.train, "valid": self.held_out, "test": self.held_out}
            return {name: sort_of_clevr(size, (0, SEEDS[name])) for name, size in sizes.items()}
        if self.pictures == "shapes":
            parts = {"train": "train", "valid": "val", "test": "test"}
            return {name: load_shapes(self.path, part) for name, part in parts.items()}
        if self.pictures == "easy-vqa":
            whole = load_easy_vqa(self.path, "train", self.side)
            known = max(1, round((1 - HELD_OUT) * len(whole.images)))
            train, valid = whole.cut(known)
            return {
                "train": train,
                "valid": valid,
                "test": load_easy_vqa(self.path, "test", self.side),
            }
        assert self.questions is not None
        return load_questions(
            self.questions, self.annotations, self.path, self.splits, self.features, self.side
        )

    def known_answers(self, train: AskedPictures) -> tuple[str, ...]:
        """Return the answers that can be given, the most frequent first."""
        counts = Counter(train.answers)
        ordered = sorted(counts, key=lambda answer: (-counts[answer], answer))
        return tuple(ordered[: self.answers])


@dataclass(frozen=True)
class Kept:
    """What is kept beside the weights: words, answers, and what pictures are like.

    Attributes:
        words: of questions.
        answers: that can be given.
        side: height and width of a picture.
        features: what the file of features says of itself, where there is one.
    """

    words: Words
    answers: tuple[str, ...]
    side: tuple[int, int]
    features: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "words": self.words.to_json(),
            "answers": list(self.answers),
            "side": list(self.side),
            "features": self.features,
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Kept":
        height, width = record["side"]
        words, answers = Words.from_json(record["words"]), tuple(record["answers"])
        return cls(words, answers, (height, width), record["features"])


def digest(splits: Splits) -> str:
    """Return the SHA-256 of all pictures and questions, split by split."""
    parts = "".join(f"{name}\t{part.sha256}\n" for name, part in splits.items())
    return hashlib.sha256(parts.encode()).hexdigest()

"""Pictures and what is asked of them, as arrays and words. No tensors."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

HUMANS = 3
"""So many people have to give an answer for it to be wholly right (Antol et al., 2015)."""


@dataclass(frozen=True)
class Objects:
    """What is in pictures, and which of it questions are about.

    Attributes:
        centres: `(picture, object, 2)`, across and down in pixels.
        radius: of every object, in pixels.
        named: the object that each question names.
        meant: the object that each question asks for; -1 where it asks for none but that.
    """

    centres: np.ndarray
    radius: float
    named: np.ndarray
    meant: np.ndarray


@dataclass(frozen=True)
class AskedPictures:
    """Pictures with questions.

    Attributes:
        images: `(picture, height, width, 3)` from 0 to 255; of features `(picture, slot, dim)`.
        of: the picture of each question.
        questions: as texts.
        answers: of each question, the right one.
        kinds: of each question, such as "closest".
        groups: kinds that are reported together, by name.
        humans: all answers that were given to each question, where several people answered.
        objects: where everything is, where that is known.
        features: what the file of features says of itself; None where these are pictures.
    """

    images: np.ndarray
    of: np.ndarray
    questions: tuple[str, ...]
    answers: tuple[str, ...]
    kinds: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    humans: tuple[tuple[str, ...], ...] = ()
    objects: Objects | None = None
    features: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def sha256(self) -> str:
        """The checksum of pictures, questions and answers."""
        told = self.questions, self.answers, self.kinds, self.humans, self.of.tolist()
        found = hashlib.sha256(repr(told).encode())
        found.update(np.ascontiguousarray(self.images).tobytes())
        return found.hexdigest()

    def cut(self, pictures: int) -> tuple["AskedPictures", "AskedPictures"]:
        """Return the questions about the first so many pictures, and those about the others.

        Args:
            pictures: that the first part has.
        """
        return self._between(0, pictures), self._between(pictures, len(self.images))

    def _between(self, first: int, end: int) -> "AskedPictures":
        rows = np.flatnonzero((self.of >= first) & (self.of < end))
        objects = self.objects
        if objects is not None:
            objects = Objects(
                objects.centres[first:end],
                objects.radius,
                objects.named[rows],
                objects.meant[rows],
            )
        return replace(
            self,
            images=self.images[first:end],
            of=self.of[rows] - first,
            questions=tuple(self.questions[row] for row in rows),
            answers=tuple(self.answers[row] for row in rows),
            kinds=tuple(self.kinds[row] for row in rows),
            humans=tuple(self.humans[row] for row in rows) if self.humans else (),
            objects=objects,
        )


def question_only(train: AskedPictures, questions: Sequence[str]) -> tuple[str, ...]:
    """Return what is best answered where the picture is not seen: the control of all figures.

    It is the most frequent answer to the same question in training; to one that never came, the
    most frequent of all.

    Args:
        train: what is learnt from.
        questions: that are answered.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for question, answer in zip(train.questions, train.answers, strict=True):
        counts[question][answer] += 1
    whole = sum(counts.values(), Counter()).most_common(1)
    usual = whole[0][0] if whole else ""
    best = {question: count.most_common(1)[0][0] for question, count in counts.items()}
    return tuple(best.get(question, usual) for question in questions)


def human_score(answer: str, given: Sequence[str]) -> float:
    """Return how far an answer is right: the share of three people who gave it, 1 at most.

    Args:
        answer: that is judged.
        given: by people.
    """
    return min(sum(one == answer for one in given) / HUMANS, 1.0)

"""Pictures and questions as tensors, with what is kept of them beside a model."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from memnets.data.pairs import Words
from memnets.data.pictures.asked import AskedPictures, human_score, question_only
from memnets.studies.visual_questions.data import Kept, Splits, VisualData

UNANSWERABLE = -2
"""A right answer that cannot be given: it counts as wrong, and is not learnt."""


class NumberedQuestions(NamedTuple):
    """Pictures, and questions as numbers; those about a picture stand together.

    Attributes:
        images: a picture each, whole numbers from 0 to 255, or vectors of its places.
        first: where the questions of each picture begin, and where the last end.
        question: the words, filled up with nil.
        answer: the number of the right one.
        of: the picture of each question.
        kind: of each question, a number.
        floor: whether the question-only answer is right.
        people: how right each answer is by people's, `(question, answer)`; of no answers where
            none were asked.
        named: the object that each question names; negative where it is not known.
        meant: the object that each question asks for; negative where it asks for no other.
        centres: of every object, across and down in pixels; of none where they are not known.
        radii: of every object.
    """

    images: Tensor
    first: Int[Tensor, " bound"]
    question: Int[Tensor, "question word"]
    answer: Int[Tensor, " question"]
    of: Int[Tensor, " question"]
    kind: Int[Tensor, " question"]
    floor: Bool[Tensor, " question"]
    people: Float[Tensor, "question answer"]
    named: Int[Tensor, " question"]
    meant: Int[Tensor, " question"]
    centres: Float[Tensor, "image object 2"]
    radii: Float[Tensor, "image object"]

    def about(self, pictures: Int[Tensor, " row"]) -> "NumberedQuestions":
        """Return some pictures, once each, with all that is asked of them."""
        begins = self.first[pictures]
        many = self.first[pictures + 1] - begins
        of = torch.arange(len(pictures), device=many.device).repeat_interleave(many)
        bounds = torch.cat([many.new_zeros(1), many.cumsum(0)])
        place = torch.arange(len(of), device=many.device) - bounds[of]
        rows = begins[of] + place
        question = self.question[rows]
        longest = int((question != 0).sum(1).max()) if len(rows) else 0
        asked = (self.answer, self.kind, self.floor, self.people, self.named, self.meant)
        answer, kind, floor, people, named, meant = (part[rows] for part in asked)
        objects = self.centres[pictures], self.radii[pictures]
        return NumberedQuestions(
            self.images[pictures],
            bounds,
            question[:, :longest],
            *(answer, of, kind, floor, people, named, meant),
            *objects,
        )

    def of_kinds(self, kinds: Sequence[int]) -> "NumberedQuestions":
        """Return all pictures, with those of their questions that are of some kinds."""
        rows = torch.isin(self.kind, torch.tensor(kinds, device=self.kind.device))
        begun = torch.cat([rows.new_zeros(1, dtype=torch.long), rows.cumsum(0)])
        asked = ("question", "answer", "of", "kind", "floor", "people", "named", "meant")
        parts = {name: getattr(self, name)[rows] for name in asked}
        return self._replace(first=begun[self.first], **parts)

    @property
    def pictures(self) -> Float[Tensor, "image ..."]:
        """The pictures as numbers from 0 to 1; vectors as they are."""
        return self.images.float() / 255 if self.images.dtype == torch.uint8 else self.images


class Encoded(NamedTuple):
    """All that is learnt from.

    Attributes:
        kept: what is kept beside the weights.
        splits: the questions by the name of their split.
        kinds: names of kinds, by their numbers.
        groups: numbers of the kinds that are reported together, by name.
    """

    kept: Kept
    splits: dict[str, NumberedQuestions]
    kinds: tuple[str, ...]
    groups: dict[str, tuple[int, ...]]


def encode(splits: Splits, data: VisualData) -> Encoded:
    """Return what is kept, and the splits as numbers."""
    train = splits["train"]
    height, width = train.images.shape[1:3]
    words = Words.of(train.questions, least=data.least)
    kept = Kept(words, data.known_answers(train), (height, width), train.features)
    kinds = tuple(sorted({kind for part in splits.values() for kind in part.kinds}))
    groups = {
        name: tuple(kinds.index(kind) for kind in members if kind in kinds)
        for name, members in train.groups.items()
        if set(members) & set(kinds)
    }
    numbered = {name: number(part, train, kept, kinds) for name, part in splits.items()}
    return Encoded(kept, numbered, kinds, groups)


def number(
    part: AskedPictures, train: AskedPictures, kept: Kept, kinds: tuple[str, ...]
) -> NumberedQuestions:
    """Return the questions of a split as numbers, those about a picture together.

    Args:
        part: the split.
        train: what is learnt from, for what is answered without the picture.
        kept: words and answers that are known.
        kinds: of all splits.
    """
    order = np.argsort(part.of, kind="stable")
    known = {answer: n for n, answer in enumerate(kept.answers)}
    floor = question_only(train, part.questions)
    counts = np.bincount(part.of, minlength=len(part.images))
    people = (
        [[human_score(a, part.humans[row]) for a in kept.answers] for row in order]
        if (part.humans)
        else np.zeros((len(order), 0))
    )
    nobody = np.full(len(part), -1)
    objects = part.objects
    named, meant = (nobody, nobody) if objects is None else (objects.named, objects.meant)
    none = np.zeros((len(part.images), 0, 2))
    centres = torch.tensor(none if objects is None else objects.centres, dtype=torch.float32)
    images = part.images if part.features else as_channels(part.images)
    return NumberedQuestions(
        torch.as_tensor(images),
        torch.tensor([0, *np.cumsum(counts)]),
        asked([part.questions[row] for row in order], kept.words),
        torch.tensor([known.get(part.answers[row], UNANSWERABLE) for row in order]),
        torch.tensor(part.of[order]),
        torch.tensor([kinds.index(part.kinds[row]) for row in order]),
        torch.tensor([floor[row] == part.answers[row] for row in order]),
        torch.tensor(np.asarray(people), dtype=torch.float32),
        torch.tensor(named[order]),
        torch.tensor(meant[order]),
        centres,
        torch.full(centres.shape[:2], 0.0 if objects is None else objects.radius),
    )


def members(group: str, groups: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the numbers of the kinds of a group.

    Raises:
        ValueError: there is no such group.
    """
    if group not in groups:
        raise ValueError(
            f"training.first is {group!r}: expected one of {', '.join(sorted(groups)) or 'none'}, "
            f"the groups of these questions. Pass --training.first with one of them."
        )
    return groups[group]


def asked(questions: list[str], words: Words) -> Int[Tensor, "question word"]:
    """Return questions as numbers, filled up with nil."""
    rows = [torch.tensor(words.numbers(question), dtype=torch.long) for question in questions]
    return pad_sequence(rows, batch_first=True)


def as_channels(images: np.ndarray) -> Tensor:
    """Return pictures with their colours first, as whole numbers from 0 to 255."""
    return torch.from_numpy(np.ascontiguousarray(images.transpose(0, 3, 1, 2)))

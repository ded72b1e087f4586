"""Stories whose questions name their supports in order, as bags of features: for MemNN."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from memnets.data.babi import Story, tokens
from memnets.models.memnn import END, STOP, StoryBags
from memnets.ops.bags import NIL
from memnets.tasks.supports import LOST

NO_MORE = "."
"""How the word `END` is written: no text holds it, since `tokens` drops full stops."""


@dataclass(frozen=True)
class FeatureVocabulary:
    """The features of a language: nil, the end, words, and then n-grams of several words.

    Args:
        features: all of them; those of several words have a space between.
        words: how many are nil, the end and words.
        gram: the longest n-gram counted; 1 for words alone.
        hops: the most supports that a training question has.
        said: the most words that a training answer has.
    """

    features: tuple[str, ...]
    words: int
    gram: int
    hops: int
    said: int
    _number: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {name: number for number, name in enumerate(self.features)}
        object.__setattr__(self, "_number", numbers)

    @classmethod
    def of(cls, stories: Iterable[Story], gram: int = 1) -> "FeatureVocabulary":
        """Collect the features of training stories."""
        words: dict[str, None] = {}
        grams: dict[str, None] = {}
        hops = said = 1
        for story in stories:
            for item in story.items:
                sentence = tokens(item.text)
                words.update(dict.fromkeys(sentence))
                grams.update(dict.fromkeys(_grams(sentence, gram)))
            for question in story.questions:
                answer = answer_words(question.answer)
                words.update(dict.fromkeys(answer))
                hops, said = max(hops, len(question.supports)), max(said, len(answer))
        known = ("", NO_MORE, *sorted(words))
        return cls((*known, *sorted(grams)), len(known), gram, hops, said)

    def bag(self, text: str) -> list[int]:
        """Return the known features of a sentence."""
        sentence = tokens(text)
        named = (*sentence, *_grams(sentence, self.gram))
        return [self._number[name] for name in named if name in self._number]

    def answer(self, text: str) -> list[int]:
        """Return the words of an answer, and the end; -2 for a word that was never seen."""
        return [*(self._number.get(word, -2) for word in answer_words(text)), END]

    def unknown(self, text: str) -> tuple[str, ...]:
        """Return the words of a sentence that were never seen."""
        return tuple(word for word in tokens(text) if word not in self._number)

    def to_json(self) -> dict[str, Any]:
        sizes = {name: getattr(self, name) for name in ("words", "gram", "hops", "said")}
        return {"features": list(self.features), **sizes}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "FeatureVocabulary":
        return cls(**{**record, "features": tuple(record["features"])})


class SupportedQuestions(NamedTuple):
    """The questions of a split as index tensors; slots stand in the order of the story."""

    sentences: Int[Tensor, "sentence feature"]
    """Each distinct sentence once; sentence 0 is the stop fact."""
    story: Int[Tensor, "question slot"]
    """Slot 0 is the stop fact where the model is adaptive."""
    length: Int[Tensor, " question"]
    question: Int[Tensor, "question feature"]
    supports: Int[Tensor, "question hop"]
    """In the order that the data give; -1 after the last, `LOST` for one that no slot holds."""
    answer: Int[Tensor, "question said"]
    """Its words and the end; -1 after it, -2 for words never seen."""
    task: Int[Tensor, " question"]

    @property
    def number(self) -> int:
        """How many questions there are."""
        return len(self.length)

    def take(self, index: Int[Tensor, " row"]) -> "SupportedQuestions":
        """Return some of the questions; the sentences stay as they are."""
        return type(self)(self.sentences, *(part[index] for part in self[1:]))

    def asked(self, rows: Int[Tensor, " row"]) -> StoryBags:
        """Return what a model is asked."""
        return StoryBags(self.sentences, self.story[rows], self.length[rows], self.question[rows])


def number_supported(
    stories: Sequence[Story],
    vocabulary: FeatureVocabulary,
    stop: bool = True,
    window: int | None = None,
    needed: bool = True,
) -> SupportedQuestions:
    """Turn stories into index tensors.

    Args:
        stories: with the supports of every question.
        vocabulary: the features.
        stop: whether slot 0 of every story is the stop fact.
        window: how many of the latest sentences a question looks back on; all by default.
        needed: whether every question must name its supports.

    Raises:
        ValueError: there is no question, or one names no supports and they are needed.
    """
    sentences: dict[str, int] = {NO_MORE: 0}
    rows, supports, questions, answers, tasks = [], [], [], [], []
    for story in stories:
        slot: dict[int, int] = {}  # of a line of the story
        told_so_far = [STOP] if stop else []
        for told, question in story.asked():
            for statement in told[len(slot) :]:
                slot[statement.line] = len(told_so_far)
                text = " ".join(tokens(statement.text))
                told_so_far.append(sentences.setdefault(text, len(sentences)))
            if needed and not question.supports:
                raise ValueError(
                    f'{story.source}:{story.line}: in this story, "{question.text}" names no '
                    f"supports. MemNN learns from them: expected their line numbers after the "
                    f"answer. Train a model that needs none, such as memn2n."
                )
            first = int(stop)  # of the sentences, behind the stop fact
            lost = 0 if window is None else max(0, len(told_so_far) - first - window)
            rows.append(told_so_far[:first] + told_so_far[first + lost :])
            places = (slot[line] - lost for line in question.supports)
            supports.append([place if place >= first else LOST for place in places])
            questions.append(vocabulary.bag(question.text))
            answers.append(vocabulary.answer(question.answer))
            tasks.append(story.task)
    if not rows:
        raise ValueError(f"{len(stories)} stories hold no question. Name files that ask.")
    bags = [[END], *(vocabulary.bag(text) for text in list(sentences)[1:])]
    return SupportedQuestions(
        sentences=_padded(bags, NIL),
        story=_padded(rows, STOP),
        length=torch.tensor([len(row) for row in rows]),
        question=_padded(questions, NIL),
        supports=_padded(supports, -1),
        answer=_padded(answers, -1),
        task=torch.tensor(tasks),
    )


def repeat_last(supports: Int[Tensor, "question hop"], hops: int) -> Int[Tensor, "question _"]:
    """Return so many supports of every question: the last one again where there are fewer.

    A model of fixed k finds k supports, whether a question needs them or not: it has to be taught
    all of them.
    """
    supports = F.pad(supports, (0, max(0, hops - supports.shape[1])), value=-1)[:, :hops]
    last = ((supports >= 0).sum(-1, keepdim=True) - 1).clamp(min=0)
    return torch.where(supports < 0, supports.gather(1, last), supports)


def number_asked(
    told: Sequence[str], question: str, vocabulary: FeatureVocabulary, stop: bool = True
) -> StoryBags:
    """Turn one story that was told, and a question about it, into index tensors."""
    bags = [*([[END]] if stop else []), *(vocabulary.bag(text) for text in told)]
    slots = torch.arange(len(bags))
    return StoryBags(
        sentences=_padded(bags or [[NIL]], NIL),
        story=slots[None],
        length=torch.tensor([len(bags)]),
        question=_padded([vocabulary.bag(question)], NIL),
    )


def answer_words(text: str) -> list[str]:
    """Return the words of an answer: "apple,milk" is two."""
    return text.lower().split(",")


def _grams(sentence: Sequence[str], longest: int) -> list[str]:
    """Return all runs of 2 to `longest` words."""
    return [
        " ".join(sentence[first : first + size])
        for size in range(2, longest + 1)
        for first in range(len(sentence) - size + 1)
    ]


def _padded(rows: Sequence[Sequence[int]], value: int) -> Tensor:
    width = max([1, *(len(row) for row in rows)])
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in rows])

"""Stories as index tensors: each distinct sentence is kept once, a slot is its number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from memnets.data.babi import Story, tokens
from memnets.ops.bags import NIL
from memnets.tasks.supports import LOST

KEPT, SHORT = 2**13, 200
"""So many sentences are kept as numbers, of so many letters at most."""


@dataclass(frozen=True)
class StoryVocabulary:
    """What a model knows of its language: the words, and the sizes its training data had.

    Args:
        words: the vocabulary; word 0 is nil.
        sentence_words: words in the longest sentence, J without the time word.
        memory: the most sentences a question can look back on.
    """

    words: tuple[str, ...]
    sentence_words: int
    memory: int
    _number: dict[str, int] = field(init=False, repr=False, compare=False)
    _kept: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {word: number for number, word in enumerate(self.words)}
        object.__setattr__(self, "_number", numbers)
        object.__setattr__(self, "_kept", {})

    @classmethod
    def of(cls, stories: Iterable[Story], memory: int) -> "StoryVocabulary":
        """Collect the words of training stories; the memory is the longest story, or `memory`."""
        words: dict[str, None] = {}
        longest_sentence = longest_story = 0
        for story in stories:
            for item in story.items:
                sentence = tokens(item.text)
                longest_sentence = max(longest_sentence, len(sentence))
                words.update(dict.fromkeys(sentence))
            for told, question in story.asked():
                longest_story = max(longest_story, len(told))
                words[question.answer.lower()] = None
        return cls(("", *sorted(words)), longest_sentence, min(memory, longest_story))

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a sentence's words; an unknown word is nil.

        Raises:
            ValueError: the sentence is longer than any of the training data.
        """
        sentence = tokens(text)
        if len(sentence) > self.sentence_words:
            raise ValueError(
                f'"{_beginning(text)}" has {len(sentence)} words. This model was trained on '
                f"sentences of at most {self.sentence_words}. Say it in fewer words, or in several "
                f"sentences."
            )
        return [self._number.get(word, NIL) for word in sentence]

    def numbers_again(self, text: str) -> tuple[int, ...]:
        """Return `numbers` of a sentence that is likely to come again: short ones are kept.

        Raises:
            ValueError: as `numbers`.
        """
        found = self._kept.get(text)
        if found is None:
            found = tuple(self.numbers(text))
            if len(text) <= SHORT:
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                self._kept[text] = found
        return found

    def answer(self, text: str) -> int:
        """Return the number of an answer; -1 for one that was never seen, so never given."""
        return self._number.get(text.lower(), -1)

    def unknown(self, text: str) -> tuple[str, ...]:
        """Return the words of a sentence that were never seen."""
        return tuple(word for word in tokens(text) if word not in self._number)

    def to_json(self) -> dict[str, Any]:
        return {
            "words": list(self.words),
            "sentence_words": self.sentence_words,
            "memory": self.memory,
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "StoryVocabulary":
        return cls(tuple(record["words"]), record["sentence_words"], record["memory"])


class StoryQuestions(NamedTuple):
    """The questions of a split, as index tensors. Slots stand in the order of the story."""

    sentences: Int[Tensor, "sentence word"]
    """Each distinct sentence once; sentence 0 is empty and fills the slots up."""
    story: Int[Tensor, "question slot"]
    length: Int[Tensor, " question"]
    question: Int[Tensor, "question word"]
    answer: Int[Tensor, " question"]
    supports: Int[Tensor, "question support"]
    """In the order that the data give; -1 after the last, `LOST` for one that no slot holds."""
    task: Int[Tensor, " question"]

    @property
    def number(self) -> int:
        """How many questions there are."""
        return len(self.answer)

    def take(self, index: Int[Tensor, " row"]) -> "StoryQuestions":
        """Return some of the questions; the sentences stay as they are."""
        return type(self)(self.sentences, *(part[index] for part in self[1:]))


def number_stories(stories: Sequence[Story], vocabulary: StoryVocabulary) -> StoryQuestions:
    """Turn stories into index tensors; a question sees the last `vocabulary.memory` sentences."""
    sentences: dict[tuple[int, ...], int] = {(): 0}
    rows, supports, questions, answers, tasks = [], [], [], [], []
    for story in stories:
        number: dict[int, int] = {}  # of the sentence that stands in a line of the story
        for told, question in story.asked():
            for statement in told[len(number) :]:
                words = tuple(numbers_in(story, statement.text, vocabulary))
                number[statement.line] = sentences.setdefault(words, len(sentences))
            lost = len(told) - min(len(told), vocabulary.memory)
            rows.append([number[statement.line] for statement in told[lost:]])
            place = {statement.line: slot for slot, statement in enumerate(told[lost:])}
            named_once = dict.fromkeys(question.supports)
            supports.append([place.get(line, LOST) for line in named_once])
            questions.append(numbers_in(story, question.text, vocabulary))
            answers.append(vocabulary.answer(question.answer))
            tasks.append(story.task)
    return StoryQuestions(
        sentences=_padded(list(sentences), vocabulary.sentence_words),
        story=_padded(rows),
        length=torch.tensor([len(row) for row in rows]),
        question=_padded(questions, vocabulary.sentence_words),
        answer=torch.tensor(answers),
        supports=_padded(supports, value=-1),
        task=torch.tensor(tasks),
    )


class ToldStories(NamedTuple):
    """What a model of stories is asked with."""

    sentences: Int[Tensor, "sentence word"]
    """As in `StoryQuestions`."""
    story: Int[Tensor, "question slot"]
    time: Int[Tensor, "question slot"]
    question: Int[Tensor, "question word"]


def number_told(
    told: Sequence[tuple[Sequence[str], str]], vocabulary: StoryVocabulary
) -> ToldStories:
    """Turn stories that somebody tells, and a question each, into what a model is asked with.

    Args:
        told: sentences, the oldest first, of which the last `vocabulary.memory` are taken; and
            what is asked.
        vocabulary: the words that the model knows.

    Raises:
        ValueError: a sentence is longer than any of the training data.
    """
    sentences: dict[tuple[int, ...], int] = {(): 0}
    rows = [
        [
            sentences.setdefault(vocabulary.numbers_again(sentence), len(sentences))
            for sentence in context[max(0, len(context) - vocabulary.memory) :]
        ]
        for context, _ in told
    ]
    questions = [vocabulary.numbers_again(question) for _, question in told]
    length = torch.tensor([len(row) for row in rows])
    story = _padded(rows)
    return ToldStories(
        _padded(list(sentences), vocabulary.sentence_words),
        story,
        recency(length, story.shape[1]),
        _padded(questions, vocabulary.sentence_words),
    )


def recency(length: Int[Tensor, " question"], slots: int) -> Int[Tensor, "question slot"]:
    """Return how long ago each slot was written, 1 the newest; 0 where the slot is empty."""
    return (length[:, None] - torch.arange(slots, device=length.device)).clamp(min=0).int()


def _beginning(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def numbers_in(story: Story, text: str, vocabulary: StoryVocabulary) -> list[int]:
    """Return the numbers of a sentence's words; what is wrong with it is said with its place.

    Raises:
        ValueError: the sentence is longer than any of the training data.
    """
    try:
        return vocabulary.numbers(text)
    except ValueError as error:
        raise ValueError(f"{story.source}:{story.line}: in this story, {error}") from None


def _padded(rows: Sequence[Sequence[int]], width: int = 0, value: int = 0) -> Tensor:
    width = max([width, *(len(row) for row in rows)])
    filled = [[*row, *[value] * (width - len(row))] for row in rows]
    return torch.tensor(filled, dtype=torch.int32)

"""Stories for models that read them as one string of words: what is told and asked, in order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from memnets.data.babi import Question, Story
from memnets.tasks.stories import StoryVocabulary, numbers_in
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 100
"""Stories read at once when nothing is learnt."""


class Streams(NamedTuple):
    """Stories as words; a question is where its last word stands. Place 0 holds no question."""

    words: Int[Tensor, "story time"]
    place: Int[Tensor, "story query"]
    answer: Int[Tensor, "story query"]

    def take(self, rows: Int[Tensor, " row"]) -> "Streams":
        """Return some of the stories."""
        return Streams(*(part[rows] for part in self))


def number_streams(stories: Sequence[Story], vocabulary: StoryVocabulary) -> Streams:
    """Turn stories into the numbers of their words; an answer never seen is -1."""
    streams, places, answers = [], [], []
    for story in stories:
        words: list[int] = []
        asked: list[tuple[int, int]] = []
        for item in story.items:
            words += numbers_in(story, item.text, vocabulary)
            if isinstance(item, Question):
                asked.append((len(words) - 1, vocabulary.answer(item.answer)))
        streams.append(torch.tensor(words))
        places.append(torch.tensor([place for place, _ in asked]))
        answers.append(torch.tensor([answer for _, answer in asked]))
    return Streams(*(pad_sequence(part, batch_first=True) for part in (streams, places, answers)))


class StreamTask(Task):
    """Answer in one word, with the cross entropy of all words as the loss.

    Args:
        streams: the splits by name.
        batch: stories in an update; each is read once an epoch.
    """

    unit = "questions"

    def __init__(self, streams: Mapping[str, Streams], batch: int = 10) -> None:
        self.streams = streams
        self.batch = batch

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.streams["train"].words) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of stories, without end."""
        return shuffled(len(self.streams[split].words), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> Streams:
        return self.streams[split].take(*batch)

    def loss(
        self, model: nn.Module, batch: Streams, state: Any, generator: torch.Generator
    ) -> Step:
        logits, answer = _answered(model, batch)
        loss = F.cross_entropy(logits, answer, reduction="sum")
        return Step(loss, len(answer), state, {"accuracy": (logits.argmax(-1) == answer).sum()})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss and accuracy; `gold_read` is 0, as no statement is named as read."""
        streams = self.streams[split]
        every = torch.arange(len(streams.words), device=streams.words.device)
        parts = [_answered(model, streams.take(rows)) for rows in every.split(EVALUATION_BATCH)]
        logits, answer = (torch.cat(part) for part in zip(*parts, strict=True))
        loss = F.cross_entropy(logits, answer, reduction="sum", ignore_index=-1)
        right = (logits.argmax(-1) == answer).sum()
        number = len(answer)
        return {
            "loss": Ratio(float(loss), number),
            "accuracy": Ratio(float(right), number),
            "gold_read": Ratio(0.0, number),
        }


@torch.no_grad()
def given(
    model: nn.Module, vocabulary: StoryVocabulary, task: StreamTask, split: str
) -> list[tuple[str, float]]:
    """Return the answer to each question of a split, and its probability."""
    found = []
    streams = task.streams[split]
    every = torch.arange(len(streams.words), device=streams.words.device)
    for rows in every.split(EVALUATION_BATCH):
        best = _answered(model, streams.take(rows))[0].softmax(-1).max(-1)
        for number, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            found.append((vocabulary.words[number], probability))
    return found


def _answered(model: nn.Module, streams: Streams) -> tuple[Tensor, Tensor]:
    """Return the scores of all answers, and the right one, of each question."""
    asked = streams.place > 0
    return model(streams.words, streams.place)[asked], streams.answer[asked]

"""Sentiment for a dynamic memory network: words as slots, the same question of every phrase."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor, nn

from memnets.studies.sentiment.data import Labelled
from memnets.tasks.word_slots import WordSlots, WordVocabulary
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Phrases answered at once when nothing is learnt."""
QUESTION = "how does it sound?"
"""The question, a word of its own: the vector of it is learnt."""


def vocabulary_of(train: Sequence[Labelled], least: int) -> WordVocabulary:
    """Return the question, and the words that stand in so many training phrases at least."""
    counts = Counter(word for one in train for word in set(one.words))
    return WordVocabulary([QUESTION, *sorted(word for word, n in counts.items() if n >= least)])


class LabelledSlots(NamedTuple):
    """Phrases in numbers, with their classes."""

    words: WordSlots
    question: Int[Tensor, "row 1"]
    label: Int[Tensor, "row 1"]

    def take(self, rows: Int[Tensor, " row"]) -> "LabelledSlots":
        return LabelledSlots(self.words.take(rows), self.question[rows], self.label[rows])


def number(phrases: Sequence[Labelled], vocabulary: WordVocabulary) -> LabelledSlots:
    """Turn phrases into numbers."""
    words = WordSlots.of([one.words for one in phrases], vocabulary.parts, vocabulary.parts_unknown)
    question = torch.full((len(phrases), 1), vocabulary[QUESTION])
    label = torch.tensor([one.label for one in phrases], dtype=torch.long)
    return LabelledSlots(words, question, label.unsqueeze(-1))


class SentimentTask(Task):
    """Say how phrases sound: the loss is the mean cross entropy.

    Args:
        phrases: the splits by name: "train", and the sentences that are to be evaluated.
        batch: phrases in an update.
        word_dropout: share of the words of an update that are read as if they were not known.
    """

    unit = "phrases"

    def __init__(
        self, phrases: Mapping[str, LabelledSlots], batch: int, word_dropout: float
    ) -> None:
        self.phrases, self.batch, self.word_dropout = phrases, batch, word_dropout

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.phrases["train"].label) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled(len(self.phrases[split].label), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> LabelledSlots:
        return self.phrases[split].take(*batch)

    def loss(
        self, model: nn.Module, batch: LabelledSlots, state: Any, generator: torch.Generator
    ) -> Step:
        words = batch.words.forgetful(self.word_dropout, generator)
        losses, _ = model.loss(*words, batch.question, batch.label)  # type: ignore[operator]
        return Step(losses.sum(), len(losses), state, {})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss and accuracy: of sentences, but for the training split, which has phrases."""
        whole = self.phrases[split]
        losses, right = [], []
        every = torch.arange(len(whole.label), device=whole.label.device)
        for rows in every.split(EVALUATION_BATCH):
            some = whole.take(rows)
            reply = model(*some.words, some.question)
            head: Any = model.head
            losses.append(head.loss(reply.memory, reply.asked, some.label))
            right.append((head.words(reply.scores) == some.label).squeeze(-1))
        return {"loss": Ratio.of(torch.cat(losses)), "accuracy": Ratio.of(torch.cat(right))}

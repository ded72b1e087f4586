"""Sentiment by a dynamic memory network (Kumar et al., 2016), on the Stanford Sentiment Treebank.

The paper begins with word vectors that were trained elsewhere (GloVe), and does not print its
sizes. Here vectors begin at random; sizes and training are ours, chosen by the dev sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from memnets.data.treebanks import treebank_words
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.sentiment.data import NAMES, Labelled, SentimentData, digest
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.models.dmn import DMN
    from memnets.tasks.word_slots import WordVocabulary

SPREAD = 0.1
"""Embeddings start uniform between minus and plus this: many words are rare, and stay near it."""


@dataclass(frozen=True)
class SentimentModel:
    """The model: DMN, its slots words."""

    least: int = 2
    """Words that stand in fewer training phrases are unknown."""
    hidden: int = 100
    """Width of embeddings, slots and states."""
    hops: int = 2
    """How often the sentence is read; the paper's figures fall with more."""
    dropout: float = 0.5
    """Share of the numbers of a word, and of what the answer is made of, that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, least=1, hidden=1, hops=1)
        expect_share("model", self, "dropout")

    def build(self, vocabulary: "WordVocabulary", classes: int) -> "DMN":
        from torch import nn

        from memnets.attention import Sigmoid
        from memnets.layers import BagOfWords, KumarGate, SentencesOfStory, SummedDirections
        from memnets.memories import EpisodicMemory, GatedGRU, GRUUpdate
        from memnets.models.dmn import DMN, OneAnswer

        width = self.hidden
        both = SummedDirections(nn.GRU(width, width, bidirectional=True))
        return DMN(
            len(vocabulary),
            width,
            # A word is a sentence of one word, so that every word is a slot.
            story=SentencesOfStory(BagOfWords(1), width, both, self.dropout),
            question=BagOfWords(1),
            memory=EpisodicMemory(
                KumarGate(width), Sigmoid(), GatedGRU(width), GRUUpdate(width), self.hops
            ),
            head=OneAnswer(width, classes, self.dropout),
        )


@dataclass(frozen=True)
class SentimentTraining:
    """The training: Adam on the mean cross entropy of phrases."""

    batch: int = 128
    """Phrases in an update."""
    epochs: int = 6
    """The most there are."""
    looks: int = 4
    """How often an epoch the dev sentences are looked at."""
    patience: int = 6
    """Looks without a higher accuracy after which the run ends."""
    learning_rate: float = 0.002
    """Of Adam."""
    word_dropout: float = 0.1
    """Share of the words of an update that are read as if they were not known."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1, looks=1, patience=1)
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "word_dropout")


@dataclass(frozen=True, kw_only=True)
class Sentiment(Run):
    """What tells how sentences sound."""

    kind: ClassVar[str] = "sentiment"

    data: SentimentData = SentimentData()
    model: SentimentModel = SentimentModel()
    training: SentimentTraining = SentimentTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("kumar2016",)

    @property
    def names(self) -> tuple[str, ...]:
        """The classes."""
        return NAMES[self.data.classes]

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.sentiment.task import SentimentTask, number, vocabulary_of
        from memnets.training.best import Best
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import constant, seeded

        splits = self.data.load()
        vocabulary = vocabulary_of(splits["train"], self.model.least)
        model = self.model.build(vocabulary, len(self.names))
        generator = seeded(self.loop.seed)
        model.reset_parameters(generator)
        with torch.no_grad():
            model.embedding.uniform_(-SPREAD, SPREAD, generator=generator)
        training = self.training
        task = SentimentTask(
            {split: number(part, vocabulary) for split, part in splits.items()},
            training.batch,
            training.word_dropout,
        )
        epoch, rate = task.updates_per_epoch, constant(training.learning_rate)
        every = -(-epoch // training.looks)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("phrases", training.epochs * epoch, rate, every),),
            reduction="mean",
            keep=Best("valid/accuracy", "higher", training.patience),
        )
        record = DataRecord(f"SST, {self.data.classes}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record)

    def restore(self, folder: Path) -> "SentimentAnswerer":
        return SentimentAnswerer(self, folder)


class SentimentAnswerer(Answerer):
    """What was trained to tell how sentences sound."""

    takes = ("text",)
    run: Sentiment

    def read_vocabulary(self) -> "WordVocabulary":
        from memnets.tasks.word_slots import WordVocabulary

        return WordVocabulary(self.folder.read_json("vocabulary.json")["words"])

    def build(self) -> "DMN":
        return self.run.model.build(self.vocabulary, len(self.run.names))

    @cached_property
    def phrases(self) -> dict[str, tuple[Labelled, ...]]:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.phrases)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self._ask(treebank_words(asked))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Tell how the sentences of a split sound; there is one task."""
        return (self._ask(*one) for one in self.phrases[split])

    def _ask(self, words: Sequence[str], gold: int | None = None) -> Answer:
        from memnets.studies.sentiment.inference import ask

        return ask(self.model, self.vocabulary, words, self.run.names, gold)


def sentiment() -> Sentiment:
    """DMN tells how sentences sound, in five classes; taught by phrases."""
    return Sentiment()


def sentiment_binary() -> Sentiment:
    """DMN tells whether sentences sound positive or negative; taught by phrases."""
    return Sentiment(data=SentimentData(classes="binary"))


RECIPES = {
    "dmn/sentiment": sentiment,
    "dmn/sentiment-binary": sentiment_binary,
}

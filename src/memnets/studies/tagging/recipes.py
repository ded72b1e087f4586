"""Parts of speech by a dynamic memory network (Kumar et al., 2016), on UD English-EWT.

The paper tags the Wall Street Journal, whose text may not be passed on, and begins with word
vectors that were trained elsewhere. Sizes and training are ours, chosen by half of the dev set.
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
from memnets.studies.tagging.data import Tagged, TaggingData, digest
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.models.dmn import DMNTagger
    from memnets.studies.tagging.task import TaggingVocabulary


@dataclass(frozen=True)
class TaggingModel:
    """The model."""

    spelling: bool = True
    """Whether a word's ends, up to four letters, and its shape are read beside it."""
    least: int = 2
    """Words, ends and shapes that stand in training less often are unknown."""
    dim: int = 100
    """Width of an embedding."""
    hidden: int = 100
    """Width of slots and states."""
    hops: int = 2
    """How often the sentence is read."""
    dropout: float = 0.3
    """Share of the numbers of a word, and of the state behind it, that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, least=1, dim=1, hidden=1, hops=1)
        expect_share("model", self, "dropout")

    def build(self, vocabulary: "TaggingVocabulary") -> "DMNTagger":
        from torch import nn

        from memnets.attention import Sigmoid
        from memnets.layers import BagOfWords, KumarGate, SentencesOfStory, SummedDirections
        from memnets.memories import EpisodicMemory, GatedGRU, GRUUpdate
        from memnets.models.dmn import DMNTagger
        from memnets.studies.tagging.task import MOST_PARTS

        both = nn.GRU(self.dim, self.hidden, bidirectional=True)
        return DMNTagger(
            len(vocabulary.language),
            self.dim,
            story=SentencesOfStory(
                BagOfWords(MOST_PARTS), self.dim, SummedDirections(both), self.dropout
            ),
            memory=EpisodicMemory(
                KumarGate(self.hidden),
                Sigmoid(),
                GatedGRU(self.hidden),
                GRUUpdate(self.hidden),
                self.hops,
            ),
            tags=len(vocabulary.tags),
            dropout=self.dropout,
        )


@dataclass(frozen=True)
class TaggingTraining:
    """The training: Adam on the mean cross entropy of the words."""

    batch: int = 32
    """Sentences in an update."""
    epochs: int = 20
    """The most there are."""
    patience: int = 4
    """Epochs without a higher validation accuracy after which the run ends."""
    learning_rate: float = 0.002
    """Of Adam."""
    word_dropout: float = 0.1
    """Share of the words of an update that are read as if they were not known."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1, patience=1)
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "word_dropout")


@dataclass(frozen=True, kw_only=True)
class Tagging(Run):
    """A tagger of English words."""

    kind: ClassVar[str] = "tagging"

    data: TaggingData = TaggingData()
    model: TaggingModel = TaggingModel()
    training: TaggingTraining = TaggingTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("kumar2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.tagging.task import TaggingTask, TaggingVocabulary, number
        from memnets.training.best import Best
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import constant, seeded

        splits = self.data.load()
        vocabulary = TaggingVocabulary.of(splits["train"], self.model.least, self.model.spelling)
        seen = frozenset(word for one in splits["train"] for word in one.words)
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        training = self.training
        task = TaggingTask(
            {split: number(part, vocabulary, seen) for split, part in splits.items()},
            training.batch,
            training.word_dropout,
        )
        epoch, rate = task.updates_per_epoch, constant(training.learning_rate)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("tags", training.epochs * epoch, rate, epoch),),
            reduction="mean",
            keep=Best("valid/accuracy", "higher", training.patience),
        )
        record = DataRecord(f"UD English-EWT, {self.data.tags}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record)

    def restore(self, folder: Path) -> "TaggingAnswerer":
        return TaggingAnswerer(self, folder)


class TaggingAnswerer(Answerer):
    """A trained tagger."""

    takes = ("text",)
    run: Tagging

    def read_vocabulary(self) -> "TaggingVocabulary":
        from memnets.studies.tagging.task import TaggingVocabulary

        return TaggingVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def sentences(self) -> dict[str, tuple[Tagged, ...]]:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.sentences)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        from memnets.studies.tagging.inference import ask

        return ask(self.model, self.vocabulary, treebank_words(asked))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Tag the sentences of a split; there is one task."""
        from memnets.studies.tagging.inference import ask

        return (ask(self.model, self.vocabulary, *one) for one in self.sentences[split])


def tagging() -> Tagging:
    """DMN tags the words of English sentences with their parts of speech."""
    return Tagging()


RECIPES = {
    "dmn/tagging": tagging,
}

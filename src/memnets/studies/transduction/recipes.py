"""Transduction with structured attention (Kim et al., 2017), small: generated data, two cores.

The trees of the paper are read by heads that words have in each other, its characters by runs of
slots that the decoder reads together. Sizes, data and training are ours; the data is little, as
with much of it every way of reading learns these tasks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.transduction.data import Splits, TransductionData, digest
from memnets.training.config import (
    expect_above,
    expect_at_least,
    expect_at_most,
    expect_share,
)

if TYPE_CHECKING:
    from memnets.attention import Align, Attention, SoftParents
    from memnets.models.seq2seq import Seq2Seq, SourceReader
    from memnets.studies.transduction.inference import Symbols

MOST_LONGEST = 64


@dataclass(frozen=True)
class TransductionModel:
    """The model: an LSTM reads, another says what it becomes."""

    reads: Literal["words", "states"] = "words"
    """What the decoder reads: the words, each beside its soft parent; or the encoder's states."""
    heads: Literal["none", "simple", "sigmoid", "projective", "non-projective"] = "projective"
    """How a word finds its soft parent: it has none; by a softmax or a sigmoid, word by word; as
    its head in trees without crossing arcs, or in any."""
    align: Literal["softmax", "sigmoid", "linear-chain", "segments"] = "softmax"
    """How the decoder reads: each slot by itself, or runs of them together."""
    dim: int = 48
    """Width of an embedding."""
    hidden: int = 64
    """Width of a state, and of what is read as a head."""
    longest: int = 4
    """Slots of a segment, at most."""
    dropout: float = 0.0
    """Share of the numbers of embeddings and features that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hidden=1, longest=1)
        expect_at_most("model", self, longest=MOST_LONGEST)
        expect_share("model", self, "dropout")

    def build(self, symbols: "Symbols") -> "Seq2Seq":
        from memnets.attention import Attention, General
        from memnets.layers.recurrent import LSTM
        from memnets.layers.stepwise import Stepwise
        from memnets.models.seq2seq import LuongDecoder, Seq2Seq, modern_initial

        source = self._source()
        attention = Attention(General(self.hidden, source.dim), self._align())
        core = LSTM(self.dim, self.hidden)
        decoder = LuongDecoder(core, Stepwise(attention), source.dim)
        sizes = len(symbols.source), len(symbols.target), self.dim
        return Seq2Seq(*sizes, source, decoder, self.dropout, modern_initial)

    def _source(self) -> "SourceReader":
        from memnets.layers.recurrent import LSTM
        from memnets.models.seq2seq import Stacked, WithHeads

        reader = Stacked(LSTM(self.dim, self.hidden))
        if self.reads == "states":
            return reader
        return WithHeads(reader, self._parents(), self.dim, self.hidden)

    def _parents(self) -> "Attention | SoftParents | None":
        from memnets import attention

        kinds: dict[str, Callable[[], Attention | SoftParents | None]] = {
            "none": lambda: None,
            "simple": lambda: attention.Attention(attention.ScaledDot(), attention.Softmax()),
            "sigmoid": lambda: attention.Attention(attention.ScaledDot(), attention.Sigmoid()),
            "projective": lambda: attention.SoftParents(
                attention.ScaledDot(), self.hidden, attention.ProjectiveTrees
            ),
            "non-projective": lambda: attention.SoftParents(
                attention.ScaledDot(), self.hidden, attention.NonProjectiveTrees
            ),
        }
        return kinds[self.heads]()

    def _align(self) -> "Align":
        from memnets import attention

        aligns: dict[str, Callable[[], Align]] = {
            "softmax": attention.Softmax,
            "sigmoid": attention.Sigmoid,
            "linear-chain": attention.LinearChain,
            "segments": lambda: attention.Segments(self.longest),
        }
        return aligns[self.align]()


@dataclass(frozen=True)
class TransductionTraining:
    """The training: Adam on the mean cross entropy of the target's symbols."""

    batch: int = 32
    """Pairs in an update, of like lengths."""
    epochs: int = 15
    """The most there are."""
    patience: int = 4
    """Epochs without a lower validation loss after which the run ends."""
    learning_rate: float = 0.003
    """Of Adam."""
    clip: float = 1.0
    """The longest gradient; a longer one is shortened."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1, patience=1)
        expect_above("training", self, learning_rate=0, clip=0)


@dataclass(frozen=True, kw_only=True)
class Transduction(Run):
    """A transducer of sequences."""

    kind: ClassVar[str] = "transduction"

    data: TransductionData = TransductionData()
    model: TransductionModel = TransductionModel()
    training: TransductionTraining = TransductionTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("kim2017", "luong2015")

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.transduction.inference import Symbols
        from memnets.studies.transduction.task import TransductionTask
        from memnets.tasks.numbered_pairs import NumberedPairs
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import constant, seeded

        splits = self.data.load()
        symbols = Symbols(*self.data.vocabularies(splits["train"]))
        model = self.model.build(symbols)
        model.reset_parameters(seeded(self.loop.seed))
        training = self.training
        numbered = {name: NumberedPairs.of(part, *symbols) for name, part in splits.items()}
        task = TransductionTask(numbered, training.batch)
        epoch, rate = task.updates_per_epoch, constant(training.learning_rate)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("transduction", training.epochs * epoch, rate, epoch),),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/loss", patience=training.patience),
        )
        record = DataRecord(f"generated pairs, {self.data.pairs}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": symbols.to_json()}, record)

    def restore(self, folder: Path) -> "TransductionAnswerer":
        return TransductionAnswerer(self, folder)


class TransductionAnswerer(Answerer):
    """A trained transducer."""

    takes = ("text",)
    run: Transduction

    def read_vocabulary(self) -> "Symbols":
        from memnets.studies.transduction.inference import Symbols

        return Symbols.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def pairs(self) -> Splits:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.pairs)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        from memnets.studies.transduction.inference import transduce

        return transduce(self.model, self.vocabulary, asked)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Say what the sequences of a split become; there is one task."""
        from memnets.studies.transduction.inference import transduce

        for pair in self.pairs[split]:
            yield transduce(self.model, self.vocabulary, pair.source, pair.target)


def trees() -> Transduction:
    """Expressions from prefix to infix; words read heads in a tree (Kim et al.)."""
    return Transduction()


def order() -> Transduction:
    """Letters without gaps to words in another order; runs of slots are read together."""
    return Transduction(
        data=TransductionData(pairs="order", train=1000),
        model=TransductionModel(reads="states", align="linear-chain"),
        training=TransductionTraining(epochs=25),
    )


RECIPES: Mapping[str, Callable[[], Transduction]] = {
    "transduction/trees": trees,
    "transduction/order": order,
}

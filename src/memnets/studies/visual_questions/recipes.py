"""DMN+ on questions about pictures (Xiong et al., 2016), small, on pictures made for it.

Sizes and training are ours, for pictures of a few thousand pixels and one core; the model is the
paper's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.visual_questions.data import Kept, Splits, VisualData, digest
from memnets.training.config import expect_above, expect_at_least, expect_at_most, expect_share

if TYPE_CHECKING:
    from memnets.layers.stems import Stem
    from memnets.models.dmn import VisualDMN
    from memnets.training.experiment import Phase

NON_RELATIONAL = "non_relational"
"""The questions of sort-of-CLEVR that are of one object."""
FIRST = "first"
"""The name of the split of questions that are asked alone at the beginning."""


@dataclass(frozen=True)
class VisualModel:
    """The model."""

    attention: Literal["gru", "sum", "none"] = "gru"
    """What reads regions by their gates: the attention GRU, their sum, or, as the control, the mean
    of all regions, whatever is asked."""
    order: Literal["snake", "rows"] = "snake"
    """In which regions are fused and read."""
    channels: tuple[int, ...] = (32, 64, 64, 64)
    """Widths of the layers that see pictures, each of which halves their sides."""
    deep: int = 0
    """Further layers, which keep the size."""
    batch_norm: bool = False
    """Whether these layers are normalised over a batch."""
    question: Literal["gru", "placed"] = "gru"
    """What reads a question: a GRU, the paper's, or a sum of its words, each weighted by its
    place, as the sentences of a story are read."""
    hidden: int = 64
    """Width of words, regions and states."""
    hops: int = 3
    """How often the regions are read."""
    dropout: float = 0.0
    """Share of the numbers of regions, and of what the answer is made of, that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, deep=0, hidden=1, hops=1)
        expect_share("model", self, "dropout")
        if not self.channels or min(self.channels) < 1:
            raise ValueError(
                f"model.channels is {self.channels}: expected widths of at least 1. "
                f"Pass --model.channels 32 64 64 64."
            )

    def build(self, kept: Kept) -> "VisualDMN":
        """Build the model for words, answers and pictures of a size."""
        from memnets.layers.region_readers import row_by_row, snake
        from memnets.layers.sentences import OwnLengthPositionEncoding
        from memnets.memories import AttentionGRU, MeanOfSlots, SoftSum
        from memnets.models.dmn import dmn_plus_vqa

        stem = self.stem(kept)
        model = dmn_plus_vqa(
            len(kept.words),
            len(kept.answers),
            stem,
            stem.grid(*kept.side),
            self.hidden,
            self.hops,
            self.dropout,
            snake if self.order == "snake" else row_by_row,
            AttentionGRU(self.hidden) if self.attention == "gru" else SoftSum(),
            OwnLengthPositionEncoding() if self.question == "placed" else None,
        )
        if self.attention == "none":
            model.memory = MeanOfSlots(model.memory.update, self.hops)
        return model

    def stem(self, kept: Kept) -> "Stem":
        """Build what sees pictures, or passes on features of them."""
        from memnets.layers.stems import Centred, Given, SmallCNN

        if kept.features is not None:
            return Given(kept.features["dim"], tuple(kept.features["grid"]))
        return Centred(SmallCNN(self.channels, kept.side, self.deep, batch_norm=self.batch_norm))


@dataclass(frozen=True)
class VisualTraining:
    """The training: Adam on the mean negative log-likelihood of the answers."""

    batch: int = 16
    """Pictures in an update, with all that is asked of each."""
    epochs: int = 30
    """The most there are."""
    first: str = NON_RELATIONAL
    """The group of questions that is asked alone at the beginning."""
    first_epochs: int = 0
    """Epochs of that beginning, before the others."""
    patience: int = 10
    """Epochs without a lower validation loss after which the run ends; the paper's."""
    learning_rate: float = 0.001
    """Of Adam; it falls in a straight line to nothing."""
    clip: float = 5.0
    """The longest gradient; a longer one is shortened."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1, patience=1, first_epochs=0)
        expect_at_most("training", self, batch=4096)
        expect_above("training", self, learning_rate=0, clip=0)
        if self.first != NON_RELATIONAL and not self.first_epochs:
            raise ValueError(
                f'training.first is "{self.first}", and would be ignored: it is asked alone for 0 '
                f"epochs. Pass --training.first-epochs 5."
            )
        if self.first_epochs >= self.patience:
            raise ValueError(
                f"training.first_epochs is {self.first_epochs}: expected fewer than "
                f"training.patience, {self.patience}, or the run could end before all is asked. "
                f"Pass fewer epochs, or more patience."
            )


@dataclass(frozen=True, kw_only=True)
class VisualQuestions(Run):
    """A dynamic memory network that is asked about pictures."""

    kind: ClassVar[str] = "visual-questions"

    data: VisualData = VisualData()
    model: VisualModel = VisualModel()
    training: VisualTraining = VisualTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        made = self.data.pictures == "sort-of-clevr"
        return ("xiong2016", "santoro2017") if made else ("xiong2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.visual_questions.encoding import encode, members
        from memnets.studies.visual_questions.task import VisualTask
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment
        from memnets.training.schedules import seeded

        splits, training = self.data.load(), self.training
        kept, questions, kinds, groups = encode(splits, self.data)
        model = self.model.build(kept)
        model.reset_parameters(seeded(self.loop.seed))
        if training.first_epochs:
            questions[FIRST] = questions["train"].of_kinds(members(training.first, groups))
        task = VisualTask(questions, training.batch, kinds, groups, kept.side)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=self._phases(task.updates_per_epoch),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/loss", patience=training.patience),
        )
        record = DataRecord(f"questions about pictures, {self.data.pictures}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": kept.to_json()}, record)

    def _phases(self, epoch: int) -> "tuple[Phase, ...]":
        from memnets.training.experiment import Phase
        from memnets.training.schedules import constant, linear_decay

        training, updates = self.training, self.training.epochs * epoch
        rate = linear_decay(training.learning_rate, updates)
        whole = Phase("questions", updates, rate, epoch)
        if not training.first_epochs:
            return (whole,)
        many = training.first_epochs * epoch
        begin = constant(training.learning_rate)
        return (Phase(training.first, many, begin, epoch, stream=FIRST), whole)

    def restore(self, folder: Path) -> "VisualAnswerer":
        return VisualAnswerer(self, folder)


class VisualAnswerer(Answerer):
    """A trained model that is asked about pictures."""

    takes = ("image", "question")
    run: VisualQuestions

    def read_vocabulary(self) -> Kept:
        return Kept.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def splits(self) -> Splits:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.splits)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        if len(context) != 1:
            raise ValueError(f"{len(context)} pictures came, but {self.name} takes {self.usage}.")
        return self.see(context[0], asked)

    def see(self, picture: Any, question: str) -> Answer:
        """Answer a question about a picture, and tell which regions each hop read.

        Args:
            picture: the file of a picture, or an array `(height, width, 3)` from 0 to 255.
            question: what is asked.

        Raises:
            ValueError: the picture cannot be read, no word is known, or the run takes features.
        """
        from memnets.studies.visual_questions.inference import see

        return see(self.model, self.vocabulary, picture, question)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a split; there is one task."""
        from memnets.studies.visual_questions.inference import examples

        yield from examples(self.model, self.vocabulary, self.splits[split], split)


def sort_of_clevr() -> VisualQuestions:
    """DMN+ is asked about six coloured objects, one or several; no data needed.

    A GRU forgets the colour, which is named in the midst of a question, before it has learnt to
    keep it: where to look is learnt late, or never. Placed words tell it from the first update,
    and questions of one object, asked alone at first, teach nothing but where to look.
    """
    return VisualQuestions(
        model=VisualModel(batch_norm=True, question="placed"),
        training=VisualTraining(epochs=16, first_epochs=5),
    )


def easy_vqa() -> VisualQuestions:
    """DMN+ is asked about one coloured shape (easy-VQA)."""
    return VisualQuestions(data=VisualData(pictures="easy-vqa"), training=VisualTraining(epochs=60))


RECIPES = {
    "dmn-plus/sort-of-clevr": sort_of_clevr,
    "dmn-plus/easy-vqa": easy_vqa,
}

"""End-to-end memory networks as language models (Sukhbaatar et al., 2015, section 5).

Values without a remark are those of the released code. The same model on characters, trained like
the other language models here, is `language/memn2n`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.language.data import TextData
from memnets.studies.language.recipes import LanguageAnswerer
from memnets.training.config import MOST_HOPS, expect_above, expect_at_least, expect_at_most

if TYPE_CHECKING:
    from torch import nn

    from memnets.models.memn2n_lm import MemN2NLanguageModel
    from memnets.studies.language.memn2n.task import Windows
    from memnets.training.experiment import Phase


@dataclass(frozen=True)
class MemN2NLMModel:
    """The model (section 5)."""

    dim: int = 150
    """Width of every embedding, d."""
    linear: int = 75
    """Units of the state without a ReLU."""
    hops: int = 6
    """How often the memory is read, K."""
    memory: int = 100
    """How many words are remembered, N."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, linear=0, hops=1, memory=1)
        expect_at_most("model", self, hops=MOST_HOPS)

    def build(self, vocab: int) -> "MemN2NLanguageModel":
        from memnets.models.memn2n_lm import MemN2NLanguageModel

        return MemN2NLanguageModel(vocab, self.memory, self.dim, self.hops, self.linear)


@dataclass(frozen=True)
class MemN2NLMTraining:
    """The training (section 5): plain SGD, a rate that falls where validation does not."""

    batch: int = 128
    """Stretches of text in an update; the losses of all their words are summed."""
    time: int = 1
    """Words predicted of each."""
    windows: Literal["random", "consecutive"] = "random"
    """Whether stretches are from anywhere, or read the text in rows from left to right."""
    epochs: int = 100
    """The most that there are; one is as many predictions as the text has words."""
    learning_rate: float = 0.01
    """The first."""
    factor: float = 1.5
    """The rate is divided by it after an epoch that is hardly better than the one before."""
    ratio: float = 0.9999
    """To how much of the loss before it the validation loss of an epoch must fall."""
    least_rate: float = 1e-5
    """Training ends when the rate is smaller."""
    clip: float = 50.0
    """The largest norm of all gradients together."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, time=1, epochs=1)
        expect_above("training", self, learning_rate=0, factor=1, ratio=0, least_rate=0, clip=0)
        if self.learning_rate < self.least_rate:
            raise ValueError(
                f"training.learning_rate is {self.learning_rate}: expected at least that of "
                f"training.least_rate, {self.least_rate}, or training would end at once. Raise it, "
                f"or lower the other."
            )

    def stretches(self) -> "Windows":
        """Return which stretches of the text an update learns from."""
        from memnets.studies.language.memn2n.task import ConsecutiveWindows, RandomWindows

        kind = RandomWindows if self.windows == "random" else ConsecutiveWindows
        return kind(self.batch, self.time)

    def phase(self, epoch: int) -> "Phase":
        """Return all of the training, of epochs of so many updates."""
        from memnets.training.experiment import Phase
        from memnets.training.plateau import Plateau
        from memnets.training.schedules import constant

        return Phase(
            "words",
            self.epochs * epoch,
            constant(self.learning_rate),
            evaluate_every=epoch,
            plateau=Plateau(self.factor, self.ratio, self.least_rate),
        )


@dataclass(frozen=True, kw_only=True)
class MemN2NText(Run):
    """MemN2N as a language model of some text."""

    kind: ClassVar[str] = "language/memn2n-words"

    data: TextData = TextData("ptb")
    model: MemN2NLMModel = MemN2NLMModel()
    training: MemN2NLMTraining = MemN2NLMTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("sukhbaatar2015",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.language.memn2n.task import MemoryLanguageTask
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment
        from memnets.training.schedules import seeded

        text, training = self.data.load(), self.training
        symbols = text.vocabulary.symbols
        if training.batch > (words := len(text.splits["train"])):
            raise ValueError(
                f"training.batch is {training.batch:,}, but the training text has {words:,} "
                f"{text.unit}: expected no more. Pass --training.batch {words}, or less."
            )
        model = self.model.build(len(symbols))
        model.reset_parameters(seeded(self.loop.seed))
        splits = {split: torch.from_numpy(part) for split, part in text.splits.items()}
        task = MemoryLanguageTask(splits, self.model.memory, training.stretches(), text.unit)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.SGD(model.parameters(), lr=training.learning_rate),
            phases=(training.phase(task.updates_per_epoch),),
            reduction="sum",
            clip=GlobalNorm(training.clip),
        )
        vocabulary = {"symbols": symbols, "unit": text.unit}
        record = DataRecord(text.name, text.sha256)
        return Prepared(experiment, {"vocabulary.json": vocabulary}, record)

    def restore(self, folder: Path) -> "MemN2NTextAnswerer":
        return MemN2NTextAnswerer(self, folder)


class MemN2NTextAnswerer(LanguageAnswerer):
    """A trained language model of words, which tells what each hop read for every one of them."""

    run: MemN2NText  # type: ignore[assignment]

    def build(self) -> "nn.Module":
        return self.run.model.build(len(self.vocabulary["symbols"]))

    @property
    def cache(self) -> int:
        return 0


def words() -> MemN2NText:
    """Words of the Penn Treebank, 6 hops, a memory of 100 (published test perplexity 115)."""
    return MemN2NText()


RECIPES = {
    "memn2n_lm/words": words,
}

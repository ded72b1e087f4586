"""End-to-end memory networks as language models (Sukhbaatar et al., 2015, section 5).

Values without a remark are those of the released code. `characters` is trained on as many symbols
as the other language models here, and in the same way as they.
"""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memnets.data.text import TEXTS, UNKNOWN, Text, load_text, make_text
from memnets.evidence import Answer
from memnets.recipes.run import Answerer, DataRecord, Prepared, Run
from memnets.training.config import expect_at_least

if TYPE_CHECKING:
    from memnets.models.memn2n_lm import MemN2NLanguageModel
    from memnets.tasks.memory_language import MemoryLanguageTask, Windows
    from memnets.training.experiment import Experiment


@dataclass(frozen=True)
class MemoryText:
    """Which text."""

    text: Literal[
        "ptb", "ptb-characters", "wikitext-2", "shakespeare", "war-and-peace", "generated"
    ] = "ptb"
    """Its name; a generated text is never put in the place of another unasked."""
    path: Path | None = None
    """Folder with its files; by default MEMNETS_DATA, then the cache."""

    def __post_init__(self) -> None:
        if self.text not in (*TEXTS, "generated"):
            raise ValueError(
                f"data.text is {self.text!r}: expected one of {', '.join(TEXTS)}, generated. "
                f"Pass --data.text shakespeare, say."
            )
        if self.text == "generated" and self.path is not None:
            raise ValueError(
                "data.text is generated, so data.path would be ignored. Leave it out, or name a "
                "text with --data.text."
            )

    def load(self) -> Text:
        """Read the text.

        Raises:
            FileNotFoundError: its files are not at hand.
        """
        return make_text() if self.text == "generated" else load_text(self.text, self.path)


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

    def build(self, vocab: int) -> "MemN2NLanguageModel":
        from memnets.models.memn2n_lm import MemN2NLanguageModel

        return MemN2NLanguageModel(vocab, self.memory, self.dim, self.hops, self.linear)


@dataclass(frozen=True)
class WordsTraining:
    """The training (section 5): plain SGD, a rate that falls where validation does not."""

    batch: int = 128
    """Words predicted in an update, each from a random place; their losses are summed."""
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
        expect_at_least("training", self, batch=1, epochs=1, learning_rate=0, clip=0)


@dataclass(frozen=True)
class CharactersTraining:
    """The training beside other language models: Adam over a fixed number of symbols."""

    batch: int = 32
    """Stretches of text in an update."""
    time: int = 40
    """Symbols predicted of each; the loss is their mean."""
    tokens: int = 10_000_000
    """How many symbols are predicted in all."""
    learning_rate: float = 0.003
    """The highest, of Adam."""
    warmup: float = 0.02
    """Share of the updates in which the rate rises to it; then it falls to 0 along a cosine."""
    clip: float = 1.0
    """The largest norm of all gradients together."""
    evaluations: int = 10
    """How many looks at the validation text there are."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            batch=1,
            time=1,
            tokens=self.batch * self.time,
            learning_rate=0,
            warmup=0,
            clip=0,
            evaluations=1,
        )

    @property
    def updates(self) -> int:
        """Return how many updates the symbols make."""
        return self.tokens // (self.batch * self.time)

    def rate(self, update: int) -> float:
        """Return the rate of an update, 0 the first."""
        rising = (update + 1) / max(1.0, self.warmup * self.updates)
        falling = (1 + math.cos(math.pi * update / self.updates)) / 2
        return self.learning_rate * min(rising, 1.0) * falling


@dataclass(frozen=True, kw_only=True)
class MemN2NText(Run):
    """MemN2N as a language model of some text."""

    data: MemoryText = MemoryText()
    model: MemN2NLMModel = MemN2NLMModel()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("sukhbaatar2015",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.tasks.memory_language import MemoryLanguageTask
        from memnets.training.task import fork

        text = self.data.load()
        symbols = text.vocabulary.symbols
        model = self.model.build(len(symbols))
        model.reset_parameters(fork(torch.Generator().manual_seed(self.loop.seed), 0))
        splits = {split: torch.from_numpy(part) for split, part in text.splits.items()}
        task = MemoryLanguageTask(splits, self.model.memory, self.windows(), text.unit)
        vocabulary = {"symbols": symbols, "unit": text.unit}
        return Prepared(
            self.experiment(model, task),
            {"vocabulary.json": vocabulary},
            DataRecord(text.name, text.sha256),
        )

    @abstractmethod
    def windows(self) -> "Windows":
        """Return which stretches of the text an update learns from."""

    @abstractmethod
    def experiment(self, model: "MemN2NLanguageModel", task: "MemoryLanguageTask") -> "Experiment":
        """Return how the model is trained."""

    def restore(self, folder: Path) -> "MemN2NTextAnswerer":
        return MemN2NTextAnswerer(self, folder)


@dataclass(frozen=True, kw_only=True)
class MemN2NWords(MemN2NText):
    """The published run: random places of the text, one word of each."""

    training: WordsTraining = WordsTraining()

    def windows(self) -> "Windows":
        from memnets.tasks.memory_language import RandomWindows

        return RandomWindows(self.training.batch)

    def experiment(self, model: "MemN2NLanguageModel", task: "MemoryLanguageTask") -> "Experiment":
        import torch

        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.plateau import Plateau

        training, epoch = self.training, task.updates_per_epoch
        plateau = Plateau(training.factor, training.ratio, training.least_rate)
        phase = Phase(
            "words",
            training.epochs * epoch,
            lambda update: training.learning_rate,
            evaluate_every=epoch,
            plateau=plateau,
        )
        optimizer = torch.optim.SGD(model.parameters(), lr=training.learning_rate)
        clip = GlobalNorm(training.clip)
        return Experiment(model, task, optimizer, (phase,), reduction="sum", clip=clip)


@dataclass(frozen=True, kw_only=True)
class MemN2NCharacters(MemN2NText):
    """Consecutive stretches of the text, every symbol of them predicted."""

    data: MemoryText = MemoryText("shakespeare")
    model: MemN2NLMModel = MemN2NLMModel(dim=128, linear=64)
    training: CharactersTraining = CharactersTraining()

    def windows(self) -> "Windows":
        from memnets.tasks.memory_language import ConsecutiveWindows

        return ConsecutiveWindows(self.training.batch, self.training.time)

    def experiment(self, model: "MemN2NLanguageModel", task: "MemoryLanguageTask") -> "Experiment":
        import torch

        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase

        training = self.training
        every = max(1, training.updates // training.evaluations)
        phase = Phase("characters", training.updates, training.rate, evaluate_every=every)
        optimizer = torch.optim.Adam(model.parameters(), lr=training.learning_rate)
        clip = GlobalNorm(training.clip)
        return Experiment(model, task, optimizer, (phase,), reduction="mean", clip=clip)


class MemN2NTextAnswerer(Answerer):
    """A trained language model, which says what follows a text and what it read for it."""

    def __init__(self, run: MemN2NText, folder: Path) -> None:
        from memnets.training.runs import RunFolder

        opened = RunFolder.open(folder)
        vocabulary = opened.read_json("vocabulary.json")
        self.run = run
        self.symbols: tuple[str, ...] = tuple(vocabulary["symbols"])
        self.between = " " if vocabulary["unit"] == "words" else ""
        self.model = run.model.build(len(self.symbols))
        opened.load_weights(self.model)
        self.model.eval()

    @cached_property
    def text(self) -> Text:
        return self.run.data.load()

    def ask(self, told: Sequence[str], question: str) -> Answer:
        """Say what follows a text: the lines told, and the beginning of one more."""
        from memnets.tasks.memory_language import predict_next

        text = "\n".join((*told, question))
        units = text.split() if self.between else list(text)
        numbers = {symbol: number for number, symbol in enumerate(self.symbols)}
        read = [numbers.get(unit, numbers[UNKNOWN]) for unit in units]
        unknown = tuple(dict.fromkeys(unit for unit in units if unit not in numbers))
        answer = predict_next(self.model, self.symbols, read, between=self.between)
        return replace(answer, unknown_words=unknown)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Predict every symbol of a part of the run's own text; there is one task, 1."""
        from memnets.tasks.memory_language import predict_next

        part = self.text.splits[split].tolist()
        for place in range(1, len(part)) if task == 1 else ():
            before = part[max(0, place - self.run.model.memory) : place]
            yield predict_next(self.model, self.symbols, before, part[place], self.between)


def words() -> MemN2NWords:
    """Words of the Penn Treebank, 6 hops, a memory of 100 (published test perplexity 115)."""
    return MemN2NWords()


def characters() -> MemN2NCharacters:
    """Characters of Shakespeare, 10 million of them, beside other language models."""
    return MemN2NCharacters()

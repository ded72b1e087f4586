"""Language models that differ in nothing but their core, on one text with one training.

Nothing here is a paper's; the training is one that suits every core on a small budget.
"""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.data.text import Text
from memnets.evidence import Answer, CodedText, ReadText
from memnets.experiments.answerer import Answerer
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.configs.ntm import NTMCore
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.language.data import TextData
from memnets.training.config import (
    MOST_HOPS,
    expect_above,
    expect_at_least,
    expect_at_most,
    expect_share,
)

if TYPE_CHECKING:
    from torch import nn

    from memnets.studies.language.inference import TextReader
    from memnets.studies.language.task import LanguageTask

EXAMPLE_EVERY = 997
"""Symbols from one example of a report to the next."""
CONTEXT = 500
"""Symbols that are read before an example is predicted."""
TEXTS_READ, SYMBOLS_READ = 2, 60
"""Pieces of text of which a report tells what was read at every symbol, and their length."""


@dataclass(frozen=True)
class Around:
    """What stands around the core."""

    dim: int = 128
    """Width of a symbol's embedding."""
    dropout: float = 0.0
    """Share of units left out before the core and before the decoder."""
    tied: bool = False
    """Whether the decoder's weights are the embedding's."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1)
        expect_share("model", self, "dropout")


@dataclass(frozen=True)
class RecurrentCore:
    """An LSTM or a GRU."""

    kind: Literal["lstm", "gru"] = "lstm"
    """Which of the two."""
    hidden: int = 157
    """Width of the state; with 157 the LSTM has as many parameters as the CRAN of `cran`."""
    layers: int = 1
    """One above the other."""
    dropout: float = 0.0
    """Share of units left out between layers."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1, layers=1)
        expect_share("core", self, "dropout")

    def build(self, dim: int) -> "nn.Module":
        """Return the core for inputs of a width."""
        from memnets.layers.recurrent import GRU, LSTM

        kind = LSTM if self.kind == "lstm" else GRU
        return kind(dim, self.hidden, self.layers, self.dropout)


@dataclass(frozen=True)
class MemN2NCore:
    """An end-to-end memory network, which reads the last symbols at every step."""

    hops: int = 2
    """How often they are read."""
    memory: int = 100
    """How many are remembered."""
    linear: int = 145
    """Units of the state without a ReLU."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hops=1, memory=1, linear=0)
        expect_at_most("core", self, hops=MOST_HOPS)


@dataclass(frozen=True)
class LanguageTraining:
    """The training: Adam over a fixed number of symbols."""

    batch: int = 64
    """Rows of the text that are read side by side."""
    window: int = 40
    """Steps of an update, through which gradient flows back."""
    tokens: int = 10_000_000
    """How many symbols are predicted in all."""
    learning_rate: float = 0.003
    """The highest."""
    warmup: float = 0.02
    """Share of the updates in which the rate rises to it; then it falls to 0 along a cosine."""
    clip: float = 1.0
    """The largest norm of all gradients together."""
    evaluations: int = 10
    """How many quick looks at the validation text there are."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            batch=1,
            window=1,
            tokens=1,
            evaluations=1,
        )
        expect_above("training", self, learning_rate=0, clip=0)
        expect_share("training", self, "warmup", all_of_it=True)

    def rate(self, update: int, updates: int) -> float:
        """Return the rate of an update, 0 the first of so many."""
        rising = (update + 1) / max(1.0, self.warmup * updates)
        falling = (1 + math.cos(math.pi * update / updates)) / 2
        return self.learning_rate * min(rising, 1.0) * falling


@dataclass(frozen=True)
class CacheGrid:
    """The neural cache that is put beside the model when it is evaluated."""

    window: int = 100
    """How many steps it remembers; 0 for no cache."""

    def __post_init__(self) -> None:
        expect_at_least("cache", self, window=0)


@dataclass(frozen=True, kw_only=True)
class LanguageRun(Run):
    """A language model of some text."""

    data: TextData = TextData()
    model: Around = Around()
    training: LanguageTraining = LanguageTraining()
    cache: CacheGrid = CacheGrid()

    @abstractmethod
    def build(self, vocab: int) -> "nn.Module":
        """Return the model, its weights drawn with torch's global generator."""

    @property
    def _cite_around(self) -> tuple[str, ...]:
        """How gradients are clipped, and the cache that stands beside every core."""
        return ("pascanu2013", *(("grave2017",) if self.cache.window else ()))

    def prepare(self) -> Prepared:
        import torch

        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import globally_seeded

        text = self.data.load()
        with globally_seeded(self.loop.seed):
            model = self.build(len(text.vocabulary.symbols))
        task = self._task(text, model)
        updates = task.updates_for(self.training.tokens)
        phase = Phase(
            "text",
            updates,
            lambda update: self.training.rate(update, updates),
            evaluate_every=max(1, updates // self.training.evaluations),
        )
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=self.training.learning_rate),
            phases=(phase,),
            reduction="mean",
            clip=GlobalNorm(self.training.clip),
        )
        vocabulary = {
            "symbols": text.vocabulary.symbols,
            "unit": text.unit,
            "lacking": text.lacking,
        }
        record = DataRecord(text.name, text.sha256)
        return Prepared(experiment, {"vocabulary.json": vocabulary}, record)

    def _task(self, text: Text, model: Any) -> "LanguageTask":
        import torch

        from memnets.studies.language.neural_cache import Grid
        from memnets.studies.language.task import LanguageTask

        return LanguageTask(
            {split: torch.from_numpy(part).long() for split, part in text.splits.items()},
            model.init_state,
            self.training.batch,
            self.training.window,
            cache=Grid(self.cache.window) if self.cache.window else None,
            unit=text.unit,
        )

    def restore(self, folder: Path) -> "LanguageAnswerer":
        return LanguageAnswerer(self, folder)


@dataclass(frozen=True, kw_only=True)
class RecurrentLanguage(LanguageRun):
    """An LSTM or a GRU as a language model."""

    kind: ClassVar[str] = "language/recurrent"

    core: RecurrentCore = RecurrentCore()

    @property
    def cite(self) -> tuple[str, ...]:
        return ({"lstm": "hochreiter1997", "gru": "cho2014"}[self.core.kind], *self._cite_around)

    def build(self, vocab: int) -> "nn.Module":
        return _around(self, vocab, self.core.build(self.model.dim))


@dataclass(frozen=True, kw_only=True)
class CRANLanguage(LanguageRun):
    """A cache-based recurrent attention network as a language model."""

    kind: ClassVar[str] = "language/cran"

    core: CRANCore = CRANCore()

    @property
    def cite(self) -> tuple[str, ...]:
        return self._cite_around

    def build(self, vocab: int) -> "nn.Module":
        return _around(self, vocab, self.core.build(self.model.dim))


@dataclass(frozen=True, kw_only=True)
class NTMLanguage(LanguageRun):
    """A Neural Turing Machine as a language model; it begins a text with what is learned."""

    kind: ClassVar[str] = "language/ntm"

    core: NTMCore = NTMCore(hidden=141, memory="learned", weights="learned")

    @property
    def cite(self) -> tuple[str, ...]:
        return ("graves2014", *self._cite_around)

    def build(self, vocab: int) -> "nn.Module":
        return _around(self, vocab, self.core.build(self.model.dim))


@dataclass(frozen=True, kw_only=True)
class MemN2NLanguage(LanguageRun):
    """An end-to-end memory network as a language model, trained like the others here.

    With this width it has as many parameters as the others; two hops, that it takes no longer.
    """

    kind: ClassVar[str] = "language/memn2n"

    model: Around = Around(dim=290)
    core: MemN2NCore = MemN2NCore()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model.dropout or self.model.tied:
            raise ValueError(
                f"model.dropout {self.model.dropout} and model.tied {self.model.tied} would be "
                f"ignored: this model has neither. Leave them out."
            )

    @property
    def cite(self) -> tuple[str, ...]:
        return ("sukhbaatar2015", *self._cite_around)

    def build(self, vocab: int) -> "nn.Module":
        from memnets.models.memn2n_lm import MemN2NLanguageModel

        core = self.core
        return MemN2NLanguageModel(vocab, core.memory, self.model.dim, core.hops, core.linear)


def _around(run: LanguageRun, vocab: int, core: "nn.Module") -> "nn.Module":
    from memnets.models.language import LanguageModel

    return LanguageModel(vocab, core, run.model.dim, run.model.dropout, run.model.tied)


class LanguageAnswerer(Answerer):
    """A trained language model: it goes on with a text, and says what surprises it in one."""

    takes = ("text",)
    gives = "text"
    run: LanguageRun

    def read_vocabulary(self) -> dict[str, Any]:
        return self.folder.read_json("vocabulary.json")

    def build(self) -> "nn.Module":
        return self.run.build(len(self.vocabulary["symbols"]))

    @cached_property
    def reader(self) -> "TextReader":
        """What reads a text and goes on with it."""
        from memnets.studies.language.inference import TextReader

        return TextReader(
            self.model,
            tuple(self.vocabulary["symbols"]),
            self.vocabulary["unit"],
            self.cache,
            self.metrics.get("valid", {}).get("cache_flatness"),
        )

    @property
    def cache(self) -> int:
        """How many steps a neural cache beside the model remembers; 0 for none."""
        return self.run.cache.window

    @cached_property
    def text(self) -> Text:
        """The run's own text."""
        return self.run.data.load()

    def data_sha256(self) -> str:
        return self.text.sha256

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        """Say which symbol follows a text: the lines told, and the beginning of one more."""
        return self.reader.predict(self.reader.units("\n".join((*context, asked))))

    def write(
        self, text: str, length: int = 200, temperature: float = 0.8, seed: int = 0
    ) -> Answer:
        """Go on with a text; the evidence is that of the first symbol.

        Args:
            text: its beginning.
            length: number of symbols to write.
            temperature: 0 takes the likeliest symbol each time, 1 draws as the model says.
            seed: of the random numbers.
        """
        with self.placed():
            return self.reader.write(text, length, temperature, seed)

    def surprisal(self, text: str) -> CodedText:
        """Tell what each symbol of a text costs in bits, and what was read before it came."""
        with self.placed():
            return self.reader.surprisal(text)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Predict symbols of the run's own text, far from each other; there is one task, 0."""
        symbols = self.text.vocabulary.symbols
        part = self.text.splits.get(split, self.text.splits["valid"])
        first = min(CONTEXT, len(part) - 1)
        for place in range(first, len(part) if task == 0 else 0, EXAMPLE_EVERY):
            units = [symbols[number] for number in part[max(0, place - CONTEXT) : place + 1]]
            yield self.reader.predict(units[:-1], units[-1])

    def read_texts(self) -> Iterator[ReadText]:
        """Read pieces of the run's own text, far from each other, after others of their length."""
        symbols, part = self.text.vocabulary.symbols, self.text.splits["valid"]
        for place in range(CONTEXT, len(part), len(part) // TEXTS_READ + 1):
            units = [symbols[number] for number in part[place - CONTEXT : place]]
            text = self.reader.read(units, SYMBOLS_READ)
            if text is not None:
                yield text


def lstm() -> RecurrentLanguage:
    """An LSTM on characters, with a neural cache beside it: what a memory has to beat."""
    return RecurrentLanguage()


def gru() -> RecurrentLanguage:
    """A GRU on characters, of as many parameters as the others."""
    return RecurrentLanguage(core=RecurrentCore(kind="gru", hidden=189))


def cran() -> CRANLanguage:
    """A cache-based recurrent attention network on characters."""
    return CRANLanguage()


def ntm() -> NTMLanguage:
    """A Neural Turing Machine on characters, of as many parameters as the others."""
    return NTMLanguage()


def memn2n() -> MemN2NLanguage:
    """An end-to-end memory network on characters, trained like the other cores."""
    return MemN2NLanguage()


RECIPES = {
    "language/lstm": lstm,
    "language/gru": gru,
    "language/cran": cran,
    "language/ntm": ntm,
    "language/memn2n": memn2n,
}

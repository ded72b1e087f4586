"""Synthetic recall: what a memory buys, of zones or of slots, beside an LSTM of equal size.

The values are our own; nobody has published such runs.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import tyro

from memnets.data.worlds.recall import (
    Copy,
    Episodes,
    MultiQuery,
    NextItem,
    RecallWorld,
    Rewritten,
    Stream,
    Zoned,
)
from memnets.evidence import Answer, ReadText
from memnets.experiments.answerer import Answerer
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.configs.ntm import NTMCore
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from torch import nn

    from memnets.models.recall import Recall
    from memnets.training.experiment import Phase

AnyWorld = tyro.conf.AvoidSubcommands[Episodes | Stream | Rewritten | NextItem | Copy | MultiQuery]


@dataclass(frozen=True)
class LSTMCore:
    """An LSTM, for comparison."""

    hidden: int = 103
    """Width of the state; 103 for as many parameters as a CRAN of width 64 with zones of 10."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1)

    @property
    def output(self) -> int:
        """Width of what it says."""
        return self.hidden

    def build(self, dim: int) -> "nn.Module":
        from memnets.layers.recurrent import LSTM

        return LSTM(dim, self.hidden)


@dataclass(frozen=True)
class RecallTraining:
    """How it is trained: Adam, a rate that rises at first and falls at the end, clipped."""

    dim: int = 64
    """Width of a step's input."""
    batch: int = 64
    """Rows."""
    updates: int = 2000
    """How many, without those of the lessons."""
    lessons: tuple[tuple[int, int, int], ...] = ()
    """What comes before: zones, longest lag and updates of each; a stream alone can have some."""
    learning_rate: float = 2e-3
    warm_up: int = 200
    """Updates in which the rate rises to its full height."""
    cool_down: float = 0.3
    """The last part of all updates, in which the rate falls to nothing."""
    clip: float = 1.0
    """The largest norm that the gradient keeps."""
    evaluate_every: int = 250
    """Updates from one look at the validation to the next."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            dim=1,
            batch=1,
            updates=1,
            warm_up=0,
            evaluate_every=1,
        )
        expect_above("training", self, learning_rate=0, clip=0)
        expect_share("training", self, "cool_down", all_of_it=True)
        if any(number < 1 for lesson in self.lessons for number in lesson):
            raise ValueError(
                f"training.lessons is {self.lessons}: expected zones, longest lag and updates of "
                f"each, all from 1. Pass --training.lessons 1 10 500, say."
            )

    @property
    def total(self) -> int:
        """Updates of the whole run."""
        return self.updates + sum(updates for *_, updates in self.lessons)

    def rate(self, update: int) -> float:
        """Return the learning rate of an update, counted from the first of the run."""
        rising = (update + 1) / self.warm_up if self.warm_up else 1.0
        last = self.cool_down * self.total
        falling = (self.total - update) / last if last else 1.0
        return self.learning_rate * min(1.0, rising, falling)


@dataclass(frozen=True, kw_only=True)
class RecallRun(Run):
    """Recall, whatever the core."""

    data: AnyWorld = Stream()
    training: RecallTraining = RecallTraining()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.training.lessons and not isinstance(self.data, Stream):
            raise ValueError(
                f"training.lessons is {self.training.lessons}, and would be ignored: they have "
                f"longer and longer lags, and the task is {self.data.task}. Leave them out."
            )

    @property
    def cite(self) -> tuple[str, ...]:
        return ("arora2024",) if isinstance(self.data, MultiQuery) else ()

    @property
    def memory(self) -> Zoned | None:
        """By which the ceiling is told."""
        return None

    @property
    @abstractmethod
    def core_config(self) -> CRANCore | LSTMCore | NTMCore:
        """What goes through the steps."""

    def build(self) -> "Recall":
        """Return the model, its weights drawn from the run's seed."""

        from memnets.models.recall import Recall
        from memnets.training.schedules import globally_seeded

        core, dim, data = self.core_config, self.training.dim, self.data
        with globally_seeded(self.loop.seed):
            return Recall(core.build(dim), data.keys, data.values, data.answers, dim, core.output)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.recall.task import RecallTask, fingerprint
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment

        model = self.build()
        experiment = Experiment(
            model=model,
            task=RecallTask(
                self.worlds(),
                model.core.init_state,
                self.training.batch,
                memory=self.memory,
            ),
            optimizer=torch.optim.Adam(model.parameters(), lr=self.training.learning_rate),
            phases=tuple(self._phases()),
            reduction="mean",
            clip=GlobalNorm(self.training.clip),
        )
        record = DataRecord(f"recall: {self.data.task}, generated", fingerprint(self.data))
        return Prepared(experiment, {}, record)

    def worlds(self) -> dict[str, RecallWorld]:
        """Return what each stream of the task shows; `cliff` asks beyond what can be read."""
        worlds: dict[str, RecallWorld] = dict.fromkeys(("train", "valid", "test"), self.data)
        if isinstance(self.data, Stream):
            for number, (_, longest, _) in enumerate(self.training.lessons, start=1):
                worlds[f"lesson {number}"] = replace(self.data, longest=longest)
            if self.data.cliff:
                worlds["cliff"] = replace(
                    self.data, longest=self.data.cliff, unique=self.data.cliff, once=True
                )
        return worlds

    def _phases(self) -> Iterator["Phase"]:
        from memnets.training.experiment import Phase

        training, began = self.training, 0
        for number, (zones, _, updates) in enumerate(training.lessons, start=1):
            name = f"lesson {number}"
            yield Phase(
                name,
                updates,
                _from(training.rate, began),
                training.evaluate_every,
                self._remember(zones),
                name,
            )
            began += updates
        yield Phase(
            "all",
            training.updates,
            _from(training.rate, began),
            training.evaluate_every,
            self._remember(None),
        )

    def _remember(self, zones: int | None) -> "Callable[[nn.Module], None]":
        """Return what gives the core so many zones; by default as many as it is to have."""
        from memnets.training.experiment import nothing

        return nothing

    def restore(self, folder: Path) -> "RecallAnswerer":
        return RecallAnswerer(self, folder)


def _from(rate: Callable[[int], float], began: int) -> Callable[[int], float]:
    return lambda update: rate(began + update)


RECOMMENDED = CRANCore(
    hidden=64, key_dim=64, zones=4, slots=10, k=4, query="joint", refresh="window"
)
"""The parts that are recommended, at the size of these tasks."""


@dataclass(frozen=True, kw_only=True)
class CRANRecall(RecallRun):
    """Recall by a memory of zones."""

    kind: ClassVar[str] = "recall/cran"

    core: CRANCore = RECOMMENDED

    @property
    def core_config(self) -> CRANCore:
        return self.core

    @property
    def memory(self) -> Zoned:
        return Zoned(self.core.zones, self.core.slots)

    def _remember(self, zones: int | None) -> "Callable[[nn.Module], None]":
        number = self.core.zones if zones is None else zones

        def prepare(model: Any) -> None:
            model.core.cell.memory = replace(model.core.cell.memory, zones=number)

        return prepare


@dataclass(frozen=True, kw_only=True)
class LSTMRecall(RecallRun):
    """Recall by a state of fixed size."""

    kind: ClassVar[str] = "recall/lstm"

    core: LSTMCore = LSTMCore()

    @property
    def core_config(self) -> LSTMCore:
        return self.core


@dataclass(frozen=True, kw_only=True)
class NTMRecall(RecallRun):
    """Recall by a memory that is written over."""

    kind: ClassVar[str] = "recall/ntm"

    core: NTMCore = NTMCore(hidden=88)

    @property
    def cite(self) -> tuple[str, ...]:
        return (*super().cite, "graves2014")

    @property
    def core_config(self) -> NTMCore:
        return self.core


class RecallAnswerer(Answerer):
    """A trained model of recall.

    A step is written as what it shows: `k12 v3`, a key and a value; `k12`, a key alone.
    """

    takes = ("steps", "question")
    run: RecallRun

    def build(self) -> "nn.Module":
        model = self.run.build()
        self.run._remember(None)(model)
        return model

    def expect_readable(self, line: str) -> None:
        from memnets.studies.recall.inference import step_numbers

        step_numbers(self.run.data, line)

    def data_sha256(self) -> str:
        from memnets.studies.recall.task import fingerprint

        return fingerprint(self.run.data)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        from memnets.studies.recall.inference import ask

        return ask(self.model, self.run.data, context, asked)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        from memnets.studies.recall.inference import examples

        return examples(self.model, self.run.data, split)

    def read_texts(self) -> Iterator[ReadText]:
        from memnets.studies.recall.inference import read_windows

        return read_windows(self.model, self.run.data, "test")


def episodes() -> CRANRecall:
    """16 keys are told and asked for, in one window: a memory of zones."""
    return CRANRecall(data=Episodes(), training=RecallTraining(updates=500))


def episodes_lstm() -> LSTMRecall:
    """16 keys are told and asked for, in one window: an LSTM."""
    return LSTMRecall(data=Episodes(), training=RecallTraining(updates=500))


def stream() -> CRANRecall:
    """Keys are told without end and asked for, within the window and beyond: a memory of zones."""
    return CRANRecall()


def stream_lstm() -> LSTMRecall:
    """Keys are told without end and asked for, within the window and beyond: an LSTM."""
    return LSTMRecall()


def rewritten() -> CRANRecall:
    """Keys are told anew again and again; content alone does not tell the newest."""
    return CRANRecall(data=Rewritten())


def rewritten_ntm() -> NTMRecall:
    """Keys are told anew again and again: a memory whose slots are written over."""
    return NTMRecall(data=Rewritten())


def next_item() -> CRANRecall:
    """Which item came after another (associative recall)."""
    return CRANRecall(data=NextItem())


def copy() -> CRANRecall:
    """Symbols are to be said again in order."""
    return CRANRecall(data=Copy())


def multi_query() -> CRANRecall:
    """Keys and values as tokens of their own (MQAR)."""
    return CRANRecall(data=MultiQuery())


RECIPES = {
    "recall/episodes": episodes,
    "recall/episodes-lstm": episodes_lstm,
    "recall/stream": stream,
    "recall/stream-lstm": stream_lstm,
    "recall/rewritten": rewritten,
    "recall/rewritten-ntm": rewritten_ntm,
    "recall/next-item": next_item,
    "recall/copy": copy,
    "recall/multi-query": multi_query,
}

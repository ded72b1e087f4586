"""The Neural Turing Machine on the five problems of its paper, and cores that are compared with it.

Memory, heads, controller and training are the paper's, but for four sequences an update and twice
its rate. An update whose gradient is not finite is skipped, up to one in a hundred. Adam at 1e-3
learns to copy in updates of four sequences, not in updates of sixteen.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.configs.ntm import BesideCore, ContentCore, NTMCore
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.sequences.data import SequencesData, digest
from memnets.training.config import expect_above, expect_at_least

if TYPE_CHECKING:
    import torch

    from memnets.models.sequences import SequenceModel
    from memnets.training.experiment import Phase


@dataclass(frozen=True)
class SequencesTraining:
    """The training: what a sequence costs, every number of the gradient clipped."""

    optimizer: Literal["adam", "graves"] = "graves"
    """`graves` is the paper's RMSProp, with a momentum of 0.9."""
    batch: int = 4
    """Sequences in an update, all of one length."""
    updates: int = 10000
    """How many."""
    learning_rate: float = 2e-4
    """Of all updates."""
    clip: float = 10.0
    """How far from zero a number of the gradient may be."""
    curriculum: int = 1
    """Phases of equal length in which the longest, and the most times, grow from the least to all
    of `data`; 1 for all of them from the start, as in the paper."""
    evaluate_every: int = 1000
    """Updates between two lines of the log."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, updates=1, evaluate_every=1, curriculum=1)
        if self.curriculum > self.updates:
            raise ValueError(
                f"training.curriculum is {self.curriculum}: expected at most training.updates, "
                f"{self.updates}. Pass --training.curriculum 5."
            )
        expect_above("training", self, learning_rate=0, clip=0)

    def build(self, model: "torch.nn.Module") -> "torch.optim.Optimizer":
        """Return the optimiser of a model."""
        import torch

        from memnets.training.rmsprop import GravesRMSProp

        kind: Any = torch.optim.Adam if self.optimizer == "adam" else GravesRMSProp
        built: torch.optim.Optimizer = kind(model.parameters(), lr=self.learning_rate)
        return built

    def phases(self, problem: str, streams: Sequence[str]) -> "Iterator[Phase]":
        """Yield a phase for each stream, of equal length but for the last, which has the rest."""
        from memnets.training.experiment import Phase
        from memnets.training.schedules import constant

        each, rest = divmod(self.updates, len(streams))
        for stream in streams:
            last = stream == streams[-1]
            updates = each + rest if last else each
            name = problem if last else f"{problem}, {stream}"
            every = min(self.evaluate_every, updates)
            yield Phase(name, updates, constant(self.learning_rate), every, stream=stream)


@dataclass(frozen=True, kw_only=True)
class SequencesRun(Run):
    """Sequences, whatever the core."""

    data: SequencesData = SequencesData()
    training: SequencesTraining = SequencesTraining()

    @property
    @abstractmethod
    def core_config(self) -> NTMCore | ContentCore | BesideCore:
        """What goes through the steps."""

    @property
    def cite(self) -> tuple[str, ...]:
        return ("graves2014",)

    def build(self) -> "SequenceModel":
        """Return the model, its weights drawn from the run's seed."""
        from memnets.models.sequences import SequenceModel
        from memnets.training.schedules import globally_seeded

        asked, core = self.data.asked, self.core_config
        with globally_seeded(self.loop.seed):
            return SequenceModel(core.build(asked.shown), core.output, asked.said)

    def prepare(self) -> Prepared:
        from memnets.studies.sequences.task import SequencesTask
        from memnets.training.best import Best
        from memnets.training.clipping import EachNumber
        from memnets.training.experiment import Experiment

        model, training, data = self.build(), self.training, self.data
        streams = data.streams(training.curriculum)
        experiment = Experiment(
            model=model,
            task=SequencesTask(data, training.batch, streams),
            optimizer=training.build(model),
            phases=tuple(training.phases(data.problem, list(streams))),
            reduction="mean",
            clip=EachNumber(training.clip),
            keep=Best("valid/loss"),
            skips=training.updates // 100,
        )
        record = DataRecord(f"sequences, {data.problem}, generated", digest(data))
        return Prepared(experiment, {}, record)

    def restore(self, folder: Path) -> "SequencesAnswerer":
        return SequencesAnswerer(self, folder)


@dataclass(frozen=True, kw_only=True)
class NTMSequences(SequencesRun):
    """By a Turing machine."""

    kind: ClassVar[str] = "sequences/ntm"

    core: NTMCore = NTMCore()

    @property
    def core_config(self) -> NTMCore:
        return self.core


@dataclass(frozen=True, kw_only=True)
class ContentSequences(SequencesRun):
    """By a memory that is addressed by content alone."""

    kind: ClassVar[str] = "sequences/content"

    core: ContentCore = ContentCore()

    @property
    def core_config(self) -> ContentCore:
        return self.core


@dataclass(frozen=True, kw_only=True)
class LSTMSequences(SequencesRun):
    """By a state of fixed size."""

    kind: ClassVar[str] = "sequences/lstm"

    core: BesideCore = BesideCore()

    @property
    def core_config(self) -> BesideCore:
        return self.core


class SequencesAnswerer(Answerer):
    """A trained model that is asked about a sequence, written as its problem has it."""

    takes = ("text",)
    run: SequencesRun

    def build(self) -> "SequenceModel":
        return self.run.build()

    def data_sha256(self) -> str:
        return digest(self.run.data)

    def expect_readable(self, line: str) -> None:
        from memnets.data.sequences import written

        written(self.run.data.asked, line)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        from memnets.data.sequences import written
        from memnets.studies.sequences.inference import answer

        with self.placed():
            return answer(self.model, written(self.run.data.asked, asked), asked)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer about sequences of a split, one of each length in turn, the longest first."""
        from memnets.data.sequences import line_of
        from memnets.studies.sequences.inference import answer, one_of

        held = self.run.data.held_out("test" if split == "test" else "valid")
        for place in range(self.run.data.sequences):
            for size, drawn in reversed(held.items()):
                name = f"{self.run.data.problem} of {size} ({place + 1})"
                one = one_of(drawn, place)
                with self.placed():
                    found = answer(self.model, one, name)
                yield replace(found, given=(line_of(self.run.data.asked, one),))


def copy() -> NTMSequences:
    """A Turing machine learns to copy 1 to 20 vectors, tested at 30, 50 and 120; minutes."""
    return NTMSequences(data=SequencesData(tested=(30, 50, 120)))


def copy_lstm() -> LSTMSequences:
    """An LSTM of as many parameters learns to copy 1 to 20 vectors; minutes."""
    return LSTMSequences(data=SequencesData(tested=(30, 50, 120)))


def copy_content() -> ContentSequences:
    """A memory that is addressed by content alone learns to copy 1 to 20 vectors; minutes."""
    return ContentSequences(
        data=SequencesData(tested=(30, 50, 120)), training=SequencesTraining(updates=3000)
    )


def repeat_copy() -> NTMSequences:
    """A Turing machine learns to copy 1 to 10 vectors up to 10 times; a quarter of an hour."""
    return NTMSequences(
        data=SequencesData(problem="repeat-copy", most=10, times=10, tested=(20,)),
        training=SequencesTraining(updates=25000),
    )


def associative_recall() -> NTMSequences:
    """A Turing machine learns which item came after another, of 2 to 6; minutes.

    What the memory holds at first is learned, and where the heads stand, as in the paper. Not every
    run learns it: some are left with a short cut, to say the last item again.
    """
    return NTMSequences(
        data=SequencesData(
            problem="associative-recall", least=2, most=6, tested=(6, 8, 10, 12, 15)
        ),
        training=SequencesTraining(updates=25000, learning_rate=1e-4),
        core=NTMCore(memory="learned", weights="learned"),
    )


def n_grams() -> NTMSequences:
    """A Turing machine learns to count what follows five bits, over 200; a quarter of an hour.

    At the rate of the paper: at twice that rate the gradients of 200 steps break every run.
    """
    return NTMSequences(
        data=SequencesData(problem="n-grams", least=200, most=200),
        training=SequencesTraining(updates=50000, learning_rate=1e-4),
    )


def priority_sort() -> NTMSequences:
    """A Turing machine with five heads learns to sort 20 vectors; an hour."""
    return NTMSequences(
        data=SequencesData(problem="priority-sort", least=20, most=20),
        training=SequencesTraining(updates=25000),
        core=NTMCore(reads=5, writes=5),
    )


RECIPES = {
    "ntm/copy": copy,
    "ntm/copy-lstm": copy_lstm,
    "ntm/copy-content": copy_content,
    "ntm/repeat-copy": repeat_copy,
    "ntm/associative-recall": associative_recall,
    "ntm/n-grams": n_grams,
    "ntm/priority-sort": priority_sort,
}

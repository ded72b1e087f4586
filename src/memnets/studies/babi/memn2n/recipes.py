"""End-to-end memory networks on bAbI (Sukhbaatar et al., 2015), as their authors ran them.

Values without a remark are those of the released code, which the paper's section 4.2 describes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.data.babi import Story
from memnets.evidence import Answer
from memnets.experiments.judging import ASKED
from memnets.experiments.run import Prepared, Run
from memnets.studies.babi.data import ALL_TASKS, BabiAnswerer, BabiData
from memnets.tasks.asking import Asked
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from torch import nn

    from memnets.layers import PlacedWords
    from memnets.models.memn2n import MemN2N
    from memnets.studies.babi.memn2n.task import BabiTask
    from memnets.tasks.stories import StoryQuestions, StoryVocabulary


@dataclass(frozen=True)
class MemN2NModel:
    """The model (sections 2 and 4.1)."""

    dim: int = 20
    """Width of every embedding, d."""
    hops: int = 3
    """How often the story is read, K."""
    memory: int = 50
    """The most sentences that are remembered; the latest ones."""
    tying: Literal["adjacent", "layer-wise", "untied"] = "adjacent"
    """Which tables of embeddings are one and the same (section 2.2)."""
    reader: Literal["bag", "position", "centred-position"] = "centred-position"
    """How a sentence is read: BoW, PE as printed, PE as in the released code (section 4.1)."""
    time: bool = True
    """Whether sentences carry the time they were told at (section 4.1)."""
    nonlinear: bool = False
    """Whether a ReLU follows each hop (appendix)."""
    read_empty: bool = True
    """Whether empty slots are read too, as in the released code."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hops=1, memory=1)

    def build(self, vocabulary: "StoryVocabulary") -> "MemN2N":
        from torch import nn

        from memnets.models.memn2n import Adjacent, LayerWise, MemN2N, Untied

        tyings = {"adjacent": Adjacent(), "layer-wise": LayerWise(), "untied": Untied()}
        return MemN2N(
            len(vocabulary.words),
            self._reader(vocabulary.sentence_words + 1),  # the time word has the last place
            memory=vocabulary.memory if self.time else 0,
            dim=self.dim,
            hops=self.hops,
            tying=tyings[self.tying],
            activation=nn.ReLU() if self.nonlinear else None,
            slots=vocabulary.memory if self.read_empty else 0,
        )

    def _reader(self, words: int) -> "PlacedWords":
        from memnets import layers

        if self.reader == "bag":
            return layers.BagOfWords(words)
        if self.reader == "position":
            return layers.PositionEncoding(words)
        return layers.CentredPositionEncoding(words)


@dataclass(frozen=True)
class MemN2NTraining:
    """The training (section 4.2)."""

    batch: int = 32
    """Questions in an update; their losses are summed."""
    epochs: int = 100
    """Epochs with the softmax in the attention."""
    linear_epochs: int = 20
    """Epochs before those, without it ("linear start", LS); 0 for none."""
    learning_rate: float = 0.005
    """Of plain SGD; 0.01 without a linear start."""
    halve_every: int = 25
    """The rate is halved before every epoch that this divides; not in the linear start."""
    clip: float = 40.0
    """The largest singular value that the gradient of each single matrix keeps."""
    noise: float = 0.1
    """Empty times put between sentences, as a share of the story ("random noise", RN)."""
    evaluate_every: int = 5
    """Epochs from one look at the validation questions to the next."""
    evidence: float = 0.0
    """Weight of a loss on what is read, for which questions have to name supports; the paper has
    none."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            batch=1,
            epochs=1,
            linear_epochs=0,
            halve_every=1,
            evaluate_every=1,
        )
        expect_at_least("training", self, evidence=0)
        expect_above("training", self, learning_rate=0, clip=0)
        expect_share("training", self, "noise", all_of_it=True)


@dataclass(frozen=True, kw_only=True)
class MemN2NBabi(Run):
    """MemN2N on bAbI."""

    kind: ClassVar[str] = "babi/memn2n"

    data: BabiData = BabiData()
    model: MemN2NModel = MemN2NModel()
    training: MemN2NTraining = MemN2NTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("sukhbaatar2015", "weston2015")

    def prepare(self) -> Prepared:
        import torch

        from memnets.tasks.stories import StoryVocabulary, number_stories
        from memnets.training.clipping import PerMatrix
        from memnets.training.experiment import Experiment
        from memnets.training.schedules import seeded

        stories = self.data.load()
        vocabulary = StoryVocabulary.of(stories.train, self.model.memory)
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        known = number_stories(stories.train, vocabulary)
        train, valid = self.data.set_aside(known.number, self.loop.seed)
        questions = {
            "train": known.take(torch.tensor(train)),
            "valid": known.take(torch.tensor(valid, dtype=torch.long)),
            "test": number_stories(stories.test, vocabulary),
        }
        task = self.task(questions, vocabulary)
        optimizer = torch.optim.SGD(model.parameters(), lr=self.training.learning_rate)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=optimizer,
            phases=self._phases(task.updates_per_epoch),
            reduction="sum",
            clip=PerMatrix(self.training.clip, stacks={"tables": 1}),
        )
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, stories.record)

    def task(
        self, questions: "Mapping[str, StoryQuestions]", vocabulary: "StoryVocabulary"
    ) -> "BabiTask":
        """Return the task of the questions of some splits."""
        from memnets.studies.babi.memn2n.task import BabiTask

        return BabiTask(
            questions,
            memory=vocabulary.memory,
            batch=self.training.batch,
            noise=self.training.noise,
            evidence=self.training.evidence,
        )

    def _phases(self, epoch: int) -> tuple[Any, ...]:
        from memnets.attention import Identity, Softmax
        from memnets.training.experiment import Phase
        from memnets.training.schedules import constant

        training = self.training
        every = training.evaluate_every * epoch

        def halved(update: int) -> float:  # the 25th epoch already runs halved
            return training.learning_rate * 0.5 ** ((update // epoch + 1) // training.halve_every)

        def attend_with(align: Any) -> "Callable[[nn.Module], None]":
            def prepare(model: Any) -> None:
                model.attention.align = align

            return prepare

        softmax = Phase("softmax", training.epochs * epoch, halved, every, attend_with(Softmax()))
        if not training.linear_epochs:
            return (softmax,)
        updates = training.linear_epochs * epoch
        rate = constant(training.learning_rate)
        return (Phase("linear start", updates, rate, every, attend_with(Identity())), softmax)

    def restore(self, folder: Path) -> "MemN2NAnswerer":
        return MemN2NAnswerer(self, folder)


class MemN2NAnswerer(BabiAnswerer):
    """A trained MemN2N and the words it knows."""

    def read_vocabulary(self) -> "StoryVocabulary":
        from memnets.tasks.stories import StoryVocabulary

        return StoryVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    def answer_asked(self, asked: Asked) -> Answer:
        from memnets.studies.babi.memn2n.inference import ask

        return ask(self.model, self.vocabulary, *asked)

    def task_of(self, stories: Sequence[Story]) -> "BabiTask":
        from memnets.tasks.stories import number_stories

        numbered = number_stories(stories, self.vocabulary)
        return self.run.task({ASKED: numbered}, self.vocabulary)

    def given(self, task: "BabiTask") -> list[tuple[str, float]]:
        from memnets.studies.babi.memn2n.inference import given

        return given(self.model, self.vocabulary, task, ASKED)

    def reply_each(self, asked: Sequence[tuple[Sequence[str], str]]) -> list[Any]:
        from memnets.studies.babi.memn2n.inference import ask_each

        return list(ask_each(self.model, self.vocabulary, [Asked(*one) for one in asked]))

    def expect_readable(self, line: str) -> None:
        self.vocabulary.numbers(line)


def babi() -> MemN2NBabi:
    """One task, 3 hops: position encoding, linear start, random noise (Table 1, "PE LS RN")."""
    return MemN2NBabi()


def babi_joint() -> MemN2NBabi:
    """All 20 tasks by one model, 3 hops (Table 1, "PE LS RN joint")."""
    return MemN2NBabi(
        data=BabiData(tasks=ALL_TASKS, validate="random"),
        model=MemN2NModel(dim=50),
        training=MemN2NTraining(epochs=60, linear_epochs=30, halve_every=15),
    )


def babi_generated() -> MemN2NBabi:
    """Tasks 1 and 2 by one model, from generated stories; trains in seconds."""
    return MemN2NBabi(
        data=BabiData(tasks=(1, 2), source="generated", size="10k", validate="random"),
        training=MemN2NTraining(epochs=6, linear_epochs=1, halve_every=2, evaluate_every=1),
    )


RECIPES = {
    "memn2n/babi": babi,
    "memn2n/babi-joint": babi_joint,
    "memn2n/babi-generated": babi_generated,
}

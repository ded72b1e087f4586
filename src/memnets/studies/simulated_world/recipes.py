"""The simulated world of Memory Networks (Weston et al., 2015, section 5.2), by several readers.

A reader says what is learnt from the stories: a recurrent net, or a memory network.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import tyro

from memnets.data.babi import Story, read_stories
from memnets.data.babi.generate import story_fingerprint
from memnets.data.worlds.simulated import Simulation, simulate
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.configs.memnn import MemNNModel, MemNNTraining
from memnets.experiments.judging import ASKED, JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.tasks.asking import QUESTIONS, judged_stories
from memnets.training.config import Loop, expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from torch import nn

    from memnets.models.memnn import MemNN
    from memnets.models.story_rnn import StoryRNN
    from memnets.studies.simulated_world.task import StreamTask
    from memnets.tasks.memnn import MemNNTask
    from memnets.tasks.stories import StoryVocabulary
    from memnets.tasks.supported import FeatureVocabulary

TENTH = 10
"""Validation stories are so many times fewer than those of the other splits."""


class WorldStories(NamedTuple):
    """The stories of a run."""

    train: list[Story]
    valid: list[Story]
    test: list[Story]


@dataclass(frozen=True)
class RecurrentReader:
    """A recurrent net that reads the story word by word; all its sizes are ours."""

    kind: Literal["rnn", "lstm"] = "lstm"
    """Elman's net with tanh, or one of long short-term memory."""
    dim: int = 100
    """Width of the word embeddings."""
    hidden: int = 100
    """Width of the state."""
    epochs: int = 30
    batch: int = 10
    """Stories in an update."""
    learning_rate: float = 0.003
    """Of Adam."""
    clip: float = 5.0
    """The largest norm of all gradients together."""

    def __post_init__(self) -> None:
        expect_at_least("reader", self, dim=1, hidden=1, epochs=1, batch=1)
        expect_above("reader", self, learning_rate=0, clip=0)

    def build(self, vocabulary: "StoryVocabulary") -> "StoryRNN":
        from torch import nn

        from memnets.models.story_rnn import StoryRNN

        net = {"rnn": nn.RNN, "lstm": nn.LSTM}[self.kind]
        return StoryRNN(len(vocabulary.words), net(self.dim, self.hidden, batch_first=True))

    def prepare(self, world: WorldStories, loop: Loop) -> tuple[Any, dict[str, Any]]:
        """Return the experiment, and the vocabulary as a file to keep."""
        import torch

        from memnets.tasks.stories import StoryVocabulary
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import constant, globally_seeded

        vocabulary = StoryVocabulary.of(world.train, _longest(world.train))
        with globally_seeded(loop.seed):
            model = self.build(vocabulary)
        task = self.task(world._asdict(), vocabulary)
        epoch = task.updates_per_epoch
        rate = constant(self.learning_rate)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=self.learning_rate),
            phases=(Phase("adam", self.epochs * epoch, rate, epoch),),
            reduction="mean",
            clip=GlobalNorm(self.clip),
        )
        return experiment, {"vocabulary.json": vocabulary.to_json()}

    def read_vocabulary(self, record: dict[str, Any]) -> "StoryVocabulary":
        from memnets.tasks.stories import StoryVocabulary

        return StoryVocabulary.from_json(record)

    def task(
        self, stories: Mapping[str, Sequence[Story]], vocabulary: "StoryVocabulary"
    ) -> "StreamTask":
        """Return the task of the stories of some splits."""
        from memnets.studies.simulated_world.task import StreamTask, number_streams

        streams = {split: number_streams(some, vocabulary) for split, some in stories.items()}
        return StreamTask(streams, self.batch)

    def given(self, model: Any, vocabulary: Any, task: Any) -> list[tuple[str, float]]:
        """Return the answer to each question of the split `ASKED`, and its probability."""
        from memnets.studies.simulated_world.task import given

        return given(model, vocabulary, task, ASKED)

    def ask(self, model: Any, vocabulary: Any, *asked: Any) -> Answer:
        """Answer a question. It names no evidence."""
        from memnets.studies.simulated_world.inference import ask

        return ask(model, vocabulary, *asked)


@dataclass(frozen=True)
class MemNNReader:
    """The memory network of 2014: bags of words, linear, k supports one after another.

    A question that needs fewer supports than k repeats its last one, so that every hop is learnt.
    """

    kind: Literal["memnn"] = "memnn"
    model: MemNNModel = MemNNModel(
        dim=100, adaptive=False, hops=2, gram=1, nonlinear=False, latest=False
    )
    """Its width is that of the paper (recalled), three roles a word."""
    training: MemNNTraining = MemNNTraining(epochs=20)
    """Twenty epochs; recalled: 10, after which 1 to 2 % of the questions are left."""
    word_dropout: float = 0.0
    """Share of the words that an update reads by their contexts, as it reads unknown ones; 0 to
    read unknown words as nothing (section 3.5)."""

    def __post_init__(self) -> None:
        expect_share("reader", self, "word_dropout")

    def build(self, vocabulary: "FeatureVocabulary") -> "MemNN":
        from memnets.models.memnn import Matching, MemNN

        if not self.word_dropout:
            return self.model.build(vocabulary)
        model = self.model
        return MemNN(
            len(vocabulary.features),
            vocabulary.words,
            Matching(model.dim, model.nonlinear, model.exact_match, True, model.initial_scale),
            hops=model.hops or vocabulary.hops,
            adaptive=model.adaptive,
            said=vocabulary.said if model.adaptive else 1,
            time=model.time,
            latest=model.latest,
        )

    def prepare(self, world: WorldStories, loop: Loop) -> tuple[Any, dict[str, Any]]:
        """Return the experiment, and the features as a file to keep."""
        import torch

        from memnets.tasks.supported import FeatureVocabulary
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        vocabulary = FeatureVocabulary.of(world.train, self.model.gram)
        model = self.build(vocabulary)
        model.reset_parameters(seeded(loop.seed))
        training, task = self.training, self.task(world._asdict(), vocabulary)
        updates = training.epochs * task.updates_per_epoch

        every = training.evaluate_every * task.updates_per_epoch
        rate = linear_decay(training.learning_rate, updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", updates, rate, every),),
            reduction="mean",
        )
        return experiment, {"vocabulary.json": vocabulary.to_json()}

    def task(
        self, splits: Mapping[str, Sequence[Story]], known: "FeatureVocabulary"
    ) -> "MemNNTask":
        """Return the task of the stories of some splits."""
        from memnets.tasks.memnn import MemNNTask
        from memnets.tasks.supported import number_supported, repeat_last
        from memnets.tasks.unknown_words import with_new_words, word_contexts

        questions, contexts = {}, {}
        for split, stories in splits.items():
            vocabulary = with_new_words(known, stories) if self.word_dropout else known
            numbered = number_supported(stories, vocabulary, self.model.adaptive)
            if not self.model.adaptive:
                hops = self.model.hops or known.hops
                numbered = numbered._replace(supports=repeat_last(numbered.supports, hops))
            questions[split] = numbered
            if self.word_dropout:
                contexts[split] = word_contexts(stories, vocabulary, known)
        training = self.training
        return MemNNTask(
            questions,
            training.batch,
            training.margin,
            training.negatives,
            contexts or None,
            self.word_dropout,
        )

    def read_vocabulary(self, record: dict[str, Any]) -> "FeatureVocabulary":
        from memnets.tasks.supported import FeatureVocabulary

        return FeatureVocabulary.from_json(record)

    def given(self, model: Any, vocabulary: Any, task: Any) -> list[tuple[str, float]]:
        """Return the answer to each question of the split `ASKED`, and its probability."""
        from memnets.tasks.memnn import given

        return given(model, vocabulary, task, ASKED)

    def ask(self, model: Any, vocabulary: Any, *asked: Any) -> Answer:
        """Answer a question, with the supports that were found one after another."""
        from memnets.tasks.memnn import ask

        return ask(model, vocabulary, *asked)


Reader = Annotated[RecurrentReader | MemNNReader, tyro.conf.AvoidSubcommands]


@dataclass(frozen=True, kw_only=True)
class SimulatedWorld(Run):
    """A reader of stories that are simulated anew for each seed."""

    kind: ClassVar[str] = "simulated-world"

    data: Simulation = Simulation()
    reader: Reader = MemNNReader()
    """What learns from the stories."""

    @property
    def cite(self) -> tuple[str, ...]:
        return ("weston2014",)

    def world(self) -> WorldStories:
        fewer = replace(self.data, stories=max(1, self.data.stories // TENTH))
        return WorldStories(
            simulate(self.data, self.loop.seed, "train"),
            simulate(fewer, self.loop.seed, "valid"),
            simulate(self.data, self.loop.seed, "test"),
        )

    def prepare(self) -> Prepared:
        world = self.world()
        experiment, files = self.reader.prepare(world, self.loop)
        sha256 = _fingerprint(world)
        name = f"simulated world, generated {self.data}".strip()
        return Prepared(experiment, files, DataRecord(name, sha256))

    def restore(self, folder: Path) -> "WorldAnswerer":
        return WorldAnswerer(self, folder)


class WorldAnswerer(Answerer):
    """A trained reader of the simulated world."""

    run: SimulatedWorld

    def read_vocabulary(self) -> Any:
        return self.run.reader.read_vocabulary(self.folder.read_json("vocabulary.json"))

    def build(self) -> "nn.Module":
        return self.run.reader.build(self.vocabulary)

    @cached_property
    def world(self) -> WorldStories:
        return self.run.world()

    def expect_readable(self, line: str) -> None:
        from memnets.tasks.stories import StoryVocabulary

        if isinstance(self.vocabulary, StoryVocabulary):
            self.vocabulary.numbers(line)

    def data_sha256(self) -> str:
        return _fingerprint(self.world)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self.run.reader.ask(self.model, self.vocabulary, context, asked)

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file of stories, in the form of bAbI's."""
        import torch

        stories, reader = read_stories(questions), self.run.reader
        some([one for story in stories for one in story.questions], questions, QUESTIONS)
        task = reader.task({ASKED: stories}, self.vocabulary)
        task.to(torch.device(self.device))
        judged = judged_stories(stories, reader.given(self.model, self.vocabulary, task))
        return JudgedFile.of(task.evaluate(self.model, ASKED), judged)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        for story in getattr(self.world, split):
            for told, question in story.asked():
                texts = [statement.text for statement in told]
                proof = {slot for slot, s in enumerate(told) if s.line in question.supports}
                known = question.text, question.answer, frozenset(proof)
                found = self.run.reader.ask(self.model, self.vocabulary, texts, *known)
                yield replace(found, given=tuple(texts))


def memnn() -> SimulatedWorld:
    """MemNN reads the simulated world with two supports and write time (Table 3)."""
    return SimulatedWorld()


def lstm() -> SimulatedWorld:
    """An LSTM reads the simulated world word by word (Table 3)."""
    return SimulatedWorld(reader=RecurrentReader("lstm"))


def rnn() -> SimulatedWorld:
    """An RNN reads the simulated world word by word (Table 3)."""
    return SimulatedWorld(reader=RecurrentReader("rnn"))


def _fingerprint(world: WorldStories) -> str:
    return story_fingerprint(story for stories in world for story in stories)


def _longest(stories: Sequence[Story]) -> int:
    return max(len(told) for story in stories for told, _ in story.asked())


RECIPES = {
    "simulated_world/memnn": memnn,
    "simulated_world/lstm": lstm,
    "simulated_world/rnn": rnn,
}

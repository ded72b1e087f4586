"""Simple question answering (Bordes et al., 2015) on the mini set of SimpleQuestions.

The split is our own, and the facts that make candidates many are drawn: no figure of it is ever
compared with a published one. Settings were chosen on questions set aside from the training ones.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from memnets.data.facts import Fact
from memnets.data.qa import simplequestions, webquestions
from memnets.data.qa.distractors import distractors, grouped
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.training.config import Loop, expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.models.simple_qa import SimpleQA
    from memnets.studies.simple_qa.memory import (
        FactQuestion,
        FactQuestions,
        Memory,
        SimpleQAVocabulary,
    )
    from memnets.studies.simple_qa.task import SimpleQATask


class SimpleQAData(NamedTuple):
    """The facts, and the questions of each split."""

    facts: tuple[Fact, ...]
    names: dict[str, str]
    splits: dict[str, tuple[simplequestions.SimpleQuestion, ...]]
    sha256: str


@dataclass(frozen=True)
class MiniData:
    """The mini set with facts that answer nothing."""

    distractors: int = 5
    """Facts drawn for every entity; an entity of FB2M has 5.0 grouped facts."""
    seed: int = 0
    """Of these facts."""
    tuning: int = 1000
    """Training questions set aside; settings were chosen on them."""
    path: Path | None = None
    """Where the sets are; by default MEMNETS_DATA."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, distractors=0, seed=0, tuning=1)

    def load(self) -> SimpleQAData:
        return _load(self)


@cache
def _load(data: MiniData) -> SimpleQAData:
    mini = simplequestions.load_mini(data.path)
    if data.tuning >= len(mini.train):
        raise ValueError(
            f"data.tuning={data.tuning}: expected fewer than the {len(mini.train)} training "
            f"questions, so that some are left to learn from. Pass a smaller number."
        )
    facts = grouped(mini.facts)
    known = (name for fact in facts for name in (fact.subject, *fact.objects))
    entities = list(dict.fromkeys((*mini.names, *known)))
    facts += distractors(facts, entities, data.distractors, data.seed)
    splits = _apart(mini, data.tuning)
    # Of what the data hold, not of what their records are called.
    asked = {split: [astuple(question) for question in part] for split, part in splits.items()}
    digest = hashlib.sha256(json.dumps((facts, sorted(mini.names.items()), asked)).encode())
    return SimpleQAData(tuple(facts), mini.names, splits, digest.hexdigest())


def _apart(
    mini: simplequestions.Mini, tuning: int
) -> dict[str, tuple[simplequestions.SimpleQuestion, ...]]:
    """Divide the questions so that no fact is asked for in two splits.

    The files do not: a tenth of the valid questions ask for a fact that a training question has.
    """
    first = len(mini.train) - tuning
    splits = {"test": mini.valid, "valid": mini.train[first:], "train": mini.train[:first]}
    taken: set[tuple[str, str]] = set()
    for split, questions in splits.items():
        kept = tuple(one for one in questions if (one.subject, one.relation) not in taken)
        splits[split] = kept
        taken |= {(one.subject, one.relation) for one in kept}
    return splits


@dataclass(frozen=True)
class SimpleQAModel:
    """The model."""

    dim: int = 128
    """Width of an embedding; the paper tries 64, 128 and 256."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1)

    def build(self, vocabulary: "SimpleQAVocabulary") -> "SimpleQA":
        from memnets.models.simple_qa import SimpleQA

        symbols = len(vocabulary.entities) + len(vocabulary.relations)
        words, entities = len(vocabulary.grams), len(vocabulary.entities)
        return SimpleQA(words, symbols, entities, self.dim, sparse=True)


@dataclass(frozen=True)
class SimpleQATraining:
    """The training."""

    updates: int = 600
    batch: int = 128
    """Questions in an update; recalled: one."""
    learning_rate: float = 0.1
    """Of Adagrad, falling in a straight line to 0; recalled: of plain SGD."""
    margin: float = 0.5
    """Gamma; recalled: 0.1."""
    made: float = 0.4
    """Share of the questions that are made of facts."""
    own: int = 8
    """Wrong facts drawn from each question's own candidates ("candidates as negatives")."""
    strangers: int = 100
    """Wrong facts drawn from the whole memory."""
    webquestions: bool = False
    """Whether the few questions of WebQuestions that these facts answer are learnt as well."""
    evaluations: int = 4
    """Looks at the questions set aside."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            updates=1,
            batch=1,
            margin=0,
            own=0,
            strangers=0,
            evaluations=1,
        )
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "made", all_of_it=True)


class WorldTensors(NamedTuple):
    """A world as tensors; the same for every seed."""

    vocabulary: "SimpleQAVocabulary"
    memory: "Memory"
    questions: "dict[str, FactQuestions]"


@dataclass(frozen=True, kw_only=True)
class SimpleQAMini(Run):
    """Simple question answering over the facts of the mini set."""

    kind: ClassVar[str] = "simple-qa"

    data: MiniData = MiniData()
    model: SimpleQAModel = SimpleQAModel()
    training: SimpleQATraining = SimpleQATraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("bordes2015",)

    def numbered(self) -> WorldTensors:
        """Return facts and questions as tensors."""
        return _numbered(self.data, self.training.webquestions)

    def prepare(self) -> Prepared:
        import torch

        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        vocabulary, memory, questions = self.numbered()
        training = self.training
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        model.begin_as_called(memory.symbol_grams())
        task = self.task(memory, questions)

        # The optimiser makes sparse tensors of its own, and torch would warn that none is checked.
        torch.sparse.check_sparse_tensor_invariants.disable()

        every = max(1, training.updates // training.evaluations)
        rate = linear_decay(training.learning_rate, training.updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adagrad(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", training.updates, rate, every),),
            reduction="mean",
        )
        name = f"SimpleQuestions mini with {self.data.distractors} drawn facts an entity"
        record = DataRecord(name, self.data.load().sha256)
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record)

    def task(self, memory: "Memory", questions: "Mapping[str, FactQuestions]") -> "SimpleQATask":
        """Return the task of the questions of some splits."""
        from memnets.studies.simple_qa.task import Mixture, SimpleQATask

        of = self.training
        mixture = Mixture(of.batch, of.made, of.own, of.strangers, of.margin)
        return SimpleQATask(memory, questions, mixture)

    def restore(self, folder: Path) -> "FactAnswerer":
        return FactAnswerer(self, folder)


@cache
def _numbered(data: MiniData, with_webquestions: bool) -> WorldTensors:
    from memnets.studies.simple_qa.memory import (
        FactQuestion,
        Memory,
        SimpleQAVocabulary,
        aliases_of,
        number_questions,
    )

    world = data.load()
    aliases = aliases_of(world.names, world.facts)
    vocabulary = SimpleQAVocabulary.of(
        world.facts, aliases, (one.text for one in world.splits["train"])
    )
    memory = Memory(world.facts, aliases, vocabulary)
    asked = {
        split: [FactQuestion(one.text, one.subject, one.relation) for one in questions]
        for split, questions in world.splits.items()
    }
    if with_webquestions:
        asked["train"] += _answerable(memory, data, world.names)
    questions = {split: number_questions(some, memory) for split, some in asked.items()}
    return WorldTensors(vocabulary, memory, questions)


def _answerable(memory: "Memory", data: MiniData, names: dict[str, str]) -> "list[FactQuestion]":
    from memnets.studies.simple_qa.web_questions import answerable

    return answerable(webquestions.load_questions("trainmodel", data.path), memory, names)


class FactAnswerer(Answerer):
    """A trained model and the facts that it remembers."""

    takes = ("question",)
    may_take = ("facts",)
    reads_data = True
    devices = ("cpu",)  # where the facts that it remembers lie

    def __init__(self, run: SimpleQAMini, folder: Path) -> None:
        from memnets.studies.simple_qa.memory import Memory, aliases_of

        super().__init__(run, folder)
        self.world = run.data.load()
        self.check_data()  # what is asked of them, too, is answered from these
        aliases = aliases_of(self.world.names, self.world.facts)
        self.memory = Memory(self.world.facts, aliases, self.vocabulary)

    def read_vocabulary(self) -> "SimpleQAVocabulary":
        from memnets.studies.simple_qa.memory import SimpleQAVocabulary

        return SimpleQAVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    def expect_readable(self, line: str) -> None:
        from memnets.studies.simple_qa.inference import extraction

        extraction(line)

    def data_sha256(self) -> str:
        return self.world.sha256

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        """Answer from the facts; a line told, subject, relation, object, is one fact more."""
        from memnets.studies.simple_qa.inference import ask

        return ask(self.model, self.memory, self.world.names, context, asked)

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file, `subject<TAB>relation<TAB>object<TAB>question`."""
        from memnets.studies.simple_qa.inference import judge

        read = tuple(simplequestions.read_questions(questions))
        asked = some(read, questions, "subject<TAB>relation<TAB>object<TAB>question")
        task = self.run.task(self.memory, {})
        return JudgedFile.of(*judge(self.model, task, self.world.names, asked))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a split; there are no tasks, so every number is taken."""
        for one in self.world.splits[split]:
            gold = self.memory.facts[self.memory.numbers[one.subject, one.relation]].objects
            answer = self.answer((), one.text)
            yield replace(answer, gold=", ".join(self.world.names.get(o, o) for o in gold))


def mini() -> SimpleQAMini:
    """The mini set: people's questions, and questions made of facts."""
    return SimpleQAMini(loop=Loop(threads=1))


RECIPES = {
    "simple_qa/mini": mini,
}

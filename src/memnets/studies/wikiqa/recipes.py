"""Answer sentences of WikiQA by MemNN and KV-MemNN (Miller et al. 2016, section 5.2).

The paper says what is read, and that words are dropped; the sizes are ours, chosen by the dev
questions.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from memnets.data.qa.asked import AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.data.qa.wikiqa import Candidate, WikiQAQuestion, load_questions, read_either
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import ASKED, JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.studies.wikiqa.task import SentenceRanker, WeightedVocabulary

SPLITS = {"train": "train", "valid": "dev", "test": "test"}
"""The names of the splits, and what the data call them."""


@dataclass(frozen=True)
class WikiQAData:
    """The data, which may not be passed on: they are read where they lie."""

    path: Path | None = None
    """The folder of WikiQA, or one that contains it; by default MEMNETS_DATA."""

    def load(self) -> dict[str, tuple[WikiQAQuestion, ...]]:
        return {name: load_questions(split, self.path) for name, split in SPLITS.items()}


@dataclass(frozen=True)
class WikiQAModel:
    """The model."""

    memory: Literal["sentences", "windows"] = "windows"
    """Keys: windows of seven words (KV-MemNN), or whole sentences (MemNN)."""
    dim: int = 100
    """Width of every embedding."""
    hops: int = 2
    """How often the memory is read."""
    place: bool = False
    """Whether the place of a sentence in its article counts; not in the paper."""
    least: int = 5
    """A word that stands in fewer questions and sentences is only matched, not read."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hops=1, least=1)

    def build(self, vocab: int) -> "SentenceRanker":
        from memnets.models.kv_memnn import KVMemNN
        from memnets.studies.wikiqa.task import SentenceRanker

        return SentenceRanker(KVMemNN(max(vocab, 1), self.dim, self.hops), self.place)


@dataclass(frozen=True)
class WikiQATraining:
    """The training."""

    epochs: int = 5
    """Epochs."""
    batch: int = 16
    """Questions in an update."""
    learning_rate: float = 0.001
    """Of Adam, fixed."""
    dropout: float = 0.8
    """Share of the words of questions, keys, values and answers that is left out."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, epochs=1, batch=1)
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "dropout")


@dataclass(frozen=True, kw_only=True)
class WikiQA(Run):
    """A memory of an article's sentences, and what ranks them."""

    kind: ClassVar[str] = "wikiqa"

    data: WikiQAData = WikiQAData()
    model: WikiQAModel = WikiQAModel()
    training: WikiQATraining = WikiQATraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("miller2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.wikiqa.task import WeightedVocabulary, WikiQATask
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import constant, seeded

        questions = self.data.load()
        vocabulary = WeightedVocabulary.of(questions["train"], self.model.least)
        model = self.model.build(len(vocabulary.words))
        model.memory.reset_parameters(seeded(self.loop.seed))
        training = self.training
        task = WikiQATask(
            questions, vocabulary, self.model.memory, training.batch, training.dropout
        )
        epoch = task.updates_per_epoch
        rate = constant(training.learning_rate)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", training.epochs * epoch, rate, epoch),),
            reduction="mean",
        )
        record = DataRecord("WikiQA", digest(questions))
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record)

    def restore(self, folder: Path) -> "WikiQAAnswerer":
        return WikiQAAnswerer(self, folder)


class WikiQAAnswerer(Answerer):
    """A trained ranker: its answer is a sentence."""

    takes = ("sentences", "question")
    run: WikiQA

    def read_vocabulary(self) -> "WeightedVocabulary":
        from memnets.studies.wikiqa.task import WeightedVocabulary

        return WeightedVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    def build(self) -> "SentenceRanker":
        return self.run.model.build(len(self.vocabulary.words))

    @cached_property
    def questions(self) -> dict[str, tuple[WikiQAQuestion, ...]]:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.questions)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        if not context:
            raise ValueError(
                f'"{asked}" came before any sentence was told. Tell the article first, one '
                f"sentence a line."
            )
        return self._ask(WikiQAQuestion(asked, tuple(Candidate(text, False) for text in context)))

    def judge(self, questions: StrPath) -> JudgedFile:
        """Rank the sentences of every question of a file that has a right one among them.

        Others are left out, as in every figure of this set.
        """
        import torch

        from memnets.studies.wikiqa.task import WikiQATask, given

        read = [one for one in read_either(questions) if one.answered]
        some(read, questions, "question<TAB>sentence<TAB>label, and a label of 1 among them")
        training = self.run.training
        of = self.vocabulary, self.run.model.memory, training.batch, training.dropout
        task = WikiQATask({ASKED: read}, *of)
        task.to(torch.device(self.device))
        judged = [
            Judged(
                AskedQuestion(one.text, tuple(text for text, right in one.candidates if right)),
                (one.candidates[best].sentence,),
                share,
                one.candidates[best].right,
            )
            for one, (best, share) in zip(read, given(self.model, task, ASKED), strict=True)
        ]
        return JudgedFile.of(task.evaluate(self.model, ASKED), judged)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Rank the sentences of every question that has an answer; there is one task."""
        for one in self.questions[split]:
            if one.answered:
                given = tuple(candidate.sentence for candidate in one.candidates)
                yield replace(self._ask(one), given=given)

    def _ask(self, asked: WikiQAQuestion) -> Answer:
        from memnets.studies.wikiqa.task import ask

        return ask(self.model, self.vocabulary, self.run.model.memory, asked)


def digest(questions: Mapping[str, Sequence[WikiQAQuestion]]) -> str:
    """Return the SHA-256 of questions, candidates and labels.

    The two published forms are spelt apart, with and without spaces around punctuation, and have
    two of them.
    """
    lines = (
        f"{split}\t{one.text}\t{candidate.sentence}\t{candidate.right:d}\n"
        for split, asked in questions.items()
        for one in asked
        for candidate in one.candidates
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def kv_memnn() -> WikiQA:
    """Windows lead to their sentences, which are ranked ("KV-MemNN")."""
    return WikiQA()


def memnn() -> WikiQA:
    """Sentences are read and ranked ("MemNN")."""
    return replace(kv_memnn(), model=WikiQAModel(memory="sentences"))


RECIPES = {
    "wikiqa/kv-memnn": kv_memnn,
    "wikiqa/memnn": memnn,
}

"""Questions of several hops over WikiMovies' facts, learnt from questions that are made of paths.

A key-value memory whose keys are hashed anew at every hop. MetaQA's training questions are not at
hand, and none is needed: a grammar asks for paths that the facts hold. Sizes and training are
ours, chosen by half of the dev questions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from memnets.data.qa.asked import ANY_KIND, AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.data.qa.metaqa import hops_of, read_questions
from memnets.data.qa.wikimovies import Entities
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.metaqa.data import Asked, MetaQAData, Sources, digest, numbered, topic_of
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.models.kv_paths import KVPaths
    from memnets.studies.metaqa.task import PathVocabulary


@dataclass(frozen=True)
class KVPathsModel:
    """The model."""

    letters: int = 4
    """So many first letters of a word are read beside it; 0 for none."""
    least: int = 2
    """Words and beginnings that stand in training less often are unknown."""
    dim: int = 64
    """Width of an embedding."""
    hidden: int = 64
    """Width of states, queries and keys."""
    dropout: float = 0.2
    """Share of the numbers of a word, and of a query, that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, letters=0, least=1, dim=1, hidden=1)
        expect_share("model", self, "dropout")

    def build(self, vocabulary: "PathVocabulary", slots: int) -> "KVPaths":
        from torch import nn

        from memnets.attention import Attention, General, Softmax
        from memnets.layers import BagOfWords, SentencesOfStory, SummedDirections
        from memnets.models.kv_paths import KVPaths
        from memnets.studies.metaqa.task import MOST_PARTS

        both = nn.GRU(self.dim, self.hidden, bidirectional=True)
        return KVPaths(
            len(vocabulary.language),
            self.dim,
            SentencesOfStory(
                BagOfWords(MOST_PARTS), self.dim, SummedDirections(both), self.dropout
            ),
            Attention(General(self.hidden, self.hidden), Softmax()),
            self.hidden,
            slots,
            self.dropout,
        )


@dataclass(frozen=True)
class KVPathsTraining:
    """The training: Adam at a rate that falls to 0, on the cross entropy of the slots."""

    batch: int = 64
    """Questions in an update."""
    epochs: int = 4
    """How often every question is learnt from."""
    learning_rate: float = 0.003
    """Of the first update; it falls in a straight line."""
    clip: float = 5.0
    """The longest gradient; a longer one is shortened."""
    word_dropout: float = 0.1
    """Share of the words of an update that are read as if they were not known."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1)
        expect_above("training", self, learning_rate=0, clip=0)
        expect_share("training", self, "word_dropout")


@dataclass(frozen=True, kw_only=True)
class MetaQA(Run):
    """A memory that follows paths of facts."""

    kind: ClassVar[str] = "metaqa"

    data: MetaQAData = MetaQAData()
    model: KVPathsModel = KVPathsModel()
    training: KVPathsTraining = KVPathsTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("miller2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.metaqa.task import PathVocabulary, prepared
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        sources, training = self.data.load(), self.training
        lessons = self.data.lessons(sources.facts, self.loop.seed)
        vocabulary = PathVocabulary.of(lessons.train, self.model.least, self.model.letters)
        model = self.model.build(vocabulary, len(sources.facts.slots))
        model.reset_parameters(seeded(self.loop.seed))
        task = prepared(sources, lessons, vocabulary, training.batch, training.word_dropout)
        epoch = task.updates_per_epoch
        updates = training.epochs * epoch
        rate = linear_decay(training.learning_rate, updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("paths", updates, rate, epoch),),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/hits", "higher"),
        )
        record = DataRecord("WikiMovies' facts, MetaQA's dev questions", digest(sources))
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record)

    def restore(self, folder: Path) -> "PathsAnswerer":
        return PathsAnswerer(self, folder)


class PathsAnswerer(Answerer):
    """A trained network with its facts."""

    takes = ("question",)
    reads_data = True
    devices = ("cpu",)  # where the facts that it reads lie
    run: MetaQA

    def read_vocabulary(self) -> "PathVocabulary":
        from memnets.studies.metaqa.task import PathVocabulary

        return PathVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def sources(self) -> Sources:
        return self.run.data.load()

    @cached_property
    def memory(self) -> Any:
        """The facts, hashed."""
        from memnets.studies.metaqa.task import memory_of

        self.check_data()  # what is asked is answered from these
        return memory_of(self.sources.facts)

    @cached_property
    def names(self) -> Entities:
        return Entities(self.sources.facts.names)

    def build(self) -> "KVPaths":
        return self.run.model.build(self.vocabulary, len(self.sources.facts.slots))

    def data_sha256(self) -> str:
        return digest(self.sources)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        if context:
            raise ValueError(
                f"{context[0]!r} was told before {asked!r}: this network answers from its own "
                f"facts, and would not read it. Ask the question alone."
            )
        name, words = topic_of(asked, self.names)
        return self._answer(Asked(words, self.sources.facts.number[name], (), 0, asked))

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file, `question with [entity]<TAB>answer|answer`.

        The number of hops is the one that the name of the file or of its folders holds.
        """
        from memnets.studies.metaqa.inference import NOTHING, given
        from memnets.training.task import Ratio

        hops, facts = hops_of(questions), self.sources.facts
        expected = "question with [entity]<TAB>answer|answer"
        read = some(tuple(read_questions(questions, hops)), questions, expected)
        asked = [numbered(one, facts) for one in read]
        answers = given(self.model, self.vocabulary, self.memory, facts, asked)
        kind = f"hops {hops}" if hops else ANY_KIND
        judged = [
            Judged(
                AskedQuestion(one.text, one.answers, kind),
                () if text == NOTHING else (text,),
                probability,
                text in one.answers,
            )
            for one, (text, probability) in zip(asked, answers, strict=True)
        ]
        hits = Ratio(sum(one.is_right for one in judged), len(judged))
        return JudgedFile.of({"hits": hits} | ({f"hits_{hops}": hits} if hops else {}), judged)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a half; of a number of hops, or of all for 0."""
        return (self._answer(one) for one in self.sources.asked[split] if task in (0, one.hops))

    def _answer(self, asked: Asked) -> Answer:
        from memnets.studies.metaqa.inference import answer

        return answer(self.model, self.vocabulary, self.memory, self.sources.facts, asked)


def paths() -> MetaQA:
    """A key-value memory answers questions of 1 to 3 hops, learnt from paths of its facts alone."""
    return MetaQA()


def paths_and_one_hop() -> MetaQA:
    """The same, learnt from published questions of one hop as well."""
    return MetaQA(data=MetaQAData(one_hop=True))


RECIPES = {
    "metaqa/paths": paths,
    "metaqa/paths-and-one-hop": paths_and_one_hop,
}

"""KV-MemNN on WikiMovies: facts, triples read from text, documents or plots as its memory.

Miller et al. (2016) released the documents' run only. Its values, as far as they apply, are
width 500, 2 hops with a bias in R, SGD at 0.005 a question for up to three days, 1,000 negatives,
initial weights scaled by 0.1. Ours are chosen on the validation side, for minutes of one core.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from memnets.data.qa.asked import ANY_KIND, AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.data.qa.wikimovies import (
    CLASSES,
    SLOT,
    EntityQuestion,
    MovieQuestion,
    class_of,
    read_questions,
)
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import ASKED, JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.kb.store.layouts import Words
from memnets.studies.wikimovies.data import Hashing, Sources, WikiMoviesData, told
from memnets.studies.wikimovies.knowledge import SymbolicBaseline, WordsAsked, load
from memnets.studies.wikimovies.plots import coverage_in_words, shares, untaught
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.memories.keyvalue import KeyValues
    from memnets.models.kv_memnn import KVMemNN
    from memnets.studies.wikimovies.task import KBQuestionsTask, SlotQuestions, SlotVocabulary


@dataclass(frozen=True)
class KVMemNNModel:
    """The model."""

    dim: int = 256
    """Width of every embedding, d; 500 in the released code."""
    hops: int = 2
    """How often the memory is read, H."""
    bias: bool = True
    """Whether R has a bias, as in the released code."""
    own_answers: bool = False
    """Whether the answers' table B is another one than A; it is not in the released code."""
    power: float = 1.0
    """Of the number of words by which a bag is divided: 1 for the mean."""
    length: float = 3.0
    """Of a word's initial vector; a long one can be told from others without being trained."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hops=1, power=0)
        expect_above("model", self, length=0)

    def build(self, vocabulary: "SlotVocabulary") -> "KVMemNN":
        from memnets.models.kv_memnn import KVMemNN

        return KVMemNN(
            len(vocabulary.words),
            self.dim,
            self.hops,
            bias=self.bias,
            own_answers=self.own_answers,
            power=self.power,
            length=self.length,
            sparse=True,
        )


@dataclass(frozen=True)
class KVMemNNTraining:
    """The training: SGD, its rate falling in a straight line to 0."""

    batch: int = 128
    """Questions in an update; one in the released code."""
    epochs: int = 4
    """Epochs."""
    learning_rate: float = 0.5
    """Of the mean loss of a batch."""
    negatives: int = 500
    """Answers drawn for an update; 1,000 a question in the released code."""
    word_dropout: float = 0.4
    """Share of a question's words that are left out in training."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            batch=1,
            epochs=1,
            negatives=1,
        )
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "word_dropout")


@dataclass(frozen=True, kw_only=True)
class KVMemNNWikiMovies(Run):
    """KV-MemNN on WikiMovies."""

    kind: ClassVar[str] = "wikimovies/kv-memnn"

    data: WikiMoviesData = WikiMoviesData()
    model: KVMemNNModel = KVMemNNModel()
    training: KVMemNNTraining = KVMemNNTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("miller2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.wikimovies.task import SlotVocabulary
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        sources = self.data.load(self.loop.seed)
        slots = [(slot.key, slot.value) for slot in sources.slots]
        questions = (self.data.question(one, sources.common) for one in sources.train)
        vocabulary = SlotVocabulary.of(slots, questions, sources.movies.entities)
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        training = self.training
        numbered = _numbered(self, sources, vocabulary)
        task = self.task(numbered, vocabulary, vocabulary.memory(slots))
        updates = training.epochs * task.updates_per_epoch

        rate = linear_decay(training.learning_rate, updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.SGD(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", updates, rate, task.updates_per_epoch),),
            reduction="mean",
        )
        record = DataRecord(
            "WikiMovies dev questions by template and entity", load(self.data.path).split.sha256
        )
        told = tuple(coverage_in_words(sources.coverage))
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, record, told)

    def task(
        self,
        questions: "Mapping[str, SlotQuestions]",
        vocabulary: "SlotVocabulary",
        memory: "KeyValues",
    ) -> "KBQuestionsTask":
        """Return the task of the questions of some splits."""
        from memnets.studies.wikimovies.task import KBQuestionsTask

        training = self.training
        return KBQuestionsTask(
            memory,
            vocabulary.answer_bags,
            questions,
            CLASSES,
            batch=training.batch,
            negatives=training.negatives,
            word_dropout=training.word_dropout,
        )

    def restore(self, folder: Path) -> "WikiMoviesAnswerer":
        return WikiMoviesAnswerer(self, folder)


class _Numbering:
    """Numbers the questions of a run, with what they may read.

    Args:
        run: whose questions they are.
        sources: what they are about.
        vocabulary: of their words.
        hashing: the slots that entities lead to.
    """

    def __init__(
        self,
        run: KVMemNNWikiMovies,
        sources: Sources,
        vocabulary: "SlotVocabulary",
        hashing: Hashing,
    ) -> None:
        self.run, self.sources, self.vocabulary = run, sources, vocabulary
        self.hashing = hashing
        self.baseline = SymbolicBaseline(sources.movies.split, sources.knowledge)

    def number(self, asked: Sequence[WordsAsked], side: str) -> "SlotQuestions":
        """Number the questions of a side; those that are not learnt from with their marks."""
        from memnets.studies.wikimovies.task import number_questions

        words = [self.run.data.question(one, self.sources.common) for one in asked]
        candidates = [self.hashing.candidates(one.entity) for one in asked]
        learnt = side == "train"
        return number_questions(
            self.vocabulary,
            words,
            candidates,
            [one.answers for one in asked],
            [CLASSES.index(one.category) if one.category else -1 for one in asked],
            () if learnt else [*map(self._marks, asked)],
            {} if learnt else _figures(self.run, self.sources, side, asked, words, candidates),
        )

    def _marks(self, asked: WordsAsked) -> dict[str, bool]:
        named = self.sources.recogniser.every_name(asked.text)
        in_kb = self.sources.knowledge.holds(named, asked.answers)
        return {"in_kb": in_kb, "symbolic": self.baseline.answer(asked) in asked.answers}


def _numbered(
    run: KVMemNNWikiMovies, sources: Sources, vocabulary: "SlotVocabulary"
) -> "dict[str, SlotQuestions]":
    """Number the questions of each side; what teaches nothing is left out of the training."""
    numbering = _Numbering(run, sources, vocabulary, Hashing(sources))
    taught = [one for one in sources.train if vocabulary.labels(one.answers)]
    sides = {"train": taught, "valid": sources.valid, "test": sources.test}
    return {side: numbering.number(asked, side) for side, asked in sides.items()}


def _figures(
    run: KVMemNNWikiMovies,
    sources: Sources,
    side: str,
    asked: Sequence[WordsAsked],
    words: Sequence[Words],
    candidates: Sequence[Sequence[int]],
) -> dict[str, float]:
    """Return what is known of a side beside what is learnt, where plots decide anything."""
    if side not in sources.coverage:
        return {}
    figures = {**shares(sources.coverage[side]), "coverage/asked": float(len(asked))}
    if run.data.memory == "plots":
        names = sources.movies.entities
        figures |= untaught(asked, words, candidates, sources.slots, names, run.loop.seed)
    return figures


class WikiMoviesAnswerer(Answerer):
    """A trained KV-MemNN and its memory."""

    takes = ("question",)
    reads_data = True
    devices = ("cpu",)  # where the facts that it remembers lie
    run: KVMemNNWikiMovies

    def __init__(self, run: KVMemNNWikiMovies, folder: Path) -> None:
        super().__init__(run, folder)
        self.sources = run.data.load(run.loop.seed)
        self.check_data()  # what is asked of them, too, is answered from these
        self.hashing = Hashing(self.sources)
        slots = [(slot.key, slot.value) for slot in self.sources.slots]
        self.memory = self.vocabulary.memory(slots)

    def read_vocabulary(self) -> "SlotVocabulary":
        from memnets.studies.wikimovies.task import SlotVocabulary

        return SlotVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    def data_sha256(self) -> str:
        return load(self.run.data.path).split.sha256

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        if context:
            raise ValueError(
                f"{context[0]!r} was told before {asked!r}: this network answers from its own "
                f"memory, and would not read it. Ask the question alone."
            )
        return self._answer(MovieQuestion(asked, ()))

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file, `1 question<TAB>answer, answer`.

        Their class is the one that the file's name holds, as in the published files by class.
        """
        from memnets.studies.wikimovies.task import given

        names = self.sources.movies.entities
        kind = class_of(questions)
        asked = some(read_questions(questions, names, kind), questions, "1 question<TAB>answer")
        numbering = _Numbering(self.run, self.sources, self.vocabulary, self.hashing)
        numbered = numbering.number([*map(self._recognised, asked)], ASKED)
        task = self.run.task({ASKED: numbered}, self.vocabulary, self.memory)
        answers = given(self.model, self.vocabulary, task, ASKED)
        spell = self.sources.recogniser.spell
        judged = [
            Judged(
                AskedQuestion(one.text, one.answers, kind or ANY_KIND),
                (text,),
                probability,
                text in map(spell, one.answers),
            )
            for one, (text, probability) in zip(asked, answers, strict=True)
        ]
        return JudgedFile.of(task.evaluate(self.model, ASKED), judged)

    def _recognised(self, question: MovieQuestion) -> WordsAsked:
        """Return a question as words, its answers spelled as those of the memory are."""
        recogniser = self.sources.recogniser
        asked = recogniser.read(EntityQuestion(question, SLOT, ""))
        return asked._replace(answers=tuple(map(recogniser.spell, asked.answers)))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a side; of a class, counted from 1, or of all for 0."""
        for asked in getattr(self.sources, split):
            if asked.text and task in (0, 1 + CLASSES.index(asked.category)):
                yield self._answer(MovieQuestion(asked.text, asked.answers))

    def _answer(self, question: MovieQuestion) -> Answer:
        from memnets.studies.wikimovies.task import ask

        asked = self._recognised(question)
        slots = self.hashing.candidates(asked.entity)
        return ask(
            self.model,
            self.vocabulary,
            self.memory,
            self.run.data.question(asked, self.sources.common),
            {slot: told(self.sources.slots[slot]) for slot in slots},
            question.text,
            question.answers,
        )


def wikimovies_kb() -> KVMemNNWikiMovies:
    """WikiMovies' knowledge base as the memory, questions made from it (Table 2, "KB")."""
    return KVMemNNWikiMovies()


def wikimovies_documents() -> KVMemNNWikiMovies:
    """Documents written from the knowledge base, windows as slots (Table 5, "one template")."""
    return KVMemNNWikiMovies(
        data=WikiMoviesData(memory="documents", asked=600, made=10_000, letters=4),
        model=KVMemNNModel(dim=128, power=0.5),
        training=KVMemNNTraining(epochs=10, learning_rate=0.3),
    )


def wikimovies_plots() -> KVMemNNWikiMovies:
    """OMDb's plots as the memory, asked the few questions that they can answer at all."""
    return KVMemNNWikiMovies(
        data=WikiMoviesData(memory="plots", questions="in plots", made=10_000, letters=4),
        model=KVMemNNModel(power=0.5),
        training=KVMemNNTraining(learning_rate=0.6, word_dropout=0.7),
    )


RECIPES = {
    "kv_memnn/wikimovies-kb": wikimovies_kb,
    "kv_memnn/wikimovies-documents": wikimovies_documents,
    "kv_memnn/wikimovies-plots": wikimovies_plots,
}

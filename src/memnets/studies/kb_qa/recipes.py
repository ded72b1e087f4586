"""A KV-MemNN that learns to answer questions to a KB from nothing but its own facts.

Questions are made of the facts, so nobody has to write any: see `memnets.kb.questions`. The model
is that of Miller et al. (2016) over their layout for triples, with one slot for all objects of an
entity and a relation; every setting is ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from memnets.data.qa.asked import read_asked
from memnets.data.qa.judged import Judged
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import JudgedFile, StrPath
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.kb.programs.manners import without_manners
from memnets.kb.questions.judged import Given, judge
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.questions.phrases import SIDES, Phrases
from memnets.kb.questions.questions import Facts, GeneratedQuestion, QuestionGenerator
from memnets.kb.questions.relations import RelationScorer
from memnets.kb.questions.synonyms import Synonyms
from memnets.kb.questions.vocabulary import TokenVocabulary
from memnets.kb.store.store import Store
from memnets.native import plain_is_forced
from memnets.studies.kb_qa.data import KBData, nothing_to_test_with
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.kb.programs.parsing import Parser
    from memnets.kb.programs.respelling import Respelling
    from memnets.models.kv_memnn import KVMemNN
    from memnets.studies.kb_qa.inference import KBAnswer
    from memnets.studies.kb_qa.reading import ReadsOne
    from memnets.studies.kb_qa.voices import Voices


SPLITS = dict(zip(("train", "valid", "test"), SIDES, strict=True))
"""Which ways of asking the questions of a split have."""


@dataclass(frozen=True)
class KVModel:
    """The model."""

    dim: int = 64
    """Width of every embedding."""
    hops: int = 2
    """How often the facts are read."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hops=1)

    def build(self, vocabulary: TokenVocabulary) -> "KVMemNN":
        from memnets.models.kv_memnn import KVMemNN

        return KVMemNN(len(vocabulary), self.dim, self.hops)


@dataclass(frozen=True)
class KBQATraining:
    """What is asked, and how it is learnt."""

    questions: int = 16_000
    """How many questions are made to learn from."""
    unanswerable: float = 0.5
    """The share of them that the KB does not answer."""
    tested: int = 2000
    """How many are made to set when to decline, and as many to test."""
    tested_unanswerable: float = 0.5
    """The share of these that the KB does not answer."""
    epochs: int = 4
    batch: int = 128
    """Questions in an update."""
    learning_rate: float = 0.01
    """Of Adam, falling to 0."""
    weight_decay: float = 0.05
    """Decoupled from the gradient."""
    word_dropout: float = 0.5
    """The share of tokens that an update does not hear."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, questions=1, tested=1, epochs=1, batch=1, weight_decay=0)
        expect_above("training", self, learning_rate=0)
        expect_share("training", self, "unanswerable", "tested_unanswerable", "word_dropout")


@dataclass(frozen=True, kw_only=True)
class KBQA(Run):
    """A KB is learnt to be asked."""

    kind: ClassVar[str] = "kb-qa"

    data: KBData = KBData()
    model: KVModel = KVModel()
    training: KBQATraining = KBQATraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("miller2016",)

    def questions(
        self, facts: Facts, ways: Mapping[str, Phrases], split: str
    ) -> Sequence[GeneratedQuestion]:
        """Return the questions of a split."""
        training = self.training
        if split == "test" and not self.data.held_out:
            raise nothing_to_test_with()
        asker = QuestionGenerator(facts, ways, SPLITS[split], self.loop.seed)
        if split == "train":
            return asker.questions(training.questions, training.unanswerable)
        return asker.questions(training.tested, training.tested_unanswerable)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.kb_qa.encoding import QuestionEncoder
        from memnets.studies.kb_qa.numbering import number
        from memnets.studies.kb_qa.task import KBQATask
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        facts = self.data.facts(self.loop.seed)
        ways = self.data.ways(facts, self.loop.seed)
        vocabulary = TokenVocabulary.of(ways, len(facts))
        names = self.data.names(facts, vocabulary.words)
        listener = QuestionEncoder(facts, vocabulary, names)
        splits = [split for split in SPLITS if split != "test" or self.data.held_out]
        numbered = {split: number(listener, self.questions(facts, ways, split)) for split in splits}
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        training = self.training
        task = KBQATask(numbered, training.batch, training.word_dropout)
        updates = training.epochs * task.updates_per_epoch

        rate = linear_decay(training.learning_rate, updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.AdamW(
                model.parameters(), lr=training.learning_rate, weight_decay=training.weight_decay
            ),
            phases=(Phase("softmax", updates, rate, task.updates_per_epoch),),
            reduction="mean",
        )
        files = {
            "vocabulary.json": vocabulary.to_json(),
            "phrases.json": {name: of._asdict() for name, of in ways.items()},
        }
        return Prepared(experiment, files, DataRecord(self._name, self.data.sha256(self.loop.seed)))

    @property
    def _name(self) -> str:
        if self.data.path is not None:
            return self.data.path.name
        return f"{self.data.rows:,} facts of invented {self.data.world}"

    def restore(self, folder: Path) -> "KBAnswerer":
        return KBAnswerer(self, folder)


class KBAnswerer(Answerer):
    """A trained model, and the KB that it reads.

    Args:
        run: what was trained.
        folder: of the run.
        kb: where the KB is now, or the KB, opened; by default where it was.
        taught: what users call some relations, beside what the model has learnt.
        synonyms: where words that mean nearly the same come from.

    Raises:
        ValueError: the KB or the run cannot be read.
    """

    takes = ("question",)
    reads_data = True

    def __init__(
        self,
        run: KBQA,
        folder: Path,
        kb: Path | Store | None = None,
        taught: Mapping[str, Sequence[str]] | None = None,
        synonyms: Synonyms | None = None,
    ) -> None:
        from memnets.studies.kb_qa.encoding import QuestionEncoder

        super().__init__(run, folder)
        store, path = (kb, kb.folder) if isinstance(kb, Store) else (None, kb)
        self._data = run.data if path is None else KBData(path=path)
        words = {word for of in (taught or {}).values() for one in of for word in one.split()}
        self._kb = self._data.open(run.loop.seed, self.vocabulary.words | words, store)
        self._scorer = RelationScorer(self._kb.relations, taught, synonyms)
        self._listener = QuestionEncoder(self._kb.facts, self.vocabulary, self._kb.names)

    def read_vocabulary(self) -> TokenVocabulary:
        return TokenVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def _reads(self) -> "ReadsOne":
        """What was learnt, to be read with: on the CPU without torch, which takes long to load."""
        from memnets.studies.kb_qa.reading import ByNumPy, ByTorch

        if self.device != "cpu" or plain_is_forced() or "model" in vars(self):
            return ByTorch(self.model)
        model = self.run.model
        return ByNumPy(self.folder.read_weights(), len(self.vocabulary), model.dim, model.hops)

    def to(self, device: str) -> "KBAnswerer":
        vars(self).pop("_reads", None)
        if device != "cpu" or "model" in vars(self):
            super().to(device)
        self._reads  # noqa: B018, weights that will not do are told of before a question
        return self

    @cached_property
    def least(self) -> float:
        """The support below which an answer is not given.

        Raises:
            ValueError: the training has not ended.
        """
        if self.folder.result is None:
            raise ValueError(
                f"{self.folder.path}: the training has not ended, so it is not known when to "
                f"decline. Train anew: memnets kb train."
            )
        return float(self.folder.result["metrics"]["valid"]["threshold"])

    def data_sha256(self) -> str:
        return self._kb.sha256

    @property
    def changed(self) -> bool:
        """Whether the KB holds other facts than those of the training."""
        return bool(self.folder.record["data"]["sha256"] != self._kb.sha256)

    @property
    def never_learnt(self) -> list[str]:
        """Relations that were added since the training."""
        return [r for r in self._kb.facts.relations if r not in self.vocabulary.relations]

    def understand(self, question: str) -> "KBAnswer":
        """Answer a question, or say that the KB does not, and tell how it was understood.

        Raises:
            ValueError: the question has no words.
        """
        from memnets.studies.kb_qa.programs import with_programs

        if self._parser is None or self._matcher is None:
            return self._unweighed(question)
        text, respelt = self._respelling.respelt(without_manners(question))
        answer = self._unweighed(text)
        answer = with_programs(answer, self._parser, self._matcher, self._kb.labels)
        told = replace(answer.answer, question=question)
        return replace(answer, answer=told, corrected=(*respelt, *answer.corrected))

    def voices(self, question: str) -> "Voices":
        """Return what is made of a question in four ways, before they are weighed.

        Raises:
            ValueError: the question has no words, or the facts are invented ones.
        """
        from memnets.studies.kb_qa.programs import voices_of

        if self._parser is None or self._matcher is None:
            raise ValueError(
                "these facts are invented, and not on disk; expected those of a knowledge base. "
                "Build one: memnets kb build."
            )
        answer = self._unweighed(self._respelling.respelt(without_manners(question))[0])
        return voices_of(answer, self._parser, self._matcher, self._kb.labels)

    def _unweighed(self, question: str) -> "KBAnswer":
        from memnets.studies.kb_qa.inference import KBReader

        reader = KBReader(self._reads, self._listener, self._scorer, self.least)
        return reader.ask(question, self._kb.namesakes)

    @cached_property
    def _respelling(self) -> "Respelling":
        from memnets.kb.programs.respelling import Respelling

        return Respelling(self._kb.names, self._kb.relations)

    @cached_property
    def _matcher(self) -> StringMatcher | None:
        kb = self._kb
        return None if kb.store is None else StringMatcher(kb.store, kb.facts, kb.names)

    @cached_property
    def _parser(self) -> "Parser | None":
        from memnets.kb.programs.parsing import Parser

        kb = self._kb
        return None if kb.store is None else Parser(kb.store, kb.names)

    def reply(self, context: Sequence[str], asked: str) -> "KBAnswer":
        return self.understand(asked)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        if context:
            raise ValueError(
                f"{context[0]!r} was told, but a KB holds its facts already. Ask only, or build "
                f"the KB anew with that fact."
            )
        return self.understand(asked).answer

    def given(self, question: str) -> Given:
        """Return all that is answered to a question, and its probability."""
        answer = self.ask(question)
        return answer.objects, answer.probability

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file, as `read_asked` reads it."""
        judged = judge(read_asked(questions), self.given)
        return JudgedFile(_metrics(judged), judged)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        from memnets.studies.kb_qa.encoding import in_words
        from memnets.studies.kb_qa.inference import names_of

        facts = self._data.facts(self.run.loop.seed)
        ways = {
            name: Phrases(*(tuple(of[side]) for side in SIDES))
            for name, of in self.folder.read_json("phrases.json").items()
        }
        for question in self.run.questions(facts, ways, split):
            if question.kind == "known":
                yield replace(
                    self.answer((), question.text),
                    gold=in_words(names_of(question.answers, self._kb.labels)),
                )


def _metrics(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the shares that a split has; of what the file holds none of there is none."""
    known = [one for one in judged if one.asked.answers]
    others = [one for one in judged if not one.asked.answers]
    metrics = {}
    if known:
        metrics["accuracy"] = sum(one.is_right for one in known) / len(known)
        metrics["refused"] = sum(not one.given for one in known) / len(known)
    if others:
        metrics["declined"] = sum(not one.given for one in others) / len(others)
    return metrics


def films() -> KBQA:
    """A KV-MemNN learns to answer questions to a KB of films from its facts alone."""
    return KBQA()


def towns() -> KBQA:
    """A KV-MemNN learns to answer questions to a KB of towns from its facts alone."""
    return KBQA(data=KBData(world="towns"))


RECIPES = {
    "kb_qa/films": films,
    "kb_qa/towns": towns,
}

"""KV-MemNN on WikiMovies: facts, triples read from text, or documents as its memory.

Miller et al. (2016) released the documents' run only. Its values, as far as they apply, are
width 500, 2 hops with a bias in R, SGD at 0.005 a question for up to three days, 1,000 negatives,
initial weights scaled by 0.1. Ours are chosen on the validation side, for minutes of one core.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from memnets.data.facts import Triple
from memnets.data.wikimovies import CLASSES, SLOT, Asked, Question
from memnets.data.wikimovies_documents import LADDER, write_about
from memnets.evidence import Answer
from memnets.kb import LUA_WIKIMOVIES, Index
from memnets.kb.extraction import extract, statement_slots
from memnets.kb.layouts import LAYOUTS, REVERSED, SECOND, Reading, Slot, Words, read, triple_slots
from memnets.recipes.kv_memnn_wikimovies import (
    Knowledge,
    Recogniser,
    SymbolicBaseline,
    WikiMovies,
    WordsAsked,
    common_words,
    load,
    made_questions,
)
from memnets.recipes.run import Answerer, DataRecord, Prepared, Run
from memnets.training.config import expect_at_least

if TYPE_CHECKING:
    from memnets.models.kv_memnn import KVMemNN
    from memnets.tasks.kb_questions import Lexicon, Questions

BEGINNING = "^"
"""Stands before the first letters of a word."""
SIDES = ("valid", "test")


class Sources(NamedTuple):
    """What questions are about: the memory, and the questions of each side as words."""

    slots: list[Slot]
    train: list[WordsAsked]
    valid: list[WordsAsked]
    test: list[WordsAsked]
    knowledge: Knowledge
    movies: WikiMovies
    common: frozenset[str]
    """Words that are left out of questions."""


@dataclass(frozen=True)
class WikiMoviesData:
    """The questions, and the memory that they are asked of."""

    path: Path | None = None
    """Folder of the set, or one that contains it; by default MEMNETS_DATA, then the cache."""
    memory: Literal["facts", "triples", "documents"] = "facts"
    """Facts of the knowledge base, triples read from documents, or the documents themselves."""
    style: str = "one template"
    """How documents are written, a key of `LADDER`."""
    layout: str = "window + center + title"
    """How documents become slots, a key of `LAYOUTS`."""
    learn_valid: bool = True
    """Whether the validation side's templates and questions are learnt from as well, as is done
    once all settings are chosen; without it the validation figures are of unseen templates."""
    made: int = 40_000
    """Training questions that are made from facts."""
    asked: int = 0
    """Test questions, with half as many for validation, about which the memory is; 0 for all."""
    common: int = 3
    """Words in the training templates of more classes than these are left out of a question."""
    letters: int = 3
    """So many first letters of a question's word are a feature too, and of the words in the name of
    a fact's relation; 0 for none. Ours: the training side has few templates ("starred", "stars"),
    where the paper had many."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, made=1, asked=0, common=1, letters=0)
        for name, known in (("style", LADDER), ("layout", LAYOUTS)):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"data.{name} is {getattr(self, name)!r}: expected one of {', '.join(known)}. "
                    f"Pass --data.{name} {next(iter(known))!r}, say."
                )

    def load(self, seed: int) -> Sources:
        """Load and make all questions, and lay the memory out."""
        movies = load(self.path)
        asked = {side: self._some(movies.split.sides[side], side) for side in SIDES}
        triples = self._triples(movies, chain(*asked.values()))
        if self.learn_valid:
            movies = movies.learning_valid()
        knowledge = Knowledge(triples)
        recogniser = Recogniser(movies.entities, movies.split.templates("train"))
        made = list(made_questions(movies.split, knowledge, self.made, seed))
        known = [one for one in movies.split.sides["train"] if not self.asked]
        common = common_words(movies.split, self.common)
        valid, test = ([recogniser.read(one) for one in asked[side]] for side in SIDES)
        return Sources(
            list(self._slots(triples, movies, common)),
            made + [recogniser.read(one) for one in known],
            valid,
            test,
            knowledge,
            movies,
            common,
        )

    def question(self, asked: WordsAsked, common: frozenset[str]) -> Words:
        """Return the words of a question, as keys have them, and how they begin."""
        told = tuple(word for word in asked.words if word == asked.entity or word not in common)
        if self.memory == "facts":
            found = tuple(SECOND + word if word == asked.entity else word for word in told)
        elif self.memory == "triples":
            found = told
        else:
            found = LAYOUTS[self.layout].question(told)
        others = (word for word in told if word != asked.entity)
        return (*found, *self._beginnings(others, common))

    def _beginnings(self, words: Iterable[str], common: frozenset[str]) -> Iterator[str]:
        if self.letters:
            yield from (BEGINNING + word[: self.letters] for word in words if word not in common)

    def _some(self, questions: Sequence[Asked], side: str) -> Sequence[Asked]:
        if not self.asked:
            return questions
        most = self.asked if side == "test" else self.asked // 2
        return sorted(questions, key=lambda one: _hash(one.question.text))[:most]

    def _triples(self, movies: WikiMovies, asked: Iterable[Asked]) -> tuple[Triple, ...]:
        """Return all facts, or those of the movies asked about and of as many others."""
        if not self.asked:
            return movies.triples
        titles = {one.subject for one in movies.triples}
        needed = {
            name for one in asked for name in (one.entity, *one.question.answers) if name in titles
        }
        others = sorted(titles - needed, key=_hash)[: len(needed)]
        wanted = needed.union(others)
        return tuple(one for one in movies.triples if one.subject in wanted)

    def _slots(
        self, triples: Sequence[Triple], movies: WikiMovies, common: frozenset[str]
    ) -> Iterator[Slot]:
        if self.memory == "facts":
            for (entity, relation), value, _ in triple_slots(triples):
                named = self._beginnings(relation.removeprefix(REVERSED).split("_"), common)
                yield Slot((SECOND + entity, relation, *named), value)
            return
        for reading in self._readings(triples, movies):
            if self.memory == "triples":
                yield from statement_slots(extract(reading))
            else:
                yield from LAYOUTS[self.layout].slots(reading)

    def _readings(self, triples: Sequence[Triple], movies: WikiMovies) -> Iterator[Reading]:
        for title, sentences in write_about(triples, LADDER[self.style]):
            yield read(title, [one.text for one in sentences], movies.entities.mentions)


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
        expect_at_least("model", self, dim=1, hops=1)

    def build(self, lexicon: "Lexicon") -> "KVMemNN":
        from memnets.models.kv_memnn import KVMemNN

        return KVMemNN(
            len(lexicon.words),
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
            learning_rate=0,
            negatives=1,
            word_dropout=0,
        )


@dataclass(frozen=True, kw_only=True)
class KVMemNNWikiMovies(Run):
    """KV-MemNN on WikiMovies."""

    data: WikiMoviesData = WikiMoviesData()
    model: KVMemNNModel = KVMemNNModel()
    training: KVMemNNTraining = KVMemNNTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("miller2016",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.tasks.kb_questions import KBQuestionsTask, Lexicon
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.task import fork

        sources = self.data.load(self.loop.seed)
        slots = [(slot.key, slot.value) for slot in sources.slots]
        questions = (self.data.question(one, sources.common) for one in sources.train)
        lexicon = Lexicon.of(slots, questions, sources.movies.entities)
        model = self.model.build(lexicon)
        model.reset_parameters(fork(torch.Generator().manual_seed(self.loop.seed), 0))
        training = self.training
        task = KBQuestionsTask(
            lexicon.memory(slots),
            lexicon.bags((answer,) for answer in lexicon.answers),
            _numbered(self, sources, lexicon),
            CLASSES,
            batch=training.batch,
            negatives=training.negatives,
            word_dropout=training.word_dropout,
        )
        updates = training.epochs * task.updates_per_epoch

        def falling(update: int) -> float:
            return training.learning_rate * (1 - update / updates)

        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.SGD(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", updates, falling, task.updates_per_epoch),),
            reduction="mean",
        )
        record = DataRecord(
            "WikiMovies dev questions by template and entity", load(self.data.path).split.sha256
        )
        return Prepared(experiment, {"vocabulary.json": lexicon.to_json()}, record)

    def restore(self, folder: Path) -> "WikiMoviesAnswerer":
        return WikiMoviesAnswerer(self, folder)


class Hashing:
    """The slots that an entity leads to, looked up once for each."""

    def __init__(self, sources: Sources) -> None:
        names = {name for slot in sources.slots for name in slot.value}
        names |= {title for title, *_ in sources.movies.triples}
        self.index = Index()
        self.index.add(
            (slot.key for slot in sources.slots),
            entities=names | {SECOND + name for name in names},
        )
        self.found: dict[str | None, list[int]] = {None: []}

    def candidates(self, entity: str | None) -> list[int]:
        """Return slots by the rule of the released code: only entities are looked up."""
        if entity is not None and entity not in self.found:
            words = (entity, SECOND + entity)
            self.found[entity] = self.index.candidates(words, LUA_WIKIMOVIES).tolist()
        return self.found[entity]


def _numbered(
    run: KVMemNNWikiMovies, sources: Sources, lexicon: "Lexicon"
) -> "dict[str, Questions]":
    """Number the questions of each side; what teaches nothing is left out of the training."""
    from memnets.tasks.kb_questions import number_questions

    hashing = Hashing(sources)
    baseline = SymbolicBaseline(sources.movies.split, sources.knowledge)

    def number(asked: Sequence[WordsAsked], marks: Sequence[Mapping[str, bool]]) -> "Questions":
        return number_questions(
            lexicon,
            [run.data.question(one, sources.common) for one in asked],
            [hashing.candidates(one.entity) for one in asked],
            [one.answers for one in asked],
            [CLASSES.index(one.category) for one in asked],
            marks,
        )

    def marks(asked: WordsAsked) -> dict[str, bool]:
        named = (one.entity for one in sources.movies.entities.every_mention(asked.text))
        in_kb = sources.knowledge.holds(named, asked.answers)
        symbolic = baseline.answer(asked) in asked.answers
        return {"in_kb": in_kb, "symbolic": symbolic}

    taught = [one for one in sources.train if lexicon.labels(one.answers)]
    sides = {"valid": sources.valid, "test": sources.test}
    return {
        "train": number(taught, ()),
        **{side: number(asked, [*map(marks, asked)]) for side, asked in sides.items()},
    }


class WikiMoviesAnswerer(Answerer):
    """A trained KV-MemNN and its memory."""

    def __init__(self, run: KVMemNNWikiMovies, folder: Path) -> None:
        from memnets.tasks.kb_questions import Lexicon
        from memnets.training.runs import RunFolder

        opened = RunFolder.open(folder)
        self.run, self.sources = run, run.data.load(run.loop.seed)
        self.lexicon = Lexicon.from_json(opened.read_json("vocabulary.json"))
        self.model = run.model.build(self.lexicon)
        opened.load_weights(self.model)
        self.model.eval()
        movies = self.sources.movies
        self.recogniser = Recogniser(movies.entities, movies.split.templates("train"))
        self.hashing = Hashing(self.sources)
        slots = [(slot.key, slot.value) for slot in self.sources.slots]
        self.memory = self.lexicon.memory(slots)

    def ask(self, told: Sequence[str], question: str) -> Answer:
        if told:
            raise ValueError(
                f"{told[0]!r} was told before {question!r}: this network answers from its own "
                f"memory, and would not read it. Ask the question alone."
            )
        return self._answer(Question(question, ()))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a side; of a class, counted from 1, or of all for 0."""
        for asked in getattr(self.sources, split):
            if asked.text and task in (0, 1 + CLASSES.index(asked.category)):
                yield self._answer(Question(asked.text, asked.answers))

    def _answer(self, question: Question) -> Answer:
        from memnets.tasks.kb_questions import ask

        asked = self.recogniser.read(Asked(question, SLOT, ""))
        slots = self.hashing.candidates(asked.entity)
        return ask(
            self.model,
            self.lexicon,
            self.memory,
            self.run.data.question(asked, self.sources.common),
            {slot: told(self.sources.slots[slot]) for slot in slots},
            question.text,
            question.answers,
        )


def told(slot: Slot) -> str:
    """Return a slot in words."""
    words = (word for word in slot.key if not word.startswith(BEGINNING))
    key = " ".join(word.removeprefix(SECOND) for word in words)
    return key if slot.key == slot.value else f"{key} \u2192 {' '.join(slot.value)}"


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


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

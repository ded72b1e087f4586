"""What KV-MemNN is asked on WikiMovies, and of which memory: questions and slots as words."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import EntityQuestion, PlotCoverage
from memnets.data.qa.wikimovies.documents import LADDER, write_about
from memnets.kb import LUA_WIKIMOVIES, Index
from memnets.kb.documents.extraction import extract, statement_slots
from memnets.kb.store.layouts import (
    LAYOUTS,
    REVERSED,
    SECOND,
    ReadDocument,
    Slot,
    Words,
    read,
    triple_slots,
)
from memnets.studies.wikimovies.knowledge import (
    Knowledge,
    Recogniser,
    WikiMovies,
    WordsAsked,
    common_words,
    load,
    made_questions,
)
from memnets.studies.wikimovies.plots import PlotMemory, Spelling, load_memory
from memnets.training.config import expect_at_least

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
    recogniser: Recogniser
    coverage: Mapping[str, PlotCoverage]
    """Of the plots, by side; none where they decide nothing."""


@dataclass(frozen=True)
class WikiMoviesData:
    """The questions, and the memory that they are asked of."""

    path: Path | None = None
    """Folder of the set, or one that contains it; by default MEMNETS_DATA, then the cache."""
    memory: Literal["facts", "triples", "documents", "plots"] = "facts"
    """Facts of the knowledge base, triples read from documents, the documents themselves, or plots,
    which hold a few facts only: what is made for training is then asked of these."""
    questions: Literal["all", "in plots"] = "all"
    """For validation and test: all, or those alone that a plot can answer."""
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
        """Load and make all questions, and lay the memory out.

        Raises:
            ValueError: plots answer nothing of a side, and nothing else is to be asked.
        """
        movies, spell = load(self.path), None
        if self.memory == "plots":
            spell = Spelling(movies.entities, movies.triples)
            movies = spell.of(movies)
        sides = movies.split.sides
        asked = {side: self._some(self._answerable(sides[side]), side) for side in SIDES}
        triples = self._triples(movies, chain(*asked.values()))
        if self.learn_valid:
            movies = movies.learning_valid()
        recogniser = Recogniser(movies.entities, movies.split.templates("train"), spell or str)
        common = common_words(movies.split, self.common)
        valid, test = ([recogniser.read(one) for one in asked[side]] for side in SIDES)
        covered = SIDES if self.asks_plots else ()
        return Sources(
            list(self._slots(triples, movies, common, spell)),
            list(self._taught(movies, triples, recogniser, seed)),
            valid,
            test,
            Knowledge(triples),
            movies,
            common,
            recogniser,
            {side: self._plots.texts.coverage(sides[side]) for side in covered},
        )

    @property
    def asks_plots(self) -> bool:
        """Whether plots decide anything."""
        return self.memory == "plots" or self.questions != "all"

    @property
    def _plots(self) -> PlotMemory:
        return load_memory(self.path)

    def _answerable(self, questions: Sequence[EntityQuestion]) -> Sequence[EntityQuestion]:
        if self.questions == "all":
            return questions
        found = [one for one in questions if self._plots.texts.answers(one)]
        if not found:
            raise ValueError(
                f"data.questions is {self.questions!r}, but no plot answers any of "
                f"{len(questions)} questions of a side. Correct omdb_plots.txt, or pass "
                f"--data.questions all."
            )
        return found

    def _taught(
        self, movies: WikiMovies, triples: Sequence[Triple], recogniser: Recogniser, seed: int
    ) -> Iterator[WordsAsked]:
        """Yield what is learnt from: questions made from facts, and those of the training side.

        One that a name of another side answers is left out: it may be a test question, turned
        round.
        """
        like: Sequence[EntityQuestion] = movies.split.sides["train"]
        elsewhere = movies.split.entities_elsewhere("train")
        known = [asked for asked in like if elsewhere.isdisjoint(asked.question.answers)]
        knowledge = Knowledge(triples)
        if self.memory == "plots":
            like = known = list(self._plots.taught(movies.split))
            knowledge = self._plots.knowledge(triples)
        yield from made_questions(movies.split, knowledge, self.made, seed, like)
        if not self.asked:
            yield from map(recogniser.read, known)

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

    def _some(self, questions: Sequence[EntityQuestion], side: str) -> Sequence[EntityQuestion]:
        if not self.asked:
            return questions
        most = self.asked if side == "test" else self.asked // 2
        return sorted(questions, key=lambda one: _hash(one.question.text))[:most]

    def _triples(self, movies: WikiMovies, asked: Iterable[EntityQuestion]) -> tuple[Triple, ...]:
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
        self,
        triples: Sequence[Triple],
        movies: WikiMovies,
        common: frozenset[str],
        spell: Spelling | None,
    ) -> Iterator[Slot]:
        if self.memory == "facts":
            for (entity, relation), value, _ in triple_slots(triples):
                named = self._beginnings(relation.removeprefix(REVERSED).split("_"), common)
                yield Slot((SECOND + entity, relation, *named), value)
            return
        for reading in self._readings(triples, movies, spell):
            if self.memory == "triples":
                yield from statement_slots(extract(reading))
            else:
                yield from LAYOUTS[self.layout].slots(reading)

    def _readings(
        self, triples: Sequence[Triple], movies: WikiMovies, spell: Spelling | None
    ) -> Iterator[ReadDocument]:
        if spell is not None:
            yield from self._plots.readings({one.subject for one in triples}, spell)
            return
        for title, sentences in write_about(triples, LADDER[self.style]):
            yield read(title, [one.text for one in sentences], movies.entities.mentions)


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


def told(slot: Slot) -> str:
    """Return a slot in words."""
    words = (word for word in slot.key if not word.startswith(BEGINNING))
    key = " ".join(word.removeprefix(SECOND) for word in words)
    return key if slot.key == slot.value else f"{key} \u2192 {' '.join(slot.value)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

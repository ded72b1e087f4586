"""What KV-MemNN is asked on WikiMovies, and of which memory: questions and slots as words."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.facts import Triple
from memnets.data.wikimovies import Asked
from memnets.data.wikimovies_documents import LADDER, write_about
from memnets.kb import LUA_WIKIMOVIES, Index
from memnets.kb.extraction import extract, statement_slots
from memnets.kb.layouts import LAYOUTS, REVERSED, SECOND, Reading, Slot, Words, read, triple_slots
from memnets.recipes.kv_memnn_wikimovies import (
    Knowledge,
    Recogniser,
    WikiMovies,
    WordsAsked,
    common_words,
    load,
    made_questions,
)
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

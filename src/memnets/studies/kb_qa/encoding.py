"""Understand questions to a KB of one's own, and number them with the facts that they may read.

Beside the facts of the entities that it names, each question may read slots whose value is that
there is no answer: an empty one, and one for each relation that others have and the entity has not.
What is asked of an entity is so told from what it has.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple, Protocol, runtime_checkable

import torch
from torch import Tensor

from memnets.kb.linking.naming import Mention, Names, question_words
from memnets.kb.questions.questions import UNANSWERABLE, GeneratedQuestion
from memnets.kb.questions.vocabulary import EncodedQuestion, TokenVocabulary
from memnets.kb.store.layouts import REVERSED
from memnets.memories.keyvalue import KeyValues, Ragged

Bags = list[tuple[int, ...]]
KINDS = ("known", *UNANSWERABLE)
SHOWN = 20
"""So many objects of an answer are shown."""
SHOWN_BESIDE = 4
"""So many objects of other answers and of facts are."""
NOTHING_READ = "(nothing that answers)"
"""The empty slot, in words."""
LACKED = "(nothing)"
"""The objects of a relation that an entity has not."""


class CandidateFact(NamedTuple):
    """All objects of an entity and a relation, or none: what one slot holds."""

    entity: str
    relation: str
    objects: tuple[str, ...]

    def in_words(self) -> str:
        """Return subject, relation and object, in this order."""
        if not self.entity:
            return NOTHING_READ
        relation = self.relation.removeprefix(REVERSED)
        ends = (self.entity, in_words(self.objects, SHOWN_BESIDE) or LACKED)
        subject, item = ends if relation == self.relation else ends[::-1]
        return f"{subject} | {relation} | {item}"


NO_FACT = CandidateFact("", "", ())
"""What the empty slot holds."""


class Understood(NamedTuple):
    """A question and what it may read."""

    mentions: tuple[Mention, ...]
    heard: EncodedQuestion
    facts: tuple[CandidateFact, ...]
    """Those that the KB holds, and those without objects that it lacks."""


class EncodedQuestions(NamedTuple):
    """Questions as numbers."""

    words: Ragged
    memory: KeyValues
    """Slot 0 is the empty one."""
    candidates: Ragged
    """The slots that each question may read; the first is the empty one."""
    right: Ragged
    """1 for each candidate that answers the question, 0 for others."""
    said: Ragged
    """Of each candidate which answer it gives; 0 for none."""
    kinds: Tensor
    """Of each question, as they stand in `KINDS`."""

    def asked(self, rows: Tensor) -> "EncodedQuestions":
        parts = (self.candidates.take(rows), self.right.take(rows), self.said.take(rows))
        return EncodedQuestions(self.words.take(rows), self.memory, *parts, self.kinds[rows])


@runtime_checkable
class FactsOf(Protocol):
    """Where facts come from: `Facts` in memory, or a store."""

    def of(self, entity: str) -> Mapping[str, tuple[str, ...]]:
        """Return every relation of an entity with its objects."""

    def begins(self, entity: str) -> bool:
        """Return whether a fact begins with an entity."""


class QuestionEncoder:
    """Understands questions: finds the entities, their facts, and the tokens of the rest.

    Args:
        facts: of the KB.
        vocabulary: what the words of questions become.
        names: of the entities.
    """

    def __init__(self, facts: FactsOf, vocabulary: TokenVocabulary, names: Names) -> None:
        self.facts, self.vocabulary, self.names = facts, vocabulary, names

    def listen(self, text: str, question: GeneratedQuestion | None = None) -> Understood:
        """Understand a question; one of another kind than "known" is asked of a lesser KB."""
        unknown = lost = None
        if question and question.kind == "unknown entity":
            unknown = question.entity
        if question and question.kind == "missing fact":
            lost = question.entity, question.relation
        words = question_words(text)
        named = self.names.learnt(words, unknown) if question else self.names.mentions(words)
        return self.understand(words, named, lost)

    def understand(
        self,
        words: Sequence[str],
        mentions: Sequence[Mention],
        lost: tuple[str, str] | None = None,
    ) -> Understood:
        """Understand a question in which names are found.

        Args:
            words: of the question.
            mentions: what it names.
            lost: entity and relation of a fact that is thought away.
        """
        entities = dict.fromkeys(e for mention in mentions for e in mention.entities)
        facts = chain.from_iterable(self._facts_of(entity, lost) for entity in entities)
        return Understood(tuple(mentions), self.vocabulary.hear(words, mentions), tuple(facts))

    def _facts_of(self, entity: str, lost: tuple[str, str] | None) -> Iterator[CandidateFact]:
        has = {r: of for r, of in self.facts.of(entity).items() if (entity, r) != lost}
        lacking = dict.fromkeys(self.vocabulary.lacking(entity, has), ())
        relations, objects = (*has, *lacking), (*has.values(), *lacking.values())
        return map(CandidateFact, repeat(entity), relations, objects)


def number(listener: QuestionEncoder, questions: Sequence[GeneratedQuestion]) -> EncodedQuestions:
    """Number questions, and say which of their candidates are right."""
    slots: dict[CandidateFact, int] = {}
    said: dict[tuple[str, ...], int] = {(): 0}
    words, candidates, right, says = [], [], [], []
    for question in questions:
        understood = listener.listen(question.text, question)
        words.append(understood.heard.tokens)
        candidates.append([0, *(slots.setdefault(f, len(slots) + 1) for f in understood.facts)])
        answers = [fact.objects for fact in (NO_FACT, *understood.facts)]
        says.append([said.setdefault(one, len(said)) for one in answers])
        # Where the fact is out of reach, declining is right.
        reachable = question.answers if question.answers in answers else NO_FACT.objects
        right.append([int(one == reachable) for one in answers])
    return EncodedQuestions(
        Ragged.of(words),
        memory_of(listener.vocabulary, list(slots)),
        Ragged.of(candidates),
        Ragged.of(right),
        Ragged.of(says),
        torch.tensor([KINDS.index(question.kind) for question in questions]),
    )


def memory_of(vocabulary: TokenVocabulary, facts: Sequence[CandidateFact]) -> KeyValues:
    """Return the memory of some facts, after the empty slot."""
    keys, values = slots_of(vocabulary, facts)
    return KeyValues(Ragged.of(keys), Ragged.of(values))


def slots_of(vocabulary: TokenVocabulary, facts: Sequence[CandidateFact]) -> tuple[Bags, Bags]:
    """Return the keys and the values of some facts, after those of the empty slot."""
    keys = [vocabulary.key(entity, relation, not objects) for entity, relation, objects in facts]
    values = [vocabulary.value(fact.objects) for fact in facts]
    return [(0,), *keys], [(0,), *values]


def in_words(objects: Sequence[str], most: int = SHOWN) -> str:
    """Return the objects of a fact, or the first of many."""
    more = len(objects) - most
    return ", ".join(objects[:most]) + (f" and {more:,} more" if more > 0 else "")

"""Understand questions to a KB of one's own: what they name, and the facts that they may read.

Beside the facts of the entities that it names, each question may read slots whose value is that
there is no answer: an empty one, and one for each relation that others have and the entity has not.
What is asked of an entity is so told from what it has. Imports no torch.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple, Protocol, runtime_checkable

from memnets.kb.linking.mention import Mention
from memnets.kb.linking.naming import Names
from memnets.kb.linking.words import question_words
from memnets.kb.questions.questions import GeneratedQuestion
from memnets.kb.questions.vocabulary import EncodedQuestion, TokenVocabulary
from memnets.kb.store.layouts import REVERSED

Bags = list[tuple[int, ...]]
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


def slots_of(vocabulary: TokenVocabulary, facts: Sequence[CandidateFact]) -> tuple[Bags, Bags]:
    """Return the keys and the values of some facts, after those of the empty slot."""
    keys = [vocabulary.key(entity, relation, not objects) for entity, relation, objects in facts]
    values = [vocabulary.value(fact.objects) for fact in facts]
    return [(0,), *keys], [(0,), *values]


def in_words(objects: Sequence[str], most: int = SHOWN) -> str:
    """Return the objects of a fact, or the first of many."""
    more = len(objects) - most
    return ", ".join(objects[:most]) + (f" and {more:,} more" if more > 0 else "")

"""Facts as tensors, and the words and names that lead to them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import torch
from torch import Tensor

from memnets.data.facts import Fact
from memnets.kb import BordesCandidates, Entity, Index
from memnets.kb.index.ngrams import mentions
from memnets.models.simple_qa import NO_FACT, Bags
from memnets.ops.bags import NIL
from memnets.training.state import moved

Aliases = Mapping[str, Sequence[Entity]]
"""The entities that a name may mean; its words are joined by a space."""

LEAST = 2
"""A word of the questions is known if this many of them hold it."""

_DAMAGED = re.compile(r"00[a-f][0-9a-f]|01[0-7][0-9a-f]|1e[89a-f][0-9a-f]")


def question_words(text: str) -> list[str]:
    """Split a text into words, without case, accents and marks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c)))


def aliases_of(names: Mapping[str, str], facts: Iterable[Fact]) -> dict[str, list[Entity]]:
    """Return the entities of every name, with the number of facts that each stands in.

    Freebase writes letters as codes, ``G$00F3mez``; the names at hand have lost the sign and keep
    ``G00f3mez``. Both readings are names, so that neither ``Gómez`` nor digits are lost.
    """
    links: Counter[str] = Counter()
    for fact in facts:
        links.update((fact.subject, *fact.objects))
    found: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity, name in names.items():
        for alias in dict.fromkeys((_key(mended(name)), _key(name))):
            if alias:
                found[alias].append(Entity(entity, links[entity]))
    return dict(found)


def mended(name: str) -> str:
    """Return a name with the letters that its codes stand for."""
    name = name.replace("0026amp;", "&")
    return _DAMAGED.sub(lambda code: chr(int(code[0], 16)), name)


def _key(name: str) -> str:
    return " ".join(question_words(name))


@dataclass(frozen=True)
class SimpleQAVocabulary:
    """What has a row in the model: n-grams, then entities, then relations.

    Args:
        grams: nil, the words of questions and relations, and names as one n-gram each.
        entities: their identifiers.
        relations: their identifiers.
    """

    grams: tuple[str, ...]
    entities: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(
        cls, facts: Sequence[Fact], aliases: Aliases, texts: Iterable[str]
    ) -> "SimpleQAVocabulary":
        """Collect what facts, names and training questions hold."""
        # Not a set: its order, and so the numbers of words, would differ from process to process.
        counts = Counter(
            word for text in texts for word in dict.fromkeys(map(singular, question_words(text)))
        )
        asked = [word for word, count in counts.items() if count >= LEAST]
        relations = tuple(dict.fromkeys(fact.relation for fact in facts))
        said = [word for relation in relations for word in relation_words(relation)]
        named = (entity.name for entities in aliases.values() for entity in entities)
        entities = dict.fromkeys(
            (*named, *(entity for f in facts for entity in (f.subject, *f.objects)))
        )
        grams = dict.fromkeys(("", *asked, *said, *MADE_WORDS, *aliases))
        return cls(tuple(grams), tuple(entities), relations)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "SimpleQAVocabulary":
        return cls(*(tuple(record[name]) for name in ("grams", "entities", "relations")))

    def to_json(self) -> dict[str, Any]:
        return {"grams": self.grams, "entities": self.entities, "relations": self.relations}

    @cached_property
    def gram_numbers(self) -> dict[str, int]:
        return {gram: number for number, gram in enumerate(self.grams)}

    @cached_property
    def entity_rows(self) -> dict[str, int]:
        """The row of each entity's vector."""
        return {name: len(self.grams) + number for number, name in enumerate(self.entities)}

    @cached_property
    def relation_rows(self) -> dict[str, int]:
        """The row of each relation's vector."""
        first = len(self.grams) + len(self.entities)
        return {name: first + number for number, name in enumerate(self.relations)}

    def bag(self, words: Sequence[str], aliases: Mapping[str, Any]) -> list[int]:
        """Return the known words of a text without their plural's s, and the names it mentions."""
        names = map(" ".join, mentions(words, aliases))
        return self.known(dict.fromkeys((*map(singular, words), *names)))

    def known(self, grams: Iterable[str]) -> list[int]:
        """Return the numbers of the n-grams that have one."""
        return [self.gram_numbers[gram] for gram in grams if gram in self.gram_numbers]


MADE_WORDS = ("what", "is", "the", "of")
"""The words of a generated question that are not its relation's."""


def relation_words(relation: str) -> list[str]:
    """Return the words of a relation's type and its own, without the plural's s.

    ``people.person.place_of_birth`` gives person, place, of, birth.
    """
    return [singular(word) for word in "_".join(relation.split(".")[-2:]).split("_") if word]


def own_words(relation: str) -> list[str]:
    """Return the words of a relation without those of its type."""
    return relation_words("." + relation.rsplit(".", 1)[-1])


def singular(word: str) -> str:
    """Return a word without the plural's s: relations and questions differ in it only too often."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def padded(lists: Sequence[Sequence[int]], fill: int) -> Tensor:
    """Lay lists side by side, the shorter ones filled up; at least one wide."""
    table = torch.full((len(lists), max([1, *map(len, lists)])), fill)
    rows = table.numpy()
    for row, numbers in zip(rows, lists, strict=True):
        row[: len(numbers)] = numbers
    return table


def bags_of(features: Tensor) -> Bags:
    """Return bags in which every feature counts 1, no wider than they need be."""
    features = features.sort(1, descending=True).values if len(features) else features
    return Bags(features, (features != NIL).float()).cut()


class Groups(NamedTuple):
    """Numbers by group: those of group g are order[start[g]:start[g] + size[g]]."""

    order: Tensor
    start: Tensor
    size: Tensor

    @classmethod
    def by(cls, group: Tensor, number: int) -> "Groups":
        """Group the numbers from 0 by what each belongs to."""
        size = torch.bincount(group, minlength=number)
        return cls(group.argsort(stable=True), size.cumsum(0) - size, size)

    def of(self, group: int) -> Tensor:
        return self.order[self.start[group] : self.start[group] + self.size[group]]

    def draw(self, groups: Tensor, each: int, generator: torch.Generator) -> Tensor:
        """Draw members of each group with replacement; none of the groups is empty."""
        share = torch.rand(len(groups), each, generator=generator, device=generator.device)
        where = share * self.size[groups, None]
        return self.order[self.start[groups, None] + where.long()]


class Memory:
    """Facts as bags of symbols, found by the entities that a question names.

    Args:
        facts: grouped.
        aliases: the names of entities.
        vocabulary: the rows of their vectors.
    """

    def __init__(
        self, facts: Sequence[Fact], aliases: Aliases, vocabulary: SimpleQAVocabulary
    ) -> None:
        self.facts, self.aliases, self.vocabulary = facts, aliases, vocabulary
        entities, relations = vocabulary.entity_rows, vocabulary.relation_rows
        subject = torch.tensor([entities[fact.subject] for fact in facts])
        relation = torch.tensor([relations[fact.relation] for fact in facts])
        objects = padded([[entities[name] for name in fact.objects] for fact in facts], NIL)
        symbols = torch.cat([subject[:, None], relation[:, None], objects], 1)
        shares = torch.ones(symbols.shape)
        there = objects != NIL
        shares[:, 2:] = there / there.sum(1, keepdim=True)
        self.bags = Bags(symbols, shares)
        self.subject = subject - len(vocabulary.grams)
        self.relation = relation - len(vocabulary.grams) - len(vocabulary.entities)
        self.by_subject = Groups.by(self.subject, len(vocabulary.entities))
        self.by_relation = Groups.by(self.relation, len(vocabulary.relations))
        # Only the entities of a question are asked of it: their facts are grouped here.
        self.rule = BordesCandidates(Index(), aliases)
        self.numbers = {(f.subject, f.relation): number for number, f in enumerate(facts)}

    def to(self, device: torch.device) -> "Memory":
        """Return the memory with its tensors on a device."""
        there = copy(self)
        for name in ("bags", "subject", "relation", "by_subject", "by_relation"):
            setattr(there, name, moved(getattr(self, name), device))
        return there

    @cached_property
    def names(self) -> list[str]:
        """The name of each entity, empty where it has none."""
        found: dict[str, str] = {}
        for alias, entities in self.aliases.items():
            for entity in entities:
                found.setdefault(entity.name, alias)
        return [found.get(entity, "") for entity in self.vocabulary.entities]

    def symbol_grams(self) -> Bags:
        """Return what each symbol is called: an entity's name, a relation's own words."""
        names = [self.vocabulary.known((name,)) for name in self.names]
        words = [
            self.vocabulary.known(dict.fromkeys(own_words(name)))
            for name in self.vocabulary.relations
        ]
        return bags_of(padded([*names, *words], NIL))

    def candidates(self, entities: Iterable[str]) -> list[int]:
        """Return the facts whose subject is one of the entities."""
        first = len(self.vocabulary.grams)
        rows = [self.vocabulary.entity_rows[name] - first for name in entities]
        return [number for row in rows for number in self.by_subject.of(row).tolist()]

    def entities(self, words: Sequence[str]) -> list[str]:
        """Return the entities that a question may be about."""
        return [entity.name for entity in self.rule.entities(words)]


class FactQuestion(NamedTuple):
    """A question and its fact, where it is known.

    Args:
        text: as it was asked.
        subject: of the right fact.
        relation: of the right fact.
        topic: the entities that it is known to be about; those that it names where none is.
    """

    text: str
    subject: str
    relation: str
    topic: tuple[str, ...] = ()


class FactQuestions(NamedTuple):
    """Questions as tensors."""

    bags: Bags
    candidates: Tensor
    """(question, slot): facts, `NO_FACT` after the last."""
    right: Tensor
    """(question): the right fact, `NO_FACT` where the memory does not hold it."""

    @property
    def number(self) -> int:
        return len(self.right)


def number_questions(asked: Sequence[FactQuestion], memory: Memory) -> FactQuestions:
    """Turn questions into tensors."""
    bags, candidates = [], []
    for question in asked:
        words = question_words(question.text)
        bags.append(memory.vocabulary.bag(words, memory.aliases))
        candidates.append(memory.candidates(question.topic or memory.entities(words)))
    right = [memory.numbers.get((one.subject, one.relation), NO_FACT) for one in asked]
    return FactQuestions(
        bags_of(padded(bags, NIL)), padded(candidates, NO_FACT), torch.tensor(right)
    )

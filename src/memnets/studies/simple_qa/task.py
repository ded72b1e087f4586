"""Learn which fact answers a question: questions that people asked, and questions made of facts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnets.models.simple_qa import NO_FACT, Bags, Rivals, SimpleQA, SimpleQAOutput
from memnets.ops.bags import NIL
from memnets.studies.simple_qa.memory import (
    MADE_WORDS,
    FactQuestions,
    Memory,
    SimpleQAVocabulary,
    bags_of,
    own_words,
    padded,
    relation_words,
    singular,
)
from memnets.training.state import moved
from memnets.training.task import Ratio, Step, Task, fold_in


class Mixture(NamedTuple):
    """What an update learns from."""

    batch: int = 128
    """Questions."""
    made: float = 0.4
    """Share of them that are made of facts."""
    own: int = 8
    """Wrong facts drawn from each question's own candidates."""
    strangers: int = 100
    """Wrong facts drawn from the whole memory, the same for the batch."""
    margin: float = 0.1
    """Gamma."""


class MadeQuestions:
    """A question for every fact: words of its relation, and the name of its subject.

    Of three forms one is drawn: "what is the ... of" and the relation's own words, these alone, or
    these with those of its type.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        vocabulary = memory.vocabulary
        forms = [form for name in vocabulary.relations for form in _forms(name, vocabulary)]
        self.relations = padded(forms, NIL).unflatten(0, (len(vocabulary.relations), -1))
        self.subjects = padded(
            [
                vocabulary.known(dict.fromkeys((*map(singular, name.split()), name)))
                for name in memory.names
            ],
            NIL,
        )

    def to(self, device: torch.device) -> "MadeQuestions":
        """Return the same with its tensors on a device."""
        there = copy(self)
        there.memory = self.memory.to(device)
        there.relations, there.subjects = self.relations.to(device), self.subjects.to(device)
        return there

    def bags(self, facts: Tensor, generator: torch.Generator) -> Tensor:
        """Return the n-grams of a question for each fact, nil among them."""
        relation, subject = self.memory.relation[facts], self.memory.subject[facts]
        forms = self.relations.shape[1]
        form = torch.randint(forms, (len(facts),), generator=generator, device=generator.device)
        return torch.cat([self.relations[relation, form], self.subjects[subject]], 1)

    def draw(self, number: int, generator: torch.Generator) -> Tensor:
        """Draw facts: half of all, half of a relation drawn first, so that rare ones are asked."""
        relations = self.memory.by_relation
        relation = torch.randint(len(relations.size), (number // 2,), generator=generator)
        rare = relations.draw(relation, 1, generator).squeeze(1)
        rest = torch.randint(len(self.memory.facts), (number - number // 2,), generator=generator)
        return torch.cat([rare, rest])


def _forms(relation: str, vocabulary: SimpleQAVocabulary) -> list[list[int]]:
    own = own_words(relation)
    forms = ([*MADE_WORDS, *own], own, relation_words(relation))
    return [vocabulary.known(form) for form in forms]


class Drawn(NamedTuple):
    """What an update learns from."""

    features: Tensor
    """N-grams of the questions that were asked."""
    right: Tensor
    """The fact that answers each of them."""
    candidates: Tensor
    """What it is to be preferred to."""
    made: Tensor
    """Facts of which questions are made."""


class SimpleQATask(Task):
    """Prefer the right fact of a question to its other candidates, and to facts drawn at random.

    Args:
        memory: the facts.
        questions: the splits by name: "train", and what is to be evaluated.
        mixture: what an update learns from.
    """

    unit = "questions"

    def __init__(
        self, memory: Memory, questions: Mapping[str, FactQuestions], mixture: Mixture
    ) -> None:
        self.memory, self.questions, self.mixture = memory, questions, mixture
        self.made = self.placed = MadeQuestions(memory)

    def to(self, device: torch.device) -> None:
        """Move questions and facts; those that `batches` draws from, and words, stay behind."""
        self.questions, self.placed = moved(self.questions, device), self.made.to(device)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield numbers of questions, and for a question made of fact n the number -1 - n."""
        made = round(self.mixture.made * self.mixture.batch)
        while True:
            drawn = fold_in(generator, position)
            asked = torch.randint(
                self.questions[split].number, (self.mixture.batch - made,), generator=drawn
            )
            yield (torch.cat([asked, -1 - self.made.draw(made, drawn)]),)
            position += 1

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> Drawn:
        (rows,), data = batch, self.questions[split]
        asked, made = rows[rows >= 0], -1 - rows[rows < 0]
        return Drawn(data.bags.features[asked], data.right[asked], data.candidates[asked], made)

    def loss(self, model: nn.Module, batch: Drawn, state: Any, generator: torch.Generator) -> Step:
        assert isinstance(model, SimpleQA)
        memory, made, mixture = self.placed.memory, batch.made, self.mixture
        bags = (batch.features, self.placed.bags(made, generator))
        width = max(part.shape[1] for part in bags)
        questions = bags_of(torch.cat([F.pad(part, (0, width - part.shape[1])) for part in bags]))
        right = torch.cat([batch.right, made])
        own = torch.cat(
            [
                _drawn(batch.candidates, mixture.own, generator),
                memory.by_subject.draw(memory.subject[made], mixture.own, generator),
            ]
        )
        strangers = torch.randint(
            len(memory.facts), (mixture.strangers,), generator=generator, device=generator.device
        )
        others = torch.cat([own, strangers.expand(len(right), -1)], 1)
        facts = memory.bags
        rivals = Rivals(
            facts.take(own.clamp(min=0).flatten()),
            facts.take(strangers),
            (others != NO_FACT) & (others != right[:, None]),
        )
        loss, hits = model.loss(questions, facts.take(right), rivals, mixture.margin)
        return Step(loss, len(right), state, {"accuracy": hits})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss over a question's own candidates, and the shares of `outcome`."""
        assert isinstance(model, SimpleQA)
        data = self.questions[split]
        return self.measured(data, answered(model, self.placed.memory.bags, data))

    def measured(self, data: FactQuestions, found: SimpleQAOutput) -> dict[str, Ratio]:
        """Return what `evaluate` does of questions for which a fact was found."""
        right = data.candidates == data.right[:, None]
        held = found.scores.masked_fill(~right, -torch.inf).amax(1, keepdim=True)
        rivals = (data.candidates != NO_FACT) & ~right & held.isfinite()
        loss = (F.relu(self.mixture.margin - held + found.scores)[rivals]).sum()
        shares = outcome(self.memory, *moved((data, found), torch.device("cpu")))
        ratios = {name: Ratio.of(hit) for name, hit in shares.items()}
        return {"loss": Ratio(float(loss), data.number), **ratios}

    def after_update(self, model: nn.Module) -> None:
        assert isinstance(model, SimpleQA)
        model.renormalise()


def _drawn(candidates: Tensor, each: int, generator: torch.Generator) -> Tensor:
    """Draw candidates with replacement; `NO_FACT` of a question that has none."""
    number = (candidates != NO_FACT).sum(1, keepdim=True)
    share = torch.rand(len(candidates), each, generator=generator, device=generator.device)
    return candidates.gather(1, (share * number).long())


def answered(model: SimpleQA, facts: Bags, questions: FactQuestions) -> SimpleQAOutput:
    """Score every candidate; a fact that is nobody's is not embedded."""
    there = questions.candidates != NO_FACT
    numbers, place = questions.candidates[there].unique(return_inverse=True)
    candidates = questions.candidates.clone()
    candidates[there] = place
    return model(questions.bags, facts.take(numbers), candidates)


def chosen(questions: FactQuestions, found: SimpleQAOutput) -> Tensor:
    """Return the fact found for each question, `NO_FACT` for none."""
    slot = found.slot.clamp(min=0)[:, None]
    return questions.candidates.gather(1, slot).squeeze(1).masked_fill(found.slot < 0, NO_FACT)


def outcome(memory: Memory, questions: FactQuestions, found: SimpleQAOutput) -> dict[str, Tensor]:
    """Return by name what holds of each question.

    `accuracy`: subject and relation are right; `subject`, `relation`: one of them is; `answer`: the
    objects are; `recall`: the right fact is a candidate.
    """
    fact, right = chosen(questions, found), questions.right
    known = (fact >= 0) & (right >= 0)
    pair = fact.clamp(min=0), right.clamp(min=0)
    subject, relation = (
        known & (part[pair[0]] == part[pair[1]]) for part in (memory.subject, memory.relation)
    )
    same = [
        set(memory.facts[a].objects) == set(memory.facts[b].objects)
        for a, b in zip(*pair, strict=True)
    ]
    return {
        "accuracy": subject & relation,
        "subject": subject,
        "relation": relation,
        "answer": known & torch.tensor(same, dtype=torch.bool),
        **reach(questions),
    }


def reach(questions: FactQuestions) -> dict[str, Tensor]:
    """Return what hangs on the candidates alone.

    `recall`: the right fact is one of them; `candidates`: how many there are; `guess`: the chance
    that one drawn at random is right.
    """
    hit = (questions.candidates == questions.right[:, None]) & (questions.right >= 0)[:, None]
    number = (questions.candidates != NO_FACT).sum(1)
    recall = hit.any(1)
    return {"recall": recall, "candidates": number, "guess": recall / number.clamp(min=1)}


def by_majority(memory: Memory, questions: FactQuestions, asked: Sequence[str]) -> Tensor:
    """Return whether the candidate whose relation was asked for most often is the right one."""
    counts = Counter(asked)
    often = torch.tensor([counts[relation] for relation in memory.vocabulary.relations])
    scores = often[memory.relation[questions.candidates.clamp(min=0)]]
    best = scores.masked_fill(questions.candidates == NO_FACT, -1).argmax(1, keepdim=True)
    fact = questions.candidates.gather(1, best).squeeze(1)
    return (fact == questions.right) & (fact != NO_FACT)

"""Answer questions of a KB's own making, and learn when it does not answer.

Beside the facts of the entities that it names, each question may read one empty slot, whose value
is that there is no answer. What is not read there supports an answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from memnets.evidence import Answer, Support
from memnets.evidence import Step as Read
from memnets.kb.layouts import REVERSED
from memnets.kb.lexicon import Heard, Lexicon
from memnets.kb.naming import Mention, Names, words_of
from memnets.kb.questions import UNANSWERABLE, Facts, Question
from memnets.memories.keyvalue import KeyValues, Ragged, Reading, softmax_by_row
from memnets.models.kv_memnn import KVMemNN
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""
KINDS = ("known", *UNANSWERABLE)
RUNNERS_UP = 3
"""How many other answers are named."""
SHOWN = 20
"""So many objects of an answer are shown."""
SHOWN_BESIDE = 4
"""So many objects of other answers and of facts are."""
UNSURE = "I don't know"
NOTHING_READ = "(nothing that answers)"
"""The empty slot, in words."""


class Fact(NamedTuple):
    """All objects of an entity and a relation: what one slot holds."""

    entity: str
    relation: str
    objects: tuple[str, ...]

    def in_words(self) -> str:
        """Return subject, relation and object, in this order."""
        if not self.objects:
            return NOTHING_READ
        relation = self.relation.removeprefix(REVERSED)
        ends = (self.entity, in_words(self.objects, SHOWN_BESIDE))
        subject, item = ends if relation == self.relation else ends[::-1]
        return f"{subject} | {relation} | {item}"


NO_FACT = Fact("", "", ())
"""What the empty slot holds."""


class Understood(NamedTuple):
    """A question and what it may read."""

    mentions: tuple[Mention, ...]
    heard: Heard
    facts: tuple[Fact, ...]


class Numbered(NamedTuple):
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

    def asked(self, rows: Tensor) -> "Numbered":
        parts = (self.candidates.take(rows), self.right.take(rows), self.said.take(rows))
        return Numbered(self.words.take(rows), self.memory, *parts, self.kinds[rows])


class Decided(NamedTuple):
    """How likely each question's answers are."""

    support: Tensor
    """That of the best answer, one a question; 0 where there is none."""
    right: Tensor
    """Whether the best answer is right."""


class Listener:
    """Understands questions: finds the entities, their facts, and the tokens of the rest.

    Args:
        facts: of the KB.
        lexicon: what the words of questions become.
        further: pairs of an entity and what else it is called.
    """

    def __init__(
        self, facts: Facts, lexicon: Lexicon, further: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.facts, self.lexicon = facts, lexicon
        self.names = Names(facts.links(), lexicon.words, further)

    def listen(self, text: str, question: Question | None = None) -> Understood:
        """Understand a question; one of another kind than "known" is asked of a lesser KB."""
        unknown = lost = None
        if question and question.kind == "unknown entity":
            unknown = question.entity
        if question and question.kind == "missing fact":
            lost = question.entity, question.relation
        words = words_of(text)
        mentions = tuple(self.names.mentions(words, unknown))
        entities = dict.fromkeys(e for mention in mentions for e in mention.entities)
        facts = (
            Fact(entity, relation, objects)
            for entity in entities
            for relation, objects in self.facts.of(entity).items()
            if (entity, relation) != lost
        )
        return Understood(mentions, self.lexicon.hear(words, mentions), tuple(facts))


def number(listener: Listener, questions: Sequence[Question]) -> Numbered:
    """Number questions, and say which of their candidates are right."""
    slots: dict[Fact, int] = {}
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
    return Numbered(
        Ragged.of(words),
        memory_of(listener.lexicon, list(slots)),
        Ragged.of(candidates),
        Ragged.of(right),
        Ragged.of(says),
        torch.tensor([KINDS.index(question.kind) for question in questions]),
    )


def memory_of(lexicon: Lexicon, facts: Sequence[Fact]) -> KeyValues:
    """Return the memory of some facts, after the empty slot."""
    keys = [lexicon.key(fact.entity, fact.relation) for fact in facts]
    values = [lexicon.value(fact.objects) for fact in facts]
    return KeyValues(Ragged.of([(0,), *keys]), Ragged.of([(0,), *values]))


def answer_scores(model: KVMemNN, asked: Numbered) -> Tensor:
    r"""Return $q_{H+1} \cdot B \Phi_Y(y_c)$ of every candidate's value."""
    state, _ = model.read(asked.words, asked.memory, asked.candidates)
    values = model.embed_answers(asked.memory.values.take(asked.candidates.items))
    return (state[asked.candidates.owners()] * values).sum(-1)


def decide(model: KVMemNN, asked: Numbered) -> Decided:
    """Return the best answer of each question; facts that say the same count together."""
    shares = softmax_by_row(answer_scores(model, asked), asked.candidates)
    owners = asked.candidates.owners()
    pairs = torch.stack([owners, asked.said.items], 1)
    _, same = pairs.unique(dim=0, return_inverse=True)
    total = torch.zeros_like(shares).index_add(0, same, shares)[same]
    total = total.masked_fill(asked.said.items == 0, 0.0)
    best = torch.zeros(asked.candidates.rows, dtype=total.dtype)
    best = best.scatter_reduce(0, owners, total, "amax")
    at_best = (total == best[owners]) & (asked.right.items == 1) & (asked.said.items > 0)
    right = torch.zeros(asked.candidates.rows).index_add(0, owners, at_best.float()) > 0
    return Decided(best, right)


class OwnKBTask(Task):
    """Learn to answer questions by the facts of a KB, and to decline those it has no answer to.

    The loss is that of a softmax over the values of a question's candidates, of which several may
    be right.

    Args:
        questions: the sides by name: "train", "valid" (to set when to decline) and "test".
        batch: questions in an update, drawn without replacement.
        lost: the share of tokens that an update does not hear, so that none alone decides.
    """

    unit = "questions"

    def __init__(self, questions: Mapping[str, Numbered], batch: int, lost: float) -> None:
        self.questions, self.batch, self.lost = questions, batch, lost

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.questions["train"].kinds) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of questions, epoch after epoch, each in an order of its own."""
        return shuffled(len(self.questions[split].kinds), self.batch, generator, position)

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        assert isinstance(model, KVMemNN)
        (rows,) = batch
        asked = self.questions["train"].asked(rows)
        asked = asked._replace(words=lose(asked.words, self.lost, generator))
        loss, right = _loss(model, asked)
        return Step(loss, len(rows), state, {"accuracy": right})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return what is answered and declined.

        `accuracy` counts answerable questions that are answered rightly, `refused` those that are
        declined, `declined` the others that are. An answer is right if it names all objects, and
        no others. `threshold` is the support below which an answer is not given; it is chosen on
        the side "valid", whatever side is evaluated.
        """
        assert isinstance(model, KVMemNN)
        least = self.threshold(model)
        decided, loss = self._decided(model, split)
        kinds = self.questions[split].kinds
        given = decided.support >= least
        known = kinds == 0
        ratios = {
            "loss": Ratio(loss, len(kinds)),
            "accuracy": _ratio((given & decided.right)[known]),
            "refused": _ratio(~given[known]),
            "declined": _ratio(~given[~known]),
            "threshold": Ratio(least, 1),
        }
        for place, kind in enumerate(KINDS):
            if place and (of_kind := kinds == place).any():
                ratios[f"declined/{kind}"] = _ratio(~given[of_kind])
        return ratios

    @torch.no_grad()
    def threshold(self, model: KVMemNN) -> float:
        """Return the support below which answers are to be declined, chosen on "valid"."""
        decided, _ = self._decided(model, "valid")
        known = self.questions["valid"].kinds == 0
        return choose_threshold(decided.support[known], decided.support[~known])

    @torch.no_grad()
    def _decided(self, model: KVMemNN, split: str) -> tuple[Decided, float]:
        questions, parts, loss = self.questions[split], [], 0.0
        for rows in torch.arange(len(questions.kinds)).split(EVALUATION_BATCH):
            asked = questions.asked(rows)
            parts.append(decide(model, asked))
            loss += float(_loss(model, asked)[0])
        return Decided(*map(torch.cat, zip(*parts, strict=True))), loss


def lose(words: Ragged, share: float, generator: torch.Generator) -> Ragged:
    """Leave out a share of the tokens."""
    kept = torch.rand(len(words.items), generator=generator) >= share
    lengths = torch.zeros(words.rows, dtype=torch.long).index_add(0, words.owners(), kept.long())
    return Ragged(words.items[kept], torch.cat([lengths.new_zeros(1), lengths.cumsum(0)]))


def choose_threshold(known: Tensor, unanswerable: Tensor) -> float:
    """Return the support from which answers are given, so that the fewest mistakes are made.

    Mistakes are answerable questions declined and others answered, each as a share of its kind.

    Args:
        known: the support of answerable questions' best answers.
        unanswerable: that of others.
    """
    if not len(known) or not len(unanswerable):
        return 0.5
    tried = torch.cat([known, unanswerable]).unique()
    between = (tried[1:] + tried[:-1]) / 2
    tried = torch.cat([tried[:1] / 2, between])
    refused = (known < tried[:, None]).float().mean(1)
    answered = (unanswerable >= tried[:, None]).float().mean(1)
    return float(tried[(refused + answered).argmin()])


@dataclass(frozen=True)
class KBAnswer:
    """An answer of a KB, what it was read from, and how the question was understood."""

    answer: Answer
    objects: tuple[str, ...]
    """All that the facts name; none where the answer is declined."""
    mentions: tuple[Mention, ...]
    corrected: tuple[tuple[str, str], ...]
    """Words that were taken for another, and that."""

    @property
    def declined(self) -> bool:
        return not self.objects

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "objects": list(self.objects),
            "mentions": [mention._asdict() for mention in self.mentions],
            "corrected": dict(self.corrected),
        }


@torch.no_grad()
def ask(model: KVMemNN, listener: Listener, least: float, text: str) -> KBAnswer:
    """Answer a question, or say that the KB does not.

    Args:
        model: a trained model.
        listener: over the KB; it may hold other facts than those of the training.
        least: the support below which no answer is given.
        text: the question.

    Raises:
        ValueError: the question has no words.
    """
    if not words_of(text):
        raise ValueError(
            f"the question {text!r} holds no word. Ask with words and a name of the KB."
        )
    understood = listener.listen(text)
    facts = (NO_FACT, *understood.facts)
    memory = memory_of(listener.lexicon, understood.facts)
    candidates = Ragged.of([range(len(facts))])
    state, hops = model.read(Ragged.of([understood.heard.tokens]), memory, candidates)
    shares = (model.embed_answers(memory.values) @ state[0]).softmax(0).tolist()
    likely: dict[tuple[str, ...], float] = {}
    for fact, share in zip(facts, shares, strict=True):
        likely[fact.objects] = likely.get(fact.objects, 0.0) + share
    nothing = likely.pop(())
    ranked = sorted(likely.items(), key=lambda one: -one[1])
    given = bool(ranked) and ranked[0][1] >= least
    rivals = tuple(
        (in_words(objects, SHOWN_BESIDE), share) for objects, share in ranked[given:][:RUNNERS_UP]
    )
    said, probability = (in_words(ranked[0][0]), ranked[0][1]) if given else (UNSURE, nothing)
    answer = Answer(
        question=text,
        text=said,
        probability=probability,
        runners_up=rivals,
        steps=tuple(_steps(facts, hops)),
        unknown_words=understood.heard.unknown,
    )
    objects = ranked[0][0] if given else ()
    return KBAnswer(answer, objects, understood.mentions, understood.heard.corrected)


def _steps(facts: Sequence[Fact], hops: Sequence[Reading]) -> Iterator[Read]:
    for number, hop in enumerate(hops, start=1):
        read = zip(facts, hop.weights.tolist(), strict=True)
        supports = (Support(slot, fact.in_words(), w) for slot, (fact, w) in enumerate(read))
        yield Read(f"hop {number}", tuple(supports))


def in_words(objects: Sequence[str], most: int = SHOWN) -> str:
    """Return the objects of a fact, or the first of many."""
    more = len(objects) - most
    return ", ".join(objects[:most]) + (f" and {more:,} more" if more > 0 else "")


def _loss(model: KVMemNN, asked: Numbered) -> tuple[Tensor, Tensor]:
    scores = answer_scores(model, asked)
    shares = softmax_by_row(scores, asked.candidates)
    owners = asked.candidates.owners()
    zeros = shares.new_zeros(asked.candidates.rows)
    right = zeros.index_add(0, owners, shares * asked.right.items)
    return -right.clamp(min=TINY).log().sum(), (right > 0.5).sum()


TINY = 1e-12
"""The least probability of which a logarithm is taken."""


def _ratio(values: Tensor) -> Ratio:
    return Ratio(float(values.double().sum()), len(values))

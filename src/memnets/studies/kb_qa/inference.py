"""Ask a trained model about a KB, and see what it read."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from memnets.evidence import Answer, Support
from memnets.evidence import Step as Read
from memnets.kb.linking.naming import Mention, question_words
from memnets.memories.keyvalue import Ragged, SlotsRead
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.kb_qa.encoding import (
    NO_FACT,
    SHOWN_BESIDE,
    CandidateFact,
    QuestionEncoder,
    in_words,
    memory_of,
)

RUNNERS_UP = 3
"""How many other answers are named."""
LEAST_SHOWN = 0.1
"""A relation that an entity has not is shown where it takes this share of what a hop reads."""
UNSURE = "I don't know"


@dataclass(frozen=True)
class KBAnswer:
    """An answer of a KB, what it was read from, and how the question was understood."""

    answer: Answer
    objects: tuple[str, ...]
    """All that the facts name; none where the answer is declined."""
    mentions: tuple[Mention, ...]
    corrected: tuple[tuple[str, str], ...]
    """Words that were taken for another, and that."""
    likeness: float = 1.0
    """Of the names as they were asked to those of the KB; the answer's probability is the model's
    times this."""

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def probability(self) -> float:
        return self.answer.probability

    @property
    def declined(self) -> bool:
        return not self.objects

    def __str__(self) -> str:
        return str(self.answer)

    def __repr__(self) -> str:
        return f"KBAnswer({self.answer})"

    def _repr_html_(self) -> str:
        """Draw it in a notebook, with the facts that were read."""
        return self.answer._repr_html_()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "objects": list(self.objects),
            "mentions": [mention._asdict() for mention in self.mentions],
            "corrected": dict(self.corrected),
            "likeness": self.likeness,
        }


@torch.no_grad()
def ask(
    model: KVMemNN,
    listener: QuestionEncoder,
    least: float,
    text: str,
    namesakes: Mapping[str, str] | None = None,
) -> KBAnswer:
    """Answer a question, or say that the KB does not.

    Args:
        model: a trained model.
        listener: over the KB; it may hold other facts than those of the training.
        least: the support below which no answer is given.
        text: the question.
        namesakes: names under which there may be several entities, and where these stand.

    Raises:
        ValueError: the question has no words.
    """
    if not question_words(text):
        raise ValueError(
            f"the question {text!r} holds no word. Ask with words and a name of the KB."
        )
    understood = listener.listen(text)
    facts = (NO_FACT, *understood.facts)
    memory = memory_of(listener.vocabulary, understood.facts)
    candidates = Ragged.of([range(len(facts))])
    state, hops = model.read(Ragged.of([understood.heard.tokens]), memory, candidates)
    shares = (model.embed_answers(memory.values) @ state[0]).softmax(0).tolist()
    likely: dict[tuple[str, ...], float] = {}
    for fact, share in zip(facts, shares, strict=True):
        likely[fact.objects] = likely.get(fact.objects, 0.0) + share
    nothing = likely.pop(())
    ranked = sorted(likely.items(), key=lambda one: -one[1])
    given = bool(ranked) and ranked[0][1] >= least
    # A name that is only similar may be another one: no answer about it is surer than that.
    likeness = math.prod((mention.likeness for mention in understood.mentions), start=1.0)
    rivals = tuple(
        (in_words(objects, SHOWN_BESIDE), share * likeness)
        for objects, share in ranked[given:][:RUNNERS_UP]
    )
    said, probability = UNSURE, nothing
    if given:
        said, probability = in_words(ranked[0][0]), ranked[0][1] * likeness
    answer = Answer(
        question=text,
        text=said,
        probability=probability,
        runners_up=rivals,
        steps=tuple(_steps(facts, hops)),
        unknown_words=understood.heard.unknown,
        caution="; ".join(
            _cautions(question_words(text), understood.mentions, (given and namesakes) or {})
        ),
    )
    objects = ranked[0][0] if given else ()
    return KBAnswer(answer, objects, understood.mentions, understood.heard.corrected, likeness)


def _cautions(
    words: Sequence[str], mentions: Sequence[Mention], namesakes: Mapping[str, str]
) -> Iterator[str]:
    """Yield what is not certain about the names of a question."""
    for mention in mentions:
        if mention.how == "spelling":
            asked = " ".join(words[mention.begin : mention.end])
            entities = " or ".join(map(repr, mention.entities))
            yield f"taking {asked!r} for {entities} ({mention.likeness:.0%} alike)"
        for entity in mention.entities:
            if entity in namesakes:
                yield f"perhaps several of one name, {namesakes[entity]}"


def _steps(facts: Sequence[CandidateFact], hops: Sequence[SlotsRead]) -> Iterator[Read]:
    """Yield what each hop read; what lacks and is hardly read counts with the empty slot."""
    read = [hop.weights.tolist() for hop in hops]
    shown = [
        slot
        for slot, fact in enumerate(facts)
        if slot == 0 or fact.objects or max(weights[slot] for weights in read) >= LEAST_SHOWN
    ]
    for number, weights in enumerate(read, start=1):
        rest = sum(weights) - sum(weights[slot] for slot in shown)
        supports = [Support(slot, facts[slot].in_words(), weights[slot]) for slot in shown]
        supports[0] = replace(supports[0], weight=weights[0] + max(rest, 0.0))
        yield Read(f"hop {number}", tuple(supports))

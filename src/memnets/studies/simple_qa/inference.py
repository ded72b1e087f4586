"""Answer a question with facts, and show the candidates as evidence."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from memnets.data.qa.reverb import Extraction
from memnets.evidence import Answer, Step, Support
from memnets.models.simple_qa import NO_FACT, SimpleQA
from memnets.studies.simple_qa.memory import (
    FactQuestion,
    Memory,
    number_questions,
    question_words,
    singular,
)
from memnets.studies.simple_qa.strings import StringBags, ask_strings
from memnets.studies.simple_qa.task import answered
from memnets.studies.simple_qa.web_questions import said

SHARPNESS = 20.0
"""Cosines lie close together: a softmax of them times this is given as the probability."""
NOTHING = "no fact found"
"""The answer where a question names nothing that is known."""
RUNNERS_UP = 3
"""How many other answers are named."""


@torch.no_grad()
def ask(
    model: SimpleQA,
    memory: Memory,
    names: Mapping[str, str],
    context: Sequence[str],
    question: str,
) -> Answer:
    """Answer from the facts of the memory, or from facts that are given.

    Facts that are given are attached as facts in strings, linked by the names that are known; the
    model is not trained on them. The probability is a share in a softmax of cosines: the model
    itself knows only which fact ranks first.

    Args:
        model: a trained model.
        memory: its facts.
        names: of entities.
        context: facts, ``subject<TAB>relation<TAB>object``; where there are any, only they answer.
        question: what is asked.

    Raises:
        ValueError: a line of the context is no fact.
    """
    if context:
        strings = StringBags(
            [extraction(line) for line in context], memory.aliases, memory.vocabulary
        )
        data, facts = ask_strings([question], strings, memory.aliases), strings.bags
        texts = [(one.object, _line(one)) for one in strings.extractions]
    else:
        data, facts = number_questions([FactQuestion(question, "", "")], memory), memory.bags
        texts = []
    slots = [slot for slot in data.candidates[0].tolist() if slot != NO_FACT]
    if not slots:
        return Answer(question, NOTHING, 0.0, (), (), _unknown(memory, question))
    scores = answered(model, facts, data).scores[0, : len(slots)]
    said_of = [texts[slot] if texts else _in_words(memory, names, slot) for slot in slots]
    return _answer(question, scores, said_of, slots, _unknown(memory, question))


def _answer(
    question: str,
    scores: Tensor,
    texts: Sequence[tuple[str, str]],
    slots: Sequence[int],
    unknown: tuple[str, ...],
) -> Answer:
    shares = (SHARPNESS * scores).softmax(-1).tolist()
    order = sorted(range(len(slots)), key=lambda place: -shares[place])
    best = order[0]
    others = tuple((texts[place][0], shares[place]) for place in order[1 : RUNNERS_UP + 1])
    step = Step(
        f"best of {len(slots)} facts: cosine {float(scores[best]):.2f}",
        tuple(
            Support(slot, text, share)
            for slot, (_, text), share in zip(slots, texts, shares, strict=True)
        ),
    )
    return Answer(question, texts[best][0], shares[best], others, (step,), unknown)


def _in_words(memory: Memory, names: Mapping[str, str], number: int) -> tuple[str, str]:
    fact = memory.facts[number]
    objects = ", ".join(said(fact.objects, names))
    return objects, f"{names.get(fact.subject, fact.subject)} | {fact.relation} | {objects}"


def _line(one: Extraction) -> str:
    return f"{one.subject} | {one.relation} | {one.object}"


def extraction(line: str) -> Extraction:
    """Return a fact in strings that was written in a line.

    Raises:
        ValueError: it is none.
    """
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) != 3 or not all(parts):
        raise ValueError(
            f"came the fact {line[:80]!r}; expected subject<TAB>relation<TAB>object. Part the "
            f"three by TABs."
        )
    subject, relation, item = parts
    return Extraction(subject, relation, item)


def _unknown(memory: Memory, question: str) -> tuple[str, ...]:
    read = memory.vocabulary.gram_numbers
    words = dict.fromkeys(question_words(question))
    return tuple(word for word in words if not {word, singular(word)} & read.keys())

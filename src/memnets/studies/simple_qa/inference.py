"""Answer a question with facts, and show the candidates as evidence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from memnets.data.qa.asked import AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.data.qa.reverb import Extraction
from memnets.data.qa.simplequestions import SimpleQuestion
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
from memnets.studies.simple_qa.task import SimpleQATask, answered, chosen, outcome
from memnets.studies.simple_qa.web_questions import said
from memnets.training.task import Ratio

SHARPNESS = 20.0
"""Cosines lie close together: a softmax of them times this is given as the probability."""
NOTHING = "no fact found"
"""The answer where a question names nothing that is known."""
RUNNERS_UP = 3
"""How many other answers are named."""
AT_ONCE = 500
"""Questions of a file that are answered at once: one of them may have thousands of candidates."""


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


@torch.no_grad()
def judge(
    model: SimpleQA, task: SimpleQATask, names: Mapping[str, str], asked: Sequence[SimpleQuestion]
) -> tuple[dict[str, Ratio], list[Judged]]:
    """Answer questions from the facts of the memory, and judge the answers.

    Args:
        model: a trained model.
        task: with its facts.
        names: of entities.
        asked: the questions, each with the fact that answers it.

    Returns:
        What `SimpleQATask.evaluate` returns; and each answer: it is right if subject and relation
        are those of the fact, whatever else the memory has of them.
    """
    ratios: dict[str, Ratio] = {}
    judged: list[Judged] = []
    for first in range(0, len(asked), AT_ONCE):
        some = asked[first : first + AT_ONCE]
        facts = [FactQuestion(one.text, one.subject, one.relation) for one in some]
        data = number_questions(facts, task.memory)
        found = answered(model, task.memory.bags, data)
        for name, (total, weight) in task.measured(data, found).items():
            so_far = ratios.get(name, Ratio(0.0, 0))
            ratios[name] = Ratio(so_far.total + total, so_far.weight + weight)
        right = outcome(task.memory, data, found)["accuracy"].tolist()
        shares = _shares(data.candidates, found.scores).tolist()
        rows = zip(some, chosen(data, found).tolist(), shares, right, strict=True)
        judged += _judged(task.memory, names, rows)
    return ratios, judged


def _shares(candidates: Tensor, scores: Tensor) -> Tensor:
    """Return the probability of the best candidate of each question; 0 where it has none."""
    there = candidates != NO_FACT
    shares = (SHARPNESS * scores).masked_fill(~there, -torch.inf).softmax(-1)
    return shares.amax(-1).masked_fill(~there.any(-1), 0.0)


def _judged(
    memory: Memory,
    names: Mapping[str, str],
    rows: Iterable[tuple[SimpleQuestion, int, float, bool]],
) -> Iterator[Judged]:
    for one, number, share, is_right in rows:
        right = memory.numbers.get((one.subject, one.relation))
        objects = (one.object,) if right is None else memory.facts[right].objects
        given = () if number == NO_FACT else said(memory.facts[number].objects, names)
        asked = AskedQuestion(one.text, tuple(said(objects, names)))
        yield Judged(asked, tuple(given), share, is_right)


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

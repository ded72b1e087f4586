"""Questions to a KB as numbers, with the facts that they may read: what is learnt from."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from memnets.kb.questions.questions import UNANSWERABLE, GeneratedQuestion
from memnets.kb.questions.vocabulary import TokenVocabulary
from memnets.memories.keyvalue import KeyValues, Ragged
from memnets.studies.kb_qa.encoding import NO_FACT, CandidateFact, QuestionEncoder, slots_of

KINDS = ("known", *UNANSWERABLE)


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

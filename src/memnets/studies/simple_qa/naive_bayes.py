"""What counting the words of questions reaches, over the same candidate facts: the baseline."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from memnets.data.qa.simplequestions import SimpleQuestion
from memnets.models.simple_qa import NO_FACT
from memnets.studies.simple_qa.memory import (
    FactQuestions,
    Memory,
    question_words,
    relation_words,
    singular,
)
from memnets.tasks.naive_bayes import NaiveBayes

SMOOTHING = 1e-4
"""Added to every count; chosen, as was that pairs of words count, on the questions set aside."""


def by_naive_bayes(
    memory: Memory,
    questions: FactQuestions,
    texts: Sequence[str],
    learnt: Sequence[SimpleQuestion],
) -> Tensor:
    """Return whether the candidate with the likeliest relation is the right one.

    Args:
        memory: the facts.
        questions: with their candidates, which are those that the network chooses among.
        texts: of these questions.
        learnt: questions whose relations are known.
    """
    relations = memory.vocabulary.relations
    model = NaiveBayes(
        ((told(one.text), one.relation) for one in learnt),
        {relation: relation_words(relation) for relation in relations},
        weight=1,
        smoothing=SMOOTHING,
    )
    found = []
    for text, row in zip(texts, questions.candidates.tolist(), strict=True):
        facts = [fact for fact in row if fact != NO_FACT]
        kinds = [memory.facts[fact].relation for fact in facts]
        scores = model.scores(told(text), set(kinds))
        likely = [scores[kind] for kind in kinds]
        found.append(facts[likely.index(max(likely))] if facts else NO_FACT)
    chosen = torch.tensor(found)
    return (chosen == questions.right) & (chosen != NO_FACT)


def told(text: str) -> list[str]:
    """Return the words of a question, each once, and its pairs of neighbours, ends included."""
    words = [singular(word) for word in question_words(text)]
    return [*dict.fromkeys(words), *_pairs(["<", *words, ">"])]


def _pairs(words: Sequence[str]) -> Iterator[str]:
    return (f"{one} {other}" for one, other in pairwise(words))

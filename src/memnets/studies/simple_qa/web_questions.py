"""WebQuestions over the facts at hand: which of them can be answered, and how well they are.

A question comes with the key of its topic, ``natalie_portman``. It is linked to the entities whose
name has the words of the key; without Freebase most topics, and nearly all answers, are missing.
"""

from collections.abc import Iterable, Mapping, Sequence

import torch

from memnets.data.qa.webquestions import WebQuestion
from memnets.models.simple_qa import NO_FACT, SimpleQA, ensemble
from memnets.studies.simple_qa.memory import FactQuestion, Memory, number_questions, question_words
from memnets.studies.simple_qa.task import answered, chosen


def topics(question: WebQuestion, memory: Memory) -> tuple[str, ...]:
    """Return the entities whose name is the key of the question's topic."""
    key = " ".join(question_words(question.topic.replace("_", " ")))
    return tuple(entity.name for entity in memory.aliases.get(key, ()))


def answerable(
    questions: Iterable[WebQuestion], memory: Memory, names: Mapping[str, str]
) -> list[FactQuestion]:
    """Return the questions that a fact about their topic answers, with the first such fact."""
    found = []
    for question in questions:
        linked, gold = topics(question, memory), {one.casefold() for one in question.answers}
        for number in memory.candidates(linked):
            fact = memory.facts[number]
            if gold & {name.casefold() for name in said(fact.objects, names)}:
                found.append(FactQuestion(question.text, fact.subject, fact.relation, linked))
                break
    return found


def said(entities: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """Return the names of entities; an entity without one is called by its identifier."""
    return [names.get(entity, entity) for entity in entities]


@torch.no_grad()
def predict(
    models: Sequence[SimpleQA],
    questions: Sequence[WebQuestion],
    memory: Memory,
    names: Mapping[str, str],
) -> list[list[str]]:
    """Return the objects of the fact that models choose together, among those about the topic.

    A question whose topic is not at hand gets no answer.
    """
    asked = [FactQuestion(one.text, "", "", topics(one, memory)) for one in questions]
    linked = [number for number, one in enumerate(asked) if one.topic]
    predicted: list[list[str]] = [[] for _ in questions]
    if not linked:
        return predicted
    data = number_questions([asked[number] for number in linked], memory)
    found = ensemble([answered(model, memory.bags, data).scores for model in models])
    for number, fact in zip(linked, chosen(data, found).tolist(), strict=True):
        if fact != NO_FACT:
            predicted[number] = said(memory.facts[fact].objects, names)
    return predicted

"""Ask a trained model about a story, and see what it read."""

from collections.abc import Sequence

import torch

from memnets.data.babi import Question, Statement, Story
from memnets.evidence import Answer, Step, Support
from memnets.models.memn2n import MemN2N
from memnets.tasks.stories import StoryVocabulary, number_stories, recency

RUNNERS_UP = 3
"""How many other answers are named."""


@torch.no_grad()
def ask(
    model: MemN2N,
    vocabulary: StoryVocabulary,
    context: Sequence[str],
    question: str,
    gold: str | None = None,
    gold_slots: frozenset[int] | None = None,
) -> Answer:
    """Answer a question about a story, with its evidence.

    Args:
        model: a trained model.
        vocabulary: the words it was trained on.
        context: the sentences of the story, oldest first; the last `vocabulary.memory` are read.
        question: what is asked.
        gold: the right answer, where it is known.
        gold_slots: which sentences (from 0) prove it, where that is known.

    Raises:
        ValueError: no context came, or no word of the question is known, or a sentence is
            longer than any the model has seen.
    """
    _check(vocabulary, context, question)
    lines = [Statement(line, text) for line, text in enumerate(context, start=1)]
    asked = Question(len(lines) + 1, question, gold or "", ())
    data = number_stories([Story((*lines, asked), 0, "the story you told", 1)], vocabulary)
    reply = model(
        data.sentences, data.story, recency(data.length, len(data.story[0])), data.question
    )
    likely = reply.logits[0].softmax(-1).topk(min(1 + RUNNERS_UP, len(vocabulary.words)))
    named = [
        (_word(vocabulary, number), probability)
        for number, probability in zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
    ]
    forgotten = max(0, len(context) - vocabulary.memory)
    steps = tuple(
        Step(
            f"hop {hop}",
            tuple(
                Support(
                    slot, context[slot], weight, None if gold_slots is None else slot in gold_slots
                )
                for slot, weight in enumerate(
                    readout.weights.flatten().tolist()[: len(context) - forgotten], start=forgotten
                )
            ),
        )
        for hop, readout in enumerate(reply.hops, start=1)
    )
    unknown = dict.fromkeys(
        word for text in (*context, question) for word in vocabulary.unknown(text)
    )
    (text, probability), *runners_up = named
    evidence = (tuple(runners_up), steps, tuple(unknown), gold, forgotten)
    return Answer(question, text, probability, *evidence)


def ask_story(
    model: MemN2N, vocabulary: StoryVocabulary, story: Story, question: Question
) -> Answer:
    """Answer a question of a data set, its gold answer and evidence beside the model's."""
    context = story.statements_before(question)
    slots = frozenset(slot for slot, line in enumerate(context) if line.line in question.supports)
    texts = [statement.text for statement in context]
    return ask(model, vocabulary, texts, question.text, question.answer.lower(), slots)


def _check(vocabulary: StoryVocabulary, context: Sequence[str], question: str) -> None:
    if not context:
        raise ValueError(
            f'"{question}" came before any sentence was told. Tell the story first, one sentence '
            f"a line."
        )
    if not any(vocabulary.numbers(question)):
        raise ValueError(
            f'"{question}" holds no word that this model knows. It was trained on '
            f"{len(vocabulary.words) - 1} words, for example: {', '.join(vocabulary.words[1:8])}."
        )


def _word(vocabulary: StoryVocabulary, number: int) -> str:
    return vocabulary.words[number] if 0 < number < len(vocabulary.words) else "(no word)"

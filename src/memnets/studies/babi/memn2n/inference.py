"""Ask a trained model about a story, and see what it read."""

from collections.abc import Sequence

import torch

from memnets.evidence import Answer
from memnets.models.memn2n import MemN2N
from memnets.tasks.asking import Asked
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
    asked = Asked(context, question, gold, gold_slots)
    asked.check(any(vocabulary.numbers(question)), vocabulary.words[1:])
    data = number_stories([asked.story()], vocabulary)
    reply = model(
        data.sentences, data.story, recency(data.length, len(data.story[0])), data.question
    )
    likely = reply.logits[0].softmax(-1).topk(min(1 + RUNNERS_UP, len(vocabulary.words)))
    named = [
        (_word(vocabulary, number), probability)
        for number, probability in zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
    ]
    forgotten = max(0, len(context) - vocabulary.memory)
    read = len(context) - forgotten
    steps = tuple(
        asked.step(f"hop {hop}", readout.weights.flatten().tolist()[:read], forgotten)
        for hop, readout in enumerate(reply.hops, start=1)
    )
    unknown = dict.fromkeys(
        word for text in (*context, question) for word in vocabulary.unknown(text)
    )
    (text, probability), *runners_up = named
    evidence = (tuple(runners_up), steps, tuple(unknown), gold, forgotten)
    return Answer(question, text, probability, *evidence)


def _word(vocabulary: StoryVocabulary, number: int) -> str:
    return vocabulary.words[number] if 0 < number < len(vocabulary.words) else "(no word)"

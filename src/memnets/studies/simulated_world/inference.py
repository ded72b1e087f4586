"""Ask a trained recurrent net about a story."""

from collections.abc import Sequence

import torch

from memnets.evidence import Answer
from memnets.models.story_rnn import StoryRNN
from memnets.tasks.stories import StoryVocabulary

NAMED = 4
"""How many answers are named, the likeliest first."""


@torch.no_grad()
def ask(
    model: StoryRNN,
    vocabulary: StoryVocabulary,
    context: Sequence[str],
    question: str,
    gold: str | None = None,
    proof: frozenset[int] | None = None,
) -> Answer:
    """Answer a question about a story, word by word and without evidence; `proof` is not shown."""
    words = [number for text in (*context, question) for number in vocabulary.numbers(text)]
    logits = model(torch.tensor([words]), torch.tensor([[len(words) - 1]]))
    likely = logits.flatten().softmax(-1).topk(NAMED)
    named = [
        (vocabulary.words[number], probability)
        for number, probability in zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
    ]
    unknown = dict.fromkeys(w for text in (*context, question) for w in vocabulary.unknown(text))
    return Answer(question, *named[0], tuple(named[1:]), (), tuple(unknown), gold)

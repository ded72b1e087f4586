"""Tag a sentence, and see which words each hop let in."""

import math
from collections.abc import Sequence

import torch

from memnets.evidence import Answer, Step, Support
from memnets.models.dmn import DMNTagger
from memnets.studies.tagging.task import TaggingVocabulary
from memnets.tasks.word_slots import WordSlots


@torch.no_grad()
def ask(
    model: DMNTagger,
    vocabulary: TaggingVocabulary,
    words: Sequence[str],
    gold: Sequence[str] | None = None,
) -> Answer:
    """Tag the words of a sentence.

    The probability is that of all tags together, as the model says: their product.

    Args:
        model: a trained model.
        vocabulary: that it was trained with.
        words: of the sentence.
        gold: the right tags, where they are known.

    Raises:
        ValueError: there is no word.
    """
    if not words:
        raise ValueError("there is no word to tag in this text. Type a sentence.")
    reply = model(*WordSlots.of([words], vocabulary.parts, vocabulary.parts_unknown))
    best, tags = reply.scores[0].log_softmax(-1).max(-1)
    tagged = joined(words, [vocabulary.tags[tag] for tag in tags.tolist()])
    steps = tuple(
        Step(
            f"hop {hop}",
            tuple(
                Support(slot, text, weight)
                for slot, (text, weight) in enumerate(
                    zip(tagged, one.weights.flatten().tolist(), strict=True)
                )
            ),
        )
        for hop, one in enumerate(reply.hops, start=1)
    )
    unknown = dict.fromkeys(word for word in words if not vocabulary.knows(word))
    return Answer(
        " ".join(words),
        " ".join(tagged),
        math.exp(float(best.sum())),
        (),
        steps,
        tuple(unknown),
        None if gold is None else " ".join(joined(words, gold)),
        unit="word",  # unknown ones are not read as nothing, but by how they are spelt
    )


def joined(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return words with their tags: from/ADP."""
    return [f"{word}/{tag}" for word, tag in zip(words, tags, strict=True)]

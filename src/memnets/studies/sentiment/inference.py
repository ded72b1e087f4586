"""Ask how a text sounds, and see which words each hop let in."""

from collections.abc import Sequence

import torch

from memnets.evidence import Answer, Step, Support
from memnets.models.dmn import DMN
from memnets.studies.sentiment.data import Labelled
from memnets.studies.sentiment.task import number
from memnets.tasks.word_slots import WordVocabulary


@torch.no_grad()
def ask(
    model: DMN,
    vocabulary: WordVocabulary,
    words: Sequence[str],
    names: Sequence[str],
    gold: int | None = None,
) -> Answer:
    """Say how words sound.

    Args:
        model: a trained model.
        vocabulary: that it was trained with.
        words: of a sentence or phrase.
        names: of the classes.
        gold: the right class, where it is known.

    Raises:
        ValueError: there is no word.
    """
    if not words:
        raise ValueError("there is no word in this text. Type a sentence.")
    small = tuple(map(str.lower, words))
    asked = number([Labelled(small, 0)], vocabulary)
    reply = model(*asked.words, asked.question)
    shares = reply.scores[0, 0].softmax(-1)
    best, *others = shares.argsort(descending=True, stable=True).tolist()
    steps = tuple(
        Step(
            f"hop {hop}",
            tuple(
                Support(slot, word, weight)
                for slot, (word, weight) in enumerate(
                    zip(words, one.weights.flatten().tolist(), strict=True)
                )
            ),
        )
        for hop, one in enumerate(reply.hops, start=1)
    )
    return Answer(
        " ".join(words),
        names[best],
        float(shares[best]),
        tuple((names[other], float(shares[other])) for other in others),
        steps,
        tuple(dict.fromkeys(word for word in small if word not in vocabulary)),
        None if gold is None else names[gold],
        unit="word",  # unknown ones are not read as nothing, but as any unknown word
    )

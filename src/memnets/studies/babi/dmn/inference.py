"""Ask a trained dynamic memory network about a story, and see what each hop read."""

from collections.abc import Iterator, Sequence

import torch

from memnets.attention import Readout
from memnets.evidence import Answer, Step
from memnets.models.dmn import DMN
from memnets.tasks.asking import Asked
from memnets.tasks.episodes import (
    EVALUATION_BATCH,
    EpisodeTask,
    EpisodeVocabulary,
    without_end,
)

RUNNERS_UP = 3
"""How many other answers are named."""


@torch.no_grad()
def ask(
    model: DMN,
    vocabulary: EpisodeVocabulary,
    context: Sequence[str],
    question: str,
    gold: str | None = None,
    gold_slots: frozenset[int] | None = None,
) -> Answer:
    """Answer a question about a story, with its evidence.

    Args:
        model: a trained model.
        vocabulary: the words it was trained on.
        context: the sentences of the story, oldest first; the last `vocabulary.window` are read.
        question: what is asked.
        gold: the right answer, where it is known.
        gold_slots: which sentences (from 0) prove it, where that is known.

    Raises:
        ValueError: no context came, or no word of the question is known.
    """
    asked, language = Asked(context, question, gold, gold_slots), vocabulary.language
    asked.check(bool(language.bag(question)), language.features[2 : language.words])
    data = vocabulary.number([asked.story()])
    reply = model(data.sentences, data.story, data.length, data.question)
    text, probability, runners_up = _answer(model, vocabulary, reply.scores)
    unknown = dict.fromkeys(
        word for line in (*context, question) for word in language.unknown(line)
    )
    unread = max(0, len(context) - vocabulary.window)
    steps = tuple(_steps(reply.hops, model.memory.end is not None, asked, unread))
    return Answer(question, text, probability, runners_up, steps, tuple(unknown), gold, unread)


@torch.no_grad()
def given(
    model: DMN, vocabulary: EpisodeVocabulary, task: EpisodeTask, split: str
) -> list[tuple[str, float]]:
    """Return the answer to each question of a split, and its probability."""
    found = []
    every = torch.arange(task.questions[split].number, device=task.questions[split].length.device)
    for rows in every.split(EVALUATION_BATCH):
        *asked, _, _ = task.collate(split, (rows,))
        for scores in model(*asked).scores.split(1):
            found.append(_answer(model, vocabulary, scores)[:2])
    return found


def _answer(
    model: DMN, vocabulary: EpisodeVocabulary, scores: torch.Tensor
) -> tuple[str, float, tuple[tuple[str, float], ...]]:
    """Return the answer, its probability, and the next best where answers are known as a whole."""
    said = model.head.words(scores)[0]
    shares = scores[0].softmax(-1)
    text = vocabulary.in_words(said.tolist())
    if not vocabulary.answers:
        kept = said >= 0
        each = shares[kept].gather(1, said[kept].unsqueeze(1))
        return text, float(each.prod()), ()
    best = shares[0].topk(min(1 + RUNNERS_UP, len(vocabulary.answers)))
    others = zip(best.indices[1:].tolist(), best.values[1:].tolist(), strict=True)
    runners_up = tuple((vocabulary.answers[number], share) for number, share in others)
    return text, float(best.values[0]), runners_up


def _steps(hops: tuple[Readout, ...], ends: bool, asked: Asked, unread: int) -> Iterator[Step]:
    """Yield what each hop read, up to the one that read the end most."""
    for number, (hop, whole) in enumerate(zip(without_end(hops, ends), hops, strict=True), 1):
        yield asked.step(f"hop {number}", hop.weights.flatten().tolist(), unread)
        if ends and int(whole.weights.flatten().argmax()) == 0:
            break

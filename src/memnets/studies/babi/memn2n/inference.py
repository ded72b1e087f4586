"""Ask a trained model about a story, and see what it read."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import torch
from jaxtyping import Float

from memnets.evidence import Answer
from memnets.experiments.answerer import without_frames
from memnets.models.memn2n import MemN2N
from memnets.ops.bags import NIL
from memnets.ops.native import OPS
from memnets.studies.babi.memn2n.task import EVALUATION_BATCH, BabiTask
from memnets.tasks.asking import YOURS, Asked
from memnets.tasks.stories import StoryVocabulary, number_told

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
    _expect_fit(vocabulary, asked)
    return next(_answers(model, vocabulary, [asked]))


@torch.no_grad()
def ask_each(
    model: MemN2N, vocabulary: StoryVocabulary, asked: Sequence[Asked]
) -> list[Answer | ValueError]:
    """Return what `ask` does of each question, to the same bits, all of them computed at once.

    In the place of one that cannot be answered stands its error.
    """
    found: list[Asked | ValueError] = []
    for one in asked:
        try:
            _expect_fit(vocabulary, one)
        except ValueError as error:
            found.append(without_frames(error))
        else:
            found.append(one)
    fit = [one for one in found if isinstance(one, Asked)]
    # The plain twin's bits depend on what else is asked; the op reads every story by itself.
    together = [fit] if OPS.available() else [[one] for one in fit]
    answers = chain.from_iterable(_answers(model, vocabulary, some) for some in together if some)
    return [next(answers) if isinstance(one, Asked) else one for one in found]


@torch.no_grad()
def given(
    model: MemN2N, vocabulary: StoryVocabulary, task: BabiTask, split: str
) -> list[tuple[str, float]]:
    """Return the answer to each question of a split, and its probability."""
    found = []
    every = torch.arange(task.questions[split].number, device=task.questions[split].answer.device)
    for rows in every.split(EVALUATION_BATCH):
        _, *asked, _ = task.to_answer(split, rows)
        best = model(*asked).logits.softmax(-1).max(-1)
        for number, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            found.append((_word(vocabulary, number), probability))
    return found


def _expect_fit(vocabulary: StoryVocabulary, asked: Asked) -> None:
    """Refuse what cannot be read."""
    asked.check(any(vocabulary.numbers_again(asked.question)), vocabulary.words[1:])
    try:
        for sentence in asked.context:
            vocabulary.numbers_again(sentence)
    except ValueError as error:
        raise ValueError(f"{YOURS}:1: in this story, {error}") from None


def _answers(
    model: MemN2N, vocabulary: StoryVocabulary, asked: Sequence[Asked]
) -> Iterator[Answer]:
    """Yield the answers, each with its evidence."""
    reply = model(*number_told([one[:2] for one in asked], vocabulary))
    logits = reply.logits
    if len(asked) > 1:  # to the bits of one alone; all else is computed row by row already
        logits = torch.cat([model.scores(state) for state in reply.state.split(1)])
    likely = logits.softmax(-1).topk(min(1 + RUNNERS_UP, len(vocabulary.words)))
    hops = [readout.weights.flatten(1).numpy(force=True) for readout in reply.hops]
    rows = zip(asked, likely.indices.tolist(), likely.values.tolist(), strict=True)
    for row, (one, numbers, probabilities) in enumerate(rows):
        named = [
            (_word(vocabulary, number), probability)
            for number, probability in zip(numbers, probabilities, strict=True)
        ]
        yield _answer(vocabulary, one, named, [weights[row] for weights in hops])


def _answer(
    vocabulary: StoryVocabulary,
    asked: Asked,
    named: Sequence[tuple[str, float]],
    hops: Sequence[Float[np.ndarray, " slot"]],
) -> Answer:
    context, question = asked.context, asked.question
    forgotten = max(0, len(context) - vocabulary.memory)
    read = len(context) - forgotten
    steps = tuple(
        asked.step(f"hop {hop}", weights[:read].tolist(), forgotten)
        for hop, weights in enumerate(hops, start=1)
    )
    strange = (one for one in (*context, question) if NIL in vocabulary.numbers_again(one))
    unknown = dict.fromkeys(chain(*map(vocabulary.unknown, strange)))
    (text, probability), *runners_up = named
    evidence = (tuple(runners_up), steps, tuple(unknown), asked.gold, forgotten)
    return Answer(question, text, probability, *evidence)


def _word(vocabulary: StoryVocabulary, number: int) -> str:
    return vocabulary.words[number] if 0 < number < len(vocabulary.words) else "(no word)"

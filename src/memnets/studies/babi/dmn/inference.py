"""Ask a trained dynamic memory network about a story, and see what each hop read."""

from collections.abc import Sequence

import torch

from memnets.attention import Readout
from memnets.data.babi import Question, Statement, Story
from memnets.evidence import Answer, Step, Support
from memnets.models.dmn import DMN
from memnets.tasks.episodes import EpisodeVocabulary, without_end

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
    _check(vocabulary, context, question)
    lines = [Statement(line, text) for line, text in enumerate(context, start=1)]
    asked = Question(len(lines) + 1, question, gold or "", ())
    data = vocabulary.number([Story((*lines, asked), 0, "the story you told", 1)])
    reply = model(data.sentences, data.story, data.length, data.question)
    text, probability, runners_up = _answer(model, vocabulary, reply.scores)
    unknown = dict.fromkeys(
        word for line in (*context, question) for word in vocabulary.language.unknown(line)
    )
    unread = max(0, len(context) - vocabulary.window)
    steps = _steps(reply.hops, model.memory.end is not None, context, unread, gold_slots)
    return Answer(question, text, probability, runners_up, steps, tuple(unknown), gold, unread)


def ask_story(
    model: DMN, vocabulary: EpisodeVocabulary, story: Story, question: Question
) -> Answer:
    """Answer a question of a data set, its gold answer and evidence beside the model's."""
    context = story.statements_before(question)
    slots = frozenset(slot for slot, line in enumerate(context) if line.line in question.supports)
    texts = [statement.text for statement in context]
    return ask(model, vocabulary, texts, question.text, question.answer.lower(), slots)


def _check(vocabulary: EpisodeVocabulary, context: Sequence[str], question: str) -> None:
    if not context:
        raise ValueError(
            f'"{question}" came before any sentence was told. Tell the story first, one sentence '
            f"a line."
        )
    if not vocabulary.language.bag(question):
        words = vocabulary.language.features[2 : vocabulary.language.words]
        raise ValueError(
            f'"{question}" holds no word that this model knows. It was trained on '
            f"{len(words)} words, for example: {', '.join(words[:7])}."
        )


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


def _steps(
    hops: tuple[Readout, ...],
    ends: bool,
    context: Sequence[str],
    unread: int,
    gold_slots: frozenset[int] | None,
) -> tuple[Step, ...]:
    """Return what each hop read, up to the one that read the end most."""
    steps = []
    for number, (hop, whole) in enumerate(zip(without_end(hops, ends), hops, strict=True), 1):
        supports = tuple(
            Support(slot, context[slot], weight, None if gold_slots is None else slot in gold_slots)
            for slot, weight in enumerate(hop.weights.flatten().tolist(), start=unread)
        )
        steps.append(Step(f"hop {number}", supports))
        if ends and int(whole.weights.flatten().argmax()) == 0:
            break
    return tuple(steps)

"""Strong supervision: MemNN learns which slots support an answer, and the answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnets.data.babi import Statement, Story
from memnets.evidence import Answer
from memnets.evidence import Step as Read
from memnets.layers.bag_features import Contexts
from memnets.memories.network import MemoryNetwork
from memnets.models.memnn import END, STOP, MemNN, MemNNOutput, StoryBags, draw_rivals
from memnets.tasks.asking import YOURS, Asked
from memnets.tasks.supported import (
    NO_MORE,
    FeatureVocabulary,
    SupportedQuestions,
    number_asked,
)
from memnets.tasks.unknown_words import drop_words, with_new_words, word_contexts
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""

RUNNERS_UP = 3
"""How many other answers are named."""


class MemNNTask(Task):
    """Find the supports and say the answer, with the margin ranking loss of both.

    Args:
        questions: the splits by name: "train", and what is to be evaluated.
        batch: questions in an update, drawn without replacement.
        margin: gamma.
        negatives: slots drawn as rivals of each support; 0 for all.
        contexts: of the words of each split, where unknown words are read by them.
        word_dropout: share of the known words that are read so in an update.

    Raises:
        ValueError: words are to be dropped, and there are no contexts to read them by.
    """

    unit = "questions"

    def __init__(
        self,
        questions: Mapping[str, SupportedQuestions],
        batch: int = 32,
        margin: float = 0.1,
        negatives: int = 0,
        contexts: Mapping[str, Contexts] | None = None,
        word_dropout: float = 0.0,
    ) -> None:
        if word_dropout and contexts is None:
            raise ValueError(
                f"MemNNTask(word_dropout={word_dropout}): there are no contexts to read dropped "
                f"words by. Pass contexts=..., or drop none."
            )
        self.questions = questions
        self.contexts, self.word_dropout = contexts or {}, word_dropout
        self.batch, self.margin, self.negatives = batch, margin, negatives

    @property
    def updates_per_epoch(self) -> int:
        return -(-self.questions["train"].number // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of questions, epoch after epoch, each in an order of its own."""
        return shuffled(self.questions[split].number, self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> tuple[StoryBags, Tensor, Tensor]:
        """Return what is asked, the supports and the answers."""
        (rows,), data = batch, self.questions[split]
        asked = data.asked(rows)._replace(contexts=self.contexts.get(split))
        return asked, data.supports[rows], data.answer[rows]

    def loss(
        self,
        model: nn.Module,
        batch: tuple[StoryBags, Tensor, Tensor],
        state: Any,
        generator: torch.Generator,
    ) -> Step:
        assert isinstance(model, MemNN)
        asked, supports, answer = batch
        rivals = None
        if self.negatives:
            wanted = model.wanted(supports)
            rivals = draw_rivals(wanted, asked.length, self.negatives, generator)
        if asked.contexts is not None:
            contexts = drop_words(asked.contexts, self.word_dropout, generator)
            asked = asked._replace(contexts=contexts)
        said = _to_say(model, answer)
        loss, right = model.loss(asked, supports, said, self.margin, rivals)
        return Step(loss, len(answer), state, {"accuracy": right})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss, answer accuracy and support accuracy; also by task.

        An answer counts if all its words are right and no more are said. `supports_read`
        counts questions whose supports are all found, and no other; `gold_read_2/7` those of
        task 7 whose second support is.
        """
        assert isinstance(model, MemNN)
        data, loss, right, found, in_place = self.questions[split], 0.0, [], [], []
        every = torch.arange(data.number, device=data.length.device)
        for rows in every.split(EVALUATION_BATCH):
            asked, supports, answer = self.collate(split, (rows,))
            known = _to_say(model, answer).clamp(min=-1)
            loss += float(model.loss(asked, supports, known, self.margin).sum)
            reply = model(*asked)
            right.append(_same(reply.words, answer.masked_fill(answer == END, -1)).all(-1))
            both = (part.sort(-1, descending=True).values for part in (reply.supports, supports))
            found.append(_same(*both).all(-1))
            in_place.append(_same(reply.supports, supports)[:, : supports.shape[1]])
        metrics = {"accuracy": torch.cat(right), "supports_read": torch.cat(found)}
        places = torch.cat(in_place).unbind(-1)
        hops = {f"gold_read_{hop}": hit for hop, hit in enumerate(places, start=1)}
        ratios = {"loss": Ratio(loss, data.number)}
        ratios |= {name: Ratio.of(hit) for name, hit in metrics.items()}
        for task in data.task.unique().tolist():
            of_task, needed = data.task == task, (data.supports >= 0)
            ratios |= {f"{name}/{task}": Ratio.of(hit[of_task]) for name, hit in metrics.items()}
            for hop, (name, hit) in enumerate(hops.items()):
                if (asked_for := of_task & needed[:, hop]).any():
                    ratios[f"{name}/{task}"] = Ratio.of(hit[asked_for])
        return ratios


def ask(
    model: MemNN,
    vocabulary: FeatureVocabulary,
    context: Sequence[str],
    question: str,
    gold: str | None = None,
    gold_slots: frozenset[int] | None = None,
) -> Answer:
    """Answer a question about a story, with its supports in the order they were found.

    A model with contexts reads words that it has never seen by those that they have in the story.

    A step is named after what its support scored, and after the margin by which it was preferred
    to the next best. The probability of an answer is its share in a softmax of the scores: the
    model itself knows only which answer ranks first.

    Args:
        model: a trained model.
        vocabulary: the features it was trained on.
        context: the sentences of the story, oldest first.
        question: what is asked.
        gold: the right answer, where it is known.
        gold_slots: which sentences (from 0) prove it, where that is known.

    Raises:
        ValueError: no context came, or no word of the question is known.
    """
    vocabulary, contexts = _with_words_told(model, vocabulary, context)
    asked = Asked(context, question, gold, gold_slots)
    asked.check(bool(vocabulary.bag(question)), vocabulary.features[2 : vocabulary.words])
    numbers = number_asked(context, question, vocabulary, stop=model.adaptive)
    with torch.no_grad():
        reply = model(*numbers._replace(contexts=contexts))
    steps = tuple(_steps(model, reply, asked))
    text, probability, runners_up = _answer(vocabulary, reply)
    unknown = dict.fromkeys(
        word for line in (*context, question) for word in vocabulary.unknown(line)
    )
    return Answer(question, text, probability, runners_up, steps, tuple(unknown), gold)


@torch.no_grad()
def given(
    model: MemNN, vocabulary: FeatureVocabulary, task: MemNNTask, split: str
) -> list[tuple[str, float]]:
    """Return the answer to each question of a split, and its probability; see `ask`."""
    found = []
    every = torch.arange(task.questions[split].number, device=task.questions[split].length.device)
    for rows in every.split(EVALUATION_BATCH):
        asked, _, _ = task.collate(split, (rows,))
        reply = model(*asked)
        for words, logits in zip(reply.words.split(1), reply.logits.split(1), strict=True):
            found.append(_answer(vocabulary, reply._replace(words=words, logits=logits))[:2])
    return found


def memory_network(model: MemNN, vocabulary: FeatureVocabulary) -> MemoryNetwork[str, str]:
    """Return a trained MemNN as four components: texts are kept as they are."""
    first = STOP + 1 if model.adaptive else 0

    @torch.no_grad()
    def support(question: str, memory: tuple[str, ...]) -> list[int]:
        slots, *_ = model.support(number_asked(memory, question, vocabulary, model.adaptive))
        return [slot - first for slot in slots[0].tolist() if slot >= 0] if memory else []

    @torch.no_grad()
    def respond(question: str, supports: tuple[str, ...]) -> str:
        asked = number_asked(supports, question, vocabulary, model.adaptive)
        words, _ = model.respond(asked, first + torch.arange(len(supports))[None])
        return _in_words(vocabulary, words)

    return MemoryNetwork(encode=str, support=support, respond=respond)


def _with_words_told(
    model: MemNN, vocabulary: FeatureVocabulary, context: Sequence[str]
) -> tuple[FeatureVocabulary, Contexts | None]:
    """Return the vocabulary with the new words of a story, for a model that can read them."""
    if not model.matching.contexts:
        return vocabulary, None
    lines = tuple(Statement(line, text) for line, text in enumerate(context, start=1))
    stories = [Story(lines, 0, YOURS, 1)]
    wider = with_new_words(vocabulary, stories)
    return wider, word_contexts(stories, wider, vocabulary)


def _steps(model: MemNN, reply: MemNNOutput, asked: Asked) -> Iterator[Read]:
    """Yield each support that was found; how much of a slot was read is all or nothing."""
    first, slots = STOP + 1 if model.adaptive else 0, len(asked.context)
    for hop, chosen in enumerate(reply.supports[0].tolist()):
        if chosen < 0:
            return
        others = torch.arange(first + slots) != chosen
        margin = reply.margins[0, hop, : len(others)][others]
        by = f", margin {float(margin.min()):.2f}" if len(margin) else ""
        weights = (float(slot == chosen - first) for slot in range(slots))
        score = float(reply.scores[0, hop])
        yield asked.step(f"support {hop + 1}: score {score:.2f}{by}", weights)


def _answer(
    vocabulary: FeatureVocabulary, reply: MemNNOutput
) -> tuple[str, float, tuple[tuple[str, float], ...]]:
    """Return the answer, its share of the scores, and the first words that came next to it."""
    said = [word for word in reply.words[0].tolist() if word >= 0]
    shares = reply.logits[0].softmax(-1)
    share = shares[range(len(said)), said].prod() if said else shares[0, END]
    likely = shares[0].topk(min(RUNNERS_UP + 1, shares.shape[-1] - 1))
    pairs = zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
    first = said[0] if said else END
    others = [(vocabulary.features[word], value) for word, value in pairs if word != first]
    return _in_words(vocabulary, reply.words), float(share), tuple(others[:RUNNERS_UP])


def _in_words(vocabulary: FeatureVocabulary, words: Tensor) -> str:
    return ",".join(vocabulary.features[word] for word in words[0].tolist() if word >= 0) or NO_MORE


def _to_say(model: MemNN, answer: Tensor) -> Tensor:
    """Return what the model is to say: all words and the end, or, of one word, that."""
    return answer if model.adaptive else answer[:, :1]


def _same(one: Tensor, other: Tensor) -> Tensor:
    """Return where two sequences agree, the shorter one followed by -1."""
    width = max(one.shape[1], other.shape[1])
    one, other = (F.pad(part, (0, width - part.shape[1]), value=-1) for part in (one, other))
    return one == other

"""Questions to slots of words: number them, train a KV-MemNN on them, and answer in words."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from memnets.evidence import Answer, Support
from memnets.evidence import Step as Read
from memnets.memories.keyvalue import KeyValues, Ragged
from memnets.models.kv_memnn import KVMemNN
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""

RUNNERS_UP = 3
"""How many other answers are named."""

Words = Sequence[str]


@dataclass(frozen=True)
class SlotVocabulary:
    """The words that a model knows, and those of them that can be an answer.

    Args:
        words: each once; the name of an entity is one word, spaces and all.
        answers: words that are ranked.
    """

    words: tuple[str, ...]
    answers: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_number", {word: n for n, word in enumerate(self.words)})
        object.__setattr__(self, "_label", {word: n for n, word in enumerate(self.answers)})

    @classmethod
    def of(
        cls,
        slots: Iterable[tuple[Words, Words]],
        questions: Iterable[Words],
        names: Container[str] | None = None,
    ) -> "SlotVocabulary":
        """Take the words of slots and of training questions; words of values are answers.

        Args:
            slots: each a key and a value.
            questions: as words.
            names: what an answer can be; None for any word of a value.
        """
        words: dict[str, None] = {}
        answers: dict[str, None] = {}
        for key, value in slots:
            words.update(dict.fromkeys(key))
            words.update(dict.fromkeys(value))
            answers.update(dict.fromkeys(w for w in value if names is None or w in names))
        for question in questions:
            words.update(dict.fromkeys(question))
        return cls(tuple(words), tuple(answers))

    def numbers(self, words: Words) -> list[int]:
        """Return the numbers of the words that are known."""
        known: dict[str, int] = self._number  # type: ignore[attr-defined]
        return [known[word] for word in words if word in known]

    def labels(self, answers: Words) -> list[int]:
        """Return the labels of the answers that can be given."""
        known: dict[str, int] = self._label  # type: ignore[attr-defined]
        return [known[answer] for answer in answers if answer in known]

    def bags(self, rows: Iterable[Words]) -> Ragged:
        return Ragged.of(map(self.numbers, rows))

    @cached_property
    def answer_bags(self) -> Ragged:
        """The words of every answer."""
        return self.bags((answer,) for answer in self.answers)

    def memory(self, slots: Sequence[tuple[Words, Words]]) -> KeyValues:
        """Number slots, each a key and a value."""
        return KeyValues(self.bags(key for key, _ in slots), self.bags(v for _, v in slots))

    def unknown(self, words: Words) -> list[str]:
        known: dict[str, int] = self._number  # type: ignore[attr-defined]
        return [word for word in words if word not in known]

    def to_json(self) -> dict[str, Any]:
        return {"words": list(self.words), "answers": list(self.answers)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "SlotVocabulary":
        return cls(tuple(record["words"]), tuple(record["answers"]))


class SlotQuestions(NamedTuple):
    """Questions by number, with what each may read and what answers it."""

    words: Ragged
    candidates: Ragged
    """Slots."""
    right: Ragged
    """Labels of the right answers; none where the model cannot say any."""
    category: Int[Tensor, " query"]
    marks: Mapping[str, Bool[Tensor, " query"]]
    """What else is known of each question, and reported: "in_kb", or a baseline's success."""
    figures: Mapping[str, float] = {}
    """What is known of all of them together, and reported as it is."""

    @property
    def number(self) -> int:
        return self.words.rows


def number_questions(
    vocabulary: SlotVocabulary,
    words: Sequence[Words],
    candidates: Sequence[Sequence[int]],
    answers: Sequence[Words],
    categories: Sequence[int],
    marks: Sequence[Mapping[str, bool]] = (),
    figures: Mapping[str, float] | None = None,
) -> SlotQuestions:
    """Number questions, each given by its words, candidates, right answers, category, marks.

    The figures are of all of them together.
    """
    names = marks[0] if marks else {}
    return SlotQuestions(
        vocabulary.bags(words),
        Ragged.of(candidates),
        Ragged.of(map(vocabulary.labels, answers)),
        torch.tensor(categories, dtype=torch.long),
        {name: torch.tensor([marked[name] for marked in marks]) for name in names},
        figures or {},
    )


class KBQuestionsTask(Task):
    """Rank the right answer first, with a softmax over it and answers that are drawn.

    Half of these are values of the batch's candidates, among which the right ones must be told
    apart; the others come from all answers.

    Args:
        memory: the words of all slots.
        answers: the words of every label.
        questions: the splits by name.
        categories: their names, for the metrics.
        batch: questions in an update, drawn without replacement.
        negatives: answers drawn for an update.
        word_dropout: share of the questions' words that are left out in an update.
    """

    unit = "questions"
    final_splits = ("valid", "test")

    def __init__(
        self,
        memory: KeyValues,
        answers: Ragged,
        questions: Mapping[str, SlotQuestions],
        categories: Sequence[str] = (),
        batch: int = 256,
        negatives: int = 1000,
        word_dropout: float = 0.0,
    ) -> None:
        self.memory, self.answers, self.questions = memory, answers, questions
        self.categories, self.batch = categories, batch
        self.negatives, self.word_dropout = negatives, word_dropout
        self._label = _labels_of_words(answers)

    @property
    def updates_per_epoch(self) -> int:
        return -(-self.questions["train"].number // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of questions, epoch after epoch, each in an order of its own."""
        return shuffled(self.questions[split].number, self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> tuple[Ragged, Ragged, Ragged]:
        """Return the words, the candidates and the right answers."""
        (rows,), data = batch, self.questions[split]
        return data.words.take(rows), data.candidates.take(rows), data.right.take(rows)

    def loss(
        self,
        model: nn.Module,
        batch: tuple[Ragged, Ragged, Ragged],
        state: Any,
        generator: torch.Generator,
    ) -> Step:
        assert isinstance(model, KVMemNN)
        words, candidates, right = batch
        words = words.thinned(self.word_dropout, generator)
        said = one_of_each(right, generator)
        drawn = self._draw(candidates, generator)
        loss = model.loss(
            words,
            self.memory,
            candidates,
            self.answers.take(said),
            self.answers.take(drawn),
            right_among(right, drawn, self.answers.rows),
        )
        return Step(loss, words.rows, state, {})

    def _draw(self, candidates: Ragged, generator: torch.Generator) -> Int[Tensor, " other"]:
        """Draw labels, each at most once."""
        values = self.memory.values.take(candidates.items).items
        # A word beyond the last answer's is none; a sentence as a value holds such words.
        near = self._label[values[values < len(self._label)]]
        near = near[near >= 0].unique()
        device = generator.device
        order = torch.randperm(len(near), generator=generator, device=device)
        chosen = near[order[: self.negatives // 2]]
        rest = (self.negatives - len(chosen),)
        far = torch.randint(self.answers.rows, rest, generator=generator, device=device)
        return torch.cat([chosen, far]).unique()

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss and hits at 1, all in all and by category.

        A question is answered right if the answer of the highest score is any of the right ones.
        The share of every mark is reported, and with `hits/in_kb` the accuracy of the questions
        that have the mark "in_kb".
        """
        assert isinstance(model, KVMemNN)
        data, answers = self.questions[split], model.embed_answers(self.answers)
        every = torch.arange(data.number, device=data.category.device)
        hit = torch.zeros_like(every, dtype=torch.bool)
        loss, answerable = 0.0, 0
        for rows in every.split(EVALUATION_BATCH):
            words, candidates, right = self.collate(split, (rows,))
            state, _ = model.read(words, self.memory, candidates)
            logits = state @ answers.mT
            owners = right.owners()
            hit[rows[owners[right.items == logits.argmax(-1)[owners]]]] = True
            gold = logits.new_full((len(rows),), -torch.inf)
            gold = gold.scatter_reduce(0, owners, logits[owners, right.items], "amax")
            known = gold.isfinite()
            answerable += int(known.sum())
            loss += Ratio.of((logits.logsumexp(-1) - gold)[known]).total
        ratios = {"loss": Ratio(loss, answerable), "accuracy": Ratio.of(hit)}
        for mark, marked in data.marks.items():
            ratios[mark] = Ratio.of(marked)
            for name, found in {"hits": hit, **data.marks}.items():
                if name != mark:
                    ratios[f"{name}/{mark}"] = Ratio.of(found[marked])
        for number, name in enumerate(self.categories):
            if (of_category := data.category == number).any():
                ratios[f"hits/{name}"] = Ratio.of(hit[of_category])
        return ratios | {name: Ratio(figure, 1) for name, figure in data.figures.items()}


@torch.no_grad()
def given(
    model: KVMemNN, vocabulary: SlotVocabulary, task: KBQuestionsTask, split: str
) -> list[tuple[str, float]]:
    """Return the answer to each question of a split, and its probability."""
    found = []
    answers = model.embed_answers(task.answers)
    for rows in torch.arange(task.questions[split].number).split(EVALUATION_BATCH):
        words, candidates, _ = task.collate(split, (rows,))
        state, _ = model.read(words, task.memory, candidates)
        best = (state @ answers.mT).softmax(-1).max(-1)
        for label, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            found.append((vocabulary.answers[label], probability))
    return found


@torch.no_grad()
def ask(
    model: KVMemNN,
    vocabulary: SlotVocabulary,
    memory: KeyValues,
    words: Words,
    candidates: Mapping[int, str],
    question: str,
    gold: Words = (),
) -> Answer:
    """Answer a question, with what each hop has read.

    A question may have several right answers; the one that was given stands as the gold one where
    it is any of them, otherwise the first.

    Args:
        model: a trained model.
        vocabulary: the words it was trained on.
        memory: all slots by number.
        words: of the question, as keys have them.
        candidates: the slots that it may read, and each of them in words.
        question: as it was asked.
        gold: the right answers, where they are known.
    """
    slots = Ragged.of([tuple(candidates)])
    reply = model(vocabulary.bags([words]), memory, slots, vocabulary.answer_bags)
    likely = reply.logits[0].softmax(-1).topk(min(1 + RUNNERS_UP, len(vocabulary.answers)))
    (text, probability), *runners_up = zip(
        map(vocabulary.answers.__getitem__, likely.indices.tolist()),
        likely.values.tolist(),
        strict=True,
    )
    steps = tuple(
        Read(
            f"hop {hop}",
            tuple(
                Support(slot, told, weight)
                for (slot, told), weight in zip(
                    candidates.items(), readout.weights.tolist(), strict=True
                )
            ),
        )
        for hop, readout in enumerate(reply.hops, start=1)
    )
    right = text if text in gold else next(iter(gold), None)
    unknown = tuple(dict.fromkeys(vocabulary.unknown(words)))
    return Answer(question, text, probability, tuple(runners_up), steps, unknown, right)


def one_of_each(rows: Ragged, generator: torch.Generator) -> Int[Tensor, " row"]:
    """Draw an item of each row; no row may be empty."""
    share = torch.rand(rows.rows, generator=generator, dtype=torch.float64, device=generator.device)
    return rows.items[rows.offsets[:-1] + (share * rows.lengths).long()]


def right_among(
    right: Ragged, drawn: Int[Tensor, " other"], labels: int
) -> Bool[Tensor, "query other"]:
    """Return which of the drawn labels are right answers of each question.

    Args:
        right: labels of each question.
        drawn: labels, each once.
        labels: how many there are.
    """
    place = drawn.new_full((labels,), -1)
    place[drawn] = torch.arange(len(drawn), device=drawn.device)
    owners, places = right.owners(), place[right.items]
    among = drawn.new_zeros(right.rows, len(drawn), dtype=torch.bool)
    among[owners[places >= 0], places[places >= 0]] = True
    return among


def _labels_of_words(answers: Ragged) -> Int[Tensor, " word"]:
    """Return for every word the label that it is alone; -1 for a word that is none."""
    alone = answers.lengths == 1
    words = answers.take(alone.nonzero().squeeze(1)).items
    label = torch.full((int(answers.items.max()) + 1 if len(answers.items) else 1,), -1)
    label[words] = alone.nonzero().squeeze(1)
    return label

"""Stories for models that read them in order and in hops, with supports or without (DMN)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Readout
from memnets.data.babi import Story, tokens
from memnets.ops.masking import widen
from memnets.tasks.evidence_loss import evidence_loss, in_any_order, in_order
from memnets.tasks.supported import FeatureVocabulary, SupportedQuestions, number_supported
from memnets.tasks.supports import LOST, chance, most_read, named, reads_all
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""


@dataclass(frozen=True)
class EpisodeVocabulary:
    """What a model knows of its language.

    Args:
        language: nil, the end, and the words.
        answers: those that are known as a whole; none where they are said word by word.
        window: how many of the latest sentences a question looks back on.
        sentence_words: words in the longest sentence or question.
    """

    language: FeatureVocabulary
    answers: tuple[str, ...]
    window: int
    sentence_words: int

    @classmethod
    def of(cls, stories: Iterable[Story], window: int, by_words: bool) -> "EpisodeVocabulary":
        """Collect the words of training stories, and their answers unless these are said."""
        stories = list(stories)
        known = {question.answer.lower() for story in stories for question in story.questions}
        answers = () if by_words else tuple(sorted(known))
        longest = max(len(tokens(item.text)) for story in stories for item in story.items)
        return cls(FeatureVocabulary.of(stories), answers, window, longest)

    def number(self, stories: Sequence[Story]) -> SupportedQuestions:
        """Turn stories into index tensors; a whole answer is one word, -2 if it is not known."""
        numbered = number_supported(
            stories, self.language, stop=False, window=self.window, needed=False
        )
        if not self.answers:
            return numbered
        place = {answer: number for number, answer in enumerate(self.answers)}
        said = [place.get(q.answer.lower(), -2) for story in stories for q in story.questions]
        return numbered._replace(answer=torch.tensor(said).unsqueeze(-1))

    def in_words(self, said: Sequence[int]) -> str:
        """Return an answer as bAbI writes it: its words joined by commas."""
        if self.answers:
            return self.answers[said[0]]
        words = [self.language.features[number] for number in said if number >= 0]
        return ",".join(word for word in words if word not in ("", self.language.features[1]))

    def to_json(self) -> dict[str, Any]:
        sizes = {"window": self.window, "sentence_words": self.sentence_words}
        return {"language": self.language.to_json(), "answers": list(self.answers), **sizes}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "EpisodeVocabulary":
        language = FeatureVocabulary.from_json(record["language"])
        answers = tuple(record["answers"])
        return cls(language, answers, record["window"], record["sentence_words"])


class Weights(NamedTuple):
    """How much each part of the loss counts."""

    answers: float = 1.0
    evidence: float = 0.0


class EpisodeTask(Task):
    """Answer, and read the supports where the loss counts them.

    Args:
        questions: the splits by name: "train", and what is to be evaluated.
        batch: questions in an update; each is asked once an epoch.
        ordered: whether hop t is to read the t-th support, or each hop all of them alike.
    """

    unit = "questions"

    def __init__(
        self, questions: Mapping[str, SupportedQuestions], batch: int, ordered: bool = True
    ) -> None:
        self.questions = questions
        self.batch = batch
        self.ordered = ordered
        self.weights = Weights()

    @property
    def updates_per_epoch(self) -> int:
        return -(-self.questions["train"].number // self.batch)

    def weigh(self, weights: Weights) -> None:
        """Let the parts of the loss count so much from now on: a phase's first act."""
        self.weights = weights

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled(self.questions[split].number, self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return sentences, stories, lengths, questions, answers and supports."""
        (rows,) = batch
        data = self.questions[split]
        asked = data.story[rows], data.length[rows], data.question[rows]
        return data.sentences, *asked, data.answer[rows], data.supports[rows]

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        *asked, supports = batch
        answers, found = model.loss(*asked)  # type: ignore[operator]
        total = self.weights.answers * answers.sum()
        sums = {"answers": answers.sum().detach()}
        if self.weights.evidence:
            evidence = self._evidence(model, found.hops, asked[2], supports).sum()
            total = total + self.weights.evidence * evidence
            sums["evidence"] = evidence.detach()
        return Step(total, len(supports), state, sums)

    def _evidence(
        self, model: Any, hops: tuple[Readout, ...], length: Tensor, supports: Tensor
    ) -> Float[Tensor, " batch"]:
        slots = hops[0].scores.shape[-1]  # type: ignore[union-attr]
        first = int(model.memory.end is not None)  # the slot that ends the hops stands before all
        supports = torch.where(supports >= 0, supports + first, supports)
        if self.ordered:
            target = in_order(supports, len(hops), slots, end=0 if first else None)
        else:
            target = in_any_order(supports, len(hops), slots)
        mask = torch.arange(slots, device=length.device) < length.unsqueeze(-1) + first
        return evidence_loss(hops, mask, target, compete=model.memory.align.sums_to is not None)

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss, accuracy, what was read of the supports, and the entropy of the gates.

        `supports_read`, `supports_chance` and `gold_read` as in MemN2N's task; `entropy` is that
        of the weights over a hop's slots, in nats, its mean over hops. `ago/8` is the accuracy
        where the earliest support was told 5 to 8 sentences before the question; see `by_age`.
        """
        data = self.questions[split]
        parts: list[dict[str, Tensor]] = []
        for rows in torch.arange(data.number, device=data.length.device).split(EVALUATION_BATCH):
            parts.append(self._asked(model, self.collate(split, (rows,))))
        whole = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
        ratios = {name: Ratio.of(values) for name, values in whole.items()}
        for task in data.task.unique().tolist():
            of_task = data.task == task
            of = {name: Ratio.of(values[of_task]) for name, values in whole.items()}
            ratios |= {f"{name}/{task}": ratio for name, ratio in of.items() if name != "loss"}
        for most, of_age in by_age(data.supports, data.length).items():
            ratios[f"ago/{most}"] = Ratio.of(whole["accuracy"][of_age])
        return ratios

    def _asked(self, model: Any, batch: tuple[Tensor, ...]) -> dict[str, Tensor]:
        """Return a figure of every question."""
        *asked, said, supports = batch
        reply = model(*asked)
        length, slots = asked[2], asked[1].shape[1]
        told = torch.arange(slots, device=length.device) < length.unsqueeze(-1)
        ends = model.memory.end is not None
        hops = without_end(reply.hops, ends)
        read = most_read(hops, told)
        if ends:  # a hop that reads the end most reads no sentence: the slot behind all of them
            read = read.masked_fill(ended(reply.hops), slots)
        support, number = named(supports, slots + 1)
        return {
            "loss": model.head.loss(reply.memory, reply.asked, said),
            "accuracy": same_words(model.head.words(reply.scores), said),
            "supports_read": reads_all(read, support, number),
            "supports_chance": chance(support, number, length, len(hops)),
            "gold_read": support.gather(1, read).any(-1),
            "entropy": torch.stack([entropy(hop.weights) for hop in reply.hops]).mean(0),
        }


def without_end(hops: tuple[Readout, ...], ends: bool) -> tuple[Readout, ...]:
    """Return the readouts without the slot that ends the hops, which holds no sentence."""
    if not ends:
        return hops
    return tuple(hop._replace(weights=hop.weights[..., 1:]) for hop in hops)


def ended(hops: tuple[Readout, ...]) -> Bool[Tensor, "question hop"]:
    """Return which hops come with the end of the hops, the first slot, or after it."""
    at_the_end = [hop.weights.squeeze(-2).argmax(-1) == 0 for hop in hops]
    return torch.stack(at_the_end, -1).int().cumsum(-1) > 0


def by_age(
    supports: Int[Tensor, "question support"], length: Int[Tensor, " question"]
) -> dict[int, Bool[Tensor, " question"]]:
    """Return which questions have their earliest support so long ago: 1, 2, 3 to 4, 5 to 8, ...

    Questions without a support, or one that no slot holds, are left out; so are ages of none.
    """
    held, far = supports >= 0, length.max() if len(length) else 0
    age = length - supports.masked_fill(~held, far).amin(-1)
    known = held.any(-1) & ~(supports == LOST).any(-1)
    found, least, most = {}, 0, 1
    while least < far:
        of_age = known & (age > least) & (age <= most)
        if of_age.any():
            found[most] = of_age
        least, most = most, 2 * most
    return found


def same_words(
    said: Int[Tensor, "question _"], right: Int[Tensor, "question _"]
) -> Bool[Tensor, " question"]:
    """Return whether two answers are the same, word by word."""
    wide = max(said.shape[1], right.shape[1])
    said, right = (F.pad(words, (0, wide - words.shape[1]), value=-1) for words in (said, right))
    return (said == right).all(-1)


def entropy(weights: Float[Tensor, "*batch query slot"]) -> Float[Tensor, "*batch"]:
    """Return the entropy of one query's weights, as shares of their sum, in nats."""
    wide = widen(weights).clamp(min=0).squeeze(-2)
    share = wide / wide.sum(-1, keepdim=True).clamp(min=torch.finfo(wide.dtype).tiny)
    return torch.special.entr(share).sum(-1)

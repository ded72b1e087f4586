"""bAbI for models that read a story's sentences as bags of words: MemN2N and its kin."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn

from memnets.tasks.evidence_loss import evidence_loss, in_order
from memnets.tasks.stories import StoryQuestions, recency
from memnets.tasks.supports import chance, most_read, named, reads_all
from memnets.training.task import Ratio, Step, Task, fold_in

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""


class BabiTask(Task):
    """Answer in one word, with the cross entropy of all words as the loss.

    A model takes sentences, stories, times and questions (see `MemN2N.forward`); it says the loss
    itself (`loss`), and after every update its rule for the nil word is applied (`clear_nil`).

    Args:
        questions: the splits by name: "train", and what is to be evaluated.
        batch: questions in an update, drawn with replacement.
        noise: how many empty times are put between the sentences, as a share of the story
            ("random noise", RN): only the time words get gaps, no sentence is lost.
        memory: the number of time words.
        evidence: weight of the loss on what is read: hop t is taught to read the t-th support.
    """

    unit = "stories"

    def __init__(
        self,
        questions: Mapping[str, StoryQuestions],
        memory: int,
        batch: int = 32,
        noise: float = 0.1,
        evidence: float = 0.0,
    ) -> None:
        self.questions = questions
        self.memory = memory
        self.batch = batch
        self.noise = noise
        self.evidence = evidence

    @property
    def updates_per_epoch(self) -> int:
        return self._updates("train")

    def _updates(self, split: str) -> int:
        return max(1, self.questions[split].number // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield questions and the time of their slots, without end."""
        data, size = self.questions[split], self._updates(split)
        lengths, slots = data.length.cpu(), data.story.shape[1]  # as the generator
        epoch, first = divmod(position, size)
        while True:
            random = fold_in(generator, epoch)  # an epoch is drawn at once, and resumable anywhere
            rows = torch.randint(data.number, (size * self.batch,), generator=random)
            time = noisy_recency(lengths[rows], slots, self.noise, self.memory, random)
            pairs = zip(rows.split(self.batch), time.split(self.batch), strict=True)
            for number, pair in enumerate(pairs):
                if number >= first:
                    yield pair
            epoch, first = epoch + 1, 0

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return sentences, stories, times, questions, answers and, to be taught, supports."""
        rows, time = batch
        data = self.questions[split]
        asked = data.sentences, data.story[rows], time, data.question[rows], data.answer[rows]
        return (*asked, data.supports[rows]) if self.evidence else asked

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        if self.evidence:
            return self._taught(model, batch, state)
        loss, right = model.loss(*batch)  # type: ignore[operator]
        return Step(loss, len(batch[-1]), state, {"accuracy": right})

    def _taught(self, model: Any, batch: tuple[Tensor, ...], state: Any) -> Step:
        """Return the loss with that of the evidence, which needs the scores of every hop."""
        *told, question, answer, supports = batch
        memory = model.remember(*told)
        reply, mask = model.answer(memory, question), memory[0].mask
        target = in_order(supports, len(reply.hops), mask.shape[1])
        evidence = evidence_loss(reply.hops, mask, target).sum()
        loss = F.cross_entropy(reply.logits, answer.long(), reduction="sum")
        right = (reply.logits.argmax(-1) == answer).sum()
        sums = {"accuracy": right, "evidence": evidence.detach()}
        return Step(loss + self.evidence * evidence, len(answer), state, sums)

    def to_answer(self, split: str, rows: Int[Tensor, " row"]) -> tuple[Tensor, ...]:
        """Return the times, what a model takes, and the answers, with nothing between sentences."""
        data = self.questions[split]
        time = recency(data.length[rows], data.story.shape[1])
        return (time, *self.collate(split, (rows, time))[:5])

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss, accuracy, and how often the supports were read most; also by task.

        `supports_read` counts questions each of whose supports is read most at some hop, and
        `supports_chance` those that reading at random would find; `gold_read` counts questions
        with any support read most at any hop, `gold_read_2/7` those of task 7 with one at the
        second.
        """
        data = self.questions[split]
        loss, right, gold, whole = [], [], [], []
        support, number = named(data.supports, data.story.shape[1])
        every = torch.arange(data.number, device=data.answer.device)
        for rows in every.split(EVALUATION_BATCH):
            time, *asked, answer = self.to_answer(split, rows)
            reply = model(*asked)
            loss.append(F.cross_entropy(reply.logits, answer, reduction="none", ignore_index=-1))
            right.append(reply.logits.argmax(-1) == answer)
            read = most_read(reply.hops, time > 0)
            gold.append(support[rows].gather(1, read))
            whole.append(reads_all(read, support[rows], number[rows]))
        by_hop = torch.cat(gold)
        metrics = {
            "accuracy": torch.cat(right),
            "supports_read": torch.cat(whole),
            "supports_chance": chance(support, number, data.length, by_hop.shape[1]),
            "gold_read": by_hop.any(-1),
        }
        hops = {f"gold_read_{hop}": hit for hop, hit in enumerate(by_hop.unbind(-1), start=1)}
        ratios = {"loss": Ratio.of(torch.cat(loss))}
        ratios |= {name: Ratio.of(hit) for name, hit in metrics.items()}
        for task in data.task.unique().tolist():
            of_task = data.task == task
            split_up = (metrics | hops).items()
            ratios |= {f"{name}/{task}": Ratio.of(hit[of_task]) for name, hit in split_up}
        return ratios

    def after_update(self, model: nn.Module) -> None:
        model.clear_nil()  # type: ignore[operator]


def noisy_recency(
    length: Int[Tensor, " question"],
    slots: int,
    noise: float,
    memory: int,
    generator: torch.Generator,
) -> Int[Tensor, "question slot"]:
    """Return the time of each slot with gaps in it, 1 the newest; 0 where the slot is empty.

    For a story of n sentences draw b from 0 to ceil(noise * n), choose n of the times 1 to n + b,
    and give the earliest sentence the longest of them; none exceeds `memory`.
    """
    time = recency(length, slots)
    if noise == 0:
        return time
    most = (noise * length).ceil().long()
    share = torch.rand(len(length), generator=generator)
    span = length + (share * (most + 1)).long()
    place = torch.arange(slots + int(most.max()))
    draw = torch.rand(len(length), len(place), generator=generator)
    draw = draw.masked_fill(place >= span[:, None], torch.inf)
    # The n smallest draws of a row are its n chosen times; sorted, the first is the newest.
    chosen = draw.argsort(-1)[:, :slots].masked_fill(time == 0, len(place)).sort(-1).values
    newest_first = (chosen + 1).clamp(max=memory)
    noisy = newest_first.gather(1, (time - 1).clamp(min=0).long())
    return torch.where(time > 0, noisy, 0).int()

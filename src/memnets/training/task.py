"""The protocol between a task and the loop: who owns what."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from memnets.training.state import moved


class Step(NamedTuple):
    """What one update learns from.

    Args:
        loss_sum: the loss, summed over what was weighed.
        weight: how much was weighed (questions, words), as a number; the loop divides by it where
            the run takes a mean, over all processes.
        state: carried to the next update: tensors in tuples, named tuples or dicts, of the same
            structure as what `Task.start` returned; `()` where nothing is carried. The loop
            detaches it.
        sums: sums to show, each to be divided by the weight (`{"accuracy": correct}`); the same
            names every time.
    """

    loss_sum: Tensor
    weight: float
    state: Any
    sums: Mapping[str, Tensor]


class Ratio(NamedTuple):
    """A sum and what it is to be divided by."""

    total: float
    weight: float

    @classmethod
    def of(cls, values: Tensor) -> "Ratio":
        """Return the mean of values as a ratio; added up on the CPU, which has float64 always."""
        return cls(float(values.cpu().double().sum()), len(values))

    @property
    def mean(self) -> float:
        return self.total / self.weight if self.weight else float("nan")


class Task(ABC):
    """A task owns its data, their order and its loss; the loop owns everything else.

    Before the first update the loop moves the data to its device, once (`to`). For each update it
    takes a batch of a phase's stream (`batches`), cuts out this process's share and moves that; the
    task collates it with the data of the same stream (`collate`) and returns its loss (`loss`). A
    new tensor that meets others is made on their device, or on the generator's.
    """

    splits: ClassVar[tuple[str, ...]] = ("valid",)
    """What is evaluated for each line of the log; never the test split."""
    final_splits: ClassVar[tuple[str, ...]] = ("train", "valid", "test")
    """What is evaluated once, after the last update. A stream without end is left out."""
    unit: ClassVar[str] = "examples"
    """What the weight counts, in the plural, for the progress bar."""

    def to(self, device: torch.device) -> None:
        """Move the data to a device: every attribute that is made of tensors."""
        for name, value in vars(self).items():
            setattr(self, name, moved(value, device))

    @abstractmethod
    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield batches of the whole run (all processes together) from the given one on.

        A batch is a tuple of tensors whose first axis is the batch; the loop cuts each of them into
        every process's share (`[rank::processes]`) and moves it to the model's device. The stream
        goes over the split again and again, and may be ordered. Batch `k` must be a pure function
        of the generator's *seed* (`generator.initial_seed()`) and of `k`, so that a run can be
        resumed anywhere: see `fold_in`. Neither of them knows of phases: a run that trains on one
        split in several phases sees one stream.

        Args:
            split: which data; the `stream` of a phase.
            generator: of its own for each stream, on the CPU.
            position: the first batch wanted, counted from 0.
        """

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> Any:
        """Return what `loss` is given of a share of a batch: itself, or the data that it names.

        Args:
            split: what the batch is of.
            batch: a share of what `batches` yielded, on the device of the data; never empty.
        """
        return batch

    def start(self, split: str, batch: Any) -> Any:
        """Return the state that the first update of a stream carries in, for its first share."""
        return ()

    @abstractmethod
    def loss(self, model: nn.Module, batch: Any, state: Any, generator: torch.Generator) -> Step:
        """Return the loss of one share of a batch, as `collate` returned it.

        The generator is on the model's device, another one for each process, and its state is part
        of a checkpoint: a task that draws from it learns the same from one process and two only in
        the mean.
        """

    @abstractmethod
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return what is reported for a split; `loss` is among it.

        The loop has set the model to evaluation, without gradients; random numbers drawn from
        torch's global generator do not disturb the training.
        """

    def after_update(self, model: nn.Module) -> None:
        """Mend the weights after an update (nil rows, norm balls)."""
        return


def shuffled(
    number: int, batch: int, generator: torch.Generator, position: int
) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of the numbers below `number`, epoch after epoch, each in an order of its own.

    Args:
        number: how many examples there are.
        batch: how many in an update; fewer in the last one of an epoch.
        generator: decides the orders.
        position: the update to begin at.
    """
    epoch, first = divmod(position, -(-number // batch))
    while True:
        order = torch.randperm(number, generator=fold_in(generator, epoch))
        for rows in order.split(batch)[first:]:
            yield (rows,)
        epoch, first = epoch + 1, 0


POOL = 60
"""Out of so many batches' examples, those of like lengths come together."""


def shuffled_by_length(
    lengths: Tensor,
    batch: int,
    generator: torch.Generator,
    position: int,
    pool: int = POOL,
) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of examples of like lengths, epoch after epoch, each in an order of its own.

    An epoch is shuffled and cut into pools; a pool is sorted by the longest side and cut into
    batches; then the batches of all pools are shuffled. So every example comes once an epoch, most
    often among others than the last time, and little is padded: with 128 of Multi30k's pairs in a
    batch 1.10 words are computed for each word, where `shuffled` computes 2.15.

    Args:
        lengths: (example, side), in words: of both sentences of a pair, say.
        batch: how many examples in an update; fewer in one of an epoch.
        generator: decides the orders.
        position: the update to begin at.
        pool: how many batches are filled out of the same examples; more pad less, and let the same
            examples meet more often.
    """
    lengths = lengths.cpu()
    longest, words = lengths.amax(1), lengths.sum(1)
    sorting = longest * (int(words.max()) + 1) + words
    epoch, first = divmod(position, -(-len(lengths) // batch))
    while True:
        decides = fold_in(generator, epoch)
        order = torch.randperm(len(lengths), generator=decides)
        pools = (part[sorting[part].argsort(stable=True)] for part in order.split(pool * batch))
        batches = [rows for part in pools for rows in part.split(batch)]
        for number in torch.randperm(len(batches), generator=decides)[first:].tolist():
            yield (batches[number],)
        epoch, first = epoch + 1, 0


def shuffled_of_one_length(
    lengths: Tensor, batch: int, generator: torch.Generator, position: int
) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of examples of exactly one length, epoch after epoch, in orders of their own.

    Nothing is padded. The last batch of each length is smaller, so that an epoch has a few batches
    more than the others have.

    Args:
        lengths: (example,), in words.
        batch: how many examples in an update, at most.
        generator: decides the orders.
        position: the update to begin at.
    """
    lengths = lengths.cpu()
    counts = lengths.unique(return_counts=True)[1]
    epoch, first = divmod(position, batches_of_one_length(lengths, batch))
    while True:
        decides = fold_in(generator, epoch)
        order = torch.randperm(len(lengths), generator=decides)
        groups = order[lengths[order].argsort(stable=True)].split(counts.tolist())
        batches = [rows for group in groups for rows in group.split(batch)]
        for number in torch.randperm(len(batches), generator=decides)[first:].tolist():
            yield (batches[number],)
        epoch, first = epoch + 1, 0


def batches_of_one_length(lengths: Tensor, batch: int) -> int:
    """Return how many batches an epoch of `shuffled_of_one_length` has."""
    counts = lengths.unique(return_counts=True)[1]
    return int((-(-counts // batch)).sum())


def fold_in(generator: torch.Generator, *key: int) -> torch.Generator:
    """Return a generator that depends on the seed of this one and on the key alone.

    Its numbers do not depend on what was drawn before, which is what makes a stream of batches
    resumable at any place.
    """
    seed = generator.initial_seed()
    for number in key:  # splitmix64, so that neighbouring keys give unrelated streams
        seed = (seed + 0x9E3779B97F4A7C15 * (number + 1)) % 2**64
        seed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        seed = ((seed ^ (seed >> 27)) * 0x94D049BB133111EB) % 2**64
        seed ^= seed >> 31
    return torch.Generator(generator.device).manual_seed(seed % 2**63)

"""Sentences and what is to be said of them, as numbers; and what a model says of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from memnets.data.pairs import END, SentencePair, SentenceVocabulary
from memnets.models.seq2seq import Seq2Seq
from memnets.training.task import Task, shuffled_by_length

EXTRA, TIMES = 10, 2
"""A translation has at most so many symbols more than so many times those of its source."""


class NumberedPairs(NamedTuple):
    """Pairs as numbers, one behind the other; a target holds its end."""

    source: Int[Tensor, "pair slot"]
    length: Int[Tensor, " pair"]
    target: Int[Tensor, "pair _"]
    said: Int[Tensor, " pair"]
    """Symbols of a target, its end among them."""

    @classmethod
    def of(
        cls, pairs: Sequence[SentencePair], source: SentenceVocabulary, target: SentenceVocabulary
    ) -> "NumberedPairs":
        """Number the symbols of pairs."""
        sources = [torch.tensor(source.numbers(pair.source), dtype=torch.long) for pair in pairs]
        targets = [torch.tensor([*target.numbers(pair.target), END]) for pair in pairs]
        return cls(
            pad_sequence(sources, batch_first=True),
            torch.tensor([len(one) for one in sources]),
            pad_sequence(targets, batch_first=True),
            torch.tensor([len(one) for one in targets]),
        )

    def take(self, rows: Int[Tensor, " row"]) -> "NumberedPairs":
        """Return some pairs, filled up to the longest of them."""
        source, length, target, said = (part[rows] for part in self)
        slots, words = (int(part.max()) if len(rows) else 0 for part in (length, said))
        return NumberedPairs(source[:, :slots], length, target[:, :words], said)


def translations(
    model: Seq2Seq, asked: NumberedPairs, generator: torch.Generator
) -> list[list[int]]:
    """Return the likeliest symbol after symbol of every sentence, its end among them."""
    longest = TIMES * asked.length + EXTRA
    found = model.translate(
        asked.source, asked.length, END, int(longest.max()), generator=generator
    )
    ends = torch.minimum(found.lengths[:, 0], longest)  # as each would end alone
    said = zip(found.words[:, 0].tolist(), ends.tolist(), strict=True)
    return [words[:number] for words, number in said]


class PairsTask(Task):
    """What tasks over pairs share: batches of like lengths.

    Args:
        pairs: the splits by name: "train", and what is to be evaluated.
        batch: pairs in an update, of like lengths.
    """

    unit = "symbols"

    def __init__(self, pairs: Mapping[str, NumberedPairs], batch: int) -> None:
        self.pairs, self.batch = pairs, batch

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.pairs["train"].length) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        pairs = self.pairs[split]
        lengths = torch.stack([pairs.length, pairs.said], 1)
        return shuffled_by_length(lengths, self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> NumberedPairs:
        return self.pairs[split].take(*batch)

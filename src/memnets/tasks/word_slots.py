"""Sentences whose words are the slots of a memory: numbered, batched, some words forgotten."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

UNKNOWN = 1
"""Stands for every word that is not known; nil is 0."""


class WordVocabulary:
    """Words with numbers, from 2 on; all others are one, `UNKNOWN`.

    Args:
        words: in the order of their numbers.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._numbers = {word: number for number, word in enumerate(self.words, start=2)}

    def __len__(self) -> int:
        """Return how many numbers there are, nil and unknown included."""
        return len(self.words) + 2

    def __contains__(self, word: str) -> bool:
        return word in self._numbers

    def __getitem__(self, word: str) -> int:
        return self._numbers.get(word, UNKNOWN)

    def parts(self, word: str) -> list[int]:
        """Return what a word is made of: itself."""
        return [self[word]]

    def parts_unknown(self, word: str) -> list[int]:
        """Return what it would be made of if it were not known."""
        return [UNKNOWN]

    def to_json(self) -> dict[str, Any]:
        return {"words": self.words}


class WordSlots(NamedTuple):
    """Sentences in numbers.

    Attributes:
        words: what each distinct word is made of; of twice as many rows, the second half are the
            same words as they are read where they are not known.
        sentence: which word stands in each slot.
        length: how many words a sentence has.
    """

    words: Int[Tensor, "word part"]
    sentence: Int[Tensor, "row slot"]
    length: Int[Tensor, " row"]

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[str]],
        parts: Callable[[str], list[int]],
        parts_unknown: Callable[[str], list[int]],
    ) -> "WordSlots":
        """Number sentences.

        Args:
            sentences: as words.
            parts: what a word is made of.
            parts_unknown: the same if the word were not known.
        """
        place: dict[str, int] = {}
        rows = [[place.setdefault(word, len(place)) for word in one] for one in sentences]
        made = [*map(parts, place), *map(parts_unknown, place)]
        length = torch.tensor([len(row) for row in rows], dtype=torch.long)
        return cls(_filled(made), _filled(rows).int(), length)

    def take(self, rows: Int[Tensor, " row"]) -> "WordSlots":
        """Return some sentences; the longest of them has a word in the last slot."""
        length = self.length[rows]
        longest = int(length.max()) if len(rows) else 0
        return self._replace(sentence=self.sentence[rows, :longest], length=length)

    def forgetful(self, share: float, generator: torch.Generator) -> "WordSlots":
        """Return the sentences with a share of their words read as if they were not known."""
        if not share:
            return self
        drawn = torch.rand(self.sentence.shape, generator=generator, device=self.length.device)
        return self._replace(sentence=self.sentence + (drawn < share) * (len(self.words) // 2))


def _filled(rows: Sequence[Sequence[int]]) -> Int[Tensor, "row column"]:
    """Return rows of unequal length, filled up with 0."""
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.long)
    filled = torch.zeros(len(rows), max(map(len, rows), default=0), dtype=torch.long)
    there = torch.arange(filled.shape[1]) < lengths.unsqueeze(-1)
    filled[there] = torch.tensor([*chain.from_iterable(rows)], dtype=torch.long)
    return filled

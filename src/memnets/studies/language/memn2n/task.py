"""Predicting the next word from the last words, which are all that is remembered."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn

from memnets.models.memn2n_lm import NOTHING, LastWords
from memnets.training.task import Ratio, Step, Task, fold_in

ROWS, STEPS = 32, 32
"""How many words are predicted at once when nothing is learnt; no figure depends on it."""


@dataclass(frozen=True)
class Windows(ABC):
    """Which stretches of a text an update learns from: `batch` of them, of `time` words each.

    Args:
        batch: how many stretches.
        time: how many words of each are predicted.
    """

    batch: int
    time: int = 1

    @property
    @abstractmethod
    def least(self) -> int:
        """How many words a text must have."""

    @abstractmethod
    def per_epoch(self, words: int) -> int:
        """Return how many updates it takes to go over a text once."""

    @abstractmethod
    def starts(
        self, words: int, memory: int, generator: torch.Generator, position: int
    ) -> Int[Tensor, " batch"]:
        """Return, for an update, the place of the word after which each stretch is predicted."""


class RandomWindows(Windows):
    """Stretches from anywhere, with replacement, each with a whole memory before it.

    The released code of MemN2N predicts one word of each.
    """

    @property
    def least(self) -> int:
        return self.time + 1

    def per_epoch(self, words: int) -> int:
        return -(-words // (self.batch * self.time))

    def starts(
        self, words: int, memory: int, generator: torch.Generator, position: int
    ) -> Int[Tensor, " batch"]:
        last = words - 1 - self.time
        first = memory - 1 if memory <= last else 0  # a text may be too short for any
        random = fold_in(generator, position)
        return torch.randint(first, last + 1, (self.batch,), generator=random)


class ConsecutiveWindows(Windows):
    """The text in `batch` rows of equal length, read side by side from their beginnings.

    What does not fill a row's last stretch is left out.
    """

    @property
    def least(self) -> int:
        return self.batch * self.time + 1

    def per_epoch(self, words: int) -> int:
        return (words - 1) // self.batch // self.time

    def starts(
        self, words: int, memory: int, generator: torch.Generator, position: int
    ) -> Int[Tensor, " batch"]:
        row = (words - 1) // self.batch
        within = position % self.per_epoch(words)
        return torch.arange(self.batch) * row + within * self.time


class MemoryLanguageTask(Task):
    """Predict every word of a text from the true words before it.

    A model takes words and what it remembers of the words before (`MemN2NLanguageModel`).
    Evaluation predicts every word but the first, once, whatever the windows are.

    Args:
        texts: the splits by name: "train", and what is to be evaluated, as numbers of words.
        memory: how many words the model remembers.
        windows: which stretches are learnt from.
        unit: what one symbol is, in the plural.

    Raises:
        ValueError: a split is too short.
    """

    def __init__(
        self, texts: Mapping[str, Tensor], memory: int, windows: Windows, unit: str = "words"
    ) -> None:
        for split, text in texts.items():
            least = windows.least if split == "train" else 2
            if len(text) < least:
                raise ValueError(
                    f"MemoryLanguageTask: the {split} text has {len(text)} {unit}, expected at "
                    f"least {least}. Take a longer text, or smaller or fewer windows."
                )
        self.memory, self.windows = memory, windows
        self.unit = unit  # type: ignore[misc]
        self.final_splits = tuple(split for split in texts if split != "train")  # type: ignore[misc]
        # A memory before the beginning, so that every stretch is cut out alike.
        self.texts = {
            split: F.pad(text.long(), (memory - 1, 0), value=NOTHING)
            for split, text in texts.items()
        }

    def words(self, split: str) -> int:
        """Return how many words a split has."""
        return len(self.texts[split]) - self.memory + 1

    @property
    def updates_per_epoch(self) -> int:
        return self.windows.per_epoch(self.words("train"))

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield stretches of a text, the words remembered before them and the last one after."""
        text, words = self.texts[split], self.words(split)
        places = torch.arange(self.memory + self.windows.time)
        while True:
            starts = self.windows.starts(words, self.memory, generator, position)
            yield (text[(starts.unsqueeze(-1) + places).to(text.device)],)
            position += 1

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        (stretch,) = batch
        targets = stretch[:, self.memory :]
        return Step(self._loss(model, stretch), targets.numel(), state, {})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of a word in nats, in bits, and the perplexity."""
        loss, predicted = 0.0, 0
        for stretch in self._all(split):
            loss += float(self._loss(model, stretch))
            predicted += stretch[:, self.memory :].numel()
        assert predicted == self.words(split) - 1
        return {
            "loss": Ratio(loss, predicted),
            "bits": Ratio(loss / math.log(2), predicted),
            "perplexity": Ratio(math.exp(loss / predicted), 1.0),
        }

    def _all(self, split: str) -> Iterator[Tensor]:
        """Yield a split in stretches that predict every word but the first, once."""
        text = self.texts[split]
        whole = (self.words(split) - 1) // STEPS
        if whole:
            yield from text.unfold(0, self.memory + STEPS, STEPS).split(ROWS)
        rest = text[whole * STEPS :]
        if len(rest) > self.memory:
            yield rest.unsqueeze(0)

    def _loss(self, model: nn.Module, stretch: Tensor) -> Tensor:
        """Return the summed loss of the words after each of a stretch, but for those remembered."""
        before, words = stretch[:, : self.memory - 1], stretch[:, self.memory - 1 : -1]
        logits = model(words, LastWords(before)).logits
        targets = stretch[:, self.memory :]
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")

"""Tagging for a dynamic memory network: words as slots, a tag behind each."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.studies.tagging.data import Tagged
from memnets.tasks.word_slots import WordSlots, WordVocabulary
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 200
"""Sentences tagged at once when nothing is learnt."""
LONGEST_END = 4
"""Letters of the longest end of a word that is read."""
MOST_PARTS = 2 + LONGEST_END
"""What a word may be made of: itself, its ends, its shape."""
UNTAGGED = -1
"""Stands where no word is, or one whose tag no training sentence has."""
_RUNS = re.compile(r"(.)\1+")


def shape(word: str) -> str:
    """Return the shape of a word: X for capitals, x for small letters, d for digits, runs as one.

    >>> shape("McDonald's"), shape("3,500")
    ("XxXx'x", 'd,d')
    """
    signs = (
        "X" if sign.isupper() else "x" if sign.isalpha() else "d" if sign.isdigit() else sign
        for sign in word
    )
    return _RUNS.sub(r"\1", "".join(signs))


def spelling(word: str) -> list[str]:
    """Return the ends of a word, in small letters, and its shape, as names of their own."""
    ends = (word[-letters:].lower() for letters in range(1, min(LONGEST_END, len(word)) + 1))
    return [*(f"-{end}" for end in ends), f"shape {shape(word)}"]


class TaggingVocabulary:
    """What words are made of, and the tags.

    Args:
        language: words, by their names "word From", and what they are spelt like.
        tags: in the order of their numbers.
        spelt: whether a word's ends and shape are read beside it.
    """

    def __init__(self, language: WordVocabulary, tags: Sequence[str], spelt: bool) -> None:
        self.language, self.tags, self.spelt = language, tuple(tags), spelt

    @classmethod
    def of(cls, train: Sequence[Tagged], least: int, spelt: bool) -> "TaggingVocabulary":
        """Take words, ends and shapes that stand in the training sentences often enough."""
        counts = Counter(word for one in train for word in one.words)
        parts: Counter[str] = Counter()
        for word, often in counts.items():
            for part in (_named(word), *(spelling(word) if spelt else ())):
                parts[part] += often
        known = sorted(part for part, often in parts.items() if often >= least)
        tags = sorted({tag for one in train for tag in one.tags})
        return cls(WordVocabulary(known), tags, spelt)

    def knows(self, word: str) -> bool:
        return _named(word) in self.language

    def parts(self, word: str) -> list[int]:
        """Return what a word is made of."""
        return [self.language[_named(word)], *self._spelling(word)]

    def parts_unknown(self, word: str) -> list[int]:
        """Return what it is made of if the word is not known: its spelling is seen all the same."""
        return [*self.language.parts_unknown(word), *self._spelling(word)]

    def _spelling(self, word: str) -> list[int]:
        parts = spelling(word) if self.spelt else ()
        return [self.language[part] for part in parts if part in self.language]

    def to_json(self) -> dict[str, Any]:
        return {**self.language.to_json(), "tags": self.tags, "spelt": self.spelt}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "TaggingVocabulary":
        return cls(WordVocabulary(record["words"]), record["tags"], record["spelt"])


def _named(word: str) -> str:
    return f"word {word}"


class TaggedSlots(NamedTuple):
    """Sentences in numbers, with their tags."""

    words: WordSlots
    tags: Int[Tensor, "row slot"]
    unseen: Bool[Tensor, "row slot"]
    """Words that no training sentence has."""

    def take(self, rows: Int[Tensor, " row"]) -> "TaggedSlots":
        words = self.words.take(rows)
        longest = words.sentence.shape[1]
        return TaggedSlots(words, self.tags[rows, :longest], self.unseen[rows, :longest])


def number(
    sentences: Sequence[Tagged], vocabulary: TaggingVocabulary, seen: frozenset[str]
) -> TaggedSlots:
    """Turn sentences into numbers.

    Args:
        sentences: with their tags; a tag that is not known is always tagged wrongly.
        vocabulary: of the training sentences.
        seen: the words that those have.
    """
    words = WordSlots.of(
        [one.words for one in sentences], vocabulary.parts, vocabulary.parts_unknown
    )
    place = {tag: number for number, tag in enumerate(vocabulary.tags)}
    tags = torch.full(words.sentence.shape, UNTAGGED)
    unseen = torch.zeros(words.sentence.shape, dtype=torch.bool)
    for row, one in enumerate(sentences):
        tags[row, : len(one.tags)] = torch.tensor([place.get(tag, UNTAGGED) for tag in one.tags])
        unseen[row, : len(one.words)] = torch.tensor([word not in seen for word in one.words])
    return TaggedSlots(words, tags, unseen)


class TaggingTask(Task):
    """Tag every word: the loss is the mean cross entropy of the words.

    Args:
        sentences: the splits by name: "train", and what is to be evaluated.
        batch: sentences in an update.
        word_dropout: share of the words of an update that are read as if they were not known.
    """

    unit = "words"

    def __init__(
        self, sentences: Mapping[str, TaggedSlots], batch: int, word_dropout: float
    ) -> None:
        self.sentences, self.batch, self.word_dropout = sentences, batch, word_dropout

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.sentences["train"].tags) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled(len(self.sentences[split].tags), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> TaggedSlots:
        return self.sentences[split].take(*batch)

    def loss(
        self, model: nn.Module, batch: TaggedSlots, state: Any, generator: torch.Generator
    ) -> Step:
        words = batch.words.forgetful(self.word_dropout, generator)
        losses, right = _tagged(model, words, batch.tags)
        return Step(losses.sum(), len(losses), state, {"accuracy": right.sum()})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss and accuracy of a word, and the accuracy of those not seen in training."""
        whole = self.sentences[split]
        every = torch.arange(len(whole.tags), device=whole.tags.device)
        losses, rights, unseens = [], [], []
        for rows in every.split(EVALUATION_BATCH):
            some = whole.take(rows)
            loss, right = _tagged(model, some.words, some.tags)
            losses.append(loss)
            rights.append(right)
            unseens.append(some.unseen[_told(some.words)])
        right, unseen = torch.cat(rights), torch.cat(unseens)
        ratios = {"loss": Ratio.of(torch.cat(losses)), "accuracy": Ratio.of(right)}
        return ratios | ({"accuracy_unknown": Ratio.of(right[unseen])} if split != "train" else {})


def _told(words: WordSlots) -> Bool[Tensor, "row slot"]:
    places = torch.arange(words.sentence.shape[1], device=words.length.device)
    return places < words.length.unsqueeze(-1)


def _tagged(
    model: nn.Module, words: WordSlots, tags: Int[Tensor, "row slot"]
) -> tuple[Float[Tensor, " word"], Bool[Tensor, " word"]]:
    """Return the loss of every word, and whether its likeliest tag is right."""
    scores = model(*words).scores[_told(words)]
    wanted = tags[_told(words)]
    losses = F.cross_entropy(scores, wanted, ignore_index=UNTAGGED, reduction="none")
    return losses, scores.argmax(-1) == wanted

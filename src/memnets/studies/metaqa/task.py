"""The task: questions in numbers, the loss along their paths, hits at 1 where they lead."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.memories.frontiers import FactMemory, Frontier
from memnets.memories.keyvalue import Ragged
from memnets.models.kv_paths import KVPaths, with_stop
from memnets.studies.metaqa.data import HOPS, Asked, Facts, Lessons, Sources, Taught
from memnets.tasks.word_slots import WordSlots, WordVocabulary
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 250
"""Questions asked at once: the third hop of one may hold thousands of films."""
MOST_PARTS = 2
"""What a word may be made of: itself, its first letters."""
MOST_HOPS = max(HOPS)
BEGINNING = "^"
"""Stands before the first letters of a word."""


class PathVocabulary:
    """What words are made of: themselves and their first letters.

    Args:
        language: words, and beginnings after a "^".
        letters: of a beginning; 0 for none.
    """

    def __init__(self, language: WordVocabulary, letters: int) -> None:
        self.language, self.letters = language, letters

    @classmethod
    def of(cls, questions: Sequence[Taught], least: int, letters: int) -> "PathVocabulary":
        """Take words and beginnings that stand in the questions often enough."""
        parts: Counter[str] = Counter()
        for one in questions:
            for word in one.words:
                parts.update((word, *_beginning(word, letters)))
        known = sorted(part for part, often in parts.items() if often >= least)
        return cls(WordVocabulary(known), letters)

    def knows(self, word: str) -> bool:
        return word in self.language

    def parts(self, word: str) -> list[int]:
        """Return what a word is made of."""
        return [self.language[word], *self._beginning(word)]

    def parts_unknown(self, word: str) -> list[int]:
        """Return what it would be made of if it were not known: its beginning may be."""
        return [*self.language.parts_unknown(word), *self._beginning(word)]

    def numbered(self, questions: Sequence[Sequence[str]]) -> WordSlots:
        return WordSlots.of(questions, self.parts, self.parts_unknown)

    def _beginning(self, word: str) -> list[int]:
        parts = _beginning(word, self.letters)
        return [self.language[part] for part in parts if part in self.language]

    def to_json(self) -> dict[str, Any]:
        return {**self.language.to_json(), "letters": self.letters}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PathVocabulary":
        return cls(WordVocabulary(record["words"]), record["letters"])


def _beginning(word: str, letters: int) -> list[str]:
    return [BEGINNING + word[:letters]] if letters else []


def memory_of(facts: Facts) -> FactMemory:
    """Lay facts out as a memory. Its last entity is nobody: it has no slot."""
    return FactMemory.of(torch.tensor(facts.triples), len(facts.names) + 1, len(facts.slots))


class TaughtPaths(NamedTuple):
    """Questions with their paths."""

    words: WordSlots
    path: Int[Tensor, "row hop"]
    """A path's slots, then its stop as often as there is room."""
    hashed: Bool[Tensor, "row hop slot"]
    """What may be addressed at each hop; after the stop nothing else."""

    def take(self, rows: Int[Tensor, " row"]) -> "TaughtPaths":
        return TaughtPaths(self.words.take(rows), self.path[rows], self.hashed[rows])

    @classmethod
    def of(
        cls, questions: Sequence[Taught], vocabulary: PathVocabulary, memory: FactMemory
    ) -> "TaughtPaths":
        words = vocabulary.numbered([one.words for one in questions])
        stop = memory.slots
        path = torch.full((len(questions), MOST_HOPS), stop)
        for row, one in enumerate(questions):
            path[row, : len(one.path)] = torch.tensor(one.path)
        topics = torch.tensor([one.topic for one in questions])
        parts = zip(path.split(EVALUATION_BATCH), topics.split(EVALUATION_BATCH), strict=True)
        return cls(words, path, torch.cat([_hashed(memory, *part) for part in parts]))


def _hashed(
    memory: FactMemory, path: Int[Tensor, "row hop"], topics: Int[Tensor, " row"]
) -> Bool[Tensor, "row hop slot"]:
    """Return what may be addressed at each hop along known paths."""
    frontier, found = Frontier.at(topics), []
    ended = torch.zeros_like(topics, dtype=torch.bool)
    for hop in range(path.shape[1]):
        found.append(with_stop(memory.hashed(frontier), ended, hop > 0))
        ended = path[:, hop] == memory.slots
        if hop + 1 < path.shape[1]:
            reached = memory.read(frontier, path[:, hop].clamp(max=memory.slots - 1))
            frontier = frontier.or_else(reached.without(topics), ended)
    return torch.stack(found, 1)


class AskedPaths(NamedTuple):
    """Published questions."""

    words: WordSlots
    topics: Int[Tensor, " row"]
    hops: Int[Tensor, " row"]
    right: Ragged
    """Entities that answer."""

    @classmethod
    def of(
        cls, questions: Sequence[Asked], vocabulary: PathVocabulary, facts: Facts
    ) -> "AskedPaths":
        nobody = len(facts.names)
        right = [[facts.number.get(name, nobody) for name in one.answers] for one in questions]
        return cls(
            vocabulary.numbered([one.words for one in questions]),
            torch.tensor([nobody if one.topic < 0 else one.topic for one in questions]),
            torch.tensor([one.hops for one in questions]),
            Ragged.of(right),
        )


class PathsTask(Task):
    """Follow the path of a question: the loss is the cross entropy of its slots.

    Args:
        memory: the facts.
        taught: questions with paths: "train", and those that are "held" back.
        asked: published questions by split.
        batch: questions in an update.
        word_dropout: share of the words of an update that are read as if they were not known.
    """

    unit = "questions"

    def __init__(
        self,
        memory: FactMemory,
        taught: Mapping[str, TaughtPaths],
        asked: Mapping[str, AskedPaths],
        batch: int,
        word_dropout: float,
    ) -> None:
        self.memory, self.taught, self.asked = memory, taught, asked
        self.batch, self.word_dropout = batch, word_dropout

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.taught["train"].path) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled(len(self.taught[split].path), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> TaughtPaths:
        return self.taught[split].take(*batch)

    def loss(
        self, model: nn.Module, batch: TaughtPaths, state: Any, generator: torch.Generator
    ) -> Step:
        words = batch.words.forgetful(self.word_dropout, generator)
        losses, right = _followed(model, batch._replace(words=words))
        return Step(losses.sum(), len(losses), state, {"paths": right.sum()})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of made questions, and hits at 1 of published ones.

        `paths` are made questions all of whose slots were told right; `hits_2` are questions of two
        hops whose first answer is right, `known_2` the same where the number of hops is given.
        """
        assert isinstance(model, KVPaths)
        made = self.taught["train" if split == "train" else "held"]
        every = torch.arange(len(made.path), device=made.path.device)
        told = [_followed(model, made.take(rows)) for rows in every.split(EVALUATION_BATCH)]
        losses, paths = (torch.cat(parts) for parts in zip(*told, strict=True))
        ratios = {"loss": Ratio.of(losses), "paths": Ratio.of(paths)}
        if split == "train":
            return ratios
        whole = self.asked[split]
        free = {hops: self._hits(model, whole, hops) for hops in HOPS}
        ratios["hits"] = Ratio.of(torch.cat(list(free.values())))
        for hops, hits in free.items():
            ratios[f"hits_{hops}"] = Ratio.of(hits)
            if split == "test":
                ratios[f"known_{hops}"] = Ratio.of(self._hits(model, whole, hops, known=True))
        return ratios

    def _hits(
        self, model: KVPaths, asked: AskedPaths, hops: int, known: bool = False
    ) -> Bool[Tensor, " row"]:
        rows = (asked.hops == hops).nonzero().squeeze(-1)
        most = hops if known else MOST_HOPS
        hits = [torch.zeros(0, dtype=torch.bool, device=rows.device)]
        for some in rows.split(EVALUATION_BATCH):
            topics = asked.topics[some]
            frontier, _ = model.walk(
                *asked.words.take(some), self.memory, topics, most, stops=not known
            )
            hits.append(answered(frontier, asked.right.take(some)))
        return torch.cat(hits)


def answered(frontier: Frontier, right: Ragged) -> Bool[Tensor, " row"]:
    """Return for each row whether what was come to in most ways is a right answer."""
    owners = right.owners()
    same = right.items == frontier.first()[owners]
    found = torch.zeros(right.rows, dtype=torch.long, device=owners.device)
    return found.index_add(0, owners, same.long()) > 0


def _followed(
    model: nn.Module, taught: TaughtPaths
) -> tuple[Float[Tensor, " row"], Bool[Tensor, " row"]]:
    """Return the loss of every path, and whether all its slots are the likeliest."""
    scores = model(*taught.words, taught.path, taught.hashed)
    losses = F.cross_entropy(scores.flatten(0, 1), taught.path.flatten(), reduction="none")
    right = (scores.argmax(-1) == taught.path).all(-1)
    return losses.view_as(taught.path).sum(-1), right


def prepared(
    sources: Sources,
    lessons: Lessons,
    vocabulary: PathVocabulary,
    batch: int,
    word_dropout: float,
) -> PathsTask:
    """Number all that a run learns from, and is asked."""
    memory = memory_of(sources.facts)
    return PathsTask(
        memory,
        {
            name: TaughtPaths.of(part, vocabulary, memory)
            for name, part in lessons._asdict().items()
        },
        {
            name: AskedPaths.of(part, vocabulary, sources.facts)
            for name, part in sources.asked.items()
        },
        batch,
        word_dropout,
    )

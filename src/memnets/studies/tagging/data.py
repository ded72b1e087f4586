"""Which sentences are tagged, and with which tags."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.treebanks import TaggedSentence, load_tagged

Tags = Literal["upos", "xpos"]
COMMONEST: Mapping[Tags, str] = {"upos": "NOUN", "xpos": "NN"}
"""The tag of unknown words where nothing else is known of them: a noun."""


class Tagged(NamedTuple):
    """A sentence with one tag a word."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class TaggingData:
    """UD English-EWT. Its test sentences are left alone.

    The dev sentences are cut in two halves: the even ones, counted from 0, choose, the odd ones are
    what is reported. Neighbours are often of one text, so that both halves have of the same texts.
    """

    path: Path | None = None
    """Folder of the set, or one that contains it; by default MEMNETS_DATA."""
    tags: Tags = "upos"
    """The 17 tags of all languages, or the 49 of the Penn Treebank's kind."""

    def load(self) -> dict[str, tuple[Tagged, ...]]:
        train, dev = self.read()
        halves = {"train": train, "valid": dev[::2], "test": dev[1::2]}
        return {name: tuple(map(self._with_tags, part)) for name, part in halves.items()}

    def read(self) -> tuple[tuple[TaggedSentence, ...], tuple[TaggedSentence, ...]]:
        """Return the training and the dev sentences with both kinds of tags."""
        return load_tagged("train", self.path), load_tagged("dev", self.path)

    def _with_tags(self, sentence: TaggedSentence) -> Tagged:
        words, upos, xpos = zip(*sentence.words, strict=True)
        return Tagged(words, upos if self.tags == "upos" else xpos)


def digest(splits: Mapping[str, Iterable[Tagged]]) -> str:
    """Return the SHA-256 of words and tags."""
    lines = (
        f"{split}\t{' '.join(words)}\t{' '.join(tags)}\n"
        for split, part in splits.items()
        for words, tags in part
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class Floor(NamedTuple):
    """What is right, of all words and of those that no training sentence has."""

    right: int
    words: int
    unknown_right: int
    unknown: int


def most_frequent_tag(train: Sequence[Tagged], asked: Sequence[Tagged], otherwise: str) -> Floor:
    """Give every word the tag that it has most often in training, the first of equal ones.

    Args:
        train: what is counted.
        asked: what is tagged.
        otherwise: the tag of a word that was never seen.
    """
    counts: dict[str, Counter[str]] = {}
    for words, tags in train:
        for word, tag in zip(words, tags, strict=True):
            counts.setdefault(word, Counter())[tag] += 1
    best = {word: of.most_common(1)[0][0] for word, of in counts.items()}
    pairs = [pair for one in asked for pair in zip(*one, strict=True)]
    unknown = [tag for word, tag in pairs if word not in best]
    right = sum(best.get(word, otherwise) == tag for word, tag in pairs)
    return Floor(right, len(pairs), unknown.count(otherwise), len(unknown))

"""Which phrases are learnt from, and into which classes they fall."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.treebanks import LABELS, LabelledPhrase, load_sentiment
from memnets.tasks.naive_bayes import NaiveBayes

Classes = Literal["fine", "binary"]
NAMES: Mapping[Classes, tuple[str, ...]] = {"fine": LABELS, "binary": ("negative", "positive")}
"""The classes, in the order of their numbers."""
NEUTRAL = LABELS.index("neutral")


class Labelled(NamedTuple):
    """Words in small letters, and the number of their class."""

    words: tuple[str, ...]
    label: int


@dataclass(frozen=True)
class SentimentData:
    """Stanford Sentiment Treebank, which may not be passed on: it is read where it lies."""

    path: Path | None = None
    """Folder of the trees, or one that contains it; by default MEMNETS_DATA."""
    classes: Classes = "fine"
    """Five classes, or two: what is neutral is left out then."""
    phrases: bool = True
    """Whether every phrase of the training sentences is learnt from, each once, or these alone."""

    def load(self) -> dict[str, tuple[Labelled, ...]]:
        trees = load_sentiment(self.path)
        sentences = {split: [tree.sentence for tree in part] for split, part in trees.items()}
        learnt = sentences["train"]
        if self.phrases:
            learnt = [phrase for tree in trees["train"] for phrase in tree.phrases]
        train = tuple(self._classified(learnt))
        return {
            "train": tuple(dict.fromkeys(train)) if self.phrases else train,
            "valid": tuple(self._classified(sentences["dev"])),
            "test": tuple(self._classified(sentences["test"])),
        }

    def _classified(self, phrases: Iterable[LabelledPhrase]) -> Iterable[Labelled]:
        for phrase in phrases:
            label = phrase.label
            if self.classes == "binary":
                if label == NEUTRAL:
                    continue
                label = int(label > NEUTRAL)
            yield Labelled(tuple(map(str.lower, phrase.words)), label)


def digest(splits: Mapping[str, Iterable[Labelled]]) -> str:
    """Return the SHA-256 of words and labels."""
    whole = hashlib.sha256()
    for split, part in splits.items():
        for words, label in part:
            whole.update(f"{split}\t{' '.join(words)}\t{label}\n".encode())
    return whole.hexdigest()


def naive_bayes_accuracy(train: Sequence[Labelled], asked: Sequence[Labelled]) -> float:
    """Return the share of sentences that naive Bayes over words puts into the right class."""
    counted = NaiveBayes(((one.words, f"{one.label}") for one in train), {}, 0)
    right = 0
    for words, label in asked:
        scores = counted.scores(words)
        right += max(scores, key=scores.__getitem__) == f"{label}"
    return right / len(asked)

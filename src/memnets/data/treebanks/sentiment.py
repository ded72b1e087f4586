r"""Stanford Sentiment Treebank: sentences about films, with a label at every node of their trees.

No licence came with the set: it is read where it lies, and never passed on. A line is a tree, such
as ``(3 (2 It) (4 (2 's) (4 lovely)))``, its labels from 0, very negative, to 4, very positive.
Brackets and slashes of the text are written ``-LRB-`` and ``\/``, and read as what they stand for.

One public copy has the dev sentences once more at the end of ``train.txt``. By a rule of ours, a
training file whose last trees are those of ``dev.txt``, in their order, is read without them, with
a warning; one that has dev sentences in another way is refused. As published, one short sentence of
dev and two of test stand in train too; so many are let pass.
"""

import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memnets.data import official
from memnets.data.rows import SHOWN, existing, records

SENTIMENT_SPLITS = {"train": 8_544, "dev": 1_101, "test": 2_210}
"""Sentences of the splits, as published."""
LABELS = ("very negative", "negative", "neutral", "positive", "very positive")
"""What the labels 0 to 4 stand for."""
_TOKEN = re.compile(r"[()]|[^ \t()]+")  # one word of the set holds a no-break space
_MOST_WORDS = 1000
"""A line of more words is no sentence; all its phrases together would be very many words."""
_WRITTEN = {"-LRB-": "(", "-RRB-": ")"}


class LabelledPhrase(NamedTuple):
    """Words that belong together, and how they sound."""

    words: tuple[str, ...]
    label: int


class SentimentTree(NamedTuple):
    """A sentence with all its phrases.

    Attributes:
        phrases: every node; the sentence comes first, single words are among them.
    """

    phrases: tuple[LabelledPhrase, ...]

    @property
    def sentence(self) -> LabelledPhrase:
        """The whole, with its label."""
        return self.phrases[0]


def load_sentiment(
    path: str | os.PathLike[str] | None = None,
) -> dict[str, tuple[SentimentTree, ...]]:
    """Load the three splits.

    Args:
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: a file is not at hand; the text says how to get it.
        ValueError: a line is no tree, or training sentences are those of the dev split.
    """
    files = {split: official.find("sst", (f"{split}.txt",), path) for split in SENTIMENT_SPLITS}
    found = {split: tuple(read_sentiment(file)) for split, file in files.items()}
    found["train"] = _without_dev(files["train"], found["train"], found["dev"])
    for split, trees in found.items():
        if not trees:
            raise ValueError(f"{files[split]}: there is no tree in it. Fetch it anew.")
        official.check_count(files[split], len(trees), SENTIMENT_SPLITS[split])
    return found


def _without_dev(
    file: Path, train: tuple[SentimentTree, ...], dev: tuple[SentimentTree, ...]
) -> tuple[SentimentTree, ...]:
    if dev and train[-len(dev) :] == dev:
        warnings.warn(
            f"{file}: its last {len(dev):,} trees are those of dev.txt once more, and are left "
            f"out. The published file ends before them.",
            stacklevel=3,
        )
        train = train[: -len(dev)]
    both = {tree.sentence.words for tree in train} & {tree.sentence.words for tree in dev}
    if len(both) > len(dev) // 100:
        raise ValueError(
            f"{file}: {len(both):,} of its sentences are sentences of dev.txt, such as "
            f"{' '.join(min(both))[:SHOWN]!r}. Expected next to none: fetch both files anew."
        )
    return train


def read_sentiment(path: str | os.PathLike[str]) -> Iterator[SentimentTree]:
    """Stream the trees of a file, one a line.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a line is no tree; the text names file, line and place.
    """
    return records(existing(path), read_tree)


class _Node(NamedTuple):
    """A node that is being read: its place among the phrases, and where its words begin."""

    phrase: int
    first: int


def read_tree(line: str) -> SentimentTree:
    """Return the tree of a line.

    Raises:
        ValueError: it is none.
    """
    words: list[str] = []
    phrases: list[LabelledPhrase] = []
    open_: list[_Node] = []
    tokens = _TOKEN.finditer(line)
    ended = False
    for token in tokens:
        text = token[0]
        if ended:
            raise _no_tree(line, token.start(), "nothing behind the tree")
        if text == "(":
            label = next(tokens, None)
            if label is None or label[0] not in tuple("01234"):
                raise _no_tree(line, token.end(), "a label from 0 to 4")
            if open_ and open_[-1].phrase == len(phrases) - 1 and len(words) > open_[-1].first:
                raise _no_tree(line, token.start(), "no node beside a word")
            open_.append(_Node(len(phrases), len(words)))
            phrases.append(LabelledPhrase((), int(label[0])))
        elif text == ")":
            if not open_ or len(words) == open_[-1].first:
                raise _no_tree(line, token.start(), "a word or a node before it")
            node = open_.pop()
            phrases[node.phrase] = phrases[node.phrase]._replace(words=tuple(words[node.first :]))
            ended = not open_
        else:
            if not open_ or open_[-1].phrase != len(phrases) - 1 or len(words) > open_[-1].first:
                raise _no_tree(line, token.start(), "one word in a node of its own")
            if len(words) == _MOST_WORDS:
                raise _no_tree(line, token.start(), f"at most {_MOST_WORDS:,} words")
            words.append(_WRITTEN.get(text, text.replace("\\/", "/").replace("\\*", "*")))
    if not ended:
        raise _no_tree(line, len(line), "all brackets closed")
    return SentimentTree(tuple(phrases))


def _no_tree(line: str, place: int, expected: str) -> ValueError:
    begin = max(0, place - SHOWN // 2)
    return ValueError(
        f"came {line[begin : begin + SHOWN]!r}; expected {expected} at character {place + 1}, as "
        f"in (3 (2 It) (4 (2 's) (4 lovely))). Correct the line, or fetch the file anew."
    )

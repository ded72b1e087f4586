"""Texts as numbers: train, valid and test of one vocabulary, known from the training part."""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.data.babi import Statement
from memnets.data.babi.generate import make_stories
from memnets.data.text.files import find_parts
from memnets.data.text.units import UNITS, SymbolVocabulary, characters, letters, words

SHARE = 0.9
"""The share of an undivided text that is trained on: its beginning; the rest is `valid`."""


@dataclass(frozen=True)
class Text:
    """A text, part by part, as numbers of its vocabulary."""

    name: str
    unit: str
    """What one symbol is: "words" or "characters"."""
    vocabulary: SymbolVocabulary
    splits: Mapping[str, NDArray[np.int32]]
    lacking: Mapping[str, Mapping[str, int]]
    """By part, the symbols that the training part lacks and how often they occur: all are read
    and predicted as the one unknown symbol."""
    sha256: str
    """One digest of everything that was read."""

    @staticmethod
    def of(name: str, parts: Mapping[str, str], read: Callable[[str], list[str]]) -> "Text":
        """Return a text from its parts; "train" is one of them.

        Args:
            name: what it is called in records.
            parts: the text of every part.
            read: `words`, `letters` or `characters`.
        """
        units = {split: read(part) for split, part in parts.items()}
        vocabulary = SymbolVocabulary.of(units["train"])
        digest = hashlib.sha256("\0".join(parts[split] for split in sorted(parts)).encode())
        return Text(
            name,
            UNITS[read],
            vocabulary,
            {split: vocabulary.number(part) for split, part in units.items()},
            {split: vocabulary.lacking(part) for split, part in units.items()},
            digest.hexdigest(),
        )


class Known(NamedTuple):
    """A set of files, how it is read, and what must come out."""

    source: str
    read: Callable[[str], list[str]]
    counts: Mapping[str, int]
    """How many symbols each part has."""


TEXTS: dict[str, Known] = {
    "shakespeare": Known("shakespeare", characters, {"train": 1_003_854, "valid": 111_540}),
    "war-and-peace": Known("war-and-peace", characters, {"train": 2_235_598, "valid": 481_108}),
    "ptb": Known("ptb", words, {"train": 929_589, "valid": 73_760, "test": 82_430}),
    "ptb-characters": Known(
        "ptb", letters, {"train": 5_017_482, "valid": 393_042, "test": 442_423}
    ),
    "wikitext-2": Known(
        "wikitext-2", words, {"train": 2_088_628, "valid": 217_646, "test": 245_569}
    ),
}
"""The texts that can be loaded by name."""


def load_text(name: str, path: str | os.PathLike[str] | None = None) -> Text:
    """Load a text; another one is never put in its place.

    Args:
        name: a key of `TEXTS`.
        path: the folder with its files, or one that holds it; by default MEMNETS_DATA, then the
            cache.

    Raises:
        FileNotFoundError: a file is not at hand; the text names it with its digest.
        ValueError: there is no text of that name, or a file is not what it should be.
    """
    if name not in TEXTS:
        raise ValueError(
            f"{name!r}: there is no text of this name. Choose one of {', '.join(TEXTS)}."
        )
    known = TEXTS[name]
    found = find_parts(known.source, path)
    # Bytes, so that no line end is translated.
    parts = {split: file.path.read_bytes().decode() for split, file in found.items()}
    if "all" in parts:
        parts = _cut(parts["all"])
    text = Text.of(name, parts, known.read)
    for split, part in text.splits.items():
        expected = known.counts.get(split, len(part))
        if len(part) != expected:
            raise ValueError(
                f"{found[split].path}: the {split} part of {name} has {len(part):,} {text.unit}; "
                f"expected {expected:,}. It is another text; put the original back."
            )
    return text


def make_text() -> Text:
    """Make a text of generated stories, for trying things out without any data.

    It is called generated, and never put in the place of another.
    """
    parts = {}
    for split, questions in (("train", 1000), ("valid", 60)):
        told = (story.items for story in make_stories(1, questions, 0, split))
        lines = (item.text for items in told for item in items if isinstance(item, Statement))
        parts[split] = "".join(f"{line}\n" for line in lines)
    return Text.of("generated stories", parts, characters)


def _cut(text: str) -> dict[str, str]:
    end = int(SHARE * len(text))
    return {"train": text[:end], "valid": text[end:]}

"""Sentences with a part of speech for every word: UD English-EWT, and what is written like it.

Two forms: the treebank's own ``.conllu`` of ten columns, and three columns
``FORM<TAB>UPOS<TAB>XPOS``. Sentences are parted by an empty line. Of the ten columns three are
read: the second, fourth and fifth. A range of words that are written as one, and a word that is
not written, have numbers like ``3-4`` and ``3.1`` there, and are no words of the sentence.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data import official
from memnets.data.rows import decoded, existing, fields, numbered, wrong

TAGGED_SPLITS = {"train": (12_544, 204_577), "dev": (2_001, 25_147), "test": (2_077, 25_094)}
"""Sentences and words of the splits, as published."""
COLUMNS = "ID\tFORM\tLEMMA\tUPOS\tXPOS\tFEATS\tHEAD\tDEPREL\tDEPS\tMISC"
_THREE = "FORM\tUPOS\tXPOS"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_PASSED_OVER = re.compile(r"[0-9]+[-.][0-9]+")


class TaggedWord(NamedTuple):
    """A word with its parts of speech."""

    form: str
    upos: str
    """One of 17 that all languages share."""
    xpos: str
    """One of 49 of the Penn Treebank's kind."""


class TaggedSentence(NamedTuple):
    """A sentence, and where it stands."""

    words: tuple[TaggedWord, ...]
    source: str
    line: int
    """Of its first word."""


def load_tagged(
    split: Literal["train", "dev", "test"], path: str | os.PathLike[str] | None = None
) -> tuple[TaggedSentence, ...]:
    """Load a split of UD English-EWT, from either form.

    Args:
        split: which.
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: the file is not at hand; the text says how to get it.
        ValueError: there is no such split, or a row is not in the format.
    """
    if split not in TAGGED_SPLITS:
        known = ", ".join(TAGGED_SPLITS)
        raise ValueError(f"{split!r}: there is no such split. Choose one of {known}.")
    names = (f"en_ewt-ud-{split}.conllu", f"{split}.tsv")
    file = official.find("ud-english-ewt", names, path)
    sentences = tuple(read_tagged(file))
    if not sentences:
        raise ValueError(f"{file}: there is no sentence in it. Fetch it anew.")
    official.check_count(file, len(sentences), TAGGED_SPLITS[split][0])
    return sentences


def read_tagged(path: str | os.PathLike[str]) -> Iterator[TaggedSentence]:
    """Stream the sentences of a file of ten columns (``.conllu``), or else of three.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is not in the format; the text names file and line.
    """
    path = existing(path)
    read = _of_ten if ".conllu" in path.suffixes else _of_three
    words: list[TaggedWord] = []
    first = 0
    for line, text in _lines(path):
        if not text.strip():
            if words:
                yield TaggedSentence(tuple(words), f"{path}", first)
            words = []
            continue
        try:
            word = read(text, len(words))
        except ValueError as error:
            raise ValueError(f"{path}:{line}: {error}") from None
        if word is not None:
            first = first if words else line
            words.append(word)
    if words:
        yield TaggedSentence(tuple(words), f"{path}", first)


def _lines(path: Path) -> Iterable[tuple[int, str]]:
    for line, data in numbered(path):
        try:
            yield line, decoded(data)
        except ValueError as error:
            raise ValueError(f"{path}:{line}: {error}") from None


def _of_three(text: str, before: int) -> TaggedWord:
    return TaggedWord(*fields(text, "\t", _THREE))


def _of_ten(text: str, before: int) -> TaggedWord | None:
    """Return the word of a row; None of a remark, or of a row that stands for no word."""
    if text.startswith("#"):
        return None
    number, form, _, upos, xpos, *_ = fields(text, "\t", COLUMNS)
    if _PASSED_OVER.fullmatch(number):
        return None
    if not _NUMBER.fullmatch(number) or int(number) != before + 1:
        raise wrong(text, f"{before + 1}{COLUMNS.removeprefix('ID')}")
    return TaggedWord(form, upos, xpos)

"""Pairs of text files: line k of one is the translation of line k of the other.

Each line is a sentence in UTF-8. Lines end with LF or CRLF; a byte order mark is passed over, gzip
is read as it is, white space at the ends of a sentence is left out, and letters are composed with
their marks where Unicode can (NFC). Nothing else is changed.
"""

import os
import unicodedata
import warnings
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from memnets.data.rows import BadRows, decoded, existing, numbered

MOST_WORDS = 1_000
"""A line of more words is no sentence: the ends of its lines may have been lost."""
MOST_LETTERS = 20
"""So many characters may a word have in the mean; some languages put no spaces between words."""


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def load_pairs(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    most_words: int = MOST_WORDS,
) -> tuple[SentencePair, ...]:
    """Read all pairs; those that nobody can learn from are left out, with a warning.

    These are pairs of which a side is empty or has more than `most_words` words.

    Args:
        source: the sentences.
        target: their translations, in the same order.
        most_words: the papers train on sentences of at most 50.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: the files have different lengths, a line is not UTF-8, or no pair is left.
    """
    left_out = BadRows(keep=1)
    pairs = tuple(read_pairs(source, target, most_words=most_words, left_out=left_out))
    if not pairs:
        why = f" The first is left out: {left_out.first[0]}" if left_out.count else ""
        raise ValueError(f"{source}: it has no pair of sentences to learn from.{why}")
    if left_out.count:
        warnings.warn(
            f"{left_out.count:,} of {len(pairs) + left_out.count:,} pairs are left out. "
            f"The first: {left_out.first[0]}",
            stacklevel=2,
        )
    return pairs


def read_pairs(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    most_words: int = MOST_WORDS,
    left_out: BadRows | None = None,
) -> Iterator[SentencePair]:
    """Stream the pairs of two files.

    Args:
        source: the sentences.
        target: their translations, in the same order.
        most_words: of either side.
        left_out: counts pairs with an empty or a longer side, which are passed over; without it
            the first one is an error.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: the files have different lengths, or a line cannot be read; the text names file
            and line.
    """
    files = existing(source), existing(target)

    def stream() -> Iterator[SentencePair]:
        both = zip_longest(*map(_lines, files))
        for row, (one, other) in enumerate(both, start=1):
            if one is None or other is None:
                raise _uneven(files)
            pair = SentencePair(one, other)
            complaint = _unfit(files, row, pair, most_words)
            if not complaint:
                yield pair
            elif left_out is None:
                raise ValueError(complaint)
            else:
                left_out.add(complaint)

    return stream()


def read_sentences(path: str | os.PathLike[str], *, most_words: int = MOST_WORDS) -> Iterator[str]:
    """Stream the sentences of one file, to be translated; empty lines are sentences too.

    Args:
        path: a text file, also gzipped.
        most_words: of a sentence.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a line is not UTF-8, or is longer; the text names file and line.
    """
    file = existing(path)

    def stream() -> Iterator[str]:
        for row, sentence in enumerate(_lines(file), start=1):
            if complaint := _too_long(sentence, most_words):
                raise ValueError(
                    f"{file}:{row}: {complaint} Write each sentence into a line of its own."
                )
            yield sentence

    return stream()


def _lines(path: Path) -> Iterator[str]:
    for row, data in numbered(path):
        try:
            yield unicodedata.normalize("NFC", decoded(data).strip())
        except ValueError as error:
            raise ValueError(f"{path}:{row}: {error}") from None


def _unfit(files: tuple[Path, Path], row: int, pair: SentencePair, most_words: int) -> str:
    """Say why nobody can learn from a pair; nothing if one can."""
    for file, other, sentence in zip(files, files[::-1], pair, strict=True):
        if not sentence:
            return (
                f"{file}:{row}: this line is empty; expected a sentence. Write it, or take line "
                f"{row} out of this file and of {other}."
            )
        if complaint := _too_long(sentence, most_words):
            return (
                f"{file}:{row}: {complaint} Part it, and its translation in {other}, into "
                f"sentences, or allow more words with most_words."
            )
    return ""


def _too_long(sentence: str, most_words: int) -> str:
    words, letters = len(sentence.split()), len(sentence)
    if words > most_words:
        return f"this line has {words:,} words; expected a sentence of at most {most_words:,}."
    if letters > MOST_LETTERS * most_words:
        return (
            f"this line has {letters:,} characters; expected a sentence of at most "
            f"{most_words:,} words, or {MOST_LETTERS * most_words:,} characters."
        )
    return ""


def _uneven(files: tuple[Path, Path]) -> ValueError:
    lines = {file: sum(1 for _ in numbered(file)) for file in files}
    shorter, longer = sorted(lines, key=lambda file: lines[file])
    return ValueError(
        f"{shorter}:{max(1, lines[shorter])}: the file ends here, after {lines[shorter]:,} lines, "
        f"and {longer} has {lines[longer]:,}. Expected as many: line k of one is the translation "
        f"of line k of the other. Find the line that one of them lacks, or fetch both anew."
    )

"""BLEU of translations, as sacrebleu measures it (Post 2018), with the signature that says how.

A figure without its signature compares with nothing: cutting into words alone moves it by points.
Needs memnets[translation].

Cite: papineni2002, post2018
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType
from typing import NamedTuple

EDGES = (5, 10, 15, 20, 25, 30)
"""The most words of a source sentence in each bin of lengths; a last bin has the longer ones."""


class Bleu(NamedTuple):
    """A BLEU, from 0 to 100."""

    score: float
    signature: str
    """How it was measured, in sacrebleu's words."""
    sentences: int
    """Of how many sentences."""


class LengthBin(NamedTuple):
    """The BLEU of the sentences of some lengths."""

    shortest: int
    """Words of a source sentence, at least."""
    longest: int | None
    """At most; None in the last bin, which has no end."""
    bleu: Bleu


def bleu(translations: Sequence[str], references: Sequence[str], *, lower: bool = False) -> Bleu:
    """Return the BLEU of a corpus, with one reference a sentence.

    Args:
        translations: as text, not cut into words; an empty one counts as nothing said.
        references: as they are written, in the same order.
        lower: whether letters of both are made small before they are compared; the signature then
            says `case:lc`.

    Raises:
        ModuleNotFoundError: sacrebleu is not installed.
        ValueError: there is nothing to compare, or not a reference for every translation.
    """
    if len(translations) != len(references) or not references:
        raise ValueError(
            f"BLEU: {len(translations):,} translations for {len(references):,} references; "
            f"expected at least one, and as many. Translate every sentence, empty ones too."
        )
    # It would warn of text that looks cut into words: ours may be, where words are the symbols.
    metric = _library().BLEU(lowercase=lower, force=True)
    score = metric.corpus_score(list(translations), [list(references)]).score
    return Bleu(min(score, 100.0), str(metric.get_signature()), len(references))


def bleu_by_length(
    lengths: Sequence[int],
    translations: Sequence[str],
    references: Sequence[str],
    *,
    edges: Sequence[int] = EDGES,
    lower: bool = False,
) -> tuple[LengthBin, ...]:
    """Return the BLEU of the sentences of each range of lengths; ranges without any are left out.

    Args:
        lengths: of every source sentence, in words.
        translations: as text.
        references: as they are written.
        edges: the longest length of each bin, rising; what is longer has a bin of its own.
        lower: whether letters are made small.

    Raises:
        ModuleNotFoundError: sacrebleu is not installed.
        ValueError: these are not as many, or the edges do not rise.
    """
    if not len(lengths) == len(translations) == len(references):
        raise ValueError(
            f"BLEU by length: {len(lengths):,} lengths, {len(translations):,} translations and "
            f"{len(references):,} references; expected as many of each."
        )
    if any(first >= second for first, second in pairwise(edges)):
        raise ValueError(f"BLEU by length: the edges {tuple(edges)} do not rise. Sort them.")
    bins: list[list[int]] = [[] for _ in range(len(edges) + 1)]
    for sentence, length in enumerate(lengths):
        bins[bisect_left(edges, length)].append(sentence)
    begins, ends = (0, *(edge + 1 for edge in edges)), (*edges, None)
    return tuple(
        LengthBin(
            begin,
            end,
            bleu([translations[n] for n in some], [references[n] for n in some], lower=lower),
        )
        for begin, end, some in zip(begins, ends, bins, strict=True)
        if some
    )


def _library() -> ModuleType:
    try:
        import sacrebleu
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "BLEU is measured by sacrebleu, which is not installed. "
            "Run: pip install 'memnets[translation]'"
        ) from None
    return sacrebleu

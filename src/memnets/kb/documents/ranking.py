"""How well a sentence, with what stands above it, matches the stems of a question: BM25."""

from collections import Counter
from collections.abc import Mapping
from math import log
from typing import NamedTuple

Stems = tuple[str, ...]

K1 = 1.2
"""How soon repeats of a word count no more."""
B = 0.4
"""How much the length of a sentence does; K1, B and fields that weigh the same were chosen by the
questions of `examples/documents/choosing.tsv`."""


class Fields(NamedTuple):
    """The stems of a sentence, and of what tells what it is about."""

    own: Stems
    headings: Stems
    """That it stands below, from the second level on."""
    title: Stems
    file: Stems
    """Of the file's path."""


def rarity(sentences: int, having: int) -> float:
    """Return what a stem tells that so many of the sentences have, themselves or above them."""
    return log(1 + (sentences - having + 0.5) / (having + 0.5))


def bm25(asked: Mapping[str, float], fields: Fields, mean: float) -> float:
    """Return how well a sentence matches.

    $$ s = \\sum_w r_w \\frac{f_w (k_1 + 1)}{f_w + k_1}, \\qquad
       f_w = \\frac{o_w}{1 - b + b\\, l / \\bar l} + c_w $$

    The stem w stands $o_w$ times in the sentence, of l words where the mean is $\\bar l$, and $c_w$
    times above it; $r_w$ is its rarity. Robertson et al. (2004) weigh fields so before repeats
    are damped.

    Args:
        asked: the stems of the question, each with its rarity.
        fields: of the sentence.
        mean: how many words a sentence has.
    """
    own, above = Counter(fields.own), Counter((*fields.headings, *fields.title, *fields.file))
    length = 1 - B + B * len(fields.own) / mean
    times = {stem: own[stem] / length + above[stem] for stem in asked}
    return sum(asked[stem] * times[stem] * (K1 + 1) / (times[stem] + K1) for stem in asked)

"""Scores of captions: BLEU of each order by sacrebleu, and CIDEr-D.

Captions come as words, and are not cut anew: what cuts the captions of a model must cut those that
they are compared with. METEOR 1.5 needs Java, SPICE a parser besides: neither is here.

Cite: papineni2002, post2018, vedantam2015
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from types import ModuleType
from typing import NamedTuple

ORDERS = 4
"""The longest n-grams."""
SIGMA = 6.0
"""Of CIDEr-D: how hard another length is punished, in words."""

Words = Sequence[str]


class CaptionBleu(NamedTuple):
    """BLEU of some order, from 0 to 100."""

    score: float
    unpunished: float
    """The same without its brevity penalty: the geometric mean of the precisions, as papers of
    captions printed it."""
    signature: str


def caption_bleu(
    said: Sequence[Words], references: Sequence[Sequence[Words]], order: int
) -> CaptionBleu:
    """Return the BLEU of captions, each compared with all captions of its picture.

    Args:
        said: what was said of each picture, in words.
        references: the right captions of each.
        order: of the longest n-grams: 1 to 4.

    Raises:
        ModuleNotFoundError: sacrebleu is not installed.
        ValueError: there is nothing to compare, or a picture has no caption.
    """
    _expect(said, references, "BLEU")
    most = max(len(known) for known in references)
    columns = [
        [" ".join(known[n]) if n < len(known) else None for known in references]
        for n in range(most)
    ]
    metric = _library().BLEU(max_ngram_order=order, tokenize="none", force=True)
    found = metric.corpus_score([" ".join(words) for words in said], columns)
    precisions = found.precisions[:order]
    mean = 0.0
    if all(precisions):
        mean = math.exp(sum(map(math.log, precisions)) / order)
    return CaptionBleu(found.score, mean, str(metric.get_signature()))


def cider_d(said: Sequence[Words], references: Sequence[Sequence[Words]]) -> list[float]:
    r"""Return the CIDEr-D of every caption; a score of a corpus is their mean.

    $$ \frac{10}{4 m} \sum_{n,j} e^{-(l_c - l_{s_j})^2 / 2 \sigma^2} \,
       \frac{\min(g^n(c), g^n(s_j)) \cdot g^n(s_j)}{\lVert g^n(c) \rVert \lVert g^n(s_j) \rVert} $$

    $g^n$ counts n-grams, each weighed by the logarithm of the share of pictures that have it. As in
    the published code, the lengths are numbers of bigrams.

    Cite: vedantam2015

    Args:
        said: what was said of each picture, in words.
        references: the right captions of each.

    Raises:
        ValueError: there is nothing to compare, or a picture has no caption.
    """
    _expect(said, references, "CIDEr-D")
    known = [[_grams(words) for words in captions] for captions in references]
    pictures: Counter[tuple[str, ...]] = Counter()
    for captions in known:
        pictures.update({gram for caption in captions for gram in caption})
    whole = math.log(len(known))

    def weighed(grams: Counter[tuple[str, ...]]) -> list[dict[tuple[str, ...], float]]:
        found: list[dict[tuple[str, ...], float]] = [{} for _ in range(ORDERS)]
        for gram, count in grams.items():
            found[len(gram) - 1][gram] = count * (whole - math.log(max(1, pictures[gram])))
        return found

    scores = []
    for words, captions in zip(said, known, strict=True):
        mine = _grams(words)
        likeness = sum(
            _alike(weighed(mine), weighed(one), _bigrams(mine) - _bigrams(one)) for one in captions
        )
        scores.append(10.0 * likeness / ORDERS / len(captions))
    return scores


def _grams(words: Words) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(words[at : at + n]) for n in range(1, ORDERS + 1) for at in range(len(words) - n + 1)
    )


def _bigrams(grams: Counter[tuple[str, ...]]) -> int:
    return sum(count for gram, count in grams.items() if len(gram) == 2)


def _alike(
    mine: Sequence[dict[tuple[str, ...], float]],
    one: Sequence[dict[tuple[str, ...], float]],
    longer: int,
) -> float:
    total = 0.0
    for own, right in zip(mine, one, strict=True):
        shared = sum(
            min(own[gram], right[gram]) * right[gram] for gram in own.keys() & right.keys()
        )
        norm = math.hypot(*own.values()) * math.hypot(*right.values())
        total += shared / norm if norm else 0.0
    return total * math.exp(-(longer**2) / (2 * SIGMA**2))


def _expect(said: Sequence[Words], references: Sequence[Sequence[Words]], score: str) -> None:
    for number, (words, known) in enumerate(zip_longest(said, references)):
        if words is None or not known:
            raise ValueError(
                f"{score}: {len(said):,} captions for {len(references):,} pictures came, and "
                f"picture {number + 1} lacks one of the two. Expected a caption that was said, and "
                f"a right one at least, for each."
            )
    if not said:
        raise ValueError(f"{score}: no caption came. Expected one at least.")


def _library() -> ModuleType:
    try:
        import sacrebleu
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "BLEU is measured by sacrebleu, which is not installed. "
            "Run: pip install 'memnets[images]'"
        ) from None
    return sacrebleu

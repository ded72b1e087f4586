"""Scores of captions as figures of a split."""

from collections.abc import Sequence

from memnets.data.pairs import split_words
from memnets.data.pictures.metrics import ORDERS, caption_bleu, cider_d
from memnets.training.task import Ratio


def caption_scores(
    said: Sequence[str], references: Sequence[Sequence[str]], fully: bool
) -> dict[str, Ratio]:
    """Return BLEU and CIDEr-D of what was said.

    Args:
        said: of each picture.
        references: right captions of each.
        fully: whether BLEU-1 to BLEU-3, each without its brevity penalty, and the CIDEr-D of what
            was said of another picture (`cider_shuffled`) are told too.
    """
    mine = [_words(text) for text in said]
    known = [[_words(text) for text in texts] for texts in references[: len(said)]]
    found = {"cider": Ratio(sum(cider_d(mine, known)), len(mine))}
    for order in range(1, ORDERS + 1) if fully else (ORDERS,):
        bleu = caption_bleu(mine, known, order)
        found[f"bleu_{order}"] = Ratio(bleu.score, 1)
        if fully:
            found[f"bleu_{order}_unpunished"] = Ratio(bleu.unpunished, 1)
    if fully:
        others = mine[1:] + mine[:1]
        found["cider_shuffled"] = Ratio(sum(cider_d(others, known)), len(mine))
    return found


def _words(text: str) -> list[str]:
    """Cut a caption as the vocabulary does; marks are left out, as in published scores."""
    return [word.lower() for word in split_words(text) if any(map(str.isalnum, word))]

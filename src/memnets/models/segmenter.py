"""Cutting a stream of words into statements (Weston et al., 2014, section 3.2)."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.bag_features import BagFeatures
from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least, within


class Segmented(NamedTuple):
    """The score of every word as the end of a segment, and where segments end."""

    scores: Float[Tensor, "batch time"]
    ends: Bool[Tensor, "batch time"]


class Segmenter(nn.Module):
    r"""Write a segment to memory as soon as the words since the last one look like one.

    $$ \mathrm{seg}(c) = W_{seg}^\top U_S \Phi_{seg}(c) $$

    c is the words that are in no segment yet, as a bag; they are a segment where
    $\mathrm{seg}(c) > \gamma$.

    Deviations: none.
    Cite: weston2014

    Args:
        words: number of words, nil (0) included.
        dim: width of an embedding.
        margin: gamma.

    Raises:
        ValueError: the margin is not positive.
    """

    def __init__(self, words: int, dim: int = 50, margin: float = 0.1) -> None:
        super().__init__()
        at_least(2, "Segmenter", "Nil is one of them.", words=words)
        at_least(1, "Segmenter", dim=dim)
        expected = "a positive one, such as 0.1."
        within(lambda x: x > 0, "Segmenter", expected, margin=margin)
        self.margin = margin
        self.features = BagFeatures(words, roles=1, dim=dim, scale=0.1)
        self.weight = nn.Parameter(torch.randn(dim) * 0.1)

    def forward(self, words: Int[Tensor, "batch time"]) -> Segmented:
        """Cut streams of words, each from its left to its right; nil after a stream's end."""
        each = self._each(words)
        open_score, scores, ends = each.new_zeros(len(words)), [], []
        for word, score in zip(words.unbind(1), each.unbind(1), strict=True):
            open_score = open_score + score
            scores.append(open_score)
            ends.append((open_score > self.margin) & (word != NIL))
            open_score = open_score.masked_fill(ends[-1], 0.0)
        return Segmented(torch.stack(scores, 1), torch.stack(ends, 1))

    def loss(self, segments: Int[Tensor, "segment time"]) -> Float[Tensor, ""]:
        r"""Return how far known segments and their beginnings are from being told apart.

        $$ \sum_{f} \max(0, \gamma - \mathrm{seg}(f))
           + \sum_{\bar f} \max(0, \gamma + \mathrm{seg}(\bar f)) $$

        f is a known segment, its words followed by nil; $\bar f$ each of its beginnings, which is
        all that a stream can show before the segment's end.
        """
        scores = self._each(segments).cumsum(1)
        said = segments != NIL
        ends = said & ~F.pad(said, (0, 1))[:, 1:]
        wanted = F.relu(self.margin - scores) * ends
        unwanted = F.relu(self.margin + scores) * (said & ~ends)
        return (wanted + unwanted).sum()

    def _each(self, words: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        """Return what each word adds to the score: a bag is the sum of its words."""
        scores = self.features.weight[:, 0] @ self.weight
        return scores[words.long()] * (words != NIL)


def example() -> tuple[Segmenter, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    return Segmenter(13, dim=5), (torch.randint(1, 13, (3, 11)),)


__all__ = ["Segmented", "Segmenter", "example"]

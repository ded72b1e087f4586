"""Dependency trees over a sentence as a distribution: a word hangs from another, or is a root."""

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.chain import NEVER
from memnets.ops.masking import widen
from memnets.ops.matrix_tree import best_tree, sum_over_trees
from memnets.ops.projective import best_shares, drawn_shares, sum_over_projective
from memnets.ops.tree_sums import TreeSums


class TreeMarginals(NamedTuple):
    """How likely each word's heads are: a word's arcs and its root together are 1.

    Attributes:
        arcs: of each head of each word; 0 where a word is masked.
        roots: of being a root.
    """

    arcs: Float[Tensor, "*batch word head"]
    roots: Float[Tensor, "*batch word"]


class Trees(ABC):
    r"""All dependency trees over the words of a sentence, as likely as their arcs say.

    $$ p(z) = \frac{1}{Z} \exp \sum_{j} \theta_{h(j), j} $$  (Kim et al., section 3.3)

    Here $h(j)$ is the head of word $j$, or the root. What is masked is left out of the sentence, as
    if its words were closer. Sums run in float64 and come back in the precision of the potentials,
    float32 at least. They have gradients of any order; what is chosen has none.

    Deviations: none. [section recalled]
    Cite: kim2017

    Args:
        arcs: $\theta_{ij}$ of each head of each word; how well a word heads itself does not matter.
        roots: that of each word as a root.
        mask: True where a word is there, `(*batch, word)`.
        single_root: whether just one word is a root, not several.

    Raises:
        ValueError: the shapes do not belong together.
    """

    def __init__(
        self,
        arcs: Float[Tensor, "*batch word head"],
        roots: Float[Tensor, "*batch word"],
        mask: Bool[Tensor, "*#batch word"] | None = None,
        single_root: bool = True,
    ) -> None:
        _expect(type(self).__name__, arcs, roots, mask)
        self.arcs, self.roots, self.single_root = arcs, roots, single_root
        self.mask = torch.ones_like(roots, dtype=torch.bool)
        self._whole = mask is None
        if mask is not None:
            self.mask = self.mask & mask
        # Kept by hand: torch.compile cannot look into a cached property.
        self._found: TreeSums | None = None
        self._rows_of_words: tuple[Tensor, Tensor, Tensor] | None = None

    @property
    def log_partition(self) -> Float[Tensor, "*batch"]:
        """The logarithm of $Z$; 0 where there is no word."""
        total = self._sums.log_partition.reshape(self.roots.shape[:-1])
        return total.to(widen(self.arcs).dtype)

    @property
    def marginals(self) -> TreeMarginals:
        """How likely each arc and each root is."""
        return self._back(self._sums)

    @property
    def entropy(self) -> Float[Tensor, "*batch"]:
        """The entropy of the trees, in nats."""
        sums, (arcs, roots, _) = self._sums, self._compact
        mean = (sums.arcs * arcs).sum((-2, -1)) + (sums.roots * roots).sum(-1)
        return (sums.log_partition - mean).reshape(self.roots.shape[:-1]).to(widen(self.arcs).dtype)

    @property
    @abstractmethod
    def best(self) -> TreeMarginals:
        """The likeliest tree: 1 at its arcs and roots. Of equals, which one is not defined."""

    @property
    def argmax(self) -> Int[Tensor, "*batch word"]:
        """The head of each word in the likeliest tree; -1 for a root, and where no word is."""
        return _heads(self.best)

    def log_prob(self, heads: Int[Tensor, "*batch word"]) -> Float[Tensor, "*batch"]:
        """Return the log-probability of a tree, given by the head of each word, -1 for a root.

        Never above 0. Masked words do not matter; that it is a tree is not looked at.
        """
        arcs = self.arcs.double().gather(-1, heads.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        score = torch.where(heads < 0, self.roots.double(), arcs).masked_fill(~self.mask, 0.0)
        total = score.sum(-1) - self._sums.log_partition.reshape(heads.shape[:-1])
        return total.clamp(max=0.0).to(widen(self.arcs).dtype)

    @abstractmethod
    def _sum(self, arcs: Tensor, roots: Tensor, lengths: Tensor) -> TreeSums:
        """Return the sums of sentences whose words stand at their start."""

    @property
    def _sums(self) -> TreeSums:
        if self._found is None:
            self._found = self._sum(*self._compact)
        return self._found

    @property
    def _rows(self) -> int:
        return math.prod(self.mask.shape[:-1])

    @property
    def _order(self) -> Tensor:
        """Where the words of each row stand, those that are there first."""
        mask = self.mask.reshape(self._rows, self.mask.shape[-1])
        return mask.int().argsort(dim=-1, descending=True, stable=True)

    @property
    def _compact(self) -> tuple[Tensor, Tensor, Tensor]:
        """Arcs, roots and lengths of rows whose words stand at their start, in float64."""
        if self._rows_of_words is None:
            self._rows_of_words = self._compacted()
        return self._rows_of_words

    def _compacted(self) -> tuple[Tensor, Tensor, Tensor]:
        rows, words = self._rows, self.mask.shape[-1]
        lengths = self.mask.reshape(rows, words).sum(-1)
        # The differences of infinite numbers are NaN.
        arcs = self.arcs.double().clamp(min=NEVER).reshape(rows, words, words)
        roots = self.roots.double().clamp(min=NEVER).reshape(rows, words)
        itself = torch.eye(words, dtype=torch.bool, device=arcs.device)
        if self._whole:
            return arcs.masked_fill(itself, NEVER), roots, lengths
        order = self._order
        arcs = _ordered(_ordered(arcs, order, 1), order, 2)
        there = torch.arange(words, device=arcs.device) < lengths.unsqueeze(-1)
        possible = there.unsqueeze(-1) & there.unsqueeze(-2) & ~itself
        roots = roots.gather(-1, order).masked_fill(~there, NEVER)
        return arcs.masked_fill(~possible, NEVER), roots, lengths

    def _back(self, sums: TreeSums) -> TreeMarginals:
        """Return what was found for compact rows, where the words stand."""
        dtype, arcs, roots = widen(self.arcs).dtype, sums.arcs, sums.roots
        if not self._whole:
            place = self._order.argsort(-1)
            arcs = _ordered(_ordered(arcs, place, 1), place, 2)
            roots = roots.gather(-1, place)
        return TreeMarginals(
            arcs.reshape(self.arcs.shape).to(dtype), roots.reshape(self.roots.shape).to(dtype)
        )


class ProjectiveTrees(Trees):
    r"""Trees whose arcs do not cross: what hangs from a word stands together.

    By Eisner's charts, in $n$ steps of all spans of one width. As `Trees` otherwise.

    Deviations: none.
    Cite: eisner1996, kim2017

    Args:
        arcs: the potential of each head of each word.
        roots: that of each word as a root.
        mask: True where a word is there.
        single_root: whether just one word is a root, not several.

    Raises:
        ValueError: the shapes do not belong together.
    """

    def _sum(self, arcs: Tensor, roots: Tensor, lengths: Tensor) -> TreeSums:
        return sum_over_projective(arcs, roots, lengths, self.single_root)

    @property
    def best(self) -> TreeMarginals:
        """The likeliest tree: 1 at its arcs and roots."""
        arcs, roots, lengths = self._compact
        joined = sum_over_projective(
            arcs, roots, lengths, self.single_root, best_shares, torch.amax
        )
        return self._back(joined)

    def sample(self, generator: torch.Generator | None = None) -> Int[Tensor, "*batch word"]:
        """Draw a tree: the head of each word, -1 for a root and where there is no word."""
        arcs, roots, lengths = self._compact
        share = drawn_shares(generator)
        return _heads(
            self._back(sum_over_projective(arcs, roots, lengths, self.single_root, share))
        )


class NonProjectiveTrees(Trees):
    r"""Trees of any shape.

    By the matrix-tree theorem, its determinant taken without a subtraction: see
    `memnets.ops.matrix_tree`. As `Trees` otherwise.

    Deviations: Koo et al. take the determinant by LU; that loses all digits where two words
    prefer each other to the rest by some forty nats.
    Cite: koo2007, kim2017

    Args:
        arcs: the potential of each head of each word.
        roots: that of each word as a root.
        mask: True where a word is there.
        single_root: whether just one word is a root, not several.

    Raises:
        ValueError: the shapes do not belong together.
    """

    def _sum(self, arcs: Tensor, roots: Tensor, lengths: Tensor) -> TreeSums:
        return sum_over_trees(arcs, roots, lengths, self.single_root)

    @property
    def best(self) -> TreeMarginals:
        """The likeliest tree, by Chu-Liu and Edmonds, sentence by sentence."""
        arcs, roots, lengths = self._compact
        found = [torch.zeros_like(arcs), torch.zeros_like(roots)]
        for row, length in enumerate(lengths.tolist()):
            for word, head in enumerate(self._best_heads(arcs[row], roots[row], length)):
                if head < 0:
                    found[1][row, word] = 1.0
                else:
                    found[0][row, word, head] = 1.0
        return self._back(TreeSums(lengths.double(), *found))

    def _best_heads(self, arcs: Tensor, roots: Tensor, length: int) -> list[int]:
        if not length:
            return []
        root = roots[:length].unsqueeze(-1)
        if self.single_root:  # so dear that a second one never pays
            spread = torch.cat([arcs[arcs > NEVER / 2], root.flatten()]).abs().max()
            root = root - 4 * (length + 1) * (spread + 1)
        table = torch.cat([root, arcs[:length, :length]], -1).tolist()
        return [head - 1 for head in best_tree([[0.0] * (length + 1), *table])[1:]]


def _heads(tree: TreeMarginals) -> Tensor:
    arcs = tree.arcs
    if not arcs.shape[-1]:
        return tree.roots.long()
    return torch.where(arcs.any(-1), arcs.argmax(-1), -1)


def _ordered(rows: Tensor, order: Tensor, dim: int) -> Tensor:
    """Put one axis of square rows in an order."""
    return rows.gather(dim, order.unsqueeze(3 - dim).expand_as(rows))


def _expect(part: str, arcs: Tensor, roots: Tensor, mask: Tensor | None) -> None:
    if arcs.shape[-1:] != arcs.shape[-2:-1] or roots.shape != arcs.shape[:-1]:
        raise ValueError(
            f"{part}: the arcs have shape {tuple(arcs.shape)} and the roots {tuple(roots.shape)}, "
            f"expected (*batch, word, word) and (*batch, word). Pass one potential a word and head."
        )
    if mask is not None and (mask.dtype != torch.bool or mask.shape[-1:] != roots.shape[-1:]):
        raise ValueError(
            f"{part}: the mask is {mask.dtype} of shape {tuple(mask.shape)}, expected torch.bool "
            f"of {tuple(roots.shape)}. Pass True where a word is there."
        )

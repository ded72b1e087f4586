"""Syntactic attention: every word reads its head in a dependency tree."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.attend import Readout
from memnets.attention.checks import expect_read
from memnets.attention.context import AlignContext
from memnets.attention.scores import Score
from memnets.attention.structured.trees import NonProjectiveTrees, Trees
from memnets.ops.chain import NEVER
from memnets.ops.masking import silence, widen
from memnets.ops.reading import read
from memnets.ops.sizes import at_least_one


class SoftParents(nn.Module):
    r"""Read, for every word, its head in a tree over the sentence, by the chance of each head.

    $$ c_j = \sum_i p(z_{ij} = 1) \, x_i $$  (Kim et al., section 3.3, "soft parents")

    A score says how well word $i$ heads word $j$, which asks; the trees make of all scores together
    how likely it is to. No row of weights stands by itself, as a softmax's does: one arc more here
    is one less elsewhere. What is likely a root reads less than 1 in all, the rest stands on the
    root, which holds nothing: its key is learned.

    It stands where an `Attention` would in `SelfAttention`, whose words ask and are asked:
    `SelfAttention(SoftParents(Dot(), key_dim=8), dim=16, key_dim=8, value_dim=16)`.

    Deviations: none. [section recalled]
    Cite: kim2017

    Args:
        score: how well a word (its key) heads another (its query).
        key_dim: width of a key, and so of the root's.
        trees: which trees there are, `NonProjectiveTrees` or `ProjectiveTrees`.
        single_root: whether just one word is a root.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(
        self,
        score: Score,
        key_dim: int,
        trees: type[Trees] = NonProjectiveTrees,
        single_root: bool = True,
    ) -> None:
        super().__init__()
        at_least_one("SoftParents", key_dim=key_dim)
        self.score, self.trees, self.single_root = score, trees, single_root
        self.root_key = nn.Parameter(torch.zeros(key_dim))

    def forward(
        self,
        query: Float[Tensor, "*batch word _"],
        keys: Float[Tensor, "*batch word _"],
        values: Float[Tensor, "*batch word dim"] | None = None,
        mask: Bool[Tensor, "*#batch #word word"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read the head of every word.

        Args:
            query: what each word asks with, as a child.
            keys: what it is found by, as a head.
            values: what is read of a head; the keys, if there are none.
            mask: True where a word may head another; a word that may not head itself is not
                there. One row for all words leaves words out of the sentence.
            context: what the score needs besides.

        Returns:
            The readout, its weights the chance of each head (slot) of each word (query).

        Raises:
            TypeError: something is no tensor, or of another type of numbers than it should be.
            ValueError: the shapes do not belong together.
        """
        expect_read("SoftParents", query, keys, values, mask, context)
        values, words = keys if values is None else values, keys.shape[-2]
        if query.shape[-2] != words:
            raise ValueError(
                f"SoftParents: {query.shape[-2]} queries and {words} keys came, expected one of "
                f"each a word. Every word asks, and every word may be asked."
            )
        there = torch.ones(words, dtype=torch.bool, device=keys.device)
        if mask is not None:
            keys, values = silence(keys, mask), silence(values, mask)
            mask = mask.expand(*mask.shape[:-2], words, words)
            there = mask.diagonal(dim1=-2, dim2=-1)
            query = query.masked_fill(~there.unsqueeze(-1), 0.0)
        context = context._replace(query=query) if context.query is None else context
        arcs = self.score.match(query, self.score.remember(keys), context)
        root_key = self.root_key.to(keys.dtype).expand(*keys.shape[:-2], 1, -1)
        roots = self.score.match(query, self.score.remember(root_key), context).squeeze(-1)
        possible = widen(arcs) if mask is None else widen(arcs).masked_fill(~mask, NEVER)
        weights, _ = self.trees(possible, roots, there, self.single_root).marginals
        return Readout(read(weights, values), weights, scores=arcs)

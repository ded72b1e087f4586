r"""Bags of features in several roles: the matrix $U$ of MemNN and its features $\Phi$."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least, within


class Contexts(NamedTuple):
    """What stands to the left and to the right of each word, for words that have no row of U.

    Rows are words: those of the dictionary, then new ones. Columns are words of the dictionary.
    """

    left: Float[Tensor, "word feature"]
    """Share of each known word among the words to its left; a row of zeros where none was met."""
    right: Float[Tensor, "word feature"]
    replaced: Bool[Tensor, " word"]
    """Which words are read by their contexts: new ones, and those that word dropout has hidden."""


class BagFeatures(nn.Module):
    r"""Embed bags of features, each role of a feature with a row of its own.

    $$ U \Phi(x) = \sum_{f \in x} U_{\mathrm{role}, f} $$

    So $D$ is the number of roles times that of features: with the three roles of Weston et al.
    (section 3.1), a memory, a question and a support, $D = 3|W|$. With contexts a word may be read
    by two more blocks, shared by all roles, as the bags of the words met to its left and right
    (section 3.5), $D = 5|W|$.

    Deviations: the bags of contexts are shares, so that a word met often is not a long vector.
    Cite: weston2014

    Args:
        features: number of features, nil (0) included.
        roles: number of roles.
        dim: width of an embedding, n.
        contexts: whether words can be read by their contexts.
        scale: standard deviation of the initial weights.

    Raises:
        ValueError: a size is too small.
    """

    def __init__(
        self, features: int, roles: int, dim: int, contexts: bool = False, scale: float = 0.05
    ) -> None:
        super().__init__()
        at_least(2, "BagFeatures", "Nil is one of them.", features=features)
        at_least(1, "BagFeatures", roles=roles, dim=dim)
        expected = "a number above 0. Where all weights start at 0, none is ever learnt."
        within(lambda x: x > 0, "BagFeatures", expected, scale=scale)
        self.roles, self.scale = roles, scale
        self.weight = nn.Parameter(torch.empty(features, roles, dim))
        self.context = nn.Parameter(torch.empty(2, features, dim)) if contexts else None
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every weight from a normal distribution."""
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0.0, self.scale, generator=generator)

    def table(self, contexts: Contexts | None = None) -> Float[Tensor, "word role dim"]:
        """Return a row for every feature and role, and for new words where there are contexts.

        Raises:
            ValueError: contexts came, but the features were built without.
        """
        if contexts is None:
            return self.weight
        if self.context is None:
            raise ValueError(
                "BagFeatures.table(contexts=...): these features know no contexts, so they would "
                "be ignored. Build them with contexts=True."
            )
        met = contexts.left @ self.context[0] + contexts.right @ self.context[1]
        new = len(met) - len(self.weight)
        own = F.pad(self.weight, (0, 0, 0, 0, 0, new))
        return torch.where(contexts.replaced[:, None, None], met.unsqueeze(1), own)


def embed_bags(
    bags: Int[Tensor, "bag feature"],
    table: Float[Tensor, "word role dim"],
    roles: Sequence[int],
) -> Float[Tensor, "_ bag dim"]:
    """Sum the rows of each bag in some roles; nil adds nothing."""
    rows = table if list(roles) == list(range(table.shape[1])) else table[:, list(roles)]
    summed = F.embedding_bag(bags, rows.flatten(1), mode="sum", padding_idx=NIL)
    return summed.unflatten(-1, (len(roles), table.shape[-1])).transpose(0, 1)


def count_features(
    bags: Int[Tensor, "bag feature"], features: int, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "bag feature_number"]:
    r"""Return how often each feature is in each bag, $\Phi$ itself; nil is never counted."""
    counts = torch.zeros(len(bags), features, dtype=dtype, device=bags.device)
    counts.scatter_add_(1, bags.long(), (bags != NIL).to(counts.dtype))
    return counts


__all__ = ["BagFeatures", "Contexts", "count_features", "embed_bags"]

"""Additive scores: one hidden layer over query and key. Two papers, two spellings, one function."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention.context import AlignContext
from memnets.attention.scores import Score
from memnets.ops.additive import additive_scores
from memnets.ops.sizes import at_least_one


class Additive(Score):
    r"""Score every slot with one hidden layer over query and key.

    $$ e_{ij} = v^\top \tanh(W q_i + U k_j + b) $$  (Bahdanau et al., appendix A.1.2, for Eq. 6)

    Here $q_i$ is the query, the paper's $s_{i-1}$, the state before the step, and $k_j$ the key,
    its annotation $h_j$.

    Deviations: none without a bias, which the paper has not and later ones have. (One matrix over
    the joined pair, $W_a [q; k]$, is the same function: `Concat`.)
    Cite: bahdanau2015

    Args:
        query_dim: width of a query.
        key_dim: width of a key; it need not equal `query_dim`.
        hidden: width of the hidden layer, 1000 in the paper.
        bias: whether there is a $b$.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(
        self, query_dim: int, key_dim: int, hidden: int = 1000, bias: bool = False
    ) -> None:
        super().__init__()
        at_least_one(type(self).__name__, query_dim=query_dim, key_dim=key_dim, hidden=hidden)
        self.query_weight = nn.Linear(query_dim, hidden, bias=False)
        # The bias stands with the keys: it is then added once per memory.
        self.key_weight = nn.Linear(key_dim, hidden, bias=bias)
        self.hidden_weight = nn.Linear(hidden, 1, bias=False)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return self.key_weight(keys)

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return additive_scores(self.query_weight(query), remembered, self.vector())

    def vector(self) -> Float[Tensor, " hidden"]:
        """Return $v$, which sums the hidden layer."""
        return self.hidden_weight.weight[0]

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Additive":
        return cls(query_dim, key_dim, hidden=11)


class NormalisedAdditive(Additive):
    r"""Score every slot with one hidden layer whose last vector has a learned length.

    $$ e_{ij} = g \frac{v^\top}{\lVert v \rVert} \tanh(W q_i + U k_j + b) $$
    (Raffel et al., section 2.4: the energy of monotonic attention, less its $r$)

    Deviations: $r$ is the bias of `Monotonic`.
    Cite: raffel2017

    Args:
        query_dim: width of a query.
        key_dim: width of a key.
        hidden: width of the hidden layer; $g$ starts at one over its root.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, query_dim: int, key_dim: int, hidden: int = 1000) -> None:
        super().__init__(query_dim, key_dim, hidden, bias=True)
        nn.init.zeros_(self.key_weight.bias)
        self.gain = nn.Parameter(torch.tensor(hidden**-0.5))

    def vector(self) -> Float[Tensor, " hidden"]:
        """Return $g v / \\lVert v \\rVert$."""
        return self.gain * F.normalize(super().vector(), dim=0)


class Concat(Score):
    r"""Score every slot with one hidden layer over query and key, joined.

    $$ e_{ij} = v_a^\top \tanh(W_a [q_i; k_j]) $$  (Luong et al., section 3.1, "concat")

    Here $q_i$ is the paper's $h_t$, the state after the step, and $k_j$ its $\bar h_s$. As
    $W_a [q; k] = W q + U k$, this is `Additive` with its matrices side by side.

    Deviations: none. (The paper's figures for it belong to `LuongConcat`.)
    Cite: luong2015

    Args:
        query_dim: width of a query.
        key_dim: width of a key.
        hidden: width of the hidden layer.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, query_dim: int, key_dim: int, hidden: int = 1000) -> None:
        super().__init__()
        at_least_one("Concat", query_dim=query_dim, key_dim=key_dim, hidden=hidden)
        self.query_dim = query_dim
        self.joint_weight = nn.Linear(query_dim + key_dim, hidden, bias=False)
        self.hidden_weight = nn.Linear(hidden, 1, bias=False)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return F.linear(keys, self.joint_weight.weight[:, self.query_dim :])

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        projected = F.linear(query, self.joint_weight.weight[:, : self.query_dim])
        return additive_scores(projected, remembered, self.hidden_weight.weight[0])

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "Concat":
        return cls(query_dim, key_dim, hidden=11)


class LuongConcat(Score):
    r"""Score every slot by the "concat" that Luong et al. ran: the keys' half is the identity.

    $$ e_{ij} = v_a^\top \tanh(W q_i + k_j) $$  (Luong et al., footnote 15)

    The hidden layer is as wide as a key. The paper's perplexities for "concat" (6.7 global, 7.1
    local) are this variant's; they say nothing of `Concat`.

    Deviations: none.
    Cite: luong2015

    Args:
        query_dim: width of a query.
        key_dim: width of a key, and of the hidden layer.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        at_least_one("LuongConcat", query_dim=query_dim, key_dim=key_dim)
        self.query_weight = nn.Linear(query_dim, key_dim, bias=False)
        self.hidden_weight = nn.Linear(key_dim, 1, bias=False)

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        return additive_scores(self.query_weight(query), remembered, self.hidden_weight.weight[0])

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "LuongConcat":
        return cls(query_dim, key_dim)

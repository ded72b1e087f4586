"""What Show, Attend and Tell is made of, beside attention and an LSTM: each a part of its own."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention import AlignContext, Score
from memnets.layers.recurrent import LSTMState
from memnets.ops.additive import additive_scores
from memnets.ops.sizes import at_least, at_least_one


class StartByMean(nn.Module):
    r"""Start from what there is to see on average.

    $$ h_0 = f_{\mathrm{init},h}(\bar a), \qquad c_0 = f_{\mathrm{init},c}(\bar a), \qquad
       \bar a = \frac{1}{L} \sum_i a_i $$  (Xu et al., section 3.1.2)

    Deviations: none. Both networks end with a tanh, as the authors ran them; what they share below
    it are layers with ReLU, none by default.
    Cite: xu2015

    Args:
        dim: width of an annotation, $D$.
        hidden: of the LSTM, $n$.
        shared: number of layers below both; each is as wide as an annotation.

    Raises:
        ValueError: a width is below 1, or there are fewer layers than none.
    """

    def __init__(self, dim: int, hidden: int, shared: int = 0) -> None:
        super().__init__()
        at_least_one("StartByMean", dim=dim, hidden=hidden)
        at_least(0, "StartByMean", "Pass 0 for none.", shared=shared)
        self.shared = nn.ModuleList(nn.Linear(dim, dim) for _ in range(shared))
        self.hidden_weight = nn.Linear(dim, hidden)
        self.cell_weight = nn.Linear(dim, hidden)

    def forward(self, mean: Float[Tensor, "image dim"]) -> LSTMState:
        for layer in self.shared:
            mean = F.relu(layer(mean))
        both = (torch.tanh(weight(mean)) for weight in (self.hidden_weight, self.cell_weight))
        return LSTMState(*(part.unsqueeze(1) for part in both))


class ContextGate(nn.Module):
    r"""Say how much a word leans on the picture: one number for each step.

    $$ \beta_t = \sigma(w^\top h_{t-1} + b), \qquad \hat z_t = \beta_t \sum_i \alpha_{ti} a_i $$
    (Xu et al., section 4.2.1)

    Deviations: none.
    Cite: xu2015

    Args:
        hidden: of the LSTM.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        at_least_one("ContextGate", hidden=hidden)
        self.weight = nn.Linear(hidden, 1)

    def forward(self, state: Float[Tensor, "row hidden"]) -> Float[Tensor, "row 1"]:
        return self.weight(state).sigmoid()


class NoGate(nn.Module):
    r"""Take all that was read, $\beta_t = 1$, as in the paper's formulas before section 4.2.1."""

    def forward(self, state: Float[Tensor, "row hidden"]) -> Float[Tensor, "row 1"]:
        return torch.ones_like(state[:, :1])


class DeepOutput(nn.Module):
    r"""Choose a word by the word before, the state and what was read.

    $$ p(y_t) \propto \exp(L_o (E y_{t-1} + L_h h_t + L_z \hat z_t)) $$  (Xu et al., Eq. 7)

    This is what $L_o$, which is the model's, is multiplied by.

    Deviations: none; there is no bias.
    Cite: xu2015

    Args:
        dim: width of an embedded word, $m$.
        hidden: of the LSTM, $n$.
        context: width of an annotation, $D$.
    """

    bias = False

    def __init__(self, dim: int, hidden: int, context: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, dim=dim, hidden=hidden, context=context)
        self.state_weight = nn.Linear(hidden, dim, bias=self.bias)
        self.context_weight = nn.Linear(context, dim, bias=self.bias)

    def forward(
        self,
        words: Float[Tensor, "row step dim"],
        states: Float[Tensor, "row step hidden"],
        read: Float[Tensor, "row step context"],
    ) -> Float[Tensor, "row step dim"]:
        return words + self.state_weight(states) + self.context_weight(read)


class OutputAsRun(DeepOutput):
    r"""Choose a word as the authors' code does: a tanh stands before $L_o$.

    $$ p(y_t) \propto \exp(L_o \tanh(E y_{t-1} + L_h h_t + L_z \hat z_t)) $$

    Deviations: that tanh, and biases, from Eq. 7 of the paper.
    Cite: xu2015
    """

    bias = True

    def forward(
        self,
        words: Float[Tensor, "row step dim"],
        states: Float[Tensor, "row step hidden"],
        read: Float[Tensor, "row step context"],
    ) -> Float[Tensor, "row step dim"]:
        return torch.tanh(super().forward(words, states, read))


class ScoreAsRun(Score):
    r"""Score every place with the authors' two layers.

    $$ e_{ti} = v^\top \tanh(\tanh(W_2 (W_1 a_i + b_1) + b_2) + W_d h_{t-1}) + c $$

    All of the key's part is done once a picture. The first projection has no non-linearity, and
    the hidden layer is as wide as an annotation.

    Deviations: $c$, which changes no weight, is left out.
    Cite: xu2015

    Args:
        query_dim: of the state, $n$.
        key_dim: of an annotation, $D$.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        at_least_one("ScoreAsRun", query_dim=query_dim, key_dim=key_dim)
        self.key_weight = nn.Linear(key_dim, key_dim)
        self.second_weight = nn.Linear(key_dim, key_dim)
        self.query_weight = nn.Linear(query_dim, key_dim, bias=False)
        self.hidden_weight = nn.Linear(key_dim, 1, bias=False)

    def remember(
        self, keys: Float[Tensor, "*batch slot dim"]
    ) -> Float[Tensor, "*batch slot hidden"]:
        return torch.tanh(self.second_weight(self.key_weight(keys)))

    def match(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        v = self.hidden_weight.weight[0]
        return additive_scores(self.query_weight(query), remembered, v)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "ScoreAsRun":
        return cls(query_dim, key_dim)


def doubly_stochastic(
    weights: Float[Tensor, "row step slot"], told: Bool[Tensor, "row step"]
) -> Float[Tensor, " row"]:
    r"""Return how far from evenly a caption has looked at all places, over its words together.

    $$ \sum_i \Big(1 - \sum_t \alpha_{ti}\Big)^2 $$  (Xu et al., Eq. 14)

    Three scalings of it are in use. The paper's, this one, is a mean over captions. The authors'
    code sums over a batch of $B$ and averages over $L$ places: $B / L$ of it. The decoder of
    S. Vinodababu averages over both: $1 / L$.

    Deviations: none; steps behind the last word do not count, as they do in the authors' code.
    Cite: xu2015

    Args:
        weights: how much each step took of each place.
        told: which steps there are.
    """
    taken = weights.masked_fill(~told.unsqueeze(-1), 0.0).sum(1)
    return (1 - taken).square().sum(-1)

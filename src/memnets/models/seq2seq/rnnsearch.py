"""The decoder of RNNsearch (Bahdanau, Cho and Bengio, 2015)."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.reset_first import ContextCell
from memnets.layers.stepwise import Annotations, Past, StepReader, in_turn
from memnets.models.seq2seq.network import Decoder, Said
from memnets.models.seq2seq.sources import Source
from memnets.ops.sizes import at_least_one


class SearchState(NamedTuple):
    """What RNNsearch carries: $s_i$, and what its reader must know."""

    hidden: Float[Tensor, "row hidden"]
    past: Past


class SearchDecoder(Decoder):
    r"""Say a word by the state before the step: it asks, and it is what the readout hears.

    $$ s_0 = \tanh(W_s \overleftarrow{h}_1), \qquad c_i = \sum_j \alpha_{ij} h_j, \quad
       \alpha_i = \mathrm{align}(\mathrm{score}(s_{i-1}, h)) $$

    $$ s_i = f(s_{i-1}, E y_{i-1}, c_i), \qquad
       \tilde t_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i, \qquad
       t_{ik} = \max(\tilde t_{i,2k-1}, \tilde t_{i,2k}) $$  (Bahdanau et al., A.2.2)

    $p(y_i) = \mathrm{softmax}(W_o t_i)$ is the model's. What words give to all gates, and all
    readouts, are computed at once, before and after the steps.

    Deviations: biases, which the paper leaves out of its formulas.
    Cite: bahdanau2015

    Args:
        dim: width of an embedded word, $E y$.
        start_dim: width of what it starts from.
        cell: $f$.
        reader: what reads the source, for queries as wide as the cell's state.
        context_dim: width of what it reads, $c$.
        maxout: width of $t$; $\tilde t$ is twice as wide.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(
        self,
        dim: int,
        start_dim: int,
        cell: ContextCell,
        reader: StepReader,
        context_dim: int,
        maxout: int,
    ) -> None:
        super().__init__()
        sizes = {"dim": dim, "start_dim": start_dim, "context_dim": context_dim, "maxout": maxout}
        at_least_one("SearchDecoder", **sizes)
        self.cell, self.reader, self.dim = cell, reader, maxout
        self.start_weight = nn.Linear(start_dim, cell.hidden)
        self.state_readout = nn.Linear(cell.hidden, 2 * maxout, bias=False)
        self.word_readout = nn.Linear(dim, 2 * maxout)
        self.context_readout = nn.Linear(context_dim, 2 * maxout, bias=False)

    def start(self, source: Source, annotations: Annotations) -> SearchState:
        return SearchState(
            torch.tanh(self.start_weight(source.start)), self.reader.start(annotations)
        )

    def forward(
        self, annotations: Annotations, state: SearchState, words: Float[Tensor, "row step dim"]
    ) -> Said:
        (s, past), before, found = state, [], []
        for given in self.cell.given(words).unbind(1):
            readout, past = self.reader(annotations, s.unsqueeze(1), past)
            before.append(s)
            found.append(readout)
            s = self.cell(given, readout.value.squeeze(1), s)
        readout = in_turn(found)
        said = self.state_readout(torch.stack(before, 1))
        said = said + self.word_readout(words) + self.context_readout(readout.value)
        return Said(maxout(said), SearchState(s, past), readout)


def maxout(pairs: Float[Tensor, "*batch twice"]) -> Float[Tensor, "*batch half"]:
    """Return the larger of every two neighbours."""
    return pairs.unflatten(-1, (-1, 2)).amax(-1)

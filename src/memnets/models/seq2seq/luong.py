"""The decoders of Luong, Pham and Manning (2015), without input feeding and with it."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.recurrent import LSTM, FedLSTM, LSTMState
from memnets.layers.stepwise import Annotations, Past, StepReader, in_turn
from memnets.models.seq2seq.network import Decoder, Said
from memnets.models.seq2seq.sources import Source
from memnets.ops.sizes import at_least_one


class LuongState(NamedTuple):
    """What a decoder of Luong et al. carries, layer by layer, and what its reader must know."""

    recurrent: LSTMState
    past: Past


class Attentional(Decoder):
    """What both decoders share: the layer over what was read and the state.

    Args:
        reader: what reads the source, for queries as wide as the state.
        context_dim: width of what it reads, $c$.
        hidden: width of the state.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, reader: StepReader, context_dim: int, hidden: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, context_dim=context_dim, hidden=hidden)
        self.reader, self.dim = reader, hidden
        self.combined = nn.Linear(context_dim + hidden, hidden, bias=False)

    def attentional(
        self, context: Float[Tensor, "*batch _"], hidden: Float[Tensor, "*batch hidden"]
    ) -> Float[Tensor, "*batch hidden"]:
        r"""Return $\tilde h$ (Eq. 5)."""
        return torch.tanh(self.combined(torch.cat([context, hidden], -1)))


class LuongDecoder(Attentional):
    r"""Say a word by the state behind the step, and by what that state reads.

    $$ h_t = \mathrm{LSTM}(E y_{t-1}, h_{t-1}), \qquad c_t = \sum_s \alpha_{ts} \bar h_s, \quad
       \alpha_t = \mathrm{align}(\mathrm{score}(h_t, \bar h)), \qquad
       \tilde h_t = \tanh(W_c [c_t; h_t]) $$  (Luong et al., Eq. 5, section 3.1)

    $p(y_t) = \mathrm{softmax}(W_s \tilde h_t)$ is the model's. No $h_t$ depends on what was
    read: the LSTM runs over all words at once, and all of its states ask in one call.

    Deviations: none.
    Cite: luong2015

    Args:
        core: the stacked LSTM, over embedded words.
        reader: what reads the source, for queries as wide as the LSTM's state.
        context_dim: width of what it reads, $c$.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, core: LSTM, reader: StepReader, context_dim: int) -> None:
        super().__init__(reader, context_dim, core.cells.hidden_size)
        self.core = core

    def start(self, source: Source, annotations: Annotations) -> LuongState:
        return LuongState(source.start, self.reader.start(annotations))

    def forward(
        self, annotations: Annotations, state: LuongState, words: Float[Tensor, "row step dim"]
    ) -> Said:
        hidden, recurrent = self.core(words, state.recurrent)
        readout, past = self.reader(annotations, hidden, state.past)
        return Said(self.attentional(readout.value, hidden), LuongState(recurrent, past), readout)


class FedState(NamedTuple):
    r"""What is carried with input feeding: $\tilde h$ too."""

    recurrent: LSTMState
    fed: Float[Tensor, "row hidden"]
    past: Past


class FedLuongDecoder(Attentional):
    r"""Say a word as `LuongDecoder` does, and feed what it was said by to the next step.

    $$ h_t = \mathrm{LSTM}([E y_{t-1}; \tilde h_{t-1}], h_{t-1}) $$  (Luong et al., section 3.3)

    $\tilde h_0$ is zero. Steps follow one another, in training as in translation.

    Deviations: none.
    Cite: luong2015

    Args:
        core: the stacked LSTM, over embedded words and what is fed.
        reader: what reads the source, for queries as wide as the LSTM's state.
        context_dim: width of what it reads, $c$.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, core: FedLSTM, reader: StepReader, context_dim: int) -> None:
        super().__init__(reader, context_dim, core.cells.hidden_size)
        self.core = core

    def start(self, source: Source, annotations: Annotations) -> FedState:
        fed = source.last.new_zeros(len(source.last), self.dim)
        return FedState(source.start, fed, self.reader.start(annotations))

    def forward(
        self, annotations: Annotations, state: FedState, words: Float[Tensor, "row step dim"]
    ) -> Said:
        (recurrent, fed, past), said, found = state, [], []
        layers = self.core.opened()
        for given in self.core.given(words).unbind(1):
            hidden, recurrent = self.core.feed(layers, given, fed, recurrent)
            readout, past = self.reader(annotations, hidden.unsqueeze(1), past)
            fed = self.attentional(readout.value.squeeze(1), hidden)
            said.append(fed)
            found.append(readout)
        return Said(torch.stack(said, 1), FedState(recurrent, fed, past), in_turn(found))

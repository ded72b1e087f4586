"""Readers of a source: from its words to a state for each, and to where the decoder starts."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.attention import Readout, SelfAttention
from memnets.layers.encoders import Encoder
from memnets.layers.recurrent import LSTM
from memnets.ops.ragged import turned


class Source(NamedTuple):
    """A source that was read.

    Attributes:
        states: of its words, zero behind the last; Bahdanau et al.'s annotations.
        last: the state behind all words.
        start: what the decoder starts from.
    """

    states: Float[Tensor, "batch slot dim"]
    last: Float[Tensor, "batch dim"]
    start: Any


class SourceReader(nn.Module, ABC):
    """Read the embedded words of a source, in a batch of unequal lengths too."""

    dim: int
    """Width of a state."""

    @abstractmethod
    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        """Read; what stands behind the last word changes nothing, whatever it holds."""


class BothWays(SourceReader):
    r"""Read in both directions; the decoder starts from the backward state at the first word.

    $$ h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j] $$  (Bahdanau et al., section 3.2)

    The state behind all words is $[\overrightarrow{h}_S; \overleftarrow{h}_1]$, and the start is
    $\overleftarrow{h}_1$: both directions have then read everything.

    Args:
        encoder: reads both ways, its forward states first: a `ResetFirstEncoder`, or a
            `RecurrentEncoder(nn.GRU(..., bidirectional=True))`.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder, self.dim = encoder, encoder.hidden

    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        there = torch.arange(words.shape[1], device=length.device) < length.unsqueeze(-1)
        states = self.encoder(words, there)
        half = self.dim // 2
        end = (length - 1).clamp(min=0)[:, None, None].expand(-1, 1, half)
        forward, backward = states[..., :half].gather(1, end).squeeze(1), states[:, 0, half:]
        return Source(states, torch.cat([forward, backward], -1), backward)


class Stacked(SourceReader):
    """Read forward by a stacked LSTM; the decoder starts, layer by layer, where it ends.

    The states are those of the top layer (Luong et al., section 3).

    Args:
        core: a layer of it for each of the decoder.
    """

    def __init__(self, core: LSTM) -> None:
        super().__init__()
        self.core, self.dim = core, core.cells.hidden_size

    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        states, end = self.core.read(words, length)
        return Source(states, end.hidden[:, -1], end)


class Backwards(SourceReader):
    """Read the source from its last word to its first (Luong et al., section 4.1).

    The states stand where their words do: weights and places are of the source as it was given.

    Args:
        reader: what reads it.
    """

    def __init__(self, reader: SourceReader) -> None:
        super().__init__()
        self.reader, self.dim = reader, reader.dim

    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        order = turned(length, words.shape[1]).unsqueeze(-1)
        source: Source = self.reader(words.gather(1, order.expand_as(words)), length)
        return source._replace(states=source.states.gather(1, order.expand_as(source.states)))


class WithHeads(SourceReader):
    r"""Give every word what it reads of the others, its soft parent, beside its own state.

    $$ \hat h_j = [h_j; c_j] $$  (Kim et al., section 4.1)

    Deviations: none. [section recalled]
    Cite: kim2017

    Args:
        reader: of the words.
        heads: what its states read of each other: `SoftParents` in trees, an `Attention` word by
            word.
    """

    def __init__(self, reader: SourceReader, heads: SelfAttention) -> None:
        super().__init__()
        self.reader, self.heads = reader, heads
        self.dim = reader.dim + heads.value_weight.out_features

    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        source: Source = self.reader(words, length)
        found = self.read_heads(source.states, length).value
        end = (length - 1).clamp(min=0)[:, None, None].expand(-1, 1, found.shape[-1])
        last = found.gather(1, end).squeeze(1) if found.shape[1] else found.sum(1)
        return Source(
            torch.cat([source.states, found], -1), torch.cat([source.last, last], -1), source.start
        )

    def read_heads(
        self, states: Float[Tensor, "batch slot dim"], length: Int[Tensor, " batch"]
    ) -> Readout:
        """Return what every word reads of the others."""
        there = torch.arange(states.shape[1], device=length.device) < length.unsqueeze(-1)
        found: Readout = self.heads(states, there.unsqueeze(-2))
        return found

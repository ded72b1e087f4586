"""Readers of a source: from its words to a state for each, and to where the decoder starts."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.attention import Attention, Readout, SoftParents
from memnets.layers.encoders import Encoder
from memnets.layers.recurrent import LSTM
from memnets.ops.ragged import turned
from memnets.ops.sizes import at_least_one


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
    r"""Give every word beside it what it reads of the others, its soft parent.

    $$ \hat x_j = [x_j; c_j], \qquad c_j = \sum_i p(z_{ij} = 1 \mid x) \, x_i $$
    (Kim et al., sections 3.3 and 4.1)

    What was read decides who reads whom, and where the decoder starts; the decoder is given the
    words themselves. So it knows of a word's place only what the soft parent tells.

    Deviations: none. [sections recalled]
    Cite: kim2017

    Args:
        reader: of the words.
        heads: how words read each other: `SoftParents` in trees, an `Attention` word by word; None
            leaves the words alone.
        dim: width of a word.
        key_dim: width of queries and keys; build the score for it.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(
        self, reader: SourceReader, heads: Attention | SoftParents | None, dim: int, key_dim: int
    ) -> None:
        super().__init__()
        at_least_one("WithHeads", dim=dim, key_dim=key_dim)
        self.reader, self.heads, self.dim = reader, heads, dim
        if heads is not None:
            self.dim = 2 * dim
            self.query_weight = nn.Linear(reader.dim, key_dim, bias=False)
            self.key_weight = nn.Linear(reader.dim, key_dim, bias=False)

    def forward(
        self, words: Float[Tensor, "batch slot _"], length: Int[Tensor, " batch"]
    ) -> Source:
        source: Source = self.reader(words, length)
        there = torch.arange(words.shape[1], device=length.device) < length.unsqueeze(-1)
        if self.heads is not None:
            words = torch.cat([words, self.read_heads(source.states, words, length).value], -1)
        words = words.masked_fill(~there.unsqueeze(-1), 0.0)
        end = (length - 1).clamp(min=0)[:, None, None].expand(-1, 1, self.dim)
        last = words.gather(1, end).squeeze(1)
        return Source(words, last, source.start)

    def read_heads(
        self,
        states: Float[Tensor, "batch slot _"],
        words: Float[Tensor, "batch slot _"],
        length: Int[Tensor, " batch"],
    ) -> Readout:
        """Return what every word reads of the others."""
        assert self.heads is not None
        there = torch.arange(words.shape[1], device=length.device) < length.unsqueeze(-1)
        query, keys = self.query_weight(states), self.key_weight(states)
        found: Readout = self.heads(query, keys, words, there.unsqueeze(-2))
        return found

"""The models of the paper, and the study notes' reading of it."""

import torch
from torch import Tensor, nn

from memnets.attention import Additive, Attention, Softmax
from memnets.layers.recurrent import LSTM, FedLSTM
from memnets.models.pointer.decoders import (
    AttentiveDecoder,
    Keys,
    PlainDecoder,
    PointerDecoder,
    by_points,
    by_states,
)
from memnets.models.pointer.initial import paper_initial
from memnets.models.pointer.network import Decoder, PointNetwork
from memnets.models.seq2seq.initial import Initial
from memnets.models.seq2seq.sources import SourceReader, Stacked


def paper(
    dim: int = 2,
    hidden: int = 256,
    inputs: int | None = None,
    source: SourceReader | None = None,
    initial: Initial = paper_initial,
) -> PointNetwork:
    """Build a pointer network.

    Args:
        dim: width of a point.
        hidden: width of a state, 256 or 512 in the paper.
        inputs: width that points are embedded in; by default the numbers themselves are given, as
            in the paper, which hardly learns in short runs.
        source: what reads the points, with states as wide as `hidden`; by default an LSTM.
        initial: draws the first weights.
    """
    return _pointer(dim, hidden, inputs, source, hidden, by_states, initial)


def notes(
    dim: int = 2,
    hidden: int = 256,
    inputs: int | None = None,
    source: SourceReader | None = None,
    initial: Initial = paper_initial,
) -> PointNetwork:
    r"""Build a pointer network as the study notes write it: it points at the points themselves.

    $$ s_{m,n} = v^\top \tanh(W x_n + U h_m) $$

    Deviations: from the paper, whose keys are the encoder's states $e_n$ and not the points $x_n$:
    the points reach the score without having met. Arguments are those of `paper`.
    """
    return _pointer(dim, hidden, inputs, source, dim, by_points, initial)


def attentive(
    most: int,
    dim: int = 2,
    hidden: int = 256,
    inputs: int | None = None,
    source: SourceReader | None = None,
    initial: Initial = paper_initial,
) -> PointNetwork:
    """Build the paper's baseline with attention, over indices up to `most`; others as `paper`."""
    width = dim if inputs is None else inputs
    attention = Attention(Additive(hidden, hidden, hidden), Softmax())
    decoder = AttentiveDecoder(FedLSTM(width, hidden, hidden), attention, hidden, most)
    return _network(dim, hidden, inputs, source, decoder, initial)


def plain(
    most: int,
    dim: int = 2,
    hidden: int = 256,
    inputs: int | None = None,
    source: SourceReader | None = None,
    initial: Initial = paper_initial,
) -> PointNetwork:
    """Build the baseline without attention, over indices up to `most`; others as `paper`."""
    width = dim if inputs is None else inputs
    return _network(dim, hidden, inputs, source, PlainDecoder(LSTM(width, hidden), most), initial)


def _pointer(
    dim: int,
    hidden: int,
    inputs: int | None,
    source: SourceReader | None,
    key_dim: int,
    keys: Keys,
    initial: Initial,
) -> PointNetwork:
    width = dim if inputs is None else inputs
    score = Additive(hidden, key_dim, hidden)
    decoder = PointerDecoder(LSTM(width, hidden), score, key_dim, keys)
    return _network(dim, hidden, inputs, source, decoder, initial)


def _network(
    dim: int,
    hidden: int,
    inputs: int | None,
    source: SourceReader | None,
    decoder: Decoder,
    initial: Initial,
) -> PointNetwork:
    width = dim if inputs is None else inputs
    embedding = nn.Identity() if inputs is None else nn.Linear(dim, inputs)
    source = source or Stacked(LSTM(width, hidden))
    return PointNetwork(dim, embedding, width, source, decoder, initial)


def example() -> tuple[PointNetwork, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = paper(2, hidden=5, inputs=3)
    target = torch.tensor([[1, 3, 2, 1, 0], [4, 2, 7, 5, 4], [2, 1, 0, 0, 0]])
    return model, (torch.rand(3, 7, 2), torch.tensor([3, 7, 2]), target)

"""The models of both papers. Widths left out are the papers'."""

import torch
from torch import Tensor, nn

from memnets.attention import Additive, Attention, General, Softmax
from memnets.layers.encoders import Encoder, RecurrentEncoder
from memnets.layers.recurrent import LSTM, FedLSTM
from memnets.layers.reset_first import (
    ContextCell,
    ResetFirstCell,
    ResetFirstEncoder,
    ResetLastCell,
)
from memnets.layers.stepwise import StepReader, Stepwise
from memnets.models.seq2seq.initial import (
    Initial,
    bahdanau_initial,
    luong_initial,
    modern_initial,
)
from memnets.models.seq2seq.luong import FedLuongDecoder, LuongDecoder
from memnets.models.seq2seq.network import Seq2Seq
from memnets.models.seq2seq.rnnsearch import SearchDecoder
from memnets.models.seq2seq.sources import Backwards, BothWays, SourceReader, Stacked
from memnets.ops.bags import NIL

Reads = Attention | StepReader | None
"""A score and an align; `LastState()` for the control without attention; None for the paper's."""


def rnnsearch(
    source_vocab: int,
    target_vocab: int,
    dim: int = 620,
    hidden: int = 1000,
    maxout: int = 500,
    attention: Reads = None,
    dropout: float = 0.0,
    initial: Initial = bahdanau_initial,
) -> Seq2Seq:
    """Build RNNsearch, with the paper's own gated units, and its first weights.

    In short runs `initial=modern_initial` learns where the paper's start hardly does.

    Args:
        source_vocab: number of words of the source, nil (0) included.
        target_vocab: number of words of the target, nil (0) included.
        dim: width of an embedding.
        hidden: width of a state; of the encoder, in each direction.
        maxout: width of the readout.
        attention: asked by states `hidden` wide, of keys twice as wide; additive by default.
        dropout: share that is set to zero in training; the paper has none.
        initial: draws the first weights.
    """
    encoder = ResetFirstEncoder(dim, hidden)
    cell = ResetFirstCell(dim, 2 * hidden, hidden)
    sizes = source_vocab, target_vocab, dim
    return _search(*sizes, encoder, cell, maxout, attention, dropout, initial)


def rnnsearch_torch(
    source_vocab: int,
    target_vocab: int,
    dim: int = 620,
    hidden: int = 1000,
    maxout: int = 500,
    attention: Reads = None,
    dropout: float = 0.0,
    initial: Initial = modern_initial,
) -> Seq2Seq:
    """Build RNNsearch on torch's gated units, which is quicker.

    Deviations: in encoder and decoder the reset gate stands behind the recurrent matrix, where the
    paper has it before; `rnnsearch` is the paper's. Arguments are the same.
    Cite: bahdanau2015
    """
    encoder = RecurrentEncoder(nn.GRU(dim, hidden, batch_first=True, bidirectional=True))
    cell = ResetLastCell(dim, 2 * hidden, hidden)
    sizes = source_vocab, target_vocab, dim
    return _search(*sizes, encoder, cell, maxout, attention, dropout, initial)


def luong(
    source_vocab: int,
    target_vocab: int,
    dim: int = 1000,
    hidden: int = 1000,
    layers: int = 4,
    attention: Reads = None,
    dropout: float = 0.2,
    backwards: bool = True,
    initial: Initial = luong_initial,
) -> Seq2Seq:
    """Build the model of Luong et al. without input feeding.

    For their local models pass `Attention(General(hidden, hidden), LocalM())` or
    `Attention(General(hidden, hidden), LocalP(hidden))`.

    Args:
        source_vocab: number of words of the source, nil (0) included.
        target_vocab: number of words of the target, nil (0) included.
        dim: width of an embedding.
        hidden: width of a state.
        layers: of encoder and decoder.
        attention: asked by states `hidden` wide, of keys as wide; global and general by default.
        dropout: share that is set to zero in training.
        backwards: whether the source is read from its last word to its first.
        initial: draws the first weights.
    """
    core = LSTM(dim, hidden, layers, dropout)
    decoder = LuongDecoder(core, _luong_reader(attention, hidden), hidden)
    source = _stacked(dim, hidden, layers, dropout, backwards)
    return Seq2Seq(source_vocab, target_vocab, dim, source, decoder, dropout, initial)


def luong_fed(
    source_vocab: int,
    target_vocab: int,
    dim: int = 1000,
    hidden: int = 1000,
    layers: int = 4,
    attention: Reads = None,
    dropout: float = 0.2,
    backwards: bool = True,
    initial: Initial = luong_initial,
) -> Seq2Seq:
    """Build the model of Luong et al. with input feeding. Arguments are those of `luong`."""
    core = FedLSTM(dim, hidden, hidden, layers, dropout)
    decoder = FedLuongDecoder(core, _luong_reader(attention, hidden), hidden)
    source = _stacked(dim, hidden, layers, dropout, backwards)
    return Seq2Seq(source_vocab, target_vocab, dim, source, decoder, dropout, initial)


def _search(
    source_vocab: int,
    target_vocab: int,
    dim: int,
    encoder: Encoder,
    cell: ContextCell,
    maxout: int,
    attention: Reads,
    dropout: float,
    initial: Initial,
) -> Seq2Seq:
    hidden, context = cell.hidden, encoder.hidden
    reader = _reader(attention or Attention(Additive(hidden, context, hidden), Softmax()))
    decoder = SearchDecoder(dim, context // 2, cell, reader, context, maxout)
    source = BothWays(encoder)
    return Seq2Seq(source_vocab, target_vocab, dim, source, decoder, dropout, initial)


def _stacked(dim: int, hidden: int, layers: int, dropout: float, backwards: bool) -> SourceReader:
    source = Stacked(LSTM(dim, hidden, layers, dropout))
    return Backwards(source) if backwards else source


def _luong_reader(attention: Reads, hidden: int) -> StepReader:
    return _reader(attention or Attention(General(hidden, hidden), Softmax()))


def _reader(attention: Attention | StepReader) -> StepReader:
    return Stepwise(attention) if isinstance(attention, Attention) else attention


def example() -> tuple[Seq2Seq, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = rnnsearch(11, 13, dim=5, hidden=6, maxout=4, initial=modern_initial)
    source, target = torch.randint(1, 11, (3, 7)), torch.randint(1, 13, (3, 5))
    target[1, 3:] = NIL
    return model, (source, torch.tensor([3, 7, 2]), target)

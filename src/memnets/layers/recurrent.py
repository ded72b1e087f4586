"""Recurrent cores: torch's LSTM and GRU, batch first, with their state as a named tuple."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from memnets.ops.sizes import at_least, share_of_it


def _check(kind: str, dropout: float, **sizes: int) -> None:
    at_least(1, kind, "Pass 128, say.", **sizes)
    share_of_it(kind, dropout=dropout)


class LSTMState(NamedTuple):
    """What an LSTM carries."""

    hidden: Float[Tensor, "batch layer hidden"]
    cell: Float[Tensor, "batch layer hidden"]

    def detach(self) -> "LSTMState":
        return LSTMState(self.hidden.detach(), self.cell.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "LSTMState":
        """Return a state whose marked rows begin anew."""
        new = rows[:, None, None]
        return LSTMState(self.hidden.masked_fill(new, 0.0), self.cell.masked_fill(new, 0.0))

    def index_select(self, index: Int[Tensor, " row"]) -> "LSTMState":
        """Return the rows in another order or number."""
        return LSTMState(self.hidden.index_select(0, index), self.cell.index_select(0, index))


class LSTM(nn.Module):
    """Long short-term memory, as torch has it.

    Args:
        dim: width of the input.
        hidden: width of the state and of the output.
        layers: one above the other.
        dropout: before every layer but the first; never between steps.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        _check("LSTM", dropout, dim=dim, hidden=hidden, layers=layers)
        between = dropout if layers > 1 else 0.0  # torch warns where it would do nothing
        self.cells = nn.LSTM(dim, hidden, layers, batch_first=True, dropout=between)

    def init_state(self, batch: int) -> LSTMState:
        """Return a state of zeros."""
        zeros = _zeros(self.cells, batch)
        return LSTMState(zeros, zeros.clone())

    def forward(
        self, x: Float[Tensor, "batch time dim"], state: LSTMState
    ) -> tuple[Float[Tensor, "batch time hidden"], LSTMState]:
        """Run over a window, and return the last layer's states and what is carried on."""
        hidden, cell = (part.transpose(0, 1).contiguous() for part in state)
        output, (hidden, cell) = self.cells(x, (hidden, cell))
        return output, LSTMState(hidden.transpose(0, 1), cell.transpose(0, 1))

    def read(
        self, x: Float[Tensor, "batch time dim"], length: Int[Tensor, " batch"]
    ) -> tuple[Float[Tensor, "batch time hidden"], LSTMState]:
        """Run over sequences of unequal lengths, from a state of zeros.

        Returns:
            The last layer's states, zeros behind the end; and of each sequence the state at its
            own end, zeros where it has no step.
        """
        if not len(length):
            return x.new_zeros(*x.shape[:2], self.cells.hidden_size), self.init_state(0)
        nothing = length == 0
        packed = pack_padded_sequence(
            x, length.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False
        )
        output, (hidden, cell) = self.cells(packed)
        states, _ = pad_packed_sequence(output, batch_first=True, total_length=x.shape[1])
        states = states.masked_fill(nothing[:, None, None], 0.0)
        state = LSTMState(hidden.transpose(0, 1), cell.transpose(0, 1))
        return states, state.reset(nothing)


class FedLSTM(LSTM):
    r"""An LSTM part of whose input is only known when its step has come.

    $$ (i, f, g, o) = W [x_t; \tilde x_t] + U h_{t-1} + b $$

    What $x$ gives is computed for all steps before the first (`given`), and $\tilde x$ is fed to
    each (`feed`). The weights are those of `nn.LSTM(dim + fed, hidden, layers)`.

    Args:
        dim: width of the input that is known.
        fed: width of the input that is fed.
        hidden: width of the state and of the output.
        layers: one above the other.
        dropout: before every layer but the first; never between steps.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(
        self, dim: int, fed: int, hidden: int, layers: int = 1, dropout: float = 0.0
    ) -> None:
        _check("FedLSTM", dropout, dim=dim, fed=fed, hidden=hidden, layers=layers)
        super().__init__(dim + fed, hidden, layers, dropout)
        self.dim, self.dropout = dim, dropout

    def given(self, x: Float[Tensor, "batch time _"]) -> Float[Tensor, "batch time rows"]:
        """Return what is known of all steps, as the first layer takes it."""
        into, _, bias, more = self._weights(0)
        return F.linear(x, into[:, : self.dim], bias + more)

    def opened(self) -> "list[_Layer]":
        """Return the weights of every layer, for the steps of one run."""
        layers = []
        for layer in range(self.cells.num_layers):
            into, recurrent, bias, more = self._weights(layer)
            inner = into[:, self.dim :] if layer == 0 else into
            layers.append(_Layer(inner.mT, recurrent.mT, None if layer == 0 else bias + more))
        return layers

    def _weights(self, layer: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        into, recurrent, bias, more = self.cells.all_weights[layer]
        return into, recurrent, bias, more

    def feed(
        self,
        layers: "list[_Layer]",
        given: Float[Tensor, "batch rows"],
        fed: Float[Tensor, "batch _"],
        state: LSTMState,
    ) -> tuple[Float[Tensor, "batch hidden"], LSTMState]:
        """Take one step.

        Args:
            layers: the weights, `opened` once a run.
            given: of this step.
            fed: what it is fed.
            state: what is carried.

        Returns:
            The last layer's state, and what is carried on.
        """
        x, states = fed, []
        for number, (layer, h, c) in enumerate(
            zip(layers, state.hidden.unbind(1), state.cell.unbind(1), strict=True)
        ):
            if number:
                x = F.dropout(x, self.dropout, self.training)
            base = given if layer.bias is None else layer.bias
            sums = torch.addmm(torch.addmm(base, x, layer.into), h, layer.recurrent)
            i, f, g, o = sums.chunk(4, 1)
            c = torch.addcmul(f.sigmoid() * c, i.sigmoid(), g.tanh())
            x = o.sigmoid() * c.tanh()
            states.append((x, c))
        return x, LSTMState(*(torch.stack(part, 1) for part in zip(*states, strict=True)))


class _Layer(NamedTuple):
    """The weights of a layer; the first has its bias in what it is given."""

    into: Float[Tensor, "_ rows"]
    recurrent: Float[Tensor, "hidden rows"]
    bias: Float[Tensor, " rows"] | None


class GRUState(NamedTuple):
    """What a GRU carries."""

    hidden: Float[Tensor, "batch layer hidden"]

    def detach(self) -> "GRUState":
        return GRUState(self.hidden.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "GRUState":
        """Return a state whose marked rows begin anew."""
        return GRUState(self.hidden.masked_fill(rows[:, None, None], 0.0))

    def index_select(self, index: Int[Tensor, " row"]) -> "GRUState":
        """Return the rows in another order or number."""
        return GRUState(self.hidden.index_select(0, index))


class GRU(nn.Module):
    """Gated recurrent units, as torch has them.

    Args:
        dim: width of the input.
        hidden: width of the state and of the output.
        layers: one above the other.
        dropout: before every layer but the first; never between steps.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        _check("GRU", dropout, dim=dim, hidden=hidden, layers=layers)
        between = dropout if layers > 1 else 0.0
        self.cells = nn.GRU(dim, hidden, layers, batch_first=True, dropout=between)

    def init_state(self, batch: int) -> GRUState:
        """Return a state of zeros."""
        return GRUState(_zeros(self.cells, batch))

    def forward(
        self, x: Float[Tensor, "batch time dim"], state: GRUState
    ) -> tuple[Float[Tensor, "batch time hidden"], GRUState]:
        """Run over a window, and return the last layer's states and what is carried on."""
        output, hidden = self.cells(x, state.hidden.transpose(0, 1).contiguous())
        return output, GRUState(hidden.transpose(0, 1))


def _zeros(cells: nn.LSTM | nn.GRU, batch: int) -> Tensor:
    like = next(cells.parameters())
    return like.new_zeros(batch, cells.num_layers, cells.hidden_size)

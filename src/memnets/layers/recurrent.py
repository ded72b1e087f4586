"""Recurrent cores: torch's LSTM and GRU, batch first, with their state as a named tuple."""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

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

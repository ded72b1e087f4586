"""Controllers of a memory: networks that are fed, step by step, what was read the step before."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.recurrent import FedLSTM, LSTMState
from memnets.ops.sizes import at_least_one


class Nothing(NamedTuple):
    """What is carried by a network that carries nothing."""

    def detach(self) -> "Nothing":
        return self

    def reset(self, rows: Bool[Tensor, " batch"]) -> "Nothing":
        """Return nothing: no row has anything to begin anew."""
        return self

    def index_select(self, index: Int[Tensor, " row"]) -> "Nothing":
        """Return nothing, for any rows."""
        return self


class Controller(nn.Module, ABC):
    """A network whose input is known for all steps, but for what is fed to each.

    What the known input gives is computed for all steps at once (`given`), and the weights are
    prepared once a run (`opened`).

    Args:
        dim: width of the input.
        fed: width of what is fed.
        hidden: width of what it says.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, fed: int, hidden: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, dim=dim, fed=fed, hidden=hidden)
        self.dim, self.fed, self.hidden = dim, fed, hidden

    @abstractmethod
    def init_state(self, batch: int) -> Any:
        """Return the state of zeros, a named tuple whose tensors have the batch first."""

    @abstractmethod
    def given(self, x: Float[Tensor, "batch time _"]) -> Float[Tensor, "batch time rows"]:
        """Return what the known input gives to every step."""

    @abstractmethod
    def opened(self) -> Any:
        """Return the weights, as `step` wants them."""

    @abstractmethod
    def step(
        self,
        opened: Any,
        given: Float[Tensor, "batch rows"],
        fed: Float[Tensor, "batch _"],
        state: Any,
    ) -> tuple[Float[Tensor, "batch hidden"], Any]:
        """Take one step; return what is said, and what is carried on."""


class FeedForward(Controller):
    r"""A layer that carries nothing: all that it knows of earlier steps, it has read.

    $$ h_t = \tanh(W [x_t; r_{t-1}] + b) $$

    Args:
        dim: width of the input.
        fed: width of what is fed.
        hidden: width of what it says.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, fed: int, hidden: int) -> None:
        super().__init__(dim, fed, hidden)
        self.linear = nn.Linear(dim + fed, hidden)

    def init_state(self, batch: int) -> Nothing:
        return Nothing()

    def given(self, x: Float[Tensor, "batch time _"]) -> Float[Tensor, "batch time rows"]:
        return F.linear(x, self.linear.weight[:, : self.dim], self.linear.bias)

    def opened(self) -> Tensor:
        return self.linear.weight[:, self.dim :].mT

    def step(
        self,
        opened: Any,
        given: Float[Tensor, "batch rows"],
        fed: Float[Tensor, "batch _"],
        state: Any,
    ) -> tuple[Float[Tensor, "batch hidden"], Any]:
        return torch.addmm(given, fed, opened).tanh(), state


class LSTMController(Controller):
    """An LSTM, fed at its first layer.

    Args:
        dim: width of the input.
        fed: width of what is fed.
        hidden: width of the state, and of what it says.
        layers: one above the other.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, dim: int, fed: int, hidden: int, layers: int = 1) -> None:
        super().__init__(dim, fed, hidden)
        self.cells = FedLSTM(dim, fed, hidden, layers)

    def init_state(self, batch: int) -> LSTMState:
        return self.cells.init_state(batch)

    def given(self, x: Float[Tensor, "batch time _"]) -> Float[Tensor, "batch time rows"]:
        return self.cells.given(x)

    def opened(self) -> Any:
        return self.cells.opened()

    def step(
        self,
        opened: Any,
        given: Float[Tensor, "batch rows"],
        fed: Float[Tensor, "batch _"],
        state: Any,
    ) -> tuple[Float[Tensor, "batch hidden"], Any]:
        return self.cells.feed(opened, given, fed, state)

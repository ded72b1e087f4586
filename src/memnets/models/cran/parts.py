"""What a step of a CRAN asks with, reads with, and makes its new state by.

The input's half of every product needs no state and is taken for all steps of a window at once.
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.ops.sizes import at_least, at_least_one


class Halves(nn.Module, ABC):
    """A map of an input and a state, in two halves: the input's needs no state."""

    @abstractmethod
    def from_input(self, x: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch half"]:
        """Return the input's half, for any number of steps at once."""

    @abstractmethod
    def complete(
        self, half: Float[Tensor, "*batch half"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch out"]:
        """Return the whole, given the state too."""

    def forward(
        self, x: Float[Tensor, "*batch dim"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch out"]:
        return self.complete(self.from_input(x), state)


class Affine(Halves):
    r"""$W x + b$, or $W [x; s] + b$.

    Args:
        dim: width of the input.
        state: width of the state; 0 for a map of the input alone.
        out: width of what comes out.
    """

    def __init__(self, dim: int, state: int, out: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, dim=dim, out=out)
        at_least(0, type(self).__name__, state=state)  # a query may ask with the input alone
        self.dim, self.state = dim, state
        self.linear = nn.Linear(dim + state, out)

    @property
    def state_weight(self) -> Float[Tensor, "out state"]:
        """The columns of $W$ that the state meets."""
        return self.linear.weight[:, self.dim :]

    def from_input(self, x: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch out"]:
        return F.linear(x, self.linear.weight[:, : self.dim], self.linear.bias)

    def complete(
        self, half: Float[Tensor, "*batch out"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch out"]:
        return half + state @ self.state_weight.mT if self.state else half


class JointQuery(Affine):
    r"""Ask for zones with the input and the state before: $u = W_l [x; h^{(t-1)}] + b_l$ (1.2).

    Args:
        dim: width of the input.
        hidden: width of the state.
        key_dim: width of a zone's key.
    """

    def __init__(self, dim: int, hidden: int, key_dim: int) -> None:
        at_least_one("JointQuery", dim=dim, hidden=hidden, key_dim=key_dim)
        super().__init__(dim, hidden, key_dim)
        self.widths = {"dim": dim, "hidden": hidden, "key_dim": key_dim}


class InputQuery(Halves):
    r"""Ask for zones with the input itself: $u = x$ (1.1).

    Deviations: where the keys have another width than the input, it is projected, without a bias;
    the proposal says nothing of that.

    Args:
        dim: width of the input.
        key_dim: width of a zone's key.
    """

    state = 0

    def __init__(self, dim: int, key_dim: int) -> None:
        super().__init__()
        at_least_one("InputQuery", dim=dim, key_dim=key_dim)
        self.widths = {"dim": dim, "key_dim": key_dim}
        self.project = nn.Identity() if dim == key_dim else nn.Linear(dim, key_dim, bias=False)

    def from_input(self, x: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch key"]:
        return self.project(x)

    def complete(
        self, half: Float[Tensor, "*batch key"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch key"]:
        return half


class JointRead(nn.Module):
    r"""Attend inside a zone with the input and the state before (2.2).

    $$ Q = \mathrm{ReLU}(W_Q [x; h^{(t-1)}] + b_Q), \qquad
       K_j = \mathrm{ReLU}(W_K Z_j + b_K) $$

    Deviations: the proposal prints $K = \mathrm{ReLU}(W_K X + b_K)$, a slip: there would
    be one key, and no softmax over the slots.

    Args:
        dim: width of the input.
        hidden: width of the state.
        width: of $Q$ and $K$.
    """

    def __init__(self, dim: int, hidden: int, width: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, dim=dim, hidden=hidden, width=width)
        self.widths = {"dim": dim, "hidden": hidden}
        self.query = Affine(dim, self._asked_with(hidden), width)
        self.key = nn.Linear(hidden, width)

    def _asked_with(self, hidden: int) -> int:
        return hidden

    def keys(self, values: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch width"]:
        """Return what slots are found by."""
        return self.key(values).relu()


class InputRead(JointRead):
    r"""Attend inside a zone with the input (2.1).

    $$ Q = \mathrm{ReLU}(W_Q x + b_Q), \qquad K_j = \mathrm{ReLU}(W_K Z_j + b_K) $$

    Deviations: as in `JointRead`.

    Args:
        dim: width of the input.
        hidden: width of the state.
        width: of $Q$ and $K$.
    """

    def _asked_with(self, hidden: int) -> int:
        return 0


class ReluUpdate(Affine):
    r"""The new state from the input and what was read: $h = \mathrm{ReLU}(W_H [x; y] + b_H)$ (3.1).

    Args:
        dim: width of the input.
        hidden: width of the state.
    """

    def __init__(self, dim: int, hidden: int) -> None:
        at_least_one("ReluUpdate", dim=dim, hidden=hidden)
        super().__init__(dim, hidden, hidden)
        self.widths = {"dim": dim, "hidden": hidden}

    def complete(
        self, half: Float[Tensor, "*batch out"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch out"]:
        return super().complete(half, state).relu()


class GatedUpdate(Halves):
    r"""A GRU's update in which what was read takes the place of the state before (3.2).

    $$ r = \sigma(W_r [x; y] + b_r), \qquad z = \sigma(W_z [x; y] + b_z) $$
    $$ n = \tanh(r \circ (W_n x + b_n) + W_i y + b_i), \qquad h = (1 - z) \circ n + z \circ y $$

    Args:
        dim: width of the input.
        hidden: width of the state.
    """

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        at_least_one("GatedUpdate", dim=dim, hidden=hidden)
        self.widths = {"dim": dim, "hidden": hidden}
        self.gates = Affine(dim, hidden, 2 * hidden)
        self.candidate = nn.Linear(dim, hidden)
        self.read = nn.Linear(hidden, hidden)

    def from_input(self, x: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch out"]:
        return torch.cat([self.gates.from_input(x), self.candidate(x)], -1)

    def complete(
        self, half: Float[Tensor, "*batch out"], state: Float[Tensor, "*batch state"]
    ) -> Float[Tensor, "*batch state"]:
        hidden = state.shape[-1]
        gates = self.gates.complete(half[..., : 2 * hidden], state).sigmoid()
        r, z = gates.split(hidden, -1)
        n = (r * half[..., 2 * hidden :] + self.read(state)).tanh()
        return n + z * (state - n)

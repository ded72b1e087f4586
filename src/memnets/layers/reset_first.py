r"""The gated recurrence of Cho et al. and Bahdanau et al., whose reset stands before the matrix.

$$ r = \sigma(p_r + U_r h), \quad z = \sigma(p_z + U_z h), \quad
   \tilde h = \tanh(p_h + U (r \circ h)), \quad h' = (1 - z) \circ h + z \circ \tilde h $$

torch's GRU takes $r \circ (U h)$, which is another function, and calls $1 - z$ what is $z$ here.
"""

import math
from abc import ABC, abstractmethod

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.layers.encoders import Encoder, Reach
from memnets.ops.ragged import turned
from memnets.ops.sizes import at_least_one


def reset_first(
    gates: Float[Tensor, "*batch twice"],
    candidate: Float[Tensor, "*batch hidden"],
    state: Float[Tensor, "*batch hidden"],
    gate_weight: Float[Tensor, "*direction twice hidden"],
    candidate_weight: Float[Tensor, "*direction hidden hidden"],
) -> Float[Tensor, "*batch hidden"]:
    r"""Return the next state.

    Deviations: none.
    Cite: bahdanau2015, cho2014

    Args:
        gates: $[p_r; p_z]$, what the step is given.
        candidate: $p_h$.
        state: $h$.
        gate_weight: $[U_r; U_z]$.
        candidate_weight: $U$.
    """
    reset, update = torch.sigmoid(gates + state @ gate_weight.mT).chunk(2, -1)
    new = torch.tanh(candidate + (reset * state) @ candidate_weight.mT)
    return torch.lerp(state, new.to(state.dtype), update.to(state.dtype))  # narrow under autocast


class ResetFirstEncoder(Encoder):
    r"""Encode each step in both directions, by gated units whose reset stands before the matrix.

    $$ h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j] $$  (Bahdanau et al., section 3.2, A.2.1)

    Both directions take their steps together. Masked steps are passed by.

    Deviations: none.
    Cite: bahdanau2015

    Args:
        dim: width of a step.
        hidden: width of the state of each direction; what comes out is twice as wide.

    Raises:
        ValueError: a width is below 1.
    """

    layers = 1

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        at_least_one("ResetFirstEncoder", dim=dim, hidden=hidden)
        self.hidden = 2 * hidden
        self.input_weight = nn.Linear(dim, 6 * hidden)
        self.gate_recurrent = nn.Parameter(torch.empty(2, 2 * hidden, hidden))
        self.candidate_recurrent = nn.Parameter(torch.empty(2, hidden, hidden))
        for recurrent in (self.gate_recurrent, self.candidate_recurrent):
            nn.init.uniform_(recurrent, -(hidden**-0.5), hidden**-0.5)

    @property
    def layer_reach(self) -> Reach:
        """All."""
        return Reach(math.inf, math.inf)

    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        forth, back = _orders(mask)
        given = self.input_weight(x).chunk(2, -1)
        steps = [_reorder(part, order) for part, order in zip(given, (forth, back), strict=True)]
        width = self.hidden // 2
        gates, candidates = torch.stack(steps, 0).split([2 * width, width], -1)
        state, states = x.new_zeros(2, len(x), width), []
        for gate, candidate in zip(gates.unbind(2), candidates.unbind(2), strict=True):
            state = reset_first(
                gate, candidate, state, self.gate_recurrent, self.candidate_recurrent
            )
            states.append(state)
        found = torch.stack(states, 2)
        return torch.cat([_put_back(found[0], forth), _put_back(found[1], back)], -1)

    @classmethod
    def example(cls, dim: int) -> "ResetFirstEncoder":
        return cls(dim, hidden=2)


def _orders(mask: Bool[Tensor, "batch time"]) -> tuple[Tensor, Tensor]:
    """Return the readable steps of every row in their order, and turned round; the rest behind."""
    forth = mask.int().argsort(dim=-1, descending=True, stable=True)
    return forth, forth.gather(1, turned(mask.sum(-1), mask.shape[1]))


def _reorder(steps: Tensor, order: Tensor) -> Tensor:
    return steps.gather(1, order.unsqueeze(-1).expand_as(steps))


def _put_back(steps: Tensor, order: Tensor) -> Tensor:
    return torch.zeros_like(steps).scatter(1, order.unsqueeze(-1).expand_as(steps), steps)


class ContextCell(nn.Module, ABC):
    """A gated unit that reads a word and a context in every gate.

    What words give is computed for all steps before the first (`given`).

    Args:
        dim: width of a word.
        context_dim: width of the context.
        hidden: width of the state.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, dim: int, context_dim: int, hidden: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, dim=dim, context_dim=context_dim, hidden=hidden)
        self.hidden = hidden
        self.word_weight = nn.Linear(dim, 3 * hidden)
        self.context_weight = nn.Linear(context_dim, 3 * hidden, bias=False)

    def given(self, words: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch rows"]:
        """Return what words give to all gates."""
        given: Tensor = self.word_weight(words)
        return given

    def forward(
        self,
        given: Float[Tensor, "row rows"],
        context: Float[Tensor, "row _"],
        state: Float[Tensor, "row hidden"],
    ) -> Float[Tensor, "row hidden"]:
        """Return the next state."""
        width = [2 * self.hidden, self.hidden]
        gates, candidate = (given + self.context_weight(context)).split(width, -1)
        return self.next(gates, candidate, state)

    @abstractmethod
    def next(
        self,
        gates: Float[Tensor, "row twice"],
        candidate: Float[Tensor, "row hidden"],
        state: Float[Tensor, "row hidden"],
    ) -> Float[Tensor, "row hidden"]:
        """Return the next state from what word and context give to gates and candidate."""


class ResetFirstCell(ContextCell):
    r"""The unit of Bahdanau et al.: a context in every gate, the reset before the matrix.

    $$ r_i = \sigma(W_r y + U_r s + C_r c), \quad z_i = \sigma(W_z y + U_z s + C_z c), \quad
       \tilde s = \tanh(W y + U (r_i \circ s) + C c), \quad
       s' = (1 - z_i) \circ s + z_i \circ \tilde s $$  (Bahdanau et al., A.2.2)

    Deviations: biases, which the paper leaves out of its formulas.
    Cite: bahdanau2015

    Args:
        dim: width of a word, $y$.
        context_dim: width of the context, $c$.
        hidden: width of the state, $s$.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, dim: int, context_dim: int, hidden: int) -> None:
        super().__init__(dim, context_dim, hidden)
        self.gate_recurrent = nn.Linear(hidden, 2 * hidden, bias=False)
        self.candidate_recurrent = nn.Linear(hidden, hidden, bias=False)

    def next(
        self,
        gates: Float[Tensor, "row twice"],
        candidate: Float[Tensor, "row hidden"],
        state: Float[Tensor, "row hidden"],
    ) -> Float[Tensor, "row hidden"]:
        weights = self.gate_recurrent.weight, self.candidate_recurrent.weight
        return reset_first(gates, candidate, state, *weights)


class ResetLastCell(ContextCell):
    r"""torch's GRU over a word and a context: its reset stands behind the matrix.

    $$ r = \sigma(W_r y + C_r c + U_r s), \quad z = \sigma(W_z y + C_z c + U_z s), \quad
       n = \tanh(W y + C c + r \circ (U s + b)), \quad s' = (1 - z) \circ n + z \circ s $$

    The weights are those of `nn.GRUCell(dim + context_dim, hidden)`: `word_weight` and
    `context_weight` side by side are its `weight_ih`, `recurrent` its `weight_hh`.

    Deviations: from Bahdanau et al., the place of the reset and its bias.
    Cite: bahdanau2015

    Args:
        dim: width of a word, $y$.
        context_dim: width of the context, $c$.
        hidden: width of the state, $s$.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(self, dim: int, context_dim: int, hidden: int) -> None:
        super().__init__(dim, context_dim, hidden)
        self.recurrent = nn.Linear(hidden, 3 * hidden)

    def next(
        self,
        gates: Float[Tensor, "row twice"],
        candidate: Float[Tensor, "row hidden"],
        state: Float[Tensor, "row hidden"],
    ) -> Float[Tensor, "row hidden"]:
        more, inner = self.recurrent(state).split([2 * self.hidden, self.hidden], -1)
        reset, update = torch.sigmoid(gates + more).chunk(2, -1)
        return torch.lerp(torch.tanh(candidate + reset * inner), state, update)

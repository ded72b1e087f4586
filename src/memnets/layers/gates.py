"""Gates: how well a slot matches a question and what was remembered of the hops before."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.ops.sizes import at_least_one


class Known(NamedTuple):
    """What of a gate depends on the slot and the question alone: the same at every hop.

    Attributes:
        slot: the slots.
        question: what was asked.
        part: what the question adds to the first layer, its bias included.
    """

    slot: Float[Tensor, "*batch hidden"]
    question: Float[Tensor, "*#batch hidden"]
    part: Float[Tensor, "*batch hidden"]


class Gate(nn.Module, ABC):
    r"""Score a slot by a small network over features of it, the question and the memory.

    $$ z(f, m, q) = [\ldots], \qquad e = w_2^\top \tanh(W_1 z + b_1) + b_2 $$
    (Kumar et al., Eqs. 6-8; Xiong et al., Eqs. 8-9)

    The features are those that a slot shares with the question, those with the memory, and those
    of the slot alone. $W_1$ is cut into these blocks, so that what is known before the first hop
    is computed once for all. Slots are scored one by one: any leading axes will do.

    Subclass it, write `shared`, `widths` and, where the slot has features by itself, `alone`, and
    the conformance tests find and check it.

    Args:
        hidden: width of slots, question and memory.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, hidden=hidden)
        self.hidden = hidden
        self.first = nn.Linear(sum(self.widths(hidden)), hidden)
        self.second = nn.Linear(hidden, 1)

    @staticmethod
    @abstractmethod
    def widths(hidden: int) -> tuple[int, int, int]:
        """Return how many features there are: shared with one of the two, with the other, alone."""

    @abstractmethod
    def shared(
        self, slot: Float[Tensor, "*batch hidden"], state: Float[Tensor, "*#batch hidden"]
    ) -> Float[Tensor, "*batch feature"]:
        """Return the features that a slot shares with the question, or with the memory."""

    def alone(self, slot: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch feature"]:
        """Return the features of the slot alone; none by default."""
        return slot[..., :0]

    def remember(
        self, slot: Float[Tensor, "*batch hidden"], question: Float[Tensor, "*#batch hidden"]
    ) -> Known:
        """Compute what stays the same at every hop."""
        by_question, _, alone = self.first.weight.split(self.widths(self.hidden), -1)
        part = F.linear(self.shared(slot, question), by_question, self.first.bias)
        if alone.shape[-1]:
            part = part + F.linear(self.alone(slot), alone)
        return Known(slot, question, part)

    def match(
        self, known: Known, memory: Float[Tensor, "*#batch hidden"]
    ) -> Float[Tensor, "*batch"]:
        """Score the slots that were remembered against the memory of a hop."""
        by_memory = self.first.weight.split(self.widths(self.hidden), -1)[1]
        layer = torch.tanh(known.part + F.linear(self.shared(known.slot, memory), by_memory))
        scores: Tensor = self.second(layer)
        return scores.squeeze(-1)

    def forward(
        self,
        slot: Float[Tensor, "*batch hidden"],
        question: Float[Tensor, "*#batch hidden"],
        memory: Float[Tensor, "*#batch hidden"],
    ) -> Float[Tensor, "*batch"]:
        """Score slots against a question and a memory."""
        return self.match(self.remember(slot, question), memory)

    @classmethod
    def example(cls, hidden: int) -> "Gate":
        """Return a small instance for the conformance tests."""
        return cls(hidden)


class XiongGate(Gate):
    r"""The gate of DMN+.

    $$ z = [f \circ q; |f - q|; f \circ m; |f - m|] $$  (Xiong et al., Eq. 8)

    Deviations: the features stand in another order, which a full matrix does not tell apart.
    Cite: xiong2016
    """

    @staticmethod
    def widths(hidden: int) -> tuple[int, int, int]:
        return 2 * hidden, 2 * hidden, 0

    def shared(
        self, slot: Float[Tensor, "*batch hidden"], state: Float[Tensor, "*#batch hidden"]
    ) -> Float[Tensor, "*batch feature"]:
        return torch.cat([slot * state, (slot - state).abs()], -1)


class KumarGate(Gate):
    r"""The gate of DMN, with everything that its authors thought of.

    $$ z = [f; m; q; f \circ q; f \circ m; |f - q|; |f - m|; f^\top W_b q; f^\top W_b m] $$
    (Kumar et al., Eq. 6)

    $W_b$ is one matrix for both. There are $7H + 2$ features.

    Deviations: the features stand in another order, which a full matrix does not tell apart.
    Cite: kumar2016
    """

    def __init__(self, hidden: int) -> None:
        super().__init__(hidden)
        self.bilinear = nn.Linear(hidden, hidden, bias=False)

    @staticmethod
    def widths(hidden: int) -> tuple[int, int, int]:
        return 3 * hidden + 1, 3 * hidden + 1, hidden

    def shared(
        self, slot: Float[Tensor, "*batch hidden"], state: Float[Tensor, "*#batch hidden"]
    ) -> Float[Tensor, "*batch feature"]:
        matched = (slot * self.bilinear(state)).sum(-1, keepdim=True)  # f W_b q
        own = state.expand_as(slot)
        return torch.cat([own, slot * state, (slot - state).abs(), matched], -1)

    def alone(self, slot: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch feature"]:
        return slot

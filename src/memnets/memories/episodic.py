"""Episodic memory: the slots are read several times, each time in the light of what was found."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention import Align, AlignContext, Readout
from memnets.layers.gates import Gate
from memnets.ops.gru import gated_gru, last_of_gated_gru
from memnets.ops.ragged import Places
from memnets.ops.reading import read
from memnets.ops.sizes import at_least, at_least_one


class EpisodeRead(nn.Module, ABC):
    """Read slots by weights that are given: what of an attention follows its align."""

    @abstractmethod
    def remember(self, slots: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch _"]:
        """Compute what of each slot stays the same at every hop."""

    @abstractmethod
    def forward(
        self,
        remembered: Float[Tensor, "batch slot _"],
        weights: Float[Tensor, "batch slot"],
        mask: Bool[Tensor, "batch slot"] | None = None,
    ) -> Float[Tensor, "batch hidden"]:
        """Return what was read; a slot of weight zero changes nothing.

        Args:
            remembered: what `remember` returned.
            weights: of the slots.
            mask: True where a slot may be read; others have weights of zero, and cost nothing.
        """

    @classmethod
    @abstractmethod
    def example(cls, hidden: int) -> "EpisodeRead":
        """Return a small instance for the conformance tests."""


class SoftSum(EpisodeRead):
    r"""Sum the slots by their weights; their order is lost.

    $$ c = \sum_i g_i f_i $$  (Xiong et al., section 3.2, "soft attention")

    Deviations: none.
    Cite: xiong2016
    """

    def remember(self, slots: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch _"]:
        return slots

    def forward(
        self,
        remembered: Float[Tensor, "batch slot _"],
        weights: Float[Tensor, "batch slot"],
        mask: Bool[Tensor, "batch slot"] | None = None,
    ) -> Float[Tensor, "batch hidden"]:
        return read(weights.unsqueeze(-2), remembered).squeeze(-2)

    @classmethod
    def example(cls, hidden: int) -> "SoftSum":
        return cls()


class RecurrentRead(EpisodeRead):
    """Go over the slots in their order, and keep the last state.

    Args:
        hidden: width of slots and states.

    Raises:
        ValueError: the width is below 1.
    """

    @property
    @abstractmethod
    def gates(self) -> int:
        """How many gates there are, the candidate among them."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, hidden=hidden)
        self.input = nn.Linear(hidden, self.gates * hidden)
        self.recurrent = nn.Linear(hidden, self.gates * hidden)

    def remember(self, slots: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch _"]:
        projected: Tensor = self.input(slots)
        return projected

    def states(
        self,
        remembered: Float[Tensor, "batch slot _"],
        weights: Float[Tensor, "batch slot"],
        mask: Bool[Tensor, "batch slot"] | None = None,
    ) -> Float[Tensor, "batch slot hidden"]:
        """Return the state after every slot, for an answer at each."""
        matrix, bias = self.recurrent.weight, self.recurrent.bias
        return gated_gru(remembered, weights, matrix, bias, mask=mask)

    def forward(
        self,
        remembered: Float[Tensor, "batch slot _"],
        weights: Float[Tensor, "batch slot"],
        mask: Bool[Tensor, "batch slot"] | None = None,
    ) -> Float[Tensor, "batch hidden"]:
        matrix, bias = self.recurrent.weight, self.recurrent.bias
        return last_of_gated_gru(remembered, weights, matrix, bias, mask=mask)

    @classmethod
    def example(cls, hidden: int) -> "RecurrentRead":
        return cls(hidden)


class AttentionGRU(RecurrentRead):
    r"""A GRU whose update gate is the weight of the slot, one number for all dimensions.

    $$ r_i = \sigma(W_r f_i + U_r h_{i-1} + b_r), \quad
       \tilde h_i = \tanh(W f_i + r_i \circ (U h_{i-1} + b_u) + b_h), \quad
       h_i = g_i \tilde h_i + (1 - g_i) h_{i-1}, \quad c = h_N $$
    (Xiong et al., Eqs. 4-5 and 10), $h_0 = 0$

    Deviations: a second bias $b_u$ inside the reset, as `nn.GRU` has it; the paper prints none.
    Cite: xiong2016
    """

    gates = 2


class GatedGRU(RecurrentRead):
    r"""A GRU that a slot enters by its weight, and else passes by.

    $$ h_i = g_i \, \mathrm{GRU}(f_i, h_{i-1}) + (1 - g_i) h_{i-1}, \quad c = h_N $$
    (Kumar et al., Eq. 9), $h_0 = 0$

    Deviations: none; the GRU is torch's.
    Cite: kumar2016
    """

    gates = 3


class MemoryUpdate(nn.Module, ABC):
    """What a hop leaves behind."""

    @abstractmethod
    def forward(
        self,
        hop: int,
        memory: Float[Tensor, "batch hidden"],
        context: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
    ) -> Float[Tensor, "batch hidden"]:
        """Return the memory after a hop, counted from 0, that read `context`."""


class GRUUpdate(MemoryUpdate):
    r"""One GRU for all hops: $m^t = \mathrm{GRU}(c^t, m^{t-1})$ (Kumar et al., section 2.3).

    Deviations: none.
    Cite: kumar2016

    Args:
        hidden: width of the memory.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        at_least_one("GRUUpdate", hidden=hidden)
        self.cell = nn.GRUCell(hidden, hidden)

    def forward(
        self,
        hop: int,
        memory: Float[Tensor, "batch hidden"],
        context: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
    ) -> Float[Tensor, "batch hidden"]:
        updated: Tensor = self.cell(context, memory)
        return updated


class UntiedReLU(MemoryUpdate):
    r"""A layer for each hop: $m^t = \max(0, W^t [m^{t-1}; c^t; q] + b^t)$ (Xiong et al., Eq. 11).

    Deviations: $W^t$ is $H \times 3H$, which the product needs, where $H \times H$ is printed; and
    $b$ is one for each hop.
    Cite: xiong2016

    Args:
        hidden: width of the memory.
        hops: how many layers there are.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, hidden: int, hops: int) -> None:
        super().__init__()
        at_least_one("UntiedReLU", hidden=hidden, hops=hops)
        self.layers = nn.ModuleList(nn.Linear(3 * hidden, hidden) for _ in range(hops))

    def forward(
        self,
        hop: int,
        memory: Float[Tensor, "batch hidden"],
        context: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
    ) -> Float[Tensor, "batch hidden"]:
        return torch.relu(self.layers[hop](torch.cat([memory, context, question], -1)))


class SumUpdate(MemoryUpdate):
    r"""Add what was read, as MemN2N does: $m^t = m^{t-1} + c^t$ (Sukhbaatar et al., Eq. 4).

    Deviations: none.
    Cite: sukhbaatar2015
    """

    def forward(
        self,
        hop: int,
        memory: Float[Tensor, "batch hidden"],
        context: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
    ) -> Float[Tensor, "batch hidden"]:
        return memory + context


class Episodes(NamedTuple):
    """What all hops left behind, and what each of them read.

    Attributes:
        memory: after the last hop.
        hops: their readouts; the scores are those of the gate.
        remembered: what the slots gave to every hop; a recurrent read makes states of it and of
            the weights of a hop, one behind each slot.
    """

    memory: Float[Tensor, "batch hidden"]
    hops: tuple[Readout, ...]
    remembered: Float[Tensor, "batch slot _"]


class EpisodicMemory(nn.Module):
    r"""Read slots several times, each time by gates that know the question and the memory so far.

    $$ g^t = \mathrm{align}(\mathrm{gate}(f_i, m^{t-1}, q)), \quad
       c^t = \mathrm{read}(f, g^t), \quad m^t = \mathrm{update}(m^{t-1}, c^t, q), \quad m^0 = q $$
    (Kumar et al., section 2.3; Xiong et al., section 3.2)

    A hop that reads the *end of hops* most, a slot of its own with a learned vector, is the last
    one of its row: the memory stays as it is from there on. There are never more than `hops`. In
    training it stays by as much as the end was taken, $m^t = e^t m^{t-1} + (1 - e^t)
    \mathrm{update}(\ldots)$ with $e^t = \max_{s \le t} g^s_{end}$: a model that ends before it
    knows what to read would never learn it.

    Deviations: what is said of training; the paper does not say how the end is learned.
    Cite: kumar2016, xiong2016

    Args:
        gate: scores the slots.
        align: how much of each is taken.
        read: how they are read.
        update: what a hop leaves behind.
        hops: how many there are at most.
        ends: whether there is a slot that ends the hops; it stands before all others.

    Raises:
        ValueError: there is no hop.
    """

    def __init__(
        self,
        gate: Gate,
        align: Align,
        read: EpisodeRead,
        update: MemoryUpdate,
        hops: int = 3,
        ends: bool = False,
    ) -> None:
        super().__init__()
        at_least(1, "EpisodicMemory", hops=hops)
        self.gate, self.align, self.read, self.update, self.hops = gate, align, read, update, hops
        self.end = nn.Parameter(torch.zeros(gate.hidden)) if ends else None

    def forward(
        self,
        slots: Float[Tensor, "batch slot hidden"],
        mask: Bool[Tensor, "batch slot"],
        question: Float[Tensor, "batch hidden"],
    ) -> Episodes:
        """Read the slots of each row.

        Args:
            slots: in their order.
            mask: True where a slot may be read.
            question: what is asked.
        """
        if self.end is not None:
            slots = torch.cat([self.end.expand(len(slots), 1, -1), slots], 1)
            mask = torch.cat([mask.new_ones(len(mask), 1), mask], 1)
        places = Places.of(mask)  # only what may be read is computed with: much is padding
        readable = places.pick(slots)
        known = self.gate.remember(readable, question[places.row])
        remembered = places.lay_out(self.read.remember(readable))
        memory, ended, hops = question, slots.new_zeros(len(slots), 1), []
        for hop in range(self.hops):
            scores = places.lay_out(self.gate.match(known, memory[places.row]))
            context = AlignContext(query=memory.unsqueeze(-2))
            aligned = self.align.align(scores.unsqueeze(-2), mask.unsqueeze(-2), context)
            weights = aligned.dense(mask.shape[1]).squeeze(-2)
            value = self.read(remembered, weights, mask)
            hops.append(Readout(value.unsqueeze(-2), *aligned, scores=scores.unsqueeze(-2)))
            updated = self.update(hop, memory, value, question)
            if self.end is not None:
                ended = torch.maximum(ended, self._ends(weights))
                updated = torch.lerp(updated, memory, ended)
            memory = updated
        return Episodes(memory, tuple(hops), remembered)

    def _ends(self, weights: Float[Tensor, "batch slot"]) -> Float[Tensor, "batch 1"]:
        """Return how far each row ends with a hop: 0 or 1, but in training."""
        if self.training:
            return weights[:, :1]
        return (weights.argmax(-1, keepdim=True) == 0).to(weights.dtype)


class MeanOfSlots(nn.Module):
    r"""Read all slots alike at every hop, whatever is asked: the control of an attention.

    $$ c^t = \frac{1}{N} \sum_i f_i, \qquad m^t = \mathrm{update}(m^{t-1}, c^t, q) $$

    Deviations: no paper's; a control of this package.

    Args:
        update: what a hop leaves behind.
        hops: how many there are.

    Raises:
        ValueError: there is no hop.
    """

    def __init__(self, update: MemoryUpdate, hops: int) -> None:
        super().__init__()
        at_least(1, "MeanOfSlots", hops=hops)
        self.update, self.hops = update, hops

    def forward(
        self,
        slots: Float[Tensor, "batch slot hidden"],
        mask: Bool[Tensor, "batch slot"],
        question: Float[Tensor, "batch hidden"],
    ) -> Episodes:
        """Read the slots of each row; no hop has a readout, for nothing was chosen."""
        number = mask.sum(-1, keepdim=True).clamp(min=1)
        mean = slots.masked_fill(~mask.unsqueeze(-1), 0.0).sum(1) / number
        memory = question
        for hop in range(self.hops):
            memory = self.update(hop, memory, mean, question)
        return Episodes(memory, (), slots)

"""What a zone is found by: one key from the states in it, made anew at every write.

The proposal describes four ways (000, sections 4.1 to 4.4). Two cheaper ones stand beside them.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.encoders import SelfAttentionEncoder
from memnets.ops.sizes import at_least_one


class Running(NamedTuple):
    """A zone that is being filled, as its key remembers it.

    Attributes:
        filled: how many states it holds.
        parts: what the key is made of: sums, states of an LSTM, or the zone's states themselves.
    """

    filled: int
    parts: tuple[Float[Tensor, "..."], ...]


class ZoneKey(nn.Module, ABC):
    """Make the key of a zone from its states.

    Subclass it, set `dim`, write `encode` and `example`, and the conformance tests find and check
    it. A key that can be kept up to date as states come, without reading the old ones again, says
    so in `begin`, `extend` and `finish`.
    """

    dim: int
    """Width of a key."""
    hidden: int
    """Width of a state."""
    slots: int | None = None
    """How many slots a zone must have; None where it may have any number."""

    def forward(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        """Return the key of each zone; zero where it holds nothing.

        Args:
            values: its slots; those that are not filled have no effect, whatever they hold.
            filled: how many are.
        """
        told = torch.arange(values.shape[1], device=values.device) < filled[:, None]
        values = values.masked_fill(~told.unsqueeze(-1), 0.0)
        return self.encode(values, filled).masked_fill((filled == 0)[:, None], 0.0)

    @abstractmethod
    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        """Return the keys of zones whose other slots are zero; that of an empty one is not used."""

    def begin(self, values: Float[Tensor, "batch filled hidden"]) -> Running:
        """Return what is to be remembered of a zone that holds these states, maybe none."""
        return Running(values.shape[1], values.unbind(1))

    def extend(self, zone: Running, value: Float[Tensor, "batch hidden"]) -> Running:
        """Return the same of a zone with one more state."""
        return Running(zone.filled + 1, (*zone.parts, value))

    def finish(self, zone: Running) -> Float[Tensor, "batch dim"]:
        """Return the key of a zone that holds a state or more."""
        values = torch.stack(zone.parts, 1)
        filled = torch.full((len(values),), zone.filled, device=values.device)
        return self.encode(values, filled)

    @property
    def widths(self) -> dict[str, int]:
        """What it is made for, as the other parts of a cell say it."""
        return {"hidden": self.hidden, "key_dim": self.dim}

    @classmethod
    @abstractmethod
    def example(cls, hidden: int, slots: int) -> "ZoneKey":
        """Return a small instance for the conformance tests."""


class MLPKey(ZoneKey):
    r"""Several layers over all states of the zone at once (4.2).

    $$ x^0 = \mathrm{vec}(Z), \qquad x^m = \mathrm{ReLU}(W^m x^{m-1} + b^m), \qquad
       \mathrm{key} = x^M $$

    Empty slots are zeros. The first layer is a sum over the slots, so that a state that is written
    adds its part to it, and nothing else is computed again.

    Deviations: none.

    Args:
        hidden: width of a state.
        slots: how many a zone holds, L.
        dim: width of the key, and of every layer.
        depth: number of layers, M.
        relu: whether the last layer has its ReLU, as in the proposal. A key that it cut to zero
            matches every query alike.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, hidden: int, slots: int, dim: int, depth: int, relu: bool = True) -> None:
        super().__init__()
        at_least_one(type(self).__name__, hidden=hidden, slots=slots, dim=dim, depth=depth)
        self.dim, self.hidden, self.slots, self.relu = dim, hidden, slots, relu
        self.first = nn.Linear(slots * hidden, dim)
        self.deeper = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth - 1))

    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        return self._from_first(self._sum(values))

    def begin(self, values: Float[Tensor, "batch filled hidden"]) -> Running:
        return Running(values.shape[1], (self._sum(values),))

    def extend(self, zone: Running, value: Float[Tensor, "batch hidden"]) -> Running:
        start = zone.filled * self.hidden
        weight = self.first.weight[:, start : start + self.hidden]
        return Running(zone.filled + 1, (torch.addmm(zone.parts[0], value, weight.mT),))

    def finish(self, zone: Running) -> Float[Tensor, "batch dim"]:
        return self._from_first(zone.parts[0])

    def _sum(self, values: Float[Tensor, "batch filled hidden"]) -> Float[Tensor, "batch dim"]:
        flat = values.flatten(1)
        return F.linear(flat, self.first.weight[:, : flat.shape[1]], self.first.bias)

    def _from_first(self, x: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch dim"]:
        for layer in self.deeper:
            x = layer(x.relu())
        return x.relu() if self.relu else x

    @classmethod
    def example(cls, hidden: int, slots: int) -> "MLPKey":
        return cls(hidden, slots, dim=5, depth=3)


class LinearKey(MLPKey):
    r"""One layer over all states of the zone at once (4.1).

    $$ \mathrm{key} = \mathrm{ReLU}(W_s \, \mathrm{vec}(Z) + b_s) $$

    Deviations: none.

    Args:
        hidden: width of a state.
        slots: how many a zone holds, L.
        dim: width of the key.
        relu: whether the key goes through a ReLU, as in the proposal.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, hidden: int, slots: int, dim: int, relu: bool = True) -> None:
        super().__init__(hidden, slots, dim, depth=1, relu=relu)

    @classmethod
    def example(cls, hidden: int, slots: int) -> "LinearKey":
        return cls(hidden, slots, dim=5)


class BiLSTMKey(ZoneKey):
    r"""The last state of an LSTM that reads the zone, and of one that reads it backwards (4.3).

    $$ \mathrm{key} = W \, [\overrightarrow{s}_f; \overleftarrow{s}_1] + b $$

    where $f$ slots are filled.

    Deviations: the proposal says no more than "BiLSTM(Value)".

    Args:
        hidden: width of a state.
        dim: width of the key, and of either LSTM.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, hidden: int, dim: int) -> None:
        super().__init__()
        at_least_one("BiLSTMKey", hidden=hidden, dim=dim)
        self.dim, self.hidden = dim, hidden
        self.forwards = nn.LSTM(hidden, dim, batch_first=True)
        self.backwards = nn.LSTM(hidden, dim, batch_first=True)
        self.output = nn.Linear(2 * dim, dim)

    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        # Turned about within what is filled, the backward half ends at its first slot too.
        slot = torch.arange(values.shape[1], device=values.device)
        turned = torch.where(slot < filled[:, None], filled[:, None] - 1 - slot, slot)
        last = (filled - 1).clamp(min=0)[:, None, None].expand(-1, 1, self.dim)
        order = turned.unsqueeze(-1).expand_as(values)
        ends = [
            half(read)[0].gather(1, last).squeeze(1)
            for half, read in ((self.forwards, values), (self.backwards, values.gather(1, order)))
        ]
        return self.output(torch.cat(ends, -1))

    def begin(self, values: Float[Tensor, "batch filled hidden"]) -> Running:
        """Return the forward half's state, and the zone's, which the other half reads anew."""
        last = values.new_zeros(2, len(values), self.dim).unbind(0)
        return self._read_on(Running(0, last), values)

    def extend(self, zone: Running, value: Float[Tensor, "batch hidden"]) -> Running:
        return self._read_on(zone, value.unsqueeze(1))

    def finish(self, zone: Running) -> Float[Tensor, "batch dim"]:
        last, _, *values = zone.parts
        turned = torch.stack(values[::-1], 1)
        return self.output(torch.cat([last, self.backwards(turned)[0][:, -1]], -1))

    def _read_on(self, zone: Running, values: Float[Tensor, "batch new hidden"]) -> Running:
        last, cell, *before = zone.parts
        if values.shape[1]:
            _, ends = self.forwards(values, (last.unsqueeze(0), cell.unsqueeze(0)))
            last, cell = (end.squeeze(0) for end in ends)
        parts = (last, cell, *before, *values.unbind(1))
        return Running(zone.filled + values.shape[1], parts)

    @classmethod
    def example(cls, hidden: int, slots: int) -> "BiLSTMKey":
        return cls(hidden, dim=5)


class TransformerKey(ZoneKey):
    r"""The mean of what a Transformer's encoder makes of the zone (4.4).

    $$ \mathrm{key} = W \, \tfrac{1}{f} \textstyle\sum_{j \le f} \mathrm{enc}(Z)_j + b $$

    Places are counted within the zone; the norm stands before each part of a block.

    Deviations: the proposal says no more than "Transformer(Value)", and numbers it 4.3 as well.

    Args:
        hidden: width of a state.
        dim: width of the key, and of the encoder.
        heads: of its attention.
        layers: of the encoder.

    Raises:
        ValueError: a size is below 1, or the heads cannot share the width evenly.
    """

    def __init__(self, hidden: int, dim: int, heads: int = 1, layers: int = 1) -> None:
        super().__init__()
        at_least_one("TransformerKey", hidden=hidden, dim=dim, heads=heads, layers=layers)
        self.dim, self.hidden = dim, hidden
        self.encoder = SelfAttentionEncoder(hidden, dim, heads, layers, norm="before")
        self.output = nn.Linear(dim, dim)

    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        told = torch.arange(values.shape[1], device=values.device) < filled[:, None]
        return self.output(_mean(self.encoder(values, told), filled))

    @classmethod
    def example(cls, hidden: int, slots: int) -> "TransformerKey":
        return cls(hidden, dim=6, heads=2)


class MeanKey(ZoneKey):
    r"""The mean of the states, projected where the key has another width.

    $$ \mathrm{key} = W \, \tfrac{1}{f} \textstyle\sum_{j \le f} Z_j $$

    Deviations: not in the proposal; without its $L d_h d_k$ weights.

    Args:
        hidden: width of a state.
        dim: width of the key; $W$ is the identity where it is the same.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, hidden: int, dim: int) -> None:
        super().__init__()
        at_least_one(type(self).__name__, hidden=hidden, dim=dim)
        self.dim, self.hidden = dim, hidden
        self.project = nn.Identity() if dim == hidden else nn.Linear(hidden, dim, bias=False)

    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        return self.project(_mean(values, filled))

    def begin(self, values: Float[Tensor, "batch filled hidden"]) -> Running:
        return Running(values.shape[1], (values.sum(1),))

    def extend(self, zone: Running, value: Float[Tensor, "batch hidden"]) -> Running:
        return Running(zone.filled + 1, (zone.parts[0] + value,))

    def finish(self, zone: Running) -> Float[Tensor, "batch dim"]:
        return self.project(zone.parts[0] / zone.filled)

    @classmethod
    def example(cls, hidden: int, slots: int) -> "MeanKey":
        return cls(hidden, dim=5)


class LastKey(MeanKey):
    r"""The newest state of the zone, projected where the key has another width.

    $$ \mathrm{key} = W Z_f $$

    Deviations: not in the proposal.

    Args:
        hidden: width of a state.
        dim: width of the key; $W$ is the identity where it is the same.

    Raises:
        ValueError: a size is below 1.
    """

    def encode(
        self, values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch dim"]:
        last = (filled - 1).clamp(min=0)[:, None, None].expand(-1, 1, values.shape[-1])
        return self.project(values.gather(1, last).squeeze(1))

    def begin(self, values: Float[Tensor, "batch filled hidden"]) -> Running:
        return Running(values.shape[1], values[:, -1:].unbind(1))

    def extend(self, zone: Running, value: Float[Tensor, "batch hidden"]) -> Running:
        return Running(zone.filled + 1, (value,))

    def finish(self, zone: Running) -> Float[Tensor, "batch dim"]:
        return self.project(zone.parts[0])


def _mean(
    values: Float[Tensor, "batch slot hidden"], filled: Int[Tensor, " batch"]
) -> Float[Tensor, "batch hidden"]:
    """Return the mean of the filled slots; the others are zero."""
    return values.sum(1) / filled.clamp(min=1)[:, None].to(values.dtype)

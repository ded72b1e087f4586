"""Zones: a first-in first-out memory of N zones of L states each, every zone with a key."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.sizes import at_least

ToKey = Callable[
    [Float[Tensor, "batch slot hidden"], Int[Tensor, " batch"]], Float[Tensor, "batch dim"]
]
"""From the states of a zone, and how many there are, to its key."""


class Zones(NamedTuple):
    """The state of a memory of zones, oldest first; what is not filled is zero.

    Attributes:
        values: the states that were written.
        keys: what the zones are found by, as it was at their last write.
        written: how many states were ever written to each row; all else follows from it.
    """

    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone dim"]
    written: Int[Tensor, " batch"]

    def detach(self) -> "Zones":
        return self._replace(values=self.values.detach(), keys=self.keys.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "Zones":
        """Return a memory whose marked rows are as at the start."""
        return Zones(
            self.values.masked_fill(rows[:, None, None, None], 0.0),
            self.keys.masked_fill(rows[:, None, None], 0.0),
            self.written.masked_fill(rows, 0),
        )

    def index_select(self, index: Int[Tensor, " row"]) -> "Zones":
        """Return the memory's rows in another order or number (beam search, batching)."""
        return Zones(*(field.index_select(0, index) for field in self))


@dataclass(frozen=True)
class ZoneMemory:
    r"""Write to the first empty slot of the newest zone; where no zone has one, the oldest goes.

    Zone $i$, counted from 1, holds the states written at the steps $(i-1)L$ to $iL - 1$, counted
    from 0. After $c$ of them the newest is $m = \lceil c/L \rceil$, and the zones $\max(1, m-N+1)$
    to $m$ are remembered. A full memory forgets its oldest zone at the next write, not before.
    (the proposal, section 4)

    Deviations: the proposal can also be read as forgetting when the memory has
    become full; then one zone less could be read at times.

    Args:
        zones: how many are remembered, N.
        slots: how many states a zone holds, L.

    Raises:
        ValueError: there are none.
    """

    padded: ClassVar[bool] = False
    """Whether the empty slots of the zone that is being filled are read, as zeros."""
    zones: int
    slots: int

    def __post_init__(self) -> None:
        mend = "A memory of nothing is a choice of zones, NoZones()."
        at_least(1, type(self).__name__, mend, zones=self.zones, slots=self.slots)

    def init_state(self, batch: int, hidden: int, dim: int, like: Tensor) -> Zones:
        """Return an empty memory, of the precision and on the device of `like`."""
        return Zones(
            like.new_zeros(batch, self.zones, self.slots, hidden),
            like.new_zeros(batch, self.zones, dim),
            torch.zeros(batch, dtype=torch.int64, device=like.device),
        )

    def age(self, count: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """Return how many slots were ever taken, those among them that no state was written to."""
        return count

    def first(self, count: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """Return the number, from 0, of the oldest zone that is remembered."""
        return (self._opened(self.age(count)) - self.zones).clamp(min=0)

    def filled(self, count: Int[Tensor, " batch"]) -> Int[Tensor, "batch zone"]:
        """Return how many states each zone holds, oldest first; 0 where there is none."""
        return (self.steps(count) >= 0).sum(-1)

    def readable(self, count: Int[Tensor, " batch"]) -> Bool[Tensor, "batch zone slot"]:
        """Return which slots are read: those that hold a state."""
        return self._place(count) < self.age(count)[:, None, None]

    def steps(self, count: Int[Tensor, " batch"]) -> Int[Tensor, "batch zone slot"]:
        """Return the step, counted from 0, whose state each slot holds; -1 where there is none."""
        step = self._place(count) - (self.age(count) - count)[:, None, None]
        return step.masked_fill((step < 0) | (step >= count[:, None, None]), -1)

    def write(self, state: Zones, value: Float[Tensor, "batch hidden"], to_key: ToKey) -> Zones:
        """Return the memory with one more state in each row, and the key of its zone made anew.

        Args:
            state: the memory before.
            value: what is written.
            to_key: makes a zone's key.
        """
        count = self.age(state.written)
        # Opening a zone where none is left: everything moves up by one, the last zone is free.
        full = (count % self.slots == 0) & (count >= self.zones * self.slots)
        values = torch.where(full[:, None, None, None], state.values.roll(-1, 1), state.values)
        keys = torch.where(full[:, None, None], state.keys.roll(-1, 1), state.keys)
        zone = (count // self.slots).clamp(max=self.zones - 1)  # the newest
        row = torch.arange(len(count), device=count.device)
        slot = torch.arange(self.slots, device=count.device)
        here = (slot == (count % self.slots)[:, None]).unsqueeze(-1)
        before = (slot < (count % self.slots)[:, None]).unsqueeze(-1)
        newest = torch.where(before, values[row, zone], 0.0)
        newest = torch.where(here, value.unsqueeze(1), newest)
        key = to_key(newest, count % self.slots + 1)
        chosen = torch.arange(self.zones, device=count.device) == zone[:, None]
        return Zones(
            torch.where(chosen[..., None, None], newest.unsqueeze(1), values),
            torch.where(chosen[..., None], key.unsqueeze(1), keys),
            state.written + 1,
        )

    def _place(self, count: Int[Tensor, " batch"]) -> Int[Tensor, "batch zone slot"]:
        """Return the number, from 0, of each slot among all that were ever taken."""
        place = torch.arange(self.zones * self.slots, device=count.device)
        return place.view(self.zones, self.slots) + self.first(count)[:, None, None] * self.slots

    def _opened(self, count: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        return (count + self.slots - 1) // self.slots


class BlankZones(ZoneMemory):
    """Zones that are all there from the start, full of zeros that are read like states.

    They go one by one, as zones of states are opened. No step wrote them: `steps` names none for
    them, and a row that is reset has them again.

    Deviations: not in the proposal.

    Args:
        zones: how many are remembered, N.
        slots: how many states a zone holds, L.

    Raises:
        ValueError: there are none.
    """

    def age(self, count: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        return count + self.zones * self.slots


class PaddedZones(BlankZones):
    """Zones whose slots are all read at every step, the empty ones as zeros.

    Those of the zone that is being filled too, so that its states are read the less, the fewer
    they are.

    Deviations: not in the proposal. Its author's code did so; it is here to be compared with.

    Args:
        zones: how many are remembered, N.
        slots: how many states a zone holds, L.

    Raises:
        ValueError: there are none.
    """

    padded: ClassVar[bool] = True

    def readable(self, count: Int[Tensor, " batch"]) -> Bool[Tensor, "batch zone slot"]:
        return torch.ones_like(self._place(count), dtype=torch.bool)

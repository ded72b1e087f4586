"""A row of slots: the memory of stories, sentences and facts."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.sizes import at_least


class Slots(NamedTuple):
    """The state of a slot memory: what slots are found by, what they hold, which are filled."""

    keys: Float[Tensor, "batch slot dim"]
    values: Float[Tensor, "batch slot _"]
    mask: Bool[Tensor, "batch slot"]

    def detach(self) -> "Slots":
        return self._replace(keys=self.keys.detach(), values=self.values.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "Slots":
        """Return a memory whose marked rows are empty."""
        gone = rows[:, None, None]
        return self._replace(
            keys=self.keys.masked_fill(gone, 0.0),
            values=self.values.masked_fill(gone, 0.0),
            mask=self.mask & ~rows[:, None],
        )

    def index_select(self, index: Int[Tensor, " row"]) -> "Slots":
        """Return the memory's rows in another order or number (beam search, batching)."""
        return type(self)(*(field.index_select(0, index) for field in self))


class SharedSlots(NamedTuple):
    """Slots that are sums of entries which many rows share: a sentence, and when it was told.

    Read them with `attention.attend_shared(query, *slots)`.
    """

    keys: Float[Tensor, "entry dim"]
    values: Float[Tensor, "entry _"]
    entries: Int[Tensor, "batch slot part"]
    mask: Bool[Tensor, "batch slot"]

    def laid_out(self) -> Slots:
        """Return the same memory with every slot of every row by itself."""
        keys, values = self.keys[self.entries].sum(-2), self.values[self.entries].sum(-2)
        hole = ~self.mask.unsqueeze(-1)
        return Slots(keys.masked_fill(hole, 0.0), values.masked_fill(hole, 0.0), self.mask)


@dataclass(frozen=True)
class SlotMemory:
    r"""Write to the next free slot; where none is free, the oldest goes.

    $$ m_N = x, \quad N \leftarrow N + 1 $$  (Weston et al., section 3.1, the function $S(x)$)

    Filled slots come first, oldest to newest. Read it with
    `attention(query, slots.keys, slots.values, slots.mask.unsqueeze(-2))`.

    Deviations: the paper's memory grows without bound; this one forgets its oldest slot.
    Cite: weston2014

    Args:
        slots: how many slots there are.
        key_dim: width of a key.
        value_dim: width of a value.

    Raises:
        ValueError: a size is below 1.
    """

    slots: int
    key_dim: int
    value_dim: int

    def __post_init__(self) -> None:
        sizes = {"slots": self.slots, "key_dim": self.key_dim, "value_dim": self.value_dim}
        mend = "A memory needs a slot to write to and a width to hold."
        at_least(1, "SlotMemory", mend, **sizes)

    def init_state(self, batch: int) -> Slots:
        """Return an empty memory for `batch` rows."""
        return Slots(
            torch.zeros(batch, self.slots, self.key_dim),
            torch.zeros(batch, self.slots, self.value_dim),
            torch.zeros(batch, self.slots, dtype=torch.bool),
        )

    def step(
        self,
        state: Slots,
        key: Float[Tensor, "batch dim"],
        value: Float[Tensor, "batch _"],
    ) -> Slots:
        """Return the memory with one more slot written in each row."""
        full = state.mask[:, -1:]
        # A full row forgets its oldest slot: everything moves up by one, the last slot is free.
        free = torch.where(full, self.slots - 1, state.mask.sum(-1, keepdim=True))
        here = torch.arange(self.slots, device=key.device) == free
        keys = torch.where(full[..., None], state.keys.roll(-1, 1), state.keys)
        values = torch.where(full[..., None], state.values.roll(-1, 1), state.values)
        return Slots(
            torch.where(here[..., None], key[:, None], keys),
            torch.where(here[..., None], value[:, None], values),
            state.mask | here,
        )

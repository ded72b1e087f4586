"""Batches of unequal rows, of which a large part may be padding: compute with what is there."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


class Places(NamedTuple):
    """Where the slots of a batch stand that may be read, row after row.

    What is computed of each slot by itself, such as a linear layer, costs only these where it is
    done between `pick` and `lay_out`.
    """

    flat: Int[Tensor, " readable"]
    """Their places in the batch as one row."""
    row: Int[Tensor, " readable"]
    shape: tuple[int, int]
    """Rows and slots of the batch."""

    @classmethod
    def of(cls, mask: Bool[Tensor, "batch slot"]) -> "Places":
        """Return the places of a mask; it waits for the device to have counted them."""
        flat = mask.flatten().nonzero().squeeze(-1)
        slots = max(mask.shape[1], 1)
        return cls(flat, flat.div(slots, rounding_mode="floor"), (mask.shape[0], mask.shape[1]))

    def numbered(self) -> Int[Tensor, "batch slot"]:
        """Return of each slot how many that may be read stand before it; -1 of all others."""
        rows, slots = self.shape
        order = torch.arange(len(self.flat), device=self.flat.device)
        numbers = order.new_full((rows * slots,), -1).index_copy_(0, self.flat, order)
        return numbers.unflatten(0, (rows, slots))

    def pick(self, slots: Float[Tensor, "batch slot dim"]) -> Float[Tensor, "readable dim"]:
        """Return the slots that may be read, one below the other."""
        return slots.flatten(0, 1).index_select(0, self.flat)

    def lay_out(self, picked: Float[Tensor, "*picked"]) -> Float[Tensor, "batch slot *_"]:
        """Return what was picked in its places, and zeros in all others."""
        rows, slots = self.shape
        empty = picked.new_zeros(rows * slots, *picked.shape[1:])
        return empty.index_copy(0, self.flat, picked).unflatten(0, (rows, slots))


def turned(length: Int[Tensor, " batch"], time: int) -> Int[Tensor, "batch {time}"]:
    """Return the places of sequences read from the last to the first; what is behind stays.

    Args:
        length: of the sequences.
        time: how many places there are.
    """
    place = torch.arange(time, device=length.device)
    mirrored = length.unsqueeze(-1) - 1 - place
    return torch.where(mirrored >= 0, mirrored, place)

"""Inputs of a read: drawn once, then cut, reordered, grown and poisoned by the checks."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor

from memnets.attention import AlignContext

# Distinct primes: a swapped axis cannot pass.
BATCH, QUERIES, SLOTS = 2, 3, 13
QUERY_DIM, KEY_DIM, VALUE_DIM = 5, 7, 11
SEED = 20150917

# The rows hold 11 and 6 sentences, and a hole each; slots 11 and 12 no row can read.
FILLED = ((0, 1, 2, 3, 5, 6, 7, 8, 9, 10), (0, 2, 3, 4, 5))


@dataclass(frozen=True)
class Inputs:
    """All that a read may need: queries, a memory, its mask and everything in the context."""

    query: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor
    length: Tensor
    step: Tensor
    positions: Tensor
    previous: Tensor
    coverage: Tensor
    strength: Tensor

    def context(self) -> AlignContext:
        """Return the context; its generator starts from the same seed each time."""
        return AlignContext(
            query=self.query,
            positions=self.positions,
            length=self.length,
            step=self.step,
            previous=self.previous,
            coverage=self.coverage,
            strength=self.strength,
            generator=torch.Generator().manual_seed(SEED),
        )

    def to(self, dtype: torch.dtype) -> "Inputs":
        """Return the same numbers in another precision."""
        return self._each(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def row(self, row: int) -> "Inputs":
        """Return one row of the batch, without the batch axis."""
        # The positions are the same for all rows and have no batch axis.
        return replace(self._each(lambda tensor: tensor[row]), positions=self.positions)

    def rows(self, rows: slice) -> "Inputs":
        """Return some rows of the batch."""
        return replace(self._each(lambda tensor: tensor[rows]), positions=self.positions)

    def ask(self, queries: slice) -> "Inputs":
        """Return the same memory for some of the queries."""
        return replace(
            self,
            query=self.query[..., queries, :],
            previous=self.previous[..., queries, :],
            coverage=self.coverage[..., queries, :],
            strength=self.strength[..., queries],
        )

    def reorder(self, order: Tensor) -> "Inputs":
        """Return the slots in another order; the places themselves stay where they are."""
        return replace(
            self,
            keys=self.keys[..., order, :],
            values=self.values[..., order, :],
            mask=self.mask[..., order],
            previous=self.previous[..., order],
            coverage=self.coverage[..., order],
        )

    def grow(self, room: int) -> "Inputs":
        """Return the memory with spare slots at its end, full of NaN."""
        nan, length = float("nan"), self.keys.shape[-2] + room
        pad = torch.nn.functional.pad
        return replace(
            self,
            keys=pad(self.keys, (0, 0, 0, room), value=nan),
            values=pad(self.values, (0, 0, 0, room), value=nan),
            mask=pad(self.mask, (0, room), value=False),
            previous=pad(self.previous, (0, room)),
            coverage=pad(self.coverage, (0, room)),
            positions=torch.arange(length),
        )

    def poison(self) -> "Inputs":
        """Return the memory with NaN in every slot that no query may read."""
        unreadable = ~self.mask.any(-2).unsqueeze(-1)
        return replace(
            self,
            keys=self.keys.masked_fill(unreadable, float("nan")),
            values=self.values.masked_fill(unreadable, float("nan")),
        )

    def hide_all(self) -> "Inputs":
        """Return the memory with nothing to read."""
        return replace(self, mask=torch.zeros_like(self.mask))

    def _each(self, change: Callable[[Tensor], Tensor]) -> "Inputs":
        return replace(
            self, **{field.name: change(getattr(self, field.name)) for field in fields(self)}
        )


def draw(query_dim: int = QUERY_DIM, key_dim: int = KEY_DIM, queries: int = QUERIES) -> Inputs:
    """Draw inputs, the same ones for the same sizes."""
    generator = torch.Generator().manual_seed(SEED)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    mask = torch.zeros(BATCH, 1, SLOTS, dtype=torch.bool)
    for row, filled in enumerate(FILLED):
        mask[row, 0, list(filled)] = True
    previous = normal(BATCH, queries, SLOTS).masked_fill(~mask, -torch.inf).softmax(-1)
    return Inputs(
        query=normal(BATCH, queries, query_dim),
        keys=normal(BATCH, SLOTS, key_dim),
        values=normal(BATCH, SLOTS, VALUE_DIM),
        mask=mask,
        length=torch.tensor([max(filled) + 1 for filled in FILLED]),
        step=torch.tensor([5, 2]),
        positions=torch.arange(SLOTS),
        previous=previous,
        coverage=previous + previous.roll(1, -2),
        strength=normal(BATCH, queries).exp(),
    )


def shuffled(slots: int) -> Tensor:
    """Return the slots in another order, always the same one."""
    return torch.randperm(slots, generator=torch.Generator().manual_seed(SEED))

"""Reading through windows: consecutive queries that each see the slots about their own place.

A mask over all pairs costs queries x slots. Here queries go in blocks, and a block meets only the
slab of slots that its windows touch, which is a view of the memory.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from memnets.ops.dot import read_dot
from memnets.ops.native import plain_is_forced

BLOCK = 32
"""Queries in a block; 16 and 64 are as fast."""

FEW_SLABS = 4
"""A memory of fewer slabs is read under a mask: with 32 queries a block that is the faster way."""

Attend = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def read_windows(
    query: Float[Tensor, "*batch query dim"],
    keys: Float[Tensor, "*batch slot _"],
    values: Float[Tensor, "*batch slot _"],
    window: int,
    first: int = 0,
    mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    attend: Attend = read_dot,
) -> Float[Tensor, "*batch query _"]:
    r"""Let query $i$ read the slots $[p_i - D, p_i + D]$ about its place $p_i = p_0 + i$.

    A window with nothing readable in it gives what `attend` gives for such a row.

    Args:
        query: consecutive queries.
        keys: what the slots are found by; finite also where the mask is False.
        values: what is read from them.
        window: slots on either side, $D$.
        first: the place of the first query, $p_0$.
        mask: True where a slot may be read.
        attend: reads values by (query, keys, values, mask), over any number of batch axes.
    """
    queries, slots = query.shape[-2], keys.shape[-2]
    size = min(BLOCK, queries)
    slab = size + 2 * window
    if plain_is_forced() or queries == 0 or slots < FEW_SLABS * slab:
        return attend(query, keys, values, band(query, slots, window, first, mask))
    blocks = -(-queries // size)
    start = first - window
    rows = torch.arange(blocks * size, device=query.device).view(blocks, size, 1)
    places = torch.arange(slab, device=query.device) + start + rows[:, :1] - rows[0, 0]
    near = (places - first - rows).abs() <= window
    near &= (places >= 0) & (places < slots) & (rows < queries)
    if mask is not None:
        whole = mask.expand(*mask.shape[:-2], queries, slots)
        near = near & whole[..., rows.clamp(max=queries - 1), places.clamp(0, slots - 1)]
    found = attend(
        F.pad(query, (0, 0, 0, blocks * size - queries)).unflatten(-2, (blocks, size)),
        _slabs(keys, start, blocks, size, slab),
        _slabs(values, start, blocks, size, slab),
        near,
    )
    return found.flatten(-3, -2)[..., :queries, :]


def band(
    query: Float[Tensor, "*batch query dim"],
    slots: int,
    window: int,
    first: int = 0,
    mask: Bool[Tensor, "*#batch #query slot"] | None = None,
) -> Bool[Tensor, "*#batch query slot"]:
    """Return the windows as a mask over all pairs."""
    places = torch.arange(slots, device=query.device)
    centres = first + torch.arange(query.shape[-2], device=query.device).unsqueeze(-1)
    near = (places - centres).abs() <= window
    return near if mask is None else near & mask


def _slabs(memory: Tensor, start: int, blocks: int, size: int, slab: int) -> Tensor:
    """Lay a slab of slots before each block, zeros where it reaches over the ends of the memory."""
    stop, slots = start + (blocks - 1) * size + slab, memory.shape[-2]
    inside = memory[..., min(max(start, 0), slots) : min(max(stop, 0), slots), :]
    before = max(-start, 0)
    after = stop - start - before - inside.shape[-2]
    return F.pad(inside, (0, 0, before, after)).unfold(-2, slab, size).mT

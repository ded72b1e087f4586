"""Rules of what may be chosen next, for points that were read."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Int
from torch import Tensor

Rule = Callable[[Tensor, Tensor, int], Tensor]
"""`rule(said, length, slots) -> mask`: of rows that have said the slots `(row, word)`, and have
`(row,)` points, what each may choose of `(slots,)`: Bool `(row, slots)`. Slot 0 is the stop. That a
row chooses no point that it does not have is seen to elsewhere."""

CORNERS = 3
"""The fewest of a polygon."""


def anything(
    said: Int[Tensor, "row word"], length: Int[Tensor, " row"], slots: int
) -> Bool[Tensor, "row slot"]:
    """Allow every point, again too, and the stop at any time: what the paper does for hulls."""
    return torch.ones(len(said), slots, dtype=torch.bool, device=said.device)


def each_once(
    said: Int[Tensor, "row word"], length: Int[Tensor, " row"], slots: int
) -> Bool[Tensor, "row slot"]:
    """Allow every point once, and the stop when all have been chosen."""
    may = ~_said(said, slots)
    may[:, 0] = said.shape[1] >= length
    return may


def tour(
    said: Int[Tensor, "row word"], length: Int[Tensor, " row"], slots: int
) -> Bool[Tensor, "row slot"]:
    """Allow tours: point 1 first, every other once, the stop when all have been visited."""
    if said.shape[1]:
        return each_once(said, length, slots)
    may = torch.zeros(len(said), slots, dtype=torch.bool, device=said.device)
    may[:, 1:2] = True
    may[:, 0] = length == 0
    return may


def closed_polygon(
    said: Int[Tensor, "row word"], length: Int[Tensor, " row"], slots: int
) -> Bool[Tensor, "row slot"]:
    """Allow polygons: no point twice but the first, which closes it after three; then the stop."""
    words = said.shape[1]
    may = ~_said(said, slots)
    may[:, 0] = False
    if words >= CORNERS:
        first = said[:, :1]
        closed = (said[:, -1:] == first).squeeze(1)
        may.scatter_(1, first, True)
        may[closed] = False
        may[:, 0] = closed
    return may


def _said(said: Tensor, slots: int) -> Bool[Tensor, "row slot"]:
    """Return which slots have been chosen."""
    marks = torch.zeros(len(said), slots, dtype=torch.bool, device=said.device)
    return marks.scatter_(1, said, True)

"""Keys to find slots by, values to read from them, and only those slots that hashing has left.

A memory may have millions of slots, a question a handful of candidates among them, and each
question another number. So all of this is ragged: rows of unequal length laid end to end.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from memnets.ops.masking import widen


class Ragged(NamedTuple):
    """Rows of numbers, of unequal length: row i is `items[offsets[i]:offsets[i + 1]]`.

    A row is a bag of words, or the slots that a question may read.
    """

    items: Int[Tensor, " item"]
    offsets: Int[Tensor, " edge"]

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> "Ragged":
        """Lay rows end to end."""
        rows = list(rows)
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        items = np.fromiter(chain.from_iterable(rows), np.int64, offsets[-1])
        return cls(torch.from_numpy(items), torch.from_numpy(offsets))

    @property
    def rows(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Int[Tensor, " row"]:
        return self.offsets.diff()

    def owners(self) -> Int[Tensor, " item"]:
        """Return which row every item is in."""
        rows = torch.arange(self.rows, device=self.items.device)
        return rows.repeat_interleave(self.lengths, output_size=len(self.items))

    def row(self, number: int) -> list[int]:
        first, last = self.offsets[number : number + 2].tolist()
        row: list[int] = self.items[first:last].tolist()
        return row

    def take(self, rows: Int[Tensor, " row"]) -> "Ragged":
        """Return some rows, in the order asked for."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]  # of those alone: there are many
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        # Where a row begins there, less where it begins here.
        shift = (self.offsets[rows] - offsets[:-1]).repeat_interleave(lengths)
        return Ragged(self.items[shift + torch.arange(len(shift), device=shift.device)], offsets)

    def numbered(self) -> "Ragged":
        """Return rows of the same lengths whose items are numbered through."""
        return Ragged(torch.arange(len(self.items), device=self.items.device), self.offsets)

    def thinned(self, share: float, generator: torch.Generator) -> "Ragged":
        """Leave out a share of the items, drawn on the generator's device, which must be theirs."""
        if not share:
            return self
        draw = torch.rand(len(self.items), generator=generator, device=generator.device)
        kept = draw >= share
        lengths = torch.zeros_like(self.lengths).index_add(0, self.owners(), kept.long())
        return Ragged(self.items[kept], torch.cat([lengths.new_zeros(1), lengths.cumsum(0)]))


class KeyValues(NamedTuple):
    """A memory: for every slot the words of its key, and those of its value."""

    keys: Ragged
    values: Ragged

    def take(self, slots: Int[Tensor, " slot"]) -> "KeyValues":
        """Return some slots."""
        return KeyValues(self.keys.take(slots), self.values.take(slots))


class SlotsRead(NamedTuple):
    """What each question has read, and how much of each of its candidates.

    Attributes:
        value: the read itself; zero for a question without candidates, as of one NULL slot.
        weights: one a candidate; those of a question sum to 1.
        candidates: the slots that the weights are of, question by question.
    """

    value: Float[Tensor, "query dim"]
    weights: Float[Tensor, " candidate"]
    candidates: Ragged


def read_candidates(
    query: Float[Tensor, "query dim"],
    keys: Float[Tensor, "candidate dim"],
    values: Float[Tensor, "candidate _"],
    candidates: Ragged,
) -> SlotsRead:
    r"""Address the candidates of every question by their keys, and read their values.

    $$ p_i = \mathrm{softmax}_i(q \cdot k_i), \qquad o = \sum_i p_i v_i $$
    (Miller et al., section 3.1)

    The softmax is over a question's own candidates: other slots have no share, nor any cost.

    Deviations: none.
    Cite: miller2016

    Args:
        query: one a question.
        keys: of the candidates, those of the first question first.
        values: of the same.
        candidates: which slots they are, and where each question's begin.
    """
    owners = candidates.owners()
    weights = softmax_by_row((query[owners] * keys).sum(-1), candidates)
    value = values.new_zeros(candidates.rows, values.shape[-1])
    value = value.index_add(0, owners, weights.unsqueeze(-1) * values)
    return SlotsRead(value, weights, candidates)


def read_all(
    query: Float[Tensor, " dim"], keys: Float[Tensor, "slot dim"], values: Float[Tensor, "slot _"]
) -> tuple[Float[Tensor, " _"], Float[Tensor, " slot"]]:
    """Return what one question reads that may read every slot, and how much of each.

    The same as by `read_candidates`, to the last bit, in a third of its operations.
    """
    scores = (query * keys).sum(-1)
    wide = widen(scores)
    shares = (wide - wide.max()).exp()
    first = torch.zeros(len(keys), dtype=torch.long, device=keys.device)
    weights = (shares / shares.new_zeros(1).index_add_(0, first, shares)).to(scores.dtype)
    value = values.new_zeros(1, values.shape[-1])
    return value.index_add_(0, first, weights.unsqueeze(-1) * values)[0], weights


def softmax_by_row(scores: Float[Tensor, " item"], rows: Ragged) -> Float[Tensor, " item"]:
    """Return the softmax of the scores of each row; an empty row has none."""
    owners, wide = rows.owners(), widen(scores.unsqueeze(0)).squeeze(0)
    top = wide.new_zeros(rows.rows)
    top = top.scatter_reduce(0, owners, wide.detach(), "amax", include_self=False)
    shares = (wide - top[owners]).exp()
    total = wide.new_zeros(rows.rows).index_add(0, owners, shares)
    return (shares / total[owners]).to(scores.dtype)

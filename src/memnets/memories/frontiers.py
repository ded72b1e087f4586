"""Facts as a key-value memory that is hashed anew at every hop, by what the last hop read.

A slot is a relation in one direction. Its key is that slot, its values are what the facts say: all
that the entities of a frontier lead to by it. What is read is the next frontier, and only the slots
that some entity of it has can be addressed next.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.memories.keyvalue import Ragged


class Frontier(NamedTuple):
    """The entities that each question has come to; every one stands once in its row.

    Attributes:
        entities: row by row, by their numbers.
        weights: in how many ways each was come to.
    """

    entities: Ragged
    weights: Float[Tensor, " item"]

    @classmethod
    def at(cls, entities: Int[Tensor, " row"]) -> "Frontier":
        """Begin each row at one entity, come to in one way."""
        edges = torch.arange(len(entities) + 1, device=entities.device)
        return cls(Ragged(entities, edges), torch.ones(len(entities), device=entities.device))

    def without(self, entities: Int[Tensor, " row"]) -> "Frontier":
        """Return the frontier without one entity of each row; nothing else changes."""
        return self.kept(self.entities.items != entities[self.entities.owners()])

    def kept(self, chosen: Bool[Tensor, " item"]) -> "Frontier":
        """Return the frontier with some of its entities alone."""
        owners = self.entities.owners()[chosen]
        rows = Ragged(self.entities.items[chosen], offsets_of(owners, self.entities.rows))
        return Frontier(rows, self.weights[chosen])

    def or_else(self, other: "Frontier", rows: Bool[Tensor, " row"]) -> "Frontier":
        """Return some rows of this frontier, and the rest of another one."""
        mine = self.kept(rows[self.entities.owners()])
        theirs = other.kept(~rows[other.entities.owners()])
        owners = torch.cat([mine.entities.owners(), theirs.entities.owners()])
        order = owners.argsort(stable=True)
        items = torch.cat([mine.entities.items, theirs.entities.items])[order]
        weights = torch.cat([mine.weights, theirs.weights])[order]
        return Frontier(Ragged(items, offsets_of(owners, len(rows))), weights)

    def ranked(self) -> "Frontier":
        """Return every row's entities in order, those first that were come to in most ways."""
        order = self.weights.sort(descending=True, stable=True).indices
        order = order[self.entities.owners()[order].argsort(stable=True)]
        rows = self.entities._replace(items=self.entities.items[order])
        return Frontier(rows, self.weights[order])

    def first(self) -> Int[Tensor, " row"]:
        """Return the entity of each row that was come to in most ways; -1 where there is none."""
        items, offsets = self.ranked().entities
        found = items.new_full((self.entities.rows,), -1)
        some = self.entities.lengths > 0
        found[some] = items[offsets[:-1][some]]
        return found


class FactMemory(NamedTuple):
    """Facts by entity and slot.

    Attributes:
        ends: what entity `e` leads to by slot `s` is row `e * slots + s`.
        has: which slots an entity has.
    """

    ends: Ragged
    has: Bool[Tensor, "entity slot"]

    @classmethod
    def of(cls, facts: Int[Tensor, "fact 3"], entities: int, slots: int) -> "FactMemory":
        """Lay facts out.

        Args:
            facts: entity, slot, and the entity that it leads to.
            entities: how many there are.
            slots: how many there are.
        """
        rows = facts[:, 0] * slots + facts[:, 1]
        order = rows.argsort(stable=True)
        offsets = offsets_of(rows, entities * slots)
        has = (offsets.diff() > 0).unflatten(0, (entities, slots))
        return cls(Ragged(facts[order, 2], offsets), has)

    @property
    def slots(self) -> int:
        return self.has.shape[1]

    def hashed(self, frontier: Frontier) -> Bool[Tensor, "row slot"]:
        """Return the slots that some entity of each row has: all that can be addressed."""
        rows = frontier.entities
        found = torch.zeros(rows.rows, self.slots, dtype=torch.long, device=rows.items.device)
        return found.index_add(0, rows.owners(), self.has[rows.items].long()) > 0

    def read(self, frontier: Frontier, slots: Int[Tensor, " row"]) -> Frontier:
        """Return what the entities of each row lead to by the slot that it has chosen."""
        rows = frontier.entities
        owners = rows.owners()
        read = self.ends.take(rows.items * self.slots + slots[owners])
        by = read.owners()
        entities = self.has.shape[0]
        found, place = (owners[by] * entities + read.items).unique(return_inverse=True)
        weights = frontier.weights.new_zeros(len(found)).index_add(0, place, frontier.weights[by])
        owners = found.div(entities, rounding_mode="floor")
        return Frontier(Ragged(found % entities, offsets_of(owners, rows.rows)), weights)


def offsets_of(owners: Int[Tensor, " item"], rows: int) -> Int[Tensor, " edge"]:
    """Return where each row begins of items whose rows these are."""
    counts = torch.bincount(owners, minlength=rows)
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])

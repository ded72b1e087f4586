"""CRAN over a window of steps without its memory being copied at each of them.

The same numbers as the cell gives step by step, where all rows are of one age. What differs:

- the halves of all products that see the input are taken for all steps at once;
- every state is projected once, when it is written, and every old slot once a window;
- the key of the zone that is being filled is kept up to date by what the new state adds;
- the zones that were full before the window ("old") stay where they are and the others ("young")
  stand beside them: nothing is shifted, nothing is written in place.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from memnets.attention.scores import InnerProduct
from memnets.layers.zone_choice import NoZones
from memnets.layers.zone_keys import Running
from memnets.models.cran.cell import CRANCell, CRANState
from memnets.models.cran.parts import Affine, InputQuery
from memnets.ops.masking import widen


class _Zone(NamedTuple):
    """A young zone that is full, or what the open one holds so far."""

    values: Float[Tensor, "batch slot hidden"]
    projected: Float[Tensor, "batch slot width"]
    key: Float[Tensor, "batch dim"]


class _Open(NamedTuple):
    """The zone that is being filled; its key is None while it holds nothing."""

    values: tuple[Float[Tensor, "batch hidden"], ...]
    projected: tuple[Float[Tensor, "batch width"], ...]
    key: Float[Tensor, "batch dim"] | None
    running: Running

    def so_far(self) -> list[_Zone]:
        if self.key is None:
            return []
        return [_Zone(torch.stack(self.values, 1), torch.stack(self.projected, 1), self.key)]


class _Asked:
    """The queries of all steps, and what the old memory answers to them.

    Where a query needs no state, all of its old logits are one product.
    """

    def __init__(
        self,
        affine: Affine | InputQuery,
        score: InnerProduct,
        x: Float[Tensor, "batch time dim"],
        old: Float[Tensor, "batch old width"],
        shape: Callable[[Tensor], Tensor],
    ) -> None:
        self.affine, self.score, self.old, self.shape = affine, score, old, shape
        self.halves = affine.from_input(x)
        self.queries = None if affine.state else shape(self.halves)
        self.early = None if self.queries is None else score.match(self.queries, old)

    def at(
        self, step: int, hidden: Float[Tensor, "batch hidden"]
    ) -> tuple[Float[Tensor, "batch 1 width"], Float[Tensor, "batch old"]]:
        """Return the query of a step, and how well the old memory matches it."""
        if self.queries is not None and self.early is not None:
            return self.queries[:, step : step + 1], self.early[:, step]
        query = self.shape(self.affine.complete(self.halves[:, step], hidden)).unsqueeze(1)
        return query, self.score.match(query, self.old).squeeze(1)


class Window:
    """A memory while a window passes over it.

    Args:
        cell: what a step does.
        state: what the window starts from; all its rows are of one age.
        detached: whether gradient is cut at every step.
    """

    def __init__(self, cell: CRANCell, state: CRANState, detached: bool) -> None:
        self.cell, self.detached, self.slots = cell, detached, cell.memory.slots
        self.reads = not isinstance(cell.choice, NoZones)
        self.hidden, self.written = state.hidden, state.written
        self.count = int(cell.memory.age(state.written)[0])  # slots ever taken
        self.first = self._oldest()  # the number of the zone that stands first in `old`
        full, left = divmod(self.count - self.first * self.slots, self.slots)
        self.old_values = state.values[:, :full].flatten(1, 2)
        self.old_keys = state.keys[:, :full]
        self.full: list[_Zone] = []
        self.open = self._begin(state.values[:, full, :left] if left else state.values[:, 0, :0])
        if left:
            self.open = self.open._replace(key=state.keys[:, full])

    def run(
        self, x: Float[Tensor, "batch time dim"]
    ) -> tuple[Float[Tensor, "batch time hidden"], CRANState]:
        """Run over all steps; return their states, and what is carried on."""
        cell, output = self.cell, []
        old_slots = cell.slot_score.remember(self._project(self.old_values))
        old_zones = cell.zone_score.remember(self.old_keys)
        zones = _Asked(cell.query, cell.zone_score, x, old_zones, _as_it_is)
        slots = _Asked(cell.read.query, cell.slot_score, x, old_slots, torch.relu)
        for step, half in enumerate(cell.update.from_input(x).unbind(1)):
            self.hidden = cell.update.complete(half, self._read(step, zones, slots))
            output.append(self.hidden)
            if self.detached:
                self.hidden = self.hidden.detach()
            self._write(self.hidden)
        return torch.stack(output, 1), self._state()

    def _read(self, step: int, zones: _Asked, slots: _Asked) -> Float[Tensor, "batch hidden"]:
        """Return y (eq. 1 to 4)."""
        young = [*self.full, *map(self._as_read, self.open.so_far())]
        old = self.old_keys.shape[1]
        gone = self._oldest() - self.first
        if not self.reads or not old - gone + len(young):
            return torch.zeros_like(self.hidden)
        alpha = self._choose(step, zones, young, gone)
        asked, logits = slots.at(step, self.hidden)
        within = widen(logits.unflatten(-1, (old, self.slots))).softmax(-1)
        y = self._take(alpha[:, :old], within, self.old_values)
        for place, zone in enumerate(young, start=old):
            match = self.cell.slot_score.match(asked, self._remembered(zone.projected))
            y = y + self._take(alpha[:, place : place + 1], widen(match).softmax(-1), zone.values)
        return y

    def _choose(
        self, step: int, zones: _Asked, young: list[_Zone], gone: int
    ) -> Float[Tensor, "batch zone"]:
        """Return the weight of every zone that stands here; those that are forgotten get none."""
        query, logits = zones.at(step, self.hidden)
        if young:
            keys = torch.stack([zone.key for zone in young], 1)
            match = self.cell.zone_score.match(query, self.cell.zone_score.remember(keys))
            logits = torch.cat([logits, match.squeeze(1)], -1)
        logits = logits[:, gone:]
        live = torch.ones_like(logits, dtype=torch.bool)
        chosen = self.cell.choice(logits, live, self.written)
        return F.pad(chosen.spread(logits.shape[1]), (gone, 0))

    def _as_read(self, zone: _Zone) -> _Zone:
        """Return the open zone with its empty slots, where these are read too."""
        if not self.cell.memory.padded:
            return zone
        values = F.pad(zone.values, (0, 0, 0, self.slots - zone.values.shape[1]))
        return zone._replace(values=values, projected=self._project(values))

    def _take(
        self,
        alpha: Float[Tensor, "batch zone"],
        within: Float[Tensor, "batch zone slot"],
        values: Float[Tensor, "batch place hidden"],
    ) -> Float[Tensor, "batch hidden"]:
        weights = (alpha.unsqueeze(-1) * within).flatten(1).unsqueeze(1)
        return (weights.to(values.dtype) @ values).squeeze(1)

    def _write(self, value: Float[Tensor, "batch hidden"]) -> None:
        """Renew the memory (eq. 6)."""
        key = self.cell.key
        if len(self.open.values) == self.slots:
            self.full += self.open.so_far()
            self.open = self._begin(value[:, None][:, :0])
        running = key.extend(self.open.running, value)
        made = key.finish(running)
        self.open = _Open(
            (*self.open.values, value),
            (*self.open.projected, self._project(value)),
            made.detach() if self.detached else made,
            running,
        )
        self.count += 1
        self.written = self.written + 1

    def _state(self) -> CRANState:
        """Return what is carried on, oldest zone first."""
        gone, zones = self._oldest() - self.first, self.cell.memory.zones
        young = [*self.full, *self.open.so_far()]
        old = self.old_values.unflatten(1, (self.old_keys.shape[1], self.slots))
        filled = [
            F.pad(zone.values, (0, 0, 0, self.slots - zone.values.shape[1])) for zone in young
        ]
        kept = torch.cat([old, *(values[:, None] for values in filled)], 1)[:, gone:]
        keys = torch.cat([self.old_keys, *(zone.key[:, None] for zone in young)], 1)[:, gone:]
        missing = zones - kept.shape[1]
        values = F.pad(kept, (0, 0, 0, 0, 0, missing))
        return CRANState(self.hidden, values, F.pad(keys, (0, 0, 0, missing)), self.written)

    def _begin(self, values: Float[Tensor, "batch filled hidden"]) -> _Open:
        """Return an open zone that holds some states, maybe none."""
        projected = self._project(values).unbind(1)
        return _Open(values.unbind(1), projected, None, self.cell.key.begin(values))

    def _project(self, values: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch width"]:
        return self.cell.read.keys(values)

    def _remembered(self, projected: Float[Tensor, "batch slot width"]) -> Tensor:
        return self.cell.slot_score.remember(projected)

    def _oldest(self) -> int:
        """Return the number of the oldest zone that is remembered."""
        return max(0, -(-self.count // self.slots) - self.cell.memory.zones)


def _as_it_is(query: Tensor) -> Tensor:
    return query

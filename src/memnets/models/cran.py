"""The cache-based recurrent attention network (seed 000).

A recurrent cell that keeps its past states in N zones of L slots with a learned key each, chooses
some zones by their keys, attends inside them, and writes its new state to the newest zone.
"""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention.scores import InnerProduct, ScaledDot
from memnets.layers.cran_parts import (
    GatedUpdate,
    InputQuery,
    InputRead,
    JointQuery,
    JointRead,
    ReluUpdate,
)
from memnets.layers.zone_choice import TopZones, ZoneChoice
from memnets.layers.zone_keys import LinearKey, ZoneKey
from memnets.memories.zones import ZoneMemory, Zones
from memnets.models import _cran_native
from memnets.models._cran_window import Window
from memnets.ops.masking import masked_softmax


class CRANState(NamedTuple):
    """What is carried from step to step; plain tensors, rows of any age side by side.

    Attributes:
        hidden: $h^{(t-1)}$.
        values: the zones, oldest first; empty slots are zero.
        keys: of the zones, as they were at their last write.
        written: how many states were ever written to each row.
    """

    hidden: Float[Tensor, "batch hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone dim"]
    written: Int[Tensor, " batch"]

    @property
    def memory(self) -> Zones:
        return Zones(self.values, self.keys, self.written)

    def detach(self) -> "CRANState":
        return CRANState(self.hidden.detach(), *self.memory.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "CRANState":
        """Return a state whose marked rows begin anew (the end of a document)."""
        hidden = self.hidden.masked_fill(rows[:, None], 0.0)
        return CRANState(hidden, *self.memory.reset(rows))

    def index_select(self, index: Int[Tensor, " row"]) -> "CRANState":
        """Return the rows in another order or number (beam search, batching)."""
        return CRANState(*(field.index_select(0, index) for field in self))


class Evidence(NamedTuple):
    """What a step read: the step behind a slot was taken with the product of both weights."""

    zones: Float[Tensor, "batch zone"]
    slots: Float[Tensor, "batch zone slot"]


class Trace(NamedTuple):
    """The states of a sequence, and what was read at each step.

    Attributes:
        output: the states.
        state: what is carried on.
        zones: $\\alpha$, how much of each zone was taken, oldest first; 0 where it was not chosen.
        slots: $a$, how much of each slot within its zone.
        steps: the step, counted from 0, whose state a slot held; -1 where it was empty.
    """

    output: Float[Tensor, "batch time hidden"]
    state: CRANState
    zones: Float[Tensor, "batch time zone"]
    slots: Float[Tensor, "batch time zone slot"]
    steps: Int[Tensor, "batch time zone slot"]


class CRANCell(nn.Module):
    r"""One step of the cache-based recurrent attention network.

    $$ \{\alpha_i, Z_i\}_k = \mathrm{Query}(x^{(t)}, M) \quad (1) \qquad
       A_i = \sum_j \mathrm{softmax}_j(Q \cdot K_{ij}) \, Z_{ij} \quad (2, 3) $$
    $$ y^{(t)} = \sum_i \alpha_i A_i \quad (4) \qquad
       h^{(t)} = \mathrm{update}(x^{(t)}, y^{(t)}) \quad (5) \qquad
       M \leftarrow \mathrm{renew}(h^{(t)}, M) \quad (6) $$

    All is read before the new state is written. Where nothing is remembered $y$ is zero.

    Deviations: both dot products are scaled by the root of their width by default; the seed's are
    not, `zone_score=Dot(), slot_score=Dot()`. Further points on which the seed is silent are
    settled as docs/cran.md says.

    Args:
        query: what zones are asked for with, `InputQuery` (1.1) or `JointQuery` (1.2).
        read: how slots are read, `InputRead` (2.1) or `JointRead` (2.2).
        update: the new state, `ReluUpdate` (3.1) or `GatedUpdate` (3.2).
        key: a zone's key from its states (4.1 to 4.4).
        memory: how many zones of how many slots.
        choice: which zones are read; `TopZones(k)` in the seed.
        zone_score: how well a zone's key matches.
        slot_score: how well a slot matches.

    Raises:
        ValueError: more zones are to be read than there are, the key is made for zones of another
            size, or the parts are made for other widths.
    """

    def __init__(
        self,
        query: InputQuery | JointQuery,
        read: InputRead | JointRead,
        update: ReluUpdate | GatedUpdate,
        key: ZoneKey,
        memory: ZoneMemory,
        choice: ZoneChoice,
        zone_score: InnerProduct | None = None,
        slot_score: InnerProduct | None = None,
    ) -> None:
        super().__init__()
        if choice.kept > memory.zones:
            raise ValueError(
                f"{type(choice).__name__}({choice.kept}) of ZoneMemory(zones={memory.zones}): "
                f"expected no more than there are. Keep {memory.zones}, or remember more zones."
            )
        if key.slots not in (None, memory.slots):
            raise ValueError(
                f"{type(key).__name__}(slots={key.slots}) of ZoneMemory(slots={memory.slots}): "
                f"expected as many as a zone has. Make the key for {memory.slots} slots."
            )
        _check_widths(query, read, update, key)
        self.query, self.read, self.update, self.key = query, read, update, key
        self.memory, self.choice = memory, choice
        self.zone_score = ScaledDot() if zone_score is None else zone_score
        self.slot_score = ScaledDot() if slot_score is None else slot_score

    @property
    def hidden(self) -> int:
        """Width of the state."""
        return self.read.key.in_features

    def init_state(self, batch: int) -> CRANState:
        """Return an empty memory and a state of zeros."""
        like = self.read.key.weight
        memory = self.memory.init_state(batch, self.hidden, self.key.dim, like)
        return CRANState(like.new_zeros(batch, self.hidden), *memory)

    def forward(
        self, x: Float[Tensor, "batch dim"], state: CRANState | None = None
    ) -> tuple[CRANState, Evidence]:
        """Make a step.

        Args:
            x: the input of each row.
            state: what is carried; empty at first. Rows may be of any age.

        Returns:
            The new state, whose `hidden` is the output, and what was read.
        """
        state = self.init_state(len(x)) if state is None else state
        readable = self.memory.readable(state.written)
        live = readable.any(-1)
        u = self.query.complete(self.query.from_input(x), state.hidden).unsqueeze(1)
        keys = state.keys.masked_fill(~live.unsqueeze(-1), 0.0)
        logits = self.zone_score.match(u, self.zone_score.remember(keys)).squeeze(1)
        chosen = self.choice(logits, live, state.written)
        y, within = self._attend(x, state, readable, chosen.indices, chosen.weights)
        hidden = self.update.complete(self.update.from_input(x), y)
        written = self.memory.write(state.memory, hidden, self.key)
        zone = chosen.indices.unsqueeze(-1).expand_as(within)
        slots = within.new_zeros(readable.shape).scatter(1, zone, within)
        return CRANState(hidden, *written), Evidence(chosen.spread(self.memory.zones), slots)

    def _attend(
        self,
        x: Float[Tensor, "batch dim"],
        state: CRANState,
        readable: Bool[Tensor, "batch zone slot"],
        indices: Int[Tensor, "batch kept"],
        alpha: Float[Tensor, "batch kept"],
    ) -> tuple[Float[Tensor, "batch hidden"], Float[Tensor, "batch kept slot"]]:
        """Return what is read from the chosen zones, and the weights inside them (eq. 2 to 4)."""
        row = torch.arange(len(x), device=x.device)[:, None]
        mask = readable[row, indices]
        zones = state.values[row, indices].masked_fill(~mask.unsqueeze(-1), 0.0)
        asked = self.read.query.complete(self.read.query.from_input(x), state.hidden)
        found_by = self.slot_score.remember(self.read.keys(zones.flatten(1, 2)))
        logits = self.slot_score.match(asked.relu().unsqueeze(1), found_by)
        within = masked_softmax(logits.view(mask.shape), mask).to(x.dtype)
        return torch.einsum("bk,bkl,bklh->bh", alpha, within, zones), within


def _check_widths(
    *parts: InputQuery | JointQuery | JointRead | ReluUpdate | GatedUpdate | ZoneKey,
) -> None:
    """Refuse parts that were made for inputs, states or keys of different widths."""
    found: dict[str, tuple[int, str]] = {}
    for part in parts:
        for name, width in part.widths.items():
            first, of = found.setdefault(name, (width, type(part).__name__))
            if width != first:
                raise ValueError(
                    f"{type(part).__name__}({name}={width}) beside {of}({name}={first}): expected "
                    f"one width. Make both with {name}={first}."
                )


class CRAN(nn.Module):
    """A cache-based recurrent attention network over sequences, in the place of `nn.GRU`.

    Gradient flows through everything that happens within one call: states read again, the keys'
    encoder, the choice's weights. What was there before is a constant if its state was detached, as
    in truncated back-propagation.

    Args:
        cell: what a step does.
        refresh: when keys are made. At every "write", as in the seed: a zone that was closed
            keeps the key that the weights of its time gave it. Or for all zones at the start of
            every "window" (call) as well, which gives the encoder gradient for all of them.
        detached: whether gradient is cut at every step, so that no step learns what to write for
            a later one. The seed's author trained so; it is here to show what it costs.
        blank: whether the memory begins full of zeros that are read like anything else, as the
            seed's author had it; otherwise it begins empty.
    """

    def __init__(
        self,
        cell: CRANCell,
        refresh: Literal["write", "window"] = "write",
        detached: bool = False,
        blank: bool = False,
    ) -> None:
        super().__init__()
        self.cell, self.refresh, self.detached, self.blank = cell, refresh, detached, blank

    def init_state(self, batch: int) -> CRANState:
        """Return an empty memory, or one full of zeros, and a state of zeros."""
        state, memory = self.cell.init_state(batch), self.cell.memory
        full = memory.zones * memory.slots
        return state._replace(written=state.written + full) if self.blank else state

    def forward(
        self, x: Float[Tensor, "batch time dim"], state: CRANState | None = None
    ) -> tuple[Float[Tensor, "batch time hidden"], CRANState]:
        """Run over a window of steps.

        Args:
            x: the inputs.
            state: what the window before returned; empty at first.

        Returns:
            The states of all steps, and what is carried on.
        """
        state = self.refreshed(self.init_state(len(x)) if state is None else state)
        if not x.numel():
            return x.new_zeros(*x.shape[:2], self.cell.hidden), state
        if not (state.written == state.written[0]).all():
            output, state, _ = self._steps(x, state)
            return output, state
        ran = _cran_native.run(self.cell, x, state, self.detached)
        output, carried = ran or Window(self.cell, state, self.detached).run(x)
        return output, CRANState(*carried)

    def trace(self, x: Float[Tensor, "batch time dim"], state: CRANState | None = None) -> Trace:
        """Run over a window of steps and keep what each of them read; slower than `forward`."""
        state = self.refreshed(self.init_state(len(x)) if state is None else state)
        memory, first = self.cell.memory, state.written
        output, state, read = self._steps(x, state)
        time = torch.arange(x.shape[1], device=x.device)
        steps = memory.steps((first[:, None] + time).flatten())
        return Trace(
            output,
            state,
            torch.stack([step.zones for step in read], 1),
            torch.stack([step.slots for step in read], 1),
            steps.view(*x.shape[:2], memory.zones, memory.slots),
        )

    def _steps(
        self, x: Float[Tensor, "batch time dim"], state: CRANState
    ) -> tuple[Tensor, CRANState, list[Evidence]]:
        """Run the cell step by step: rows of any age, and what each of them read."""
        output, read = [], []
        for step in x.unbind(1):
            state, evidence = self.cell(step, state)
            output.append(state.hidden)
            read.append(evidence)
            state = state.detach() if self.detached else state
        return torch.stack(output, 1), state, read

    def refreshed(self, state: CRANState) -> CRANState:
        """Return the state with the keys that a window begins with."""
        if self.refresh == "window":
            filled = self.cell.memory.filled(state.written)
            keys = self.cell.key(state.values.flatten(0, 1), filled.flatten())
            state = state._replace(keys=keys.view_as(state.keys))
        return state.detach() if self.detached else state


def example() -> tuple[CRAN, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    dim, hidden, slots = 5, 7, 2
    cell = CRANCell(
        query=JointQuery(dim, hidden, key_dim=3),
        read=JointRead(dim, hidden, width=7),
        update=ReluUpdate(dim, hidden),
        key=LinearKey(hidden, slots, dim=3),
        memory=ZoneMemory(zones=3, slots=slots),
        choice=TopZones(2),
    )
    return CRAN(cell), (torch.randn(2, 11, dim),)


__all__ = [
    "CRAN",
    "CRANCell",
    "CRANState",
    "Evidence",
    "GatedUpdate",
    "InputQuery",
    "InputRead",
    "JointQuery",
    "JointRead",
    "ReluUpdate",
    "Trace",
    "example",
]

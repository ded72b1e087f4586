"""CRAN over sequences: a window of steps at a time, by the fastest way that there is."""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.zone_choice import TopZones
from memnets.layers.zone_keys import LinearKey
from memnets.memories.zones import ZoneMemory
from memnets.models.cran import native
from memnets.models.cran.cell import CRANCell, CRANState, Evidence
from memnets.models.cran.parts import JointQuery, JointRead, ReluUpdate
from memnets.models.cran.window import Window


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


class CRAN(nn.Module):
    """A cache-based recurrent attention network over sequences, in the place of `nn.GRU`.

    Gradient flows through everything that happens within one call: states read again, the keys'
    encoder, the choice's weights. What was there before is a constant if its state was detached, as
    in truncated back-propagation.

    Args:
        cell: what a step does.
        refresh: when keys are made. For all zones at the start of every "window" (call), and at
            every write; this gives the encoder gradient for all of them, and is what was found to
            learn. Or at every "write" alone, as in the proposal: a zone that was closed keeps the
            key that the weights of its time gave it, and is found no longer by those of today.
        detached: whether gradient is cut at every step, so that no step learns what to write for
            a later one; it is here to show what that costs.
    """

    def __init__(
        self,
        cell: CRANCell,
        refresh: Literal["write", "window"] = "window",
        detached: bool = False,
    ) -> None:
        super().__init__()
        self.cell, self.refresh, self.detached = cell, refresh, detached

    def init_state(self, batch: int) -> CRANState:
        """Return the memory as it is at the start, and a state of zeros."""
        return self.cell.init_state(batch)

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
        fast = native.run(self.cell, x, state, self.detached)
        return fast or Window(self.cell, state, self.detached).run(x)

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

"""CRANs of every variant, with inputs and with memories of every age."""

from dataclasses import dataclass
from itertools import product

import torch

from memnets.attention import Dot, ScaledDot
from memnets.layers import BiLSTMKey, LastKey, LinearKey, MeanKey, MLPKey, TransformerKey
from memnets.layers.zone_choice import TopZones
from memnets.memories import ZoneMemory, Zones
from memnets.models.cran import (
    CRAN,
    CRANCell,
    CRANState,
    GatedUpdate,
    InputQuery,
    InputRead,
    JointQuery,
    JointRead,
    ReluUpdate,
)

DIM, HIDDEN, WIDTH = 5, 7, 11
KEYS = {
    "4.1": lambda slots, dim: LinearKey(HIDDEN, slots, dim),
    "4.1, uncut": lambda slots, dim: LinearKey(HIDDEN, slots, dim, relu=False),
    "4.2": lambda slots, dim: MLPKey(HIDDEN, slots, dim, depth=3),
    "4.3": lambda slots, dim: BiLSTMKey(HIDDEN, dim),
    "4.4": lambda slots, dim: TransformerKey(HIDDEN, dim),
    "mean": lambda slots, dim: MeanKey(HIDDEN, dim),
    "last": lambda slots, dim: LastKey(HIDDEN, dim),
}


@dataclass(frozen=True)
class Case:
    """A CRAN to build: the proposal's numbers, and sizes that are primes."""

    query: str = "1.2"
    read: str = "2.2"
    update: str = "3.1"
    key: str = "4.1"
    zones: int = 3
    slots: int = 2
    choice: object = TopZones
    k: int = 2
    zone_scaled: bool = False
    slot_scaled: bool = False
    refresh: str = "write"
    detached: bool = False
    memory: type = ZoneMemory
    key_dim: int = 3

    def build(self, spread=0.4):
        """Return the model in double precision, with weights for softmaxes that are far from flat.

        Args:
            spread: of the weights; None leaves them as they begin.
        """
        cell = CRANCell(
            JointQuery(DIM, HIDDEN, self.key_dim)
            if self.query == "1.2"
            else InputQuery(DIM, self.key_dim),
            (JointRead if self.read == "2.2" else InputRead)(DIM, HIDDEN, WIDTH),
            (GatedUpdate if self.update == "3.2" else ReluUpdate)(DIM, HIDDEN),
            KEYS[self.key](self.slots, self.key_dim),
            self.memory(self.zones, self.slots),
            self.choice(self.k),
            (ScaledDot if self.zone_scaled else Dot)(),
            (ScaledDot if self.slot_scaled else Dot)(),
        )
        model = CRAN(cell, self.refresh, self.detached).double()
        with torch.no_grad():
            for parameter in model.parameters() if spread else ():
                parameter.copy_(spread * torch.randn_like(parameter))
        return model

    def __str__(self):
        parts = [self.query, self.read, self.update, self.key]
        parts.append("scaled" if self.zone_scaled else "plain")
        parts.append("scaled" if self.slot_scaled else "plain")
        return "-".join([*parts, self.refresh])


VARIANTS = [Case(*numbers) for numbers in product(("1.1", "1.2"), ("2.1", "2.2"), ("3.1", "3.2"))]
FIELDS = ("query", "read", "update", "key", "zone_scaled", "slot_scaled", "refresh")
GRID = [
    Case(**dict(zip(FIELDS, chosen, strict=True)))
    for chosen in product(
        ("1.1", "1.2"), ("2.1", "2.2"), ("3.1", "3.2"), KEYS, (False, True), (False, True),
        ("write", "window"),
    )
]  # fmt: skip
"""Every combination of the proposal's variants, of keys, scales and refreshes."""


def sample():
    """Return a few of the grid in which any two choices still meet."""
    wanted = {
        ((a, getattr(case, a)), (b, getattr(case, b)))
        for case in GRID
        for a in FIELDS
        for b in FIELDS
        if a < b
    }
    chosen = []
    while wanted:
        best = max(GRID, key=lambda case: len(_pairs(case) & wanted))
        chosen.append(best)
        wanted -= _pairs(best)
    return chosen


def _pairs(case):
    return {((a, getattr(case, a)), (b, getattr(case, b))) for a in FIELDS for b in FIELDS if a < b}


SAMPLE = sample()
AGES = (0, 1, 5, 13)
"""Rows that find nothing, one state, a partial zone beside full ones, a memory that is full."""


def state(model, ages):
    """Return a state whose rows were written to that many times.

    Their keys are none that the model's weights would make: those that made them were others.
    """
    start = model.init_state(len(ages))
    hidden, state = torch.rand_like(start.hidden), start.memory
    for step in range(max(ages)):
        after = model.cell.memory.write(state, torch.rand_like(hidden), _other_key(start))
        due = torch.tensor(ages) > step
        state = Zones(*(_chosen(due, new, old) for new, old in zip(after, state, strict=True)))
    return CRANState(_chosen(torch.tensor(ages) > 0, hidden, start.hidden), *state)


def _other_key(state):
    return lambda values, filled: (
        values.sum((1, 2))[:, None] / 7 - torch.rand_like(state.keys[:, 0])
    )


def _chosen(rows, new, old):
    return torch.where(rows.view(-1, *[1] * (new.ndim - 1)), new, old)


def inputs(time=17, batch=len(AGES)):
    return torch.randn(batch, time, DIM).double()

"""The cache-based recurrent attention network (the proposal).

A recurrent cell that keeps its past states in N zones of L slots with a learned key each, chooses
some zones by their keys, attends inside them, and writes its new state to the newest zone.
`cell.py` is a step as the proposal has it, of `parts.py`; `window.py` and `native.py` are the same
over many steps, in PyTorch and in C++; `network.py` runs over sequences. `author.py` is the
network as the proposal's author had it.
"""

from memnets.models.cran.author import longterm
from memnets.models.cran.cell import CRANCell, CRANState, Evidence
from memnets.models.cran.network import CRAN, Trace, example
from memnets.models.cran.parts import (
    GatedUpdate,
    InputQuery,
    InputRead,
    JointQuery,
    JointRead,
    ReluUpdate,
)

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
    "longterm",
]

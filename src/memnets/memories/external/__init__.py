"""A memory outside the network that controls it: where heads look, what they write, the start."""

from memnets.memories.external.addresses import (
    Address,
    ByContent,
    ByContentAndLocation,
    Looked,
    Shift,
    ShiftAnywhere,
    ShiftNearby,
    by_cosine,
)
from memnets.memories.external.controlled import ControlledMemory, Watched
from memnets.memories.external.state import Beginning, ExternalState, Start
from memnets.memories.external.writes import EraseAdd, Overwrite, Write

__all__ = [
    "Address",
    "Beginning",
    "ByContent",
    "ByContentAndLocation",
    "ControlledMemory",
    "EraseAdd",
    "ExternalState",
    "Looked",
    "Overwrite",
    "Shift",
    "ShiftAnywhere",
    "ShiftNearby",
    "Start",
    "Watched",
    "Write",
    "by_cosine",
]

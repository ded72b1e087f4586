"""Memories: what is kept between steps."""

from memnets.memories.episodic import (
    AttentionGRU,
    EpisodeRead,
    Episodes,
    EpisodicMemory,
    GatedGRU,
    GRUUpdate,
    MeanOfSlots,
    MemoryUpdate,
    SoftSum,
    SumUpdate,
    UntiedReLU,
)
from memnets.memories.slots import SharedSlots, SlotMemory, Slots
from memnets.memories.zones import BlankZones, PaddedZones, ZoneMemory, Zones

__all__ = [
    "AttentionGRU",
    "BlankZones",
    "EpisodeRead",
    "Episodes",
    "EpisodicMemory",
    "GRUUpdate",
    "GatedGRU",
    "MeanOfSlots",
    "MemoryUpdate",
    "PaddedZones",
    "SharedSlots",
    "SlotMemory",
    "Slots",
    "SoftSum",
    "SumUpdate",
    "UntiedReLU",
    "ZoneMemory",
    "Zones",
]

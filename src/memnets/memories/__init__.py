"""Memories: what is kept between steps."""

from memnets.memories.slots import SharedSlots, SlotMemory, Slots
from memnets.memories.zones import BlankZones, PaddedZones, ZoneMemory, Zones

__all__ = [
    "BlankZones",
    "PaddedZones",
    "SharedSlots",
    "SlotMemory",
    "Slots",
    "ZoneMemory",
    "Zones",
]

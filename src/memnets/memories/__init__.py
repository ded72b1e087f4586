"""Memories: what is kept between steps."""

from memnets.memories.slots import SharedSlots, SlotMemory, Slots
from memnets.memories.zones import ZoneMemory, Zones

__all__ = ["SharedSlots", "SlotMemory", "Slots", "ZoneMemory", "Zones"]

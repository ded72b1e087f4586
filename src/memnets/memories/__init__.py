"""Memories: what is kept between steps."""

from memnets.memories.slots import SharedSlots, SlotMemory, Slots

__all__ = ["SharedSlots", "SlotMemory", "Slots"]

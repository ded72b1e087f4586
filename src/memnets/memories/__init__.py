"""Memories: what is kept between steps."""

from memnets.memories.slots import SlotMemory, Slots

__all__ = ["SlotMemory", "Slots"]

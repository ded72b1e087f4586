"""Recall worlds: sequences in which something is told, and asked for so many steps later."""

from memnets.data.worlds.recall.episodes import Copy, Episodes, MultiQuery, NextItem
from memnets.data.worlds.recall.streams import Rewritten, Stream
from memnets.data.worlds.recall.world import RecallWorld, Steps, Zoned, joined

__all__ = [
    "Copy",
    "Episodes",
    "MultiQuery",
    "NextItem",
    "RecallWorld",
    "Rewritten",
    "Steps",
    "Stream",
    "Zoned",
    "joined",
]

"""The simulated world of Memory Networks (Weston et al., 2015), with strong supervision.

`world` simulates people who go, take and drop, and asks about them; `oracle` answers from the text
alone; `streams` tells the same stories as one string of words. The stories are bAbI's records.
"""

from memnets.data.worlds.simulated.oracle import solve
from memnets.data.worlds.simulated.streams import WordStream, word_stream
from memnets.data.worlds.simulated.world import KNOWN, UNSEEN, Simulation, simulate

__all__ = ["KNOWN", "UNSEEN", "Simulation", "WordStream", "simulate", "solve", "word_stream"]

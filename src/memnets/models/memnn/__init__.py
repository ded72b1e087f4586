"""The first memory network (Weston, Chopra and Bordes, 2014), and its kin of 2015.

`network.py` finds supports and answers as the papers have it; `matching.py` is its score,
`reading.py` what of a question and its story is scored, `ranking.py` what is preferred to what and
what an error costs.
"""

from memnets.models.memnn.matching import Matching
from memnets.models.memnn.network import END, STOP, MemNN, MemNNLoss, MemNNOutput, example
from memnets.models.memnn.ranking import draw_rivals, ranking_loss
from memnets.models.memnn.reading import StoryBags

__all__ = [
    "END",
    "STOP",
    "Matching",
    "MemNN",
    "MemNNLoss",
    "MemNNOutput",
    "StoryBags",
    "draw_rivals",
    "example",
    "ranking_loss",
]

"""Show, Attend and Tell (Xu et al., 2015): captions of pictures, with where each word looked.

`network.py` reads as the paper; `parts.py` has its gate, outputs, first state and penalty, each a
part; `drawn.py` is hard attention, `captioner.py` puts a stem below. `presets.py` composes the
variants.
"""

from memnets.models.show_attend_tell.captioner import Captioner
from memnets.models.show_attend_tell.drawn import Drawn, coin_for_all, coin_for_each
from memnets.models.show_attend_tell.network import NextWord, Seen, ShowAttendTell, Told
from memnets.models.show_attend_tell.parts import (
    ContextGate,
    DeepOutput,
    NoGate,
    OutputAsRun,
    ScoreAsRun,
    StartByMean,
    doubly_stochastic,
)
from memnets.models.show_attend_tell.presets import (
    as_run,
    example,
    show_attend_tell,
    soft,
    ungated,
    without_attention,
)

__all__ = [
    "Captioner",
    "ContextGate",
    "DeepOutput",
    "Drawn",
    "NextWord",
    "NoGate",
    "OutputAsRun",
    "ScoreAsRun",
    "Seen",
    "ShowAttendTell",
    "StartByMean",
    "Told",
    "as_run",
    "coin_for_all",
    "coin_for_each",
    "doubly_stochastic",
    "example",
    "show_attend_tell",
    "soft",
    "ungated",
    "without_attention",
]

"""Pointer networks (Vinyals, Fortunato and Jaitly, 2015): what is said are places of the input.

`network.py` is what all models share: points are read, a decoder says which one comes next.
`decoders.py` has the paper's three decoders: pointers, and its two baselines with a fixed
vocabulary. `rules.py` says what may be chosen next, `presets.py` composes the models, `initial.py`
draws their first weights.
"""

from memnets.models.pointer.decoders import (
    AttentiveDecoder,
    PlainDecoder,
    PointerDecoder,
    by_points,
    by_states,
)
from memnets.models.pointer.initial import paper_initial
from memnets.models.pointer.network import (
    Choices,
    Chosen,
    Next,
    PointNetwork,
    Remembered,
    Taught,
)
from memnets.models.pointer.presets import attentive, example, notes, paper, plain
from memnets.models.pointer.rules import Rule, anything, closed_polygon, each_once, tour

__all__ = [
    "AttentiveDecoder",
    "Choices",
    "Chosen",
    "Next",
    "PlainDecoder",
    "PointNetwork",
    "PointerDecoder",
    "Remembered",
    "Rule",
    "Taught",
    "anything",
    "attentive",
    "by_points",
    "by_states",
    "closed_polygon",
    "each_once",
    "example",
    "notes",
    "paper",
    "paper_initial",
    "plain",
    "tour",
]

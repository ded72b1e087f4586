"""memnets: memory and attention networks, verified.

The names here are a small selection; everything else is imported from its module. They are
loaded when they are first used, so that `import memnets` does not import torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memnets.attention import Attention, Dot, Readout, ScaledDot
    from memnets.inference import build_kb, evaluate, load, train
    from memnets.memories import SlotMemory, Slots, ZoneMemory
    from memnets.models.cran import CRAN, CRANCell
    from memnets.models.memn2n import MemN2N

__version__ = "0.1.0"

_HOME = {
    "Attention": "attention",
    "CRAN": "models.cran",
    "CRANCell": "models.cran",
    "Dot": "attention",
    "MemN2N": "models.memn2n",
    "Readout": "attention",
    "ScaledDot": "attention",
    "SlotMemory": "memories",
    "Slots": "memories",
    "ZoneMemory": "memories",
    "build_kb": "inference",
    "evaluate": "inference",
    "load": "inference",
    "train": "inference",
}

__all__ = [
    "CRAN",
    "Attention",
    "CRANCell",
    "Dot",
    "MemN2N",
    "Readout",
    "ScaledDot",
    "SlotMemory",
    "Slots",
    "ZoneMemory",
    "build_kb",
    "evaluate",
    "load",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'memnets' has no attribute {name!r}")
    return getattr(importlib.import_module(f"memnets.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])

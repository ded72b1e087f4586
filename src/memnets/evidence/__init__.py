"""Evidence: an answer, and what was read to give it, in words. Plain records, no tensors.

`ask`, `serve` and `report` all show these; a notebook draws them.
"""

import importlib
from typing import TYPE_CHECKING, Any

from memnets.evidence.answer import Answer
from memnets.evidence.records import Alignment, Step, Support

if TYPE_CHECKING:
    from memnets.evidence.coded_text import CodedText
    from memnets.evidence.points import PointsAnswer
    from memnets.evidence.read_text import ReadText
    from memnets.evidence.regions import Regions

_LATER = {
    "CodedText": "coded_text",
    "PointsAnswer": "points",
    "ReadText": "read_text",
    "Regions": "regions",
}
"""Evidence of some answers alone, by the modules, which take time to import."""

__all__ = [
    "Alignment",
    "Answer",
    "CodedText",
    "PointsAnswer",
    "ReadText",
    "Regions",
    "Step",
    "Support",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'memnets.evidence' has no attribute {name!r}")
    return getattr(importlib.import_module(f"memnets.evidence.{_LATER[name]}"), name)

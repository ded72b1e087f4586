"""Evidence: an answer, and what was read to give it, in words. Plain records, no tensors.

`ask`, `serve` and `report` all show these; a notebook draws them.
"""

from memnets.evidence.answer import Answer
from memnets.evidence.coded_text import CodedText
from memnets.evidence.points import PointsAnswer
from memnets.evidence.read_text import ReadText
from memnets.evidence.records import Alignment, Step, Support
from memnets.evidence.regions import Regions

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

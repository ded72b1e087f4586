"""Structured attention: slots that are chosen together, and the chance that each is among them."""

from memnets.attention.structured.aligns import (
    ExactlyK,
    HardStructure,
    LinearChain,
    Segments,
    StructuredAlign,
)
from memnets.attention.structured.chains import Chains
from memnets.attention.structured.parents import SoftParents
from memnets.attention.structured.trees import (
    NonProjectiveTrees,
    ProjectiveTrees,
    TreeMarginals,
    Trees,
)

__all__ = [
    "Chains",
    "ExactlyK",
    "HardStructure",
    "LinearChain",
    "NonProjectiveTrees",
    "ProjectiveTrees",
    "Segments",
    "SoftParents",
    "StructuredAlign",
    "TreeMarginals",
    "Trees",
]

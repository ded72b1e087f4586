"""Attention: how well a slot matches (score), how much of it is taken (align), the read.

`Attention(score=ScaledDot(), align=Softmax())` composes any score with any align.
"""

from memnets.attention.additive import Additive, Concat, LuongConcat, NormalisedAdditive
from memnets.attention.aligns import (
    Align,
    Aligned,
    Identity,
    KeepsSome,
    PaddedSoftmax,
    Sigmoid,
    Smoothing,
    Softmax,
)
from memnets.attention.attend import Attention, Readout
from memnets.attention.context import AlignContext, start_at_first, start_uniform
from memnets.attention.hard import (
    Argmax,
    GumbelStraightThrough,
    Sampled,
    StraightThroughArgmax,
)
from memnets.attention.local import LocalM, LocalP, NormalisedLocalP
from memnets.attention.located import Coverage, Location, LocationConvolution, coverage_loss
from memnets.attention.monotonic import ClippedMonotonic, HardMonotonic, Monotonic
from memnets.attention.multihead import HeadMemory, MultiHead, QueryHeads
from memnets.attention.reinforce import Baseline, reinforce
from memnets.attention.saliency import Pooled, Saliency, max_pool
from memnets.attention.scores import (
    Bilinear,
    Cosine,
    Dot,
    General,
    KeyStrengthCosine,
    LearnedCosine,
    ProjectedDot,
    ScaledDot,
    Score,
)
from memnets.attention.self_attention import SelfAttention, causal_mask
from memnets.attention.sparse import Entmax, Entmax15, Sparsemax
from memnets.attention.strength import KeyStrengthDot, StrengthDot
from memnets.attention.structured import (
    Chains,
    ExactlyK,
    HardStructure,
    LinearChain,
    NonProjectiveTrees,
    ProjectiveTrees,
    Segments,
    SoftParents,
    StructuredAlign,
    TreeMarginals,
    Trees,
)
from memnets.attention.topk import TopK, TopKOfSoftmax

__all__ = [
    "Additive",
    "Align",
    "AlignContext",
    "Aligned",
    "Argmax",
    "Attention",
    "Baseline",
    "Bilinear",
    "Chains",
    "ClippedMonotonic",
    "Concat",
    "Cosine",
    "Coverage",
    "Dot",
    "Entmax",
    "Entmax15",
    "ExactlyK",
    "General",
    "GumbelStraightThrough",
    "HardMonotonic",
    "HardStructure",
    "HeadMemory",
    "Identity",
    "KeepsSome",
    "KeyStrengthCosine",
    "KeyStrengthDot",
    "LearnedCosine",
    "LinearChain",
    "LocalM",
    "LocalP",
    "Location",
    "LocationConvolution",
    "LuongConcat",
    "Monotonic",
    "MultiHead",
    "NonProjectiveTrees",
    "NormalisedAdditive",
    "NormalisedLocalP",
    "PaddedSoftmax",
    "Pooled",
    "ProjectedDot",
    "ProjectiveTrees",
    "QueryHeads",
    "Readout",
    "Saliency",
    "Sampled",
    "ScaledDot",
    "Score",
    "Segments",
    "SelfAttention",
    "Sigmoid",
    "Smoothing",
    "SoftParents",
    "Softmax",
    "Sparsemax",
    "StraightThroughArgmax",
    "StrengthDot",
    "StructuredAlign",
    "TopK",
    "TopKOfSoftmax",
    "TreeMarginals",
    "Trees",
    "causal_mask",
    "coverage_loss",
    "max_pool",
    "reinforce",
    "start_at_first",
    "start_uniform",
]

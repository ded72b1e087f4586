"""Sequences to be copied, recalled, predicted or sorted (Graves et al., 2014), generated."""

from memnets.data.sequences.problems import (
    PROBLEMS,
    Copy,
    Drawn,
    NGrams,
    PrioritySort,
    Problem,
    Recall,
    RepeatCopy,
)
from memnets.data.sequences.written import line_of, written

__all__ = [
    "PROBLEMS",
    "Copy",
    "Drawn",
    "NGrams",
    "PrioritySort",
    "Problem",
    "Recall",
    "RepeatCopy",
    "line_of",
    "written",
]

"""Curves and phases of a run's log."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from memnets.training.progress import MEDIAN

SPLITS = ("train", "valid", "quick")
"""The splits that a log may follow; `quick` is a look at `valid` that is not exact."""
METRICS = ("loss", "accuracy", "bits")
"""What it may tell of them."""

WIDE = 300
"""Values are drawn on a logarithmic axis where the largest is so many times the smallest."""


def curve(
    log: Sequence[Mapping[str, Any]], split: str, metric: str
) -> tuple[list[float], list[float]]:
    """Return updates and values of one metric of a split, where the log has finite ones.

    Of a loss whose mean is that of a few updates it is the median, which the log has beside it.
    """
    told = [(record.get("update"), record.get(split) or {}) for record in log]
    typical = MEDIAN if metric == "loss" else metric
    points = [(update, figures.get(typical, figures.get(metric))) for update, figures in told]
    known = [(x, y) for x, y in points if x is not None and y is not None and math.isfinite(y)]
    return [float(x) for x, _ in known], [float(y) for _, y in known]


def called(log: Sequence[Mapping[str, Any]], split: str, metric: str) -> str:
    """Return what a curve is of: the split, and where it is no mean."""
    medians = [r["phase"] for r in log if metric == "loss" and MEDIAN in (r.get(split) or {})]
    return f"{split} ({', '.join(dict.fromkeys(medians))}: median)" if medians else split


def is_wide(values: Sequence[float]) -> bool:
    """Return whether values are so far apart that only their logarithms can be read."""
    return bool(values) and min(values) > 0 and max(values) / min(values) > WIDE


def phases(log: Sequence[Mapping[str, Any]]) -> list[tuple[float, str]]:
    """Return after which logged update every phase began, where there are several."""
    starts: dict[str, float] = {}
    before = 0.0
    for record in log:
        if record.get("phase"):
            starts.setdefault(record["phase"], before)
        before = float(record.get("update") or before)
    return [(update, phase) for phase, update in starts.items()] if len(starts) > 1 else []

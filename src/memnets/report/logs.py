"""Curves and phases of a run's log."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

SPLITS = ("train", "valid", "quick")
"""The splits that a log may follow; `quick` is a look at `valid` that is not exact."""
METRICS = ("loss", "accuracy", "bits")
"""What it may tell of them."""


def curve(
    log: Sequence[Mapping[str, Any]], split: str, metric: str
) -> tuple[list[float], list[float]]:
    """Return updates and values of one metric of a split, where the log has finite ones."""
    points = [(record.get("update"), (record.get(split) or {}).get(metric)) for record in log]
    known = [(x, y) for x, y in points if x is not None and y is not None and math.isfinite(y)]
    return [float(x) for x, _ in known], [float(y) for _, y in known]


def phases(log: Sequence[Mapping[str, Any]]) -> list[tuple[float, str]]:
    """Return after which logged update every phase began, where there are several."""
    starts: dict[str, float] = {}
    before = 0.0
    for record in log:
        if record.get("phase"):
            starts.setdefault(record["phase"], before)
        before = float(record.get("update") or before)
    return [(update, phase) for phase, update in starts.items()] if len(starts) > 1 else []

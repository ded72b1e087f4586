"""Curves and phases of a run's log."""

import math
from collections.abc import Mapping, Sequence
from typing import Any


def curve(
    log: Sequence[Mapping[str, Any]], split: str, metric: str
) -> tuple[list[float], list[float]]:
    """Return updates and values of one metric of a split, where the log has finite ones."""
    points = [(record.get("update"), (record.get(split) or {}).get(metric)) for record in log]
    known = [(x, y) for x, y in points if x is not None and y is not None and math.isfinite(y)]
    return [float(x) for x, _ in known], [float(y) for _, y in known]


def phases(log: Sequence[Mapping[str, Any]]) -> list[tuple[float, str]]:
    """Return the first logged update of every phase, where there are several."""
    starts: dict[str, float] = {}
    for record in log:
        if record.get("phase") and record.get("update") is not None:
            starts.setdefault(record["phase"], record["update"])
    return [(float(update), phase) for phase, update in starts.items()] if len(starts) > 1 else []

"""What holds of the answers of any trained run to the questions of a file."""

from pathlib import Path
from typing import Any

import pytest


def check_judged(
    answerer: Any, path: Path, measured: dict[str, float], metric: str = "accuracy"
) -> Any:
    """Check a file that holds the questions of a split, and return what was made of it.

    Args:
        answerer: a trained run.
        path: of the file.
        measured: the metrics of the split, of which a file may lack some.
        metric: the share of right answers among them.
    """
    found = answerer.judge(path)
    assert metric in found.metrics
    for name, value in found.metrics.items():
        assert value == pytest.approx(measured[name], abs=1e-5), name
    right = sum(one.is_right for one in found.judged) / len(found.judged)
    assert right == pytest.approx(measured[metric])
    assert all(0 <= one.probability <= 1 + 1e-6 for one in found.judged)
    return found


def check_like_asked(judged: Any, answers: Any) -> None:
    """Check that questions of a file have the answers that they have when they are asked alone."""
    for one, answer in zip(judged, answers, strict=True):
        assert (one.asked.text, ", ".join(one.given)) == (answer.question, answer.text)
        assert one.probability == pytest.approx(answer.probability, rel=1e-4)

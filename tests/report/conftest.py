"""Answers, logs and results to show."""

import pytest

from memnets import results
from memnets.evidence import Answer, Step, Support
from memnets.results import Benchmark, BenchRow, Data, Table

HOSTILE = "<script src=\"https://evil.example/x.js\"></script> & 'quoted' $x^2$ | **bold**"


def answer(sentences: int, hops: int = 3, gold: int = 1, right: bool = True, text: str = "kitchen"):
    """Hop h reads 0.7 of sentence h, and the rest evenly."""
    steps = []
    for hop in range(hops):
        weights = [0.3 / sentences + 0.7 * (slot == hop % sentences) for slot in range(sentences)]
        supports = tuple(
            Support(slot, f"Sentence {slot} of Mary.", weight, gold=slot == gold)
            for slot, weight in enumerate(weights)
        )
        steps.append(Step(f"hop {hop + 1}", supports))
    return Answer(
        question="Where is Mary?",
        text=text,
        probability=0.875,
        runners_up=(("garden", 0.0625),),
        steps=tuple(steps),
        gold=text if right else "office",
    )


def log(records: int = 7):
    return [
        {
            "update": 11 * (number + 1),
            "phase": "linear start" if number < 3 else "softmax",
            "learning_rate": 0.01,
            "train": {"loss": 2.0 / (number + 1), "accuracy": number / records},
            "valid": {"loss": 3.0 / (number + 1), "accuracy": number / (records + 1)},
            "elapsed": 1.0,
        }
        for number in range(records)
    ]


def row(name, measured, published=11.0, unit="%", **changes):
    fields = {"unit": unit, "better": "lower", "published": published, "source": "a paper, Table 1"}
    if measured is None:
        return results.not_run(name, "error", **(fields | changes))
    values = {3: measured - 1.0, 5: measured + 1.0}
    return results.measured(
        name, "error", values, selection="the mean", wall_s=13.0, **(fields | changes)
    )


@pytest.fixture
def table():
    return Table(
        name="toy",
        command="memnets reproduce toy",
        config={},
        data=Data("stories", "ab" * 32, "test"),
        rows=(
            row("task 1", 7.0, target=12.0, note="easy | quick"),
            row("task 2", 13.0),
            row("task 10", None),
            row("failed", 2.0, 2.0, unit="tasks", status="partial"),
        ),
    )


@pytest.fixture
def benchmark_result():
    origin = {"commit": "abc1234", "created": "2026-01-02T03:04:05Z", "machine": "2 cores"}
    both = {"metric": "ms", "baseline_name": "a peer 1.0", "note": ""}
    return Benchmark(
        name="toy",
        command="python benchmarks/toy.py",
        config={},
        rows=(
            BenchRow(
                row="fast", measured=1.0, baseline=3.0, ratio=3.0, ratio_interval=(2.5, 3.5),
                repeats=7, **both, **origin,
            ),
            BenchRow(
                row="slow", measured=2.0, baseline=1.0, ratio=0.5, ratio_interval=(0.4, 0.6),
                repeats=7, **both, **origin,
            ),
            BenchRow(
                row="gpu", measured=None, baseline=None, ratio=None, ratio_interval=None,
                repeats=0, **both, **dict.fromkeys(origin),
            ),
        ),
    )  # fmt: skip


@pytest.fixture
def make_answer():
    return answer


@pytest.fixture
def make_log():
    return log


@pytest.fixture
def make_row():
    return row


@pytest.fixture
def hostile():
    return HOSTILE

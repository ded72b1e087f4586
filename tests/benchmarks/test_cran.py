"""The benchmark of CRAN: its twins compute the same, and its rows say what they are of."""

import importlib
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("cran")


@pytest.fixture
def small(bench, monkeypatch):
    """A setting that takes no time, in the place of all others."""
    setting = bench.Setting("small", bench.core(7, 5, 3, 2, 2), batch=3, steps=5)
    for name in ("WIDE", "NARROW", "SMALL", "AUTHOR"):
        monkeypatch.setattr(bench, name, setting)
    for number, core in bench.KEYS.items():
        monkeypatch.setitem(bench.KEYS, number, replace(setting.core, key=core.key))
    return setting


@pytest.mark.parametrize("key", ["linear", "mlp", "bilstm", "transformer"])
def test_twins_compute_the_same(bench, small, key):
    setting = replace(small, core=replace(small.core, key=key))
    found = []
    for twin in bench.TWINS:
        model = bench.build(setting, twin)
        output = bench.pass_over(model, setting, learns=True)()
        found.append((output, [part.grad for part in model.parameters()]))
    for output, gradients in found[1:]:
        assert_close(output, found[0][0], rtol=1e-5, atol=1e-6)
        assert_close(gradients, found[0][1], rtol=1e-4, atol=1e-5)


def test_only_the_op_is_native(bench, small, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "memnets.models.cran.native.run", lambda *inputs: asked.append(inputs) or None
    )
    state = bench.full_memory(small)
    asked.clear()
    x = torch.zeros(small.batch, small.steps, small.core.hidden)
    counts = {}
    for twin in bench.TWINS:
        bench.build(small, twin)(x, state)
        counts[twin.__name__] = len(asked)
    assert counts == {"CRAN": 1, "InPyTorch": 1, "StepByStep": 1}


def test_the_memory_is_full(bench, small):
    assert bench.full_memory(small).written.tolist() == [6] * small.batch


def test_reading_leaves_no_gradient(bench, small):
    model = bench.build(small, bench.CRAN)
    bench.pass_over(model, small, learns=False)()
    assert all(part.grad is None for part in model.parameters())


def test_every_row_can_be_measured_and_named(bench, small, monkeypatch):
    given = []

    def timed(row, *calls, **options):
        outputs = [call() for call in calls]
        same = options.get("same")
        assert same is None or same(*outputs)
        given.append((row, options["baseline_name"], options["threads"]))
        return results.BenchRow(
            row=row,
            metric="",
            measured=2.0,
            baseline=4.0,
            baseline_name=options["baseline_name"],
            ratio=2.0,
            ratio_interval=(1.0, 3.0),
            repeats=7,
            commit=None,
            created=None,
            machine=None,
            note="",
        )

    monkeypatch.setattr(bench, "compare", timed)
    rows = [make() for make, name in bench.plan(bench.Options()) if name != "memory"]
    assert {threads for _, _, threads in given} == {1, 2}
    assert {row.metric for row in rows} == {"time of a window (ms)"}
    assert {row.note for row in rows} == {"7,500 tokens/s, theirs 3,750"}
    said = " ".join(row.row for row in rows)
    assert all(number in said for number in ("4.2", "4.3", "4.4", "read only"))
    assert "nn.LSTM(7, 7)" in {baseline for _, baseline, _ in given}


def test_the_row_on_memory_is_of_the_peaks(bench, monkeypatch):
    monkeypatch.setattr(bench, "_peak_of", lambda windows: 100.0 + windows)
    row = bench.peaks(repeats=3, short=100, long=300)
    assert (row.measured, row.baseline) == (400.0, 200.0)
    assert row.ratio == pytest.approx(0.5)


def test_a_text_is_read(bench, small):
    before = torch.get_num_threads()
    try:
        assert bench.read_text(2) > 10
    finally:
        torch.set_num_threads(before)

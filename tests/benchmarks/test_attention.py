"""The benchmark of attention, on sizes that take no time."""

import importlib
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import timing
from memnets import results
from memnets.ops import native

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("attention")
    for name, sizes in (
        ("ADDITIVE", (2, 3, 5, 7)),
        ("DECODING", (3, 1, 5, 7)),
        ("READING", (2, 3, 5, 8)),
        ("SPARSE", (2, 3, 5, 1)),
    ):
        monkeypatch.setattr(module, name, module.Sizes(*sizes))
    monkeypatch.setattr(module, "WINDOWS", (module.Sizes(1, 211, 223, 3),))
    monkeypatch.setattr(timing, "MEASURE_SECONDS", 1e-6)
    monkeypatch.setattr(torch, "compile", lambda function: function)
    monkeypatch.setattr(results, "commit", lambda: "1234567")
    return module


@pytest.fixture
def options(bench):
    return bench.Options(repeats=7, processes=3)


@pytest.mark.slow
def test_every_row_is_measured_and_named_once(bench, options, monkeypatch):
    monkeypatch.setattr(bench, "growth", lambda way: (2.0, 3.0) if way == "native" else (8.0, 9.0))
    peer = SimpleNamespace(
        __version__="0.0",
        sparsemax=bench.Sparsemax(),
        entmax15=bench.Entmax15(),
    )
    monkeypatch.setitem(sys.modules, "entmax", peer)
    monkeypatch.setattr(bench.importlib.util, "find_spec", lambda name: peer)
    rows = list(bench.rows(options))
    names = [row.row for row in rows]
    assert len(set(names)) == len(names) == 32
    assert all(row.ratio > 0 for row in rows)
    assert {row.baseline_name for row in rows} >= {"broadcast", "SDPA by hand", "entmax 0.0"}
    measured = {row.row: row for row in rows}
    assert measured["additive, native, memory, forward"].ratio == pytest.approx(4.0)
    assert measured["additive, native, memory, both passes"].baseline == 9.0
    assert measured["additive, native, 2 threads, forward"].machine.endswith("2 threads")


def test_without_the_peer_its_rows_are_not_run(bench, options, monkeypatch):
    monkeypatch.setattr(bench.importlib.util, "find_spec", lambda name: None)
    for row in bench.sparse(options):
        assert row.ratio is None
        assert row.note == "not run: pip install entmax"


def test_another_result_is_told(bench, options, monkeypatch):
    monkeypatch.setitem(bench.WAYS, "native", lambda *parts: 1.001 * bench.broadcast(*parts))
    with pytest.raises(ValueError, match="our output differs from that of broadcast"):
        list(bench.additive(options, 1))


def test_another_gradient_is_told(bench):
    parts = bench.halves(bench.ADDITIVE)
    ours = bench.trained(bench.broadcast, parts, torch.ones(2, 3, 5))()
    theirs = bench.trained(
        lambda q, k, v: bench.broadcast(q, k, v.detach() + 0 * v), parts, torch.ones(2, 3, 5)
    )()
    assert bench.agree(ours, ours)
    assert not bench.agree(ours, theirs)


def test_without_a_compiler_the_op_is_not_called(bench, monkeypatch):
    monkeypatch.setattr("memnets.ops.additive._call", None)
    bench.in_pytorch(*bench.halves(bench.ADDITIVE))
    if native.available():
        with pytest.raises(TypeError, match="not callable"):
            bench.WAYS["native"](*bench.halves(bench.ADDITIVE))


def test_large_halves_are_beyond_the_limit(bench, options, monkeypatch):
    seen = []
    monkeypatch.setattr(bench, "both_passes", lambda *words: seen.append(words[3]) or ())
    monkeypatch.setattr(bench, "ADDITIVE", bench.Sizes(2, 31, 37, 7))
    list(bench.beyond_the_limit(options))
    assert all(float(part.abs().max()) > 40 for parts in seen for part in parts[:2])


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux")
@pytest.mark.slow
def test_the_hidden_layer_is_seen_in_the_memory(bench, monkeypatch):
    """A process of its own; 11 MB are the hidden layer."""
    monkeypatch.setattr(bench, "ADDITIVE", bench.Sizes(4, 53, 101, 127))
    layer = math.prod(bench.ADDITIVE) * 4e-6
    forward, both = bench.growth("broadcast")
    assert layer < forward < 4 * layer
    assert both > forward


def test_where_there_is_no_proc_memory_is_not_measured(bench, options, monkeypatch):
    monkeypatch.setattr(bench.Path, "exists", lambda path: False)
    (row,) = bench.memory(options)
    assert (row.ratio, row.note) == (None, "not run: needs Linux")


def test_the_command_writes_its_figures(bench, monkeypatch, tmp_path, capsys):
    row = bench.not_run("a row", "nobody", "for a test")
    monkeypatch.setattr(bench, "rows", lambda options: [row])
    monkeypatch.setattr(sys, "argv", ["attention.py", "--results", str(tmp_path)])
    bench.main()
    assert results.read(tmp_path / "bench-attention.json").rows == (row,)
    assert "bench-attention" in capsys.readouterr().out

"""The benchmark of the Turing machine: its twins lose the same, and its rows say of what."""

import importlib
import sys
from pathlib import Path

import pytest
import torch

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PEER = """
import torch
from torch import nn

class EncapsulatedNTM(nn.Module):
    def __init__(self, inputs, outputs, hidden, layers, heads, slots, width):
        super().__init__()
        self.told = (inputs, outputs, hidden, layers, heads, slots, width)
        self.layer = nn.Linear(inputs, outputs)

    def init_sequence(self, batch):
        self.batch = batch

    def forward(self, x):
        assert len(x) == self.batch
        return self.layer(x).sigmoid(), None
"""


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("benchmarks.ntm")
    monkeypatch.setattr(module, "SETTINGS", (module.Setting(2, 6, 5, 4, 3),))
    return module


@pytest.fixture
def peer(tmp_path, monkeypatch):
    (tmp_path / "ntm").mkdir()
    (tmp_path / "ntm" / "__init__.py").write_text("")
    (tmp_path / "ntm" / "aio.py").write_text(PEER)
    yield tmp_path
    for name in ("ntm", "ntm.aio"):
        sys.modules.pop(name, None)


def test_twins_lose_the_same_and_learn(bench):
    (setting,) = bench.SETTINGS
    ours, plain = bench.our_step(setting)(), bench.plain_step(setting)()
    assert bench.same(ours, plain)
    assert not bench.same(ours, ours + 0.1)
    assert torch.isfinite(ours)


def test_every_row_can_be_measured_and_named(bench, peer, monkeypatch):
    given = []

    def timed(row, *calls, **options):
        losses = [call() for call in calls]
        assert options["same"] is None or options["same"](*losses)
        given.append((row, options["baseline_name"], options["threads"]))
        return row

    monkeypatch.setattr(bench, "compare", timed)
    rows = [make() for make, _ in bench.plan(bench.Options(peer=peer))]
    assert len(rows) == len(set(rows)) == 4
    assert {name for _, name, _ in given} == {"plain twin", "pytorch-ntm"}
    assert {threads for *_, threads in given} == {1, 2}
    assert len(bench.plan(bench.Options())) == 2


def test_a_peer_that_is_not_there_is_told(bench, tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"expected a checkout of pytorch-ntm, with ntm/aio"
    ):
        bench.peer_at(tmp_path)


def test_its_command_measures(bench, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ntm.py", "--only", "beside plain twin, 1"])
    row = results.BenchRow(
        row="one", metric="time", measured=1.0, baseline=2.0, baseline_name="plain twin", ratio=2.0,
        ratio_interval=(1.0, 3.0), repeats=7, commit=None, created=None, machine=None, note="",
    )  # fmt: skip
    monkeypatch.setattr(bench, "compare", lambda *_, **__: row)
    bench.main()
    assert "plain twin" in capsys.readouterr().out

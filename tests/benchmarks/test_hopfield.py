"""The benchmark of energy memories: both of a pair compute the same, a wrong folder is told."""

import importlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from memnets.attention import Attention, Softmax, StrengthDot

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("hopfield")


class Peer:
    """Reads as hopfield-layers does: so many updates, and the read of the values."""

    def __init__(self, scaling, update_steps_max, **rest):
        self.read, self.steps = Attention(StrengthDot(scaling), Softmax()), update_steps_max

    def eval(self):
        return self

    def __call__(self, parts):
        stored, state, values = parts
        for _ in range(self.steps):
            state = self.read(state, stored, stored).value
        return self.read(state, stored, values).value


def test_both_of_a_pair_compute_the_same(bench):
    pairs = [
        bench.recall(bench.Sizes(40, 4, 3)),
        bench.modern(SimpleNamespace(Hopfield=Peer), bench.Reads(16, 9, 3, 1.0)),
    ]
    for pair in pairs:
        mine, theirs = pair.ours(), pair.theirs()
        assert pair.same(mine, theirs)
        assert not pair.same(mine, 0 * theirs)
    curve = bench.swept(60)
    assert curve.same(curve.ours(), curve.theirs())
    assert len(set(curve.ours())) > 1


def test_the_plan_names_what_is_timed(bench):
    names = [name for name, _ in bench.plan(bench.Options())]
    assert len(names) == len(bench.RECALLS) + len(bench.SWEPT) + len(bench.MACHINES)
    assert "recall, N 4096, P 500, 500 cues, 10 % turned" in names


def test_a_folder_that_is_no_checkout(bench, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"holds no hflayers/__init__\.py"):
        bench.open_peer(tmp_path)

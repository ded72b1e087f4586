"""The benchmark of captions: both lose alike and learn, and its rows say of what."""

import importlib
import sys
from pathlib import Path

import pytest
import torch

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PEER = """
import torch
import torchvision
from torch import nn

class DecoderWithAttention(nn.Module):
    def __init__(self, attention, embed, hidden, vocab, context, dropout):
        super().__init__()
        self.told = (attention, embed, hidden, vocab, context, dropout)
        self.layer = nn.Linear(context, vocab)

    def forward(self, grid, captions, lengths):
        batch, side = grid.shape[:2]
        assert (lengths == captions.shape[1]).all()
        words = captions.shape[1] - 1
        scores = self.layer(grid.mean((1, 2)))[:, None].expand(-1, words, -1)
        weights = torch.full((batch, words, side * side), 1 / side**2)
        return scores, captions, [words] * batch, weights, None
"""


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("benchmarks.captions")
    small = module.Setting(7, side=3, batch=5, words=4, vocab=11, width=6)
    monkeypatch.setattr(module, "SETTINGS", (small,))
    return module


@pytest.fixture
def peer(tmp_path):
    (tmp_path / "models.py").write_text(PEER)
    yield tmp_path
    sys.modules.pop("models", None)


def test_every_row_is_measured_and_named_and_both_learn(bench, peer, monkeypatch):
    (setting,), theirs = bench.SETTINGS, bench.peer_at(peer)
    assert "torchvision" not in sys.modules

    def timed(row, *calls, **options):
        for call in calls:
            first = call()
            for _ in range(40):
                last = call()
            assert torch.isfinite(first)
            assert last < first
        return row, options["baseline_name"], options["threads"], options["repeats"]

    monkeypatch.setattr(bench, "compare", timed)
    options = bench.Options(peer=peer, threads=1)
    assert bench.row(setting, theirs, options) == (
        "5 captions of 4 words, 3x3x7, 1 threads",
        "sgrvinod's decoder",
        1,
        31,
    )


def test_a_peer_that_is_not_there_is_told(bench, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"expected a checkout of a-PyTorch-Tutorial"):
        bench.peer_at(tmp_path)

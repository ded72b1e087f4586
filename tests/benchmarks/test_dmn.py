"""The benchmark of DMN's recurrences: pairs compute the same, and rows say what they are of."""

import importlib
from pathlib import Path

import pytest
from torch.testing import assert_close

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("dmn")


@pytest.fixture
def small(bench, monkeypatch):
    """A setting that takes no time, in the place of all others."""
    setting = bench.Setting(facts=5, batch=3, hidden=4, passes=2)
    monkeypatch.setattr(bench, "SETTINGS", (setting,))
    return setting


@pytest.mark.parametrize("pair", [("AttentionGRU", "Loop"), ("Fusion", "PackedFusion")])
def test_both_of_a_pair_compute_the_same(bench, small, pair):
    mine, theirs = (bench.learning(getattr(bench, name), small)() for name in pair)
    assert len(mine) == len(theirs) >= 6  # output, facts, weights, and gates where they learn
    for one, other in zip(mine, theirs, strict=True):
        assert_close(one, other, rtol=1e-4, atol=1e-5)
    assert bench._are_close(mine, theirs)
    assert not bench._are_close(mine, [*theirs[:-1], 2 * theirs[-1]])


def test_only_ours_is_the_op(bench, small, monkeypatch):
    asked = []
    for name in ("last_of_gated_gru", "both_directions"):
        op = getattr(bench, name)
        monkeypatch.setattr(bench, name, lambda *given, op=op: asked.append(op) or op(*given))
    counts = {}
    for name in ("AttentionGRU", "Loop", "PlainGRU", "Fusion", "PackedFusion"):
        asked.clear()
        bench.learning(getattr(bench, name), small)()
        counts[name] = len(asked)
    assert counts == {"AttentionGRU": 2, "Loop": 0, "PlainGRU": 0, "Fusion": 1, "PackedFusion": 0}


def test_every_row_can_be_measured_and_named(bench, small, monkeypatch):
    given = []

    def timed(row, *calls, **options):
        outputs = [call() for call in calls]
        assert options["same"] is None or options["same"](*outputs)
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
    rows = [make() for make, _ in bench.plan(bench.Options())]
    assert {row.metric for row in rows} == {"time there and back (ms)"}
    attention, fusion = (
        "attention GRU, 2 passes over 5 facts",
        "GRU in both directions over up to 5 facts",
    )
    assert given == [
        (f"{row}, {threads} thread{'s' * (threads > 1)}", baseline, threads)
        for threads in (1, 2)
        for row, baseline in (
            (attention, "four linear layers a step"),
            (attention, "nn.GRU"),
            (fusion, "nn.GRU, packed"),
        )
    ]


LOADER = """
from pathlib import Path

class BabiDataset:
    def __init__(self, task):
        self.QA = type("QA", (), {"VOCAB": {"a": 0, "b": 1}})
        self.rows = [([[1, 1]], [1], 1), ([[1, 0]], [0], 1)]
        self.told = Path(f"data/told-{task}.txt").read_text()
    def set_mode(self, mode):
        self.mode = mode
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, row):
        return self.rows[row]


def pad_collate(rows):
    import torch
    return tuple(torch.tensor(part) for part in zip(*rows))
"""
SCRIPT = """
import torch
import torch.nn as nn
import torch.nn.init as init
from babi_loader import BabiDataset


class DMNPlus(nn.Module):
    def __init__(self, hidden, words, num_hop, qa):
        super().__init__()
        self.words = nn.Embedding(words, words, sparse=True).cuda()
        init.uniform(self.words.state_dict()["weight"], a=hidden_size, b=hidden_size + 1)
    def forward(self, contexts, questions):
        return self.words(questions[:, 0]).cuda()
    def get_loss(self, contexts, questions, targets):
        return nn.CrossEntropyLoss(size_average=False)(self(contexts, questions), targets), 0
"""


def test_a_peer_is_read_with_its_edits_and_learns(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    peers = importlib.import_module("dmn_peer")
    with pytest.raises(ValueError, match=r"expected babi_main\.py and babi_loader\.py"):
        peers.open_peer(tmp_path, tmp_path, 2)
    (tmp_path / "babi_loader.py").write_text(LOADER)
    (tmp_path / "babi_main.py").write_text(SCRIPT)
    (tmp_path / "told-2.txt").write_text("stories of task 2")
    peer = peers.open_peer(tmp_path, tmp_path, 2)
    assert peer.data.told == "stories of task 2"
    model, adam = peer.model()
    before = model.words.weight.detach().clone()
    assert bool((before >= peers.HIDDEN).all())  # their name for the width is known
    peer.learn(model, adam, None)
    assert not model.words.weight.equal(before)
    assert peer.accuracy(model) in (0.0, 0.5, 1.0)

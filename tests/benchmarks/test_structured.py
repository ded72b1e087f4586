"""The benchmark of structures: both of a pair compute the same, and a wrong folder is told."""

import importlib
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import NonProjectiveTrees, ProjectiveTrees
from memnets.ops.chain import edges_of_chains

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("structured")


class Pairs:
    """A chain as torch-struct has it: step, state, the state before."""

    def __init__(self, potentials):
        links = potentials.mT
        unary = links.new_zeros(len(links), links.shape[1] + 1, links.shape[-1])
        self.marginals = edges_of_chains(unary, links)[:, 1:].mT


def tree(kind):
    def made(scores, multiroot):
        assert not multiroot
        found = kind(scores.mT, scores.diagonal(0, 1, 2)).marginals
        return SimpleNamespace(marginals=(found.arcs + torch.diag_embed(found.roots)).mT)

    return made


PEER = SimpleNamespace(
    LinearChainCRF=Pairs,
    DependencyCRF=tree(ProjectiveTrees),
    NonProjectiveDependencyCRF=tree(NonProjectiveTrees),
)


def test_both_of_a_pair_compute_the_same(bench, monkeypatch):
    """Beside a peer of our own making, whose axes are torch-struct's."""
    monkeypatch.setattr(bench, "CHAINS", (bench.Sizes(4, 3, 2),))
    monkeypatch.setattr(bench, "TREES", (bench.Sizes(4, batch=2),))
    found = bench.pairs(PEER)
    assert len(found) == 4
    for ours, theirs in found.values():
        mine, others = ours(), theirs()
        assert len(mine) == 3
        for one, other in zip(mine, others, strict=True):
            assert_close(one, other, rtol=1e-4, atol=1e-5)
        assert bench._are_close(mine, others)
        assert not bench._are_close(mine, [*others[:-1], 2 * others[-1]])


def test_a_folder_without_the_peer_is_told(bench, tmp_path):
    with pytest.raises(FileNotFoundError, match="expected a checkout of harvardnlp/pytorch-struct"):
        bench.open_peer(tmp_path)

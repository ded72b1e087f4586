"""The hashing experiment, on a tiny world."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from memnets import results

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "hashing_a_million.py"
TINY = {
    "statements": 211,
    "names": 31,
    "words": 23,
    "relations": 3,
    "train": 53,
    "asked": 19,
    "updates": 5,
    "batch": 7,
    "rivals": 6,
    "dim": 11,
    "clusters": 13,
    "max_df": 90,
}


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("hashing_a_million", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_tiny_run_writes_a_row_for_each_way_and_figure(example, tmp_path):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in TINY.items()]
    example.main([*words, f"--results={tmp_path}"])
    rows = results.read(tmp_path / "hashing-a-million.json").rows
    ways = ["no hashing", "word hashing", "cluster hashing"]
    assert list(dict.fromkeys(row.row for row in rows)) == ways
    figures = {(row.row, row.metric): row.measured for row in rows}
    assert len(figures) == len(rows) == 12
    assert figures["no hashing", "supports kept"] == 100
    assert figures["no hashing", "candidates of a question"] == 211
    assert figures["no hashing", "speed-up"] == 1
    for way in ways[1:]:
        assert 0 < figures[way, "candidates of a question"] < 211


def test_hashing_gives_the_answer_of_all_slots_where_its_winner_is_a_candidate(example):
    """(e): the same best slot, whatever else the candidates are."""
    torch.manual_seed(0)
    slots, state = torch.randn(97, 5), torch.randn(5)
    best = int((slots @ state).argmax())
    rng = np.random.default_rng(0)
    for _ in range(11):
        others = rng.permutation(97)[:23]
        chosen = np.unique(np.append(others, best)).astype(np.int32)
        assert chosen[int((slots[torch.from_numpy(chosen)] @ state).argmax())] == best


def test_rivals_are_alike_and_no_supports(example, tmp_path):
    options = example.Options(**TINY)
    world = example.World(211, 0, 31, 23, 3)
    memory = example.remember(world, tmp_path / "words")
    for question in world.questions(11, seed=1):
        rng = np.random.default_rng(0)
        rule = example.Rule(max_df=90)
        drawn = example.with_rivals(question, memory, rule, options, rng)
        assert drawn[0] in question.supports
        assert len(drawn) == 1 + 6
        alike = memory.index.candidates(question.words, rule)
        assert set(drawn[1:4].tolist()) <= set(alike.tolist()) - set(question.supports)

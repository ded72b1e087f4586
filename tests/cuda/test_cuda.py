"""Each family's shortest recipe on a CUDA device: it learns what it learns on a CPU.

`make test-cuda`, on a machine with such a device. MEMNETS_DEVICE=cpu runs the same without one.
"""

import math
import os
from itertools import islice

import pytest
import torch

import memnets

DEVICE = os.environ.get("MEMNETS_DEVICE", "cuda")
BABI = {"data.source": "generated", "data.tasks": (1,)}
TEXT = {"data.text": "generated", "training.tokens": 20_000, "training.evaluations": 2}
RECALL = {"training.updates": 20, "training.lessons": (), "training.evaluate_every": 10}
POINTS = {"data.sets": 64, "training.updates": 40, "training.evaluate_every": 20}
BITS = {"data.sequences": 4, "training.updates": 20, "training.evaluate_every": 10}
WORLD = {"data.stories": 20}
PICTURES = {"data.train": 256, "data.held_out": 64, "training.epochs": 2}
RECIPES = {
    "memn2n/babi-generated": {"training.epochs": 2, "training.linear_epochs": 1},
    "memnn/babi": {**BABI, "training.epochs": 2, "training.evaluate_every": 1},
    "dmn-plus/babi-generated": {"training.epochs": 2},
    "dmn/babi": {**BABI, "training.epochs": 2},
    "dmn-plus/sort-of-clevr": PICTURES,
    "captions/shape-scenes": PICTURES,
    "captions/shape-scenes-hard": PICTURES,
    "captions/digits": PICTURES,
    "kb_qa/towns": {"data.rows": 100, "training.questions": 2000, "training.epochs": 2},
    "language/cran": TEXT,
    "language/gru": TEXT,
    "language/lstm": TEXT,
    "language/memn2n": TEXT,
    "language/ntm": TEXT,
    "ntm/associative-recall": BITS,
    "ntm/copy": BITS,
    "ntm/copy-content": BITS,
    "ntm/copy-lstm": BITS,
    "ntm/priority-sort": BITS,
    "ntm/repeat-copy": BITS,
    "pointers/delaunay": POINTS,
    "pointers/hull": POINTS,
    "pointers/sorting": POINTS,
    "pointers/tour": POINTS,
    "recall/copy": RECALL,
    "recall/episodes-lstm": RECALL,
    "recall/multi-query": RECALL,
    "recall/rewritten-ntm": RECALL,
    "simulated_world/lstm": WORLD | {"reader.epochs": 2},
    "simulated_world/memnn": WORLD | {"reader.training.epochs": 2},
    "transduction/order": {"data.train": 256, "data.held_out": 64, "training.epochs": 2},
    "transduction/trees": {"data.train": 256, "data.held_out": 64, "training.epochs": 2},
    "translation/reversal": {"training.epochs": 1},
}
"""Overrides under which it takes seconds. Those that need data sets are left out."""
DRAWN = (
    "captions/shape-scenes-hard",
    "dmn-plus/babi-generated",
    "dmn/babi",
    "kb_qa/towns",
    "memn2n/babi-generated",
    "memnn/babi",
    "simulated_world/memnn",
)
"""What they drop, draw or are given as rivals is random on each device."""


@pytest.fixture(autouse=True)
def _device(shapes_unchecked):
    if DEVICE == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch sees no CUDA device")


@pytest.mark.cuda
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_learns_and_answers_on_a_device_as_on_a_cpu(recipe, tmp_path):
    here = memnets.train(recipe, RECIPES[recipe], out=tmp_path / "cpu", show=False)
    placed = RECIPES[recipe] | {"loop.device": DEVICE}
    there = memnets.train(recipe, placed, out=tmp_path / "device", show=False)
    losses = [_losses(run.folder.log()) for run in (here, there)]
    assert losses[1].keys() == losses[0].keys() != set()
    assert all(map(math.isfinite, losses[1].values()))
    if recipe not in DRAWN:
        first = min(losses[0])
        assert losses[1][first] == pytest.approx(losses[0][first], rel=1e-3)

    answers = [_answers(tmp_path / "device", device) for device in ("cpu", DEVICE)]
    assert answers[1] == answers[0] != []


def _losses(log):
    return {
        (line["update"], split): figures["loss"]
        for line in log
        for split, figures in line.items()
        if isinstance(figures, dict) and "loss" in figures
    }


def _answers(folder, device):
    run = memnets.load(folder, device=device)
    if run.gives == "text":
        return [run.ask("Mary went to the ").text]
    with run.placed():
        return [answer.text for answer in islice(run.examples("test", 1), 5)]

"""Every score and every align is captured whole by torch.compile, and computes the same."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from memnets.attention import Align, Score
from memnets.testing import discover

SCRIPT = Path(__file__).with_name("compile_all.py")
SCORES, ALIGNS = ([part.__name__ for part in discover(base)] for base in (Score, Align))
# Every part once; the grid; and what needs nothing but queries, a memory and a mask.
PARTS = [*(f"{score}-Softmax" for score in SCORES), *(f"Dot-{a}" for a in ALIGNS if a != "Softmax")]
GRID = [f"{score}-{align}" for score in SCORES for align in ALIGNS]
EXPORTED = ["Additive-Softmax", "General-Softmax", "Dot-Entmax", "Dot-Sigmoid"]
DRAWS = ("Sampled", "GumbelStraightThrough")


@cache
def tried(how, *names):
    """Try everything in one process; the imports are paid for once."""
    command = [sys.executable, str(SCRIPT), how, *names]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("pair", PARTS)
def test_compiles_in_one_graph(pair):
    """List 23: score, align and read in one graph, for more than one number of slots.

    But for what draws: torch captures no generator.
    """
    assert tried("eager", *PARTS)[pair] == whole_or_parts(pair)


def whole_or_parts(pair):
    return "compiled in parts" if pair.endswith(DRAWS) else "compiled"


@pytest.mark.parametrize("pair", EXPORTED)
def test_exports_for_any_number_of_slots(pair):
    """List 23: torch.export, with the number of slots left open."""
    assert tried("export", *EXPORTED)[pair] == "exported"


@pytest.mark.slow
@pytest.mark.parametrize("pair", GRID)
def test_every_pair_compiles_to_machine_code(pair):
    """List 23: the whole grid, through the default backend."""
    assert tried("inductor", *GRID)[pair] == whole_or_parts(pair)

"""Every score and every align is captured whole by torch.compile, and computes the same."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from memnets.attention import Align, Dot, Score, Softmax
from memnets.testing import discover

SCRIPT = Path(__file__).with_name("compile_all.py")
SCORES, ALIGNS = discover(Score), discover(Align)
PARTS = [*((score, Softmax) for score in SCORES), *((Dot, a) for a in ALIGNS if a != Softmax)]
GRID = [(score, align) for score in SCORES for align in ALIGNS]


def name(pair):
    return "-".join(part.__name__ for part in pair)


@cache
def tried(*arguments):
    """Try everything in one process; the imports are paid for once."""
    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("pair", PARTS, ids=name)
def test_compiles_in_one_graph(pair):
    """List 23: score, align and read in one graph, for more than one number of slots."""
    assert tried("eager")[name(pair)] == "compiled"


@pytest.mark.slow
@pytest.mark.parametrize("pair", GRID, ids=name)
def test_every_pair_compiles_to_machine_code(pair):
    """List 23: the whole grid, through the default backend."""
    assert tried("inductor", "whole")[name(pair)] == "compiled"

"""Every score, every align and every op is captured whole by torch.compile, and stays the same.

Each takes a second; tests/models/test_compile.py tries a few whenever tests are run.
"""

import json
import subprocess
import sys
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest

from memnets.attention import Align, Score
from memnets.testing import discover

SCRIPT = Path(__file__).with_name("compile_all.py")
SCORES, ALIGNS = ([part.__name__ for part in discover(base)] for base in (Score, Align))
DRAWS = ("Sampled", "GumbelStraightThrough")
# Every part once; the grid; and what needs nothing but queries, a memory and a mask.
WHOLE = [align for align in ALIGNS if align not in DRAWS]
PARTS = [f"{score}-{align}" for score, align in zip(cycle(SCORES), WHOLE, strict=False)]
PARTS += [f"Dot-{align}" for align in DRAWS]
GRID = [f"{score}-{align}" for score in SCORES for align in ALIGNS]
EXPORTED = ["Additive-Softmax", "General-Softmax", "Dot-Entmax", "Dot-Sigmoid"]
OPS = ["additive_scores", "read_dot", "read_windows"]
ALL = [
    *(f"eager:{name}" for name in (*PARTS, *OPS)),
    *(f"export:{name}" for name in (*EXPORTED, "additive_scores")),
]


@cache
def tried(*jobs):
    """Try everything in one process; the imports are paid for once."""
    done = subprocess.run([sys.executable, str(SCRIPT), *jobs], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_part_is_compiled():
    """List 23: every align, and every score with an align that draws nothing."""
    assert {pair.split("-")[1] for pair in PARTS} == set(ALIGNS)
    assert {pair.split("-")[0] for pair in PARTS if not pair.endswith(DRAWS)} == set(SCORES)


@pytest.mark.slow
@pytest.mark.parametrize("pair", PARTS)
def test_compiles_in_one_graph(pair):
    """List 23: score, align and read in one graph, for more than one number of slots.

    But for what draws: torch captures no generator.
    """
    assert tried(*ALL)[f"eager:{pair}"] == whole_or_parts(pair)


def whole_or_parts(pair):
    return "compiled in parts" if pair.endswith(DRAWS) else "compiled"


@pytest.mark.slow
@pytest.mark.parametrize("op", OPS)
def test_an_op_compiles_in_one_graph(op):
    assert tried(*ALL)[f"eager:{op}"] == "compiled"


@pytest.mark.slow
def test_an_op_is_exported():
    assert tried(*ALL)["export:additive_scores"] == "exported"


@pytest.mark.slow
@pytest.mark.parametrize("pair", EXPORTED)
def test_exports_for_any_number_of_slots(pair):
    """List 23: torch.export, with the number of slots left open."""
    assert tried(*ALL)[f"export:{pair}"] == "exported"


@pytest.mark.slow
@pytest.mark.parametrize("pair", GRID)
def test_every_pair_compiles_to_machine_code(pair):
    """List 23: the whole grid, through the default backend."""
    assert tried(*(f"inductor:{name}" for name in GRID))[f"inductor:{pair}"] == whole_or_parts(pair)

"""Attention and models are captured whole by torch.compile, and compute the same."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("compile_all.py")
PAIRS = [f"{score}-{align}" for score in ("Dot", "ScaledDot") for align in ("Softmax", "Identity")]
CAPTURED = ["Dot-Softmax-no-mask", "ScaledDot-Identity-no-mask", "Dot-Entmax", "MemN2N"]
"""What tests/attention/test_compile.py has not, and an align that sorts."""
CASES = [*PAIRS, *(f"{pair}-no-mask" for pair in PAIRS), "Dot-Entmax", "MemN2N"]


@cache
def compiled(backend, *cases):
    """Compile everything in one process; the imports are paid for once."""
    command = [sys.executable, str(SCRIPT), backend, *cases]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("case", CAPTURED)
def test_compiles_in_one_graph(case):
    assert compiled("eager", *CAPTURED)[case] == "compiled"


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_compiles_to_machine_code(case):
    assert compiled("inductor")[case] == "compiled"


@pytest.mark.slow
def test_every_case_is_tested():
    assert set(compiled("inductor")) == set(CASES)

"""The benchmark of a whole answer: what its steps do, and one shape of result."""

import importlib
from pathlib import Path

import pytest

from memnets import results
from memnets.kb import Store, build

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("kb_answer")


def test_the_steps_end_in_a_value_of_a_candidate(bench, tmp_path):
    films = [("Alien", "made_by", "Scott"), ("Heat", "made_by", "Mann")]
    build(films, tmp_path / "my.kb")
    steps = bench.steps_over(Store.open(tmp_path / "my.kb"))
    passed = "who made Alien?"
    for step in steps.values():
        passed = step(passed)
    assert passed == "Scott"  # the one slot whose key holds the name
    nothing = steps["candidates"](["who"])
    assert steps["reading and ranking"](steps["their facts from disk"](nothing)) is None


def test_every_step_stands_beside_the_whole(bench, tmp_path):
    small = ["--facts", "503", "--questions", "11", "--results", str(tmp_path)]
    bench.main([*small, "--folder", str(tmp_path)])
    made = results.read(tmp_path / "bench-kb-answer.json")
    assert len(made.rows) == 4
    (whole,) = {row.baseline for row in made.rows}
    assert 0 < sum(row.measured for row in made.rows) < 2 * whole
    with pytest.raises(ValueError, match=r"repeats=3: expected 7 or more"):
        bench.Options(repeats=3)

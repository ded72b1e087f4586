"""The benchmark of a question as a process: what is timed, and one shape of result."""

import importlib
from pathlib import Path

import pytest

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("kb_ask")


def test_every_question_stands_beside_starting_python(bench, tmp_path, monkeypatch, capsys):
    taken = {"ask": 0.3, "-c": 0.02}
    commands = []

    def seconds(command):
        commands.append(command)
        return taken["ask" if "ask" in command else "-c"]

    monkeypatch.setattr(bench, "seconds", seconds)
    bench.main(["--kb", "my.kb", "--repeats", "7", "--results", str(tmp_path)])
    made = results.read(tmp_path / "bench-kb-ask.json")
    assert [row.baseline_name for row in made.rows] == [bench.PYTHON, bench.LIBRARIES]
    assert made.rows[0].measured == pytest.approx(300)
    assert made.rows[0].baseline == pytest.approx(20)
    assert made.rows[0].note == "280 ms beside starting Python; by question 280 to 280"
    asked = [command[-1] for command in commands if "ask" in command]
    assert asked == [*bench.QUESTIONS] * 8  # the first of these is not timed
    with pytest.raises(ValueError, match="repeats=6: expected 7 or more"):
        bench.Options(repeats=6)


def test_a_process_is_timed_whole_and_has_to_succeed(bench):
    assert bench.seconds(["-c", "import time; time.sleep(0.1)"]) > 0.1
    with pytest.raises(bench.subprocess.CalledProcessError):
        bench.seconds(["-c", "raise SystemExit(1)"])

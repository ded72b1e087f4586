"""The benchmark of candidate lookup: equal answers, absent peers, and one shape of result."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SMALL = ["--statements", "503", "--questions", "11", "--builds", "1"]


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("candidates")


@pytest.fixture
def engines(bench):
    return importlib.import_module("candidates_engines")


@pytest.mark.parametrize("name", ["memnets", "tantivy", "sqlite-rows", "sqlite-fts5"])
def test_each_engine_finds_what_going_through_all_statements_finds(engines, tmp_path, name):
    if reason := engines.absent(name):
        pytest.skip(reason)
    texts = ["rare often", "often rare rare", "often", "other-word often", "often"] * 199
    texts += ["often"] * 5  # in exactly 1,000 statements
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(texts) + "\n")
    engines.ENGINES[name].build(lines, tmp_path / name)
    lookup = engines.ENGINES[name].open(tmp_path / name)
    expected = [slot for slot, text in enumerate(texts) if "rare" in text.split()]
    assert sorted(lookup(("often", "rare", "unknown", "rare"))) == expected
    assert list(lookup(("often", "unknown"))) == []


def test_a_run_writes_a_result_for_every_peer(bench, tmp_path, monkeypatch):
    names = ("sqlite-rows", "sqlite-fts5")
    bench.main([*SMALL, "--peers", *names, "--results", str(tmp_path)])
    written = results.read(tmp_path / "bench-candidates-503.json")
    assert [row.row for row in written.rows] == [
        f"{label} beside {name}" for name in names for label in ("p50", "p99")
    ]
    assert all(row.repeats == 7 for row in written.rows)
    assert written.command == "python benchmarks/candidates.py --statements 503"
    assert "MB on disk, opened in" in written.config["ours"]


def test_a_peer_that_is_not_installed_is_left_out_and_said_so(bench, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(
        bench.ENGINES, "tantivy", bench.ENGINES["tantivy"]._replace(needs="tantivy_is_absent")
    )
    bench.main([*SMALL, "--peers", "tantivy", "sqlite-rows", "--results", str(tmp_path)])
    text = "the package tantivy_is_absent is not installed (pip install tantivy_is_absent)"
    assert f"tantivy is left out: {text}" in capsys.readouterr().err
    record = json.loads((tmp_path / "bench-candidates-503.json").read_text())
    assert record["config"]["left_out"] == {"tantivy": text}
    assert {row["row"] for row in record["rows"]} == {
        "p50 beside sqlite-rows",
        "p99 beside sqlite-rows",
    }


def test_an_engine_that_finds_something_else_is_refused(bench):
    lookups = {"memnets": lambda _: np.array([1, 2]), "sqlite-rows": lambda _: [2, 3]}
    with pytest.raises(ValueError, match=r"sqlite-rows finds 2 statements for 'who'; expected the"):
        bench.same_answers(lookups, [("who",)])


def test_an_engine_that_counts_is_held_to_the_count(bench):
    lookups = {"memnets": lambda _: np.array([1, 2]), "tantivy-counting": lambda _: range(2)}
    assert bench.same_answers(lookups, [("who",)]) == 2
    lookups["tantivy-counting"] = lambda _: range(3)
    with pytest.raises(ValueError, match="tantivy-counting finds 3 statements"):
        bench.same_answers(lookups, [("who",)])


def test_ratios_are_of_percentiles_repeat_by_repeat(bench):
    ours = np.tile([1.0, 1.0, 2.0], (7, 1))
    row = bench.row("sqlite-rows", {"memnets": ours, "sqlite-rows": 3 * ours}, "p50", "")
    assert (row.measured, row.baseline) == (1000.0, 3000.0)
    assert row.ratio == pytest.approx(3)
    assert row.ratio_interval == pytest.approx((3, 3))


@pytest.mark.parametrize("name", ["repeats", "builds"])
def test_too_few_repeats_are_refused(bench, name):
    with pytest.raises(ValueError, match=f"{name}=3.*: expected 7 or more of each"):
        bench.Options(**{name: 3})


def test_an_unknown_peer_is_refused(bench):
    with pytest.raises(ValueError, match="peers: there is no 'lucene'; expected some of tantivy"):
        bench.Options(peers=("lucene",))

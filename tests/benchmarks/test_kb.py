"""The benchmark of knowledge bases: equal answers, absent peers, and one shape of result."""

import importlib.util
import sys
from pathlib import Path

import pytest

from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.kb import Store

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SMALL = ["--facts", "503", "--questions", "11", "--builds", "1", "--keys", "0"]


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("benchmark_kb", BENCHMARKS / "kb.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "benchmark_kb", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["memnets", "tantivy", "duckdb"])
def test_each_engine_finds_what_going_through_all_facts_finds(bench, tmp_path, name):
    pytest.importorskip(bench.ENGINES[name].needs or "memnets")
    often = [f"often {number}\tr\toften" for number in range(1000)]
    lines = tmp_path / "facts.tsv"
    lines.write_text("\n".join(["rare\tr\tanother", "x\tr\trare rare", *often]) + "\n")
    bench.ENGINES[name].build(lines, tmp_path / name)
    lookup = bench.ENGINES[name].open(tmp_path / name)
    found = set(map(int, lookup(["often", "rare", "unknown", "7"])))
    found = {slot // 2 for slot in found} if name == "memnets" else found
    assert found == {0, 1, 9}
    assert list(lookup(["often", "unknown"])) == []


def test_a_run_writes_a_result(bench, tmp_path, monkeypatch, capsys):
    tantivy = bench.ENGINES["tantivy"]._replace(needs="tantivy_is_absent")
    monkeypatch.setattr(bench, "ENGINES", {"memnets": bench.ENGINES["memnets"], "tantivy": tantivy})
    monkeypatch.setattr(bench, "built_once", in_this_process(bench))
    bench.main([*SMALL, "--results", str(tmp_path)])
    written = results.read(tmp_path / "bench-kb-503.json")
    assert written.command == "python benchmarks/kb.py --facts 503"
    assert "MB on disk, opened in" in written.config["ours"]
    assert "tantivy is left out: tantivy_is_absent is not installed" in capsys.readouterr().err


def in_this_process(bench):
    def build(name, lines, folder):
        bench.ENGINES[name].build(lines, folder / name)
        return bench.Built(1.0, 1.0, 1.0)

    return build


def test_engines_that_differ_are_told(bench):
    lookups = {"memnets": lambda _: [2], "other": lambda _: [2]}
    with pytest.raises(ValueError, match="other finds 1 facts for 'who'; expected the 1 that ours"):
        bench.same_facts(lookups, [("who",)])


def test_questions_have_no_word_between_the_counts(bench, tmp_path, monkeypatch):
    world = StatementWorld(503, names=101, words=53)
    (tmp_path / "facts.tsv").write_text("".join(bench.told(world)))
    bench.build_ours(tmp_path / "facts.tsv", tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    monkeypatch.setattr(bench, "MAX_DF", 10)
    questions = bench.clear(world, 7, store)
    counts = [store.words.frequency(word) for words in questions for word in words]
    assert questions
    assert not any(10 <= count < 20 for count in counts)


def test_too_few_repeats_are_refused(bench):
    with pytest.raises(ValueError, match="repeats=3, builds=7: expected 7 or more of each"):
        bench.Options(repeats=3)
    with pytest.raises(ValueError, match="repeats=7, builds=2: expected 7 or more of each"):
        bench.Options(builds=2)

"""Comparisons: filled from small runs, by the same trials, and refused where they are not alike."""

import json
import shutil
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from safetensors.numpy import save_file

from memnets import results, studies
from memnets.cli.main import main
from memnets.experiments import comparison
from memnets.experiments.comparison import Comparison, Terms, check_alike
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.execute import start
from memnets.experiments.jobs import DIVERGED, carry_out, diverged, ended
from memnets.experiments.seeds import Entry
from memnets.files import read_json, write_json
from memnets.studies.language import tables as language_tables
from memnets.studies.language.data import TextData
from memnets.studies.language.recipes import (
    Around,
    CacheGrid,
    CRANLanguage,
    LanguageTraining,
    RecurrentCore,
    RecurrentLanguage,
)

SMALL = {
    "data": TextData("generated"),
    "model": Around(dim=5),
    "training": LanguageTraining(batch=7, window=11, tokens=2000, evaluations=1),
    "cache": CacheGrid(window=61),
}
LSTM = RecurrentLanguage(core=RecurrentCore(hidden=7), **SMALL)
GRU = RecurrentLanguage(core=RecurrentCore("gru", hidden=7), **SMALL)
CRAN = CRANLanguage(core=CRANCore(hidden=7, key_dim=3, zones=2, slots=3, k=1), **SMALL)


def toy():
    return Comparison(
        title="toy",
        data="generated stories",
        metric="bits per character",
        entries=(
            Entry(row="LSTM", run=LSTM),
            Entry(row="GRU", run=GRU),
        ),
        cached=("LSTM",),
        baselines=("LSTM", "LSTM + cache"),
        rates=(0.0001, 0.03),
        trial={"tokens": 500},
        seeds=2,
    )


def fill(table, root, rows=("LSTM", "GRU")):
    for jobs in table.stages("toy", root, None, "|".join(rows)):
        for job in jobs:
            start(job.run, job.folder)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    fill(toy(), root)
    return root


def test_trials_come_first_and_choose_the_rate(filled, tmp_path):
    table = toy()
    ahead = table.stages("toy", tmp_path, None, "")
    trials = next(ahead)
    assert [job.run.training.learning_rate for job in trials] == [0.0001, 0.03] * 2
    assert {(job.seed, job.run.training.tokens) for job in trials} == {(100, 500)}
    for job in trials:
        shutil.copytree(filled / job.folder.relative_to(tmp_path), job.folder)
    reported = next(ahead)
    assert [(job.name, job.seed) for job in reported] == [
        (row, seed) for seed in (0, 1) for row in ("LSTM", "GRU")
    ]
    assert {job.run.training.learning_rate for job in reported} == {0.03}
    assert {job.run.training.tokens for job in reported} == {2000}


def test_a_trial_is_never_longer_than_the_run_itself(tmp_path):
    table = replace(toy(), trial={"tokens": 10**9})
    trials = table.trials(table.entries[0], "toy", tmp_path, None)
    assert [job.run.training.tokens for job in trials] == [LSTM.training.tokens] * 2


def test_a_table_tells_what_ran_and_on_what(filled, tmp_path):
    table = toy().collect("toy", filled, None)
    rows = {row.row: row for row in table.rows}
    assert list(rows)[:3] == ["LSTM", "LSTM + cache", "GRU"]
    lstm, cached = rows["LSTM"], rows["LSTM + cache"]
    assert (lstm.status, lstm.seeds, lstm.unit) == ("done", (0, 1), "bits")
    assert lstm.measured == pytest.approx(sum(lstm.values) / 2)
    assert "rate 0.03 of 0.0001, 0.03; parameters: 392 in the core" in lstm.note
    assert "symbols a run" in lstm.note
    assert "flatness/share" in cached.note
    figures = toy().figures_of(toy().entries[0])
    assert {figure.row: figure.metric for figure in figures} == {
        "LSTM": "bits/reporting",
        cached.row: "cache_bits/reporting",
    }
    difference = rows["GRU minus LSTM + cache"]
    expected = [g - c for g, c in zip(rows["GRU"].values, cached.values, strict=True)]
    assert difference.values == pytest.approx(expected)
    assert difference.note.startswith("95 % interval")
    assert table.data.split == "valid, second half (reporting)"
    assert results.read(results.write(table, tmp_path)).rows[0].row == "LSTM"


def test_the_quick_looks_of_a_rows_runs_are_its_curve(filled):
    lstm, gru = toy().collect("toy", filled, None).series
    assert (lstm.name, gru.name) == ("LSTM, quick bits", "GRU, quick bits")
    logs = [(filled / "toy" / "lstm" / seed / "log.jsonl").read_text() for seed in "01"]
    last = [json.loads(log.splitlines()[-1]) for log in logs]
    assert lstm.x[-1] == last[0]["seen"] == last[1]["seen"]
    assert lstm.y[-1] == pytest.approx(sum(line["quick"]["bits"] for line in last) / 2)
    assert len(lstm.spread) == len(lstm.x)


@pytest.mark.slow
def test_a_run_that_diverges_in_training_has_ended_and_is_not_chosen(tmp_path):
    entry = Entry(row="CRAN", run=CRAN)
    table = replace(toy(), entries=(entry,), baselines=(), rates=(1e6, 0.01), seeds=1)
    ahead = table.stages("toy", tmp_path, None, "")
    broken, other = trials = next(ahead)
    assert len(list(carry_out(trials, workers=1))) == 2
    assert "the loss of update 2 is not a finite number" in diverged(broken.folder)
    assert diverged(other.folder) is None
    assert all(ended(job.folder) for job in trials)
    (job,) = next(ahead)
    assert job.run.training.learning_rate == 0.01
    start(job.run, job.folder)
    (row,) = table.collect("toy", tmp_path, None).rows
    assert row.status == "done"


def diverge(run):
    """Make of a finished run one that diverged in training."""
    (run / "result.json").unlink()
    write_json(run / DIVERGED, {"message": "the loss of update 7 is not a finite number"})


def test_a_row_says_which_of_its_runs_diverged(filled, tmp_path):
    runs = tmp_path / "toy"
    shutil.copytree(filled / "toy", runs)
    diverge(runs / "lstm" / "1")
    result = read_json(runs / "gru" / "0" / "result.json")
    result["metrics"]["valid"]["bits/reporting"] = float("nan")  # which is written as null
    write_json(runs / "gru" / "0" / "result.json", result)
    rows = {row.row: row for row in toy().collect("toy", tmp_path, None).rows}
    for name, seed in (("LSTM", 0), ("LSTM + cache", 0), ("GRU", 1)):
        assert (rows[name].status, rows[name].seeds) == ("done", (seed,))
        assert f"diverged and not counted: seeds {1 - seed}" in rows[name].note
    assert rows["GRU minus LSTM"].status == "not run"  # they have no seed in common
    diverge(runs / "lstm" / "0")
    rows = {row.row: row for row in toy().collect("toy", tmp_path, None).rows}
    assert rows["LSTM"].status == "not run"
    assert rows["LSTM"].note == "diverged and not counted: seeds 0, 1"


def test_a_difference_is_whole_when_the_seeds_that_are_left_have_ended(filled, tmp_path):
    runs = tmp_path / "toy"
    shutil.copytree(filled / "toy", runs)
    for row in ("lstm", "gru"):
        diverge(runs / row / "1")
        shutil.copytree(filled / "toy" / row / "1", runs / row / "2")
        record = read_json(runs / row / "2" / "run.json")
        record["seed"] = record["config"]["loop"]["seed"] = 2
        write_json(runs / row / "2" / "run.json", record)
    table = replace(toy(), seeds=3)
    rows = {row.row: row for row in table.collect("toy", tmp_path, None).rows}
    difference = rows["GRU minus LSTM"]
    assert (difference.status, difference.seeds) == ("done", (0, 2))


def test_what_did_not_run_is_said_not_to(tmp_path):
    table = toy().collect("toy", tmp_path, None)
    assert {row.status for row in table.rows} == {"not run"}
    assert table.data.sha256 is None


def test_a_row_may_be_filled_alone(filled):
    jobs = next(toy().stages("toy", filled, None, "GRU"))
    assert {job.name for job in jobs} == {"GRU, rate 0.0001", "GRU, rate 0.03"}


def test_a_pattern_without_a_row_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"--only 'RNN' matches no row of toy.*'LSTM \+ cache'"):
        next(toy().stages("toy", tmp_path, None, "RNN"))


def test_runs_of_another_configuration_are_refused(filled):
    table = toy()
    first, second = table.entries
    wider = replace(first, run=replace(LSTM, core=RecurrentCore(hidden=11)))
    with pytest.raises(ValueError, match=r"rate-0\.0001: it was run with another configuration"):
        replace(table, entries=(wider, second)).collect("toy", filled, None)


def test_runs_from_before_a_field_was_added_stay(filled, tmp_path):
    older = shutil.copytree(filled, tmp_path / "runs")
    for path in older.rglob("run.json"):
        record = json.loads(path.read_text())
        assert record["config"]["training"].pop("clip") == LSTM.training.clip  # its default
        path.write_text(json.dumps(record))
    now, before = (toy().collect("toy", runs, None).rows for runs in (filled, older))
    assert [row.measured for row in before] == [row.measured for row in now]


def test_runs_of_another_device_fill_the_same_rows_and_say_so(filled, tmp_path):
    elsewhere = shutil.copytree(filled, tmp_path / "runs")
    path = elsewhere / "toy" / "gru" / "1" / "run.json"
    record = json.loads(path.read_text())
    record["device"] = record["config"]["loop"]["device"] = "cuda"
    path.write_text(json.dumps(record))
    now, before = (toy().collect("toy", runs, None).rows for runs in (elsewhere, filled))
    assert [row.measured for row in now] == [row.measured for row in before]
    told = {row.row for row in now if "trained on cuda" in row.note}
    assert told == {
        row.row for row in now if row.row.startswith("GRU") and " minus " not in row.row
    }


RAN = Terms("LSTM", 0, 1000.0, "softmax over 65 symbols", "abc")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": 1100.0}, r"'LSTM' and 'CRAN' differ in tokens: 1,000 and 1,100 \(seed 1\)"),
        ({"decoder": "softmax over 66"}, "differ in decoder: softmax over 65 symbols and softmax"),
        ({"sha256": "def"}, "differ in sha256: abc and def"),
    ],
)
def test_rows_on_unequal_terms_are_refused(change, message):
    other = RAN._replace(row="CRAN", seed=1)
    check_alike([RAN, other, other._replace(row="GRU", tokens=1000.9)])
    with pytest.raises(ValueError, match=message):
        check_alike([RAN, other._replace(**change)])


def test_no_table_is_made_of_unequal_runs(filled, tmp_path):
    shutil.copytree(filled / "toy", tmp_path / "toy")
    path = tmp_path / "toy" / "gru" / "1" / "result.json"
    write_json(path, {**read_json(path), "seen": 1500.0})
    with pytest.raises(ValueError, match=r"'LSTM' and 'GRU' differ in tokens: 2,002 and 1,500"):
        toy().collect("toy", tmp_path, None)


def test_the_command_fills_a_comparison_and_goes_on(filled, tmp_path, monkeypatch, capsys):
    def toy_table() -> Comparison:
        return toy()

    monkeypatch.setattr(studies, "tables", lambda: {"toy": toy_table})
    words = ["reproduce", "toy", "--runs", str(filled), "--results", str(tmp_path)]
    # All its runs are there, so none is made.
    assert main([*words, "--workers", "1"]) == 0
    assert results.read(tmp_path / "toy.json").rows[0].status == "done"
    assert "LSTM + cache" in capsys.readouterr().out


TABLES = [language_tables.language_shakespeare(), language_tables.language_war_and_peace()]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.data)
def test_the_tables_runs_differ_in_their_core_alone(table):
    assert table.seeds == 3
    for one, other in combinations(table.entries, 2):
        assert one.run.training == other.run.training
        assert one.run.data == other.run.data
        # The width of MemN2N's embeddings is that of its core.
        widths = [entry.run.model.dim for entry in (one, other) if entry.row != "MemN2N"]
        assert set(widths) == {128}
        assert replace(one.run.model, dim=1) == replace(other.run.model, dim=1)
    assert set(table.baselines) <= {row for entry in table.entries for row in table.names(entry)}


def test_the_cores_have_as_many_parameters():
    def number(run):
        return sum(p.numel() for p in run.core.build(run.model.dim).parameters())

    (lstm, *others, _) = [entry.run for entry in TABLES[0].entries]
    for run in others:
        assert number(run) == pytest.approx(number(lstm), rel=0.02)
    from memnets.studies.language.recipes import gru

    assert number(gru()) == pytest.approx(number(lstm), rel=0.02)


def test_parameters_are_counted_of_the_core_and_of_the_whole_model(tmp_path):
    sizes = {"core.weight": (3, 4), "core.bias": (3,), "embedding": (5, 2), "core_of.it": (7,)}
    save_file({name: np.zeros(size) for name, size in sizes.items()}, tmp_path / "weights")
    assert comparison._parameters(tmp_path / "weights") == (15, 15 + 10 + 7)

"""Of tables and runs what is seldom looked at: places, checksums, notes in full, who is asked."""

import dataclasses
import hashlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from memnets import results
from memnets.cli.results import _stale
from memnets.experiments import execute, measure, staleness
from memnets.experiments.comparison import Comparison, Terms, check_alike
from memnets.experiments.jobs import (
    FinishedRun,
    Job,
    Runs,
    _carry_out_one,
    diverged,
    ended,
)
from memnets.experiments.reproduction import Column, Reproduction, TableCell, _means
from memnets.experiments.run import DataRecord, from_json, to_json
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.staleness import check
from memnets.experiments.tables import row_of
from memnets.files import write_json
from memnets.results import records
from memnets.studies import recipe
from memnets.training.runs import RunFolder
from memnets.training.stopping import DivergenceError


@pytest.fixture(autouse=True)
def _nobody_asks_git(monkeypatch):
    monkeypatch.setattr(records, "running_commit", lambda: "0000000")


def ran(metrics, sha256="ab"):
    folder = SimpleNamespace(record={"commit": "c", "device": "cpu", "data": {"sha256": sha256}})
    return FinishedRun(None, folder, {"metrics": metrics, "wall_s": 1.0, "fingerprint": None})


def cell(column, row, **changes):
    run = recipe("memn2n/babi")()
    return TableCell(column=column, row=row, run=run, metric=f"accuracy/{row[-1]}", **changes)


def reproduction(**changes):
    cells = [cell("PE LS", f"task {n}") for n in (1, 2, 3)] + [cell("BoW", "task 1")]
    cells = tuple(
        replace(one, run=replace(one.run, loop=replace(one.run.loop, threads=n)))
        for n, one in enumerate(cells, start=1)
    )
    columns = {"PE LS": Column(mean=None, failed=None, source="a paper")}
    return Reproduction(title="t", data="d", cells=cells, columns=columns, **changes)


def found_of(table, *errors):
    """Return one run a cell of the first column, of these test errors in per cent."""
    return {
        entry.row: Runs({0: ran({"test": {entry.figures[0].metric: 1 - error / 100}})}, frozenset())
        for entry, error in zip(table.entries, errors, strict=False)
    } | {entry.row: Runs({}, frozenset()) for entry in table.entries[len(errors) :]}


# Reproductions


def test_a_run_folder_is_named_for_its_column_and_row():
    table = reproduction()
    assert [table.place(entry) for entry in table.entries] == [
        "pe-ls/task-1", "pe-ls/task-2", "pe-ls/task-3", "bow/task-1",
    ]  # fmt: skip


def test_the_data_of_several_runs_have_one_checksum():
    table = reproduction()
    runs = {name: Runs({0: ran({}, name)}, frozenset()) for name in ("b", "a")}
    assert table.checksum(runs, None) == hashlib.sha256(b"a\nb").hexdigest()
    assert table.checksum({"a": runs["a"], "again": runs["a"]}, None) == "a"
    assert table.checksum({}, None) is None


def test_a_task_of_exactly_five_per_cent_has_not_failed():
    table = reproduction(choose=(), seeds=1)
    found = found_of(table, 5.0, 5.5, 2.0)
    mean, failed, *_ = table.rows(found, None)
    assert (failed.row, failed.measured, failed.unit, failed.better) == (
        "PE LS, failed", 1.0, "tasks", "lower",
    )  # fmt: skip
    assert mean.measured == pytest.approx(12.5 / 3)
    assert (mean.published, mean.source, failed.source) == (None, None, None)
    assert mean.selection == "of the runs reported below"


def test_a_column_whose_tasks_have_not_all_run_says_how_many_have():
    table = reproduction(choose=(), seeds=1)
    mean, failed, *_ = table.rows(found_of(table, 5.0, 5.5), None)
    assert mean.note == failed.note == "2 of 3 tasks have run"
    assert mean.status == failed.status == "not run"


def test_what_is_told_of_some_rows_of_a_column_leaves_others_out():
    some = Column(mean=None, failed=None, source="a paper", of="PE LS", without=("task 2",))
    table = replace(reproduction(), columns={"PE LS without 2": some})
    assert [one.name for one in table.cells_of("PE LS without 2")] == [
        "PE LS, task 1", "PE LS, task 3",
    ]  # fmt: skip


def test_the_mean_of_rows_is_of_the_seeds_that_all_have():
    described = {"unit": "%", "better": "lower", "commits": ["c"], "whole": True}
    one = row_of("a", "m", {0: 1.0, 1: 2.0, 2: 9.0}, **described)
    other = row_of("b", "m", {2: 3.0, 1: 4.0}, **described)
    assert _means([one, other]) == {1: 3.0, 2: 6.0}
    apart = row_of("c", "m", {7: 6.0, 8: 8.0}, **described)
    assert _means([one, apart]) == {0: (4.0 + 7.0) / 2}


# Rows of runs


def test_a_table_names_its_data_by_every_checksum_or_none_where_they_are_made():
    entry = Entry(row="r", run=recipe("recall/stream")())
    table = SeedsTable(title="t", data="d", entries=(entry,))
    runs = {name: Runs({0: ran({}, name)}, frozenset()) for name in ("b", "a")}
    assert table.checksum(runs, None) == "a, b"
    assert table.checksum({}, None) is None
    assert replace(table, generated=True).checksum(runs, None) is None


def test_folders_of_runs_are_named_for_table_row_rate_and_seed(tmp_path):
    entry = Entry(row="A row", run=recipe("recall/stream")())
    table = SeedsTable(title="t", data="d", entries=(entry,), seeds=2)
    (stage,) = table.stages("t", tmp_path, None, "")
    assert [job.folder for job in stage] == [tmp_path / "t" / "a-row" / seed for seed in "01"]
    shared = replace(table, folder="f", rates=(0.5, 0.001))
    assert [job.folder for job in shared.trials(entry, "t", tmp_path, None)] == [
        tmp_path / "f" / "a-row" / "rate-0.5", tmp_path / "f" / "a-row" / "rate-0.001",
    ]  # fmt: skip
    assert shared.jobs(entry, "t", tmp_path, None) == []
    one = replace(table, folder="f", rates=(0.5,))
    assert one.jobs(entry, "t", tmp_path, None)[1].folder == tmp_path / "f" / "a-row" / "1"


def test_old_rows_stand_for_their_own_entry_alone(tmp_path):
    run = recipe("recall/stream")()
    other = replace(run, loop=replace(run.loop, threads=2))
    figure = Figure(metric="hits", words="hits")
    table = SeedsTable(
        title="t",
        data="d",
        entries=(Entry(row="a", run=run), Entry(row="b", run=other)),
        figures=(figure,),
        generated=True,
    )
    made = [
        results.measured(
            row, "hits", {0: value}, unit="%", better="higher", selection="mean over all seeds"
        )
        for row, value in (("a", 1.0), ("b", 2.0))
    ]
    before = replace(
        table.collect("t", tmp_path, None),
        rows=tuple(made),
        series=(results.Series(name="s", x=(1.0,), y=(2.0,)),),
        data=results.Data("older", None, "test"),
    )
    same = table.collect("t", tmp_path, None, before)
    assert (same.rows, same.series, same.data) == (before.rows, before.series, before.data)
    assert (same.command, same.name) == ("memnets reproduce t", "t")
    changed = replace(table, entries=(Entry(row="a", run=other), table.entries[1]))
    rows = changed.collect("t", tmp_path, None, before).rows
    assert [row.measured for row in rows] == [None, 2.0]


def test_the_run_of_a_rows_first_seed_is_begun_again(monkeypatch, tmp_path):
    entries = tuple(Entry(row=row, run=recipe("recall/stream")()) for row in "ab")
    figures = (Figure(metric="x", words="x"), Figure(metric="y", words="y", row=" y"))
    table = SeedsTable(title="t", data="d", entries=entries, figures=figures)
    asked = []
    monkeypatch.setattr(
        staleness, "fingerprint", lambda run, nudge=None: asked.append(run.loop.seed) or "00 1.0"
    )

    def row(name, fingerprint, seeds):
        return results.measured(
            name, "x", dict.fromkeys(seeds, 1.0), unit="%", better="higher", selection="",
            fingerprint=fingerprint,
        )  # fmt: skip

    rows = (row("a", None, (0, 1)), row("a y", "00 1.0", (3, 5)), row("b", "11 1.00000001", (7, 2)))
    known = results.Table(name="t", command="", config={}, data=None, rows=rows)
    assert list(check(table, known, None)) == [
        (("a y",), "same bits"), (("a",), "no fingerprint"), (("b",), "but for rounding"),
    ]  # fmt: skip
    assert asked == [3, 7]
    assert list(check(SimpleNamespace(), known, None)) == []


# Comparisons


class Ended:
    """A finished run of a language model, without its weights."""

    def __init__(self, seed, looks=(), rate=0.01):
        self.seed, self.looks, self.rate = seed, looks, rate

    def log(self):
        return [{"seen": seen, "quick": {"bits": bits}} for seen, bits in self.looks]

    weights = Path("weights")

    def read_json(self, name):
        assert name == "vocabulary.json"
        return {"symbols": ["a", "b", "c"]}

    @property
    def record(self):
        return {"commit": "c", "data": {"sha256": "ab"}, "seed": self.seed}

    def made(self, tied=True):
        run = SimpleNamespace(
            training=SimpleNamespace(learning_rate=self.rate),
            model=SimpleNamespace(tied=tied, dropout=0.25),
        )
        share = 0.1 + self.seed
        metrics = {"valid": {"cache_flatness": 0.5, "cache_share": share}}
        result = {"metrics": metrics, "seen": 12345.6, "wall_s": 1.0}
        return FinishedRun(run, self, result)


COMPARED = Comparison(
    title="t",
    data="d",
    metric="bits",
    entries=(Entry(row="LSTM", run=None), Entry(row="own", run=None, rates=(1.0, 2.0))),
    cached=("LSTM",),
    baselines=("LSTM",),
)


def test_a_row_of_a_comparison_says_how_it_was_got(monkeypatch):
    monkeypatch.setattr("memnets.experiments.comparison._parameters", lambda _: (1000, 23456))
    runs = Runs({0: Ended(0).made(), 1: Ended(1).made()}, frozenset({2}))
    entry, own = COMPARED.entries
    row, cached = COMPARED.figures_of(entry)
    said = [
        "rate 0.01 of 0.001, 0.003, 0.01", "parameters: 1,000 in the core, 23,456 in all",
        "12,346 symbols a run", "diverged and not counted: seeds 2",
    ]  # fmt: skip
    assert list(COMPARED.notes(entry, row, runs, {})) == said
    assert list(COMPARED.notes(entry, cached, runs, {})) == [
        *said, "flatness/share of the cache, a seed: 0.5/0.1, 0.5/1.1",
    ]  # fmt: skip
    (figure,) = COMPARED.figures_of(own)
    assert next(COMPARED.notes(own, figure, runs, {})) == "rate 0.01 of 1, 2"
    monkeypatch.setattr("memnets.experiments.comparison._parameters", lambda _: (0, 23456))
    assert list(COMPARED.notes(entry, row, runs, {}))[1] == "parameters: 23,456 in all"


def test_the_numbers_of_the_core_and_of_the_model_are_counted(tmp_path):
    from safetensors.torch import save_file

    from memnets.experiments.comparison import _parameters

    sizes = {"core.a": (2, 3), "core.b.c": (5,), "score.w": (7, 2)}
    save_file({name: torch.zeros(size) for name, size in sizes.items()}, tmp_path / "w")
    assert _parameters(tmp_path / "w") == (11, 25)


def test_quick_looks_are_averaged_with_their_deviation():
    looks = ((10.0, 3.0), (20.0, 2.0), (30.0, None)), ((10.0, 5.0), (20.0, 2.0), (30.0, 1.0))
    runs = Runs({n: Ended(n, of).made() for n, of in enumerate(looks)}, frozenset())
    (made,) = COMPARED.series(COMPARED.entries[0], {"LSTM": runs})
    assert (made.x, made.y) == ((10.0, 20.0), (4.0, 2.0))
    assert made.spread == pytest.approx((math.sqrt(2), 0.0))


def test_terms_are_of_the_run():
    assert Terms.of("LSTM", Ended(3).made()) == Terms(
        "LSTM", 3, 12345.6, "softmax over 3 symbols, tied, dropout 0.25", "ab"
    )
    assert "3 symbols, of its own weights, drop" in Terms.of("x", Ended(3).made(tied=False)).decoder
    base = Terms("a", 0, 1000.0, "d", "s")
    check_alike([base, base._replace(tokens=1001.0), base._replace(tokens=999.0)])
    with pytest.raises(ValueError, match="differ in tokens: 1,000 and 998 "):
        check_alike([base, base._replace(tokens=998.0)])


# Runs


def test_a_run_is_measured_as_it_ended_on_the_part_that_is_asked_for(tmp_path):
    heard, model = [], torch.nn.Linear(1, 1)

    class Folder:
        path, weights = tmp_path, tmp_path

        def __getattr__(self, name):
            return lambda *given: heard.append((name, given[0]))

    def evaluate(of, split):
        assert of is model
        assert not of.training
        heard.append(("evaluate", split))
        return {"loss": SimpleNamespace(mean=0.5)} if split == "valid" else {}

    phases = [SimpleNamespace(prepare=lambda of, n=n: heard.append(("prepare", n))) for n in (1, 2)]
    task = SimpleNamespace(evaluate=evaluate)
    prepared = SimpleNamespace(
        data=SimpleNamespace(sha256="ab"),
        files={"v": 1},
        experiment=SimpleNamespace(model=model, phases=phases, task=task),
    )
    run = SimpleNamespace(kind="k", prepare=lambda: prepared)
    assert measure.measure(run, Folder(), "valid") == {"loss": 0.5}
    assert heard == [
        ("check_data", "ab"), ("check_files", {"v": 1}), ("load_weights", model),
        ("prepare", 2), ("evaluate", "valid"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"--split test: the data of .* no such part"):
        measure.measure(run, Folder(), "test")


@dataclasses.dataclass(frozen=True)
class Sizes:
    small: int = 3
    seed: int = 10**12
    much_more: int = 7000
    more: int = 50
    flag: bool = True
    rate: float = 1e9


def test_the_three_largest_numbers_are_told_where_memory_does_not_do():
    with (
        pytest.raises(
            MemoryError,
            match=r"Its largest numbers are much_more 7,000, more 50, small 3: make one of them "
            r"smaller, such as --much-more 700\.$",
        ),
        execute._memory_told(Sizes()),
    ):
        raise MemoryError
    with (
        pytest.raises(MemoryError, match=r" much_more 2, .* such as --more 5\.$|--small 1\.$"),
        execute._memory_told(replace(Sizes(), small=3, more=1, much_more=2)),
    ):
        raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("name", "called"), [("its/recipe", "its/recipe"), (None, "recall/stream")]
)
def test_a_run_is_called_by_its_recipe_or_its_kind(name, called, tmp_path):
    run = recipe("recall/stream")()
    record = {"recipe": name, "config": json.loads(json.dumps(to_json(run))), "kind": run.kind}
    RunFolder.create(tmp_path / "run", record)
    opened = execute.open_as(tmp_path / "run", type(run))
    assert opened.name == (called if name else run.kind)
    assert (opened.run, opened.path) == (run, tmp_path / "run")


def test_fields_under_their_former_names_are_read():
    run = recipe("recall/stream")()
    record = to_json(run)
    record["core"]["kept"] = record["core"].pop("k") + 1
    assert from_json(type(run), record, "run.json").core.k == run.core.k + 1


# Runs that are begun


@pytest.fixture
def begun(monkeypatch):
    """What is fitted, in place of training."""
    asked = []
    monkeypatch.setattr(
        "memnets.training.loop.fit", lambda *given, **named: asked.append((given, named)) or {}
    )
    return asked


def prepared_as(run, monkeypatch):
    made = SimpleNamespace(
        experiment="experiment",
        files={"vocabulary.json": {"a": 1}},
        data=DataRecord("stories", "ab"),
        notes=("one", "two"),
    )
    monkeypatch.setattr(type(run), "prepare", lambda _: made)


def test_a_run_is_begun_with_its_record_and_its_notes_are_told(begun, tmp_path, monkeypatch):
    run, told = recipe("recall/stream")(), []
    prepared_as(run, monkeypatch)
    show = SimpleNamespace(note=told.append)
    execute.start(run, tmp_path / "a", "its/recipe", show)
    execute.start(run, tmp_path / "b")
    assert told == ["one", "two"]
    (((experiment, loop, folder), named), (_, bare)) = begun
    assert (experiment, loop, folder.path) == ("experiment", run.loop, tmp_path / "a")
    assert (named, bare) == ({"show": show}, {"show": None})
    record = folder.record
    assert (record["recipe"], record["kind"]) == ("its/recipe", run.kind)
    assert record["data"] == {"name": "stories", "sha256": "ab"}
    assert folder.read_json("vocabulary.json") == {"a": 1}
    execute.resume(tmp_path / "a", type(run), show)
    assert begun[2][1] == {"resume": True, "show": show}
    assert told == ["one", "two"]
    monkeypatch.setattr(RunFolder, "check_data", lambda _, sha256: begun.append(sha256))
    execute.resume(tmp_path / "a", type(run))
    assert begun[3] == "ab"  # before it goes on


def test_a_run_of_a_table_is_begun_gone_on_with_or_left_alone(tmp_path, monkeypatch):
    asked = []
    run = recipe("recall/stream")()
    run = replace(run, loop=replace(run.loop, threads=3))
    job = Job("r", ("r",), run, tmp_path / "run")

    def begin(run, folder):
        asked.append(("start", run, folder))
        folder.mkdir()
        write_json(folder / "run.json", {})

    def go_on(folder, kind):
        asked.append(("resume", folder, kind))
        raise DivergenceError("the loss of update 7 is no number")

    monkeypatch.setattr(execute, "start", begin)
    monkeypatch.setattr(execute, "resume", go_on)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for _ in range(3):
        _carry_out_one(job)
    assert asked == [("start", run, job.folder), ("resume", job.folder, type(run))]
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert diverged(job.folder) == "the loss of update 7 is no number"
    assert ended(job.folder)


@pytest.mark.parametrize("stopped", [SystemExit(7), KeyboardInterrupt()])
def test_a_run_of_a_table_that_is_stopped_ends_its_process(stopped, tmp_path, monkeypatch):
    left = []

    def stop(*given):
        raise stopped

    monkeypatch.setattr(execute, "start", stop)
    monkeypatch.setattr("memnets.experiments.jobs.os._exit", left.append)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    _carry_out_one(Job("r", ("r",), recipe("recall/stream")(), tmp_path / "run"))
    assert left == [130]


def test_what_is_stale_in_any_table_is_stale_in_all(monkeypatch, capsys):
    known = {
        name: results.Table(name=name, command="", config={}, data=None, rows=()) for name in "abc"
    }
    found = {
        "a": [(("x", "y"), "other"), (("z",), "but for rounding")],
        "b": [(("x",), "same bits"), (("y",), "no fingerprint")],
    }
    monkeypatch.setattr("memnets.studies.tables", lambda: dict.fromkeys("abc"))
    monkeypatch.setattr("memnets.studies.table", lambda name: name)

    def checked(table, result, data):
        if table == "c":
            raise FileNotFoundError("no data")
        return (staleness.Checked(*one) for one in found[table])

    monkeypatch.setattr(staleness, "check", checked)
    assert _stale(known, None) == 1
    assert capsys.readouterr().out.splitlines() == [
        "a: stale: x; y",
        "a: 0 rows with the same bits, 1 but for rounding, 2 stale, 0 without a fingerprint.",
        "b: 1 rows with the same bits, 0 but for rounding, 0 stale, 1 without a fingerprint.",
        "c: not checked: no data",
    ]
    del known["a"]
    assert _stale(known, None) == 0

"""Small parts of tables and of asking, by hand: figures, notes, orders, names, and what is read."""

import math
import os
import re
import statistics
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from memnets import layers, results
from memnets.attention import Dot, ScaledDot
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer, as_question
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.configs.memnn import MemNNModel, MemNNTraining
from memnets.experiments.execute import out_of_memory
from memnets.experiments.jobs import (
    DIVERGED,
    FinishedRun,
    Job,
    Runs,
    as_now,
    diverged,
    diverged_note,
    ended,
    gather,
    seeded,
    skipped_note,
    slug,
    without_path,
)
from memnets.experiments.overrides import check_overrides, override
from memnets.experiments.reproduction import FAILED, FAR, supports_read
from memnets.experiments.run import from_json, to_json, up_to_date
from memnets.experiments.seeds import TRIAL, Entry, Figure, SeedsTable, chosen_by, mean_curve
from memnets.experiments.tables import (
    Criterion,
    difference,
    interval_note,
    joined,
    matching,
    row_of,
)
from memnets.files import write_json
from memnets.layers import zone_choice
from memnets.memories import BlankZones, ZoneMemory
from memnets.models import cran
from memnets.results import records
from memnets.studies import recipe


@pytest.fixture(autouse=True)
def _nobody_asks_git(monkeypatch):
    monkeypatch.setattr(records, "running_commit", lambda: "0000000")


def ran(metrics, wall=1.0, fingerprint=None, commit="a"):
    folder = SimpleNamespace(record={"commit": commit, "device": "cpu", "data": {"sha256": "ab"}})
    result = {"metrics": metrics, "wall_s": wall, "fingerprint": fingerprint}
    return FinishedRun(None, folder, result)


def row(values, commit="a", **changes):
    described = {"unit": "%", "better": "lower", **changes}
    return row_of("r", "m", values, commits=[commit], whole=True, **described)


# Figures


@pytest.mark.parametrize("count", [2, 3, 9, 10, 11, 12, 31, 121])
def test_intervals_are_students_for_every_number_of_seeds(count):
    """Quantiles as tables print them, of 1, 2, 8 to 11, 30 and 120 degrees of freedom."""
    printed = {2: 12.7062, 3: 4.30265, 9: 2.30600, 10: 2.26216, 11: 2.22814, 12: 2.20099}
    printed |= {31: 2.04227, 121: 1.97993}
    values = [float(value) for value in range(count)]
    low, high = results.interval(values)
    assert (low + high) / 2 == pytest.approx((count - 1) / 2)
    half = printed[count] * statistics.stdev(values) / math.sqrt(count)
    assert (high - low) / 2 == pytest.approx(half, rel=1e-4)
    assert results.spread(values) == statistics.stdev(values)
    assert results.spread([1.0]) is None


def test_a_figure_is_a_share_an_error_or_a_number():
    measured = {"hits": 0.25, "all": 0.5, "none": 0.0, "lost": None, "bits": 1.5}
    assert Figure(metric="hits", words="").value(measured) == 25.0
    assert Figure(metric="hits", words="", error=True).value(measured) == 75.0
    assert Figure(metric="hits", words="", out_of="all").value(measured) == 50.0
    assert math.isnan(Figure(metric="hits", words="", out_of="none").value(measured))
    assert Figure(metric="bits", words="", unit="bits").value(measured) == 1.5
    assert Figure(metric="lost", words="").value(measured) is None


def test_a_criterion_costs_less_where_it_is_better():
    metrics = {"valid": {"loss": 2.0, "accuracy": 0.5, "lost": None}}
    assert Criterion("valid", "loss").cost(metrics) == 2.0
    assert Criterion("valid", "accuracy", "higher").cost(metrics) == -0.5
    assert Criterion("valid", "lost", "higher").cost(metrics) is None
    assert str(Criterion("train", "loss")) == "lowest training loss"
    assert str(Criterion("valid", "accuracy", "higher")) == "highest validation accuracy"
    for split in ("test", "cliff"):
        with pytest.raises(ValueError, match="No run is chosen by the questions"):
            Criterion(split, "loss")
    both = (Criterion("train", "loss"), Criterion("valid", "loss"))
    assert chosen_by(both, 3) == "lowest training loss of 3 runs, then lowest validation loss"


def test_notes_tell_intervals_by_unit_and_within_what_can_be():
    values = (1.0, 2.0, 4.0)  # -1.461250 to 6.127917
    assert interval_note(values) == "95 % interval -1.5 to 6.1"
    assert interval_note(values, "bits") == "95 % interval -1.461 to 6.128"
    assert interval_note(values, "").endswith(" to 6.1279")
    assert interval_note(values, within=(0.0, 5.0)) == "95 % interval 0.0 to 5.0"
    assert interval_note([1.0]) == ""
    assert joined(["", "a", "", "b"]) == "a; b"


def test_a_difference_is_seed_by_seed():
    first = row({2: 5.0, 0: 3.0, 7: 1.0}, "b, c")
    second = row({0: 1.0, 2: 2.0, 5: 0.0}, "a, b")
    made = difference("d", first, second, runs=2)
    assert (made.seeds, made.values) == ((0, 2), (2.0, 3.0))
    assert (made.status, made.commit) == ("done", "a, b, c")
    assert (made.metric, made.unit, made.better) == ("difference in m", "%", "lower")
    assert made.note.startswith("95 % interval")
    assert difference("d", first, second, runs=3).status == "partial"
    assert difference("d", first, row({0: 1.0}), runs=2).status == "not run"
    bits = difference("d", row({0: 1.0, 1: 2.0}, unit="bits"), row({0: 1.0, 1: 1.0}), runs=2)
    assert re.fullmatch(r"95 % interval -\d\.\d{3} to \d\.\d{3}", bits.note)
    assert row({}).status == "not run"


def test_rows_are_matched_anywhere_in_any_of_their_names():
    things = {"a": ("ours, task 1", "ours, task 2"), "b": ("theirs",)}
    found = matching("task 2", "t", things, things.__getitem__)
    assert found == ["a"]
    assert matching("", "t", things, things.__getitem__) == ["a", "b"]
    with pytest.raises(ValueError, match=r"no row of t\. Its rows are 'ours, task 1', 'ours, task"):
        matching("^task", "t", things, things.__getitem__)


def test_what_was_read_is_told_where_it_was_counted():
    metrics = {"supports_read/4": 0.5, "supports_chance/4": 0.0, "gold_read/4": 0.125}
    said = "all supports read 50.0% (by chance 0.0%, any 12.5%)"
    assert supports_read(metrics, "accuracy/4") == said
    assert supports_read({"supports_read": 1.0}, "accuracy") == "all supports read 100.0%"
    assert supports_read(metrics, "accuracy/5") == ""
    assert (FAILED, FAR, TRIAL) == (5.0, 5.0, 100)


def test_a_curve_is_where_all_have_points_in_order():
    curves = [{3.0: 1.0, 1.0: 2.0, 9.0: 0.0}, {1.0: 4.0, 3.0: 3.0}]
    (both,) = mean_curve("c", curves, max)
    assert (both.x, both.y, both.spread) == ((1.0, 3.0), (3.0, 2.0), (4.0, 3.0))
    (one,) = mean_curve("c", curves[:1], max)
    assert (one.x, one.spread) == ((1.0, 3.0, 9.0), None)
    assert (
        list(mean_curve("c", [], max)) == list(mean_curve("c", [{1.0: 1.0}, {2.0: 1.0}], max)) == []
    )


# Rows of runs


def seeds_table(**changes):
    figure = Figure(metric="hits", words="hits", published=1.0, source="a paper")
    entry = Entry(
        row="r", run=recipe("recall/stream")(), published={"hits": 2.0}, targets={"hits": 9}
    )
    table = SeedsTable(title="t", data="d", entries=(entry,), figures=(figure,))
    return replace(table, **changes), replace(entry, source="another")


def test_a_row_of_seeds_by_hand():
    table, entry = seeds_table()
    runs = Runs(
        {
            seed: ran(
                {"test": {"hits": share}}, wall=2.0, fingerprint=f"f{seed}", commit=f"c{seed % 2}"
            )
            for seed, share in ((0, 0.5), (1, 0.25), (2, None))
        },
        frozenset(),
    )
    (figure,) = table.figures_of(entry)
    assert (figure.row, figure.published, figure.source, figure.target) == ("r", 2.0, "another", 9)
    made, lost = table.row(entry, figure, runs)
    assert (made.values, made.seeds, made.measured) == ((50.0, 25.0), (0, 1), 37.5)
    assert (made.status, made.wall_s, made.fingerprint, made.commit) == (
        "done",
        6.0,
        "f0",
        "c0, c1",
    )
    assert (made.note, lost) == ("diverged and not counted: seeds 2", frozenset({2}))
    fewer = runs._replace(done={0: runs.done[0]})
    assert table.row(entry, figure, fewer)[0].status == "partial"
    assert table.row(replace(entry, seeds=1), figure, fewer)[0].status == "done"
    before = {("r", "hits"): replace(made, values=(1.0, 2.0), seeds=(0, 1))}
    kept, lost = table.row(entry, figure, fewer._replace(before=before))
    assert (kept.values, lost) == ((1.0, 2.0), frozenset({2}))
    again, _ = table.row(entry, figure, runs._replace(before=before))
    assert again.values == (50.0, 25.0)  # as many seeds: the new ones stand
    shared = replace(entry, figures=(figure, replace(figure, row="s")))
    assert replace(table, figures=()).row(shared, figure, runs)[0].wall_s == 3.0
    assert table.row(shared, figure, runs)[0].wall_s == 2.0  # one is of every entry
    assert table.names(shared) == ("r", "s")


def test_the_run_that_is_reported_is_the_best_by_each_criterion_in_turn():
    table, entry = seeds_table(
        choose=(Criterion("train", "accuracy", "higher"), Criterion("train", "loss"))
    )
    shares = {0: (0.9, 0.1), 1: (0.95, 0.4), 2: (0.95, 0.3), 3: (0.99, None)}
    runs = Runs(
        {
            seed: ran({"train": {"accuracy": a, "loss": b}, "test": {"hits": seed / 10}})
            for seed, (a, b) in shares.items()
        },
        frozenset(),
    )
    (figure,) = table.figures_of(entry)
    made, lost = table.row(entry, figure, runs)
    assert (made.measured, made.seeds, lost) == (20.0, (0, 1, 2), frozenset({3}))
    assert made.selection == "highest training accuracy of 3 runs, then lowest training loss"


def test_rates_are_tried_by_short_runs_and_the_cheapest_is_taken(tmp_path, monkeypatch):
    table, entry = seeds_table(rates=(0.1, 0.2, 0.3), trial={"updates": 7}, generated=True)
    trials = table.trials(entry, "t", tmp_path, None)
    assert [(job.seed, job.run.training.updates) for job in trials] == [(TRIAL, 7)] * 3
    assert [job.run.training.learning_rate for job in trials] == [0.1, 0.2, 0.3]
    costs = {0.1: math.inf, 0.2: 1.0, 0.3: 2.0}
    monkeypatch.setattr(SeedsTable, "_cost", lambda _, job: costs[job.run.training.learning_rate])
    jobs = table.jobs(entry, "t", tmp_path, Path("elsewhere"))
    assert [(job.seed, job.run.training.learning_rate) for job in jobs] == [
        (s, 0.2) for s in range(3)
    ]
    assert {job.run.training.updates for job in jobs} == {entry.run.training.updates}
    costs[0.3] = None
    assert table.jobs(entry, "t", tmp_path, None) == []
    only = replace(entry, rates=(0.5,), seeds=1)
    assert table.trials(only, "t", tmp_path, None) == []
    assert [job.run.training.learning_rate for job in table.jobs(only, "t", tmp_path, None)] == [
        0.5
    ]
    assert len(table.possible_runs(entry, 0, None)) == 3
    assert len(table.possible_runs(only, 0, None)) == 1
    plain = replace(table, rates=())
    assert plain.possible_runs(entry, 3, None)[0].training == entry.run.training


# Jobs


def test_folders_have_plain_names():
    assert slug(" PE LS (10k), task 3!") == "pe-ls-10k-task-3"
    assert diverged_note([3, 1]) == "diverged and not counted: seeds 1, 3"
    assert diverged_note([]) == ""


def test_skipped_updates_are_told_by_seed():
    assert skipped_note({2: 7, 0: 1, 1: 0}) == "updates skipped: 1 of seed 0, 7 of seed 2"
    assert skipped_note({0: 0}) == ""


def test_a_run_is_of_a_seed_and_its_data_of_a_place():
    run = recipe("memn2n/babi")()
    there = seeded(run, 5, Path("there"))
    assert (there.loop.seed, there.data.path) == (5, Path("there"))
    assert seeded(run, 5, None).data == run.data
    config = without_path(to_json(there))
    assert config["data"]["path"] is None
    bare = to_json(recipe("simulated_world/rnn")())
    assert without_path(bare) == bare
    before = {**bare, "data": {**bare["data"], "path": None}}
    assert as_now(before, bare) == bare
    assert as_now(config, config) == config


def test_runs_of_an_entry_are_gathered_by_seed(tmp_path):
    run = recipe("recall/stream")()
    jobs = [Job("r", ("r",), seeded(run, seed, None), tmp_path / f"{seed}") for seed in (2, 0, 1)]
    for job in jobs[:2]:
        job.folder.mkdir()
    write_json(jobs[0].folder / DIVERGED, {"message": "too fast"})
    assert (ended(jobs[0].folder), diverged(jobs[0].folder)) == (True, "too fast")
    assert (ended(jobs[1].folder), diverged(jobs[1].folder)) == (False, None)
    record = {
        "format": 1,
        "kind": run.kind,
        "config": to_json(jobs[1].run),
        "data": {"sha256": "ab"},
    }
    jobs[2].folder.mkdir()
    for job in jobs:
        write_json(job.folder / "run.json", {**record, "config": to_json(job.run)})
    for job in jobs[1:]:
        write_json(job.folder / "result.json", {"metrics": {}, "wall_s": 1.5, "fingerprint": None})
    write_json(jobs[2].folder / DIVERGED, {"message": "before it went on"})
    found = gather(jobs)
    assert (list(found.done), found.lost) == ([0, 1], frozenset({2}))
    assert found.wall_s == 3.0
    assert Runs({}, frozenset()).wall_s == 0.0
    assert Runs({}, frozenset()).fingerprint is None
    assert (
        Runs({3: ran({}, fingerprint="x"), 4: ran({}, fingerprint="y")}, frozenset()).fingerprint
        == "x"
    )
    gpu = ran({}, fingerprint="x")
    gpu.folder.record["device"] = "cuda"  # its rounding is not a CPU's: none repeats the bits
    assert Runs({3: gpu, 4: ran({}, fingerprint="y")}, frozenset()).fingerprint is None


# Fields


def test_fields_are_known_in_every_spelling_and_strict():
    run = recipe("memn2n/babi")()
    check_overrides(
        "r", run, ["--model.no-time", "--no-model", "model.x", "--training.halve-every=3"]
    )
    for wrong in ("--model.no-dim", "--model.hop", "--training.no-noise"):
        with pytest.raises(ValueError, match=r"has no field"):
            check_overrides("r", run, [wrong])
    with pytest.raises(ValueError, match=r"data\.tasks came as '12'; expected"):
        override("r", run, {"data.tasks": "12"})
    with pytest.raises(ValueError, match=r"model\.dim came as True"):
        override("r", run, {"model.dim": True})
    with pytest.raises(ValueError, match=r"model\.dim came as 3\.0"):
        override("r", run, {"model.dim": 3.0})
    with pytest.raises(ValueError, match="extra fields"):
        from_json(type(run), {**to_json(run), "more": 1}, "run.json")
    placed = override("r", run, {"data.path": "here"})
    assert to_json(placed)["data"]["path"] == os.path.abspath("here")
    stored = {"no": "such"}
    assert up_to_date(type(run), stored) is stored
    assert up_to_date(type(run), {}) == up_to_date(type(run), to_json(run))


def test_memnns_settings_are_the_ones_that_are_told():
    told = MemNNModel()
    assert (told.dim, told.hops, told.gram, told.initial_scale) == (50, 0, 3, 0.05)
    assert (told.adaptive, told.nonlinear, told.time, told.latest) == (True,) * 4
    vocabulary = SimpleNamespace(features=range(30), words=20, hops=3, said=2)
    full = told.build(vocabulary)
    assert (full.hops, full.said) == (3, 2)
    few = replace(told, hops=2, adaptive=False, time=False, latest=False).build(vocabulary)
    assert (few.hops, few.said) == (2, 1)
    training = MemNNTraining()
    assert (training.batch, training.epochs, training.margin) == (32, 30, 1.0)
    assert (training.negatives, training.learning_rate, training.evaluate_every) == (10, 0.01, 5)


# Asking


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("who?", "who?"),
        (" who ? ", "who?"),
        ("«who?»", "who?"),
        ("„who“?", "who?"),
        ("“ who? ”", "who?"),
        ("'\"who？\"'", "who?"),
        ("who؟", "who?"),
        ("who\u037e", "who?"),
        ("who??", "who?"),
        ("who", None),
        ('"', None),
        ('"who" she', None),
        ("?", "?"),
        ("'?", "'?"),
        ("", None),
    ],
)
def test_a_question_in_plain_form(line, asks):
    assert as_question(line) == asks


def test_every_part_of_a_cran_is_the_one_that_is_named():
    sizes = {"hidden": 7, "key_dim": 5, "zones": 4, "slots": 3, "k": 2}

    def cell(**parts):
        return CRANCore(**sizes, **parts).build(6).cell

    for part, kinds in {
        "query": {"input": cran.InputQuery, "joint": cran.JointQuery},
        "read": {"input": cran.InputRead, "joint": cran.JointRead},
        "update": {"relu": cran.ReluUpdate, "gated": cran.GatedUpdate},
        "key": {
            **{"linear": layers.LinearKey, "mlp": layers.MLPKey, "bilstm": layers.BiLSTMKey},
            **{"transformer": layers.TransformerKey, "mean": layers.MeanKey},
            "last": layers.LastKey,
        },
        "choice": {
            **{"top": zone_choice.TopZones, "renormalised": zone_choice.RenormalisedZones},
            **{"twice": zone_choice.TwiceSoftmaxZones, "random": zone_choice.RandomZones},
            "none": zone_choice.NoZones,
        },
    }.items():
        for name, kind in kinds.items():
            assert type(getattr(cell(**{part: name}), part)) is kind
    plain = cell()
    assert (plain.memory, type(plain.memory)) == (ZoneMemory(4, 3), ZoneMemory)
    assert type(cell(blank=True).memory) is BlankZones
    assert plain.choice.k == 2
    assert (type(plain.zone_score), type(plain.slot_score)) == (ScaledDot, ScaledDot)
    other = cell(scaled=False)
    assert (type(other.zone_score), type(other.slot_score)) == (Dot, Dot)
    for depth in (1, 2):
        sized = sum(part.numel() for part in cell(key="mlp", depth=depth).key.parameters())
        twin = layers.MLPKey(7, 3, 5, depth)
        assert sized == sum(part.numel() for part in twin.parameters())
        sized = sum(part.numel() for part in cell(key="transformer", depth=depth).key.parameters())
        twin = layers.TransformerKey(7, 5, layers=depth)
        assert sized == sum(part.numel() for part in twin.parameters())
    network = CRANCore(**sizes, refresh="write", detached=True).build(6)
    assert (network.refresh, network.detached) == ("write", True)
    network = CRANCore(**sizes).build(6)
    assert (network.refresh, network.detached) == ("window", False)


class Repeating(Answerer):
    """Says what came."""

    devices = ("cpu", "meta")

    def __init__(self):
        self.device, self.folder = "cpu", SimpleNamespace(record={"kind": "echo"}, result=None)
        self.__dict__["model"] = SimpleNamespace(to=lambda device: device)

    def answer(self, context, asked):
        return Answer(asked, "|".join(context), 1.0, (), ())

    def data_sha256(self):
        return ""

    def examples(self, split, task):
        return iter(())


def test_stories_are_cut_into_sentences_and_questions_are_made_plain():
    one = Repeating()
    assert one.ask("Joe left. Is it so!  Dan came.\n\n Sue ran ", "«who？»").text == (
        "Joe left.|Is it so!|Dan came.|Sue ran"
    )
    several = one.ask([" a b. c ", "", "d"], ["x?", "y"])
    assert [answer.question for answer in several] == ["x?", "y"]
    assert several[0].text == "a b. c|d"
    assert one.ask(question="q?", story=[]).text == ""
    assert one.metrics == {}
    for given, named, told in (
        (("a",), {}, "no question came"),
        (("a", "b?", "c"), {}, "3 things came"),
        (("a", "b?"), {"story": "c"}, "story came twice"),
        (("a",), {"x": 1, "w": 2}, "there is no 'w'"),
        (("a", None), {}, "no question came"),
        ((["a", 1], "b?"), {}, "story came as"),
        (("a?", "b?"), {}, "'a\\?' came in the story"),
    ):
        with pytest.raises(ValueError, match=f"{told}.*, but echo takes ask"):
            one.ask(*given, **named)


def test_a_model_is_moved_where_it_can_be_asked():
    one = Repeating()
    assert one.to("meta:1").device == "meta:1"
    with pytest.raises(ValueError, match="can be asked on cpu or meta"):
        one.to("cuda")


def test_only_a_lack_of_memory_is_one():
    assert out_of_memory(MemoryError())
    assert out_of_memory(RuntimeError("CUDA out of memory. Tried"))
    assert out_of_memory(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    assert not out_of_memory(RuntimeError("shape"))
    assert not out_of_memory(ValueError("out of memory"))


# Records


def test_a_row_that_contradicts_itself_is_refused():
    good = row({0: 1.0, 3: 2.0}, published=1.0, source="a paper")
    empty = results.not_run("r", "m", unit="%", better="lower")
    for one, changes in (
        (good, {"status": "not run"}),
        (good, {"measured": None}),
        (empty, {"status": "partial"}),
        (good, {"values": (1.0,)}),
        (good, {"seeds": (1,)}),
        (good, {"source": None}),
        (good, {"published": None}),
    ):
        with pytest.raises(ValueError, match="row 'r': "):
            replace(one, **changes)
    assert (good.goal, replace(good, target=0.0).goal) == (1.0, 0.0)
    assert empty.reached is None
    equal = replace(good, measured=1.0)
    assert equal.reached is replace(equal, better="higher").reached is True
    unordered = results.measured(
        "r", "m", {7: 4.0, 1: 1.0, 3: 1.0}, unit="", better="lower", selection=""
    )
    assert (unordered.seeds, unordered.values, unordered.measured) == (
        (7, 1, 3),
        (4.0, 1.0, 1.0),
        2.0,
    )

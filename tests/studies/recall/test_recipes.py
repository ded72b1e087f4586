"""Recipes and tables of recall."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from memnets.data.worlds.recall import Episodes, Stream, Zoned
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.execute import resume, start
from memnets.experiments.jobs import DIVERGED
from memnets.experiments.seeds import TRIAL, Entry
from memnets.files import write_json
from memnets.memories import BlankZones
from memnets.studies import recipes, tables
from memnets.studies.recall import tables as recall_tables
from memnets.studies.recall import task as task_module
from memnets.studies.recall.comparison import RecallTable, figures
from memnets.studies.recall.recipes import CRANRecall, LSTMCore, LSTMRecall, RecallTraining
from memnets.training.config import Loop

TINY = RecallTraining(dim=5, batch=3, updates=2, warm_up=0, evaluate_every=1)
SMALL = CRANRecall(
    data=Stream(keys=67, values=5, longest=13, window=7, unique=15, cliff=31),
    core=CRANCore(hidden=7, key_dim=5, zones=3, slots=5, k=2),
    training=TINY,
)
SMALL_LSTM = LSTMRecall(data=SMALL.data, core=LSTMCore(hidden=5), training=TINY)


@pytest.fixture(autouse=True, scope="module")
def short_looks():
    """Evaluate on a few batches: nothing here depends on how many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task_module, "COUNTED", {"valid": 1, "test": 4, "cliff": 40})
        patch.setattr(task_module, "SETTLING", 1)
        yield


def parameters(model) -> int:
    return sum(parameter.numel() for parameter in model.core.parameters())


def test_both_cores_have_as_many_parameters():
    cran, lstm = parameters(CRANRecall().build()), parameters(LSTMRecall().build())
    assert abs(cran - lstm) < 0.02 * cran


def test_weights_follow_from_the_seed():
    first, same = SMALL.build(), SMALL.build()
    other = replace(SMALL, loop=Loop(seed=1)).build()
    assert (first.answer_weight.weight == same.answer_weight.weight).all()
    assert (first.answer_weight.weight != other.answer_weight.weight).any()


@pytest.mark.parametrize("run", [SMALL, SMALL_LSTM], ids=["cran", "lstm"])
def test_every_weight_is_learnt(run):
    experiment = run.prepare().experiment
    learnt = [id(one) for group in experiment.optimizer.param_groups for one in group["params"]]
    assert sorted(learnt) == sorted(map(id, experiment.model.parameters()))


def test_the_rate_rises_and_falls():
    training = RecallTraining(updates=100, learning_rate=1.0, warm_up=10, cool_down=0.25)
    rates = [training.rate(update) for update in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9] == rates[75] == 1.0
    assert rates[99] == pytest.approx(0.04)
    assert max(rates) == 1.0


def test_lessons_come_first_with_their_zones_and_lags():
    training = replace(TINY, updates=7, lessons=((1, 5, 2), (2, 9, 3)))
    run = replace(SMALL, training=training)
    experiment = run.prepare().experiment
    assert [phase.updates for phase in experiment.phases] == [2, 3, 7]
    assert [phase.stream for phase in experiment.phases] == ["lesson 1", "lesson 2", "train"]
    longest = [experiment.task.worlds[phase.stream].longest for phase in experiment.phases]
    assert longest == [5, 9, 13]
    zones = []
    for phase in experiment.phases:
        phase.prepare(experiment.model)
        zones.append(experiment.model.core.init_state(1).keys.shape[1])
    assert zones == [1, 2, 3]
    blank = replace(run, core=replace(run.core, blank=True)).prepare().experiment
    for phase in blank.phases:
        phase.prepare(blank.model)
        assert type(blank.model.core.cell.memory) is BlankZones
    rates = [phase.learning_rate(u) for phase in experiment.phases for u in range(phase.updates)]
    assert rates == [training.rate(update) for update in range(12)]


def test_lessons_of_what_has_no_lags_are_refused():
    training = RecallTraining(lessons=((4, 35, 10),))
    with pytest.raises(ValueError, match=r"training\.lessons is \(\(4, 35, 10\),\), and would be"):
        CRANRecall(data=Episodes(), training=training)


def test_the_cliff_asks_once_and_further_than_the_memory_reaches():
    cliff = SMALL.worlds()["cliff"]
    assert (cliff.once, cliff.longest, cliff.unique) == (True, 31, 31)
    assert "cliff" not in replace(SMALL, data=replace(SMALL.data, cliff=0)).worlds()
    assert SMALL.memory == Zoned(3, 5)
    assert SMALL_LSTM.memory is None


@pytest.mark.parametrize("run", [SMALL, SMALL_LSTM], ids=["cran", "lstm"])
def test_a_run_trains_answers_and_gives_examples(run, tmp_path):
    result = start(run, tmp_path / "run")
    assert set(result["metrics"]) == {"valid", "test"}
    assert resume(tmp_path / "run", type(run))["updates"] == 2
    answerer = run.restore(tmp_path / "run")
    assert answerer.ask(["k3 v1", "k4 v2"], "k3").text.startswith("v")
    example = next(answerer.examples("test", 1))
    assert example.gold.startswith("v")
    assert answerer.ask(example.given, example.question).text == example.text
    texts = list(answerer.read_texts())
    assert len(texts) == (2 if run is SMALL else 0)
    for text in texts:
        assert len(text.words) == SMALL.data.window
        read = text.weights.sum(1) + text.before
        # Two of three zones are read, by what a softmax over all gave them.
        np.testing.assert_array_less(read, 1)
        np.testing.assert_array_less(1 / 2, read)
    if texts:
        where = texts[0].words.index(example.question)
        weights = sorted(one.weight for one in example.steps[0].supports)
        told = texts[0].zones[where, :, None] * texts[0].slots[where]
        np.testing.assert_allclose(sorted(told.ravel())[-len(weights) :], weights, atol=1e-6)


def test_every_recipe_can_be_prepared():
    for name, recipe in recipes().items():
        if name.startswith("recall/"):
            run = recipe()
            prepared = run.prepare()
            batch = next(iter(prepared.experiment.task.worlds["train"].batches(0, 2)))
            assert len(batch.keys) == 2
            assert run.data.task in prepared.data.name


@pytest.fixture(scope="module")
def table():
    return RecallTable(
        title="tiny",
        data="a small stream",
        entries=(
            Entry(row="CRAN", run=SMALL, rates=(1e-3, 1e-1), targets={"accuracy": 0.0}),
            Entry(row="LSTM", run=SMALL_LSTM),
        ),
        figures=figures("accuracy_beyond", "gold_read"),
    )


@pytest.fixture(scope="module")
def runs(table, tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    made = []
    for jobs in table.stages("tiny", root, None, ""):
        for job in jobs:
            start(job.run, job.folder)
            made.append((job.name, job.seed))
    trials = [("CRAN, rate 0.001", TRIAL), ("CRAN, rate 0.1", TRIAL)]
    assert made == trials + [(row, seed) for seed in range(3) for row in ("CRAN", "LSTM")]
    return root


def test_a_table_is_not_run_before_it_is_run(table, tmp_path):
    empty = table.collect("tiny", tmp_path, None)
    assert {row.status for row in empty.rows} == {"not run"}
    assert empty.series == ()


def test_a_table_means_over_all_seeds(table, runs):
    made = table.collect("tiny", runs, None)
    by_name = {row.row: row for row in made.rows}
    assert by_name["CRAN"].seeds == (0, 1, 2)
    assert by_name["CRAN"].status == "done"
    assert by_name["CRAN"].target == 0.0
    assert "best of 2" in by_name["CRAN"].note
    assert "95 % interval" in by_name["CRAN"].note
    assert "ceiling" in by_name["CRAN: asked later than any window reaches"].note
    assert "ceiling" not in by_name["LSTM"].note
    assert "CRAN: step that told is read most" in by_name
    assert "LSTM: step that told is read most" not in by_name
    assert {series.name for series in made.series} == {
        f"{row}, {kind}" for row in ("CRAN", "LSTM") for kind in ("recall", "cliff")
    }
    assert max(made.series[1].x) == 31
    trial = json.loads((runs / "tiny" / "cran" / "rate-0.1" / "run.json").read_text())
    assert trial["config"]["training"]["learning_rate"] == 0.1


def test_a_trial_is_no_longer_than_it_need_be(table, tmp_path):
    long = replace(SMALL, training=replace(TINY, updates=4000))
    entries = tuple(
        Entry(row=row, run=run, rates=(1e-3, 3e-3)) for row, run in (("a", long), ("b", SMALL))
    )
    planned = replace(table, entries=entries)
    trials = next(planned.stages("tiny", tmp_path, None, ""))
    assert [job.run.training.learning_rate for job in trials] == [1e-3, 3e-3] * 2
    assert [job.run.training.updates for job in trials] == [1000, 1000, 2, 2]
    alone = replace(table, entries=(Entry(row="a", run=long, rates=(3e-3,)),))
    _, reported = alone.stages("tiny", tmp_path, None, "")
    training = replace(long.training, learning_rate=3e-3)
    assert [job.run for job in reported] == [
        replace(long, training=training, loop=Loop(seed=seed)) for seed in range(3)
    ]


def test_a_row_says_which_of_its_runs_diverged(table, runs, tmp_path):
    shutil.copytree(runs / "tiny", tmp_path / "tiny")
    diverge(tmp_path / "tiny" / "lstm" / "1")
    rows = {row.row: row for row in table.collect("tiny", tmp_path, None).rows}
    assert (rows["LSTM"].status, rows["LSTM"].seeds) == ("done", (0, 2))
    assert "diverged and not counted: seeds 1" in rows["LSTM"].note
    diverge(tmp_path / "tiny" / "cran" / "rate-0.1")
    *_, reported = table.stages("tiny", tmp_path, None, "CRAN")
    assert {job.run.training.learning_rate for job in reported} == {1e-3}


def diverge(run):
    """Make of a finished run one that diverged in training."""
    (run / "result.json").unlink()
    write_json(run / DIVERGED, {"message": "the loss of update 7 is not a finite number"})


def test_a_run_under_another_configuration_is_refused(table, runs):
    other = replace(SMALL_LSTM, core=LSTMCore(hidden=3))
    entries = (table.entries[0], replace(table.entries[1], run=other))
    with pytest.raises(
        ValueError, match=r"lstm/0: it was run with another configuration than 'LSTM' has now"
    ):
        replace(table, entries=entries).collect("tiny", runs, None)


def test_the_tables_are_known_and_their_rows_differ_in_name():
    made = [
        function()
        for function in tables().values()
        if function.__module__ == recall_tables.__name__
    ]
    assert len(made) == 5
    for table in made:
        names = [entry.row.lower() for entry in table.entries]
        assert len(set(names)) == len(names)

"""Filling a table: which run is reported, what is written, and that it can go on."""

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from memnets import results
from memnets.cli.main import main
from memnets.experiments import jobs as jobs_module
from memnets.experiments.jobs import DIVERGED, _carry_out_one, carry_out
from memnets.experiments.reproduction import ACCURACY, Column, Reproduction, TableCell
from memnets.experiments.run import to_json
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import Criterion, difference, row_of
from memnets.report.published import published_for
from memnets.studies import tables
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memn2n.recipes import MemN2NBabi, MemN2NTraining, babi
from memnets.training.record import describe
from memnets.training.runs import RunFolder

RUN = MemN2NBabi(
    data=BabiData(source="generated"),
    training=MemN2NTraining(epochs=1, linear_epochs=0),
)


def table(runs: int = 2, contrasts=()) -> Reproduction:
    cells = tuple(
        TableCell(column=column, row="task 1", run=RUN, metric="accuracy/1", published=p, source=s)
        for column, p, s in (("ours", 3.0, "a paper, Table 1"), ("other", None, None))
    )
    column = Column(mean=3.0, failed=0.0, source="a paper, Table 1", target=4.0)
    return Reproduction(
        title="t",
        data="generated",
        cells=cells,
        seeds=runs,
        columns={"ours": column},
        contrasts=contrasts,
    )


def finish(job, *, train: float, test: float, loss: float | None = 0.5, valid: float = 0.5) -> None:
    """Pretend that a job has run."""
    data = {"name": "generated", "sha256": "ab" * 32}
    RunFolder.create(job.folder, describe("memn2n/babi", to_json(job.run), job.run.loop, data))
    metrics = {
        "train": {"accuracy": 1 - train, "loss": loss},
        "valid": {"loss": valid},
        "test": {
            "accuracy/1": 1 - test,
            "supports_read/1": 0.5,
            "supports_chance/1": 0.125,
            "gold_read/1": 0.75,
        },
    }
    (job.folder / "result.json").write_text(json.dumps({"metrics": metrics, "wall_s": 2.0}))


def jobs(name, planned, root):
    (stage,) = planned.stages(name, root, None, "")
    return stage


def row(made: results.Table, name: str) -> results.Row:
    return next(row for row in made.rows if row.row == name)


def test_the_run_of_lowest_training_error_is_reported_whatever_the_test_says(tmp_path):
    todo = jobs("t", table(), tmp_path)
    ours = [job for job in todo if job.cells[0].startswith("ours")]
    finish(ours[0], train=0.02, test=0.01)  # better on the test questions: must not matter
    finish(ours[1], train=0.01, test=0.20)
    made = row(table().collect("t", tmp_path, None), "ours, task 1")
    assert made.measured == pytest.approx(20.0)
    assert made.values == pytest.approx((1.0, 20.0))
    assert made.status == "done"
    assert made.note == "all supports read 50.0% (by chance 12.5%, any 75.0%); runs 1.0 to 20.0"
    assert "test" not in made.selection


def test_of_equal_training_errors_the_lowest_loss_decides(tmp_path):
    first, second, third = (
        job for job in jobs("t", table(runs=3), tmp_path) if job.cells[0].startswith("ours")
    )
    finish(first, train=0.1, test=0.1, loss=0.9)
    finish(second, train=0.1, test=0.2, loss=0.2)
    finish(third, train=0.4, test=0.3, loss=0.1)
    made = row(table(runs=3).collect("t", tmp_path, None), "ours, task 1")
    assert made.measured == pytest.approx(20.0)
    assert made.selection == "lowest training error of 3 runs, then lowest training loss"


def test_no_test_figure_can_decide():
    with pytest.raises(ValueError, match=r"split='test'\): expected one of train, valid"):
        Criterion("test", "accuracy")


def test_a_table_may_be_of_accuracy_chosen_by_validation_loss(tmp_path):
    planned = dataclasses.replace(table(), choose=(Criterion("valid", "loss"),), measure=ACCURACY)
    first, _, second, _ = jobs("t", planned, tmp_path)
    finish(first, train=0.0, test=0.3, valid=0.7)
    finish(second, train=0.1, test=0.2, valid=0.6)
    made = planned.collect("t", tmp_path, None)
    cell, mean, failed = (row(made, f"ours, {name}") for name in ("task 1", "mean", "failed"))
    assert (cell.metric, cell.better, cell.measured) == ("test accuracy", "higher", 80.0)
    assert cell.selection == "lowest validation loss of 2 runs"
    assert (mean.metric, mean.better, mean.measured) == ("mean test accuracy", "higher", 80.0)
    assert (failed.metric, failed.measured) == ("tasks below 95 % test accuracy", 1.0)


def test_a_table_may_be_of_means(tmp_path):
    planned = dataclasses.replace(table(), choose=())
    first, _, second, _ = jobs("t", planned, tmp_path)
    finish(first, train=0.0, test=0.3, loss=None)  # nothing is chosen by it
    finish(second, train=0.1, test=0.2)
    made = row(planned.collect("t", tmp_path, None), "ours, task 1")
    assert made.measured == pytest.approx(25.0)
    assert made.selection == "mean over all seeds"
    assert made.note == "95 % interval -38.5 to 88.5"


def test_cells_that_did_not_run_say_so(tmp_path):
    todo = jobs("t", table(), tmp_path)
    made = table().collect("t", tmp_path, None)
    assert {r.status for r in made.rows} == {"not run"}
    finish(todo[0], train=0.0, test=0.1)
    made = table().collect("t", tmp_path, None)
    assert row(made, "ours, task 1").status == "partial"
    assert row(made, "ours, mean").status == "partial"
    assert row(made, "other, task 1").status == "not run"


def test_runs_that_diverged_are_no_error_and_are_named(tmp_path):
    contrast = table(runs=3, contrasts=(("ours", "other"),))
    todo = jobs("t", contrast, tmp_path)
    ours, other = ([job for job in todo if job.cells[0].startswith(name)] for name in ("our", "ot"))
    finish(ours[0], train=0.0, test=0.1)
    finish(ours[1], train=0.0, test=0.2, loss=None)  # diverged in evaluation
    finish(ours[2], train=0.1, test=0.3)
    for job in other:
        RunFolder.create(
            job.folder, describe("memn2n/babi", to_json(job.run), job.run.loop, {"sha256": "ab"})
        )
        (job.folder / DIVERGED).write_text('{"message": "the loss is not a finite number"}')
    made = contrast.collect("t", tmp_path, None)
    first, second = row(made, "ours, task 1"), row(made, "other, task 1")
    assert (first.status, first.seeds) == ("done", (0, 2))
    assert first.note.endswith("; diverged and not counted: seeds 1")
    assert second.status == "not run"
    assert second.note == "diverged and not counted: seeds 0, 1, 2"
    assert row(made, "ours minus other, task 1").status == "not run"


def test_a_column_has_its_mean_and_its_failed_tasks(tmp_path):
    todo = jobs("t", table(), tmp_path)
    for job in todo:
        finish(job, train=0.0, test=0.07)
    made = table().collect("t", tmp_path, None)
    assert row(made, "ours, mean").measured == pytest.approx(7.0)
    assert row(made, "ours, mean").target == 4.0
    assert row(made, "ours, failed").measured == 1.0


def test_a_difference_is_taken_seed_by_seed_with_its_interval(tmp_path):
    contrast = table(runs=3, contrasts=(("ours", "other"),))
    todo = jobs("t", contrast, tmp_path)
    for job in todo:
        error = 0.10 + 0.01 * job.seed - (0.02 if job.cells[0].startswith("ours") else 0.0)
        finish(job, train=0.0, test=error)
    made = row(contrast.collect("t", tmp_path, None), "ours minus other, task 1")
    assert made.measured == pytest.approx(-2.0)
    assert "95 % interval -2.0 to -2.0" in made.note


@pytest.mark.parametrize(
    ("of_other", "runs", "status", "seeds"),
    [
        ((0, 1, 2), 3, "done", (0, 1, 2)),
        ((1, 2), 2, "done", (1, 2)),
        ((1, 2), 3, "partial", (1, 2)),
        ((2,), 3, "not run", ()),  # of one seed there is no interval
    ],
)
def test_a_difference_is_done_where_every_seed_has_a_figure_in_both(of_other, runs, status, seeds):
    described = {"unit": "%", "better": "lower"}
    rows = [
        row_of(name, "error", dict.fromkeys(of, 0.5), commits=["c"], whole=True, **described)
        for name, of in (("one", (0, 1, 2)), ("other", of_other))
    ]
    made = difference("one minus other", *rows, runs)
    assert (made.status, made.seeds) == (status, seeds)


def test_the_place_of_the_data_is_not_published(tmp_path):
    run = dataclasses.replace(babi(), data=BabiData(path=tmp_path))
    cell = dataclasses.replace(table().cells[0], run=run)
    made = dataclasses.replace(table(), cells=(cell,)).collect("t", tmp_path, None)
    assert made.config["data"]["path"] is None
    assert str(tmp_path) not in json.dumps(dataclasses.asdict(made))


def test_jobs_have_their_own_folder_and_seed(tmp_path):
    todo = jobs("t", table(runs=3), tmp_path)
    assert len({job.folder for job in todo}) == len(todo) == 6
    assert [job.run.loop.seed for job in todo] == [0, 0, 1, 1, 2, 2]


def test_a_joint_run_fills_all_cells_of_its_column(tmp_path):
    joint = tables()["memn2n-babi-1k-joint"]()
    todo = jobs("joint", joint, tmp_path)
    assert len(todo) == 5 * 10
    assert all(len(job.cells) == 20 for job in todo)
    assert len({job.folder for job in todo}) == len(todo)


def test_runs_are_carried_out_once(tmp_path):
    cells = table(runs=1).cells[:1]
    todo = jobs("t", dataclasses.replace(table(runs=1), cells=cells), tmp_path)
    done = list(carry_out(todo, workers=1))
    assert done == todo
    first = (todo[0].folder / "result.json").stat().st_mtime_ns
    _carry_out_one(todo[0])  # as another process would
    assert (todo[0].folder / "result.json").stat().st_mtime_ns == first


def test_a_process_that_is_ended_from_outside_is_told(tmp_path, monkeypatch):
    """What was saved is kept, and the same command goes on with it."""

    def ended(job):
        raise BrokenProcessPool

    monkeypatch.setattr(jobs_module, "ProcessPoolExecutor", lambda n, **_: ThreadPoolExecutor(n))
    monkeypatch.setattr(jobs_module, "_carry_out_one", ended)
    with pytest.raises(ChildProcessError, match=r"ended from outside.*give the same command again"):
        list(carry_out(jobs("t", table(runs=1), tmp_path), workers=1))


def test_more_workers_than_a_pool_could_count_are_as_many_as_runs():
    assert list(carry_out([], workers=10**20)) == []


PUBLISHED = {
    name: made for name, plan in tables().items() if isinstance(made := plan(), Reproduction)
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_table_is_well_formed(name):
    made = PUBLISHED[name]
    assert len({cell.name for cell in made.cells}) == len(made.cells)
    for column, published in made.columns.items():
        printed = [cell.published for cell in made.cells_of(column)]
        assert printed
        if published.mean is not None and None not in printed:
            rounded = 0.5 if published.mean.is_integer() else 0.05  # some papers print no decimals
            assert sum(printed) / len(printed) == pytest.approx(published.mean, abs=rounded + 1e-3)
        if published.failed is not None:
            lower = made.measure.better == "lower"
            errors = printed if lower else [100.0 - one for one in printed]
            assert sum(error >= 5.0 for error in errors) == published.failed  # printed rounded


def test_a_published_figure_is_found_for_the_run_that_repeats_it():
    run = dataclasses.replace(babi(), data=BabiData(tasks=(4,)))
    assert published_for(run) == {"accuracy/4": 2.8}
    other = dataclasses.replace(run, model=dataclasses.replace(run.model, hops=1))
    assert published_for(other) == {}


def test_the_command_writes_the_table_and_stops_where_data_are_missing(tmp_path, capsys):
    words = ["reproduce", "memn2n-babi-1k-single", "--only", "task 4", "--workers", "1"]
    words += ["--runs", str(tmp_path / "runs"), "--results", str(tmp_path)]
    assert main([*words, "--data", str(tmp_path)]) == 2
    assert "tasks_1-20_v1-2" in capsys.readouterr().err


def both_seeds(root):
    first, other, *_ = todo = jobs("t", table(contrasts=(("ours", "other"),)), root)
    for job in todo:
        finish(job, train=0.0, test=0.1 if job.cells[0].startswith("ours") else 0.3)
    return first, other


def test_rows_whose_runs_are_elsewhere_stay_and_what_follows_from_them_is_computed(tmp_path):
    contrast = table(contrasts=(("ours", "other"),))
    both_seeds(tmp_path / "elsewhere")
    before = contrast.collect("t", tmp_path / "elsewhere", None)
    here = [job for job in jobs("t", contrast, tmp_path) if job.cells[0].startswith("other")]
    for job in here:
        finish(job, train=0.0, test=0.5)
    made = contrast.collect("t", tmp_path, None, before)
    assert row(made, "ours, task 1") == row(before, "ours, task 1")
    assert row(made, "ours, mean").measured == row(before, "ours, mean").measured
    assert row(made, "other, task 1").measured == pytest.approx(50.0)
    assert row(made, "ours minus other, task 1").measured == pytest.approx(-40.0)
    assert row(before, "ours minus other, task 1").measured == pytest.approx(-20.0)
    assert made.data == before.data
    (tmp_path / "empty").mkdir()
    fewer = contrast.collect("t", tmp_path / "empty", None, made)
    # Sums and differences are computed anew, at another time.
    dated = [dataclasses.replace(one, created=made.rows[0].created) for one in fewer.rows]
    assert dated == [dataclasses.replace(one, created=made.rows[0].created) for one in made.rows]


def test_seeds_that_are_run_elsewhere_are_added_to_those_a_row_has(tmp_path):
    planned = dataclasses.replace(table(runs=3, contrasts=(("ours", "other"),)), choose=())
    for job in jobs("t", planned, tmp_path / "elsewhere"):
        if job.seed != 1 and job.cells[0].startswith("ours"):
            finish(job, train=0.0, test=0.1 + job.seed / 10)
        elif job.seed == 1 and job.cells[0].startswith("other"):
            finish(job, train=0.0, test=0.5)
    before = planned.collect("t", tmp_path / "elsewhere", None)
    todo = [job for job in jobs("t", planned, tmp_path) if planned.lacks(job, before)]
    assert [(job.cells[0], job.seed) for job in todo] == [
        ("other, task 1", 0),
        ("ours, task 1", 1),
        ("other, task 1", 2),
    ]
    finish(todo[1], train=0.0, test=0.6)
    made = planned.collect("t", tmp_path, None, before)
    ours = row(made, "ours, task 1")
    assert (ours.seeds, ours.status) == ((0, 1, 2), "done")
    assert ours.values == pytest.approx((10.0, 60.0, 30.0))
    assert ours.measured == pytest.approx(100 / 3)
    assert ours.note.startswith("95 % interval")
    assert ours.wall_s == 6.0
    assert row(made, "other, task 1") == row(before, "other, task 1")
    finish(todo[0], train=0.0, test=0.2)
    made = planned.collect("t", tmp_path, None, made)
    assert row(made, "other, task 1").seeds == (0, 1)
    assert row(made, "ours minus other, task 1").values == pytest.approx((-10.0, 10.0))


def test_a_row_of_chosen_runs_is_not_added_to(tmp_path):
    both_seeds(tmp_path)
    before = table().collect("t", tmp_path, None)
    with pytest.raises(ValueError, match="worked out of all their runs together"):
        table().lacks(jobs("t", table(), tmp_path)[0], before)


def test_rows_of_another_configuration_do_not_stay(tmp_path):
    both_seeds(tmp_path / "elsewhere")
    before = table().collect("t", tmp_path / "elsewhere", None)
    longer = dataclasses.replace(RUN, training=MemN2NTraining(epochs=2, linear_epochs=0))
    cells = tuple(dataclasses.replace(cell, run=longer) for cell in table().cells)
    made = dataclasses.replace(table(), cells=cells).collect("t", tmp_path, None, before)
    assert {one.status for one in made.rows} == {"not run"}


def test_the_mean_of_a_column_is_known_for_every_seed(tmp_path):
    first, _, second, _ = jobs("t", table(), tmp_path)
    finish(first, train=0.02, test=0.01)
    finish(second, train=0.01, test=0.20)
    mean = row(table().collect("t", tmp_path, None), "ours, mean")
    assert mean.measured == pytest.approx(20.0)
    assert mean.values == pytest.approx((1.0, 20.0))


def test_a_row_of_the_checkout_is_made_by_a_commit(monkeypatch, capsys):
    monkeypatch.setattr(results, "commit", lambda: "abc1234-dirty")
    assert main(["reproduce", "memn2n-babi-1k-single"]) == 2
    assert "Commit the changes, or have the table written elsewhere" in capsys.readouterr().err


def test_rows_of_one_name_stay_each_with_its_own_metric(tmp_path):
    figures = (Figure(metric="accuracy", words="right"), Figure(metric="loss", words="cost"))
    planned = SeedsTable(
        title="t", data="d", entries=(Entry(row="ours", run=RUN),), figures=figures
    )
    made = [
        results.measured(
            "ours", words, {0: value}, unit="%", better="higher", selection="mean over all seeds"
        )
        for words, value in (("right", 90.0), ("cost", 2.0))
    ]
    empty = planned.collect("t", tmp_path, None)
    before = dataclasses.replace(empty, rows=tuple(made))
    assert planned.collect("t", tmp_path, None, before).rows == tuple(made)

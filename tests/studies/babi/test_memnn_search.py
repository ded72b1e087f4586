"""MemNN's settings: chosen by questions held out of training, and by no others."""

import dataclasses
import json
import re

import pytest

from memnets import results
from memnets.experiments.run import to_json
from memnets.studies import tables
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memnn.recipes import babi
from memnets.studies.babi.memnn.search import (
    GRID,
    SearchSetting,
    choose,
    difference,
    memnn_babi_1k_search,
)
from memnets.training.record import describe
from memnets.training.runs import RunFolder


def test_the_setting_in_use_is_the_first_of_the_grid():
    run = babi()
    used = SearchSetting(run.training.margin, run.model.initial_scale, run.training.negatives)
    assert used == GRID[0]
    assert len({setting.name for setting in GRID}) == len(GRID)


def test_only_the_settings_and_the_questions_held_out_differ():
    run = SearchSetting(0.3, 0.1, 0).of(babi(), task=7)
    assert run.data == BabiData(tasks=(7,), validate="last", validation=0.1)
    assert run.training == dataclasses.replace(babi().training, margin=0.3, negatives=0)
    assert run.model == dataclasses.replace(babi().model, initial_scale=0.1)


def errors(*by_setting):
    """Errors of the first settings of the grid, in two seeds and three tasks."""
    pairs = [(seed, task) for seed in (0, 1) for task in (2, 3, 5)]
    return {
        setting: dict(zip(pairs, map(float, figures), strict=True))
        for setting, figures in zip(GRID, by_setting, strict=False)
    }


def test_the_lowest_wins_beyond_chance_only():
    used = (5, 6, 7, 5, 6, 7)
    clear = (3, 4, 5, 2, 4, 5)  # 2.2 lower, by about as much everywhere
    chance = (0, 9, 9, 0, 6, 3)  # lower too, here and there
    worse = (9, 9, 9, 9, 9, 9)
    assert choose(errors(used, worse, clear)) == GRID[2]
    assert choose(errors(used, worse, chance)) == GRID[0]
    assert choose(errors(used, worse)) == GRID[0]
    assert choose(errors(used)) == GRID[0]
    low, high = difference(errors(used, clear), GRID[1])
    assert low < -2.1 < high < 0


NAME = "memnn-babi-1k-search"
FEW = dataclasses.replace(memnn_babi_1k_search(), grid=GRID[:3], tasks=(2, 7), seeds=(0, 1))
"""Three settings of two tasks."""


def test_the_search_is_a_table():
    assert tables()[NAME]() == memnn_babi_1k_search()
    known = results.read(results.results_folder() / f"{NAME}.json")
    assert [row.row for row in known.rows] == [setting.name for setting in GRID]
    assert max(row.seeds for row in known.rows) == memnn_babi_1k_search().seeds
    assert known.series[0].x == memnn_babi_1k_search().tasks
    assert memnn_babi_1k_search().base == babi()


def ran(job, valid, test=1.0):
    """Write the folder of a finished run."""
    data = {"name": "toy", "sha256": "0" * 64}
    folder = RunFolder.create(
        job.folder, describe("memnn/babi", to_json(job.run), job.run.loop, data), {}
    )
    metrics = {"valid": {"accuracy": valid}, "test": {"accuracy": test}}
    (folder.path / "result.json").write_text(json.dumps({"metrics": metrics, "wall_s": 2.0}))


def every_first(folder, valid, test=None):
    """Write the runs of the first seed, setting after setting."""
    jobs = [job for setting in FEW.grid for job in FEW.jobs(NAME, folder, None, setting, 0)]
    for job, right, unseen in zip(jobs, valid, test or valid, strict=True):
        ran(job, right, unseen)


def test_the_record_is_of_the_questions_held_out(tmp_path):
    # The first setting is best on what is held out, the others on the test questions.
    every_first(tmp_path, (0.9, 0.8, 0.7, 0.8, 0.6, 0.6), (0.1, 0.1, 1.0, 1.0, 1.0, 1.0))
    table = FEW.collect(NAME, tmp_path, None)
    assert [row.measured for row in table.rows] == pytest.approx([15.0, 25.0, 40.0])
    assert table.series[0].x == (2.0, 7.0)
    assert table.series[0].y == pytest.approx((10.0, 20.0))
    assert table.rows[0].wall_s == 4.0
    assert [row.note for row in table.rows] == ["", "", ""]  # the second seed is to come


def test_those_near_the_lowest_run_again(tmp_path):
    every_first(tmp_path, (0.80, 0.80, 0.90, 0.60, 0.90, 0.71))
    first, second = FEW.stages(NAME, tmp_path, None, only="")
    assert len(first) == 6
    assert [(job.name, job.seed) for job in second] == [  # the one in use, and the lowest
        *[(GRID[0].name, 1)] * 2,
        *[(GRID[2].name, 1)] * 2,
    ]
    for job in second:
        ran(job, 0.8)
    table = FEW.collect(NAME, tmp_path, None)
    assert [row.seeds for row in table.rows] == [(0, 1), (0,), (0, 1)]
    assert [row.measured for row in table.rows] == pytest.approx([20.0, 25.0, 19.75])
    chosen, other, near = (row.note for row in table.rows)
    assert chosen == "chosen"
    assert other == ""
    assert near == "95 % interval of the difference to the first row -12.6 to 12.1"


def test_nothing_is_chosen_before_all_have_run(tmp_path):
    for job in FEW.jobs(NAME, tmp_path, None, GRID[0], 0):
        ran(job, 0.9)
    rows = FEW.collect(NAME, tmp_path, None).rows
    assert [row.status for row in rows] == ["done", "not run", "not run"]
    assert rows[0].note == ""
    assert FEW.near(NAME, tmp_path, None) == []


def test_a_run_of_another_configuration_is_refused(tmp_path):
    first, *rest = FEW.jobs(NAME, tmp_path, None, GRID[0], 0)
    other = dataclasses.replace(first.run, model=dataclasses.replace(first.run.model, dim=7))
    for job in (first._replace(run=other), *rest):
        ran(job, 0.9)
    said = f"{re.escape(str(first.folder))}: .* than {first.name!r} has now. Remove the folder"
    with pytest.raises(ValueError, match=said):
        FEW.collect(NAME, tmp_path, None)


def test_some_of_the_rows_can_be_run(tmp_path):
    wanted = next(FEW.stages(NAME, tmp_path, None, only=r"weights 0\.1"))
    assert {job.name for job in wanted} == {GRID[1].name}
    assert [job.run.data.tasks for job in wanted] == [(2,), (7,)]
    with pytest.raises(
        ValueError, match=rf"--only 'moon' matches no row of {NAME}.*{GRID[0].name}"
    ):
        next(FEW.stages(NAME, tmp_path, None, only="moon"))


def test_the_record_is_one_of_results(tmp_path):
    every_first(tmp_path, (0.9,) * 6)
    path = results.write(FEW.collect(NAME, tmp_path, None), tmp_path)
    assert path.name == f"{NAME}.json"
    assert results.read(path).command == f"memnets reproduce {NAME}"

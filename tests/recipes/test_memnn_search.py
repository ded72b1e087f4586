"""MemNN's settings: chosen by questions held out of training, and by no others."""

import dataclasses
import json
import re

import pytest

from memnets import results
from memnets.recipes.babi import BabiData
from memnets.recipes.memnn import babi
from memnets.recipes.memnn_search import GRID, Setting, choose, memnn_babi_1k_search
from memnets.recipes.reproduction import ended
from memnets.recipes.run import to_json
from memnets.recipes.tables import tables
from memnets.training.runs import RunFolder, describe


def test_the_recipe_is_a_setting_of_the_grid():
    run = babi()
    used = Setting(run.training.margin, run.model.initial_scale, run.training.negatives)
    assert used in GRID
    assert len({setting.name for setting in GRID}) == len(GRID)


def test_only_the_settings_and_the_questions_held_out_differ():
    run = Setting(0.3, 0.1, 0).of(babi(), task=7)
    assert run.data == BabiData(tasks=(7,), validate="last", validation=0.1)
    assert run.training == dataclasses.replace(babi().training, margin=0.3, negatives=0)
    assert run.model == dataclasses.replace(babi().model, initial_scale=0.1)


def test_the_lowest_wins_and_the_first_of_equals():
    errors = {setting: 10.0 + number for number, setting in enumerate(GRID)}
    errors[GRID[3]] = errors[GRID[5]] = 7.5
    assert choose(errors) == GRID[3]


NAME = "memnn-babi-1k-search"
FEW = dataclasses.replace(memnn_babi_1k_search(), grid=GRID[:2], tasks=(2, 7))
"""Two settings of two tasks."""


def test_the_search_is_a_table():
    assert tables()[NAME]() == memnn_babi_1k_search()


def ran(job, valid, test=0.0):
    """Write the folder of a finished run."""
    data = {"name": "toy", "sha256": "0" * 64}
    folder = RunFolder.create(
        job.folder, describe("memnn/babi", to_json(job.run), job.run.loop, data), {}
    )
    metrics = {"valid": {"accuracy": valid}, "test": {"accuracy": test}}
    (folder.path / "result.json").write_text(json.dumps({"metrics": metrics, "wall_s": 2.0}))


def test_the_record_is_of_the_questions_held_out(tmp_path):
    every = FEW.jobs(NAME, tmp_path, None)
    # The first setting is better on what is held out, the second on the test questions.
    for job, valid, test in zip(every, (0.9, 0.8, 0.7, 0.8), (0.1, 0.1, 1.0, 1.0), strict=True):
        ran(job, valid, test)
    table = FEW.collect(NAME, tmp_path, None)
    assert [row.measured for row in table.rows] == pytest.approx([15.0, 25.0])
    assert [row.note for row in table.rows] == ["chosen: the lowest", ""]
    assert table.series[0].x == (2.0, 7.0)
    assert table.series[0].y == pytest.approx((10.0, 20.0))
    assert table.rows[0].wall_s == 4.0


def test_nothing_is_chosen_before_all_have_run(tmp_path):
    every = FEW.jobs(NAME, tmp_path, None)
    for job in every[:3]:
        ran(job, 0.9)
    rows = FEW.collect(NAME, tmp_path, None).rows
    assert [row.status for row in rows] == ["done", "not run"]
    assert rows[0].note == ""


def test_a_run_of_another_configuration_is_refused(tmp_path):
    first, *_ = FEW.jobs(NAME, tmp_path, None)
    other = dataclasses.replace(first.run, model=dataclasses.replace(first.run.model, dim=7))
    ran(first._replace(run=other), 0.9)
    said = f"{re.escape(str(first.folder))}: .* than {first.name!r} has now. Remove the folder"
    with pytest.raises(ValueError, match=said):
        FEW.collect(NAME, tmp_path, None)


def test_some_of_the_rows_can_be_run(tmp_path):
    (wanted,) = FEW.stages(NAME, tmp_path, None, only=r"weights 0\.1")
    assert {job.name for job in wanted} == {GRID[1].name}
    assert [job.run.data.tasks for job in wanted] == [(2,), (7,)]
    with pytest.raises(
        ValueError, match=rf"--only 'moon' matches no row of {NAME}.*{GRID[0].name}"
    ):
        next(FEW.stages(NAME, tmp_path, None, only="moon"))


def test_the_record_is_one_of_results(tmp_path):
    every = FEW.jobs(NAME, tmp_path, None)
    for job in every:
        ran(job, 0.9)
    assert all(ended(job.folder) for job in every)
    path = results.write(FEW.collect(NAME, tmp_path, None), tmp_path)
    assert path.name == f"{NAME}.json"
    assert results.read(path).command == f"memnets reproduce {NAME}"

"""MemNN's settings: chosen by questions held out of training, and by no others."""

import dataclasses
import json
import re

import pytest

from memnets import results
from memnets.recipes import memnn_search
from memnets.recipes.babi import BabiData
from memnets.recipes.memnn import babi
from memnets.recipes.memnn_search import GRID, Setting, choose, collect, jobs, main
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


def test_the_whole_grid_is_compared_and_the_lowest_wins():
    errors = {setting: 10.0 + number for number, setting in enumerate(GRID)}
    errors[GRID[3]] = 7.5
    assert choose(errors) == GRID[3]
    del errors[GRID[5]]
    assert choose(errors) is None


@pytest.fixture
def few(monkeypatch):
    """Two settings of two tasks."""
    monkeypatch.setattr(memnn_search, "GRID", GRID[:2])
    monkeypatch.setattr(memnn_search, "TASKS", (2, 7))
    return GRID[:2]


def ran(job, valid, test=0.0):
    """Write the folder of a finished run."""
    data = {"name": "toy", "sha256": "0" * 64}
    folder = RunFolder.create(
        job.folder, describe("memnn/babi", memnn_search.to_json(job.run), job.run.loop, data), {}
    )
    metrics = {"valid": {"accuracy": valid}, "test": {"accuracy": test}}
    (folder.path / "result.json").write_text(json.dumps({"metrics": metrics, "wall_s": 2.0}))


def test_the_record_is_of_the_questions_held_out(few, tmp_path):
    every = jobs(babi(), tmp_path, None)
    # The first setting is better on what is held out, the second on the test questions.
    for job, valid, test in zip(every, (0.9, 0.8, 0.7, 0.8), (0.1, 0.1, 1.0, 1.0), strict=True):
        ran(job, valid, test)
    table = collect(every)
    assert [row.measured for row in table.rows] == pytest.approx([15.0, 25.0])
    assert [row.note for row in table.rows] == ["chosen: the lowest", ""]
    assert table.series[0].x == (2.0, 7.0)
    assert table.series[0].y == pytest.approx((10.0, 20.0))
    assert table.rows[0].wall_s == 4.0


def test_nothing_is_chosen_before_all_have_run(few, tmp_path):
    every = jobs(babi(), tmp_path, None)
    for job in every[:3]:
        ran(job, 0.9)
    rows = collect(every).rows
    assert [row.status for row in rows] == ["done", "not run"]
    assert rows[0].note == ""


def test_a_run_of_another_configuration_is_refused(few, tmp_path):
    first, *_ = every = jobs(babi(), tmp_path, None)
    other = dataclasses.replace(first.run, model=dataclasses.replace(first.run.model, dim=7))
    ran(first._replace(run=other), 0.9)
    said = f"{re.escape(str(first.folder))}: .* than {first.name!r} has now. Remove the folder"
    with pytest.raises(ValueError, match=said):
        collect(every)


def test_what_was_run_is_kept(few, tmp_path, capsys):
    every = jobs(babi(), tmp_path / "runs", None)
    for job in every:
        ran(job, 0.9)
    main([f"--runs={tmp_path / 'runs'}", f"--results={tmp_path}"])
    written = results.read(tmp_path / "memnn-babi-1k-search.json")
    assert [row.status for row in written.rows] == ["done", "done"]
    assert capsys.readouterr().err == ""

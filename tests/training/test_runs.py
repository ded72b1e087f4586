"""The folder of a run, and what it says to people."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import torch
import toy_runs
from toy_runs import PowerCutError, train

import memnets
from memnets.training.config import Loop
from memnets.training.loop import fit
from memnets.training.record import describe
from memnets.training.runs import RunFolder


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A run that was killed after 13 updates, each of them with a checkpoint."""
    path = tmp_path_factory.mktemp("killed") / "run"
    with pytest.raises(PowerCutError):
        train("endless", path, Loop(checkpoint_seconds=0.0), die=13)
    return path


@pytest.fixture
def run(killed, tmp_path):
    return shutil.copytree(killed, tmp_path / "run")


CONFIG = {"model": {"dim": 7, "sizes": (2, 3)}, "loop": {"seed": 1, "threads": 1, "precision": "x"}}


def test_a_record_says_where_and_when_it_was_made(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "3")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        record = describe("toy", CONFIG, Loop(), recipe="babi/toy")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (record["kind"], record["recipe"], record["data"]) == ("toy", "babi/toy", None)
    assert (record["processes"], record["device"]) == (3, Loop().device)
    assert (record["version"], record["command"]) == (memnets.__version__, sys.argv)
    made = datetime.fromisoformat(record["created"])
    assert made.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - made) < timedelta(minutes=5)
    assert describe("toy", CONFIG, Loop())["processes"] == 1


def test_a_record_names_all_that_numbers_depend_on(tmp_path):
    record = describe("toy", CONFIG, Loop(seed=5, threads=3), {"name": "babi", "sha256": "0"})
    folder = RunFolder.create(
        tmp_path / "a" / "run", record, {"vocabulary.json": {"words": ["nil"]}}
    )
    assert RunFolder.open(folder.path) == folder
    assert folder.record["seed"] == 5
    assert folder.record["threads"] == 3
    assert folder.record["torch"] == torch.__version__
    assert folder.record["config"]["model"] == {"dim": 7, "sizes": [2, 3]}
    assert folder.record["data"]["name"] == "babi"
    assert set(folder.record) > {"commit", "created", "command", "device", "kernels", "version"}
    assert folder.read_json("vocabulary.json") == {"words": ["nil"]}
    assert sorted(p.name for p in folder.path.iterdir()) == ["run.json", "vocabulary.json"]


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"not empty, and no run is in it\. Empty it, or .* --out"):
        RunFolder.create(tmp_path, {})
    with pytest.raises(ValueError, match=r"notes.txt: a file is in the way\. .* --out"):
        RunFolder.create(tmp_path / "notes.txt", {})
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["../x.json", "run.json", "words.txt"])
def test_a_further_file_needs_a_name_of_its_own(name, tmp_path):
    with pytest.raises(ValueError, match=rf"files='{name}'\): expected a name such as vocab"):
        RunFolder.create(tmp_path / "run", {}, {name: {}})
    assert not (tmp_path / "run").exists()


def test_only_the_first_process_writes_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    RunFolder.create(tmp_path / "run", {"config": {}})
    assert not (tmp_path / "run").exists()


def test_what_is_no_run_is_not_opened(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"not the folder of a run .* given to --out"):
        RunFolder.open(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(FileNotFoundError, match=r"file: not the folder of a run"):
        RunFolder.open(tmp_path / "file")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            b'{"format": 2, "version": "9.1", "config": {}}',
            r"format is 2, .* reads 1\. Use .* 9\.1",
        ),
        (b'{"format": 1}', r"run\.json: it lacks 'config'\. Restore"),
        (b'{\n"format": 1,', r"run\.json:2: damaged JSON .* Restore the file"),
        (b"[1]", r"run\.json: expected a JSON object, came list\. Restore"),
        (b"\xff\xfe", r"run\.json: not a text file\. Restore"),
        (b"[" * 100_000, r"run\.json: damaged JSON \(.*recursion.*\)\. Restore"),
        (b'{"format": ' + b"1" * 5000 + b"}", r"run\.json: damaged JSON \(.*digits.*\)\. Restore"),
    ],
)
def test_a_damaged_record_is_named(content, complaint, tmp_path):
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(ValueError, match=complaint):
        RunFolder.open(tmp_path)


def test_a_missing_further_file_is_named(run):
    with pytest.raises(FileNotFoundError, match=r"vocabulary\.json: the run has no such file"):
        RunFolder.open(run).read_json("vocabulary.json")


def test_a_log_cut_short_by_a_crash_is_read_up_to_there(run):
    folder = RunFolder.open(run)
    whole = folder.log()
    assert [record["update"] for record in whole] == [5, 10, 11]
    with folder.log_path.open("a") as file:
        file.write('{"update": 16, "tra')
    assert folder.log() == whole
    folder.cut_log(10)
    assert folder.log() == whole[:2]
    assert folder.log_path.read_text().count("\n") == 2


def test_a_damaged_line_of_the_log_is_named(run):
    folder = RunFolder.open(run)
    lines = folder.log_path.read_text().splitlines()
    folder.log_path.write_text("\n".join([lines[0], "oops", lines[2], ""]))
    with pytest.raises(
        ValueError, match=r"log\.jsonl:2: damaged JSON\. Correct or delete the line"
    ):
        folder.log()


def test_numbers_that_json_lacks_become_null(tmp_path):
    folder = RunFolder.create(tmp_path / "run", {"config": {}})
    folder.append({"update": 1, "valid": {"loss": float("nan")}})
    folder.finish({"metrics": {"test": {"loss": float("inf"), "all": [1.0, float("-inf")]}}})
    assert folder.log() == [{"update": 1, "valid": {"loss": None}}]
    assert folder.result == {"metrics": {"test": {"loss": None, "all": [1.0, None]}}}


def test_checkpoints_are_ordered_by_number_not_name(tmp_path):
    folder = RunFolder.create(tmp_path / "run", {"config": {}})
    for update in (1_000_003, 999_983):
        (folder.path / "checkpoints" / f"{update:06d}").mkdir(parents=True)
    assert list(folder.checkpoints()) == [999_983, 1_000_003]


def test_a_run_is_not_begun_twice(run):
    with pytest.raises(ValueError, match=r"a run was begun here\. .* --resume, or .* --out"):
        fit(toy_runs.endless(), Loop(), RunFolder.open(run))


@pytest.mark.parametrize("left", ["log", "checkpoint", "result"])
def test_whatever_a_run_has_left_it_is_not_begun_twice(tmp_path, left):
    folder = RunFolder.create(tmp_path / "run", {"config": {}})
    if left == "log":
        (folder.path / "log.jsonl").write_text('{"update": 1}\n')
    elif left == "checkpoint":
        (folder.path / "checkpoints" / "000003").mkdir(parents=True)
    else:
        (folder.path / "result.json").write_text('{"metrics": {}, "updates": 3}')
    with pytest.raises(ValueError, match=r"a run was begun here\. .* --resume, or .* --out"):
        fit(toy_runs.endless(), Loop(), folder)


def test_weights_are_the_final_ones_or_those_of_a_checkpoint_that_is_named(run, tmp_path):
    model = toy_runs.endless().model
    folder, last = RunFolder.open(run), run / "checkpoints" / "000013"
    with pytest.raises(
        FileNotFoundError,
        match=rf"the training has not ended; .* update 13\. .* name {last}; or .* --resume {run}$",
    ):
        folder.load_weights(model)
    named = RunFolder.open(last)
    assert (named.path, named.record, named.weights) == (
        run,
        folder.record,
        last / "model.safetensors",
    )
    named.load_weights(model)
    train("endless", run)
    assert folder.weights == run / "model.safetensors"
    folder.load_weights(model)
    empty = RunFolder.create(tmp_path / "empty", {"config": {}})
    with pytest.raises(FileNotFoundError, match=r"empty: the run has written no weights yet"):
        empty.load_weights(model)


def test_other_conditions_are_said_and_do_not_stop_a_run(run):
    notes = []

    class Heard(toy_runs.Lines):
        def note(self, text):
            notes.append(text)

    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "torch": "1.13.0"}))
    train("endless", run, Loop(threads=2, seed=3), show=Heard())
    torch.set_num_threads(1)
    said = "\n".join(notes[:3])
    assert "seed was 0, is 3. Bits may differ." in said
    assert "threads was 1, is 2." in said
    assert f"torch was '1.13.0', is '{torch.__version__}'." in said
    assert notes[3].startswith("update 16")


def plant(path, content=b"\x80\x04.", sealed=False):
    path.write_bytes(content)
    record = path.parent / "progress.json"
    if not sealed and path != record:  # as runs of before had no checksums
        record.write_text(json.dumps({**json.loads(record.read_text()), "sha256": {}}))


@pytest.mark.parametrize("name", ["model.pt", "optimizer.pkl", "state-rank1.safetensors"])
def test_a_planted_file_is_refused_and_not_opened(name, run):
    plant(run / "checkpoints" / "000013" / name)
    with pytest.raises(ValueError, match=rf"000013/{name}: not a file of a checkpoint, .* Delete"):
        train("endless", run)


@pytest.mark.parametrize("name", ["model", "optimizer", "state"])
def test_a_pickle_under_a_checkpoints_name_is_refused(name, run):
    file = run / "checkpoints" / "000013" / f"{name}.safetensors"
    plant(file)
    with pytest.raises(
        ValueError, match=rf"000013/{name}\.safetensors: not a whole safetensors fi"
    ):
        train("endless", run)
    file.unlink()
    with pytest.raises(
        FileNotFoundError, match=rf"000013/{name}\.safetensors: there is no such fi"
    ):
        train("endless", run)


@pytest.mark.parametrize("name", ["model", "optimizer", "state"])
def test_a_checkpoints_file_that_has_changed_is_refused(name, run):
    file = run / "checkpoints" / "000013" / f"{name}.safetensors"
    content = bytearray(file.read_bytes())
    content[-5] ^= 16
    plant(file, bytes(content), sealed=True)
    with pytest.raises(ValueError, match=rf"{name}\.safetensors: changed since .* earlier"):
        train("endless", run)


def test_a_file_cut_short_is_refused(run):
    file = run / "checkpoints" / "000013" / "model.safetensors"
    plant(file, file.read_bytes()[:-7])
    with pytest.raises(
        ValueError, match=r"000013/model\.safetensors: not a whole safetensors .* ear"
    ):
        train("endless", run)


def test_a_damaged_progress_is_refused(run):
    file = run / "checkpoints" / "000013" / "progress.json"
    plant(file, b'{"seen": 7.0}')
    with pytest.raises(ValueError, match=r"progress\.json: it lacks 'processes'\. Restore"):
        train("endless", run)


def test_a_shorter_experiment_is_refused(run, monkeypatch):
    experiment = toy_runs.endless()
    short = replace(experiment, phases=(replace(experiment.phases[0], updates=3),))
    monkeypatch.setitem(toy_runs.TOYS, "endless", lambda: short)
    with pytest.raises(ValueError, match=r"000013: the run has made 13 updates, .* has 3\. Go on"):
        train("endless", run)


def test_training_configs_and_folders_need_no_torch():
    code = (
        "import sys, memnets.training.config, memnets.training.runs; "
        "sys.exit('torch' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    )

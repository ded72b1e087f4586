"""What a run has written is checked when it is opened, and mended where it can be."""

import json
import os
import shutil
import subprocess
import sys

import pytest
import toy_runs
from safetensors.torch import load_file, save_file
from toy_runs import PowerCutError, outcome, train

from memnets.files import alone, naming, write_bytes
from memnets.training import runs
from memnets.training.config import Loop
from memnets.training.runs import RunFolder


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("finished") / "run"
    train("endless", path)
    return path


@pytest.fixture
def run(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def flip(path):
    content = bytearray(path.read_bytes())
    content[-5] ^= 16
    path.write_bytes(bytes(content))


def cut(path):
    path.write_bytes(path.read_bytes()[:-7])


def fill_with_nan(path):
    save_file({name: x * float("nan") for name, x in load_file(path).items()}, path)


def without_checksums(run):
    """Make a run as those of before."""
    for record in (run / "run.json", run / "result.json"):
        kept = json.loads(record.read_text())
        kept.pop("sha256")
        record.write_text(json.dumps(kept))


@pytest.mark.parametrize("damage", [flip, cut, fill_with_nan])
def test_weights_that_have_changed_are_refused_and_written_anew(damage, run, finished):
    damage(run / "model.safetensors")
    model = toy_runs.endless().model
    said = r"model\.safetensors: changed since the run wrote it .* anew .* memnets train --resume"
    with pytest.raises(ValueError, match=said):
        RunFolder.open(run).load_weights(model)
    heard = []
    show = toy_runs.Lines()
    show.note = heard.append
    train("endless", run, show=show)
    assert heard[0].endswith("damaged; it is written anew from the last checkpoint.")
    assert outcome(run) == outcome(finished)
    RunFolder.open(run).load_weights(model)


@pytest.mark.parametrize("damage", [cut, fill_with_nan, os.remove])
def test_so_are_those_of_a_run_of_before(damage, run, finished):
    without_checksums(run)
    RunFolder.open(run).load_weights(toy_runs.endless().model)
    damage(run / "model.safetensors")
    with pytest.raises((ValueError, FileNotFoundError), match=r"model\.safetensors: .* --resume"):
        RunFolder.open(run).load_weights(toy_runs.endless().model)
    train("endless", run)
    assert outcome(run) == outcome(finished)


@pytest.mark.parametrize("toy", ["kept", "patient"])
def test_the_best_weights_are_written_anew_as_they_were(toy, tmp_path):
    train(toy, tmp_path / "run")
    before = outcome(tmp_path / "run")
    flip(tmp_path / "run" / "model.safetensors")
    train(toy, tmp_path / "run")
    assert outcome(tmp_path / "run") == before


def test_without_a_checkpoint_nothing_is_trained_again(run):
    shutil.rmtree(run / "checkpoints")
    flip(run / "model.safetensors")
    before = (run / "model.safetensors").read_bytes()
    with pytest.raises(ValueError, match=r"Restore it from a copy, or train anew into another"):
        train("endless", run)
    assert (run / "model.safetensors").read_bytes() == before


def test_a_further_file_that_has_changed_is_refused(tmp_path):
    words = {"words": ["nil", "hall", "garden"]}
    folder = RunFolder.create(tmp_path / "run", {"config": {}}, {"vocabulary.json": words})
    assert folder.read_json("vocabulary.json") == words
    (folder.path / "vocabulary.json").write_text(json.dumps({"words": ["nil", "garden", "hall"]}))
    with pytest.raises(ValueError, match=r"vocabulary\.json: changed since .* Restore it from a"):
        RunFolder.open(folder.path).read_json("vocabulary.json")


def test_a_vocabulary_that_this_version_would_not_make_is_refused(tmp_path):
    words = {"words": ["nil", "hall"]}
    folder = RunFolder.create(tmp_path / "run", {"config": {}}, {"vocabulary.json": words})
    folder.check_files({"vocabulary.json": {"words": ("nil", "hall"), "longest": 3}})
    with pytest.raises(ValueError, match=r"makes another vocabulary\.json of the same data"):
        folder.check_files({"vocabulary.json": {"words": ["hall", "nil"]}})


@pytest.mark.parametrize(
    ("name", "value"),
    [("recipe", 5), ("kind", ["a"]), ("config", []), ("data", 3), ("data", {"name": "babi"})],
)
def test_a_record_that_no_run_writes_is_refused(name, value, run):
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, name: value}))
    with pytest.raises(ValueError, match=rf"run\.json: {name} .* Restore it from a copy"):
        RunFolder.open(run)


@pytest.mark.parametrize("metrics", [5, {"test": 0.5}])
def test_a_result_that_no_run_writes_is_refused(metrics, run):
    (run / "result.json").write_text(json.dumps({"metrics": metrics}))
    with pytest.raises(ValueError, match=r"result\.json: metrics are .* --resume"):
        RunFolder.open(run).result  # noqa: B018


@pytest.mark.parametrize("line", ["5", "{}", '{"update": "many"}'])
def test_a_line_of_the_log_that_no_run_writes_is_refused(line, run):
    (run / "log.jsonl").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"log\.jsonl:1: damaged"):
        RunFolder.open(run).log()


@pytest.mark.skipif(os.name != "posix", reason="no such locks")
def test_a_folder_is_locked_until_its_process_is_killed(tmp_path):
    code = f"""
import sys; from pathlib import Path; from memnets.files import alone
with alone(Path({str(tmp_path)!r}), "busy"):
    print("held", flush=True); sys.stdin.read()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(ValueError, match=r"^in use$"), alone(tmp_path, "in use"):
            pass
        other.kill()
        other.wait()
    with alone(tmp_path, "in use"):
        assert list(tmp_path.iterdir()) == []


def test_a_folder_says_that_it_is_in_use(run):
    folder = RunFolder.open(run)
    with (
        folder.locked(),
        pytest.raises(ValueError, match=rf"{run}: another process is training here"),
        folder.locked(),
    ):
        pass
    with folder.locked():
        pass


def test_what_never_began_is_forgotten_and_what_did_is_kept(tmp_path):
    with pytest.raises(PowerCutError):
        train("endless", tmp_path / "early", Loop(checkpoint_seconds=1e6), die=0)
    RunFolder.open(tmp_path / "early").forget_unbegun()
    assert not (tmp_path / "early").exists()
    with pytest.raises(PowerCutError):
        train("endless", tmp_path / "late", Loop(checkpoint_seconds=1e6), die=5)
    RunFolder.open(tmp_path / "late").forget_unbegun()
    assert (tmp_path / "late" / "log.jsonl").exists()


def test_a_run_whose_files_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(TypeError):
        RunFolder.create(tmp_path / "run", {"config": {}}, {"vocabulary.json": object()})
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_system_names_the_path(tmp_path, monkeypatch):
    with pytest.raises(OSError, match=r"No space left on device: 'here'"), naming("here"):
        raise OSError(28, "No space left on device")
    with pytest.raises(FileNotFoundError, match=r"^ours$"), naming("here"):
        raise FileNotFoundError("ours")

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for write in (
        lambda: write_bytes(tmp_path / "a.json", b"{}"),
        lambda: RunFolder(tmp_path, {}).append({"update": 1}),
    ):
        with pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/(a.j|log)"):
            write()
    assert not (tmp_path / "a.json").exists()


def test_a_checkpoint_is_on_the_disk_before_it_is_named_and_its_name_after(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(runs, "sync_folder", lambda path: done.append(("sync", path.name)))
    replace = os.replace
    monkeypatch.setattr(
        runs.os, "replace", lambda a, b: (done.append(("name", b.name)), replace(a, b))
    )
    folder = RunFolder(tmp_path, {})
    folder.unfinished_checkpoint(7).mkdir(parents=True)
    folder.keep_checkpoint(7, 1)
    unfinished = folder.unfinished_checkpoint(7).name
    assert done == [("sync", unfinished), ("name", "000007"), ("sync", "checkpoints")]
    assert list(folder.checkpoints()) == [7]

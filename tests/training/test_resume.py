"""A run that stops anywhere goes on to the same bits."""

import itertools
import json
import multiprocessing
import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import toy_runs
from safetensors.torch import load_file
from toy_runs import PowerCutError, outcome, train

from memnets.training.config import Loop
from memnets.training.experiment import Experiment
from memnets.training.progress import Show
from memnets.training.runs import RunFolder
from memnets.training.stopping import Interrupted

EVERY_UPDATE = Loop(checkpoint_seconds=0.0)
NEVER = Loop(checkpoint_seconds=1e6)


class Heard(Show):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def line(self, record: Any) -> None:
        return

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.mark.parametrize("toy", ["language", "endless", "sampled"])
def test_a_run_killed_anywhere_ends_in_the_same_bits(toy, tmp_path):
    train(toy, tmp_path / "whole", NEVER)
    for killed_after in (0, 1, 10, 11, 13, 23, 24, 28):
        path = tmp_path / f"killed-{killed_after}"
        with pytest.raises(PowerCutError):
            train(toy, path, EVERY_UPDATE, die=killed_after)
        train(toy, path, NEVER)
        assert outcome(path) == outcome(tmp_path / "whole"), killed_after


def halve(model: torch.nn.Module) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            parameter *= 0.5


def test_a_phase_is_prepared_once_however_often_a_run_is_resumed(tmp_path, monkeypatch):
    """Its preparation changes the weights: it shows if it is made twice, or too early."""

    def experiment() -> Experiment:
        made = toy_runs.endless()
        return replace(made, phases=tuple(replace(one, prepare=halve) for one in made.phases))

    monkeypatch.setitem(toy_runs.TOYS, "endless", experiment)
    train("endless", tmp_path / "whole", NEVER)
    for killed_after in (5, 11, 12, 24):  # 11 and 24 are the ends of phases
        path = tmp_path / f"killed-{killed_after}"
        with pytest.raises(PowerCutError):
            train("endless", path, EVERY_UPDATE, die=killed_after)
        train("endless", path, NEVER)
        assert outcome(path) == outcome(tmp_path / "whole"), killed_after


@pytest.mark.parametrize("toy", ["language", "endless", "sampled"])
def test_a_toy_learns(toy, tmp_path):
    result = train(toy, tmp_path / "run", NEVER)
    lines = outcome(tmp_path / "run")[1]
    assert [line["update"] for line in lines] == sorted({line["update"] for line in lines})
    assert lines[-1]["update"] == result["updates"] == 29
    assert result["metrics"]["valid"] == lines[-1]["valid"]
    first, last = lines[0]["train"], lines[-1]["train"]
    assert last["reward"] > first["reward"] if toy == "sampled" else last["loss"] < first["loss"]


def test_how_often_it_is_evaluated_changes_nothing(tmp_path, monkeypatch):
    train("language", tmp_path / "seldom")
    experiment = toy_runs.language()
    phases = (replace(experiment.phases[0], evaluate_every=2),)
    monkeypatch.setitem(toy_runs.TOYS, "language", lambda: replace(experiment, phases=phases))
    train("language", tmp_path / "often")
    seldom, often = (outcome(tmp_path / name) for name in ("seldom", "often"))
    assert seldom[0] == often[0]
    assert len(seldom[1]) == 5
    assert len(often[1]) == 15


def test_checkpoints_are_so_many_seconds_apart(tmp_path, monkeypatch):
    """By a clock that goes on by a second whenever it is looked at, at each update at least."""
    clock, written = itertools.count(), []
    keep = RunFolder.keep_checkpoint
    monkeypatch.setattr(
        "memnets.training.loop.time", SimpleNamespace(monotonic=lambda: float(next(clock)))
    )
    monkeypatch.setattr(
        RunFolder,
        "keep_checkpoint",
        lambda folder, update, most: (written.append(update), keep(folder, update, most)),
    )
    train("endless", tmp_path / "run", Loop(checkpoint_seconds=12.0))
    assert 2 <= len(written) <= 6  # of 29 updates
    assert min(b - a for a, b in itertools.pairwise(written[:-1])) > 1  # the last is of the end


def test_a_run_without_a_checkpoint_begins_again(tmp_path):
    heard = Heard()
    train("endless", tmp_path / "whole", NEVER)
    with pytest.raises(PowerCutError):
        train("endless", tmp_path / "run", NEVER, die=12)
    assert len((tmp_path / "run" / "log.jsonl").read_text().splitlines()) == 3
    train("endless", tmp_path / "run", NEVER, heard)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")
    assert "no checkpoint yet" in heard.notes[0]


def test_a_finished_run_is_left_alone(tmp_path, monkeypatch):
    heard = Heard()
    first = train("endless", tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    experiment = toy_runs.endless()
    monkeypatch.setitem(toy_runs.TOYS, "endless", lambda: experiment)
    assert train("endless", tmp_path / "run", show=heard) == json.loads(json.dumps(first))
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert heard.notes == [f"{tmp_path / 'run'}: the run is finished."]
    weights = load_file(tmp_path / "run" / "model.safetensors")
    assert all(weights[name].equal(now) for name, now in experiment.model.state_dict().items())


def test_a_kill_while_a_checkpoint_is_written_leaves_the_one_before(tmp_path, monkeypatch):
    from memnets.training import standing

    train("endless", tmp_path / "whole", NEVER)
    written = standing.write_tensors

    def fail(path: Path, tensors: Any) -> None:
        if path.parent.name.startswith(".000013") and path.name == "optimizer.safetensors":
            raise PowerCutError
        written(path, tensors)

    monkeypatch.setattr(standing, "write_tensors", fail)
    with pytest.raises(PowerCutError):
        train("endless", tmp_path / "run", EVERY_UPDATE)
    names = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    assert names == [".000013.unfinished", "000011", "000012"]
    monkeypatch.undo()
    train("endless", tmp_path / "run", NEVER)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")
    names = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    assert names == ["000012", "000029"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_finishes_the_update_and_says_how_to_resume(number, tmp_path, monkeypatch):
    train("sampled", tmp_path / "whole", NEVER)
    path, heard, before = tmp_path / "run", Heard(), signal.getsignal(number)
    with monkeypatch.context() as patch:
        updates = iter(range(1, 30))

        def press(task: Any, model: Any) -> None:
            if next(updates) == 17:
                os.kill(os.getpid(), number)

        patch.setattr(toy_runs.SampledTask, "after_update", press)
        with pytest.raises(Interrupted) as stopped:
            train("sampled", path, NEVER, heard)
    assert stopped.value.code == 130
    assert heard.notes == [
        f"Stopped after update 18 of 29. Go on with memnets train --resume {path}"
    ]
    assert [p.name for p in (path / "checkpoints").iterdir()] == ["000018"]
    assert signal.getsignal(number) is before
    train("sampled", path, NEVER)
    assert outcome(path) == outcome(tmp_path / "whole")


def test_a_second_ctrl_c_ends_at_once(tmp_path, monkeypatch):
    def press(task: Any, model: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(toy_runs.EndlessTask, "after_update", press)
    with pytest.raises(KeyboardInterrupt):
        train("endless", tmp_path / "run", NEVER)
    assert not (tmp_path / "run" / "checkpoints").exists()


def kill_at_random(path: Path, kills: int, seed: int) -> list[int]:
    """Train in processes that are killed; return the checkpoint that each of them left."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["toy_runs", "lightning_fabric"])  # once, it takes seconds
    chance, left = random.Random(seed), []
    for _ in range(kills):
        begun = latest(path)
        process = processes.Process(
            target=train, args=("slow", path, Loop(checkpoint_seconds=0.01))
        )
        process.start()
        while latest(path) == begun and process.is_alive():
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.join()
        left.append(latest(path))
    return left


def latest(path: Path) -> int:
    names = (folder.name for folder in (path / "checkpoints").glob("[0-9]*"))
    return max(map(int, names), default=0)


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_kill_9_loses_a_checkpoint_at_most(kills, tmp_path):
    train("slow", tmp_path / "whole", NEVER)
    left = kill_at_random(tmp_path / "run", kills, seed=kills)
    assert left == sorted(set(left)), "each process went on from the one before"
    train("slow", tmp_path / "run", NEVER)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")

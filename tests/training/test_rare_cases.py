"""What a run seldom does: it is told so, counts it and books its time as it does the rest."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import toy_runs
from toy_runs import PowerCutError, train

from memnets.training.config import (
    Loop,
    expect_above,
    expect_at_least,
    expect_at_most,
    expect_numbers,
    expect_share,
)
from memnets.training.experiment import Experiment, Phase
from memnets.training.loop import TrainingRun, _check_agreement
from memnets.training.processes import Processes
from memnets.training.record import describe
from memnets.training.runs import RunFolder
from memnets.training.stopping import DivergenceError
from memnets.training.task import Step, fold_in


def alone(**changes):
    """Return the processes of a run of one, or of what it is said to be one of."""
    given = {"world_size": 1, "global_rank": 0, "device": torch.device("cpu"), **changes}
    return Processes(SimpleNamespace(**given))


def run_of(experiment, path, show=None, processes=None):
    folder = RunFolder.create(path, describe("toy", {}, Loop()))
    return TrainingRun(experiment, Loop(seed=3), folder, processes or alone(), show)


def seed_of(*key):
    return fold_in(torch.Generator().manual_seed(3), *key).initial_seed()


@pytest.mark.parametrize("rank", [0, 1])
def test_every_kind_of_noise_has_a_seed_of_its_own_in_every_process(rank, tmp_path, monkeypatch):
    monkeypatch.setattr(Processes, "agree_on_weights", lambda *_: None)
    run = run_of(toy_runs.endless(), tmp_path / "run", processes=alone(global_rank=rank))
    assert run.at.noise.initial_seed() == seed_of(1, rank)
    assert torch.initial_seed() == seed_of(2, rank)


def test_a_display_is_told_the_rate_of_all_processes(tmp_path):
    told = []
    show = SimpleNamespace(tick=lambda *given: told.append(given))
    run = run_of(toy_runs.endless(), tmp_path / "run", show)
    run.at.tally.add(1, Step(torch.tensor(6.0), 3, (), {}))
    run.at.update, run.at.window, run.mark = 7, 2.0, 10.0
    run.processes = alone(world_size=4)
    run._tick(run.experiment.phases[1], 14.0)
    assert told == [(7, "squashed", {"loss": 2.0}, 3 * 4 / (2.0 + 4.0))]
    assert run.next_tick == 14.1


def test_a_loss_that_is_not_finite_is_noticed_every_hundred_updates(tmp_path, monkeypatch):
    made, loss = [], toy_runs.EndlessTask.loss

    def spoilt(*given):
        step = loss(*given)
        made.append(1)
        return step._replace(loss_sum=step.loss_sum * math.nan) if len(made) == 103 else step

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", spoilt)
    experiment = toy_runs.endless()
    phases = (Phase("long", 250, lambda update: 0.001, 250),)
    monkeypatch.setitem(toy_runs.TOYS, "long", lambda: replace(experiment, phases=phases))
    with pytest.raises(DivergenceError, match=r"the loss of update 103 is"):
        train("long", tmp_path / "run")
    assert len(made) == 200


def test_a_batch_of_nothing_teaches_nothing(tmp_path, monkeypatch):
    def empty(task, model, batch, state, generator):
        return Step(0.0 * model(batch[0]).sum(), 0, state, {})

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", empty)
    made = toy_runs.endless(reduction="mean")
    short = Experiment(made.model, made.task, made.optimizer, (Phase("a", 1, float, 1),), "mean")
    monkeypatch.setitem(toy_runs.TOYS, "empty", lambda: short)
    before = [weight.clone() for weight in made.model.parameters()]
    result = train("empty", tmp_path / "run")
    assert result["seen"] == 0
    for old, weight in zip(before, made.model.parameters(), strict=True):
        assert weight.equal(old)


def test_the_time_that_a_checkpoint_takes_is_not_of_training(tmp_path, monkeypatch):
    """An update takes a second, a checkpoint a hundred: at most every four seconds there is one."""
    at, written = [0.0], []
    loss, keep = toy_runs.EndlessTask.loss, RunFolder.keep_checkpoint

    def slow_loss(*given):
        at[0] += 1
        return loss(*given)

    def slow_keep(folder, update, most):
        at[0] += 100
        written.append(update)
        keep(folder, update, most)

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", slow_loss)
    monkeypatch.setattr(RunFolder, "keep_checkpoint", slow_keep)
    monkeypatch.setattr("memnets.training.loop.time", SimpleNamespace(monotonic=lambda: at[0]))
    result = train("endless", tmp_path / "run", Loop(checkpoint_seconds=4.0))
    assert written == [5, 10, 15, 20, 25, 29]
    assert result["per_second"] == 7.0
    assert result["wall_s"] == 29 + 100 * 6
    lines = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    assert {json.loads(line)["per_second"] for line in lines} == {7.0}


def test_processes_agree_on_the_folder():
    def agreed(value):
        return alone(world_size=2, global_rank=1, broadcast=lambda _: value)

    _check_agreement(agreed(("a", True)), "a", True)
    with pytest.raises(ValueError, match="process 1 was given b with resume=True, process 0 a wit"):
        _check_agreement(agreed(("a", False)), "b", True)


@pytest.mark.parametrize("name", ["seed", "processes", "threads", "device", "kernels", "torch"])
def test_every_condition_that_has_changed_is_named(name, tmp_path):
    folder = RunFolder.create(tmp_path / "run", describe("k", {}, Loop()))
    other = RunFolder(folder.path, {**folder.record, name: "x"})
    assert [said.partition(" is ")[0] for said in other.differences(Loop())] == [f"{name} was 'x',"]


def test_a_checkpoint_that_is_named_has_no_result_and_its_own_mend(tmp_path):
    path = tmp_path / "run"
    with pytest.raises(PowerCutError):
        train("endless", path, Loop(checkpoint_seconds=0.0), die=3)
    folder = RunFolder.open(path)
    folder.finish({"metrics": {"test": {"loss": 1.0}}})
    named = RunFolder.open(path / "checkpoints" / "000003")
    assert (named.at, named.result) == (3, None)
    assert folder.result == {"metrics": {"test": {"loss": 1.0}}}
    (path / "checkpoints" / "000003" / "model.safetensors").write_bytes(b"")
    with pytest.raises(ValueError, match=r"Restore it from a copy, or name another checkpoint\.$"):
        named.load_weights(toy_runs.endless().model)


class Fields:
    some_rate, few = 0.25, 3

    def __init__(self, value):
        self.some_rate = self.few = value


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (
            lambda: expect_at_least("part", Fields(0.5), some_rate=1),
            "part.some_rate is 0.5: expected at least 1. Pass --part.some-rate 1, or more.",
        ),
        (
            lambda: expect_at_most("part", Fields(5000), few=1000),
            "part.few is 5000: expected at most 1,000. Pass --part.few 1000, or less.",
        ),
        (
            lambda: expect_above("part", Fields(0), some_rate=0),
            "part.some_rate is 0: expected a number above 0. Pass --part.some-rate 0.25, say.",
        ),
        (
            lambda: expect_share("part", Fields(1), "few"),
            "part.few is 1: expected a share from 0 to below 1. Pass --part.few 0.5, say.",
        ),
        (
            lambda: expect_share("part", Fields(2), "few", all_of_it=True),
            "part.few is 2: expected a share from 0 to 1. Pass --part.few 0.5, say.",
        ),
        (
            lambda: expect_numbers("a.some_rates", (0.5, math.inf)),
            "a.some_rates is inf: expected a finite number. Pass --a.some-rates 0.5, say.",
        ),
        (
            lambda: expect_numbers("a.some_rate", -2e38),
            "a.some_rate is -2e+38: expected at most 1e+38, as tensors hold. "
            "Pass a smaller --a.some-rate.",
        ),
        (
            lambda: expect_numbers("a.some_dims", (3, 2**31)),
            "a.some_dims is 2147483648: expected at most 2147483647. Pass a smaller --a.some-dims.",
        ),
        (
            lambda: Loop(threads=2000),
            "loop.threads is 2000: expected at most 1024. Pass --loop.threads 1, say.",
        ),
    ],
)
def test_a_number_that_will_not_do_is_refused_with_its_option(check, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        check()


def test_a_place_is_a_checkpoints_only_where_there_is_a_run(tmp_path):
    from memnets.training.runs import place

    bare = tmp_path / "checkpoints" / "000007"
    assert place(bare) == (bare, None)
    (tmp_path / "run.json").touch()
    assert place(bare) == (tmp_path, 7)
    other = Path(tmp_path / "else" / "000007")
    assert place(other) == (other, None)

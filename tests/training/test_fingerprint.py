"""A run's fingerprint: of its first updates, whatever comes after them or interrupts them."""

import json
import re
from dataclasses import replace

import pytest
import toy_runs
from toy_runs import PowerCutError, train

from memnets.training.config import Loop
from memnets.training.experiment import Phase
from memnets.training.fingerprint import first_updates, likeness
from memnets.training.runs import RunFolder, describe

NEVER = Loop(checkpoint_seconds=1e6)


def taken(folder, toy="kept", loop=NEVER, change=lambda experiment: experiment):
    opened = RunFolder.create(folder, describe(toy, {}, loop))
    made = first_updates(change(toy_runs.TOYS[toy]()), loop, opened)
    assert sorted(path.name for path in folder.iterdir()) == ["run.json"]
    return made


@pytest.mark.parametrize("toy", ["language", "kept"])
def test_the_first_updates_alone_make_the_fingerprint_of_a_whole_run(toy, tmp_path):
    assert train(toy, tmp_path / "whole", NEVER)["fingerprint"] == taken(tmp_path / "brief", toy)


def test_a_resumed_run_has_the_fingerprint_of_its_beginning(tmp_path):
    for killed_after in (3, 9):
        path = tmp_path / f"killed-{killed_after}"
        with pytest.raises(PowerCutError):
            train("kept", path, Loop(checkpoint_seconds=0.0), die=killed_after)
        train("kept", path, NEVER)
        assert json.loads((path / "result.json").read_text())["fingerprint"] == taken(
            tmp_path / f"brief-{killed_after}"
        )


def test_a_run_of_few_updates_has_the_fingerprint_of_them_all(tmp_path, monkeypatch):
    def brief(experiment):
        return replace(experiment, phases=(replace(experiment.phases[-1], updates=3),))

    monkeypatch.setitem(toy_runs.TOYS, "brief", lambda: brief(toy_runs.kept()))
    result = train("brief", tmp_path / "whole", NEVER)
    assert result["updates"] == 3
    assert result["fingerprint"] == taken(tmp_path / "again", "brief")
    assert re.fullmatch(r"[0-9a-f]{16} [0-9.]+", result["fingerprint"])


def test_phases_shorter_than_the_fingerprint_are_gone_through(tmp_path, monkeypatch):
    def short(experiment):
        first, *others = experiment.phases
        return replace(experiment, phases=(replace(first, updates=2), *others))

    monkeypatch.setitem(toy_runs.TOYS, "short", lambda: short(toy_runs.kept()))
    whole = train("short", tmp_path / "whole", NEVER)["fingerprint"]
    assert whole == taken(tmp_path / "brief", "short") != taken(tmp_path / "long", "kept")


def test_what_changes_training_changes_the_fingerprint(tmp_path):
    own = taken(tmp_path / "own")
    changes = {
        "seed": taken(tmp_path / "seed", loop=replace(NEVER, seed=1)),
        "rate": taken(tmp_path / "rate", change=lambda one: replace(one, phases=rates(one.phases))),
        "clip": taken(tmp_path / "clip", change=lambda one: replace(one, clip=halved)),
    }
    assert {likeness(own, other) for other in changes.values()} == {"other"}
    assert likeness(own, own) == "same bits"


def rates(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    return tuple(replace(one, learning_rate=lambda update: 0.0123) for one in phases)


def halved(model):
    for parameter in model.parameters():
        parameter.grad /= 2


def test_rounding_of_another_processor_is_told_from_another_training():
    assert likeness("0123456789abcdef 1.5", "fedcba9876543210 1.50000001") == "but for rounding"
    assert likeness("0123456789abcdef 1.5", "fedcba9876543210 1.50000006") == "other"
    assert likeness("0123456789abcdef 1.5", "0123456789abcdef 1.5") == "same bits"
    # The difference counts as a share of the norm, however small or large that is.
    assert likeness("0123456789abcdef 1.5e-9", "fedcba9876543210 1.6e-9") == "other"
    assert likeness("0123456789abcdef 1.5e9", "fedcba9876543210 1500000010") == "but for rounding"

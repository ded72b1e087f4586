"""The best weights are kept, and a run that gets no better ends."""

import math
from dataclasses import replace

import pytest
import toy_runs
from safetensors.torch import load_file
from toy_runs import PowerCutError, outcome, train

from memnets.training.best import Best, Kept
from memnets.training.config import Loop

EVERY_UPDATE = Loop(checkpoint_seconds=0.0, keep=50)
NEVER = Loop(checkpoint_seconds=1e6)


def test_the_weights_of_the_best_line_of_the_last_phase_are_the_final_ones(tmp_path):
    result = train("kept", tmp_path / "run", EVERY_UPDATE)
    lines = {line["update"]: line["valid"]["loss"] for line in outcome(tmp_path / "run")[1]}
    best = min((update for update in lines if update > 24), key=lines.__getitem__)
    assert best == 36
    assert lines[24] < lines[26]  # an earlier phase, of another model: it does not count
    assert result["kept"] == {"update": 36, "metric": "valid/loss", "value": lines[36]}
    assert outcome(tmp_path / "run")[2]["kept"] == result["kept"]
    assert result["updates"] == 38
    assert result["metrics"]["valid"]["loss"] == lines[36] != lines[38]
    final = load_file(tmp_path / "run" / "model.safetensors")
    at_36 = load_file(tmp_path / "run" / "checkpoints" / "000036" / "model.safetensors")
    assert all(final[name].equal(weight) for name, weight in at_36.items())


def test_what_is_trained_does_not_depend_on_what_is_kept(tmp_path, monkeypatch):
    """List 17: the weights that are kept are a copy."""
    train("kept", tmp_path / "kept", EVERY_UPDATE)
    monkeypatch.setitem(toy_runs.TOYS, "kept", lambda: replace(toy_runs.kept(), keep=None))
    train("kept", tmp_path / "plain", EVERY_UPDATE)
    assert outcome(tmp_path / "kept")[1] == outcome(tmp_path / "plain")[1]
    assert "kept" not in outcome(tmp_path / "plain")[2]
    last, plain = (tmp_path / run / "checkpoints" / "000038" for run in ("kept", "plain"))
    assert {one.name for one in last.iterdir()} == {one.name for one in plain.iterdir()} | {
        "best.safetensors"
    }
    for name in ("model.safetensors", "optimizer.safetensors", "state.safetensors"):
        assert (last / name).read_bytes() == (plain / name).read_bytes()
    assert '"kept"' not in (plain / "progress.json").read_text()


def test_patience_ends_the_run(tmp_path):
    result = train("patient", tmp_path / "run", NEVER)
    assert (result["kept"]["update"], result["updates"]) == (26, 32)
    assert [line["update"] for line in outcome(tmp_path / "run")[1]][-4:] == [26, 28, 30, 32]


def test_a_figure_that_is_enough_ends_the_run(tmp_path, monkeypatch):
    train("patient", tmp_path / "patient", NEVER)
    losses = {line["update"]: line["valid"]["loss"] for line in outcome(tmp_path / "patient")[1]}
    toy = toy_runs.TOYS["patient"]()
    ends = replace(toy, keep=replace(toy.keep, enough=losses[26]))
    monkeypatch.setitem(toy_runs.TOYS, "patient", lambda: ends)
    result = train("patient", tmp_path / "run", NEVER)
    assert (result["kept"]["update"], result["updates"]) == (26, 26)


@pytest.mark.parametrize(
    ("best", "value", "ends"),
    [
        (Best("valid/loss", enough=0.5), 0.5, True),
        (Best("valid/loss", enough=0.5), 0.51, False),
        (Best("valid/loss", enough=0.5), math.nan, False),
        (Best("valid/accuracy", "higher", enough=0.5), 0.5, True),
        (Best("valid/accuracy", "higher", enough=0.5), 0.49, False),
        (Best("valid/loss"), 0.0, False),
    ],
)
def test_what_is_enough(best, value, ends):
    assert best.gives_up(Kept(1, value, 0, {})) is ends


@pytest.mark.parametrize("toy", ["kept", "patient"])
def test_a_run_killed_anywhere_keeps_the_same(toy, tmp_path):
    train(toy, tmp_path / "whole", NEVER)
    for killed_after in (23, 25, 26, 29, 31):
        path = tmp_path / f"killed-{killed_after}"
        with pytest.raises(PowerCutError):
            train(toy, path, EVERY_UPDATE, die=killed_after)
        train(toy, path, NEVER)
        assert outcome(path) == outcome(tmp_path / "whole"), killed_after


def test_a_run_that_has_ended_early_makes_no_further_update(tmp_path):
    train("patient", tmp_path / "run", EVERY_UPDATE)
    expected = outcome(tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()  # killed between the last checkpoint and this
    train("patient", tmp_path / "run", NEVER)
    assert outcome(tmp_path / "run") == expected


def test_a_damaged_file_of_the_best_weights_is_told(tmp_path):
    train("kept", tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    (tmp_path / "run" / "checkpoints" / "000038" / "best.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"best.safetensors: changed since the run wrote it"):
        train("kept", tmp_path / "run")


def test_a_higher_figure_may_be_better(tmp_path, monkeypatch):
    experiment = toy_runs.sampled()
    phases = (replace(experiment.phases[0], evaluate_every=2),)
    best = Best("valid/reward", "higher", patience=5)
    better = replace(experiment, phases=phases, keep=best)
    monkeypatch.setitem(toy_runs.TOYS, "sampled", lambda: better)
    kept = train("sampled", tmp_path / "run")["kept"]
    rewards = {line["update"]: line["valid"]["reward"] for line in outcome(tmp_path / "run")[1]}
    assert kept["value"] == max(rewards.values())
    assert kept["update"] == min(u for u, reward in rewards.items() if reward == kept["value"])
    assert max(rewards) == kept["update"] + 2 * 5


@pytest.mark.parametrize(
    ("values", "best"),
    [([3.0, 2.0, 2.0, 5.0], 1), ([math.nan, 4.0, math.nan, 5.0], 1), ([math.nan] * 3, 0)],
)
def test_the_first_of_equal_lines_is_kept_and_no_number_is_the_worst(values, best):
    keep, kept = Best("valid/loss"), None
    for update, value in enumerate(values):
        kept = keep.keep(kept, update, value, toy_runs.kept().model)
    assert isinstance(kept, Kept)
    assert (kept.update, kept.waited) == (best, len(values) - 1 - best)


def test_a_metric_that_is_not_reported_is_refused(tmp_path, monkeypatch):
    wrong = replace(toy_runs.sampled(), keep=Best("valid/accuracy"))
    monkeypatch.setitem(toy_runs.TOYS, "sampled", lambda: wrong)
    with pytest.raises(ValueError, match=r"does not report it.*: valid/loss, valid/reward\."):
        train("sampled", tmp_path / "run")


@pytest.mark.parametrize("metric", ["test/loss", "train/loss", "other/loss"])
def test_weights_are_chosen_by_validation_alone(metric):
    with pytest.raises(ValueError, match=r"evaluated in training.* EndlessTask, .* valid/loss\."):
        replace(toy_runs.endless(), keep=Best(metric))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"metric": "loss"}, "a split and a name"),
        ({"metric": "valid/"}, "a split and a name"),
        ({"metric": "valid/loss", "patience": 0}, "at least 1 line"),
    ],
)
def test_what_is_to_be_kept_is_checked(wrong, told):
    with pytest.raises(ValueError, match=told):
        Best(**wrong)

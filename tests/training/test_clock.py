"""What a run says of time, and when: by a clock that goes on while something is done."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
import toy_runs
from toy_runs import PowerCutError, train

from memnets.training.config import Loop
from memnets.training.loop import TICK_SECONDS
from memnets.training.progress import Show
from memnets.training.runs import RunFolder

LINES = (5, 10, 11, 16, 21, 24, 27, 29)
"""After which updates the endless toy, of seven examples a batch, is evaluated."""


class Noted(Show):
    def __init__(self) -> None:
        self.begun: list[tuple[int, int, str]] = []
        self.ticks: list[tuple[int, str, float]] = []
        self.ends = 0

    def begin(self, updates: int, done: int, unit: str) -> None:
        self.begun.append((updates, done, unit))

    def tick(self, update: int, phase: str, train: Any, rate: float) -> None:
        self.ticks.append((update, phase, rate))

    def line(self, record: Any) -> None:
        return

    def note(self, text: str) -> None:
        return

    def end(self) -> None:
        self.ends += 1


def clock(monkeypatch, update, evaluation):
    """Let the n-th update take `update(n)` seconds, and an evaluation so many."""
    at, made = [0.0], [0]
    loss, evaluate = toy_runs.EndlessTask.loss, toy_runs.EndlessTask.evaluate

    def slow_loss(*given):
        made[0] += 1
        at[0] += update(made[0])
        return loss(*given)

    def slow_evaluate(*given):
        at[0] += evaluation
        return evaluate(*given)

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", slow_loss)
    monkeypatch.setattr(toy_runs.EndlessTask, "evaluate", slow_evaluate)
    monkeypatch.setattr("memnets.training.loop.time", SimpleNamespace(monotonic=lambda: at[0]))


def test_seconds_are_those_of_the_updates_and_evaluations_count_in_the_whole(tmp_path, monkeypatch):
    """The n-th update takes n seconds, an evaluation a hundred."""
    clock(monkeypatch, float, 100.0)
    result = train("endless", tmp_path / "run", Loop(checkpoint_seconds=1e6))
    log = map(json.loads, (tmp_path / "run" / "log.jsonl").read_text().splitlines())
    before = 0
    for number, (line, update) in enumerate(zip(log, LINES, strict=True), start=1):
        spent = sum(range(before + 1, update + 1))
        assert (line["update"], line["seen"]) == (update, 7 * update)
        assert line["per_second"] == 7 * (update - before) / spent
        assert line["elapsed"] == sum(range(update + 1)) + 100 * number
        before = update
    assert result["wall_s"] == 435 + 100 * 9  # the last split is evaluated once more
    assert result["per_second"] == 7 * 29 / 435
    assert (result["updates"], result["seen"]) == (29, 7 * 29)


def test_a_display_is_told_ten_times_a_second_and_checkpoints_are_apart(tmp_path, monkeypatch):
    """An update takes a 32nd of a second, a look comes before it: the first, and every fourth."""
    written, keep = [], RunFolder.keep_checkpoint
    monkeypatch.setattr(
        RunFolder,
        "keep_checkpoint",
        lambda folder, update, most: (written.append(update), keep(folder, update, most)),
    )
    clock(monkeypatch, lambda n: 1 / 32, 0.0)
    noted = Noted()
    train("endless", tmp_path / "run", Loop(checkpoint_seconds=0.25), noted)
    assert TICK_SECONDS == 0.1
    assert noted.begun == [(29, 0, "examples")]
    assert noted.ends == 1
    assert [update for update, _, _ in noted.ticks] == list(range(1, 30, 4))
    phases = ["linear" if n <= 11 else "squashed" if n <= 24 else "other" for n in range(30)]
    assert all(phase == phases[update] for update, phase, _ in noted.ticks)
    rates = {update: rate for update, _, rate in noted.ticks}
    assert rates[9] == 4 * 7 / (3 / 32)  # of updates 6 to 9, the last of which is not timed yet
    assert rates[1] == rates[5] == 0.0  # nothing is timed yet
    # Each as soon as a quarter of a second has passed since the one before, and one at the end.
    assert written == [9, 18, 27, 29]


def test_a_run_goes_on_from_its_last_checkpoint(tmp_path):
    path = tmp_path / "run"
    with pytest.raises(PowerCutError):
        train("endless", path, Loop(checkpoint_seconds=0.0, keep=3), die=13)
    assert list(RunFolder.open(path).checkpoints()) == [11, 12, 13]
    noted = Noted()
    with pytest.raises(PowerCutError):
        train("endless", path, Loop(), noted, die=0)
    assert noted.begun == [(29, 13, "examples")]
    assert noted.ends == 1

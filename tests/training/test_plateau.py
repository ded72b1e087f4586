"""A rate that follows the validation loss: the rule, the end, and the same bits after a crash."""

from dataclasses import replace

import pytest
import toy_runs
from toy_runs import PowerCutError, outcome, train

from memnets.training.config import Loop
from memnets.training.experiment import Phase
from memnets.training.plateau import Plateau
from memnets.training.runs import RunFolder
from memnets.training.task import Ratio

# What validation says, look by look: 4 is no better than 4, 3.9999 hardly better, 5 is worse.
LOSSES = (9.0, 4.0, 4.0, 3.9999, 3.0, 5.0, 4.0, 4.0, 4.0, 4.0, 4.0)
RATES = (0.9, 0.9, 0.9, 0.6, 0.4, 0.4, 0.4 / 1.5)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Train a toy of 50 updates; every fifth is followed by the next of the losses given."""

    def begin(losses=LOSSES, die=None, loop=Loop(), folder="run", least=0.2, before=()):
        path = tmp_path / folder
        experiment = toy_runs.endless()

        def evaluate(split):
            looks = len(RunFolder.open(path).log())
            return {"loss": Ratio(losses[min(looks, len(losses) - 1)], 1.0)}

        falling = Phase("falling", 50, lambda update: 0.9, 5, plateau=Plateau(least=least))
        experiment = replace(experiment, phases=(*before, falling))
        monkeypatch.setattr(experiment.task, "evaluate", lambda model, split: evaluate(split))
        monkeypatch.setitem(toy_runs.TOYS, "falling", lambda: experiment)
        return train("falling", path, loop, die=die), outcome(path)[1]

    return begin


def test_the_rule():
    plateau = Plateau()
    assert plateau.rate(0.9, []) == plateau.rate(0.9, [4.0]) == 0.9
    assert plateau.rate(0.9, [4.0, 3.9995]) == 0.9  # 0.9999 x 4 = 3.9996
    assert plateau.rate(0.9, [4.0, 3.9997]) == pytest.approx(0.6)
    assert plateau.rate(0.9, [4.0, 5.0, 4.9]) == pytest.approx(0.6)  # against the one before
    assert plateau.rate(0.9, [4.0, 5.0, 4.9, 4.9]) == pytest.approx(0.4)


def test_the_rate_of_every_line_follows_the_lines_before_it(run):
    result, lines = run()
    assert [line["learning_rate"] for line in lines[:7]] == pytest.approx(RATES)
    assert [line["valid"]["loss"] for line in lines] == list(LOSSES[: len(lines)])
    # After the eighth line the rate is 0.4 / 2.25 < 0.2: the run ends before its 50 updates.
    assert len(lines) == 8
    assert result["updates"] == 40


def test_a_run_that_never_stalls_makes_all_updates(run):
    result, lines = run(tuple(float(loss) for loss in range(30, 0, -1)))
    assert result["updates"] == 50
    assert {line["learning_rate"] for line in lines} == {0.9}


@pytest.mark.parametrize("killed_after", [1, 5, 14, 22, 30, 39, 40])
def test_a_run_killed_anywhere_goes_on_at_the_same_rate(run, killed_after, tmp_path):
    run(folder="whole")
    with pytest.raises(PowerCutError):
        run(folder="killed", die=killed_after - 1, loop=Loop(checkpoint_seconds=0.0))
    run(folder="killed")
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "whole")


def test_a_run_killed_after_its_end_ends_again(run, tmp_path):
    first, lines = run(loop=Loop(checkpoint_seconds=0.0))
    (tmp_path / "run" / "result.json").unlink()
    again, lines_again = run()
    assert (again["updates"], lines_again) == (first["updates"], lines)


def test_lines_of_a_phase_before_do_not_count(run):
    before = (Phase("first", 10, lambda update: 0.5, 5),)
    _, lines = run((9.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.5, 0.1), before=before)
    assert [line["learning_rate"] for line in lines] == [0.5] * 2 + [0.9] * 10


@pytest.mark.parametrize("killed_after", [10, 12, 16])
def test_nor_do_they_when_the_run_is_resumed(run, killed_after, tmp_path):
    before = (Phase("first", 10, lambda update: 0.5, 5),)
    losses = (9.0, 3.0, *LOSSES)  # the last phase begins worse than the first ended
    run(losses, folder="whole", before=before)
    every = Loop(checkpoint_seconds=0.0)
    with pytest.raises(PowerCutError):
        run(losses, folder="killed", die=killed_after, loop=every, before=before)
    run(losses, folder="killed", before=before)
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "whole")


def test_a_loss_that_is_no_number_counts_as_the_worst(run):
    _, lines = run((9.0, float("nan"), 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0))
    assert [line["learning_rate"] for line in lines] == pytest.approx([0.9] * 2 + [0.6] * 8)


def test_only_the_last_phase_may_have_a_plateau():
    experiment = toy_runs.endless()
    first = replace(experiment.phases[0], plateau=Plateau(least=0.001))
    with pytest.raises(ValueError, match=r"named 'linear' is not the last: it may end the run"):
        replace(experiment, phases=(first, *experiment.phases[1:]))
    also = replace(first, name="also")
    with pytest.raises(ValueError, match=r"named 'linear' is not the last"):
        replace(experiment, phases=(first, also, *experiment.phases[1:]))
    last = replace(experiment.phases[-1], plateau=Plateau(least=0.0001))
    assert replace(experiment, phases=(*experiment.phases[:-1], last)).phases[-1] == last


def test_a_rate_below_the_least_is_refused():
    with pytest.raises(ValueError, match=r"named 'all' begins at 0\.001, below the plateau's"):
        Phase("all", 5, lambda update: 0.001, 5, plateau=Plateau(least=0.01))


@pytest.mark.parametrize(("name", "bound"), [("factor", 1), ("ratio", 0), ("least", 0)])
def test_a_number_that_cannot_be_is_refused(name, bound):
    given = {name: float(bound)}
    with pytest.raises(
        ValueError, match=rf"Plateau\({name}={bound}\.0\): .* above {bound}\. .*1\.5"
    ):
        Plateau(**given)

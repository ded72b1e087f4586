"""Phases, sums, divergence, and what a person sees."""

import io
import math
from dataclasses import replace
from typing import NamedTuple

import pytest
import torch
import toy_runs
from rich.console import Console
from safetensors.torch import load_file
from torch import nn
from toy_runs import PowerCutError, outcome, train

from memnets.training.checkpoints import place_optimizer
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase, Place
from memnets.training.gradients import Lengths
from memnets.training.progress import Bar, Lines, Silent, show_on
from memnets.training.runs import RunFolder
from memnets.training.stopping import DivergenceError
from memnets.training.tally import Tally
from memnets.training.task import Ratio, Step, fold_in


def test_a_run_is_the_plain_loop(tmp_path):
    """The oracle: zero_grad, backward, clip, step, written out, on batches drawn by hand."""
    train("sum", tmp_path / "run")
    log = outcome(tmp_path / "run")[1]
    experiment = toy_runs.TOYS["sum"]()
    model, optimizer = experiment.model, experiment.optimizer
    root, updates, losses = torch.Generator().manual_seed(0), 0, []
    for phase, key, first in zip(experiment.phases, (0, 0, 2), (0, 11, 0), strict=True):
        phase.prepare(model)
        for within in range(phase.updates):
            stream = fold_in(fold_in(root, 0, key), first + within)
            x = torch.randn(7, 5, generator=stream)
            y = x.sum(-1, keepdim=True).tanh()
            optimizer.param_groups[0]["lr"] = phase.learning_rate(within)
            optimizer.zero_grad()
            loss = (model(x) - y).square().sum()
            loss.backward()
            experiment.clip(model)
            optimizer.step()
            updates += 1
            losses.append(loss.item())
            if (within + 1) % phase.evaluate_every == 0 or within + 1 == phase.updates:
                line = log.pop(0)
                assert line["update"] == updates
                assert line["phase"] == phase.name
                assert line["seen"] == 7 * updates
                assert line["learning_rate"] == phase.learning_rate(within)
                mean = math.fsum(losses) / (7 * len(losses))
                assert line["train"]["loss"] == pytest.approx(mean, rel=1e-12)
                losses = []
    assert not log
    trained = toy_runs.TOYS["sum"]().model
    toy_runs.RunFolder.open(tmp_path / "run").load_weights(trained)
    for name, value in model.state_dict().items():
        assert trained.state_dict()[name].equal(value), name


@pytest.mark.parametrize("share", [0.0, 0.25])
def test_a_group_learns_at_its_share_of_the_rate(tmp_path, monkeypatch, share):
    def first_update(rate, **first):
        experiment = toy_runs.endless()
        layers = experiment.model
        groups = [{"params": layers[0].parameters(), **first}, {"params": layers[2].parameters()}]
        once = Phase("all", 1, lambda update: rate, 1)
        optimizer = torch.optim.SGD(groups)
        return replace(experiment, optimizer=optimizer, phases=(once,), clip=lambda model: None)

    def trained(name, rate, **first):
        monkeypatch.setitem(toy_runs.TOYS, "sum", lambda: first_update(rate, **first))
        train("sum", tmp_path / name)
        model = toy_runs.endless().model
        toy_runs.RunFolder.open(tmp_path / name).load_weights(model)
        return model

    apart, slow, whole = (
        trained("apart", 0.1, share=share),
        trained("b", 0.1 * share),
        trained("c", 0.1),
    )
    assert apart[0].weight.equal(slow[0].weight)
    assert apart[2].weight.equal(whole[2].weight)
    assert not whole[0].weight.equal(slow[0].weight)


def test_a_mean_is_over_the_weight_of_the_batch(tmp_path, monkeypatch):
    """A seventh of the rate on the sum is the same as the mean, with plain SGD and no clipping."""

    def plain(reduction, rate):
        experiment = toy_runs.noiseless(reduction)
        optimizer = torch.optim.SGD(experiment.model.parameters())
        phases = (Phase("all", 13, lambda update: rate, 13),)
        return Experiment(experiment.model, experiment.task, optimizer, phases, reduction)

    for name, rate in (("sum", 0.01), ("mean", 0.07)):
        monkeypatch.setitem(toy_runs.TOYS, name, lambda n=name, r=rate: plain(n, r))
        train(name, tmp_path / name)
    by_sum, by_mean = (outcome(tmp_path / name)[1][0] for name in ("sum", "mean"))
    assert by_sum["valid"]["loss"] == pytest.approx(by_mean["valid"]["loss"], rel=1e-5)


def test_a_task_collates_the_split_of_its_phase(tmp_path, monkeypatch):
    collated, started = [], []

    def collate(task, split, batch):
        collated.append(split)
        return batch

    def start(task, split, batch):
        started.append(split)
        return ()

    monkeypatch.setattr(toy_runs.EndlessTask, "collate", collate)
    monkeypatch.setattr(toy_runs.EndlessTask, "start", start)
    train("endless", tmp_path / "run")
    assert collated == ["train"] * 24 + ["other"] * 5
    assert started == ["train", "other"]


def test_data_are_moved_once_and_what_is_no_tensor_stays(tmp_path, monkeypatch):
    class Rows(NamedTuple):
        rows: torch.Tensor
        names: tuple[str, ...]

    task = toy_runs.EndlessTask()
    data = {"train": Rows(torch.ones(3), ("a",)), "valid": Rows(torch.zeros(2), ())}
    task.data, task.words = data, ["b"]
    words = task.words
    task.to(torch.device("meta"))
    assert task.data["train"].rows.device.type == task.data["valid"].rows.device.type == "meta"
    assert task.data["train"].names == ("a",)
    assert task.words is words
    assert data["train"].rows.device.type == "cpu"  # another run may have them too


def test_what_an_optimizer_keeps_is_beside_its_weights():
    layer = nn.Linear(3, 2)
    optimizer = torch.optim.Adagrad(layer.parameters())
    layer.double()  # as to another device: the same parameters, with other numbers in them
    place_optimizer(optimizer)
    assert {state["sum"].dtype for state in optimizer.state.values()} == {torch.float64}


def test_places_follow_phases_and_streams():
    def phase(updates, stream):
        return Phase("p", updates, lambda update: 0.1, 5, stream=stream)

    experiment = toy_runs.endless()
    phases = (phase(3, "a"), phase(5, "a"), phase(2, "b"), phase(7, "a"))
    experiment = replace(experiment, phases=phases)
    assert [experiment.place(update) for update in (0, 2, 3, 7, 8, 9, 10, 16, 17)] == [
        Place(phase=0, within=0, began=0, position=0),
        Place(phase=0, within=2, began=0, position=2),
        Place(phase=1, within=0, began=0, position=3),
        Place(phase=1, within=4, began=0, position=7),
        Place(phase=2, within=0, began=2, position=0),
        Place(phase=2, within=1, began=2, position=1),
        Place(phase=3, within=0, began=3, position=0),
        Place(phase=3, within=6, began=3, position=6),
        Place(phase=3, within=7, began=3, position=7),
    ]


@pytest.mark.parametrize("field", ["updates", "evaluate_every"])
def test_a_phase_of_nothing_is_refused(field):
    sizes = {"updates": 1, "evaluate_every": 1, field: 0}
    with pytest.raises(ValueError, match=rf"Phase\({field}=0\) named 'linear': expected at"):
        Phase("linear", learning_rate=lambda update: 0.1, **sizes)


def test_an_experiment_is_checked():
    experiment, task = toy_runs.endless(), toy_runs.EndlessTask()
    task.splits = ("valid", "test")
    with pytest.raises(ValueError, match=r"Experiment\(phases=\(\)\): expected at least one"):
        replace(experiment, phases=())
    with pytest.raises(ValueError, match=r"Task\.splits=\('valid', 'test'\): the test split"):
        replace(experiment, task=task)


def test_a_loop_is_checked():
    with pytest.raises(ValueError, match=r"loop\.threads is 0: expected at least 1\. .*--loop\.th"):
        Loop(threads=0)
    with pytest.raises(ValueError, match=r"loop\.checkpoint_seconds is -1\.0: .*--loop\.che"):
        Loop(checkpoint_seconds=-1.0)


@pytest.mark.parametrize(("field", "value"), [("device", "gpu"), ("precision", "16-mixed")])
def test_a_loop_of_unknown_words_is_refused(field, value):
    checked = Loop()
    object.__setattr__(checked, field, value)  # the type hints would stop it under pytest
    with pytest.raises(
        ValueError, match=rf"loop\.{field} is '{value}': expected one of .*--loop\.{field}"
    ):
        checked.__post_init__()


def diverge(monkeypatch, update, spoil):
    """Spoil an update of the endless toy."""
    loss, made = toy_runs.EndlessTask.loss, iter(range(1, 100))

    def spoilt(task, model, batch, state, generator):
        step = loss(task, model, batch, state, generator)
        return spoil(step, model) if next(made) == update else step

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", spoilt)


def nan_loss(step, model):
    return step._replace(loss_sum=step.loss_sum * math.nan)


def infinite_gradient(step, model):
    def once(gradient):
        hook.remove()
        return gradient * math.inf

    hook = model[0].weight.register_hook(once)
    return step


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path, monkeypatch):
    diverge(monkeypatch, 14, nan_loss)
    with pytest.raises(
        DivergenceError,
        match=r"the loss of update 14 is not a finite number, in the phase 'squashed' at a "
        r"learning rate of 0\.01\. Lower the learning rate, or clip .* The last .* of update 13\. "
        r"The longest gradient of update 13 was 2\.38, of '2\.bias'\.$",
    ):
        train("endless", tmp_path / "run", Loop(checkpoint_seconds=0.0))


def test_a_weight_that_is_not_finite_is_never_in_a_checkpoint(tmp_path, monkeypatch):
    diverge(monkeypatch, 14, infinite_gradient)
    with pytest.raises(
        DivergenceError,
        match=r"a weight after update 14 .* last checkpoint is of update 13\. "
        r"The gradient of '0\.weight' was not finite in update 14\.$",
    ):
        train("endless", tmp_path / "run", Loop(checkpoint_seconds=0.0))


def test_the_part_whose_gradient_broke_the_run_is_named_when_the_loss_breaks(tmp_path, monkeypatch):
    diverge(monkeypatch, 12, infinite_gradient)  # long before a line of the log
    with pytest.raises(
        DivergenceError,
        match=r"the loss of update 13 .* gradient of '0\.weight' was not finite in update 12\.$",
    ):
        train("endless", tmp_path / "run")


def with_skips(monkeypatch, skips):
    monkeypatch.setitem(toy_runs.TOYS, "endless", lambda: replace(toy_runs.endless(), skips=skips))


def test_an_update_whose_gradient_is_not_finite_may_be_skipped(tmp_path, monkeypatch):
    """It is counted in the log and the result, also where the run was stopped since."""
    with_skips(monkeypatch, 1)
    diverge(monkeypatch, 14, infinite_gradient)
    result = train("endless", tmp_path / "whole")
    lines = outcome(tmp_path / "whole")[1]
    assert result["skipped"] == 1
    assert [line.get("skipped", 0) for line in lines] == [int(x["update"] >= 14) for x in lines]
    assert all(map(math.isfinite, result["metrics"]["valid"].values()))
    with monkeypatch.context() as context:
        diverge(context, 14, infinite_gradient)
        with pytest.raises(PowerCutError):
            train("endless", tmp_path / "cut", Loop(checkpoint_seconds=0.0), die=17)
    train("endless", tmp_path / "cut")
    assert outcome(tmp_path / "cut") == outcome(tmp_path / "whole")


def test_a_skipped_update_leaves_weights_and_optimizer_as_they_were(tmp_path, monkeypatch):
    """As if the gradient of one update had never been: the run that lacks it is the same."""
    with_skips(monkeypatch, 3)
    diverge(monkeypatch, 29, infinite_gradient)  # the last
    train("endless", tmp_path / "skipped", Loop(checkpoint_seconds=0.0))
    before, after = (
        load_file(path / "model.safetensors")
        for path in list(RunFolder.open(tmp_path / "skipped").checkpoints().values())[-2:]
    )
    assert all(before[name].equal(after[name]) for name in before)


def test_one_skip_too_many_diverges(tmp_path, monkeypatch):
    """Also where the skips were made before a resume."""
    with_skips(monkeypatch, 1)
    with monkeypatch.context() as context:
        diverge(context, 14, infinite_gradient)
        with pytest.raises(PowerCutError):
            train("endless", tmp_path / "run", Loop(checkpoint_seconds=0.0), die=17)
    diverge(monkeypatch, 3, infinite_gradient)  # of those that are left
    with pytest.raises(DivergenceError, match="not finite in update 21"):
        train("endless", tmp_path / "run")
    with pytest.raises(ValueError, match=r"Experiment\(skips=-1\): expected at least 0"):
        replace(toy_runs.endless(), skips=-1)


def test_gradients_of_sparse_weights_and_of_none_are_looked_at():
    model = nn.Sequential(nn.EmbeddingBag(5, 3, sparse=True), nn.Linear(3, 2), nn.Linear(2, 2))
    lengths = Lengths()
    assert lengths.blame(9) == ""
    lengths.add(1, model)
    assert lengths.blame(9) == ""
    model[1](model[0](torch.tensor([[1, 1, 4]]))).mul(1e6).sum().backward()
    lengths.add(2, model)
    norms = {name: weight.grad.to_dense().norm() for name, weight in model[1].named_parameters()}
    assert lengths.blame(1) == ""
    assert (
        f"The longest gradient of update 2 was {norms['bias']:.3g}, of '1.bias'" in lengths.blame(2)
    )
    model[0].weight.grad._values()[1] = math.nan
    lengths.add(3, model)
    lengths.forget()
    assert lengths.blame(2) == ""
    assert lengths.blame(7) == " The gradient of '0.weight' was not finite in update 3."
    for weight in model[1].parameters():
        weight.grad.fill_(math.inf)
    model[2].weight.grad = torch.full((2, 2), math.nan)
    lengths.add(4, model)
    lengths.forget()
    named = "'0.weight', '1.weight', '1.bias' and of 1 more was not finite in update 4."
    assert lengths.blame(4) == f" The gradient of {named}"


def test_without_a_checkpoint_divergence_says_so(tmp_path, monkeypatch):
    diverge(monkeypatch, 2, nan_loss)
    with pytest.raises(DivergenceError, match=r"the loss of update 2 .* There is no checkpoint"):
        train("endless", tmp_path / "run")


def test_a_stream_that_ends_too_early_is_refused(tmp_path, monkeypatch):
    batches = toy_runs.EndlessTask.batches

    def few(task, split, generator, position):
        return iter([next(batches(task, split, generator, k)) for k in range(position, 3)])

    monkeypatch.setattr(toy_runs.EndlessTask, "batches", few)
    with pytest.raises(
        ValueError,
        match=r"EndlessTask\.batches\('train'\) ended before update 4 of 29\..*'linear'",
    ):
        train("endless", tmp_path / "run")


def test_sums_do_not_depend_on_when_they_are_flushed():
    values = torch.rand(101, dtype=torch.float64).tolist()
    seldom, often = Tally(), Tally()
    for update, value in enumerate(values):
        step = Step(
            torch.tensor(value, dtype=torch.float64), 2, (), {"right": torch.tensor(update)}
        )
        seldom.add(update, step)
        often.add(update, step)
        often.flush()
        restored = Tally()
        restored.merge(often.tensors())
        often = restored
    seldom.flush()
    assert often == seldom
    assert seldom.means["loss"] == pytest.approx(math.fsum(values) / 202, rel=1e-6)
    assert seldom.means["right"] == 101 * 50 / 202


def test_a_tally_keeps_no_graph():
    tally, weight = Tally(), torch.ones((), requires_grad=True)
    tally.add(1, Step(2 * weight, 1, (), {"squared": weight**2}))
    assert not any(one.requires_grad for many in tally._pending.values() for one in many)
    tally.flush()
    assert tally.sums == {"loss": 2, "squared": 1}


def test_a_tally_notices_the_first_loss_that_is_not_finite():
    tally = Tally()
    for update, value in enumerate([1.0, math.inf, math.nan], start=5):
        tally.add(update, Step(torch.tensor(value), 1, (), {}))
    assert tally.broken == math.inf
    tally.flush()
    assert tally.broken == 6


def test_a_ratio_of_nothing_is_not_a_number():
    assert Ratio(6.0, 4).mean == 1.5
    assert math.isnan(Ratio(0.0, 0).mean)


def test_forks_depend_on_seed_and_key_alone():
    root = torch.Generator().manual_seed(7)
    first = torch.rand(5, generator=fold_in(root, 3, 11))
    torch.rand(13, generator=root)
    assert torch.rand(5, generator=fold_in(root, 3, 11)).equal(first)
    seeds = {
        fold_in(root, *key).initial_seed() for key in ((), (3,), (11,), (3, 11), (11, 3), (4, 11))
    }
    assert len(seeds) == 6


RECORD = {
    "update": 1234,
    "phase": "linear",
    "learning_rate": 0.005,
    "train": {"loss": 0.25, "accuracy": 0.5, "accuracy/1": 1.0},
    "valid": {"loss": None},
    "per_second": 23456.7,
    "elapsed": 3.0,
}
LINE = (
    "update 1,234  linear  rate 0.005  train: loss 0.2500 accuracy 0.5000  valid: loss -  "
    "23,457 stories/s"
)


def test_a_line_in_words():
    stream = io.StringIO()
    lines = show_on(stream)
    assert isinstance(lines, Lines)
    lines.begin(2000, 0, "stories")
    lines.tick(7, "linear", {"loss": 0.5}, 3.0)
    lines.line(RECORD)
    lines.end()
    assert stream.getvalue() == f"{LINE}\n"


def test_a_bar_shows_where_the_run_stands():
    console = Console(file=io.StringIO(), force_terminal=True, width=140, record=True)
    bar = Bar(console)
    bar.begin(2000, 10, "stories")
    bar.tick(617, "linear", {"loss": 0.5, "accuracy/3": 1.0}, 1234.5)
    bar.line(RECORD)
    bar.note("[not] markup")
    bar.end()
    text = console.export_text()
    assert LINE in text
    assert "[not] markup" in text
    assert "linear" in text
    assert "1234/2000" in text
    assert "loss 0.50 1,234 stories/s" in text


def test_the_bar_fits_into_eighty_columns():
    console = Console(file=io.StringIO(), force_terminal=True, width=80, record=True)
    bar = Bar(console)
    bar.begin(100_000, 0, "stories")
    bar.tick(50_000, "linear start", {"loss": 0.5, "accuracy": 0.75}, 81_234.5)
    bar.end()
    text = console.export_text()
    assert "81,234 stories/s" in text
    assert "…" not in text


def test_a_terminal_gets_a_bar(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    shown = show_on(stream)
    assert isinstance(shown, Bar)
    assert shown.console.file is stream


def test_silence(capsys, tmp_path):
    train("endless", tmp_path / "run", show=Silent())
    assert capsys.readouterr().out == ""


def test_a_model_is_evaluated_as_it_will_be_used(tmp_path, monkeypatch):
    modes = []
    evaluate = toy_runs.LanguageTask.evaluate

    def look(task, model, split):
        modes.append((split, model.training, torch.is_grad_enabled()))
        return evaluate(task, model, split)

    monkeypatch.setattr(toy_runs.LanguageTask, "evaluate", look)
    train("language", tmp_path / "run")
    splits = [split for split, *_ in modes]
    assert splits == ["valid"] * 5 + ["train", "valid", "test"]
    assert not any(training or grad for _, training, grad in modes)


def test_nothing_leaves_a_model_alone():
    from memnets.training.experiment import nothing

    model = nn.Linear(3, 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    nothing(model)
    assert all(before[name].equal(value) for name, value in model.state_dict().items())

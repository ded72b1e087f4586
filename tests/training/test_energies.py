"""Training of Boltzmann machines: what is learnt, and chains that outlive a power cut."""

import pytest
import torch
import toy_runs
from toy_runs import PowerCutError, outcome, train

from memnets.memories.boltzmann import (
    BoltzmannMachine,
    RestrictedBoltzmannMachine,
    moments,
    pseudo_log_likelihood,
)
from memnets.tasks.energies import (
    Contrastive,
    EnergyTask,
    Exact,
    Objective,
    Persistent,
    PseudoLikelihood,
)
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase


def rows(count, dim):
    """Bits of which the first two agree mostly."""
    generator = torch.Generator().manual_seed(0)
    bits = torch.randint(0, 2, (count, dim), generator=generator).float()
    bits[:, 1] = torch.where(torch.rand(count, generator=generator) < 0.9, bits[:, 0], bits[:, 1])
    return bits


def persistent():
    torch.manual_seed(0)
    machine = RestrictedBoltzmannMachine(6, 4)
    task = EnergyTask({"train": rows(40, 6), "valid": rows(20, 6)}, Persistent(rows(7, 6)), 10)
    return Experiment(
        machine,
        task,
        torch.optim.SGD(machine.parameters(), lr=0.1),
        (Phase("all", 29, lambda update: 0.1, 10),),
        "mean",
    )


def test_chains_outlive_a_power_cut(tmp_path, monkeypatch):
    monkeypatch.setitem(toy_runs.TOYS, "persistent", persistent)
    train("persistent", tmp_path / "whole", Loop(checkpoint_seconds=1e6))
    for killed_after in (1, 13):
        path = tmp_path / f"killed-{killed_after}"
        with pytest.raises(PowerCutError):
            train("persistent", path, Loop(checkpoint_seconds=0.0), die=killed_after)
        train("persistent", path, Loop(checkpoint_seconds=1e6))
        assert outcome(path) == outcome(tmp_path / "whole")


def trained(machine, objective: Objective, data, updates, rate=0.4):
    task, generator = EnergyTask({"train": data}, objective, 200), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(machine.parameters(), lr=rate / 10)
    state = task.start("train", data)
    batches = task.batches("train", generator, 0)
    for _ in range(updates):
        step = task.loss(machine, task.collate("train", next(batches)), state, generator)
        state = step.state
        optimizer.zero_grad()
        (step.loss_sum / step.weight).backward()
        optimizer.step()
    return machine, task


@pytest.mark.parametrize("kind", ["exact", "pseudo", "cd", "pcd", "hidden"])
def test_every_objective_learns_the_means_of_the_data(kind):
    torch.manual_seed(0)
    data = 2 * rows(200, 4) - 1
    machine = BoltzmannMachine(4, 1 if kind == "hidden" else 0)
    objective = {
        "exact": Exact(),
        "pseudo": PseudoLikelihood(),
        "cd": Contrastive(2),
        "pcd": Persistent(machine.random_chain(200)),
        "hidden": Persistent(machine.random_chain(200)),
    }[kind]
    before = moments(machine).products[0, 1]
    machine, task = trained(machine, objective, data, 60)
    wanted = float((data[:, 0] * data[:, 1]).mean())
    assert abs(float(before)) < 0.1
    assert float(moments(machine).products[0, 1]) == pytest.approx(wanted, abs=0.15)
    assert task.evaluate(machine, "train")["loss"].mean < 2.65  # of four bits, 2.77 nats


def test_the_loss_of_bits_that_are_all_shown_is_by_each_given_the_others():
    torch.manual_seed(0)
    machine, bits = BoltzmannMachine(4), rows(30, 4)
    task = EnergyTask({"train": bits}, Exact(), 10)
    likely = pseudo_log_likelihood(machine, bits).double().mean()
    assert likely < 0
    assert task.evaluate(machine, "train")["loss"].mean == pytest.approx(-likely.item(), rel=1e-5)


def test_rows_to_train_on_are_wanted():
    with pytest.raises(ValueError, match="expected some of 'train'"):
        EnergyTask({"valid": rows(3, 2)}, Exact())

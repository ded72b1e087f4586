"""Updates by formula against the task's, by its graph, and against all states."""

import pytest
import torch
from torch.testing import assert_close

from memnets.memories.boltzmann import (
    RestrictedBoltzmannMachine,
    Updates,
    all_states,
    log_likelihood,
    uniform,
)
from memnets.memories.boltzmann import (
    updates as module,
)
from memnets.tasks.energies import Contrastive, EnergyTask, Persistent


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def restricted(visible=5, hidden=3):
    machine = RestrictedBoltzmannMachine(visible, hidden).double()
    with torch.no_grad():
        for number, parameter in enumerate(machine.parameters()):
            parameter.copy_(0.9 * torch.randn(parameter.shape, generator=seeded(number)))
    return machine


def rows(count, dim):
    return torch.randint(0, 2, (count, dim), generator=seeded(4)).double()


def by_the_task(machine, task, updates, generator):
    optimizer = torch.optim.SGD(machine.parameters(), lr=0.3)
    state, batches = task.objective.start(), task.batches("train", generator, 0)
    for _ in range(updates):
        step = task.loss(machine, task.collate("train", next(batches)), state, generator)
        state = step.state
        optimizer.zero_grad()
        (step.loss_sum / step.weight).backward()
        optimizer.step()


@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("carried", [True, False])
def test_the_same_draws_give_the_weights_of_the_task(carried, steps, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 300)  # for a few updates only
    data = rows(23 if carried else 20, 5)  # of 23 the last batch has three
    chains = rows(7, 5) if carried else None
    objective = Contrastive(steps) if chains is None else Persistent(chains, steps)
    task, wanted = EnergyTask({"train": data}, objective, 10), restricted()
    by_the_task(wanted, task, 40, seeded(3))
    noise = seeded(3)
    updates = Updates(
        restricted(), data, 10, chains, steps, lambda numbers: numbers.uniform_(generator=noise)
    )
    batches = task.batches("train", seeded(3), 0)
    for _ in range(40):
        updates.follow(*next(batches), 0.3)
    found = updates.write()
    assert float((found.weight - restricted().weight).detach().abs().max()) > 0.1
    for one, other in zip(found.parameters(), wanted.parameters(), strict=True):
        assert_close(one, other, rtol=1e-9, atol=1e-9)


def test_with_chains_of_its_own_distribution_an_update_is_the_gradient():
    machine, data, count = restricted(4, 3), rows(20, 4), 40000
    before = restricted(4, 3)
    log_likelihood(before, data).mean().backward()
    chance = log_likelihood(machine, all_states(4)).exp().detach()
    drawn = torch.multinomial(chance, count, replacement=True, generator=seeded(1))
    updates = Updates(machine, data, 20, all_states(4)[drawn], fill=uniform(1))
    updates.follow(torch.arange(20), 1.0)
    for one, old in zip(updates.write().parameters(), before.parameters(), strict=True):
        error = 0.5 / count**0.5  # the most of a mean of numbers from 0 to 1
        assert ((one - old - old.grad).abs() < 4 * error).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_is_drawn_is_uniform(dtype):
    numbers, again = torch.empty(3, 20001, dtype=dtype), torch.empty(3, 20001, dtype=dtype)
    uniform(5)(numbers)
    uniform(5)(again)
    assert torch.equal(numbers, again)
    assert 0 <= numbers.min() < 1e-3 < 0.999 < numbers.max() < 1
    counts = torch.histc(numbers.float(), 20, 0, 1)
    expected = numbers.numel() / 20
    assert float(((counts - expected) ** 2 / expected).sum()) < 43.8  # chi-squared, 1 in 1000
    neighbours = torch.stack((numbers[:, :-1].flatten(), numbers[:, 1:].flatten()))
    assert abs(float(torch.corrcoef(neighbours)[0, 1])) < 4 / 60000**0.5


@pytest.mark.usefixtures("shapes_unchecked")
def test_what_cannot_be_trained_is_refused():
    machine, data = restricted(), rows(4, 5)
    for build, said in (
        (lambda: Updates(machine, rows(4, 6), 2), r"data=...\): shape \(4, 6\) came, expected"),
        (lambda: Updates(machine, data, 2, rows(3, 4)), r"chains=...\): shape \(3, 4\) came"),
        (lambda: Updates(machine, data, 0), "batch=0"),
        (lambda: Updates(machine, data, 2, steps=0), "steps=0"),
        (lambda: Updates(restricted().half(), data, 2), "expected float32 or float64"),
    ):
        with pytest.raises(ValueError, match=said):
            build()

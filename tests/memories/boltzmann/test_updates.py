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
from memnets.tasks.energies import Contrastive, EnergyTask


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


def by_the_graph(machine, loss_of, updates):
    optimizer = torch.optim.SGD(machine.parameters(), lr=0.3)
    for number in range(updates):
        optimizer.zero_grad()
        loss_of(number).backward()
        optimizer.step()
    return machine


def near(one, other):
    assert float((one.weight - restricted().weight).detach().abs().max()) > 0.1
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        assert_close(mine, theirs, rtol=1e-9, atol=1e-9)


def by_formula(data, chains, steps, batches, noise):
    def fill(numbers):
        numbers.uniform_(generator=noise)

    updates = Updates(restricted(), data, 10, chains, steps, fill)
    for numbers in batches:
        updates.follow(numbers, 0.3)
    return updates.write()


@pytest.fixture
def _few_numbers_at_once(monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 500)


@pytest.mark.usefixtures("_few_numbers_at_once")
@pytest.mark.parametrize("steps", [1, 2])
def test_the_same_draws_give_the_weights_of_the_task(steps):
    data, wanted, noise = rows(20, 5), restricted(), seeded(3)
    batches = torch.randint(0, 20, (40, 10), generator=seeded(5))
    task = EnergyTask({"train": data}, Contrastive(steps), 10)
    by_the_graph(
        wanted, lambda number: task.loss(wanted, data[batches[number]], (), noise).loss_sum / 10, 40
    )
    near(by_formula(data, None, steps, batches, seeded(3)), wanted)


@pytest.mark.usefixtures("_few_numbers_at_once")
@pytest.mark.parametrize("steps", [1, 2])
def test_chains_that_go_on_are_those_of_the_graph(steps):
    data, wanted, noise = rows(23, 5), restricted(), seeded(3)
    batches = list(torch.arange(23).repeat(14).split(10)) + [torch.arange(3)] * 2  # three as well
    hidden = rows(7, 3)

    def drawn(field, numbers):
        return (numbers < torch.sigmoid(field)).double().detach()

    def loss_of(number):
        nonlocal hidden
        for _ in range(steps):
            numbers = torch.rand(7 * 8, generator=noise, dtype=torch.float64)
            chain = drawn(wanted.visible_field(hidden), numbers[21:].view(7, 5))
            hidden = drawn(wanted.hidden_field(chain), numbers[:21].view(7, 3))
        own = wanted.free_energy(chain).mean()
        return wanted.free_energy(data[batches[number]]).mean() - own

    by_the_graph(wanted, loss_of, len(batches))
    near(by_formula(data, rows(7, 3), steps, batches, seeded(3)), wanted)


def test_with_chains_of_its_own_distribution_an_update_is_the_gradient():
    machine, data, count = restricted(4, 3), rows(20, 4), 40000
    before = restricted(4, 3)
    log_likelihood(before, data).mean().backward()
    chance = torch.softmax(-machine.as_general().chain_cost(all_states(7)), 0)
    drawn = torch.multinomial(chance, count, replacement=True, generator=seeded(1))
    updates = Updates(machine, data, 20, all_states(7)[drawn, 4:], fill=uniform(1))
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
        (
            lambda: Updates(machine, data, 2, rows(3, 4)),
            r"\(3, 4\) came, expected \(row, 3\)",
        ),
        (lambda: Updates(machine, data, 0), "batch=0"),
        (lambda: Updates(machine, data, 2, steps=0), "steps=0"),
        (lambda: Updates(restricted().half(), data, 2), "expected float32 or float64"),
    ):
        with pytest.raises(ValueError, match=said):
            build()

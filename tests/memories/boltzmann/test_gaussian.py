"""The machine of numbers against integrals, its parts against each other, and what it learns."""

import math

import pytest
import torch
from torch.testing import assert_close

from memnets.memories.boltzmann import (
    GaussianBoltzmannMachine,
    Updates,
    all_states,
    annealed,
    log_likelihood,
    log_partition,
    pseudo_log_likelihood,
)
from memnets.tasks.energies import Contrastive, EnergyTask, Exact

LINE = torch.linspace(-25, 25, 20001, dtype=torch.float64).unsqueeze(1)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def gaussian(visible=1, hidden=3, spread=0.7):
    machine = GaussianBoltzmannMachine(visible, hidden, spread).double()
    with torch.no_grad():
        for number, parameter in enumerate(machine.parameters()):
            parameter.copy_(1.2 * torch.randn(parameter.shape, generator=seeded(number)))
    return machine.requires_grad_(False)


def integral(values):
    return torch.trapezoid(values, LINE[:, 0])


def test_its_partition_is_the_integral():
    machine = gaussian()
    assert_close(log_partition(machine), integral((-machine.free_energy(LINE)).exp()).log())
    assert_close(
        integral(log_likelihood(machine, LINE).exp()), torch.tensor(1.0, dtype=torch.float64)
    )


def test_its_free_energy_sums_the_hidden_bits_out():
    machine, hidden = gaussian(2, 3, torch.tensor([0.5, 2.0])), all_states(3)
    numbers = torch.randn(4, 2, generator=seeded(), dtype=torch.float64)
    every = torch.stack([machine.energy(row.expand(8, -1), hidden) for row in numbers])
    assert_close(machine.free_energy(numbers), -torch.logsumexp(-every, 1))
    chances = torch.softmax(-every, 1) @ hidden
    assert_close(torch.sigmoid(machine.hidden_field(numbers)), chances)
    beside = torch.tensor([[0.1, -0.4]], dtype=torch.float64)  # E = sum of squares, by hand
    bits = torch.tensor([[1.0, 0.0, 1.0]], dtype=torch.float64)
    wanted = -float(bits @ machine.hidden_bias)
    for i, (v, spread) in enumerate(((0.1, 0.5), (-0.4, 2.0))):
        wanted += (v - float(machine.visible_bias[i])) ** 2 / (2 * spread**2)
        wanted -= v / spread * float(machine.weight[i, 0] + machine.weight[i, 2])
    assert float(machine.energy(beside, bits)) == pytest.approx(wanted, rel=1e-6)


def test_numbers_given_hidden_bits_have_the_means_of_integrals():
    machine = gaussian()
    for bits in all_states(3):
        weight = (-machine.energy(LINE, bits.expand(len(LINE), -1))).exp()
        mean = integral(weight * LINE[:, 0]) / integral(weight)
        assert_close(machine.visible_mean(bits), mean.unsqueeze(0))
        square = integral(weight * (LINE[:, 0] - mean) ** 2) / integral(weight)
        assert float(square) == pytest.approx(0.7**2, rel=1e-5)
        assert_close(machine.log_weights(bits.unsqueeze(0))[0], integral(weight).log())


def test_samples_are_as_likely_as_they_should_be():
    machine = gaussian(hidden=2)
    chain = machine.sample(machine.random_chain(4000, seeded()), 60, seeded(1))[:, 0]
    chance = log_likelihood(machine, LINE).exp()
    mean = integral(chance * LINE[:, 0])
    spread = integral(chance * (LINE[:, 0] - mean) ** 2).sqrt()
    assert abs(float(chain.mean() - mean)) < 4 * float(spread) / 4000**0.5
    for place in (-1.0, 0.0, 1.0):
        wanted = float(integral(chance * (LINE[:, 0] < place)))
        error = math.sqrt(wanted * (1 - wanted) / 4000) + 1e-3
        assert abs(float((chain < place).double().mean()) - wanted) < 4 * error


@pytest.mark.parametrize("means", [None, torch.tensor([0.5, -0.5])])
def test_annealing_comes_to_the_exact_value(means):
    machine = gaussian(2, 3)
    found = annealed(machine, means, steps=60, chains=200, generator=seeded())
    assert abs(found.log_partition - float(log_partition(machine))) < 4 * found.error + 1e-6
    assert found.error < 0.3


def test_many_steps_of_chains_are_the_gradient():
    data = torch.randn(4000, 2, generator=seeded(), dtype=torch.float64)
    gradients = []
    for objective in (Exact(), Contrastive(40)):
        machine = gaussian(2, 2).requires_grad_(True)
        (objective.loss(machine, data, (), seeded(1))[0] / 4000).backward()
        gradients.append(torch.cat([one.grad.flatten() for one in machine.parameters()]))
    assert (gradients[0] - gradients[1]).abs().max() < 0.12
    assert gradients[0].abs().max() > 0.5


def test_it_learns_two_heaps_of_numbers():
    heaps = torch.randn(200, 1, generator=seeded()) * 0.5
    heaps[::2] += 2
    heaps[1::2] -= 2
    torch.manual_seed(0)
    machine = GaussianBoltzmannMachine(1, 2, 0.5)
    task = EnergyTask({"train": heaps}, Exact(), 200)
    before = float(task.evaluate(machine, "train")["loss"].mean)
    optimizer = torch.optim.Adam(machine.parameters(), lr=0.1)
    for _ in range(150):
        optimizer.zero_grad()
        (task.loss(machine, heaps, (), seeded()).loss_sum / 200).backward()
        optimizer.step()
    after = float(task.evaluate(machine, "train")["loss"].mean)
    entropy = math.log(2) + 0.5 * math.log(2 * math.pi * math.e * 0.25)
    assert before > entropy + 1
    assert after < entropy + 0.3


def test_a_machine_takes_over_the_spread_of_another():
    machine, other = GaussianBoltzmannMachine(2, 1), gaussian(2, 1, torch.tensor([0.5, 2.0]))
    machine.load_state_dict(other.state_dict())
    assert machine.spread.tolist() == [0.5, 2.0]


def test_rows_of_any_number_of_axes():
    machine, rows = gaussian(2, 3), torch.randn(4, 5, 2)
    for part in (machine.hidden_field, machine.free_energy):
        found = part(rows)
        torch.testing.assert_close(found, torch.stack([part(some) for some in rows]))
        torch.testing.assert_close(part(rows[0, 0]), found[0, 0])


@pytest.mark.usefixtures("shapes_unchecked")
def test_what_cannot_be_is_refused():
    machine = gaussian(2, 3)
    for build, said in (
        (lambda: GaussianBoltzmannMachine(2, 1, 0.0), "expected a finite number above 0"),
        (lambda: GaussianBoltzmannMachine(2, 1, torch.ones(3)), "or 2 of them"),
        (lambda: GaussianBoltzmannMachine(2, 1, math.inf), "expected a finite number above 0"),
        (lambda: GaussianBoltzmannMachine(2, 1, torch.tensor([1, math.inf])), "or 2 of them"),
        (lambda: GaussianBoltzmannMachine(2, 1, torch.tensor([1.0, 0.0])), "or 2 of them"),
        (lambda: machine.free_energy(torch.full((3, 2), math.nan)), "is NaN or infinite"),
        (lambda: machine.free_energy(torch.ones(3, 4)), r"expected rows of 2 finite numbers"),
        (lambda: pseudo_log_likelihood(machine, torch.ones(3, 2)), "cannot be turned"),
        (lambda: log_partition(gaussian(1, 21)), "expected 20 at most"),
    ):
        with pytest.raises(ValueError, match=said):
            build()
    with pytest.raises(TypeError, match="expected a RestrictedBoltzmannMachine"):
        Updates(machine, torch.ones(3, 2), 2)

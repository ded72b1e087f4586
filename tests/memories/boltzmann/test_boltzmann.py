"""Boltzmann machines against all of their states: energies, gradients, samples, estimates."""

import math

import pytest
import torch
from torch.testing import assert_close

from memnets.memories.boltzmann import (
    BoltzmannMachine,
    RestrictedBoltzmannMachine,
    all_states,
    annealed,
    log_likelihood,
    log_partition,
    mean_field,
    moments,
    pseudo_log_likelihood,
)
from memnets.memories.hopfield import Asynchronous, HopfieldNetwork, random_patterns
from memnets.tasks.energies import Contrastive, Exact, Persistent, PseudoLikelihood


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def general(visible=4, hidden=2, units="signs", temperature=1.0, size=0.6):
    machine = BoltzmannMachine(visible, hidden, units, temperature).double()
    total = visible + hidden
    with torch.no_grad():
        machine.couplings.copy_(size * torch.randn(total, total, generator=seeded(1)))
        machine.bias.copy_(0.4 * torch.randn(total, generator=seeded(2)))
    return machine


def restricted(visible=5, hidden=3, size=0.9):
    machine = RestrictedBoltzmannMachine(visible, hidden).double()
    with torch.no_grad():
        machine.weight.copy_(size * torch.randn(visible, hidden, generator=seeded(1)))
        machine.visible_bias.copy_(0.4 * torch.randn(visible, generator=seeded(2)))
        machine.hidden_bias.copy_(0.4 * torch.randn(hidden, generator=seeded(3)))
    return machine


def exactly(machine):
    return float(log_partition(machine).detach())


def rows(count, dim, units="bits"):
    bits = torch.randint(0, 2, (count, dim), generator=seeded(4)).double()
    return bits if units == "bits" else 2 * bits - 1


KINDS = [("signs", 1.0), ("bits", 1.0), ("signs", 1.7), ("bits", 0.6)]


def test_energies_are_those_of_loops():
    machine, states = general(3, 2), rows(4, 5, "signs")
    weights, bias = machine.weights.tolist(), machine.bias.tolist()
    for state, energy in zip(states.tolist(), machine.energy(states).tolist(), strict=True):
        pairs = sum(weights[i][j] * state[i] * state[j] for i in range(5) for j in range(i))
        assert energy == pytest.approx(-pairs - sum(map(math.prod, zip(bias, state, strict=True))))


def test_both_kinds_of_units_are_one_machine():
    machine = general(temperature=1.3)
    bits, signs = all_states(6), all_states(6, "signs")
    chances = [
        torch.softmax(-one.chain_cost(states), 0)
        for one, states in ((machine, signs), (machine.as_bits(), bits))
    ]
    assert_close(chances[0], chances[1])


@pytest.mark.parametrize(("units", "temperature"), KINDS)
def test_the_gradient_is_the_difference_of_two_means(units, temperature):
    machine = general(5, 0, units, temperature)
    data = rows(20, 5, units)
    Exact().loss(machine, data, (), seeded())[0].backward()
    own = moments(machine)
    wanted = -(data.mT @ data - 20 * own.products) / temperature
    assert_close(machine.couplings.grad, wanted.triu(1))
    assert_close(machine.bias.grad, -(data.sum(0) - 20 * own.mean) / temperature)


@pytest.mark.parametrize("machine", [general(3, 2), restricted(4, 3)])
def test_the_gradient_with_hidden_units_is_that_of_small_differences(machine):
    data = rows(3, machine.visible, "signs" if isinstance(machine, BoltzmannMachine) else "bits")
    log_likelihood(machine, data).sum().backward()
    for parameter in machine.parameters():
        place = (0, 1)[: parameter.ndim]
        ends = []
        for change in (1e-5, -2e-5):
            with torch.no_grad():
                parameter[place] += change
                ends.append(float(log_likelihood(machine, data).sum()))
        with torch.no_grad():
            parameter[place] += 1e-5
        expected = (ends[0] - ends[1]) / 2e-5
        assert float(parameter.grad[place]) == pytest.approx(expected, rel=1e-5, abs=1e-8)


def test_the_restricted_machine_is_a_general_one():
    machine = restricted()
    whole = machine.as_general()
    visible = all_states(5)
    hidden = all_states(3)
    summed = torch.stack(
        [torch.logsumexp(-machine.energy(v.expand(8, -1), hidden), 0) for v in visible]
    )
    assert_close(-machine.free_energy(visible), summed)
    assert_close(log_partition(machine), log_partition(whole))
    turned = restricted(3, 5)  # by the other side
    assert_close(log_partition(turned), torch.logsumexp(-turned.free_energy(all_states(3)), 0))
    assert_close(log_likelihood(machine, visible), log_likelihood(whole, visible))
    assert_close(log_likelihood(machine, visible).exp().sum(), torch.tensor(1.0).double())


@pytest.mark.parametrize(("units", "temperature"), KINDS)
def test_samples_are_as_likely_as_they_should_be(units, temperature):
    machine = general(3, 2, units, temperature, size=0.4)
    chain = machine.sample(machine.random_chain(4000, seeded()), 20, seeded(1))
    own = moments(machine)
    error = ((1 - own.mean**2) if units == "signs" else own.mean * (1 - own.mean)) / 4000
    assert ((chain.mean(0) - own.mean).abs() < 4 * error.sqrt()).all()
    products = chain.mT @ chain / 4000
    assert ((products - own.products).abs() < 4 / 4000**0.5).all()


def test_all_units_at_once_are_another_distribution():
    """What the check of samples must see: the one above fails on a wrong sampler."""
    machine = general(2, 0, size=2.0)
    with torch.no_grad():
        machine.couplings[0, 1], machine.bias[:] = 2.0, 0.0
    chain = machine.random_chain(4000, seeded())
    generator = seeded(1)
    for _ in range(12):
        chain = machine._drawn(machine.field(chain), generator)
    wanted = moments(machine).products[0, 1]
    assert (chain[:, 0] * chain[:, 1]).mean() < wanted - 0.3
    right = machine.sample(machine.random_chain(4000, seeded()), 12, seeded(1))
    assert (right[:, 0] * right[:, 1]).mean() == pytest.approx(float(wanted), abs=0.05)


def test_restricted_samples_are_as_likely_as_they_should_be():
    machine = restricted()
    chain = machine.sample(machine.random_chain(4000, seeded()), 20, seeded(1))
    chance = log_likelihood(machine, all_states(5)).exp()
    wanted = chance @ all_states(5)
    assert ((chain.mean(0) - wanted).abs() < 4 * (wanted * (1 - wanted) / 4000).sqrt()).all()


def test_near_zero_temperature_units_move_as_hopfields():
    machine = general(9, 0, temperature=1e-3)
    network = HopfieldNetwork(machine.weights.detach(), machine.bias.detach())
    cues = random_patterns(20, 9, seeded())
    one = machine.step(cues.double(), seeded(1))
    assert torch.equal(one.to(torch.int8), Asynchronous(sweeps=1).recall(network, cues).states)


@pytest.mark.parametrize("machine", [restricted(6, 4), general(4, 3), general(4, 2, "bits", 1.5)])
def test_annealing_comes_to_the_exact_value(machine):
    exact = exactly(machine)
    for seed in range(2):
        found = annealed(machine, steps=40, chains=200, generator=seeded(seed))
        assert abs(found.log_partition - exact) < 4 * found.error + 1e-6
        assert 1 <= found.effective <= 200.01
        assert found.error < 0.2


def test_annealing_of_units_that_are_independent_is_exact():
    for machine in (general(4, 2, size=0.0), restricted(size=0.0)):
        rates = torch.sigmoid(torch.randn(machine.visible, generator=seeded())).double()
        found = annealed(machine, rates, steps=1, chains=5, generator=seeded())
        assert found.effective <= 5.001
        wide = annealed(machine, rates, steps=20, chains=300, generator=seeded())
        assert abs(wide.log_partition - exactly(machine)) < 4 * wide.error + 1e-6
    machine = restricted(size=0.0)
    with torch.no_grad():
        machine.hidden_bias.zero_()
    own = torch.sigmoid(machine.visible_bias)
    found = annealed(machine, own, steps=1, chains=5, generator=seeded())
    assert found.log_partition == pytest.approx(exactly(machine), abs=1e-9)
    assert found.error == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("machine", [general(5, 0), general(5, 0, "bits", 1.4), restricted()])
def test_the_pseudo_likelihood_is_each_units_chance(machine):
    units = machine.units if isinstance(machine, BoltzmannMachine) else "bits"
    data = rows(3, 5, units)
    total = torch.zeros(3).double()
    for i in range(5):
        turned = data.clone()
        turned[:, i] = (1 - data if units == "bits" else -data)[:, i]
        both = torch.stack((log_likelihood(machine, data), log_likelihood(machine, turned)))
        total += both[0] - torch.logsumexp(both, 0)
    assert_close(pseudo_log_likelihood(machine, data), total)


@pytest.mark.parametrize(("units", "temperature"), KINDS)
def test_the_mean_field_bounds_from_below(units, temperature):
    machine = general(4, 2, units, temperature)
    found = mean_field(machine)
    assert found.log_partition <= exactly(machine)
    chance = machine.chance(machine.field(found.mean))
    assert_close(found.mean, 2 * chance - 1 if units == "signs" else chance)
    alone = general(4, 2, units, temperature, size=0.0)
    assert mean_field(alone).log_partition == pytest.approx(exactly(alone))


def test_contrastive_divergence_of_many_steps_is_the_gradient():
    data = rows(2000, 4)
    gradients = {}
    for name, objective in (("exact", Exact()), ("many", Contrastive(60)), ("one", Contrastive(1))):
        machine = restricted(4, 3, size=1.5)
        (objective.loss(machine, data, (), seeded())[0] / 2000).backward()
        gradients[name] = machine.weight.grad
    assert (gradients["many"] - gradients["exact"]).abs().max() < 0.05
    assert (gradients["one"] - gradients["exact"]).abs().max() > 0.05


def test_persistent_chains_go_on():
    machine, data = restricted(4, 3), rows(10, 4)
    objective = Persistent(machine.random_chain(6, seeded()), 2)
    state = objective.start()
    loss, after = objective.loss(machine, data, state, seeded(1))
    assert torch.equal(after.states, machine.sample(state.states, 2, seeded(1)))
    assert_close(
        loss, machine.free_energy(data).sum() - 10 * machine.free_energy(after.states).mean()
    )


@pytest.mark.usefixtures("shapes_unchecked")
def test_what_cannot_be_is_refused():
    for build, said in (
        (lambda: BoltzmannMachine(3, units="spins"), "expected signs or bits"),
        (lambda: log_partition(general(21, 0)), "21 units came, expected 20 at most"),
        (lambda: pseudo_log_likelihood(general(3, 2), rows(2, 3)), "with hidden units no unit's"),
        (lambda: Persistent(torch.zeros(0, 3)), "with one chain at least"),
        (lambda: annealed(restricted(), chains=1), "expected at least 2"),
    ):
        with pytest.raises(ValueError, match=said):
            build()
    assert isinstance(PseudoLikelihood().start(), tuple)


def test_hidden_units_start_by_their_own_biases(monkeypatch):
    machine = general(visible=3, hidden=3)
    monkeypatch.setattr(machine, "HOLDING", 0)
    with torch.no_grad():
        machine.bias.copy_(torch.tensor([50.0] * 3 + [-50.0] * 3))
    data = rows(2, 3, "signs")
    chain = machine.chain_at(data, seeded())
    assert_close(chain, torch.cat((data, -torch.ones(2, 3, dtype=data.dtype)), 1))

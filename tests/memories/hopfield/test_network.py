"""The network and its rules: exact fields and energies, what is refused, what rules do."""

import pytest
import torch
from torch.testing import assert_close

from memnets.memories.boltzmann import BoltzmannMachine
from memnets.memories.hopfield import (
    BoltzmannChains,
    BoltzmannRule,
    Hebb,
    HopfieldNetwork,
    PseudoInverse,
    Storkey,
    flipped,
    random_patterns,
)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def couplings(dim, low=-9, high=9, seed=0):
    weights = torch.randint(low, high + 1, (dim, dim), generator=seeded(seed)).triu(1)
    return weights + weights.mT


def by_loops(weights, bias, state):
    energy = 0
    for i in range(len(state)):
        energy -= bias[i] * state[i]
        for j in range(i):
            energy -= weights[i][j] * state[i] * state[j]
    return energy


def test_energies_and_fields_are_whole_and_those_of_loops():
    weights, bias = couplings(11), torch.arange(11) - 5
    network = HopfieldNetwork(weights, bias)
    states = random_patterns(7, 11, seeded())
    assert network.exact
    assert network.energy(states).dtype == torch.int64
    loops = [by_loops(weights.tolist(), bias.tolist(), state) for state in states.tolist()]
    assert network.energy(states).tolist() == loops
    assert torch.equal(network.field(states), (states.long() @ weights + bias).int())
    other = HopfieldNetwork(weights / 8 + 0.0, bias / 3)
    assert not other.exact
    expected = [by_loops((weights / 8).tolist(), (bias / 3).tolist(), s) for s in states.tolist()]
    assert_close(other.energy(states), torch.tensor(expected, dtype=torch.float64))


def test_fields_stay_exact_where_float32_is_not():
    dim = 700
    weights = couplings(dim, -32767, 32767)
    states = random_patterns(3, dim, seeded(1))
    expected = states.long() @ weights
    assert int(expected.abs().max()) > 0
    network = HopfieldNetwork(weights)
    assert network.exact
    assert torch.equal(network.field(states).long(), expected)


def test_hebb_is_its_formula_and_factors_change_nothing():
    patterns = random_patterns(5, 23, seeded())
    network = Hebb().learn(patterns)
    wide = patterns.long()
    expected = (wide.mT @ wide).fill_diagonal_(0)
    assert torch.equal(network.weights.long(), expected)
    assert network.scale == 23
    assert network.factors.pay
    states = random_patterns(7, 23, seeded(1))
    plain = HopfieldNetwork(network.weights, scale=23)
    assert torch.equal(network.field(states), plain.field(states))
    assert torch.equal(network.energy(states), plain.energy(states))


def test_what_hebb_forgets_was_never_there():
    old, new = random_patterns(5, 23, seeded()), random_patterns(3, 23, seeded(1))
    network = Hebb().learn(old)
    both = Hebb().store(network, new)
    assert torch.equal(both.weights, Hebb().learn(torch.cat((new, old))).weights)
    assert torch.equal(both.factors.patterns, torch.cat((old, new)))
    assert torch.equal(Hebb().forget(both, new).weights, network.weights)


def test_what_is_stored_after_forgetting_stands_beside_the_rest():
    old, new = random_patterns(5, 23, seeded()), random_patterns(3, 23, seeded(1))
    left = Hebb().store(Hebb().forget(Hebb().learn(old), old[:2]), new)
    plain = Hebb().learn(torch.cat((old[2:], new)))
    states = random_patterns(7, 23, seeded(2))
    assert torch.equal(left.field(states), plain.field(states))
    assert torch.equal(left.weights, plain.weights)


def test_storkey_is_its_double_loop_and_its_order_matters():
    patterns = random_patterns(4, 7, seeded())
    weights = torch.zeros(7, 7, dtype=torch.float64)
    for x in patterns.double():
        old = weights.clone()
        for i in range(7):
            for j in range(7):
                if i == j:
                    continue
                h_ij = sum(old[i, k] * x[k] for k in range(7) if k not in (i, j))
                h_ji = sum(old[j, k] * x[k] for k in range(7) if k not in (i, j))
                weights[i, j] += (x[i] * x[j] - x[i] * h_ji - h_ij * x[j]) / 7
    assert_close(Storkey().learn(patterns).weights, weights)
    other = Storkey().learn(patterns.flip(0)).weights
    assert not torch.allclose(other, weights)


def test_pseudo_inverse_projects_and_its_patterns_are_stable():
    patterns = random_patterns(9, 23, seeded())
    network = PseudoInverse().learn(patterns)
    x = patterns.double()
    projection = torch.linalg.pinv(x) @ x
    assert_close(x @ projection, x)
    assert_close(network.weights, projection - projection.diag().diag())
    assert network.is_stable(patterns).all()
    assert network.is_stable(-patterns).all()


@pytest.mark.parametrize(
    "rule", [Hebb(), Storkey(), PseudoInverse(), BoltzmannRule(60), BoltzmannChains(5)]
)
def test_equal_patterns_are_one_memory(rule):
    pattern = random_patterns(1, 23, seeded())
    network = rule.learn(pattern.expand(6, -1))
    assert network.is_stable(pattern).all()
    cue = flipped(pattern, 0.2, seeded(1))
    assert torch.equal(network.field(cue).sign().to(torch.int8), pattern)


def test_more_patterns_than_neurons():
    patterns = random_patterns(40, 11, seeded())
    assert Hebb().learn(patterns).exact
    with pytest.raises(ValueError, match=r"40 patterns span all 11 neurons \(rank 11\)"):
        PseudoInverse().learn(patterns)
    same = patterns[:3].repeat(20, 1)  # as many rows, of rank 3
    assert PseudoInverse().learn(same).is_stable(patterns[:3]).all()


def test_likely_patterns_are_stable_beyond_what_hebb_holds():
    patterns = random_patterns(20, 23, seeded())
    assert BoltzmannRule(updates=100).learn(patterns).is_stable(patterns).all()
    assert Hebb().learn(patterns).is_stable(patterns).float().mean() < 0.2
    held = BoltzmannRule(updates=5).learn(patterns, torch.arange(23) - 11)
    assert torch.equal(held.bias, torch.arange(23).double() - 11)


def test_chains_learn_the_difference_of_two_means():
    patterns = random_patterns(4, 11, seeded()).float()
    bias = torch.linspace(-1, 1, 11)
    rule = BoltzmannChains(updates=2, rate=0.3, chains=7, seed=5)
    drawn, generator = BoltzmannMachine(11), seeded(5)
    drawn.couplings.data.zero_()
    drawn.bias.data.copy_(bias)
    states = drawn.random_chain(7, generator)
    for _ in range(2):
        states = drawn.step(states, generator)
        for i in range(11):
            for j in range(i + 1, 11):
                held = (patterns[:, i] * patterns[:, j]).mean()
                free = (states[:, i] * states[:, j]).mean()
                drawn.couplings.data[i, j] += 0.3 * (held - free)
    network = rule.learn(patterns, bias)
    assert_close(network.weights, drawn.weights.double(), check_dtype=False, rtol=1e-5, atol=1e-6)
    assert_close(network.bias, bias.double(), check_dtype=False)
    again = BoltzmannChains(updates=2, rate=0.3, chains=7, seed=6).learn(patterns, bias)
    assert not torch.equal(again.weights, network.weights)


def test_chains_come_to_hold_what_hebb_does_not():
    patterns = random_patterns(12, 60, seeded())
    assert not Hebb().learn(patterns).is_stable(patterns).all()
    assert BoltzmannChains().learn(patterns).is_stable(patterns).all()


def test_a_field_of_zero_holds_nobody():
    network = HopfieldNetwork(torch.zeros(3, 3))
    assert network.is_stable(random_patterns(5, 3, seeded())).all()


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: HopfieldNetwork(torch.ones(2, 3)), r"shape \(2, 3\) came, expected a square"),
        (lambda: HopfieldNetwork(torch.eye(3)), "diagonal is not zero"),
        (
            lambda: HopfieldNetwork(torch.tensor([[0.0, 2.0], [1.0, 0.0]])),
            "weight from 0 to 1 is 2.0, the one back is 1.0",
        ),
        (lambda: HopfieldNetwork(torch.full((2, 2), torch.nan)), "NaN or infinity came"),
        (lambda: HopfieldNetwork(couplings(3), torch.zeros(2)), r"bias=...\): shape \(2,\) came"),
        (lambda: Hebb().learn(torch.tensor([[1, 0, -1]])), r"0 came, .* Pass 2 \* bits - 1"),
        (lambda: Hebb().learn(torch.tensor([[1.0, 0.5]])), "0.5 came, expected numbers that are"),
        (lambda: Hebb().learn(torch.ones(0, 3)), r"patterns of shape \(0, 3\) came"),
        (lambda: Storkey().learn(torch.ones(3)), "pass pattern.unsqueeze"),
        (
            lambda: HopfieldNetwork(couplings(3)).energy(torch.ones(2, 4)),
            r"shape \(2, 4\) came, expected rows of 3 numbers",
        ),
        (
            lambda: Hebb().store(HopfieldNetwork(couplings(3)), torch.ones(1, 3)),
            "a network of scale 1 came, expected 3",
        ),
        (lambda: flipped(torch.ones(2, 3), 1.5), r"flipped\(share=1.5\): expected a share"),
    ],
)
@pytest.mark.usefixtures("shapes_unchecked")
def test_what_cannot_be_is_refused(build, said):
    with pytest.raises(ValueError, match=said):
        build()


def test_as_many_are_flipped_in_every_row():
    rows = random_patterns(9, 30, seeded())
    assert ((flipped(rows, 0.2, seeded(1)) != rows).sum(1) == 6).all()
    assert torch.equal(flipped(rows, 0.0), rows)
    assert torch.equal(flipped(rows, 1.0), -rows)

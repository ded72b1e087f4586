"""How states move: energies that fall, where they end, fast and plain ways alike."""

from itertools import pairwise

import pytest
import torch

from memnets.memories.hopfield import (
    Asynchronous,
    Hebb,
    HopfieldNetwork,
    PseudoInverse,
    Synchronous,
    attractors,
    falls,
    flipped,
    random_patterns,
    two_step_energy,
)
from memnets.memories.hopfield import dynamics as dynamics_module
from memnets.memories.hopfield.attractors import numbers_of, states_of
from memnets.native import PLAIN
from memnets.ops.flips import sweep


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def couplings(dim, seed=0):
    """Small whole numbers, so that many fields are zero."""
    weights = torch.randint(-2, 3, (dim, dim), generator=seeded(seed)).triu(1)
    return weights + weights.mT


def one_by_one(network, state, orders):
    """Move a state in Python, and check every flip on the way: the oracle of the sweeps."""
    state, weights, bias = state.long(), network.weights.long(), network.bias.long()
    flips = 0
    for order in orders:
        turned = 0
        for i in order.tolist():
            field = int(weights[i] @ state + bias[i])
            if field * int(state[i]) < 0:
                before = int(network.energy(state))
                state[i] = -state[i]
                assert int(network.energy(state)) == before - 2 * abs(field)
                turned += 1
        flips += turned
        if not turned:
            break
    return state, flips


@pytest.fixture(params=["native", "plain"])
def way(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setenv(PLAIN, "1")


@pytest.mark.parametrize("seed", [None, 3])
def test_every_flip_lowers_the_energy_by_twice_its_field(way, seed):
    network = HopfieldNetwork(couplings(67), torch.arange(67) % 5 - 2)
    cues = random_patterns(2, 67, seeded(1))
    dynamics = Asynchronous(seed)
    found = dynamics.recall(network, cues)
    orders = dynamics._orders(67, 0, 30)
    orders = orders if seed is not None else orders.expand(30, -1)
    for row, cue in enumerate(cues):
        state, flips = one_by_one(network, cue, orders)
        assert torch.equal(found.states[row].long(), state)
        assert int(found.flips[row]) == flips
    assert (found.period == 1).all()
    assert network.is_stable(found.states).all()
    assert torch.equal(found.energies[:, -1], network.energy(found.states))
    assert torch.equal(found.energies[:, 0], network.energy(cues))
    assert (found.energies.diff(dim=1) <= 0).all()


def test_no_two_seeds_visit_the_neurons_in_an_order_of_the_other():
    orders = [{*map(tuple, Asynchronous(seed)._orders(40, 0, 9).tolist())} for seed in range(4)]
    assert len(set.union(*orders)) == 4 * 9
    again = Asynchronous(2)._orders(40, 4, 2)
    assert torch.equal(again, Asynchronous(2)._orders(40, 0, 9)[4:6])  # whatever was visited before


def test_a_batch_is_its_rows_by_themselves_however_many_threads():
    network = Hebb().learn(random_patterns(9, 61, seeded()))
    cues = random_patterns(7, 61, seeded(1))
    for dynamics in (Asynchronous(), Asynchronous(5), Synchronous()):
        whole = dynamics.recall(network, cues)
        for row in range(7):
            alone = dynamics.recall(network, cues[row : row + 1])
            assert torch.equal(alone.states[0], whole.states[row])
            assert int(alone.steps[0]) == int(whole.steps[row])
            assert int(alone.period[0]) == int(whole.period[row])
            assert torch.equal(alone.energies[0, -1], whole.energies[row, -1])


@pytest.mark.parametrize("seed", [None, 3])
def test_rows_at_rest_wait_for_those_that_are_moving(seed, monkeypatch):
    network = HopfieldNetwork(couplings(70))
    rows = [*flipped(random_patterns(9, 70, seeded()), 0.5, seeded(1))]
    rows[4] = Asynchronous().recall(network, rows[4][None]).states[0]  # at rest already
    whole = Asynchronous(seed).recall(network, torch.stack(rows))
    assert whole.steps.min() == 0
    assert len(set(whole.steps.tolist())) > 2
    monkeypatch.setattr(dynamics_module, "AT_ONCE", 1)
    parts = Asynchronous(seed).recall(network, torch.stack(rows))
    for one, other in zip(whole, parts, strict=True):
        assert torch.equal(one, other)


IN_TURN = torch.arange(130)
ORDERS = {
    "in turn": IN_TURN[None],
    "drawn": torch.randperm(130, generator=seeded(2))[None],
    "but for two": torch.cat((IN_TURN[:70], IN_TURN[[71, 70]], IN_TURN[72:]))[None],
    "two sweeps": torch.stack((IN_TURN, IN_TURN.flip(0))),
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_both_ways_go_through_the_same_states(order, monkeypatch):
    network = HopfieldNetwork(couplings(130))
    cues = random_patterns(6, 130, seeded(1))
    inputs = network.weights, network.pull(cues), cues, order, 9
    fast = sweep(*inputs)
    monkeypatch.setenv(PLAIN, "1")
    for one, other in zip(fast, sweep(*inputs), strict=True):
        assert torch.equal(one, other)
    weights = torch.randn(130, 130, dtype=torch.float64, generator=seeded(3)).triu(1)
    weights += weights.mT.clone()  # no ties, which rounding would decide
    real = weights, cues.double() @ weights, cues, order, 9
    plain = sweep(*real)
    monkeypatch.delenv(PLAIN)
    fast = sweep(*real)
    assert torch.equal(fast.flips, plain.flips)
    torch.testing.assert_close(fast.drops, plain.drops)


def test_a_fall_is_told_flip_by_flip_with_the_energy_of_each_state():
    network = Hebb().learn(random_patterns(3, 20, seeded()), torch.arange(20) % 3 - 1)
    cue = random_patterns(1, 20, seeded(5))
    states, energies = zip(*falls(network, cue[0]), strict=True)
    assert len(states) > 4
    for one, other in pairwise(states):
        assert (one != other).sum() == 1
    assert energies == pytest.approx(network.energy(torch.stack(states)).tolist())
    assert torch.equal(states[0], cue[0])
    assert torch.equal(states[-1], Asynchronous().recall(network, cue).states[0])


def test_all_at_once_the_energy_of_two_steps_never_rises():
    network = Hebb().learn(random_patterns(9, 40, seeded()), torch.arange(40) % 3 - 1)
    state = random_patterns(20, 40, seeded(1))
    one = Synchronous(1)
    before, energies = state, []
    for _ in range(30):
        now = one.recall(network, before).states
        energies.append(two_step_energy(network, before, now))
        before = now
    changes = torch.stack(energies, 1).diff(dim=1)
    assert changes.dtype == torch.int64
    assert (changes <= 0).all()
    found = Synchronous().recall(network, state)
    again = one.recall(network, found.states).states
    fixed, cycle = found.period == 1, found.period == 2
    assert fixed.any()
    assert cycle.any()
    assert (fixed | cycle).all()
    assert torch.equal(again[fixed], found.states[fixed])
    assert (again[cycle] != found.states[cycle]).any(1).all()
    assert torch.equal(one.recall(network, again).states, found.states)


@pytest.mark.parametrize("most", [1, 2, 1000])
def test_all_at_once_is_what_loops_do(most):
    """Rows at rest, rows of several steps, and rows that go to and fro, each by itself."""
    network = HopfieldNetwork(couplings(12), torch.arange(12) % 3 - 1)
    cues = random_patterns(30, 12, seeded(4))
    cues[0] = Asynchronous().recall(network, cues[:1]).states[0]
    found = Synchronous(most).recall(network, cues)
    for row, cue in enumerate(cues.long()):
        path, period = [cue], 0
        while len(path) <= most and not period:
            field = network.weights.long() @ path[-1] + network.bias.long()
            path.append(torch.where(field == 0, path[-1], field.sign()))
            if torch.equal(path[-1], path[-2]):
                period = 1
            elif len(path) > 2 and torch.equal(path[-1], path[-3]):
                period = 2
        turned = [int((one != other).sum()) for one, other in pairwise(path)]
        assert (int(found.period[row]), int(found.flips[row])) == (period, sum(turned))
        assert int(found.steps[row]) == sum(map(bool, turned))
        assert torch.equal(found.states[row].long(), path[-1])
        energies = [int(network.energy(one)) for one in path]
        energies += energies[-1:] * (found.energies.shape[1] - len(energies))
        assert found.energies[row].tolist() == energies
    if most == 1000:
        assert {*found.period.tolist()} == {1, 2}
        assert 0 in found.steps


def test_two_neurons_that_disagree():
    network = HopfieldNetwork(torch.tensor([[0, -1], [-1, 0]]))
    cue = torch.ones(1, 2)
    assert Synchronous().recall(network, cue).period.tolist() == [2]
    found = Asynchronous().recall(network, cue)
    assert found.period.tolist() == [1]
    assert found.states.tolist() == [[-1, 1]]


def test_rows_that_are_given_up_say_so():
    network = Hebb().learn(random_patterns(9, 61, seeded()))
    cues = random_patterns(7, 61, seeded(1))
    assert 0 in Asynchronous(sweeps=1).recall(network, cues).period
    assert 0 in Synchronous(most=1).recall(network, cues).period


def test_patterns_are_recalled_from_a_part():
    patterns = random_patterns(5, 100, seeded())
    cues = flipped(patterns, 0.1, seeded(1))
    for dynamics in (Asynchronous(), Asynchronous(7), Synchronous()):
        found = dynamics.recall(Hebb().learn(patterns), cues)
        assert torch.equal(found.states, patterns)


@pytest.mark.parametrize("dynamics", [Asynchronous(), Asynchronous(3), Synchronous()])
def test_turning_a_neurons_sign_everywhere_changes_nothing(dynamics):
    patterns = random_patterns(12, 41, seeded())
    cues = random_patterns(9, 41, seeded(1))
    gauge = random_patterns(1, 41, seeded(2))
    found = dynamics.recall(Hebb().learn(patterns), cues)
    turned = dynamics.recall(Hebb().learn(patterns * gauge), cues * gauge)
    assert torch.equal(turned.states, found.states * gauge)
    assert torch.equal(turned.energies, found.energies)
    assert torch.equal(turned.steps, found.steps)


def test_the_attractors_are_the_stable_states_and_their_basins_are_everything():
    network = HopfieldNetwork(couplings(9), torch.arange(9) % 3 - 1)
    every = states_of(torch.arange(2**9), 9)
    assert torch.equal(numbers_of(every), torch.arange(2**9))
    found = attractors(network)
    stable = every[network.is_stable(every)]
    assert {tuple(s) for s in found.states.tolist()} == {tuple(s) for s in stable.tolist()}
    assert int(found.basin.sum()) == 2**9
    assert found.basin.tolist() == sorted(found.basin.tolist(), reverse=True)
    assert torch.equal(found.energies, network.energy(found.states))
    at_once = attractors(network, Synchronous())
    assert int(at_once.basin.sum()) + at_once.elsewhere == 2**9
    with pytest.raises(ValueError, match="21 neurons came, expected 20 at most"):
        attractors(HopfieldNetwork(torch.zeros(21, 21)))


def test_a_stored_pattern_and_its_negative_are_stable_alike():
    patterns = random_patterns(3, 15, seeded())
    for rule in (Hebb(), PseudoInverse()):
        network = rule.learn(patterns)
        assert torch.equal(network.is_stable(patterns), network.is_stable(-patterns))


def test_a_cue_of_other_numbers_is_refused():
    network = HopfieldNetwork(couplings(3))
    with pytest.raises(ValueError, match="0 came, expected numbers that are 1 or -1"):
        Asynchronous().recall(network, torch.zeros(1, 3))
    with pytest.raises(ValueError, match=r"Asynchronous\(sweeps=0\): expected at least 1"):
        Asynchronous(sweeps=0)

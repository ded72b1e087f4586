"""The neural cache: by loops, at its limits, and blind for what is to come."""

import math

import pytest
import torch
from torch.testing import assert_close

from memnets.studies.language.neural_cache import Grid, find_matches, join, mix, read_cache, tune

TIME, DIM, VOCAB = 601, 3, 5
FLATNESS = (0.0, 0.4)


@pytest.fixture
def read():
    """Return states, the symbols after them, and a model's logits."""
    return torch.randn(TIME, DIM), torch.randint(VOCAB, (TIME,)), torch.randn(TIME, VOCAB)


def chosen(logits, following):
    return logits.log_softmax(-1).gather(-1, following[:, None]).squeeze(-1)


def cached_by_loops(hidden, following, wanted, window, flatness):
    """Return p_cache of the wanted symbols, None where the cache is empty."""
    likeness, found = (flatness * hidden @ hidden.T).tolist(), []
    following, wanted = following.tolist(), wanted.tolist()
    for t in range(len(hidden)):
        slots = range(max(0, t - window), t)
        weight = [math.exp(likeness[t][i]) for i in slots]
        hits = [w for i, w in zip(slots, weight, strict=True) if following[i] == wanted[t]]
        found.append(sum(hits) / sum(weight) if weight else None)
    return found


@pytest.mark.parametrize("window", [1, 7, 256, 700])
@pytest.mark.parametrize("flatness", FLATNESS)
def test_the_cache_is_its_loops(read, window, flatness):
    hidden, following, _ = read
    wanted, whole = find_matches(hidden, following, following, window, (flatness,))
    found = (wanted[0] - whole[0]).exp()
    expected = cached_by_loops(hidden, following, following, window, flatness)
    assert whole[0, 0] == -torch.inf
    assert found[1:].tolist() == pytest.approx(expected[1:], abs=1e-5)


def test_a_flatness_of_zero_counts(read):
    hidden, following, _ = read
    wanted, whole = find_matches(hidden, following, following, 13, (0.0,))
    for t in (1, 5, 13, 14, 300, 600):
        before = following[max(0, t - 13) : t]
        assert float(whole[0, t].exp()) == pytest.approx(len(before))
        assert float(wanted[0, t].exp()) == pytest.approx(float((before == following[t]).sum()))


@pytest.mark.parametrize("flatness", FLATNESS)
def test_probabilities_sum_to_one(read, flatness):
    hidden, following, logits = read
    mixture, joint = torch.zeros(TIME), torch.zeros(TIME)
    for word in range(VOCAB):
        wanted = torch.full((TIME,), word)
        matches = find_matches(hidden, following, wanted, 17, (flatness,))
        log_prob = chosen(logits, wanted)
        cached = (matches.wanted[0], matches.whole[0])
        mixture += mix(log_prob, *cached, 0.3).exp()
        joint += join(log_prob, logits.logsumexp(-1), *cached, -1.0).exp()
    ones = torch.ones(TIME)
    assert_close(mixture, ones, atol=1e-5, rtol=0)
    assert_close(joint, ones, atol=1e-5, rtol=0)


def test_a_share_of_zero_is_the_model_bit_for_bit(read):
    hidden, following, logits = read
    matches = find_matches(hidden, following, following, 17, (0.4,))
    log_prob = chosen(logits, following)
    assert torch.equal(mix(log_prob, matches.wanted[0], matches.whole[0], 0.0), log_prob)


def test_an_empty_cache_leaves_the_model_alone(read):
    hidden, following, logits = read
    matches = find_matches(hidden, following, following, 17, (0.4,))
    log_prob, cached = chosen(logits, following), (matches.wanted[0], matches.whole[0])
    assert mix(log_prob, *cached, 0.9)[0] == log_prob[0]
    assert_close(join(log_prob, logits.logsumexp(-1), *cached, 2.0)[0], log_prob[0])
    assert mix(log_prob, *cached, 0.9).isfinite().all()


def test_a_text_that_repeats_costs_what_copying_costs():
    following = torch.arange(7).repeat(20)
    hidden = 6.0 * torch.nn.functional.one_hot((following - 1) % 7, 7).float()
    matches = find_matches(hidden, following, following, 21, (1.0,))
    uniform = torch.full((140,), -math.log(7))
    cost = -mix(uniform, matches.wanted[0], matches.whole[0], 0.99)
    assert float(cost[7:].max()) < 0.011  # -ln(0.99 + 0.01 / 7)


def test_what_is_further_back_than_the_window_has_no_effect(read):
    hidden, following, _ = read
    before = find_matches(hidden, following, following, 19, FLATNESS)
    hidden, changed = hidden.clone(), following.clone()
    hidden[100], changed[100] = 9.0, (changed[100] + 1) % VOCAB
    after = find_matches(hidden, changed, following, 19, FLATNESS)
    same = (before.whole == after.whole).all(0) & (before.wanted == after.wanted).all(0)
    assert same[:100].all()
    assert not same[119]
    assert same[120:].all()


def test_nothing_is_seen_before_it_comes(read):
    hidden, following, _ = read
    before = find_matches(hidden, following, torch.zeros(TIME).long(), 700, FLATNESS)
    changed, states = following.clone(), hidden.clone()
    changed[300:], states[301:] = (changed[300:] + 1) % VOCAB, 5.0
    after = find_matches(states, changed, torch.zeros(TIME).long(), 700, FLATNESS)
    for one, other in zip(before, after, strict=True):
        assert torch.equal(one[:, :301], other[:, :301])
        assert not torch.equal(one[:, 301:], other[:, 301:])


def test_the_grid_is_searched_whole(read):
    hidden, following, logits = read
    grid = Grid(window=23, flatness=(0.0, 0.1, 2.0), shares=(0.0, 0.4), offsets=(-3.0, 0.0))
    matches = find_matches(hidden, following, following, 23, grid.flatness)
    log_prob, total = chosen(logits, following), logits.logsumexp(-1)
    mixture, joint = tune(log_prob, total, matches, grid)
    cached = dict(zip(grid.flatness, zip(*matches, strict=True), strict=True))
    losses = {
        (flatness, share): float(mix(log_prob, *cached[flatness], share).double().sum())
        for flatness in grid.flatness
        for share in grid.shares
    }
    assert losses[tuple(mixture)] == max(losses.values())
    joined = {
        (flatness, offset): float(join(log_prob, total, *cached[flatness], offset).double().sum())
        for flatness in grid.flatness
        for offset in grid.offsets
    }
    assert joined[tuple(joint)] == max(joined.values())


def test_the_places_are_read_as_they_are_weighed(read):
    hidden, following, _ = read
    weights = read_cache(hidden, 29, 0.4)
    matches = find_matches(hidden, following, following, 29, (0.4,))
    same = following[-30:-1] == following[-1]
    assert_close(weights[same].sum(), (matches.wanted[0, -1] - matches.whole[0, -1]).exp())
    assert_close(weights.sum(), torch.tensor(1.0))


def test_nothing_to_remember_is_refused(read):
    hidden, following, _ = read
    with pytest.raises(ValueError, match="window=0: expected at least 1 step"):
        find_matches(hidden, following, following, 0, FLATNESS)

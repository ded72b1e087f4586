"""Which zones are read: by their logits, and by a draw that follows from row, step and age."""

from itertools import combinations

import pytest
import torch
from torch.testing import assert_close

from memnets.layers.zone_choice import (
    NoZones,
    RandomZones,
    RenormalisedZones,
    TopZones,
    TwiceSoftmaxZones,
)

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
ROWS, STEPS = 7, 250


def drawn(k=2, zones=5, live=5, rows=ROWS, count=STEPS, logits=None):
    """Return the zones that are drawn of `live` ones, those of every row at every step."""
    logits = torch.zeros(rows, zones) if logits is None else logits
    there = (torch.arange(zones) < live).expand(rows, zones)
    choice = RandomZones(k)
    return [choice(logits, there, torch.full((rows,), step)) for step in range(count)]


def indices(*args, **kwargs):
    return torch.stack([chosen.indices for chosen in drawn(*args, **kwargs)]).sort(-1).values


def test_every_set_of_live_zones_is_drawn_as_often_as_the_others():
    """Of 1,750 draws each of ten pairs has 175, give or take four deviations of chance."""
    found = indices(zones=8)
    for pair in combinations(range(5), 2):
        times = int((found == torch.tensor(pair)).all(-1).sum())
        assert abs(times - 175) < 4 * (1750 * 0.1 * 0.9) ** 0.5, pair


def test_a_draw_is_another_in_every_row_and_at_every_step():
    """Two draws of one zone of five agree one time in five, as they would by chance."""
    found = indices(k=1)[..., 0]
    pairs = [(found[:, a], found[:, b]) for a, b in combinations(range(ROWS), 2)]
    pairs += [(found[:-lag], found[lag:]) for lag in (1, 2, 5)]
    for one, other in pairs:
        assert 0.1 < float((one == other).double().mean()) < 0.3


def test_a_draw_does_not_follow_from_the_logits_or_from_spare_zones():
    plain = indices()
    assert torch.equal(plain, indices(logits=torch.randn(ROWS, 5)))
    assert torch.equal(plain, indices(zones=11))
    assert torch.equal(plain[:, :2], indices(rows=2))
    torch.manual_seed(0)
    assert torch.equal(plain, indices())


def test_a_draw_follows_from_the_zone_s_age():
    """So the newest zone's number is the same however many stand before it."""
    logits, count = torch.zeros(ROWS, 5), torch.arange(ROWS)
    ranks = [
        RandomZones(1).rank(logits, (torch.arange(5) < live).expand(ROWS, 5), count)
        for live in (3, 5)
    ]
    assert_close(ranks[0][:, :3], ranks[1][:, 2:])
    assert len(ranks[1].unique()) == ranks[1].numel()


def test_the_draws_are_those_of_the_published_rows():
    """Rows of the tables are made with them: another draw would make others."""
    assert indices(rows=3, count=6).tolist() == [
        [[0, 2], [1, 2], [1, 4]],
        [[1, 3], [2, 4], [1, 4]],
        [[2, 4], [3, 4], [1, 2]],
        [[0, 4], [3, 4], [2, 3]],
        [[0, 3], [1, 3], [0, 1]],
        [[0, 4], [2, 3], [2, 4]],
    ]  # of three rows, step by step


def test_the_weights_are_those_of_the_best():
    """Each drawn zone has what `TopZones` would give it, and one that is not live has none."""
    logits = torch.randn(ROWS, 5).double()
    for live in (1, 3, 5):
        there = (torch.arange(5) < live).expand(ROWS, 5)
        count = torch.full((ROWS,), 17)
        every = TopZones(5)(logits, there, count).spread(5)
        chosen = RandomZones(2)(logits, there, count)
        assert_close(chosen.weights, every.gather(1, chosen.indices))
        assert (chosen.weights > 0).sum(-1).tolist() == [min(live, 2)] * ROWS


# By hand: shares of 1, 2, 2 and 4 parts; a zone that is not live would have had most.

LOGITS, LIVE = (
    torch.tensor([[1.0, 2.0, 2.0, 4.0, 99.0]]).log(),
    torch.tensor([[True] * 4 + [False]]),
)


@pytest.mark.parametrize(
    ("choice", "weights"),
    [
        (TopZones(1), [4 / 9]),
        (TopZones(3), [4 / 9, 2 / 9, 2 / 9]),
        (TopZones(5), [4 / 9, 2 / 9, 2 / 9, 1 / 9, 0]),
        (TopZones(7), [4 / 9, 2 / 9, 2 / 9, 1 / 9, 0]),
        (RenormalisedZones(2), [4 / 6, 2 / 6]),
        (RenormalisedZones(5), [4 / 9, 2 / 9, 2 / 9, 1 / 9, 0]),
        (TwiceSoftmaxZones(1), [1.0]),
        (TwiceSoftmaxZones(2), torch.tensor([4 / 9, 2 / 9]).softmax(0).tolist()),
        (
            TwiceSoftmaxZones(5),
            [*torch.tensor([4 / 9, 2 / 9, 2 / 9, 1 / 9]).softmax(0).tolist(), 0],
        ),
    ],
)
def test_the_weights_of_the_best_by_hand(choice, weights):
    """Best first, of equal ones the newer; and spread over all zones, oldest first."""
    chosen = choice(LOGITS, LIVE, torch.tensor([17]))
    assert_close(chosen.weights, torch.tensor([weights]))
    assert chosen.indices.tolist() == [[3, 2, 1, 0, 4][: len(weights)]]
    expected = torch.zeros(1, 5)
    expected[0, [3, 2, 1, 0, 4][: len(weights)]] = torch.tensor(weights)
    assert_close(chosen.spread(5), expected)


def test_no_zones_are_read_by_none():
    chosen = NoZones()(LOGITS, LIVE, torch.tensor([17]))
    assert chosen.weights.tolist() == [[0.0]]  # as many as there are indices
    assert chosen.indices.shape == (1, 1)
    assert chosen.spread(5).tolist() == [[0.0] * 5]


def test_the_numbers_that_a_draw_follows_from_are_pinned():
    """Shares of 2^31, of row, step and age; worked out in Python's own integers."""

    def by_hand(row, step, age):
        mixed = (row * 73856093 ^ step * 19349663 ^ age * 83492791) & 0x7FFFFFFF
        for _ in range(2):
            mixed = (mixed >> 15 ^ mixed) * 0x2C1B3C6D & 0x7FFFFFFF
        return (mixed >> 13 ^ mixed) / 2**31

    number = torch.arange(4)
    row, step, live = number[:, None] * 7, 100 * number + 1, (number < 3).expand(4, 4)
    ranks = RandomZones(1).rank(torch.zeros(22, 4).double(), live[:1].expand(22, 4), step[:1])
    for one in row.flatten().tolist():
        expected = [by_hand(one, 1, age) for age in (2, 1, 0, -1)]
        assert ranks[one].tolist() == expected


def test_one_zone_alone_is_not_renormalised():
    with pytest.raises(ValueError, match=r"RenormalisedZones\(k=1\).*or use TopZones\(1\)"):
        RenormalisedZones(1)
    with pytest.raises(ValueError, match=r"RenormalisedZones\(k=0\): expected at least 1"):
        RenormalisedZones(0)


# Faults. Each draws in another way; a test above must then fail.


def check():
    test_every_set_of_live_zones_is_drawn_as_often_as_the_others()
    test_a_draw_is_another_in_every_row_and_at_every_step()
    test_a_draw_does_not_follow_from_the_logits_or_from_spare_zones()
    test_a_draw_follows_from_the_zone_s_age()


def always_the_newest(rank, logits, live, count):
    return torch.arange(logits.shape[-1]).expand_as(logits).double()


def never_the_newest(rank, logits, live, count):
    newest = live.sum(-1, keepdim=True) - 1
    return rank(logits, live, count).scatter(1, newest, -1.0)


def never_the_oldest(rank, logits, live, count):
    return torch.cat([-torch.ones(len(logits), 1), rank(logits, live, count)[:, 1:]], 1)


def alike_in_all_rows(rank, logits, live, count):
    return rank(logits, live, count)[:1].expand_as(logits)


def alike_at_all_steps(rank, logits, live, count):
    return rank(logits, live, torch.zeros_like(count))


def by_the_logits(rank, logits, live, count):
    return logits


def by_the_global_generator(rank, logits, live, count):
    return torch.rand_like(logits)


def by_the_number_of_the_zone(rank, logits, live, count):
    return rank(logits, torch.ones_like(live), count)


@pytest.mark.parametrize(
    "fault",
    [
        always_the_newest,
        never_the_newest,
        never_the_oldest,
        alike_in_all_rows,
        alike_at_all_steps,
        by_the_logits,
        by_the_global_generator,
        by_the_number_of_the_zone,
    ],
)
def test_a_fault_is_caught(monkeypatch, fault):
    rank = RandomZones.rank
    monkeypatch.setattr(
        RandomZones, "rank", lambda self, *args: fault(rank.__get__(self), *args).to(args[0].dtype)
    )
    with pytest.raises(AssertionError):
        check()

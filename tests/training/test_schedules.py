"""Rates and generators that recipes share."""

import torch

from memnets.training.schedules import constant, globally_seeded, linear_decay, seeded
from memnets.training.task import fold_in


def test_rates():
    assert [linear_decay(0.4, 4)(update) for update in range(5)] == [0.4, 0.4 * 0.75, 0.2, 0.1, 0.0]
    assert constant(0.3)(7) == 0.3


def test_seeds_give_weights_and_disturb_nobody():
    drawn = torch.rand(3, generator=seeded(5))
    assert drawn.equal(torch.rand(3, generator=fold_in(torch.Generator().manual_seed(5), 0)))
    assert not drawn.equal(torch.rand(3, generator=seeded(5, 1)))
    before = torch.get_rng_state()
    with globally_seeded(5):
        own = torch.rand(3)
    assert own.equal(torch.rand(3, generator=torch.Generator().manual_seed(5)))
    assert torch.get_rng_state().equal(before)

"""Graves' RMSProp against its equations, and gradients cut number by number."""

import math
from copy import deepcopy

import pytest
import torch
from torch import nn

from memnets.training.clipping import EachNumber
from memnets.training.rmsprop import GravesRMSProp


def test_it_follows_its_equations():
    weight = nn.Parameter(torch.tensor([0.5, -1.0]).double())
    unused = nn.Parameter(torch.zeros(3))
    optimizer = GravesRMSProp([weight, unused], lr=0.1, decay=0.9, momentum=0.5, eps=1e-3)
    n, mean, delta, expected = 0.0, 0.0, 0.0, 0.5
    for step in range(5):
        g = math.cos(3 * step)
        weight.grad = torch.tensor([g, 2 * g], dtype=torch.float64)
        optimizer.param_groups[0]["lr"] = rate = 0.1 / (1 + step)  # as the loop sets it
        optimizer.step()
        n, mean = 0.9 * n + 0.1 * g * g, 0.9 * mean + 0.1 * g
        delta = 0.5 * delta - rate * g / math.sqrt(n - mean * mean + 1e-3)
        expected += delta
        assert float(weight.detach()[0]) == pytest.approx(expected, rel=1e-12)
    assert not unused.any()


def test_it_goes_on_from_what_was_saved():
    torch.manual_seed(0)
    weights = [nn.Parameter(torch.ones(3)) for _ in range(2)]
    first = GravesRMSProp([weights[0]])
    for _ in range(3):
        weights[0].grad = torch.randn(3)
        first.step()
    weights[1].data.copy_(weights[0])
    second = GravesRMSProp([weights[1]])
    second.load_state_dict(deepcopy(first.state_dict()))
    for weight, optimizer in zip(weights, (first, second), strict=True):
        weight.grad = torch.full((3,), 0.3)
        optimizer.step()
    assert torch.equal(*weights)


def test_a_gradient_that_never_varies_is_no_root_of_less_than_nothing():
    weight = nn.Parameter(torch.zeros(1))
    optimizer = GravesRMSProp([weight], eps=1e-12)
    for _ in range(500):
        weight.grad = torch.full((1,), 1e3)
        optimizer.step()
    assert weight.isfinite().all()


def test_a_closure_is_called():
    weight = nn.Parameter(torch.ones(1))

    def loss():
        weight.grad = torch.ones(1)
        return 7.0

    assert GravesRMSProp([weight]).step(loss) == 7.0


@pytest.mark.parametrize("wrong", [{"lr": 0.0}, {"eps": -1.0}, {"decay": 1.5}, {"momentum": -0.1}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match=r"GravesRMSProp\(.*expected a"):
        GravesRMSProp([nn.Parameter(torch.ones(1))], **wrong)


def test_every_number_is_cut():
    layer = nn.Linear(2, 1)
    layer.weight.grad = torch.tensor([[-30.0, 3.0]])
    EachNumber(10.0)(layer)
    assert layer.weight.grad.tolist() == [[-10.0, 3.0]]
    with pytest.raises(ValueError, match=r"EachNumber\(limit=0\): expected a positive norm"):
        EachNumber(0)

"""The log-likelihood of right choices against torch's cross-entropy."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.ops import likelihood
from memnets.ops.likelihood import log_likelihood


def drawn(rows=5, choices=11, dtype=torch.float64, spread=3.0):
    scores = (spread * torch.randn(rows, choices, dtype=torch.float64)).to(dtype)
    return scores.requires_grad_(), torch.randint(choices, (rows,))


def compare(scores, right, **tolerance):
    """Raise an AssertionError where values or gradients are not torch's in float64."""
    exact = scores.detach().double().requires_grad_()
    outer = torch.randn(len(right), dtype=torch.float64)
    found = log_likelihood(scores, right)
    expected = -F.cross_entropy(exact, right, reduction="none")
    assert_close(found.double(), expected, **tolerance)
    (one,) = torch.autograd.grad(found, scores, outer.to(found.dtype))
    (other,) = torch.autograd.grad(expected, exact, outer)
    assert_close(one.double(), other, **tolerance)


@pytest.mark.parametrize("spread", [0.0, 3.0, 300.0])
def test_it_is_cross_entropy(path, spread):
    compare(*drawn(spread=spread), rtol=1e-12, atol=1e-12)
    compare(*drawn(dtype=torch.float32, spread=spread), rtol=1e-5, atol=1e-5)


def test_the_improbable_has_all_its_digits(path):
    """A probability that a float32 cannot hold."""
    scores = torch.tensor([[0.0, -1000.0], [5e4, 5e4 - 200]], requires_grad=True)
    found = log_likelihood(scores, torch.tensor([1, 1]))
    assert found.tolist() == [-1000.0, -200.0]


def test_half_precision_is_computed_in_single(path):
    scores, right = drawn(dtype=torch.bfloat16)
    found = log_likelihood(scores, right)
    assert found.dtype == torch.float32
    assert_close(found, -F.cross_entropy(scores.float(), right, reduction="none"))


def test_no_rows(path):
    scores, right = drawn(rows=0)
    log_likelihood(scores, right).sum().backward()
    assert scores.grad.shape == (0, 11)


def test_nothing_of_the_callers_is_written(path):
    scores, right = drawn()
    before = scores.detach().clone()
    log_likelihood(scores, right).sum().backward()
    assert torch.equal(scores, before)


def test_both_paths_are_taken(monkeypatch):
    scores, right = drawn()
    assert "LogLikelihood" in log_likelihood(scores, right).grad_fn.name()
    monkeypatch.setenv("MEMNETS_PLAIN", "1")
    assert "LogLikelihood" not in log_likelihood(scores, right).grad_fn.name()


def test_a_second_derivative_is_refused_or_right(monkeypatch):
    scores, right = drawn()
    (slope,) = torch.autograd.grad(log_likelihood(scores, right).sum(), scores, create_graph=True)
    with pytest.raises(RuntimeError, match="grad"):
        slope.sum().backward()
    monkeypatch.setenv("MEMNETS_PLAIN", "1")
    assert torch.autograd.gradgradcheck(log_likelihood, (scores, right))


def test_a_fault_is_caught(monkeypatch):
    real = likelihood._LogLikelihood.backward

    def doubled(ctx, grad):
        slope, none = real(ctx, grad)
        return 2 * slope, none

    monkeypatch.setattr(likelihood._LogLikelihood, "backward", staticmethod(doubled))
    with pytest.raises(AssertionError):
        compare(*drawn())

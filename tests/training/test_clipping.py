"""Gradients are clipped one matrix at a time, or together."""

import numpy as np
import pytest
import torch
from torch import nn

from memnets.training.clipping import GlobalNorm, PerMatrix


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.Parameter(torch.zeros(7, 3, 5))
        self.carry = nn.Linear(5, 5)
        self.unused = nn.Parameter(torch.zeros(2))


@pytest.fixture
def model():
    model = Stacked()
    random = torch.Generator().manual_seed(0)
    for parameter in (model.tables, *model.carry.parameters()):
        parameter.grad = torch.randn(parameter.shape, generator=random)
    # The first table is below the limits that follow, the others above and far above.
    model.tables.grad *= torch.tensor([0.1, 1.0, 10.0])[:, None]
    return model


def clipped(gradient, limit):
    """The definition, in NumPy: a matrix by its largest singular value, all else by its length."""
    norm = np.linalg.norm(gradient.astype(np.float64), 2 if gradient.ndim == 2 else None)
    return gradient * (limit / norm if norm > limit else 1.0)


def test_each_matrix_of_a_stack_is_clipped_by_itself(model):
    learning = [(name, p) for name, p in model.named_parameters() if p.grad is not None]
    before = {name: p.grad.numpy().copy() for name, p in learning}
    PerMatrix(2.0, stacks={"tables": 1})(model)
    expected = [clipped(before["tables"][:, table], 2.0) for table in range(3)]
    np.testing.assert_allclose(model.tables.grad, np.stack(expected, axis=1), rtol=1e-6)
    np.testing.assert_array_equal(model.tables.grad[:, 0], before["tables"][:, 0])
    for name, parameter in model.carry.named_parameters(prefix="carry"):
        np.testing.assert_allclose(parameter.grad, clipped(before[name], 2.0), rtol=1e-6)
    assert model.unused.grad is None


def test_without_a_stack_the_parameter_is_one_matrix(model):
    before = model.tables.grad.numpy().copy()
    PerMatrix(2.0)(model)
    np.testing.assert_allclose(model.tables.grad, clipped(before, 2.0), rtol=1e-6)


@pytest.mark.parametrize("shape", [(11, 3), (3, 11), (7, 7)])
def test_a_matrix_is_clipped_by_its_largest_singular_value(shape):
    layer = nn.Linear(*shape[::-1], bias=False)
    layer.weight.grad = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    whole, largest = layer.weight.grad.norm(), torch.linalg.matrix_norm(layer.weight.grad, 2)
    before = layer.weight.grad.clone()
    PerMatrix(float(whole + largest) / 2)(layer)  # above the one, below the other
    assert torch.equal(layer.weight.grad, before)
    PerMatrix(float(largest) / 2)(layer)
    torch.testing.assert_close(layer.weight.grad, before / 2)


def test_a_matrix_is_spared_only_by_a_bound_that_holds():
    """Without its root the bound is 0.92 where the largest singular value is 1."""
    layer = nn.Linear(2, 2, bias=False)
    layer.weight.grad = torch.diag(torch.tensor([1.0, 0.5]))
    PerMatrix(0.95)(layer)
    torch.testing.assert_close(layer.weight.grad, torch.diag(torch.tensor([0.95, 0.475])))


@pytest.mark.parametrize("scale", [1e-25, 1e25])
def test_a_gradient_whose_squares_are_no_numbers_is_clipped_all_the_same(scale):
    layer = nn.Linear(3, 11, bias=False)
    layer.weight.grad = scale * torch.randn(11, 3, generator=torch.Generator().manual_seed(1))
    direction = layer.weight.grad / scale
    PerMatrix(scale / 7)(layer)
    largest = torch.linalg.matrix_norm(direction, 2)
    torch.testing.assert_close(layer.weight.grad / scale, direction / largest / 7)


def test_no_gradient_at_all_stays_zero(model):
    model.tables.grad.zero_()
    PerMatrix(2.0, stacks={"tables": 1})(model)
    assert not model.tables.grad.any()


def test_the_global_norm_is_over_everything(model):
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    before = torch.cat([gradient.flatten() for gradient in gradients])
    GlobalNorm(2.0)(model)
    after = torch.cat([gradient.flatten() for gradient in gradients])
    torch.testing.assert_close(after, before * 2.0 / before.norm())


@pytest.mark.parametrize("kind", [PerMatrix, GlobalNorm])
def test_a_limit_of_zero_is_refused(kind):
    with pytest.raises(ValueError, match=rf"{kind.__name__}\(limit=0\.0\): expected a positive"):
        kind(0.0)


@pytest.mark.parametrize("stack", [{"table": 1}, {"tables": 3}])
def test_a_stack_that_is_not_there_is_refused(stack, model):
    with pytest.raises(
        ValueError,
        match=rf"PerMatrix\(stacks={stack}\): Stacked .* It has tables \(7, 3, 5\),",
    ):
        PerMatrix(2.0, stack)(model)


def test_a_matrix_of_few_words_is_clipped():
    """Few rows that are alike, and the rest nearly zero: single precision finds no eigenvalues."""
    random = torch.Generator().manual_seed(0)
    gradient = torch.randn(94, 1, generator=random) @ torch.randn(1, 100, generator=random)
    gradient[20:] *= 1e-38
    layer = nn.Linear(100, 94, bias=False)
    layer.weight.grad = gradient.clone()
    PerMatrix(1.0)(layer)
    torch.testing.assert_close(layer.weight.grad, gradient / gradient.norm())

"""Why gradients in single precision may differ by more than rounding, and where they cannot."""

import pytest
import torch
from cran_cases import Case, inputs, state
from torch.testing import assert_close

pytestmark = pytest.mark.usefixtures("shapes_unchecked", "native")
CASE, TIME = Case(query="1.1", zones=3, slots=5, k=3), 35


def gradient(model, x, start, outer, by_steps=False):
    """Return dL/dW_K, by the op or by the cell."""
    output = model.trace(x, start).output if by_steps else model(x, start)[0]
    loss = (output * outer).sum()
    return torch.autograd.grad(loss, model.cell.read.key.weight)[0].double()


def test_where_gradients_of_the_slots_part():
    """List 2: in single precision dL/dW_K may part by 1e-3, in its rows near a kink only.

    A slot's key is ReLU(W_K z + b_K). Where a number before the ReLU lies within rounding of 0, one
    order of summation finds it a little above and another a little below: the key hardly changes,
    but the slot's whole share of the gradient comes or goes. Here every other bias is so chosen
    that one old slot lies there. Nothing else parts by more than rounding, and in double precision
    nothing does.
    """
    model = CASE.build().float()
    x, outer = inputs(TIME, 2).float(), torch.randn(2, TIME, 7)
    start = state(model, (16, 16))
    key = model.cell.read.key
    units, old = torch.arange(0, 11, 2), start.values.flatten(0, 2).double()
    with torch.no_grad():
        before = old @ key.weight.double().mT
        key.bias[units] = -before[3 * units % 15 + 15, units].float()
        output = model(x, start)[0].double()
        told = torch.cat([old, output.flatten(0, 1)]) @ key.weight.double().mT + key.bias.double()
    nearest = told.abs().min(0).values
    one, other = (gradient(model, x, start, outer, by_steps) for by_steps in (False, True))
    apart = (one - other).abs().max(1).values / other.abs().max()
    assert apart.max() > 1e-3
    assert nearest[apart > 1e-5].max() < 1e-7
    assert apart[nearest > 1e-7].max() < 1e-6
    wide = [part.double() for part in (x, *start[:3], outer)]
    model, start = model.double(), start._replace(hidden=wide[1], values=wide[2], keys=wide[3])
    one, other = (gradient(model, wide[0], start, wide[4], by_steps) for by_steps in (False, True))
    assert_close(one, other, rtol=1e-10, atol=1e-12)

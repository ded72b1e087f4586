"""Linear chains on both paths: against all taggings, their derivatives, what must not matter."""

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from memnets.ops import chain, native
from memnets.ops.chain import sum_over_chains
from memnets.reference import structured as reference

compiled = pytest.mark.skipif(not native.available(), reason="there is no compiler")
PATHS = [pytest.param("native", marks=compiled), "plain"]


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Send all calls along one path, in as many threads as there may be."""
    monkeypatch.setattr(chain, "THREAD", 1)
    if request.param == "plain":
        monkeypatch.setenv(native.PLAIN, "1")
    return request.param


def drawn(batch=3, slots=5, states=3, each=False, dtype=torch.float64, scale=1.0):
    torch.manual_seed(slots + states)
    links = (batch, slots - 1, states, states) if each else (states, states)
    unary, pairwise = (
        (scale * torch.randn(shape, dtype=torch.float64)).to(dtype).requires_grad_()
        for shape in ((batch, slots, states), links)
    )
    mask = torch.rand(batch, slots) < 0.7
    mask[0], mask[1], mask[1, 2] = True, False, True  # one whole, one of a single step
    return unary, pairwise, mask


def compare(unary, pairwise, mask, found):
    """Raise an AssertionError where log Z or marginals differ from all taggings'."""
    for row in range(len(unary)):
        link = (pairwise if pairwise.ndim == 2 else pairwise[row]).detach().numpy()
        here = mask[row].numpy()
        every, total, chances = reference.chain(unary[row].detach().numpy(), link, here)
        expected = np.zeros(unary.shape[1:])
        for states, chance in zip(every, chances, strict=True):
            expected[here.nonzero()[0], list(states)] += chance
        assert_close(found.marginals[row].detach(), torch.tensor(expected), rtol=1e-10, atol=1e-12)
        assert_close(float(found.log_partition[row].detach()), total, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("each", [False, True], ids=["shared", "each"])
@pytest.mark.parametrize(("slots", "states"), [(1, 3), (2, 1), (5, 3), (7, 2)], ids=str)
def test_equals_all_taggings(path, slots, states, each):
    unary, pairwise, mask = drawn(slots=max(slots, 3), states=states, each=each)
    unary, mask = unary[:, -slots:], mask[:, -slots:]
    pairwise = pairwise[:, : slots - 1] if each else pairwise
    found = sum_over_chains(unary, pairwise, mask)
    assert ("Sums" in str(found.marginals.grad_fn.next_functions)) is (path == "native")
    compare(unary, pairwise, mask, found)


@pytest.mark.parametrize("each", [False, True], ids=["shared", "each"])
def test_first_and_second_derivatives(path, each):
    unary, pairwise, mask = drawn(slots=4, states=2, each=each)

    def both(unary, pairwise):
        return tuple(sum_over_chains(unary, pairwise, mask))

    assert gradcheck(both, (unary, pairwise), fast_mode=True)
    assert gradgradcheck(both, (unary, pairwise), fast_mode=True)


@compiled
@pytest.mark.parametrize("each", [False, True], ids=["shared", "each"])
@pytest.mark.parametrize("outputs", [(0,), (1,), (0, 1)], ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_gradients_are_the_plain_twins(monkeypatch, each, outputs, dtype):
    """Of either output alone too; more sequences than go together, in more threads than one."""
    monkeypatch.setattr(chain, "THREAD", 1)
    given = drawn(batch=37, slots=11, states=5, each=each, dtype=dtype)
    unary, pairwise, mask = given
    outer = torch.randn(37, dtype=dtype), torch.randn(unary.shape, dtype=dtype)

    def gradients():
        found = sum_over_chains(unary, pairwise, mask)
        loss = sum((found[i] * outer[i]).sum() for i in outputs)
        return *found, *torch.autograd.grad(loss, (unary, pairwise))

    fast = gradients()
    monkeypatch.setenv(native.PLAIN, "1")
    tolerance = 1e-4 if dtype == torch.float32 else 1e-10
    for one, other in zip(fast, gradients(), strict=True):
        assert_close(one, other, rtol=tolerance, atol=tolerance)


def test_marginals_are_the_gradient_of_log_z(path):
    """Without gradients they come from passes forth and back; autograd is their twin."""
    unary, pairwise, mask = drawn(each=True)
    to_unary, to_links = torch.autograd.grad(
        sum_over_chains(unary, pairwise, mask).log_partition.sum(), (unary, pairwise)
    )
    with torch.inference_mode():
        found = sum_over_chains(unary, pairwise, mask).marginals
        edges = chain.edges_of_chains(unary, pairwise, mask)
    assert_close(found, to_unary, rtol=1e-10, atol=1e-12)
    assert_close(edges[:, 1:], to_links, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("scale", [1e2, 1e3])
def test_large_potentials(path, scale):
    """As exact as the precision allows, over many steps, and nothing overflows."""
    unary, pairwise, mask = drawn(batch=5, slots=60, states=4, dtype=torch.float32, scale=scale)
    found = sum_over_chains(unary, pairwise, mask)
    exact = sum_over_chains(unary.double(), pairwise.double(), mask)
    assert_close(found.marginals.double(), exact.marginals, rtol=0, atol=2e-2 * scale / 1e3)
    assert_close(found.log_partition.double(), exact.log_partition, rtol=1e-6, atol=1e-3)
    assert_close(found.marginals.sum(-1), mask.float())
    for gradient in torch.autograd.grad(found.marginals.square().sum(), (unary, pairwise)):
        assert gradient.isfinite().all()


def test_what_cannot_be_is_never(path):
    """A state at minus infinity has no chance and no gradient, and harms no other."""
    unary, pairwise, mask = drawn()
    unary = unary.detach().clone()
    unary[0, 2, 1] = -torch.inf
    unary.requires_grad_()
    found = sum_over_chains(unary, pairwise, mask)
    assert found.marginals[0, 2, 1] == 0
    compare(unary, pairwise, mask, found)
    (gradient,) = torch.autograd.grad(found.marginals.square().sum(), unary)
    assert gradient.isfinite().all()
    assert gradient[0, 2, 1] == 0


def test_padding_and_company_change_no_bit(path):
    """Not even NaN: neither in steps that are masked nor in another sequence."""
    unary, pairwise, mask = drawn(batch=19, slots=7, each=False, dtype=torch.float32)
    outer = torch.randn(unary.shape)

    def run(unary, mask, outer):
        leaf = unary.detach().clone().requires_grad_()
        found = sum_over_chains(leaf, pairwise, mask)
        return *found, torch.autograd.grad((found.marginals * outer).sum(), leaf)[0]

    log_partition, marginals, gradient = run(unary, mask, outer)
    room = torch.full((19, 4, 3), torch.nan)
    grown = run(
        torch.cat([unary.masked_fill(~mask[..., None], torch.nan), room], 1),
        torch.nn.functional.pad(mask, (0, 4)),
        torch.cat([outer, torch.zeros_like(room)], 1),
    )
    assert torch.equal(grown[0], log_partition)
    assert torch.equal(grown[1][:, :7], marginals)
    assert torch.equal(grown[2][:, :7], gradient)
    assert not grown[1][:, 7:].any()
    poisoned = unary.detach().clone()
    poisoned[3] = torch.nan
    others = torch.arange(19) != 3
    for one, other in zip(run(poisoned, mask, outer), run(unary, mask, outer), strict=True):
        assert torch.equal(one[others], other[others])
    assert run(poisoned, mask, outer)[1][3][mask[3]].isnan().all()


def test_the_matrix_of_a_step_that_is_masked_is_not_met(path):
    """Not even NaN, in values and in gradients of others; nor what stands before the first step."""
    unary, pairwise, mask = drawn(each=True)
    clean = pairwise.detach().masked_fill(~mask[:, 1:, None, None], 0.0)
    gradients = []
    for link in (clean, clean.masked_fill(~mask[:, 1:, None, None], torch.nan)):
        leaf = link.clone().requires_grad_()
        found = sum_over_chains(unary, leaf, mask)
        compare(unary, clean, mask, found)
        given = torch.autograd.grad(found.marginals.square().sum(), (unary, leaf))
        gradients.append([part.nan_to_num(99.0) for part in given])
    for one, other in zip(*gradients, strict=True):
        assert torch.equal(one, other)


def test_the_wider_precision_counts(path):
    unary, pairwise, mask = drawn()
    found = sum_over_chains(unary, pairwise.float(), mask)
    assert found.marginals.dtype == torch.float64
    compare(unary, pairwise.float().double(), mask, found)


@pytest.mark.parametrize("moved", [0, 1], ids=["unary", "pairwise"])
def test_second_derivatives_of_either_alone(path, moved):
    given = [part.detach() for part in drawn(slots=3, states=2)]

    def both(part):
        unary, pairwise, mask = (part if place == moved else one for place, one in enumerate(given))
        return tuple(sum_over_chains(unary, pairwise, mask))

    leaf = given[moved].clone().requires_grad_()
    assert gradcheck(both, (leaf,), fast_mode=True)
    assert gradgradcheck(both, (leaf,), fast_mode=True)


@compiled
def test_threads_change_no_bit(monkeypatch):
    monkeypatch.setattr(chain, "THREAD", 1)
    unary, pairwise, mask = drawn(batch=70, slots=5)
    before, found = torch.get_num_threads(), []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        sums = sum_over_chains(unary, pairwise, mask)
        found.append(
            (*sums, *torch.autograd.grad(sums.marginals.square().sum(), (unary, pairwise)))
        )
    torch.set_num_threads(before)
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))


def test_nothing_to_tag(path):
    unary, pairwise, mask = drawn()
    none = sum_over_chains(unary, pairwise, torch.zeros_like(mask))
    assert not none.marginals.any()
    assert not none.log_partition.any()
    empty = sum_over_chains(unary[:, :0], pairwise)
    assert (empty.marginals.shape, empty.log_partition.tolist()) == ((3, 0, 3), [0.0] * 3)
    assert sum_over_chains(unary[:0], pairwise).marginals.shape == (0, 5, 3)


def test_half_precision_and_vmap(path):
    unary, pairwise, mask = drawn(dtype=torch.float32)
    half = sum_over_chains(unary.half(), pairwise.half(), mask)
    wide = sum_over_chains(unary.half().float(), pairwise.half().float(), mask)
    assert half.marginals.dtype == torch.float32
    assert_close(half.marginals, wide.marginals)
    mapped = torch.func.vmap(lambda u, m: sum_over_chains(u, pairwise, m).marginals)(unary, mask)
    assert_close(mapped, sum_over_chains(unary, pairwise, mask).marginals)


# Faults. Each changes one thing; the comparison above must then fail.

FAULTS = {
    "a link turned round": lambda unary, pairwise, mask: (unary, pairwise.mT, mask),
    "a step forgotten": lambda unary, pairwise, mask: (unary[:, 1:], pairwise, mask[:, 1:]),
    "the mask inverted": lambda unary, pairwise, mask: (unary, pairwise, ~mask),
    "the mask forgotten": lambda unary, pairwise, mask: (unary, pairwise, None),
    "states turned round": lambda unary, pairwise, mask: (unary.flip(-1), pairwise, mask),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault):
    unary, pairwise, mask = drawn()
    found = sum_over_chains(*FAULTS[fault](unary, pairwise, mask))
    with pytest.raises((AssertionError, IndexError)):
        compare(unary, pairwise, mask, found)

"""Sums over trees on both paths: their derivatives, precisions, neighbours and threads."""

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from memnets.ops import tree_sums
from memnets.ops.chain import NEVER
from memnets.ops.matrix_tree import sum_over_trees
from memnets.ops.projective import sum_over_projective

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
SUMS = pytest.mark.parametrize("sums", [sum_over_projective, sum_over_trees])
ROOTS = pytest.mark.parametrize("single_root", [True, False], ids=["one root", "roots"])
PATHS = pytest.mark.usefixtures("path")
NATIVE = pytest.mark.usefixtures("native")


def drawn(rows=3, words=4, scale=1.0, dtype=torch.float64):
    """Return arcs and roots, and lengths: a whole sentence first, one of a word, one of none."""
    torch.manual_seed(rows + words)
    arcs = scale * torch.randn(rows, words, words, dtype=torch.float64)
    arcs = arcs.masked_fill(torch.eye(words, dtype=torch.bool), NEVER)
    roots = scale * torch.randn(rows, words, dtype=torch.float64)
    lengths = torch.randint(words + 1, (rows,))
    lengths[0], lengths[1:2], lengths[2:3] = words, 1, 0
    behind = torch.arange(words) >= lengths.unsqueeze(-1)
    arcs = arcs.masked_fill(behind.unsqueeze(-1) | behind.unsqueeze(-2), NEVER)
    leaves = arcs, roots.masked_fill(behind, NEVER)
    return *(part.to(dtype).requires_grad_() for part in leaves), lengths


def with_gradients(sums, arcs, roots, lengths, single_root):
    """Return the sums and, where numbers are possible, the gradients of all of them together."""
    found = sums(arcs, roots, lengths, single_root)
    outer = [torch.linspace(-1, 2, part.numel(), dtype=part.dtype) for part in found]
    outer = [one.reshape(part.shape) for one, part in zip(outer, found, strict=True)]
    return *found, *torch.autograd.grad(found, (arcs, roots), outer)


@PATHS
@SUMS
@ROOTS
def test_all_that_is_found_has_derivatives_of_both_orders(sums, single_root):
    """Against central differences, of potentials far apart: the twin's determinant has its own."""
    arcs, roots, lengths = drawn(2, 3, 6.0)
    itself = torch.eye(3, dtype=torch.bool)

    def found(arcs, roots):
        return tuple(sums(arcs.masked_fill(itself, NEVER), roots, lengths, single_root))

    assert gradcheck(found, (arcs, roots), fast_mode=True)
    assert gradgradcheck(found, (arcs, roots), fast_mode=True)


@NATIVE
@SUMS
@ROOTS
@pytest.mark.parametrize("scale", [1.0, 30.0, 1e3])
def test_both_paths_find_the_same(sums, single_root, scale, monkeypatch):
    """More sentences than go together, ragged; gradients too."""
    given = drawn(19, 9, scale)
    found = with_gradients(sums, *given, single_root)
    monkeypatch.setenv("MEMNETS_PLAIN", "1")
    for one, other in zip(found, with_gradients(sums, *given, single_root), strict=True):
        assert_close(one, other, rtol=1e-9, atol=1e-11 * max(1.0, scale))


@PATHS
@SUMS
@ROOTS
def test_float32_is_float64_but_for_rounding(sums, single_root):
    wide = drawn(11, 7, 3.0)
    narrow = drawn(11, 7, 3.0, torch.float32)
    found = with_gradients(sums, *narrow, single_root)
    assert {part.dtype for part in found} == {torch.float32}
    for one, other in zip(found, with_gradients(sums, *wide, single_root), strict=True):
        assert_close(one.double(), other, rtol=1e-4, atol=2e-4)


@PATHS
@SUMS
@pytest.mark.parametrize("which", [0, 1, 2], ids=["log Z", "arcs", "roots"])
def test_there_need_not_be_a_gradient_of_each(sums, which):
    arcs, roots, lengths = drawn()
    found = sums(arcs, roots, lengths, True)
    alone = torch.autograd.grad(found[which].square().sum(), (arcs, roots), retain_graph=True)
    outer = [torch.zeros_like(part) for part in found]
    outer[which] = 2 * found[which].detach()
    for one, other in zip(alone, torch.autograd.grad(found, (arcs, roots), outer), strict=True):
        assert_close(one, other, rtol=1e-12, atol=1e-14)


@NATIVE
@SUMS
@ROOTS
def test_no_sentence_and_no_thread_changes_a_bit_of_another(sums, single_root, monkeypatch):
    """Alone, or among others that are longer, or far apart, or NaN; in one thread and in three."""
    monkeypatch.setattr(tree_sums, "THREAD", 1)
    arcs, roots, lengths = drawn(30, 6)
    with torch.no_grad():
        arcs[4:9] *= 40
        arcs[10, 1, 0] = torch.nan
    before, found = torch.get_num_threads(), []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        found.append(sums(arcs, roots, lengths, single_root))
    torch.set_num_threads(before)
    for row in range(30):
        part = slice(row, row + 1)
        alone = sums(arcs[part], roots[part], lengths[part], single_root)
        for one, three, own in zip(*found, alone, strict=True):
            assert_close(one[part], own, rtol=0, atol=0, equal_nan=True)
            assert_close(three[part], own, rtol=0, atol=0, equal_nan=True)


@PATHS
@SUMS
@ROOTS
def test_no_words_and_no_sentences(sums, single_root):
    for rows, words in ((0, 3), (2, 0), (0, 0)):
        given = torch.zeros(rows, words, words), torch.zeros(rows, words)
        found = sums(*given, torch.zeros(rows, dtype=torch.long), single_root)
        assert [part.shape for part in found] == [(rows,), (rows, words, words), (rows, words)]
        assert not any(part.any() for part in found)
    found = with_gradients(sums, *drawn(), single_root)
    assert not any(part[2].any() for part in found)

"""Dependency trees: marginals against all trees, one by one, and the heads that words read."""

from itertools import product

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from memnets.attention import (
    Dot,
    NonProjectiveTrees,
    ProjectiveTrees,
    SelfAttention,
    SoftParents,
    causal_mask,
)
from memnets.ops import matrix_tree, projective
from memnets.ops.tree_sums import TreeSums
from memnets.reference import structured as reference

EXACT = {"rtol": 1e-10, "atol": 1e-12}
TREES = pytest.mark.parametrize("trees", [ProjectiveTrees, NonProjectiveTrees])
ROOTS = pytest.mark.parametrize("single_root", [True, False], ids=["one root", "roots"])
PATHS = pytest.mark.usefixtures("path")
TWIN = pytest.mark.usefixtures("eager")


def drawn(*shape, scale=1.0):
    torch.manual_seed(len(shape))
    return scale * torch.randn(shape, dtype=torch.float64)


def ragged_trees(trees, single_root, scale=1.0):
    arcs, roots = drawn(4, 5, 5, scale=scale), drawn(4, 5, scale=scale)
    mask = torch.tensor([[True] * 5, [True, False, True, True, False], [False] * 5, [False] * 5])
    mask[3, 1] = True
    return trees(arcs, roots, mask, single_root)


def each_tree(found, row):
    """Return the places of a row's words, and its potentials without what is masked."""
    here = found.mask[row].nonzero().squeeze(-1)
    return here, found.arcs[row][here][:, here].numpy(), found.roots[row][here].numpy()


@PATHS
@TREES
@ROOTS
def test_trees_are_all_trees(trees, single_root):
    """List 17: log Z, marginals, argmax, entropy and every log-probability, ragged."""
    found, projective = ragged_trees(trees, single_root), trees is ProjectiveTrees
    for row in range(4):
        here, arcs, roots = each_tree(found, row)
        total, of_arcs, of_roots = reference.tree_marginals(arcs, roots, single_root, projective)
        assert_close(float(found.log_partition[row]), total, **EXACT)
        whole = torch.zeros(5, 5).double()
        whole[here[:, None], here] = torch.tensor(of_arcs)
        assert_close(found.marginals.arcs[row], whole, **EXACT)
        alone = torch.zeros(5).double().index_put((here,), torch.tensor(of_roots))
        assert_close(found.marginals.roots[row], alone, **EXACT)
        every = reference.trees(len(here), single_root, projective)
        _, chances = reference.chances([reference.tree_score(arcs, roots, z) for z in every])
        best = every[int(np.argmax(chances))]
        named = [-1 if head < 0 else int(here[head]) for head in best]
        assert found.argmax[row][here].tolist() == named
        entropy = -sum(chance * np.log(chance) for chance in chances)
        assert_close(float(found.entropy[row]), float(entropy), rtol=1e-9, atol=1e-12)
        heads = torch.full((4, 5), -1)
        heads[row, here] = torch.tensor(named, dtype=torch.long)
        assert_close(float(found.log_prob(heads)[row]), float(np.log(max(chances))), **EXACT)


@ROOTS
def test_how_many_trees_there_are(single_root):
    """List 17: 625 of five words and one root, 1296 of any; fewer where no arcs may cross."""
    zero = torch.zeros(5, 5).double(), torch.zeros(5).double()
    count = NonProjectiveTrees(*zero, single_root=single_root).log_partition.exp()
    assert round(float(count)) == (625 if single_root else 1296)
    fewer = ProjectiveTrees(*zero, single_root=single_root).log_partition.exp()
    assert round(float(fewer)) == len(reference.trees(5, single_root, True))


@PATHS
@TREES
@ROOTS
def test_marginals_of_trees_are_the_gradient_of_log_z(trees, single_root):
    """List 17: by hand without gradients, by autograd as their twin; second derivatives too."""
    made = ragged_trees(trees, single_root)
    leaves = made.arcs.requires_grad_(), made.roots.requires_grad_()
    total = trees(*leaves, made.mask, single_root).log_partition
    to_arcs, to_roots = torch.autograd.grad(total.sum(), leaves)
    with torch.inference_mode():
        found = trees(*leaves, made.mask, single_root).marginals
    assert_close(found.arcs, to_arcs, **EXACT)
    assert_close(found.roots, to_roots, **EXACT)

    def arcs(arcs, roots):
        return trees(arcs, roots, made.mask[0, :3], single_root).marginals.arcs

    few = tuple(
        leaf.detach().clone().requires_grad_() for leaf in (made.arcs[0, :3, :3], made.roots[0, :3])
    )
    assert gradcheck(arcs, few, fast_mode=True)
    assert gradgradcheck(arcs, few, fast_mode=True)


@PATHS
@TREES
@ROOTS
def test_large_potentials_of_trees(trees, single_root):
    """List 17: every word has one head, also where a determinant by LU has lost all digits."""
    found = ragged_trees(trees, single_root, scale=1e3)
    arcs, roots = found.marginals
    assert_close(arcs.sum(-1) + roots, found.mask.double(), **EXACT)
    assert ((arcs > -1e-12) & (arcs < 1 + 1e-12)).all()
    assert_close(arcs.round(), found.best.arcs, rtol=0, atol=0)
    assert_close(roots.round(), found.best.roots, rtol=0, atol=0)
    if single_root:
        assert_close(roots.sum(-1), found.mask.any(-1).double(), **EXACT)


@ROOTS
def test_both_ways_to_all_trees_are_one(single_root):
    """The determinant where it holds, and the elimination, with a causal mask and raggedly."""
    made = ragged_trees(NonProjectiveTrees, single_root)
    later = torch.ones(5, 5, dtype=torch.bool).triu()
    for arcs in (made.arcs, made.arcs.masked_fill(later, matrix_tree.NEVER)):
        given = (*NonProjectiveTrees(arcs, made.roots, made.mask)._compact, single_root)
        ways = matrix_tree._by_inverse(*given), matrix_tree._by_elimination(*given)
        for one, other in zip(*ways, strict=True):
            assert_close(one, other, **EXACT)


@PATHS
@ROOTS
@pytest.mark.parametrize("heads", [[1, 2, 3], [1, 0, 3]], ids=["behind", "two pairs"])
def test_words_whose_heads_are_all_gone_before_them(heads, single_root):
    """Of one root, whichever it is: a mask leaves each word a head or none, and far apart."""
    arcs, roots = drawn(4, 4, scale=9.0), drawn(4, scale=9.0)
    possible = torch.zeros(4, 4, dtype=torch.bool)
    possible[range(3), heads] = True
    possible[0, 3] = True
    arcs = arcs.masked_fill(~possible, matrix_tree.NEVER)
    found = NonProjectiveTrees(arcs, roots, single_root=single_root)
    given = arcs.numpy(), roots.numpy(), single_root, False
    total, of_arcs, of_roots = reference.tree_marginals(*given)
    assert_close(float(found.log_partition), total, **EXACT)
    assert_close(found.marginals.arcs, torch.tensor(of_arcs), **EXACT)
    assert_close(found.marginals.roots, torch.tensor(of_roots), **EXACT)


@PATHS
@TREES
@ROOTS
def test_minus_infinity_is_as_good_as_what_cannot_be(trees, single_root):
    """Words that head none and words that are no root: the sums, the entropy and gradients."""
    found = []
    for never in (-torch.inf, matrix_tree.NEVER):
        arcs, roots = drawn(2, 4, 4), drawn(2, 4)
        arcs[:, :, 3], roots[:, 1:] = never, never
        leaves = arcs.requires_grad_(), roots.requires_grad_()
        made = trees(*leaves, single_root=single_root)
        said = made.log_partition, made.entropy, *made.marginals
        loss = sum((part * part).sum() for part in said)
        found.append((*said, *torch.autograd.grad(loss, leaves)))
    for one, other in zip(*found, strict=True):
        assert_close(one, other, **EXACT)


@PATHS
def test_two_words_that_prefer_each_other():
    """Eighty nats to either and none to the root: LU gives 0; by hand, log(e^80 + e^80)."""
    arcs, roots = torch.full((2, 2), 80.0).double(), torch.zeros(2).double()
    weights = arcs.exp().fill_diagonal_(0.0)
    laplacian = torch.diag(weights.sum(1) + roots.exp()) - weights.T
    assert laplacian.det() == 0
    expected = torch.tensor(80.0 + np.log(2.0)).double()
    assert_close(NonProjectiveTrees(arcs, roots).log_partition, expected, **EXACT)
    assert_close(ProjectiveTrees(arcs, roots).log_partition, expected, **EXACT)


@PATHS
def test_a_sentence_of_nan_takes_no_digits_from_the_one_beside_it():
    """Two words that prefer each other by eighty nats: a determinant of theirs would be 0."""
    arcs = torch.tensor([80.0, torch.nan]).double()[:, None, None].expand(2, 2, 2)
    found = NonProjectiveTrees(arcs, torch.zeros(2, 2).double(), single_root=False)
    expected = torch.tensor(80.0 + np.log(2.0), dtype=torch.float64)
    assert_close(found.log_partition[0], expected, **EXACT)
    half = torch.tensor([[0.0, 0.5], [0.5, 0.0]]).double()
    assert_close(found.marginals.arcs[0], half, **EXACT)
    assert found.log_partition[1].isnan()


def test_projective_trees_are_some_of_all():
    """List 17: their sum is less; a constant added to all arcs moves log Z only."""
    arcs, roots = drawn(3, 6, 6), drawn(3, 6)
    some, whole = ProjectiveTrees(arcs, roots), NonProjectiveTrees(arcs, roots)
    assert (some.log_partition < whole.log_partition).all()
    for trees in (ProjectiveTrees, NonProjectiveTrees):
        moved, here = trees(arcs + 1.5, roots + 1.5), trees(arcs, roots)
        assert_close(moved.log_partition, here.log_partition + 6 * 1.5, **EXACT)
        assert_close(moved.marginals.arcs, here.marginals.arcs, **EXACT)


@PATHS
@TREES
def test_one_word_and_none(trees):
    alone = trees(drawn(2, 1, 1), drawn(2, 1))
    assert alone.marginals.roots.tolist() == [[1.0], [1.0]]
    assert not alone.marginals.arcs.any()
    assert alone.argmax.tolist() == [[-1], [-1]]
    empty = trees(drawn(2, 0, 0), drawn(2, 0))
    assert (empty.log_partition.tolist(), empty.argmax.shape) == ([0.0, 0.0], (2, 0))


def test_draws_of_trees_are_as_frequent_as_their_chances():
    made = ProjectiveTrees(drawn(4, 4), drawn(4))
    many = ProjectiveTrees(made.arcs.expand(4000, 4, 4), made.roots.expand(4000, 4))
    heads = many.sample(torch.Generator().manual_seed(0))
    often = torch.nn.functional.one_hot(heads + 1, 5).double().mean(0)
    assert_close(often[:, 1:], made.marginals.arcs, rtol=0, atol=0.03)
    assert torch.equal(heads, many.sample(torch.Generator().manual_seed(0)))
    assert not torch.equal(heads, many.sample(torch.Generator().manual_seed(1)))
    assert ((heads == -1).sum(-1) == 1).all()
    assert not any(reference.crosses(tuple(one)) for one in heads[:50].tolist())


def test_trees_of_several_roots_are_drawn_where_words_are_masked():
    """By hand: one arc of weight 2 or 3, or two roots, of which each has weight 1."""
    arcs, mask = torch.tensor([[0, 9, 2.0], [9, 9, 9], [3, 9, 0]]).log(), [True, False, True]
    made = (arcs.expand(600, 3, 3), torch.zeros(600, 3), torch.tensor(mask))
    heads = ProjectiveTrees(*made, single_root=False).sample(torch.Generator().manual_seed(0))
    assert (heads[:, 1] == -1).all()
    found = heads[:, [0, 2]].tolist()
    for tree, share in (([2, -1], 2 / 6), ([-1, 0], 3 / 6), ([-1, -1], 1 / 6)):
        assert found.count(tree) / 600 == pytest.approx(share, abs=0.06)
        several = ProjectiveTrees(*made, single_root=False).log_prob(
            torch.tensor([tree[0], 7, tree[1]]).clamp(max=2).expand(600, 3)
        )
        assert_close(several.exp(), torch.full((600,), share))
    assert sum(map(found.count, ([2, -1], [-1, 0], [-1, -1]))) == 600


@TWIN
@pytest.mark.usefixtures("shapes_unchecked")
def test_only_potentials_that_are_near_are_summed_by_the_determinant(monkeypatch):
    """Within twelve nats, what cannot be left out; a NaN is not near."""
    taken = []
    for way in ("_by_inverse", "_by_elimination"):
        monkeypatch.setattr(matrix_tree, way, lambda *given, way=way: taken.append(way))
    lengths = torch.tensor([3])
    for number in (-12.0, 12.0, matrix_tree.NEVER, 12.5, -12.5, torch.nan, torch.inf):
        arcs, roots = torch.zeros(1, 3, 3).double(), torch.zeros(1, 3).double()
        arcs[0, 1, 0] = number
        matrix_tree.sum_over_trees(arcs, roots, lengths, True)
    assert taken == ["_by_inverse"] * 3 + ["_by_elimination"] * 4


@pytest.mark.usefixtures("shapes_unchecked")
@TREES
@ROOTS
def test_the_best_of_many_trees(trees, single_root):
    """Where several roots tempt, and circles within circles: the best of all, by listing them."""
    arcs, roots = drawn(60, 4, 4), drawn(60, 4) + 1
    found = trees(arcs, roots, single_root=single_root).argmax.tolist()
    every = reference.trees(4, single_root, trees is ProjectiveTrees)
    for row in range(60):
        given = arcs[row].numpy(), roots[row].numpy()
        best = max(every, key=lambda heads: reference.tree_score(*given, heads))
        assert found[row] == list(best)


@pytest.mark.usefixtures("shapes_unchecked")
@TREES
def test_no_gradient_passes_through_a_choice(trees):
    made = trees(drawn(1, 4, 4).requires_grad_(), drawn(1, 4).requires_grad_())
    assert not any(part.requires_grad for part in made.best)
    assert made.marginals.arcs.requires_grad


def test_the_best_of_many_words_is_a_tree_of_one_root():
    """Chu-Liu and Edmonds at a size that cannot be listed: no worse than the best projective."""
    arcs, roots = drawn(3, 20, 20), drawn(3, 20)
    free, tied = NonProjectiveTrees(arcs, roots).argmax, ProjectiveTrees(arcs, roots).argmax
    for row, heads in enumerate(free.tolist()):
        assert reference.is_tree(tuple(heads))
        assert heads.count(-1) == 1
        score = [
            reference.tree_score(arcs[row].numpy(), roots[row].numpy(), tuple(one))
            for one in (heads, tied[row].tolist())
        ]
        assert score[0] >= score[1]


# ---- Soft parents ----


@PATHS
@TREES
def test_soft_parents_read_heads(trees):
    """List 17: inside self-attention, ragged, and the padding full of NaN."""
    torch.manual_seed(0)
    layer = SelfAttention(SoftParents(Dot(), 5, trees), dim=7, key_dim=5, value_dim=3).double()
    words, mask = drawn(2, 6, 7), torch.ones(2, 1, 6, dtype=torch.bool)
    mask[1, 0, 2], mask[1, 0, 4:] = False, False
    found = layer(words, mask)
    queries, keys = layer.query_weight(words), layer.key_weight(words)
    arcs, roots = queries @ keys.mT, queries @ layer.attention.root_key
    expected = trees(arcs, roots, mask[:, 0]).marginals
    assert_close(found.weights, expected.arcs, **EXACT)
    assert_close(found.value, expected.arcs @ layer.value_weight(words), **EXACT)
    assert_close(found.weights.sum(-1), mask[:, 0].double() - expected.roots, **EXACT)
    poisoned = words.masked_fill(~mask.mT, torch.nan)
    room = torch.full((2, 3, 7), torch.nan).double()
    grown = layer(torch.cat([poisoned, room], 1), torch.nn.functional.pad(mask, (0, 3)))
    assert torch.equal(grown.value[:, :6], found.value)
    assert torch.equal(grown.weights[:, :6, :6], found.weights)
    assert not grown.weights[:, 6:].any()
    (gradient,) = torch.autograd.grad(found.value.square().sum(), layer.attention.root_key)
    assert gradient.abs().sum() > 0
    alone = layer(words[1:, [0, 1, 3]])
    assert_close(found.value[1, [0, 1, 3]], alone.value[0], **EXACT)


@PATHS
@TREES
def test_what_is_sure_is_not_likelier_than_that(trees):
    """Of one tree alone: its score less log Z is above 0 by rounding, now and then."""
    arcs, roots = drawn(200, 3, 3), drawn(200, 3)
    arcs[:, 0], arcs[:, 1, 2], arcs[:, 2, 0] = (matrix_tree.NEVER,) * 3
    roots[:, 1:] = matrix_tree.NEVER
    made = trees(arcs, roots)
    sure = made.log_prob(torch.tensor([-1, 0, 1]).expand(200, 3))
    assert (sure <= 0).all()
    assert_close(sure, torch.zeros(200).double(), rtol=0, atol=1e-13)
    other = made.log_prob(torch.tensor([-1, 0, 0]).expand(200, 3))
    assert (other < -1e29).all()


def test_soft_parents_read_keys_where_there_are_no_values_and_show_their_scores():
    part = SoftParents(Dot(), 5)
    assert (part.trees, part.single_root, part.root_key.tolist()) == (
        NonProjectiveTrees, True, [0.0] * 5
    )  # fmt: skip
    several = SoftParents(Dot(), 5, ProjectiveTrees, single_root=False).double()
    query, keys = drawn(2, 4, 5), drawn(2, 4, 5) + 1
    found = several(query, keys)
    arcs = query @ keys.mT
    assert_close(found.scores, arcs, **EXACT)
    expected = ProjectiveTrees(arcs, torch.zeros(2, 4).double(), None, False).marginals.arcs
    assert_close(found.weights, expected, **EXACT)
    assert_close(found.value, expected @ keys, **EXACT)


@PATHS
def test_what_is_no_word_moves_no_weight():
    """Queries, keys and values full of NaN: the gradients are those of the words alone."""
    part, mask = SoftParents(Dot(), 5).double(), torch.tensor([[[True, False, True, False]]])
    gradients = []
    for number in (0.5, torch.nan):
        query, keys = (
            drawn(1, 4, 5).masked_fill(~mask.mT, number).requires_grad_() for _ in range(2)
        )
        value = part(query, keys, mask=mask).value
        loss = value.square().sum() + value[0, 0, 0]
        gradients.append(torch.autograd.grad(loss, (query, keys, part.root_key)))
    for one, other in zip(*gradients, strict=True):
        assert torch.equal(one, other)
        assert one.any()


@PATHS
@TREES
def test_heads_that_stand_before(trees):
    """A causal mask: no word hangs from a later one, and the first is the root."""
    layer = SelfAttention(SoftParents(Dot(), 5, trees), dim=7, key_dim=5, value_dim=3).double()
    weights = layer(drawn(2, 5, 7), causal_mask(5)[None]).weights
    assert not weights.triu().any()
    assert_close(weights.sum(-1)[:, 1:], torch.ones(2, 4).double(), **EXACT)
    assert not weights[:, 0].any()


@PATHS
@TREES
def test_half_precision_of_trees(trees):
    """Computed in float64 and returned in float32; under autocast too."""
    arcs, roots = drawn(2, 4, 4).half(), drawn(2, 4).half()
    found = trees(arcs, roots).marginals.arcs
    assert found.dtype == torch.float32
    assert_close(found, trees(arcs.float(), roots.float()).marginals.arcs)
    made = trees(arcs, roots)
    said = made.log_partition, made.entropy, made.log_prob(made.argmax), *made.marginals, *made.best
    assert {part.dtype for part in said} == {torch.float32}
    mapped = torch.func.vmap(lambda a, r: trees(a, r).marginals.arcs)(arcs, roots)
    assert_close(mapped, found)


# Faults. Each changes one thing; the comparison with all trees must then fail.


def shift_widths(patch):
    put = projective._with
    patch.setattr(
        projective, "_with", lambda chart, spans, start: put(chart, spans.roll(1, -1), start)
    )


def by_elimination(patch):
    patch.setattr(matrix_tree, "NEAR", 0.0)


@TWIN
@ROOTS
def test_elimination_is_all_trees(single_root, monkeypatch):
    by_elimination(monkeypatch)
    test_trees_are_all_trees(NonProjectiveTrees, single_root)
    test_marginals_of_trees_are_the_gradient_of_log_z(NonProjectiveTrees, single_root)


def forget_to_divide(patch):
    by_elimination(patch)
    both = matrix_tree._both
    patch.setattr(matrix_tree, "_both", lambda one, other: (one, both(one, other)[1]))


def turn_arcs_round(patch):
    sums = ProjectiveTrees._sum
    patch.setattr(
        ProjectiveTrees, "_sum", lambda self, arcs, roots, n: sums(self, arcs.mT, roots, n)
    )


def count_roots_twice(patch):
    for trees in (ProjectiveTrees, NonProjectiveTrees):
        sums = trees._sum
        patch.setattr(trees, "_sum", lambda s, a, r, n, sums=sums: sums(s, a, 2 * r, n))


def give_heads_to_children(patch):
    for trees in (ProjectiveTrees, NonProjectiveTrees):
        sums = trees._sum

        def turned(self, arcs, roots, lengths, sums=sums):
            found = sums(self, arcs, roots, lengths)
            return TreeSums(found.log_partition, found.arcs.mT, found.roots)

        patch.setattr(trees, "_sum", turned)


@TWIN
@pytest.mark.parametrize(
    ("trees", "fault"),
    [
        (ProjectiveTrees, shift_widths),
        (ProjectiveTrees, turn_arcs_round),
        (NonProjectiveTrees, forget_to_divide),
        *product(
            (ProjectiveTrees, NonProjectiveTrees), (count_roots_twice, give_heads_to_children)
        ),
    ],
)
def test_a_planted_fault_is_caught(trees, fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises((AssertionError, RuntimeError)):
        test_trees_are_all_trees(trees, False)

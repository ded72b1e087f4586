"""Structured attention: marginals against all structures, one by one, and what they must keep."""

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from memnets.attention import (
    Attention,
    Chains,
    Dot,
    ExactlyK,
    LinearChain,
    NonProjectiveTrees,
    ProjectiveTrees,
    Segments,
    Sigmoid,
    Softmax,
    SoftParents,
)
from memnets.reference import structured as reference

EXACT = {"rtol": 1e-10, "atol": 1e-12}


def drawn(*shape, scale=1.0):
    torch.manual_seed(len(shape))
    return scale * torch.randn(shape, dtype=torch.float64)


# ---- Chains ----


def ragged_chains(slots=6, states=2):
    unary, pairwise = drawn(4, slots, states), drawn(states, states)
    mask = torch.tensor(
        [[True] * slots, [True, False] * (slots // 2), [False] * slots, [False] * slots]
    )
    mask[3, 2] = True
    return Chains(unary, pairwise, mask)


def each_chain(chains):
    """Yield a row, all its taggings as long as the sequence, log Z and their chances."""
    for row, mask in enumerate(chains.mask):
        unary, here = chains.unary[row].numpy(), mask.numpy()
        every, total, chances = reference.chain(unary, chains.pairwise.numpy(), here)
        whole = torch.zeros(len(every), len(here), dtype=torch.long)
        whole[:, mask] = torch.tensor(every, dtype=torch.long)
        yield row, whole, total, chances


def test_chains_are_all_taggings():
    """List 17: log Z, marginals, edges, argmax, entropy and every log-probability."""
    chains = ragged_chains()
    for row, every, total, chances in each_chain(chains):
        assert_close(float(chains.log_partition[row]), total, **EXACT)
        chance = torch.tensor(chances, dtype=torch.float64)
        on = torch.nn.functional.one_hot(every, 2).double() * chains.mask[row, :, None]
        assert_close(chains.marginals[row], (chance[:, None, None] * on).sum(0), **EXACT)
        best = every[int(chance.argmax())]
        assert chains.argmax[row].tolist() == best.tolist()
        assert_close(float(chains.entropy[row]), float(-(chance * chance.log()).sum()), **EXACT)
        logs = torch.stack([chains.log_prob(one.expand(4, -1))[row] for one in every])
        assert_close(logs, chance.log(), **EXACT)
        assert (logs <= 0).all()
    edges = chains.edges[0, 1:]
    assert_close(edges.sum(-1), chains.marginals[0, :-1], **EXACT)
    assert_close(edges.sum(-2), chains.marginals[0, 1:], **EXACT)
    assert not chains.edges[:, 0].any()
    assert_close(chains.edges[1, 2].sum(-1), chains.marginals[1, 0], **EXACT)  # past the hole


def test_constants_and_counts():
    """A constant moves log Z only; with no potentials at all, Z is the number of taggings."""
    chains = Chains(drawn(2, 7, 3), drawn(3, 3))
    moved = Chains(chains.unary + 1.5, chains.pairwise - 0.25)
    assert_close(moved.marginals, chains.marginals, **EXACT)
    assert_close(moved.log_partition, chains.log_partition + 7 * 1.5 - 6 * 0.25, **EXACT)
    none = Chains(torch.zeros(1, 10, 2).double(), torch.zeros(2, 2).double())
    assert_close(none.log_partition.exp(), torch.tensor([2.0**10]).double(), **EXACT)


def test_draws_of_chains_are_as_frequent_as_their_chances():
    chains = ragged_chains(slots=4)
    many = Chains(chains.unary[0].expand(4000, -1, -1), chains.pairwise)
    found = many.sample(torch.Generator().manual_seed(0))
    often = torch.nn.functional.one_hot(found, 2).double().mean(0)
    assert_close(often, chains.marginals[0], rtol=0, atol=0.03)
    again = many.sample(torch.Generator().manual_seed(0))
    assert torch.equal(found, again)
    assert not chains.sample(torch.Generator().manual_seed(0))[2].any()


def test_neighbours_are_drawn_together():
    """Not each by its own chance: past a hole too, and by the matrix of each step."""
    stay, mask = 50 * torch.eye(2).double(), torch.tensor([True, False, True, True])
    same = Chains(torch.zeros(200, 4, 2).double(), stay, mask)
    found = same.sample(torch.Generator().manual_seed(0))
    assert (found[:, [2, 3]] == found[:, :1]).all()
    assert 60 < int(found[:, 0].sum()) < 140
    assert not found[:, 1].any()
    assert_close(same.entropy, torch.full((200,), 2.0).double().log(), **EXACT)
    each = torch.stack([stay, stay.flip(0), stay.flip(0)]).expand(200, 3, 2, 2)
    turned = Chains(torch.zeros(200, 4, 2).double(), each)
    found = turned.sample(torch.Generator().manual_seed(0))
    assert (found == (found[:, :1] + torch.tensor([0, 0, 1, 0])) % 2).all()
    wrong = torch.tensor([0, 1, 0, 0]).expand(200, 4)
    for states, chance in ((found, -np.log(2)), (wrong, -np.log(2) - 100)):
        expected = torch.full((200,), chance, dtype=torch.float64)
        assert_close(turned.log_prob(states), expected, **EXACT)


def test_of_equal_taggings_the_lowest_states_are_the_best():
    chains = Chains(
        torch.zeros(2, 4, 3), torch.zeros(3, 3), torch.tensor([True, True, False, True])
    )
    assert chains.argmax.tolist() == [[0] * 4] * 2
    assert chains.best.sum(-1).tolist() == [[1, 1, 0, 1]] * 2


@pytest.mark.usefixtures("shapes_unchecked")
def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match=r"the pairwise potentials have shape \(3, 3\), expected"):
        Chains(drawn(2, 7, 2), drawn(3, 3))
    with pytest.raises(ValueError, match=r"the mask is torch.bool of shape \(2, 6\), expected"):
        Chains(drawn(2, 7, 2), drawn(2, 2), torch.ones(2, 6, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"the mask is torch.float32 of shape \(2, 7\), expected"):
        Chains(drawn(2, 7, 2), drawn(2, 2), torch.ones(2, 7))
    with pytest.raises(ValueError, match=r"ProjectiveTrees: the arcs have shape \(2, 3, 4\)"):
        ProjectiveTrees(drawn(2, 3, 4), drawn(2, 3))
    with pytest.raises(ValueError, match=r"the mask is torch.bool of shape \(2, 2\)"):
        ProjectiveTrees(drawn(2, 3, 3), drawn(2, 3), torch.ones(2, 2, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"the mask is torch.float64 of shape \(2, 3\)"):
        NonProjectiveTrees(drawn(2, 3, 3), drawn(2, 3), drawn(2, 3))
    with pytest.raises(ValueError, match="SoftParents: 2 queries and 3 keys came"):
        SoftParents(Dot(), 5)(drawn(2, 2, 5).float(), drawn(2, 3, 5).float())


# ---- Aligns ----


def test_a_chain_without_preferences_is_a_sigmoid():
    """List 17: and with them neighbours are read together."""
    scores, mask = drawn(2, 3, 9), torch.rand(2, 3, 9) < 0.7
    assert_close(LinearChain().double()(scores, mask), Sigmoid()(scores, mask), **EXACT)
    lonely = torch.full((1, 1, 5), -1.0).double()
    lonely[..., 1], lonely[..., 3] = 3.0, 3.0
    together = LinearChain(stay=2.0).double()(lonely)[0, 0].detach()
    assert float(together[2]) > 0.6 > float(Sigmoid()(lonely)[0, 0, 2])


def test_segments_are_all_segmentations():
    """List 17: each slot's chance to be in a segment, and log Z, by listing them all."""
    align, scores = Segments.example().double(), drawn(8)
    tagging = align.tagging(scores[None, None])
    every = list(reference.segmentations(8, align.longest))
    total, chances = reference.chances(
        [
            sum(float(scores[i : j + 1].sum() + align.lengths[j - i].detach()) for i, j in segments)
            for segments in every
        ]
    )
    assert_close(float(tagging.chains.log_partition.detach()), total, **EXACT)
    expected = np.zeros(8)
    for segments, chance in zip(every, chances, strict=True):
        for i, j in segments:
            expected[i : j + 1] += chance
    assert_close(align(scores[None, None])[0, 0].detach(), torch.tensor(expected), **EXACT)
    best = every[int(np.argmax(chances))]
    read = [float(any(i <= slot <= j for i, j in best)) for slot in range(8)]
    assert align.hard()(scores[None, None])[0, 0].tolist() == read


def test_segments_of_one_slot_are_a_sigmoid():
    scores, mask = drawn(2, 3, 9), torch.rand(2, 3, 9) < 0.7
    align = Segments(longest=1, length=0.5).double()
    assert_close(align(scores, mask), Sigmoid()(scores + 0.5, mask), **EXACT)


@pytest.mark.parametrize("k", [1, 2, 4, 5, 9])
def test_exactly_k_reads_k(k):
    """List 17: the weights sum to k, or to as many slots as there are; one is a softmax."""
    scores, mask = drawn(2, 3, 7), torch.rand(2, 3, 7) < 0.7
    mask[0, 0], mask[1, 1] = True, False
    weights = ExactlyK(k)(scores, mask)
    assert_close(weights.sum(-1), mask.sum(-1).clamp(max=k).double(), **EXACT)
    assert (weights <= 1 + 1e-12).all()
    if k == 1:
        assert_close(weights, Softmax()(scores, mask), **EXACT)
    best = ExactlyK(k).hard()(scores, mask)
    highest = scores.masked_fill(~mask, -torch.inf).topk(min(k, 7), -1).indices
    expected = torch.zeros_like(scores).scatter(-1, highest, 1.0) * mask
    assert best.tolist() == expected.tolist()


@pytest.mark.parametrize("align", [LinearChain(0.5), Segments(3, 0.2), ExactlyK(2)], ids=repr)
def test_derivatives_of_aligns(align):
    """List 17: first and second, of scores and weights alike, also where rows are ragged."""
    align = align.double()
    mask = torch.tensor([[[True, False, True, True]], [[False, True] + [False] * 2]])
    scores = drawn(2, 1, 4).requires_grad_()
    leaves = (scores, *align.parameters())
    assert gradcheck(lambda scores, *_: align(scores, mask), leaves, fast_mode=True)
    assert gradgradcheck(lambda scores, *_: align(scores, mask), leaves, fast_mode=True)


@pytest.mark.parametrize("align", [LinearChain(0.5), Segments(3, 0.2), ExactlyK(2)], ids=repr)
def test_large_scores_of_aligns(align):
    """List 17: scores of a thousand overflow nowhere; in float32 as in float64."""
    scores = drawn(2, 3, 50, scale=1e3).float()
    found, hard = align.float()(scores), align.hard()(scores)
    assert found.isfinite().all()
    assert ((found >= 0) & (found <= 1 + 1e-6)).all()
    assert_close(found.double(), align.double()(scores.double()), rtol=0, atol=2e-3)
    sure = (found < 1e-3) | (found > 1 - 1e-3)
    assert torch.equal(found.round()[sure], hard[sure].float())
    assert sure.float().mean() > 0.95


def test_preferences_begin_where_they_are_put():
    assert LinearChain(0.5).pairwise.tolist() == [[0.5, 0.0], [0.0, 0.5]]
    assert Segments(3, -0.5).lengths.tolist() == [-0.5] * 3
    align = Segments()
    assert align.lengths.tolist() == [0.0] * 4
    assert align.hard().soft is align
    # By hand: a slot alone, or with its neighbour, or neither; log 2 for segments of two.
    two = Segments(2)
    with torch.no_grad():
        two.lengths.copy_(torch.tensor([0.0, np.log(2)]))
    assert_close(two(torch.zeros(1, 2)), torch.full((1, 2), 4 / 6))  # 1 + 1 + 1 + 1 + 2
    passed = two(torch.zeros(1, 3), torch.tensor([[True, False, True]]))
    assert_close(passed, torch.tensor([[4 / 6, 0.0, 4 / 6]]))


def test_a_structure_is_read():
    """An attention with each align reads the weighted sum, and a memory without slots is zero."""
    for align in (LinearChain(), Segments(), ExactlyK(2), LinearChain().hard()):
        attention = Attention(Dot(), align).double()
        found = attention(drawn(2, 3, 5), drawn(2, 4, 5))
        assert_close(found.value, found.weights @ drawn(2, 4, 5), **EXACT)
        none = attention(drawn(2, 3, 5), drawn(2, 0, 5))
        assert not none.value.any()
        assert none.weights.shape == (2, 3, 0)

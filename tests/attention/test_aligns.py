"""Aligns: the numbers of the papers by hand, and what each is the same as."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.attention import (
    AlignContext,
    Entmax,
    Entmax15,
    LocalM,
    LocalP,
    NormalisedLocalP,
    Sigmoid,
    Smoothing,
    Softmax,
    Sparsemax,
    TopK,
    TopKOfSoftmax,
)
from memnets.attention.sparse import centred, entmax15, sparsemax

SCORES = torch.tensor([[-2.0, 0.0, 0.5]], dtype=torch.float64)
FAMILY = [Sparsemax(), Entmax15(), Entmax(1.2), Entmax(1.7), Entmax(3.0)]


@pytest.mark.parametrize(
    ("align", "expected"),
    [
        (Softmax(), (0.0486, 0.3592, 0.5922)),
        (Entmax15(), (0.0, 0.3260, 0.6740)),
        (Sparsemax(), (0.0, 0.25, 0.75)),
        (Entmax(1.5), (0.0, 0.3260, 0.6740)),
        (Entmax(2.0), (0.0, 0.25, 0.75)),
    ],
)
def test_the_family_by_hand(align, expected):
    """List 6: softmax, 1.5-entmax and sparsemax of (-2, 0, 0.5)."""
    assert_close(align(SCORES)[0], torch.tensor(expected).double(), rtol=0, atol=5e-5)


@pytest.mark.parametrize("align", FAMILY, ids=repr)
def test_sparse_weights_sum_to_one_whatever_is_added(align):
    """List 7: sum 1, shift invariance, and zeros that are exact."""
    scores = 3 * torch.randn(5, 13).double()
    weights = align.double()(scores)
    assert_close(weights.sum(-1), torch.ones(5).double())
    assert_close(align(scores + 7), weights)
    assert (weights == 0).any()
    assert (weights >= 0).all()


@pytest.mark.parametrize(("align", "alpha"), [(Sparsemax(), 2.0), (Entmax15(), 1.5)])
def test_sorting_and_bisection_find_one_threshold(align, alpha):
    """List 7: sorted = bisection, ties and a row of equals among the scores."""
    scores = torch.randn(5, 13).double()
    scores[1, 3:7], scores[2] = 1.25, 0.5
    bisected = Entmax(alpha).double()
    with torch.no_grad():  # the example's alpha is float32: to the last bit of float64
        bisected.raw_alpha.copy_(torch.tensor(alpha - 1).double().expm1().log())
    assert_close(align(scores), bisected(scores), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(("align", "plain"), [(Sparsemax(), sparsemax), (Entmax15(), entmax15)])
def test_the_own_backward_equals_autograd_through_the_plain_twin(align, plain):
    """List 7: gradients of the family against autograd through the sort."""
    scores, mask = torch.randn(5, 13).double(), torch.rand(5, 13) < 0.7
    outer = torch.randn(5, 13).double()
    found, expected = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    (align(found, mask) * outer).sum().backward()
    (plain(centred(expected, mask)) * outer).sum().backward()
    assert_close(found.grad, expected.grad, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("alpha", [1.05, 1.3, 1.5, 2.0, 2.5])
def test_the_gradient_of_alpha(alpha):
    """List 7: by finite differences, also where a row has nothing to read."""
    align = Entmax(alpha).double()
    scores, mask = torch.randn(3, 7).double(), torch.rand(3, 7) < 0.7
    mask[1] = False

    def weights(raw, scores):
        return torch.func.functional_call(align, {"raw_alpha": raw}, (scores, mask))

    raw = align.raw_alpha.detach().requires_grad_()
    assert torch.autograd.gradcheck(weights, (raw, scores.requires_grad_()), rtol=1e-5, atol=1e-7)


def test_alpha_near_one_is_nearly_softmax():
    """List 7: the difference shrinks with alpha - 1."""
    scores = torch.randn(5, 13).double()
    gaps = [
        (Entmax(1 + apart).double()(scores) - scores.softmax(-1)).abs().max()
        for apart in (0.1, 0.01, 0.001)
    ]
    assert gaps[0] > 5 * gaps[1] > 25 * gaps[2]
    assert gaps[2] < 3e-3


def test_alpha_is_where_it_was_put_and_learns():
    align = Entmax(1.7)
    assert align.alpha.item() == pytest.approx(1.7)
    assert Entmax(40.0).alpha.item() == pytest.approx(40.0)
    # Peaked weights are asked for: alpha grows.
    align(torch.tensor([[0.0, 0.1, 0.3]]))[0, 2].backward()
    assert align.raw_alpha.grad > 0


def test_sparse_weights_of_large_scores_are_finite():
    scores = torch.tensor([[1e4, -1e4, 1e4 - 0.25, 0.0]])
    for align in FAMILY:
        weights = align.float()(scores)
        assert_close(weights.sum(-1), torch.ones(1))
        assert weights[0, 0] > weights[0, 2] > 0
        assert not weights[0, [1, 3]].any()


def test_alpha_of_one_is_refused():
    with pytest.raises(ValueError, match=r"Entmax\(alpha=1.0\): expected a number above 1\."):
        Entmax(1.0)


@pytest.mark.parametrize("align", FAMILY[1:4], ids=repr)
def test_the_second_derivative_too(align):
    scores, mask = torch.randn(2, 7).double().requires_grad_(), torch.rand(2, 7) < 0.7
    assert torch.autograd.gradgradcheck(lambda scores: align.double()(scores, mask), (scores,))


def test_sigmoid_and_smoothing_by_hand():
    scores = torch.tensor([[0.0, torch.log(torch.tensor(3.0))]])
    assert_close(Sigmoid()(scores), torch.tensor([[0.5, 0.75]]))
    assert_close(Smoothing()(scores), torch.tensor([[0.4, 0.6]]))


def test_smoothing_where_every_sigmoid_underflows():
    scores = torch.tensor([[-200.0, -201.0]])
    assert not Sigmoid()(scores).any()
    assert_close(Smoothing()(scores), scores.softmax(-1))


def local_p_at(centre, align=LocalP, length=8):
    """Return a local-p whose predicted place is `centre`, whatever is asked, and its context."""
    part = align(query_dim=1, window=2).double()
    share = torch.tensor(centre / length).double().logit()
    with torch.no_grad():
        part.hidden_weight.weight.fill_(1.0)
        part.centre_weight.weight.fill_(share / torch.tanh(torch.tensor(1.0).double()))
    context = AlignContext(
        query=torch.ones(1, 1).double(),
        positions=torch.arange(length),
        length=torch.tensor(length),
    )
    return part, context


EQUAL, MIXED = (0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 2.0, 0.0, -1.0, 1.0)


@pytest.mark.parametrize(
    ("align", "scores", "expected"),
    [
        (LocalP, EQUAL, (0.01420, 0.08591, 0.19120, 0.15654, 0.04715)),
        (NormalisedLocalP, EQUAL, (0.02869, 0.17356, 0.38626, 0.31624, 0.09525)),
        (LocalP, MIXED, (0.01360, 0.22363, 0.06735, 0.02029, 0.04515)),
        (NormalisedLocalP, MIXED, (0.03675, 0.60437, 0.18203, 0.05483, 0.12202)),
    ],
)
def test_local_p_by_hand(align, scores, expected):
    """List 6: D = 2, sigma = 1, p = 4.3, slots 2 to 6."""
    part, context = local_p_at(4.3, align)
    row = torch.tensor([[9.0, 9.0, *scores, 9.0]]).double()
    weights = part(row, None, context)[0]
    assert_close(weights[2:7], torch.tensor(expected).double(), rtol=0, atol=5e-6)
    assert not weights[[0, 1, 7]].any()
    if align is LocalP:
        total = {EQUAL: 0.49500, MIXED: 0.37001}[scores]
        assert weights.sum().item() == pytest.approx(total, abs=5e-6)


@pytest.fixture
def local():
    """A local-p, scores, and a context whose rows differ in length."""
    align = LocalP(query_dim=5, window=3).double()
    context = AlignContext(
        query=torch.randn(2, 3, 5).double(),
        positions=torch.arange(13),
        length=torch.tensor([13, 6]),
    )
    return align, torch.randn(2, 3, 13).double(), context


def test_local_p_divided_by_its_sum_is_the_normalised_one(local):
    """List 8: (a) sums to less than one, and (a) over its sum is (b)."""
    align, scores, context = local
    other = NormalisedLocalP(query_dim=5, window=3).double()
    other.load_state_dict(align.state_dict())
    weights = align(scores, None, context)
    assert (weights.sum(-1) < 1).all()
    assert_close(weights / weights.sum(-1, keepdim=True), other(scores, None, context))


def test_the_centre_stays_inside_its_own_sentence(local):
    """List 8: p is in (0, S), and S differs within a batch."""
    align, _, context = local
    centre = align.centre(context.query, context.length)
    assert ((centre > 0) & (centre < context.length[:, None, None])).all()
    half = align.centre(context.query, context.length / 2)
    assert_close(half, centre / 2)


def test_the_gradient_reaches_what_predicts(local):
    """List 8: through the Gaussian alone; equal scores and no window in between."""
    align, scores, context = local
    align(torch.zeros_like(scores), None, context)[..., 4].sum().backward()
    assert align.hidden_weight.weight.grad.any()
    assert align.centre_weight.weight.grad.any()


@pytest.mark.parametrize(("centre", "window"), [(0.4, [0, 1, 2]), (7.6, [5, 6, 7])])
def test_a_window_is_cut_at_both_ends(centre, window):
    """List 8: what is outside the sentence is left out."""
    part, context = local_p_at(centre)
    read = part(torch.zeros(1, 8).double(), None, context)[0].nonzero().squeeze(-1)
    assert read.tolist() == window


def test_a_wide_local_m_is_global():
    """List 9: with D at least S, local-m is softmax."""
    scores, context = torch.randn(2, 3, 13), AlignContext(positions=torch.arange(13), step=4)
    assert torch.equal(LocalM(13)(scores, None, context), scores.softmax(-1))


def test_a_step_beyond_the_window_reads_nothing():
    """List 9: zeros, not NaN, in the gradient too."""
    scores = torch.randn(2, 3, 13, requires_grad=True)
    for step, empty in ((15, False), (16, True)):
        context = AlignContext(positions=torch.arange(13), step=step)
        weights = LocalM(3)(scores, None, context)
        assert bool((weights == 0).all()) == empty
    (weights * torch.randn(2, 3, 13)).sum().backward()
    assert not scores.grad.any()


def test_steps_of_a_whole_sentence_at_once():
    """Three steps in one call are three calls, with one step each or one a row."""
    scores, align = torch.randn(2, 3, 13), LocalM(2)
    places = torch.arange(13)
    steps = torch.tensor([[4, 5, 6], [0, 1, 2]])
    whole = align(scores, None, AlignContext(positions=places, step=steps))
    for i in range(3):
        context = AlignContext(positions=places, step=steps[:, i])
        assert torch.equal(align(scores[:, i : i + 1], None, context), whole[:, i : i + 1])
    alone = align(scores[0], None, AlignContext(positions=places, step=steps[0]))
    assert torch.equal(alone, whole[0])


def test_positions_may_differ_from_row_to_row():
    """Luong feeds the source backwards, and its windows count forwards all the same."""
    scores = torch.randn(2, 3, 13)
    positions = torch.stack([torch.arange(13), torch.arange(13).flip(0)])
    weights = LocalM(2)(scores, None, AlignContext(positions=positions, step=3))
    assert weights[0].any(0).nonzero().squeeze(-1).tolist() == [1, 2, 3, 4, 5]
    assert weights[1].any(0).nonzero().squeeze(-1).tolist() == [7, 8, 9, 10, 11]


def test_both_conventions_of_top_k():
    """List 13: keep then normalise sums to one, normalise then keep to what was kept."""
    scores = torch.randn(2, 3, 13).double()
    softmax, kept = scores.softmax(-1), TopK(3).align(scores)
    highest = softmax.topk(3, -1)
    assert torch.equal(kept.indices, highest.indices)
    assert_close(kept.weights, highest.values / highest.values.sum(-1, keepdim=True))
    faint = TopKOfSoftmax(3).align(scores)
    assert_close(faint.weights, highest.values)
    assert (faint.weights.sum(-1) < 1).all()


@pytest.mark.parametrize("align", [TopK, TopKOfSoftmax])
def test_fewer_slots_than_are_kept(align):
    """List 13: what can be read is read."""
    scores, mask = torch.randn(2, 3, 13).double(), torch.zeros(2, 1, 13, dtype=torch.bool)
    mask[0, 0, [2, 5]], mask[1, 0, 7] = True, True
    weights = align(3)(scores, mask)
    assert_close(weights, Softmax()(scores, mask))


@pytest.mark.parametrize("align", [TopK, TopKOfSoftmax])
def test_keeping_all_is_softmax(align):
    """List 13: k = n, and any k beyond it."""
    scores = torch.randn(2, 3, 13).double()
    for kept in (13, 17):
        assert_close(align(kept)(scores), scores.softmax(-1))


def test_a_top_k_holds_no_dense_weights():
    aligned = TopK(3).align(torch.randn(2, 3, 13))
    assert aligned.weights.shape == aligned.indices.shape == (2, 3, 3)
    assert_close(aligned.dense(13).sum(-1), torch.ones(2, 3))
    assert F.one_hot(aligned.indices, 13).sum(-2).max() == 1


@pytest.mark.parametrize(
    ("build", "name", "size"),
    [
        (lambda: LocalM(0), "LocalM", "window=0"),
        (lambda: LocalP(5, 0), "LocalP", "window=0"),
        (lambda: NormalisedLocalP(0, 3), "NormalisedLocalP", "query_dim=0"),
        (lambda: TopK(0), "TopK", "k=0"),
        (lambda: TopKOfSoftmax(-1), "TopKOfSoftmax", "k=-1"),
    ],
)
def test_a_size_below_one_is_refused(build, name, size):
    with pytest.raises(ValueError, match=rf"{name}\({size}\): expected at least 1\."):
        build()


def test_a_place_in_a_long_sentence_is_predicted_in_float32():
    """In bfloat16 places beyond 256 are two apart, and more."""
    align, query = LocalP(query_dim=5).bfloat16(), torch.randn(2, 3, 5).bfloat16()
    found = align.centre(query, torch.tensor([2000, 900]))
    logits = align.centre_weight(torch.tanh(align.hidden_weight(query))).float()
    assert found.dtype == torch.float32
    assert_close(found, torch.tensor([2000.0, 900.0])[:, None, None] * logits.sigmoid())
